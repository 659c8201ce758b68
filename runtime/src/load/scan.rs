//! One pass over the bytes before anything is typed: the lock reads one way only.
//!
//! It refuses what a JSON reader would forgive: duplicate and unsorted keys, another layout, `null`, fractions and odd
//! spellings of numbers and strings. In raw values (schemas, pinned tools, exact inputs) an author's order and spelling
//! stay, but duplicate keys, deep nesting and integers that a double cannot hold are refused there too.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::json::plain;

/// How deep values may nest.
pub const MAX_DEPTH: usize = crate::json::DEPTH_OF_A_LOCK;
/// The largest magnitude of an integer, 2^53 − 1: every reader holds it exactly, and no other integer rounds to it. What is
/// pinned can so be compared with what is listed ([`MAX_NUMBER`](crate::json::MAX_NUMBER)).
pub const MAX_INTEGER: u64 = (1 << 53) - 1;

/// Where and how the text breaks the lock's form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanError {
    /// The stable code.
    pub code: &'static str,
    /// The line in the file, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
    /// What was met and what belongs there.
    pub message: String,
}

/// A line end and white space for the deepest level that closes a value, and one more.
const INDENT: [u8; 1 + 2 * (MAX_DEPTH + 1)] = {
    let mut indent = [b' '; 1 + 2 * (MAX_DEPTH + 1)];
    indent[0] = b'\n';
    indent
};

pub(super) type Found = Result<(), ScanError>;

/// Scans a body (see [`Opened`](crate::lock::digest::Opened)) and hands back what its `format` states, and
/// the body as text.
pub(super) fn scan(body: &[u8]) -> Result<(Option<String>, &str), ScanError> {
    let text = match std::str::from_utf8(body) {
        Ok(text) => text,
        Err(error) => return Err(fail(body, error.valid_up_to(), "syntax", "this is no UTF-8".to_owned())),
    };
    let mut scanner = Scanner::new(text, 0);
    scanner.value(0, false)?;
    scanner.end()?;
    Ok((scanner.format, text))
}

pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The keys of the raw objects that are open, the innermost last.
    keys: Vec<Cow<'a, str>>,
    /// Keys, and `None` for an item of a list.
    path: Vec<Option<Cow<'a, str>>>,
    format: Option<String>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, keys: Vec::new(), path: Vec::new(), format: None }
    }

    /// The text from a place up to here.
    pub(super) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// What stands behind the lock's last value: a line end, and nothing more.
    pub(super) fn end(&mut self) -> Found {
        self.take("\n", "layout", "the lock ends with a line end")?;
        if self.at < self.text.len() {
            return Err(self.fail("trailing_bytes", "nothing may stand after the lock's last line"));
        }
        Ok(())
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fail(&self, code: &'static str, message: impl Into<String>) -> ScanError {
        fail(self.text.as_bytes(), self.at, code, message.into())
    }

    fn follows(&self, token: &[u8]) -> bool {
        self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(token))
    }

    #[inline]
    pub(super) fn take(&mut self, token: &str, code: &'static str, message: &str) -> Found {
        if !self.follows(token.as_bytes()) {
            return Err(self.fail(code, message));
        }
        self.at += token.len();
        Ok(())
    }

    /// Refuses to go below the deepest level.
    pub(super) fn within(&self, depth: usize) -> Found {
        if depth < MAX_DEPTH {
            return Ok(());
        }
        Err(self.fail("depth", format!("values nest deeper than {MAX_DEPTH} levels")))
    }

    pub(super) fn value(&mut self, depth: usize, raw: bool) -> Found {
        match self.peek() {
            Some(b'{') => {
                self.within(depth)?;
                if raw { self.raw_object(depth) } else { self.object(depth) }
            }
            Some(b'[') => {
                self.within(depth)?;
                self.list(depth, raw)
            }
            Some(b'"') => self.quoted(raw).map(drop),
            Some(b't') => self.take("true", "syntax", "a value belongs here"),
            Some(b'f') => self.take("false", "syntax", "a value belongs here"),
            Some(b'n') if raw => self.take("null", "syntax", "a value belongs here"),
            Some(b'n') => Err(self.fail("null_value", "what is not stated is left out, never `null`")),
            Some(b'-' | b'0'..=b'9') => self.number(raw),
            _ => Err(self.fail("syntax", "a value belongs here")),
        }
    }

    /// Goes to the next line, indented for `depth`.
    pub(super) fn line(&mut self, depth: usize) -> Found {
        // At once where it is right; level by level to find where it is not.
        if let Some(indent) = INDENT.get(..=2 * depth).filter(|indent| self.follows(indent)) {
            self.at += indent.len();
            return Ok(());
        }
        self.take("\n", "layout", "a line ends here: one member or item a line")?;
        for _ in 0..depth {
            self.take("  ", "layout", "a line is indented by two spaces a level")?;
        }
        Ok(())
    }

    pub(super) fn colon(&mut self) -> Found {
        self.take(": ", "layout", "a key is followed by a colon and one space")
    }

    /// Goes past a comma, where one stands here.
    pub(super) fn comma(&mut self) -> bool {
        let comma = self.peek() == Some(b',');
        self.at += usize::from(comma);
        comma
    }

    pub(super) fn close_object(&mut self, depth: usize) -> Found {
        self.line(depth)?;
        self.take("}", "syntax", "a comma or the object's end belongs here")
    }

    pub(super) fn close_list(&mut self, depth: usize) -> Found {
        self.line(depth)?;
        self.take("]", "syntax", "a comma or the list's end belongs here")
    }

    /// Goes into an object or a list; false where it is empty, and then past its end.
    pub(super) fn open(&mut self, close: u8) -> bool {
        self.at += 1;
        let empty = self.peek() == Some(close);
        self.at += usize::from(empty);
        !empty
    }

    fn object(&mut self, depth: usize) -> Found {
        if !self.open(b'}') {
            return Ok(());
        }
        let mut last = None;
        loop {
            self.line(depth + 1)?;
            let key = self.key(last.as_deref())?;
            self.colon()?;
            let start = self.at;
            self.path.push(Some(key.clone()));
            self.value(depth + 1, is_raw(&self.path))?;
            self.path.pop();
            if depth == 0 && key == "format" {
                self.format = serde_json::from_str(self.since(start)).ok();
            }
            last = Some(key);
            if !self.comma() {
                return self.close_object(depth);
            }
        }
    }

    /// A key outside raw values: it stands behind the one before.
    pub(super) fn key(&mut self, last: Option<&str>) -> Result<Cow<'a, str>, ScanError> {
        let start = self.at;
        let key = self.string(false)?;
        let Some(previous) = last else { return Ok(key) };
        let (code, message) = match previous.cmp(&key) {
            Ordering::Less => return Ok(key),
            Ordering::Equal => ("duplicate_key", format!("the key `{key}` stands twice in this object")),
            Ordering::Greater => ("unsorted_key", format!("the key `{key}` stands before `{previous}`")),
        };
        self.at = start;
        Err(self.fail(code, message))
    }

    fn raw_object(&mut self, depth: usize) -> Found {
        if !self.open(b'}') {
            return Ok(());
        }
        let first = self.keys.len();
        loop {
            self.line(depth + 1)?;
            let key = self.string(true)?;
            self.keys.push(key);
            self.colon()?;
            self.value(depth + 1, true)?;
            if !self.comma() {
                break;
            }
        }
        self.once(first)?;
        self.close_object(depth)
    }

    /// Puts away the keys of an object, where order is free: none stands twice.
    fn once(&mut self, first: usize) -> Found {
        let keys = self.keys.get_mut(first..).unwrap_or_default();
        keys.sort_unstable();
        let mut next = keys.iter().skip(1);
        let twice = keys.iter().find(|key| next.next() == Some(*key)).cloned();
        self.keys.truncate(first);
        match twice {
            None => Ok(()),
            Some(key) => {
                Err(self.fail("duplicate_key", format!("the key `{key}` stands twice in this object")))
            }
        }
    }

    fn list(&mut self, depth: usize, raw: bool) -> Found {
        if !self.open(b']') {
            return Ok(());
        }
        self.path.push(None);
        loop {
            self.line(depth + 1)?;
            self.value(depth + 1, raw)?;
            if !self.comma() {
                break;
            }
        }
        self.path.pop();
        self.close_list(depth)
    }

    /// The text of a string.
    pub(super) fn string(&mut self, raw: bool) -> Result<Cow<'a, str>, ScanError> {
        let (quoted, escaped) = self.quoted(raw)?;
        if !escaped {
            let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
            return Ok(Cow::Borrowed(inner));
        }
        serde_json::from_str(quoted).map(Cow::Owned).map_err(|_| self.no_text())
    }

    fn no_text(&self) -> ScanError {
        self.fail("syntax", "this string is no text")
    }

    /// A string as it is written, its quotes included, and whether some character of it is written with an escape.
    fn quoted(&mut self, raw: bool) -> Result<(&'a str, bool), ScanError> {
        let start = self.at;
        self.take("\"", "syntax", "a string belongs here")?;
        let mut escaped = false;
        loop {
            self.at += plain(self.text.as_bytes().get(self.at..).unwrap_or_default());
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape(raw)?;
                }
                _ => return Err(self.fail("syntax", "a string is not closed, or holds a control character")),
            }
        }
        self.at += 1;
        let quoted = self.text.get(start..self.at).unwrap_or_default();
        // Outside raw values an escape spells a control character or itself; in them it may be half of one.
        if raw && escaped && serde_json::from_str::<String>(quoted).is_err() {
            return Err(self.no_text());
        }
        Ok((quoted, escaped))
    }

    /// One escape. Outside raw values a character has one spelling: the shortest.
    fn escape(&mut self, raw: bool) -> Found {
        let rest = self.text.as_bytes().get(self.at + 1..).unwrap_or_default();
        let length = match rest {
            [b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'/', ..] if raw => 2,
            [b'u', a, b, c, d, ..] if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()) => {
                if !raw && !is_control([*a, *b, *c, *d]) {
                    return Err(
                        self.fail("odd_string", "this character is written as itself, not as an escape")
                    );
                }
                6
            }
            _ => return Err(self.fail("odd_string", "this escape is not one the lock uses")),
        };
        self.at += length;
        Ok(())
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    pub(super) fn number(&mut self, raw: bool) -> Found {
        let odd = "this is not how a number is written here";
        let negative = self.peek() == Some(b'-');
        self.at += usize::from(negative);
        let start = self.at;
        let leading_zero = self.peek() == Some(b'0');
        let length = self.digits();
        if length == 0 || leading_zero && length > 1 {
            return Err(self.fail("odd_number", odd));
        }
        let end = self.at;
        let integer = !matches!(self.peek(), Some(b'.' | b'e' | b'E'));
        if !raw && (negative || !integer) {
            return Err(self.fail("odd_number", "a number outside schemas is a whole one and not negative"));
        }
        if integer {
            let value = self.text.get(start..end).and_then(|digits| digits.parse::<u64>().ok());
            return match value {
                Some(value) if value <= MAX_INTEGER => Ok(()),
                _ => {
                    Err(self
                        .fail("integer_too_large", "an integer beyond 2^53 − 1 reads differently elsewhere"))
                }
            };
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return Err(self.fail("odd_number", odd));
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            if self.digits() == 0 {
                return Err(self.fail("odd_number", odd));
            }
        }
        // Beyond it a double holds whole numbers alone, so that this is one in another spelling.
        let value = self.text.get(start..self.at).and_then(|number| number.parse::<f64>().ok());
        match value {
            Some(value) if value <= MAX_INTEGER as f64 => Ok(()),
            _ => Err(self.fail("integer_too_large", "a number beyond 2^53 − 1 reads differently elsewhere")),
        }
    }
}

