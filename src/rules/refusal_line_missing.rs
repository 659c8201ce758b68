//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::words::BULLETS;

use super::engine::prompts::{self, REFUSALS, file, lines, version};
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, Fix, RuleId, Sink};
use crate::model::Def;
use crate::model::prompt::Part;
use crate::model::refusals::Refusal;
use crate::source::{FileId, Span, Spanned};

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("refusal-line-missing");

const NOTE: &str = "a refusal binds an agent through its prompt too; what does not stand there word for word is not said";

/// Two lines are versions of one another from this likeness on.
const ALIKE: f64 = 0.5;

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let Some(first) = cx.model.refusals.iter().next() else { return };
    ordered(cx, first, sink);
    let Some(version) = version(cx) else {
        sink.push(no_version(cx, first));
        return;
    };
    let stated: Vec<(&Def<Refusal>, &Spanned<String>)> =
        cx.model.refusals.iter().filter_map(|refusal| Some((refusal, refusal.line.as_ref()?))).collect();
    let (broken, whole): (Vec<_>, Vec<_>) =
        stated.into_iter().partition(|(_, line)| line.trim().contains('\n'));
    sink.extend(broken.into_iter().map(|(refusal, line)| several_lines(refusal, line)));
    sink.extend(shared(&whole));
    match file(cx, REFUSALS) {
        None => sink.push(no_file(first, version, &whole, whole.len() == cx.model.refusals.len())),
        Some(file) if whole.len() == cx.model.refusals.len() => compare(cx, file, version, &whole, sink),
        Some(_) => {}
    }
}

/// Where an order is stated, the refusals are part of it.
fn ordered(cx: &Cx<'_>, first: &Def<Refusal>, sink: &mut Sink) {
    let Some(order) = &cx.model.prompt.order else { return };
    if order.iter().any(|part| part.value == Part::Refusals) {
        return;
    }
    sink.push(
        Diagnostic::new(ID, order.span, "the prompt's order leaves out the refusals", "no `refusals` here")
            .label(first.key.span, "the tree states refusals")
            .note(NOTE)
            .help("put `refusals` first in `order`"),
    );
}

fn no_version(cx: &Cx<'_>, first: &Def<Refusal>) -> Diagnostic {
    Diagnostic::new(
        ID,
        first.key.span,
        "refusals are stated, and the manifest names no prompt version that could carry their lines",
        "stands in no prompt",
    )
    .label(prompts::manifest_at(cx), "`prompt_version` is missing in `[policy]`")
    .note(NOTE)
    .help("add `prompt_version = \"v1\"` to `[policy]`, and write the lines into `prompts/v1/refusals.txt`")
}

