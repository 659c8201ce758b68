//! Reading what most inputs are: strings without escapes, keys once each, values not nested deep.
//!
//! It says yes or nothing. Whatever it does not take, wrong or merely unusual, is read by [`strict`](super::strict), which
//! knows why; and what it takes, that one reads as the same value. The canonical form is written on the way, where that is no
//! more than leaving the white space out.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::canonical::by_utf16;

/// How deep values nest before they are unusual.
const MAX_DEPTH: usize = 32;

/// How many digits an integer has at most to be the same to every reader.
const MAX_DIGITS: usize = 15;

/// What was read.
pub(super) struct Plain {
    /// Its canonical form; `None`: some keys stand in another order there, or some number is spelt in another way.
    pub(super) canonical: Option<String>,
    pub(super) value: Value,
}

pub(super) fn read(bytes: &[u8]) -> Option<Plain> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut reader = Reader { at: 0, canonical: Some(String::with_capacity(bytes.len())), text };
    let value = reader.value(0)?;
    reader.space();
    (reader.at == bytes.len()).then_some(Plain { canonical: reader.canonical, value })
}

struct Reader<'a> {
    at: usize,
    /// What was read so far; `None` once it is known to be another text.
    canonical: Option<String>,
    text: &'a str,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// What was read from a place up to here belongs into the canonical form as it is.
    fn keep(&mut self, start: usize) {
        if let (Some(canonical), Some(read)) = (&mut self.canonical, self.text.get(start..self.at)) {
            canonical.push_str(read);
        }
    }

    fn keep_char(&mut self, char: char) {
        if let Some(canonical) = &mut self.canonical {
            canonical.push(char);
        }
    }

    /// Goes past the byte, where it stands here.
    fn take(&mut self, byte: u8) -> bool {
        let stands = self.peek() == Some(byte);
        self.at += usize::from(stands);
        stands
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.space();
        match self.peek()? {
            b'{' if depth < MAX_DEPTH => self.object(depth),
            b'[' if depth < MAX_DEPTH => self.list(depth),
            b'"' => self.string().map(Value::from),
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => None,
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Option<Value> {
        self.rest().starts_with(word.as_bytes()).then(|| {
            self.at += word.len();
            self.keep(self.at - word.len());
            value
        })
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        self.keep_char('{');
        let mut members: Vec<(String, Value)> = Vec::with_capacity(16);
        self.space();
        if !self.take(b'}') {
            loop {
                self.space();
                // A key of this kind may be one that serde_json keeps for itself.
                let key = self.string().filter(|key| !key.starts_with('$'))?;
                if members.last().is_some_and(|(last, _)| by_utf16(last, key) != Ordering::Less) {
                    self.canonical = None;
                }
                self.space();
                if !self.take(b':') {
                    return None;
                }
                self.keep_char(':');
                members.push((key.to_owned(), self.value(depth + 1)?));
                if !self.goes_on(b'}')? {
                    break;
                }
            }
        }
        self.keep_char('}');
        let written = members.len();
        let members: Map<String, Value> = members.into_iter().collect();
        // A key that stands twice has one place in the map.
        (members.len() == written).then_some(Value::Object(members))
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        self.keep_char('[');
        let mut items = Vec::new();
        self.space();
        if !self.take(b']') {
            loop {
                items.push(self.value(depth + 1)?);
                if !self.goes_on(b']')? {
                    break;
                }
            }
        }
        self.keep_char(']');
        Some(Value::Array(items))
    }

    /// Behind a member or an item: whether another one follows, or this was the end.
    fn goes_on(&mut self, close: u8) -> Option<bool> {
        self.space();
        if self.take(b',') {
            self.keep_char(',');
            return Some(true);
        }
        self.take(close).then_some(false)
    }

    /// A string that is written as it reads.
    fn string(&mut self) -> Option<&'a str> {
        if !self.take(b'"') {
            return None;
        }
        let start = self.at;
        self.at += plain(self.rest());
        let text = self.text.get(start..self.at)?;
        if !self.take(b'"') {
            return None;
        }
        self.keep(start - 1);
        Some(text)
    }

    fn number(&mut self) -> Option<Value> {
        let start = self.at;
        let of_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        self.at += self.rest().iter().take_while(|byte| of_number(byte)).count();
        let number = self.text.get(start..self.at)?;
        let plain = number.len() <= MAX_DIGITS && number.bytes().all(|byte| byte.is_ascii_digit());
        if plain && !(number.len() > 1 && number.starts_with('0')) {
            self.keep(start);
            return number.parse::<u64>().ok().map(Value::from);
        }
        // Others may be spelt in two ways, or be too large.
        self.canonical = None;
        serde_json::from_str(number).ok()
    }
}

/// How many bytes stand before the first quote, backslash or control character.
pub(crate) fn plain(bytes: &[u8]) -> usize {
    let ends = |word: u64| {
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\'))) | control
    };
    before(bytes, ends, |byte| matches!(byte, b'"' | b'\\' | ..0x20))
}

