//! Reading without forgiveness: a key that stands twice in one object is refused at any depth, and so is a key that
//! serde_json reads as a word to itself.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::JsonError;

/// The word by which the duplicate is known again in the reader's error.
const DUPLICATE: &str = "a key stands twice";

pub(crate) fn read(bytes: &[u8]) -> Result<Value, JsonError> {
    let fault = |error: serde_json::Error| JsonError {
        code: if error.is_data() && error.to_string().starts_with(DUPLICATE) {
            "duplicate_key"
        } else {
            "syntax"
        },
        line: error.line(),
        column: error.column(),
    };
    let value = serde_json::from_slice::<Value>(bytes);
    // A key that stands twice leaves a value with fewer members than the text has. Where the counts agree, none does.
    if let (Ok(read), Some(written)) = (&value, members_written(bytes))
        && members(read) == written
    {
        return value.map_err(fault);
    }
    serde_json::from_slice::<Unambiguous>(bytes).map_err(fault)?;
    if let Some(at) = reserved_key(bytes) {
        return Err(reserved(bytes, at));
    }
    value.map_err(fault)
}

/// How many members the objects of a JSON text have: its colons outside strings. `None` where that is not to be seen at a
/// glance: a string has an escape, or a key might be one that serde_json reads as something else than a key.
fn members_written(bytes: &[u8]) -> Option<usize> {
    let (mut colons, mut in_string) = (0, false);
    for byte in bytes {
        match byte {
            b'"' => in_string = !in_string,
            b':' if !in_string => colons += 1,
            b'\\' | b'$' => return None,
            _ => {}
        }
    }
    Some(colons)
}

/// How many members the objects in a value have, at every depth.
fn members(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(members).sum(),
        Value::Object(object) => object.len() + object.values().map(members).sum::<usize>(),
        _ => 0,
    }
}

/// Where the first key stands by which serde_json hands raw JSON and numbers to itself. As a key of ours it would make
/// `Value` read the text beside it as JSON, unasked about duplicates and depth.
///
/// The bytes are known to be JSON. They are looked at themselves, since to a visitor a number looks like such an object
/// where the feature `arbitrary_precision` is on.
fn reserved_key(bytes: &[u8]) -> Option<usize> {
    if !bytes.iter().any(|byte| matches!(byte, b'$' | b'\\')) {
        return None;
    }
    let mut at = 0;
    while let Some(opens) = bytes.iter().skip(at).position(|byte| *byte == b'"').map(|gap| at + gap) {
        let closed = past_string(bytes, opens + 1);
        let after = bytes.iter().skip(closed).find(|byte| !byte.is_ascii_whitespace());
        if after == Some(&b':') && bytes.get(opens..closed).is_some_and(is_reserved_text) {
            return Some(opens);
        }
        at = closed;
    }
    None
}

/// Where the string ends whose text begins here, its quote counted.
fn past_string(bytes: &[u8], from: usize) -> usize {
    let mut escaped = false;
    let closes = |byte: &u8| {
        let closes = !escaped && *byte == b'"';
        escaped = !escaped && *byte == b'\\';
        closes
    };
    bytes.iter().skip(from).position(closes).map_or(bytes.len(), |gap| from + gap + 1)
}

/// Whether a string, as it stands there with its quotes, says a reserved key.
fn is_reserved_text(text: &[u8]) -> bool {
    let may_be = matches!(text.get(1), Some(b'$' | b'\\'));
    may_be && serde_json::from_slice::<String>(text).map_or(true, |key| super::is_reserved(&key))
}

fn reserved(bytes: &[u8], at: usize) -> JsonError {
    let before = bytes.get(..at).unwrap_or_default();
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    JsonError {
        code: "reserved_key",
        line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
        column: at - line_start + 1,
    }
}

/// Any value in which no object has a key twice; it keeps nothing.
struct Unambiguous;

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Walk)
    }
}

/// A key, borrowed where it stands in the input as it is.
struct Key<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(KeyWalk)
    }
}

struct KeyWalk;

impl<'de> Visitor<'de> for KeyWalk {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Borrowed(key)))
    }

    fn visit_str<E>(self, key: &str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Owned(key.to_owned())))
    }
}

struct Walk;

