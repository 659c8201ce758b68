//! Reading without forgiveness: a key that stands twice in one object is refused at any depth.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::JsonError;

/// The word by which the duplicate is known again in the reader's error.
const DUPLICATE: &str = "a key stands twice";

pub(super) fn read(bytes: &[u8]) -> Result<Value, JsonError> {
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
}
