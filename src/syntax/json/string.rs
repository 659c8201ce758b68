//! Strings of JSON and their escapes.

use super::{Reader, Stop, wording};
use crate::source::{Span, Spanned};

impl Reader<'_, '_> {
    /// The string whose opening quote stands at the reading position; the span has both quotes.
    pub(super) fn string(&mut self) -> Result<Spanned<String>, Stop> {
        let start = self.at;
        self.at += 1;
        let mut value = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or("");
            let plain = rest.bytes().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)).count();
            value.push_str(rest.get(..plain).unwrap_or(""));
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Spanned::new(value, self.since(start)));
                }
                Some(b'\\') => value.push(self.escape()?),
                Some(b'\n' | b'\r') | None => {
                    let quote = Span::new(self.file, start..start + 1);
                    return Err(self.stop(wording::open_string(quote)));
                }
                Some(control) => {
                    let here = self.here();
                    return Err(self.stop(wording::control(here, char::from(control))));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Stop> {
        let start = self.at;
        self.at += 1;
        let character = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(start),
            _ => return Err(self.bad_escape(start)),
        };
        self.at += 1;
        Ok(character)
    }

    /// `\uXXXX`, or two of them that together stand for one character.
    fn unicode(&mut self, start: usize) -> Result<char, Stop> {
        let first = self.hex(start)?;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        let pair = self.text.get(self.at..).is_some_and(|rest| rest.starts_with("\\u"));
        if !(0xd800..0xdc00).contains(&first) || !pair {
            return Err(self.bad_escape(start));
        }
        self.at += 1;
        let second = self.hex(start)?;
        let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400);
        let joined = low.and_then(|low| char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + low));
        joined.ok_or_else(|| self.bad_escape(start))
    }

    /// The four digits behind the `u` at the reading position.
    fn hex(&mut self, start: usize) -> Result<u32, Stop> {
        self.at += 1;
        let digits = self
            .text
            .get(self.at..self.at + 4)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => Err(self.bad_escape(start)),
        }
    }

    fn bad_escape(&mut self, start: usize) -> Stop {
        let rest = self.text.get(start..).unwrap_or("");
        let length: usize = rest.chars().take(2).map(char::len_utf8).sum();
        let end = self.at.max(start + length).min(self.text.len());
        self.stop(wording::escape(Span::new(self.file, start..end)))
    }
}