/// How many bytes stand before the first quote, bracket or brace.
pub(super) fn flat(bytes: &[u8]) -> usize {
    let ends = |word: u64| {
        // With this bit a bracket is a brace, and no other byte becomes one of either but its own pair.
        let brace = word | (ONES * 0x20);
        zero(word ^ (ONES * u64::from(b'"')))
            | zero(brace ^ (ONES * u64::from(b'{')))
            | zero(brace ^ (ONES * u64::from(b'}')))
    };
    before(bytes, ends, |byte| matches!(byte, b'"' | b'{' | b'}' | b'[' | b']'))
}

/// How many bytes of white space stand first, in text that holds no control character but those.
pub(super) fn space(bytes: &[u8]) -> usize {
    if bytes.first().is_none_or(|byte| *byte > b' ') {
        return 0;
    }
    // Without its high bit no byte carries into the next one.
    let ends = |word: u64| (((word & !HIGH) + ONES * (0x7f - 0x20)) | word) & HIGH;
    before(bytes, ends, |byte| *byte > b' ')
}

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

/// The lowest byte that is zero has its high bit set here, and those below it do not.
fn zero(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGH
}

/// How many bytes stand before the first that ends it. Eight are looked at in one go: of those, the lowest that ends it has its
/// high bit set in `of_eight`, and none below it.
fn before(bytes: &[u8], of_eight: impl Fn(u64) -> u64, of_one: impl Fn(&u8) -> bool) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let found = of_eight(u64::from_le_bytes(*word));
        if found != 0 {
            return at * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    bytes.len() - rest.len() + rest.iter().position(of_one).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Plain, flat, plain, read, space};
    use crate::json::{canonical, strict};

    fn value(bytes: &[u8]) -> Option<serde_json::Value> {
        read(bytes).map(|plain| plain.value)
    }

    #[test]
    fn the_usual_is_taken_and_the_rest_left() {
        for text in [
            "{}",
            " [ ] ",
            r#"{"b":"ü x","a":[1,-2,1.50,1e3,true,false,null,{"c":{}}]}"#,
            "\t{ \"a\" :\r\n1 , \"b\": 0 }\n",
            "123456789012345678",
        ] {
            assert_eq!(value(text.as_bytes()), Some(strict::read(text.as_bytes()).unwrap()), "{text}");
        }
        for text in [
            r#"{"a":1,"a":1}"#,
            r#"{"a":"\n"}"#,
            r#"{"$a":1}"#,
            r#"{"a":1,}"#,
            r#"{"a" 1}"#,
            "{a:1}",
            "[1 2]",
            "[1,]",
            "01",
            "-",
            "1.",
            "tru",
            "\"a",
            "\"\t\"",
            "{} {}",
            "",
            "\u{feff}{}",
        ] {
            assert_eq!(value(text.as_bytes()), None, "{text}");
        }
        assert_eq!(value(b"\"\xff\""), None);
        assert_eq!(value("[".repeat(100_000).as_bytes()), None);
    }

    #[test]
    fn the_canonical_form_is_written_on_the_way_or_not_at_all() {
        let form = |text: &str| read(text.as_bytes()).unwrap().canonical;
        let laid_out = "{ \"a\" : [ 1 , \"ü\" , true , null , { } , [ ] ] ,\n\"b\" : { \"a\" : false } }\n";
        assert_eq!(form(laid_out).unwrap(), r#"{"a":[1,"ü",true,null,{},[]],"b":{"a":false}}"#);
        for other in
            [r#"{"b":1,"a":2}"#, r#"[{"b":1,"a":2},1]"#, "[1.0]", "[-1]", "{\"\u{fb33}\":1,\"😀\":2}"]
        {
            assert_eq!(form(other), None, "{other}");
        }
        assert!(form("{\"😀\":2,\"\u{fb33}\":1}").is_some(), "by UTF-16 units");
    }

    proptest! {
        #[test]
        fn what_is_taken_reads_the_same_strictly(text in r#"([ \[\]{},:\-+.eE0-9"\\$abü]|"a"|"b":|[1-9]|null|true){0,14}"#) {
            if let Some(Plain { canonical: form, value }) = read(text.as_bytes()) {
                prop_assert_eq!(&value, &strict::read(text.as_bytes()).unwrap());
                if let Some(form) = form {
                    prop_assert_eq!(Ok(form), canonical(&value));
                }
            }
        }

        #[test]
        fn eight_bytes_in_one_go_are_eight_bytes(bytes in proptest::collection::vec(prop_oneof![
            Just(b'a'), Just(b' '), Just(b'['), Just(b'}'), Just(0x1f), Just(b'"'), Just(b'\\'), Just(0xff), Just(0x80), any::<u8>()
        ], 0..40)) {
            let ends = |byte: &u8| matches!(byte, b'"' | b'\\' | ..0x20);
            prop_assert_eq!(plain(&bytes), bytes.iter().position(ends).unwrap_or(bytes.len()));
            let nests = |byte: &u8| matches!(byte, b'"' | b'{' | b'}' | b'[' | b']');
            prop_assert_eq!(flat(&bytes), bytes.iter().position(nests).unwrap_or(bytes.len()));
            prop_assert_eq!(space(&bytes), bytes.iter().position(|byte| *byte > b' ').unwrap_or(bytes.len()));
        }
    }
}
