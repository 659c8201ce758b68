//! YAML in its common form, read in one pass: what nearly every file of a tree is written in.
//!
//! It tells the builder what the parser (`granit`) would tell it, or gives up at the first thing that is not plain to see,
//! whether that is right or wrong; the parser then reads the text from its start. So nothing is found wrong here, and what is
//! left out below costs time and nothing else: tabs, CR, tags, block scalars, texts over several lines, `?`, absent values.

mod block;
mod flow;
mod scalar;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;

use super::build::{Builder, Flow};
use super::event::{Collection, Event, What};
use crate::diagnostic::Sink;
use crate::source::FileId;
use crate::syntax::Document;

/// Something stands here that is left to the parser.
pub(super) struct Unusual;

type Told = Result<(), Unusual>;

/// Collections in collections beyond this are left to the parser.
const MAX_NESTING: usize = 32;

/// A key of more bytes is left to the parser, which has a limit of its own.
const MAX_KEY: usize = 512;

/// The document and what was found in it; nothing where the text is not in the common form.
pub(super) fn read(file: FileId, text: &str) -> Option<(Document, Sink)> {
    if !text.bytes().fold(true, |common, byte| common & is_common(byte)) || has_rare_letters(text) {
        return None;
    }
    let mut found = Sink::default();
    let mut builder = Builder::new(file, text, &mut found);
    let mut reader = Reader {
        text,
        at: 0,
        column: None,
        nesting: 0,
        anchored: 0,
        anchors: BTreeMap::new(),
        builder: &mut builder,
    };
    reader.document().ok()?;
    let document = builder.finish();
    Some((document, found))
}

/// Whether a byte may stand in the common form: a line end, or one that is to be seen.
fn is_common(byte: u8) -> bool {
    byte == b'\n' || (byte >= b' ' && byte != 0x7f)
}

/// Whether there are characters that YAML excludes or that are no letters of its own anywhere.
fn has_rare_letters(text: &str) -> bool {
    let is_rare = |letter: char| matches!(letter, '\u{80}'..='\u{9f}' | '\u{feff}' | '\u{fffe}'..);
    !text.is_ascii() && text.chars().any(is_rare)
}

struct Reader<'r, 's, 'a> {
    text: &'a str,
    /// The byte that comes next.
    at: usize,
    /// Between the lines of a block: the column of the next line's first character, which is at `at`; nothing at the end.
    column: Option<usize>,
    nesting: usize,
    /// How many anchors there were so far.
    anchored: usize,
    /// The number of the last anchor of each name, counted from one.
    anchors: BTreeMap<&'a str, usize>,
    builder: &'r mut Builder<'s, 'a>,
}

impl<'a> Reader<'_, '_, 'a> {
    fn document(&mut self) -> Told {
        self.next_line()?;
        let begin = self.at..self.at;
        self.tell(What::DocumentStart { version: None }, begin, None)?;
        if self.column != Some(0) {
            return Err(Unusual);
        }
        self.block(0, None)?;
        if self.column.is_none() { Ok(()) } else { Err(Unusual) }
    }

    fn tell(&mut self, what: What<'a>, range: Range<usize>, anchor: Option<usize>) -> Told {
        match self.builder.event(Event { what, range, tag: None, anchor }) {
            Flow::Continue => Ok(()),
            Flow::Stop => Err(Unusual),
        }
    }

    /// Tells that a collection begins, one in brackets with the bracket at `range`, and counts it in.
    fn open(&mut self, collection: Collection, range: Range<usize>, anchor: Option<usize>) -> Told {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(Unusual);
        }
        let flow = !range.is_empty();
        self.tell(What::Start { collection, flow }, range, anchor)
    }

    /// Tells that the innermost collection ends, behind `at`.
    fn close(&mut self) -> Told {
        self.nesting -= 1;
        self.tell(What::End, self.at..self.at, None)
    }

    /// The byte so many behind the next one; NUL, which the text does not hold, at its end.
    fn byte(&self, further: usize) -> u8 {
        self.text.as_bytes().get(self.at + further).copied().unwrap_or(0)
    }

    /// What was not read yet.
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or(&[])
    }

    fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or("")
    }

    /// Passes over spaces; how many there were.
    fn spaces(&mut self) -> usize {
        let count = self.rest().iter().take_while(|byte| **byte == b' ').count();
        self.at += count;
        count
    }

    /// From behind a value, or before the first one, to the next line that is neither empty nor a comment.
    fn next_line(&mut self) -> Told {
        let mut begins = self.at == 0;
        loop {
            let spaces = self.spaces();
            match self.byte(0) {
                b'\n' => {
                    self.at += 1;
                    begins = true;
                }
                b'#' if begins || self.is_behind_space() => self.comment()?,
                0 => {
                    self.column = None;
                    return Ok(());
                }
                _ if begins => {
                    let rest = self.rest();
                    self.column = Some(spaces);
                    let marker = spaces == 0 && (rest.starts_with(b"---") || rest.starts_with(b"..."));
                    return if marker { Err(Unusual) } else { Ok(()) };
                }
                _ => return Err(Unusual),
            }
        }
    }

    fn is_behind_space(&self) -> bool {
        self.at.checked_sub(1).and_then(|before| self.text.as_bytes().get(before)) == Some(&b' ')
    }

    /// A comment up to the end of its line.
    fn comment(&mut self) -> Told {
        let rest = self.slice(self.at..self.text.len());
        let end = self.at + rest.find('\n').unwrap_or(rest.len());
        let range = self.at..end;
        self.at = end;
        let text = self.slice(range.start + 1..end).into();
        self.tell(What::Comment { text }, range, None)
    }
}
