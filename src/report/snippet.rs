//! The places of one finding as drawn snippets, those of a second file under the same head.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Renderer, Snippet};

use super::place::{Place, line_of};
use super::refit::{HEAD, Texts};
use super::visible::visible;
use super::window::{Cutting, Window};
use crate::diagnostic::Diagnostic;
use crate::source::{SourceFile, Sources};

/// More places than this are counted, not shown.
const MAX_MARKS: usize = 12;
/// A span over more lines is marked in its first line alone.
const MAX_LINES: usize = 6;
/// Marks of one file further apart stand in snippets of their own.
const NEAR: usize = 5;

/// A label brought inside its file.
#[derive(Clone, Debug)]
struct Mark<'a> {
    place: Place<'a>,
    /// First and last line, from 1.
    lines: (usize, usize),
    text: String,
    primary: bool,
}

/// The marks of one finding, each snippet's together; the first snippet holds the primary place.
#[derive(Debug, Default)]
pub(super) struct Marks<'a> {
    chunks: Vec<Vec<Mark<'a>>>,
    /// How many places are not shown.
    pub(super) left_out: usize,
}

impl<'a> Marks<'a> {
    /// Gathers what `diagnostic` points at; labels into files that are not there are dropped.
    pub(super) fn of(diagnostic: &Diagnostic, sources: &'a Sources) -> Self {
        let labels = [&diagnostic.primary].into_iter().chain(&diagnostic.labels);
        let mut marks: Vec<Mark<'a>> = labels
            .take(MAX_MARKS)
            .enumerate()
            .filter_map(|(at, label)| Some(Mark::new(Place::of(label.span, sources)?, &label.text, at == 0)))
            .collect();
        marks.sort_by_key(|mark| (mark.place.id, mark.lines.0, mark.place.range.start, mark.place.range.end));
        let mut chunks: Vec<Vec<Mark<'a>>> = Vec::new();
        for mark in marks {
            match chunks.last_mut() {
                Some(chunk) if chunk.last().is_some_and(|last| last.is_near(&mark)) => chunk.push(mark),
                _ => chunks.push(vec![mark]),
            }
        }
        let home = chunks.iter().flatten().find(|mark| mark.primary).map(|mark| mark.place.id);
        chunks.sort_by_key(|chunk| {
            let first = chunk.first().map(|mark| mark.place.id);
            (!chunk.iter().any(|mark| mark.primary), first != home)
        });
        Self { chunks, left_out: (diagnostic.labels.len() + 1).saturating_sub(MAX_MARKS) }
    }

    /// The largest line number shown; 0 without a place.
    pub(super) fn last_line(&self) -> usize {
        self.chunks.iter().flatten().map(|mark| mark.lines.1).max().unwrap_or(0)
    }

    /// The drawn snippets and the notes below them; heads and labels still want `refit`.
    pub(super) fn draw(
        &self,
        level: Level<'_>,
        notes: &[(&str, String)],
        renderer: &Renderer,
        cutting: Cutting,
    ) -> (String, Texts) {
        let mut texts = Texts::default();
        let mut elements: Vec<Element<'_>> = Vec::new();
        // Marks over several lines are drawn as brackets, for which every snippet of the finding makes room.
        let bent = |chunk: &Vec<Mark<'_>>| chunk.iter().filter(|mark| mark.lines.0 != mark.lines.1).count();
        let brackets = 2 * self.chunks.iter().map(bent).max().unwrap_or(0);
        let cutting = Cutting { columns: cutting.columns.saturating_sub(brackets), ..cutting };
        for chunk in &self.chunks {
            if let Some(element) = snippet(chunk, &mut texts, cutting) {
                elements.push(element);
            }
        }
        for (name, note) in notes {
            elements.push(Level::NOTE.with_name(*name).message(note.as_str()).into());
        }
        if elements.is_empty() {
            return (String::new(), texts);
        }
        (renderer.render(&[Group::with_level(level).elements(elements)]), texts)
    }
}

impl<'a> Mark<'a> {
    fn new(mut place: Place<'a>, text: &str, primary: bool) -> Self {
        let mut text = visible(text).trim().to_owned();
        place.range.end = shown_end(place.file, &place.range);
        let first = place.line(place.range.start);
        let mut last = place.line(place.range.end).max(first);
        if last - first >= MAX_LINES {
            let through = format!("(through line {last})");
            text = if text.is_empty() { through } else { format!("{text} {through}") };
            place.range.end = super::place::line_range(place.file, first).end.max(place.range.start);
            last = first;
        }
        Self { place, lines: (first, last), text, primary }
    }

    fn is_near(&self, next: &Self) -> bool {
        self.place.id == next.place.id && next.lines.0 <= self.lines.1 + NEAR
    }

    fn head(&self) -> String {
        let start = self.place.start();
        format!("{}:{}:{}", visible(&self.place.file.path), start.line, start.column)
    }
}

/// The end of `range` without the line ends and blanks that close it, so that no mark hangs over into the next line.
fn shown_end(file: &SourceFile, range: &Range<usize>) -> usize {
    if line_of(file, range.start) == line_of(file, range.end) {
        return range.end;
    }
    let text = file.text.get(range.clone()).unwrap_or("").trim_end();
    if text.is_empty() { range.start } else { range.start + text.len() }
}

fn snippet<'a>(chunk: &[Mark<'_>], texts: &mut Texts, cutting: Cutting) -> Option<Element<'a>> {
    let first = chunk.iter().map(|mark| mark.lines.0).min()?;
    let last = chunk.iter().map(|mark| mark.lines.1).max()?;
    let lead = chunk.iter().find(|mark| mark.primary).or(chunk.first())?;
    let mut anchors = vec![lead.place.range.clone()];
    anchors.extend(chunk.iter().map(|mark| mark.place.range.clone()));
    let window = Window::new(lead.place.file, first..=last, &anchors, cutting);
    let number = texts.heads.len();
    texts.heads.push(lead.head());
    let mut annotations: Vec<Annotation<'a>> = Vec::new();
    for mark in chunk {
        let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(window.range(&mark.place.range));
        annotations.push(if mark.text.is_empty() { annotation } else { annotation.label(mark.text.clone()) });
        if !mark.text.is_empty() {
            texts.labels.push(mark.text.clone());
        }
    }
    let path = format!("{HEAD}{number}");
    Some(Snippet::source(window.text).line_start(first).path(path).annotations(annotations).into())
}