/// Whether the value at this path is raw JSON: the fields of type [`RawJson`](crate::lock::RawJson).
fn is_raw(path: &[Option<Cow<'_, str>>]) -> bool {
    let key = |at: usize| path.get(at).and_then(|step| step.as_deref()).unwrap_or_default();
    match (path.len(), key(0)) {
        (2, "run") => true,
        (3, "tools") => matches!(key(2), "input" | "output"),
        (4, "tools") => key(2) == "server" && key(3) == "pinned",
        (6, "harnesses") => key(2) == "toolset" && key(4) == "only",
        (6, "effective") => key(4) == "only",
        (5, "plan_templates") => key(2) == "steps" && key(4) == "input",
        _ => false,
    }
}

/// Whether four hex digits spell a control character the one way that the writer does.
fn is_control(hex: [u8; 4]) -> bool {
    let short = [b"0008", b"0009", b"000a", b"000c", b"000d"];
    hex.starts_with(b"00")
        && matches!(hex.get(2), Some(b'0' | b'1'))
        && !hex.iter().any(u8::is_ascii_uppercase)
        && !short.contains(&&hex)
}

fn fail(text: &[u8], at: usize, code: &'static str, message: String) -> ScanError {
    let before = text.get(..at).unwrap_or(text);
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|b| **b != b'\n').count() + 1;
    ScanError { code, line, column, message }
}

