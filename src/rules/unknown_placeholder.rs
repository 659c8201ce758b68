//! See the page beside this file.

use std::collections::BTreeMap;

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

impl Place<'_> {
    /// As it stands in the text, so far as it is shown.
    fn whole(&self) -> String {
        format!("{{{}{}", self.name, if self.closed { "}" } else { "" })
    }

    /// Behind what it takes of the text.
    fn end(&self) -> usize {
        self.at + 1 + self.name.len()
    }
}

/// The places of a text in their order, up to the first one that is never closed: behind it none is.
fn places(text: &str) -> Vec<Place<'_>> {
    let mut found = Vec::new();
    let mut closes = text.match_indices('}').map(|(at, _)| at).peekable();
    for (at, _) in text.match_indices('{') {
        while closes.next_if(|close| *close < at).is_some() {}
        let within = text.get(at + 1..).unwrap_or_default();
        let Some(close) = closes.peek() else {
            let name = within.split(char::is_whitespace).next().unwrap_or_default();
            found.push(Place { at, name, closed: false });
            break;
        };
        found.push(Place { at, name: within.get(..close - at - 1).unwrap_or_default(), closed: true });
    }
    found
}

/// The first brace that closes no place.
fn lone(text: &str, places: &[Place<'_>]) -> Option<usize> {
    let mut left = places.iter().map(Place::end).peekable();
    text.match_indices('}').map(|(at, _)| at).find(|at| left.next_if_eq(at).is_none())
}

fn status(cx: &Cx<'_>, key: &str, template: &Spanned<String>, sink: &mut Sink) {
    let places = places(template);
    let braces = Braces::of(cx, template, '{');
    let mut last = None;
    for place in places.iter().filter(|place| !place.closed || !STATUS_PLACES.contains(&place.name)) {
        // What begins within a place that is wrong already is a part of it.
        if last.is_some_and(|end| place.at < end) {
            continue;
        }
        last = Some(place.end());
        sink.push(unfilled(key, template, place, braces.span(place.at, &place.whole())));
    }
    // Behind a place that is wrong, a brace too many may be a part of it.
    if let Some(at) = lone(template, &places).filter(|_| last.is_none()) {
        sink.push(unopened(key, Braces::of(cx, template, '}').span(at, "}")));
    }
}

/// A brace that everybody would be shown.
fn unopened(key: &str, at: Span) -> Diagnostic {
    let message = format!("a `}}` of status template `{key}` closes no place");
    Diagnostic::new(ID, at, message, "opened nowhere")
        .note("the runtime takes it for text: it would stand under every proposal")
        .help("take it out, or open the place before it")
}

fn unfilled(key: &str, template: &Spanned<String>, place: &Place<'_>, at: Span) -> Diagnostic {
    let name = place.name;
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

/// The braces of one kind of a text, where they stand in it and in the file.
struct Braces<'a> {
    whole: Span,
    written: &'a str,
    /// Where each brace stands in the text, and where it is written; nothing where some are written by an escape.
    known: BTreeMap<usize, usize>,
}

impl<'a> Braces<'a> {
    fn of(cx: &'a Cx<'_>, text: &Spanned<String>, brace: char) -> Self {
        let written = cx.tree.sources.slice(text.span);
        let places = |text: &'_ str| text.match_indices(brace).map(|(at, _)| at).collect::<Vec<_>>();
        let (read, stand) = (places(&text.value), places(written));
        let known = if read.len() == stand.len() { read.into_iter().zip(stand).collect() } else { BTreeMap::new() };
        Self { whole: text.span, written, known }
    }

    /// The bytes of `piece`, whose brace stands at `at` of the text, where they are written as they read; else the whole text.
    fn span(&self, at: usize, piece: &str) -> Span {
        let at = self.known.get(&at).filter(|at| self.written.get(**at..).is_some_and(|rest| rest.starts_with(piece)));
        let start = |at: &usize| self.whole.start as usize + at;
        at.map_or(self.whole, |at| Span::new(self.whole.file, start(at)..start(at) + piece.len()))
    }
}

/// Whether `name` is a slip away from the one place of a memory wrap. What is far longer is not looked into.
fn is_near(name: &str) -> bool {
    name.len() <= 4 * TEXT.len() && nearest(name, [TEXT]).is_some()
}

/// A wrap that holds the memory once. That it closes behind it is `prompt-order`'s.
fn memory(cx: &Cx<'_>, stated: &Spanned<String>) -> Option<Diagnostic> {
    const WHY: &str = "without one place for it, recalled memory has nothing around it; the runtime refuses the prompt";
    let all = places(stated);
    let braces = Braces::of(cx, stated, '{');
    let place_at = |place: &Place<'_>| braces.span(place.at, &place.whole());
    let texts: Vec<&Place<'_>> = all.iter().filter(|place| place.closed && place.name == TEXT).collect();
    let (at, message, label, help) = match texts.as_slice() {
        [] => {
            let near = all.iter().find(|place| place.closed && is_near(place.name));
            let at = near.map_or(stated.span, place_at);
            let label = if near.is_some() { "did you mean `{text}`?" } else { "no place for the memory" };
            (at, "the memory wrap has no `{text}`", label, "write `{text}` where the memory belongs")
        }
        [_] => return None,
        [_, second, ..] => (
            place_at(second),
            "the memory wrap has `{text}` twice",
            "the second one",
            "leave one `{text}`",
        ),
    };
    Some(Diagnostic::new(ID, at, message, label).note(WHY).help(help))
}
