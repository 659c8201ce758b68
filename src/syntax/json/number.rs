//! Numbers of JSON, kept as they are written.

use super::{Reader, Stop, wording};

impl Reader<'_, '_> {
    /// The number at the reading position: `-?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?`.
    pub(super) fn number(&mut self) -> Result<String, Stop> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let leading_zero = self.peek() == Some(b'0');
        let whole = self.digits();
        let mut sound = whole == 1 || (whole > 1 && !leading_zero);
        if self.peek() == Some(b'.') {
            self.at += 1;
            sound &= self.digits() > 0;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            sound &= self.digits() > 0;
        }
        let span = self.since(start);
        if !sound {
            return Err(self.stop(wording::number(span)));
        }
        Ok(self.text.get(span.range()).unwrap_or("").to_owned())
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }
}
