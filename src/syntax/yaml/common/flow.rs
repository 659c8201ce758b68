//! Mappings and lists in brackets, over as many lines as they like.

use super::super::event::Collection;
use super::{Reader, Told, Unusual};

impl Reader<'_, '_, '_> {
    /// The collection whose bracket stands here. `column` is that of the block it lies in, behind which its lines begin.
    pub(super) fn flow(&mut self, column: usize, anchor: Option<usize>) -> Told {
        let is_mapping = self.byte(0) == b'{';
        let (collection, closing) =
            if is_mapping { (Collection::Mapping, b'}') } else { (Collection::Sequence, b']') };
        self.open(collection, self.at..self.at + 1, anchor)?;
        self.at += 1;
        self.gap(column)?;
        while self.byte(0) != closing {
            if is_mapping {
                self.flow_key()?;
                self.gap(column)?;
            }
            self.flow_value(column)?;
            self.gap(column)?;
            match self.byte(0) {
                b',' => self.at += 1,
                byte if byte == closing => break,
                _ => return Err(Unusual),
            }
            self.gap(column)?;
        }
        self.at += 1;
        self.close()
    }

    fn flow_value(&mut self, column: usize) -> Told {
        let mut anchor = None;
        if self.byte(0) == b'&' {
            anchor = Some(self.anchor()?);
            self.spaces();
        }
        match self.byte(0) {
            b'[' | b'{' => self.flow(column, anchor),
            b'*' if anchor.is_none() => self.alias(),
            b'"' | b'\'' => self.quoted(anchor),
            _ => self.flow_plain(anchor),
        }
    }

    /// Spaces and line ends. A line behind one begins further in than the block.
    fn gap(&mut self, column: usize) -> Told {
        let mut spaces = self.spaces();
        let mut begins = false;
        while self.byte(0) == b'\n' {
            self.at += 1;
            begins = true;
            spaces = self.spaces();
        }
        if begins && spaces <= column { Err(Unusual) } else { Ok(()) }
    }
}