fn no_file(first: &Def<Refusal>, version: &str, lines: &[Stated<'_>], complete: bool) -> Diagnostic {
    let what = if lines.len() == 1 { "its line".to_owned() } else { format!("all {} lines", lines.len()) };
    let path = format!("prompts/{version}/{REFUSALS}");
    let finding = Diagnostic::new(
        ID,
        first.key.span,
        format!("refusals are stated, and `{path}` does not exist"),
        "stands in no prompt",
    )
    .note(NOTE)
    .help(format!("write {what} into `{path}`, one a line, in the order of the refusals"));
    if complete {
        finding.fix_creating(format!("write `{path}`"), Applicability::Safe, path, text("- ", lines))
    } else {
        finding
    }
}

fn several_lines(refusal: &Def<Refusal>, line: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(
        ID,
        line.span,
        format!("the line of refusal `{}` breaks into several lines", refusal.key.value),
        "more than one line",
    )
    .note("a prompt carries a refusal as one line, so that it can be found there word for word")
    .help("write it as one sentence, or fold it with `>-`")
}

type Stated<'a> = (&'a Def<Refusal>, &'a Spanned<String>);

/// Refusals whose line is another one's: found in the prompt, it would stand for both.
fn shared(stated: &[Stated<'_>]) -> Vec<Diagnostic> {
    let mut first: BTreeMap<&str, Stated<'_>> = BTreeMap::new();
    let mut found = Vec::new();
    for (refusal, line) in stated {
        let Some((other, same)) = first.get(line.trim()) else {
            first.insert(line.trim(), (refusal, line));
            continue;
        };
        let (key, other) = (&refusal.key.value, &other.key.value);
        found.push(
            Diagnostic::new(ID, line.span, format!("refusals `{other}` and `{key}` have one line"), "the same line")
                .label(same.span, format!("the line of `{other}`"))
                .note("a prompt is searched for each refusal's line, and one line cannot show that both are carried")
                .help("give each a line of its own, or keep one refusal with the verbs of both"),
        );
    }
    found
}

/// Holds the file against the lines that are stated, in their order. Every finding brings the same fix: the file as it should be.
fn compare(cx: &Cx<'_>, file: FileId, version: &str, stated: &[Stated<'_>], sink: &mut Sink) {
    let written = lines(cx, file);
    if written.iter().map(|(_, line)| *line).eq(stated.iter().map(|(_, line)| line.trim())) {
        return;
    }
    let mut fix = rewrite(cx, file, stated);
    let path = format!("prompts/{version}/{REFUSALS}");
    let wanted: BTreeSet<&str> = stated.iter().map(|(_, line)| line.trim()).collect();
    let there: BTreeSet<&str> = written.iter().map(|(_, line)| *line).collect();
    let mut strange: Vec<(Span, &str)> =
        written.iter().filter(|(_, line)| !wanted.contains(line)).copied().collect();
    let mut found = Vec::new();
    for (at, (refusal, line)) in stated.iter().enumerate().filter(|(_, (_, line))| !there.contains(line.trim())) {
        let alike = |(_, other): &(Span, &str)| strsim::normalized_levenshtein(other, line.trim()) >= ALIKE;
        found.push(match strange.iter().position(alike) {
            Some(place) => changed(strange.remove(place).0, refusal, line),
            None => missing(&path, refusal, line, place_before(stated, at, &written, file)),
        });
    }
    if !strange.is_empty() {
        // What nobody stated may still be a rule that somebody meant: a person looks before it goes.
        fix.applicability = Applicability::Unsafe;
    }
    found.extend(strange.into_iter().map(|(span, _)| no_refusal(span)));
    if found.is_empty() {
        found.extend(out_of_order(&written, stated));
    }
    sink.extend(found.into_iter().map(|mut finding| {
        finding.fixes.push(fix.clone());
        finding
    }));
}

/// The line behind which a missing one belongs; an empty place at the start where it is the first.
fn place_before(stated: &[Stated<'_>], at: usize, written: &[(Span, &str)], file: FileId) -> (Span, &'static str) {
    let earlier = stated.iter().take(at).rev();
    let found = earlier.into_iter().find_map(|(_, line)| written.iter().find(|(_, other)| *other == line.trim()));
    match found {
        Some((span, _)) => (*span, "it belongs behind this line"),
        None => (Span::new(file, 0..0), "it belongs at the beginning"),
    }
}

fn missing(path: &str, refusal: &Def<Refusal>, line: &Spanned<String>, place: (Span, &str)) -> Diagnostic {
    Diagnostic::new(
        ID,
        line.span,
        format!("the line of refusal `{}` does not stand in `{path}`", refusal.key.value),
        "stands in no prompt",
    )
    .label(place.0, place.1)
    .note(NOTE)
    .help("add the line there, letter by letter")
}

fn changed(at: Span, refusal: &Def<Refusal>, line: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(
        ID,
        at,
        format!("this is not the line of refusal `{}`", refusal.key.value),
        "worded in another way",
    )
    .label(line.span, "the line as it is stated")
    .note(NOTE)
    .help("write it letter by letter as it is stated, or change what is stated")
}

fn no_refusal(at: Span) -> Diagnostic {
    Diagnostic::new(ID, at, "this line is no refusal that the tree states", "stated nowhere")
        .note("what stands here without a definition is checked by nothing and may be left out of any prompt")
        .help("define it under `refusals:`, or move it into the prompt of the harness it is meant for")
}

/// All lines are there, and not each once in its place.
fn out_of_order(written: &[(Span, &str)], stated: &[Stated<'_>]) -> Option<Diagnostic> {
    let mut wanted = stated.iter();
    let (span, line, expected) = written.iter().find_map(|(span, line)| match wanted.next() {
        Some((_, expected)) if expected.trim() == *line => None,
        expected => Some((*span, *line, expected)),
    })?;
    let finding = match expected {
        Some((refusal, expected)) => Diagnostic::new(
            ID,
            span,
            format!("the line of refusal `{}` belongs here", refusal.key.value),
            "another line stands in its place",
        )
        .label(expected.span, "the line that belongs here"),
        None => Diagnostic::new(ID, span, "this refusal stands here a second time", "again"),
    };
    let own = stated.iter().find(|(_, other)| other.trim() == line).filter(|_| expected.is_some());
    let finding = match own {
        Some((refusal, own)) => finding.label(own.span, format!("this is the line of `{}`", refusal.key.value)),
        None => finding,
    };
    Some(
        finding
            .note("the lines stand in the order of the definitions, so that two prompts differ only where the policy does")
            .help("put the lines into that order"),
    )
}

/// The whole file as it should be, with bullets where it has some.
fn rewrite(cx: &Cx<'_>, file: FileId, stated: &[Stated<'_>]) -> Fix {
    let text = cx.tree.sources.get(file).map_or("", |file| &*file.text);
    let bullet = BULLETS.into_iter().find(|bullet| text.lines().any(|line| line.trim().starts_with(bullet)));
    let bullet = bullet.unwrap_or(if text.trim().is_empty() { "- " } else { "" });
    let replacement = self::text(bullet, stated);
    Fix {
        title: format!("write `{REFUSALS}` anew"),
        applicability: Applicability::Safe,
        edits: vec![crate::diagnostic::Edit { span: Span::new(file, 0..text.len()), replacement }],
        creates: Vec::new(),
    }
}

/// The lines that are stated, as the file has them.
fn text(bullet: &str, stated: &[Stated<'_>]) -> String {
    stated.iter().map(|(_, line)| format!("{bullet}{}\n", line.trim())).collect()
}
