//! See the page beside this file.

use harnessc_runtime::prompt::STATUS_PLACES;

use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink, nearest};
use crate::source::{Span, Spanned};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("unknown-placeholder");

/// The one place of a memory wrap.
const TEXT: &str = "text";

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for template in cx.model.status_templates.sorted() {
        status(cx, &template.key.value, &template.value, sink);
    }
    if let Some(stated) = &cx.model.prompt.memory_wrap {
        sink.extend(memory(cx, stated));
    }
}

/// One `{…}` of a template: what stands within, and whether it is closed.
struct Place<'a> {
    /// Where its brace stands in the text.
    at: usize,
    name: &'a str,
    closed: bool,
}

fn places(text: &str) -> Vec<Place<'_>> {
    let opened = text.match_indices('{');
    let place = |(at, _): (usize, &str)| {
        let within = text.get(at + 1..)?;
        let closed = within.split_once('}');
        let open = || within.split(char::is_whitespace).next().unwrap_or_default();
        Some(Place { at, name: closed.map_or_else(open, |(name, _)| name), closed: closed.is_some() })
    };
    opened.filter_map(place).collect()
}

fn status(cx: &Cx<'_>, key: &str, template: &Spanned<String>, sink: &mut Sink) {
    let mut last = None;
    for place in places(template).iter().filter(|place| !place.closed || !STATUS_PLACES.contains(&place.name)) {
        // What begins within a place that is wrong already is a part of it.
        if last.is_some_and(|end| place.at < end) {
            continue;
        }
        last = Some(place.at + 1 + place.name.len());
        sink.push(unfilled(cx, key, template, place));
    }
}

fn unfilled(cx: &Cx<'_>, key: &str, template: &Spanned<String>, place: &Place<'_>) -> Diagnostic {
    let name = place.name;
    let at = place_at(cx, template, place);
    let message = match place.closed {
        true => format!("nothing fills in `{{{name}}}` of status template `{key}`"),
        false => format!("the place `{{{name}` of status template `{key}` is never closed"),
    };
    let meant = STATUS_PLACES.into_iter().find(|known| *known == name).or_else(|| nearest(name, STATUS_PLACES));
    let label = meant.map_or_else(|| "no such place".to_owned(), |meant| format!("did you mean `{{{meant}}}`?"));
    let finding = Diagnostic::new(ID, at, message, label)
        .note("a template with a place that nothing fills in puts no line under a proposal: the runtime refuses it");
    let known = "`{person}`, `{decider}` and `{harness.title}`";
    let Some(meant) = meant else {
        return finding.help(format!("write one of {known}, or take it out"));
    };
    let title = format!("write `{{{meant}}}`");
    let finding = finding.help(format!("{title}; the places are {known}"));
    let found = at != template.span && place.closed;
    if found { finding.fix(title, Applicability::Unsafe, at, format!("{{{meant}}}")) } else { finding }
}

/// The place's own bytes, where its text is written as it reads; else the whole template.
fn place_at(cx: &Cx<'_>, template: &Spanned<String>, place: &Place<'_>) -> Span {
    let written = cx.tree.sources.slice(template.span);
    let whole = format!("{{{}{}", place.name, if place.closed { "}" } else { "" });
    let before = template.value.get(..place.at).unwrap_or_default().matches(whole.as_str()).count();
    let Some((at, _)) = written.match_indices(whole.as_str()).nth(before) else { return template.span };
    let start = template.span.start as usize + at;
    Span::new(template.span.file, start..start + whole.len())
}

/// A wrap that holds the memory once. That it closes behind it is `prompt-order`'s.
fn memory(cx: &Cx<'_>, stated: &Spanned<String>) -> Option<Diagnostic> {
    const WHY: &str = "without one place for it, recalled memory has nothing around it; the runtime refuses the prompt";
    let all = places(stated);
    let texts: Vec<&Place<'_>> = all.iter().filter(|place| place.closed && place.name == TEXT).collect();
    let (at, message, label, help) = match texts.as_slice() {
        [] => {
            let near = all.iter().find(|place| place.closed && nearest(place.name, [TEXT]).is_some());
            let at = near.map_or(stated.span, |place| place_at(cx, stated, place));
            let label = if near.is_some() { "did you mean `{text}`?" } else { "no place for the memory" };
            (at, "the memory wrap has no `{text}`", label, "write `{text}` where the memory belongs")
        }
        [_] => return None,
        [_, second, ..] => (
            place_at(cx, stated, second),
            "the memory wrap has `{text}` twice",
            "the second one",
            "leave one `{text}`",
        ),
    };
    Some(Diagnostic::new(ID, at, message, label).note(WHY).help(help))
}
