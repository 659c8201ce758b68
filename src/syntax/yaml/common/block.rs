//! Mappings and lists whose structure is their indentation.

use super::super::event::{Collection, What};
use super::{Reader, Told, Unusual};

impl Reader<'_, '_, '_> {
    /// The mapping or list that begins here, in `column`. Ends at the first line that is not of it.
    pub(super) fn block(&mut self, column: usize, anchor: Option<usize>) -> Told {
        if self.is_item() { self.list(column, anchor, false) } else { self.mapping(column, anchor) }
    }

    /// Whether a list item begins here.
    fn is_item(&self) -> bool {
        self.byte(0) == b'-' && matches!(self.byte(1), b' ' | b'\n' | 0)
    }

    fn mapping(&mut self, column: usize, anchor: Option<usize>) -> Told {
        self.open(Collection::Mapping, self.at..self.at, anchor)?;
        loop {
            self.block_key()?;
            self.value(column)?;
            match self.column {
                Some(next) if next == column => {}
                Some(next) if next > column => return Err(Unusual),
                _ => return self.close(),
            }
        }
    }

    /// What stands behind a key's colon, in this line or in those below.
    fn value(&mut self, column: usize) -> Told {
        let spaces = self.spaces();
        let mut anchor = None;
        if spaces > 0 && self.byte(0) == b'&' {
            anchor = Some(self.anchor()?);
            self.spaces();
        }
        if matches!(self.byte(0), b'\n' | b'#' | 0) {
            self.next_line()?;
            return match self.column {
                Some(below) if below > column => self.block(below, anchor),
                Some(below) if below == column && self.is_item() => self.list(column, anchor, true),
                _ => Err(Unusual),
            };
        }
        if spaces == 0 {
            return Err(Unusual);
        }
        self.inline(column, anchor)
    }

    /// The items of a list; `beside` its mapping's keys, that is in the same column, or further in.
    fn list(&mut self, column: usize, anchor: Option<usize>, beside: bool) -> Told {
        // The parser lets a list beside keys begin behind its first dash.
        let dash =
            if beside { 1 + self.rest().iter().skip(1).take_while(|byte| **byte == b' ').count() } else { 0 };
        let start = self.at + dash;
        self.open(Collection::Sequence, start..start, anchor)?;
        loop {
            self.at += 1;
            let spaces = self.spaces();
            if spaces == 0 || self.is_item() {
                return Err(Unusual);
            }
            if self.is_key() {
                self.mapping(column + 1 + spaces, None)?;
            } else {
                self.inline(column, None)?;
            }
            match self.column {
                Some(next) if next == column && self.is_item() => {}
                Some(next) if next > column || (next == column && !beside) => return Err(Unusual),
                _ => return self.close(),
            }
        }
    }

    /// A value that ends in the line in which its last bracket stands, and the way to the next line.
    fn inline(&mut self, column: usize, anchor: Option<usize>) -> Told {
        match self.byte(0) {
            b'[' | b'{' => self.flow(column, anchor)?,
            b'*' if anchor.is_none() => self.alias()?,
            b'"' | b'\'' => self.quoted(anchor)?,
            _ => self.block_plain(anchor)?,
        }
        self.next_line()
    }

    /// `&name`; its number.
    pub(super) fn anchor(&mut self) -> Result<usize, Unusual> {
        let name = self.name()?;
        self.anchored += 1;
        self.anchors.insert(name, self.anchored);
        Ok(self.anchored)
    }

    /// `*name` of an anchor before it.
    pub(super) fn alias(&mut self) -> Told {
        let start = self.at;
        let name = self.name()?;
        let anchor = *self.anchors.get(name).ok_or(Unusual)?;
        self.tell(What::Alias { anchor }, start..self.at, None)
    }
}
