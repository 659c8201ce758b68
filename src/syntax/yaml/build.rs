//! From events to the tree, without recursion: open collections stand on a stack of frames.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::event::{Collection, Event, Fault, Tag, What};
use super::frame::{Frame, Key, Measured, Spare};
use super::{comment, hidden_text, key, limit, scalar, wording};
use crate::diagnostic::Sink;
use crate::source::{FileId, Span};
use crate::syntax::{
    Comment, Document, Entry, Kind, MAX_DEPTH, MAX_FINDINGS, MAX_NODES, Node, Style, too_many_findings,
};

/// Whether the reading goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Stop,
}

/// What stands behind an anchor.
enum Anchored {
    /// Its collection is still open: an alias here would hold itself.
    Open,
    /// It may be shared.
    Done(Measured),
}

/// Takes events in, keeps the tree so far.
pub(super) struct Builder<'s, 'a> {
    file: FileId,
    text: &'a str,
    sink: &'s mut Sink,
    stack: Vec<Frame>,
    spare: Spare,
    anchors: BTreeMap<usize, Anchored>,
    root: Option<Arc<Node>>,
    comments: Vec<Comment>,
    /// Where plain texts stand, for comments that cut one short.
    plain: Vec<Range<usize>>,
    documents: usize,
    /// The end of the last event: what does not parse begins behind it.
    reached: usize,
    broken: bool,
    /// When the sink holds more than this, the file has too many faults.
    allowed: usize,
}

impl<'s, 'a> Builder<'s, 'a> {
    pub(super) fn new(file: FileId, text: &'a str, sink: &'s mut Sink) -> Self {
        Self {
            file,
            text,
            allowed: sink.len() + MAX_FINDINGS,
            sink,
            stack: Vec::new(),
            spare: Spare::default(),
            anchors: BTreeMap::new(),
            root: None,
            comments: Vec::new(),
            plain: Vec::new(),
            documents: 0,
            reached: 0,
            broken: false,
        }
    }

    pub(super) fn event(&mut self, event: Event<'a>) -> Flow {
        self.reached = self.reached.max(event.range.end);
        if let Some(tag) = &event.tag {
            self.sink.push(wording::tag(self.span(tag.range.clone()), self.slice(tag.range.clone())));
        }
        let span = self.span(event.range.clone());
        if self.sink.len() > self.allowed {
            self.sink.push(too_many_findings(span));
            return self.spoil();
        }
        match event.what {
            What::DocumentStart { version } => self.document(span, version),
            What::Scalar { text, style } => self.scalar(text, style, event.tag, event.anchor, event.range),
            What::Start { collection, flow } => self.open(collection, flow, event.anchor, event.range),
            What::End => self.close(event.range),
            What::Alias { anchor } => self.alias(anchor, span),
            What::UnknownAlias { name } => {
                self.sink.push(wording::unknown_alias(span, &name));
                self.lost(span)
            }
            What::Comment { text } => {
                self.comments.push(comment::read(self.text, span, &text));
                Flow::Continue
            }
            What::Other => Flow::Continue,
        }
    }

    /// The text does not parse from here on.
    pub(super) fn fault(&mut self, fault: Fault) -> Flow {
        self.sink.push(wording::fault(self.file, self.text, self.reached, fault));
        self.spoil()
    }

    /// What was read, with the findings that need the whole of it.
    pub(super) fn finish(mut self) -> Document {
        self.comments.sort_by_key(|comment| comment.span);
        self.plain.sort_by_key(|range| range.end);
        for found in &self.comments {
            let end = (found.span.start as usize).saturating_sub(1);
            let cut = self.plain.binary_search_by_key(&end, |range| range.end).ok();
            if let Some(cut) = cut.and_then(|at| self.plain.get(at))
                && let Some(finding) = comment::cut(self.text, found, self.span(cut.clone()))
            {
                self.sink.push(finding);
            }
        }
        Document {
            span: self.span(0..self.text.len()),
            root: self.root,
            comments: self.comments,
            broken: self.broken,
        }
    }

    fn document(&mut self, span: Span, version: Option<(u32, u32)>) -> Flow {
        self.documents += 1;
        if let Some(version) = version.filter(|version| *version != (1, 2)) {
            self.sink.push(wording::version(self.file, self.text, span, version));
        }
        if self.documents > 1 {
            self.sink.push(wording::second_document(span));
            self.broken = true;
            return Flow::Stop;
        }
        Flow::Continue
    }

