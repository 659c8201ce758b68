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

/// A finding for each expectation of a test that nothing can meet.
pub(crate) fn unmeetable(id: RuleId, test: &Test) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> =
        test.expect.iter().filter_map(|written| unmet(id, written, &of_call(false))).collect();
    for step in test.sequence.iter().flatten() {
        let words = if step.call.is_some() { of_call(true) } else { of_answer() };
        found.extend(step.expect.iter().filter_map(|written| unmet(id, written, &words)));
    }
    found
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