#[cfg(test)]
mod tests {
    use super::scan;

    fn code(body: &str) -> &'static str {
        scan(body.as_bytes()).map_or_else(|error| error.code, |_| "fine")
    }

    /// A body whose only member is a raw value.
    fn raw(json: &str) -> String {
        format!("{{\n  \"run\": {{\n    \"a\": {json}\n  }}\n}}\n")
    }

    #[test]
    fn the_written_form_is_let_through() {
        assert_eq!(
            scan(b"{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"format\": \"x\"\n}\n").unwrap().0,
            Some("x".to_owned())
        );
        assert_eq!(code(&raw("{\n      \"z\": -1.50e+3,\n      \"a\": null\n    }")), "fine");
        assert_eq!(code("{\n  \"a\": \"\\u0001\\n\\\"ü\"\n}\n"), "fine");
    }

    #[test]
    fn whatever_reads_two_ways_is_refused() {
        for (body, expected) in [
            ("{\n  \"a\": 1,\n  \"a\": 1\n}\n", "duplicate_key"),
            ("{\n  \"b\": 1,\n  \"a\": 1\n}\n", "unsorted_key"),
            ("{\n  \"a\": null\n}\n", "null_value"),
            ("{\n  \"a\": 1.0\n}\n", "odd_number"),
            ("{\n  \"a\": -1\n}\n", "odd_number"),
            ("{\n  \"a\": 01\n}\n", "odd_number"),
            ("{\n  \"a\": 9007199254740993\n}\n", "integer_too_large"),
            ("{\n  \"a\": \"\\u0061\"\n}\n", "odd_string"),
            ("{\n  \"a\": \"\\/\"\n}\n", "odd_string"),
            ("{\n  \"a\": \"\\u000a\"\n}\n", "odd_string"),
            ("{\n  \"a\":  1\n}\n", "syntax"),
            ("{\n   \"a\": 1\n}\n", "syntax"),
            ("{\"a\": 1}\n", "layout"),
            ("{\n  \"a\": 1\n}", "layout"),
            ("{\n  \"a\": 1\n}\n\n", "trailing_bytes"),
            ("{\n  \"a\": tru\n}\n", "syntax"),
            ("{\n  \"a\": \"b\n", "syntax"),
            ("", "syntax"),
        ] {
            assert_eq!(code(body), expected, "{body}");
        }
        assert_eq!(scan(b"{\xff").unwrap_err().code, "syntax");
    }

    #[test]
    fn raw_values_are_held_to_one_reading_too() {
        assert_eq!(
            code(&raw("{\n      \"b\": 1,\n      \"a\": 1,\n      \"\\u0062\": 2\n    }")),
            "duplicate_key"
        );
        for large in [
            "9007199254740992",
            "9007199254740991.6",
            "9007199254740993",
            "-9007199254740993.0",
            "1e30",
            "9.1e15",
            "1e999",
            "9007199254740993e0",
        ] {
            assert_eq!(code(&raw(large)), "integer_too_large", "{large}");
        }
        for fine in ["9007199254740991", "9007199254740991.0", "1e15", "-0.5e-300"] {
            assert_eq!(code(&raw(fine)), "fine", "{fine}");
        }
        assert_eq!(code(&raw("\"\\ud800\"")), "syntax");
        assert_eq!(code(&raw("1.")), "odd_number");
    }

    #[test]
    fn nesting_is_bounded() {
        let nest = |depth: usize| {
            let mut json = "1".to_owned();
            for _ in 0..depth {
                json = format!("[{json}]");
            }
            crate::lock::text::pretty(&format!("{{\"run\":{{\"a\":{json}}}}}")) + "\n"
        };
        assert_eq!(code(&nest(126)), "fine");
        assert_eq!(code(&nest(127)), "depth");
        let body = "[\n".repeat(100_000);
        assert_ne!(code(&body), "fine");
    }

    #[test]
    fn the_place_is_named() {
        let error = scan(b"{\n  \"a\": 1,\n  \"a\": 1\n}\n").unwrap_err();
        assert_eq!((error.line, error.column), (3, 3));
    }
}