impl<'de> Visitor<'de> for Walk {
    type Value = Unambiguous;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Unambiguous, E> {
        Ok(Unambiguous)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Unambiguous, E> {
        Ok(Unambiguous)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Unambiguous, E> {
        Ok(Unambiguous)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Unambiguous, E> {
        Ok(Unambiguous)
    }

    fn visit_str<E>(self, _: &str) -> Result<Unambiguous, E> {
        Ok(Unambiguous)
    }

    fn visit_unit<E>(self) -> Result<Unambiguous, E> {
        Ok(Unambiguous)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Unambiguous, A::Error> {
        while items.next_element::<Unambiguous>()?.is_some() {}
        Ok(Unambiguous)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Unambiguous, A::Error> {
        let mut seen = BTreeSet::new();
        while let Some(Key(key)) = members.next_key()? {
            if !seen.insert(key) {
                return Err(A::Error::custom(DUPLICATE));
            }
            members.next_value::<Unambiguous>()?;
        }
        Ok(Unambiguous)
    }
}

#[cfg(test)]
mod tests {
    use super::{members, members_written, read};
    use crate::json::Json;

    #[test]
    fn a_lost_member_shows_in_the_count() {
        for (text, count) in [
            (r#"{"a":":","b":[{"c":{},"d":"x:y"}]}"#, Some(4)),
            ("[1,2]", Some(0)),
            (r#"{"a":"\":"}"#, None),
            (r#"{"$a":1}"#, None),
        ] {
            assert_eq!(members_written(text.as_bytes()), count, "{text}");
            let value = read(text.as_bytes()).unwrap();
            assert!(count.is_none_or(|count| count == members(&value)), "{text}");
        }
        for text in [
            r#"{"a":{"b":1},"a":2}"#,
            r#"{"a":2,"a":{"b":1}}"#,
            r#"{"a":1,"b":[{"c":1,"c":1}]}"#,
            r#"{"$a":1,"$a":2}"#,
            r#"{"a":1,"\u0061":2}"#,
        ] {
            assert_eq!(read(text.as_bytes()).unwrap_err().code, "duplicate_key", "{text}");
        }
    }

    fn error(text: &str) -> (&'static str, usize, usize) {
        let error = Json::parse(text.as_bytes()).expect_err(text);
        (error.code, error.line, error.column)
    }

    #[test]
    fn a_key_that_serde_json_keeps_for_itself_is_refused_in_every_spelling() {
        for word in ["RawValue", "Number", "", "Other"] {
            for prefix in [
                "$serde_json::private::",
                "\\u0024serde_json::private::",
                "$serde_json\\u003a:private\\u003A:",
            ] {
                for inner in [r#""{\"a\":1,\"a\":2}""#, "\"1\"", "1", "null", "{}"] {
                    let object = format!(r#"{{"{prefix}{word}"{}:{inner}}}"#, "\t");
                    assert_eq!(error(&object), ("reserved_key", 1, 2), "{object}");
                    assert_eq!(error(&format!("[0,\n {object}]")), ("reserved_key", 2, 3), "{object}");
                    let deep = format!("{}{object}{}", "{\"a\":[".repeat(30), "]}".repeat(30));
                    assert_eq!(error(&deep).0, "reserved_key", "{deep}");
                    let later = format!(r#"{{"a\"$":"\\","{prefix}{word}":{inner}}}"#);
                    assert_eq!(error(&later).0, "reserved_key", "{later}");
                }
            }
        }
    }

    #[test]
    fn the_same_words_elsewhere_are_text() {
        for text in [
            r#"{"a":"$serde_json::private::RawValue"}"#,
            r#"["$serde_json::private::Number","\"$serde_json::private::Number\":"]"#,
            r#"{" $serde_json::private::Number":1.5}"#,
            r#"{"$serde_json::privat":1,"$ref":"$","\\$serde_json::private::":"\u0024"}"#,
        ] {
            let json = Json::parse(text.as_bytes()).expect(text);
            assert_eq!(json.value(), &serde_json::from_str::<serde_json::Value>(text).unwrap());
        }
    }

    #[test]
    fn a_value_in_memory_with_such_a_key_is_refused_too() {
        for word in ["RawValue", "Number"] {
            let value = serde_json::json!([{ format!("$serde_json::private::{word}"): "1e2", "b": 1.0 }]);
            assert_eq!(Json::of(&value).unwrap_err().code, "reserved_key");
        }
    }
}
