//! YAML text to a [`Document`].
//!
//! One pass over what is in the common form (`common`), a parser for all else behind our own events (`event`, `granit`), a
//! builder without recursion (`build`), and the words for what is wrong (`fault`, `wording`, `limit`). Scalars are written as
//! they are read (`write`). Does not know what a policy is: an unknown section is as good as a known one.

mod build;
mod comment;
mod common;
mod event;
mod fault;
mod frame;
mod granit;
mod hidden_text;
#[cfg(test)]
mod hostile;
mod key;
mod limit;
mod place;
mod scalar;
#[cfg(test)]
mod second_opinion;
#[cfg(test)]
mod tests;
mod wording;
mod write;

use super::{Document, hidden};
use crate::diagnostic::Sink;
use crate::source::{FileId, Span};
use build::{Builder, Flow};
use event::Events;
pub use write::{hides, quoted, scalar};

/// Reads one file's text. Findings: yaml-syntax, multi-document, yaml-tag, merge-key, duplicate-key, bad-key,
/// cut-comment, input-too-large, hidden-character.
///
/// A root is given where the text parses: of a file with several documents the first, and where an alias leads nowhere
/// all but its entry; both are `broken`. What does not parse, or is too large, is `broken` and has no root.
pub fn read(file: FileId, text: &str, sink: &mut Sink) -> Document {
    let is_hiding = hidden::find(text).next().is_some();
    if is_hiding && hidden_text::controls(file, text, sink) {
        let span = Span::new(file, 0..text.len());
        return Document { span, root: None, comments: Vec::new(), broken: true };
    }
    if !is_hiding && let Some((document, found)) = common::read(file, text) {
        sink.take(found);
        return document;
    }
    parsed(file, text, is_hiding, sink)
}

/// The text as the parser reads it.
fn parsed(file: FileId, text: &str, is_hiding: bool, sink: &mut Sink) -> Document {
    let before = sink.len();
    let mut events = granit::parser(text);
    let mut builder = Builder::new(file, text, sink);
    while let Some(told) = events.next() {
        let flow = match told {
            Ok(event) => builder.event(event),
            Err(fault) => builder.fault(fault),
        };
        if flow == Flow::Stop {
            break;
        }
    }
    let document = builder.finish();
    if is_hiding {
        hidden_text::raw(file, text, before, sink);
    }
    document
}
