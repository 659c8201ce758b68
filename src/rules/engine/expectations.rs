//! The words that a test expects: approvals, denial codes, and what comes of an answer.

use harnessc_runtime::actions::Refusal;
use harnessc_runtime::decide::{Code, Gate};

use crate::diagnostic::{Applicability, Diagnostic, RuleId, nearest};
use crate::model::tests::{Answered, Test};
use crate::model::words::Approval;
use crate::source::Spanned;

/// What can be expected at some place.
struct Words {
    /// What it comes of.
    of: &'static str,
    all: Vec<&'static str>,
    /// The words in a sentence; of many codes the usual ones.
    said: String,
}

/// A finding for each expectation of a test that nothing can meet, and for each name in it that nothing bears.
pub(crate) fn unmeetable(id: RuleId, test: &Test) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> =
        test.expect.iter().filter_map(|written| unmet(id, written, &of_call(false))).collect();
    let mut named: Vec<&str> = Vec::new();
    for step in test.sequence.iter().flatten() {
        let words = match (&step.call, &step.batch) {
            (Some(_), _) => of_call(true),
            (None, Some(_)) => of_batch(),
            (None, None) => of_answer(),
        };
        found.extend(step.expect.iter().filter_map(|written| unmet(id, written, &words)));
        for own in step.batch.iter().flatten() {
            found.extend(own.expect.iter().filter_map(|written| unmet(id, written, &of_batch_step())));
        }
        let names = step.depends_on.iter().flatten().chain(&step.about);
        found.extend(names.filter_map(|name| nameless(id, name, &named)));
        let given = step.batch.iter().flatten().filter_map(|own| own.r#as.as_ref()).chain(&step.r#as);
        named.extend(given.map(|name| name.value.as_str()));
    }
    found
}

/// A name that no earlier step gives.
fn nameless(id: RuleId, name: &Spanned<String>, named: &[&str]) -> Option<Diagnostic> {
    if named.contains(&name.value.as_str()) {
        return None;
    }
    let meant = nearest(name, named.iter().copied());
    let found = Diagnostic::new(
        id,
        name.span,
        format!("no earlier step is called `{}`", name.value),
        meant.map_or_else(|| "names no proposal".to_owned(), |meant| format!("did you mean `{meant}`?")),
    )
    .note("a step gets its name by `as`, and only the steps behind it can speak of it");
    Some(match meant {
        Some(meant) => found.help(format!("write `{meant}`")).fix(
            format!("write `{meant}`"),
            Applicability::Unsafe,
            name.span,
            meant,
        ),
        None => found.help(format!("write `as: {}` in the step that makes the call", name.value)),
    })
}

/// A call of a sequence becomes a proposal, which the ledger may refuse.
fn of_call(proposes: bool) -> Words {
    let codes = Code::ALL.iter().map(|code| code.code());
    let mut all: Vec<&'static str> = Approval::WORDS.iter().copied().chain(codes).collect();
    if proposes {
        all.extend(refusals());
    }
    let usual: Vec<&str> =
        Gate::ALL.iter().map(|gate| gate.code()).filter(|code| all.contains(code)).collect();
    let said = format!(
        "an approval ({}), or the code with which a call is denied ({})",
        quoted(Approval::WORDS),
        quoted(&usual)
    );
    Words { of: "a call", all, said }
}

/// A batch is taken in whole or refused whole, by the ledger.
fn of_batch() -> Words {
    let some = [Refusal::ActionCap, Refusal::DuplicateAction, Refusal::SuspectedInjection];
    let some: Vec<&str> = some.into_iter().map(Refusal::code).collect();
    let said = format!("the code with which a batch is refused (such as {})", quoted(&some));
    Words { of: "a batch", all: refusals().collect(), said }
}

/// Whatever stands in a batch waits for its one answer.
fn of_batch_step() -> Words {
    let all: Vec<&'static str> = Approval::WORDS.iter().copied().filter(|word| *word != "auto").collect();
    let said = format!("what a person is asked for: {}", quoted(&all));
    Words { of: "a step of a batch", all, said }
}

fn of_answer() -> Words {
    let all = Answered::WORDS.iter().copied().chain(refusals()).collect();
    let some = [Refusal::ApproverNotEligible, Refusal::FourEyes, Refusal::Expired, Refusal::ActionClosed];
    let some: Vec<&str> = some.into_iter().map(Refusal::code).collect();
    let said = format!(
        "{}, or the code with which an answer is refused (such as {})",
        quoted(Answered::WORDS),
        quoted(&some)
    );
    Words { of: "an answer", all, said }
}

fn refusals() -> impl Iterator<Item = &'static str> {
    Refusal::ALL.iter().map(|refusal| refusal.code())
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn unmet(id: RuleId, written: &Spanned<String>, words: &Words) -> Option<Diagnostic> {
    let word = written.value.as_str();
    if words.all.contains(&word) {
        return None;
    }
    let meant = nearest(word, words.all.iter().copied());
    let found = Diagnostic::new(
        id,
        written.span,
        format!("`{word}` is nothing that comes of {}", words.of),
        meant.map_or_else(|| "no such outcome".to_owned(), |meant| format!("did you mean `{meant}`?")),
    )
    .note("no policy could ever pass this test");
    Some(match meant {
        Some(meant) => found.help(format!("write `{meant}`; there is {}", words.said)).fix(
            format!("write `{meant}`"),
            Applicability::Unsafe,
            written.span,
            meant,
        ),
        None => found.help(format!("write {}", words.said)),
    })
}
