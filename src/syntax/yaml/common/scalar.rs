//! Keys, texts and names, each within one line.

use std::borrow::Cow;
use std::ops::Range;

use super::super::event::What;
use super::{MAX_KEY, Reader, Told, Unusual};
use crate::syntax::Style;

impl<'a> Reader<'_, '_, 'a> {
    /// A block mapping's key; `at` is then behind its colon.
    pub(super) fn block_key(&mut self) -> Told {
        if matches!(self.byte(0), b'"' | b'\'') {
            self.quoted_key()?;
        } else {
            let end = self.key_end().ok_or(Unusual)?;
            self.plain(self.at..end, None)?;
        }
        self.colon()
    }

    fn quoted_key(&mut self) -> Told {
        let start = self.at;
        self.quoted(None)?;
        if self.at - start > MAX_KEY { Err(Unusual) } else { Ok(()) }
    }

    /// Whether a key and its colon stand here.
    pub(super) fn is_key(&self) -> bool {
        match self.byte(0) {
            quote @ (b'"' | b'\'') => self.quote_end(quote).is_ok_and(|end| self.byte(end - self.at) == b':'),
            b'[' | b'{' | b'*' | b'&' => false,
            _ => self.key_end().is_some(),
        }
    }

    /// Where a plain key ends: before the first colon that a blank follows.
    fn key_end(&self) -> Option<usize> {
        let mut before = b' ';
        for (length, byte) in self.rest().iter().take(MAX_KEY).enumerate() {
            match *byte {
                b'\n' => return None,
                b'#' if before == b' ' => return None,
                b':' if self.is_blank(length + 1) => {
                    return (before != b' ' && self.begins_plain(false)).then_some(self.at + length);
                }
                other => before = other,
            }
        }
        None
    }

    /// A key in brackets; `at` is then behind its colon.
    pub(super) fn flow_key(&mut self) -> Told {
        if matches!(self.byte(0), b'"' | b'\'') {
            self.quoted_key()?;
        } else {
            let end = self.flow_end()?;
            if end - self.at > MAX_KEY {
                return Err(Unusual);
            }
            self.plain(self.at..end, None)?;
        }
        self.colon()
    }

    /// A key's colon, and that a blank follows it.
    fn colon(&mut self) -> Told {
        if self.byte(0) != b':' || !self.is_blank(1) {
            return Err(Unusual);
        }
        self.at += 1;
        Ok(())
    }

    /// A text without quotes, up to the end of its line or the comment there.
    pub(super) fn block_plain(&mut self, anchor: Option<usize>) -> Told {
        let rest = self.rest();
        let mut before = b' ';
        let mut end = rest.len();
        for (length, byte) in rest.iter().enumerate() {
            match *byte {
                b':' if self.is_blank(length + 1) => return Err(Unusual),
                b'\n' => end = length,
                b'#' if before == b' ' => end = length,
                other => {
                    before = other;
                    continue;
                }
            }
            break;
        }
        if !self.begins_plain(false) {
            return Err(Unusual);
        }
        let text = rest.get(..end).unwrap_or(&[]).trim_ascii_end();
        self.plain(self.at..self.at + text.len(), anchor)
    }

    /// A text without quotes in brackets.
    pub(super) fn flow_plain(&mut self, anchor: Option<usize>) -> Told {
        let end = self.flow_end()?;
        self.plain(self.at..end, anchor)?;
        if self.byte(0) == b':' { Err(Unusual) } else { Ok(()) }
    }

    /// Where a text without quotes in brackets ends.
    fn flow_end(&self) -> Result<usize, Unusual> {
        let rest = self.rest();
        let mut before = b' ';
        let mut end = rest.len();
        for (length, byte) in rest.iter().enumerate() {
            match *byte {
                b'#' if before == b' ' => return Err(Unusual),
                b',' | b'[' | b']' | b'{' | b'}' | b'\n' => end = length,
                b':' if self.is_blank(length + 1) || is_bracket(self.byte(length + 1)) => end = length,
                other => {
                    before = other;
                    continue;
                }
            }
            break;
        }
        if !self.begins_plain(true) {
            return Err(Unusual);
        }
        let text = rest.get(..end).unwrap_or(&[]).trim_ascii_end();
        Ok(self.at + text.len())
    }

    /// Whether the byte so many behind the next one is a blank, a line end or the end of the text.
    fn is_blank(&self, further: usize) -> bool {
        matches!(self.byte(further), b' ' | b'\n' | 0)
    }

    /// Whether a text without quotes may begin here.
    fn begins_plain(&self, in_brackets: bool) -> bool {
        match self.byte(0) {
            b'-' => !(self.is_blank(1) || in_brackets && is_bracket(self.byte(1))),
            b'.' | b'_' | b'/' | b'(' | b'+' | b'=' | b'~' | b'$' | b'<' | b'^' | 0x80.. => true,
            byte => byte.is_ascii_alphanumeric(),
        }
    }

    /// A quoted text, with its quotes.
    pub(super) fn quoted(&mut self, anchor: Option<usize>) -> Told {
        let quote = self.byte(0);
        let range = self.at..self.quote_end(quote)?;
        let inner = self.slice(range.start + 1..range.end - 1);
        let text = match quote {
            b'\'' if inner.contains('\'') => Cow::Owned(inner.replace("''", "'")),
            b'"' if inner.contains('\\') => Cow::Owned(unescaped(inner)?),
            _ => Cow::Borrowed(inner),
        };
        self.scalar(text, Style::Quoted, range, anchor)
    }

    /// Where the quoted text ends that begins here, its closing quote within it.
    fn quote_end(&self, quote: u8) -> Result<usize, Unusual> {
        let mut length = 1;
        loop {
            length += match self.byte(length) {
                b'\'' if quote == b'\'' && self.byte(length + 1) == b'\'' => 2,
                byte if byte == quote => return Ok(self.at + length + 1),
                b'\\' if quote == b'"' => 2,
                b'\n' | 0 => return Err(Unusual),
                _ => 1,
            };
        }
    }

    /// `&` or `*` and a name of letters that no reader takes for anything else.
    pub(super) fn name(&mut self) -> Result<&'a str, Unusual> {
        let start = self.at + 1;
        let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let len = self.rest().iter().skip(1).take_while(is_letter).count();
        self.at = start + len;
        let ends = self.is_blank(0) || is_bracket(self.byte(0));
        if len > 0 && ends { Ok(self.slice(start..self.at)) } else { Err(Unusual) }
    }

    fn plain(&mut self, range: Range<usize>, anchor: Option<usize>) -> Told {
        let text = Cow::Borrowed(self.slice(range.clone()));
        self.scalar(text, Style::Plain, range, anchor)
    }

    fn scalar(
        &mut self,
        text: Cow<'a, str>,
        style: Style,
        range: Range<usize>,
        anchor: Option<usize>,
    ) -> Told {
        self.at = range.end;
        self.tell(What::Scalar { text, style }, range, anchor)
    }
}

/// Whether a byte ends a text in brackets.
fn is_bracket(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}

/// A double-quoted text of which the escapes are those that are known by sight.
fn unescaped(inner: &str) -> Result<String, Unusual> {
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some(same @ ('\\' | '"' | '/')) => same,
                _ => return Err(Unusual),
            },
            other => other,
        });
    }
    Ok(text)
}