    fn scalar(
        &mut self,
        text: Cow<'a, str>,
        style: Style,
        tag: Option<Tag>,
        anchor: Option<usize>,
        range: Range<usize>,
    ) -> Flow {
        let absent = style == Style::Plain && range.is_empty();
        let kind = match tag {
            Some(tag) if tag.text => {
                Kind::Text(if absent { String::new() } else { text.into_owned() }, style)
            }
            _ if absent => Kind::Null,
            _ => scalar::resolve(text, style),
        };
        let range = if absent { self.absent(range) } else { range };
        if matches!(kind, Kind::Text(_, Style::Plain)) {
            self.plain.push(range.clone());
        }
        let node = Node { span: self.span(range), kind };
        if anchor.is_none() && self.stack.last().is_some_and(Frame::wants_key) {
            return self.key(node);
        }
        let measured = Measured::leaf(Arc::new(node));
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, Anchored::Done(measured.clone()));
        }
        self.place(measured, None)
    }

    /// Takes a scalar that stands where a key belongs. It needs no place of its own in memory, as it would in [`Self::place`].
    fn key(&mut self, node: Node) -> Flow {
        let place = node.span;
        let Some(frame) = self.stack.last_mut() else { return Flow::Continue };
        frame.grow(1, 0, place);
        if frame.size > MAX_NODES {
            self.sink.push(limit::nodes(place));
            return self.spoil();
        }
        frame.key = Some(match key::read(self.text, node, place, self.sink) {
            Some(key) => frame.admit(key, self.sink),
            None => Key::Dropped,
        });
        Flow::Continue
    }

    /// Where an absent value would stand: right behind its colon.
    fn absent(&self, told: Range<usize>) -> Range<usize> {
        let Some(Key::Ready(key)) = self.stack.last().and_then(|frame| frame.key.as_ref()) else {
            return told;
        };
        let end = key.span.end as usize;
        let rest = self.text.get(end..).unwrap_or("");
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        match rest.get(blanks..) {
            Some(colon) if colon.starts_with(':') => end + blanks + 1..end + blanks + 1,
            _ => told,
        }
    }

    fn open(
        &mut self,
        collection: Collection,
        flow: bool,
        anchor: Option<usize>,
        range: Range<usize>,
    ) -> Flow {
        if self.stack.len() >= MAX_DEPTH {
            self.sink.push(limit::depth(self.span(range)));
            return self.spoil();
        }
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, Anchored::Open);
        }
        self.stack.push(Frame::new(collection, flow, anchor, range, &mut self.spare));
        Flow::Continue
    }

    fn close(&mut self, range: Range<usize>) -> Flow {
        let Some(frame) = self.stack.pop() else { return Flow::Continue };
        let anchor = frame.anchor;
        let measured = frame.into_node(self.file, range.end, &mut self.spare);
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, Anchored::Done(measured.clone()));
        }
        self.place(measured, None)
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Flow {
        match self.anchors.get(&anchor) {
            Some(Anchored::Done(measured)) => {
                let measured = measured.clone();
                if self.stack.len() + measured.height > MAX_DEPTH {
                    self.sink.push(limit::depth(span));
                    return self.spoil();
                }
                self.place(measured, Some(span))
            }
            Some(Anchored::Open) | None => {
                self.sink.push(wording::alias_of_itself(span, self.slice(span.range())));
                self.lost(span)
            }
        }
    }

    /// Hands a complete node to the collection it stands in. `alias` is the place of the `*name` it came by.
    fn place(&mut self, measured: Measured, alias: Option<Span>) -> Flow {
        let place = alias.unwrap_or(measured.node.span);
        let Some(frame) = self.stack.last_mut() else {
            self.root = Some(measured.node);
            return Flow::Continue;
        };
        frame.grow(measured.size, measured.height, place);
        if frame.size > MAX_NODES {
            self.sink.push(limit::nodes(place));
            return self.spoil();
        }
        if !frame.wants_key() && alias.is_none() {
            hidden_text::escaped(self.text, &measured.node, self.sink);
        }
        match (frame.collection, frame.key.take()) {
            (Collection::Sequence, _) => frame.items.push(measured.node),
            (Collection::Mapping, None) => {
                let node = Arc::unwrap_or_clone(measured.node);
                let key = key::read(self.text, node, place, self.sink);
                frame.key = Some(match key {
                    Some(key) => frame.admit(key, self.sink),
                    None => Key::Dropped,
                });
            }
            (Collection::Mapping, Some(Key::Ready(key))) => {
                frame.entries.push(Entry { key, value: measured.node, alias });
            }
            (Collection::Mapping, Some(Key::Dropped)) => {}
        }
        Flow::Continue
    }

    /// A node stands here that cannot be read: its place in the collection is passed over.
    fn lost(&mut self, span: Span) -> Flow {
        self.broken = true;
        if let Some(frame) = self.stack.last_mut() {
            frame.reach(span);
            if frame.collection == Collection::Mapping {
                frame.key = match frame.key.take() {
                    None => Some(Key::Dropped),
                    Some(_) => None,
                };
            }
        }
        Flow::Continue
    }

    fn spoil(&mut self) -> Flow {
        self.broken = true;
        self.root = None;
        self.stack.clear();
        Flow::Stop
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range)
    }

    fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or("")
    }
}
