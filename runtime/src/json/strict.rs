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
    serde_json::from_slice::<Unambiguous>(bytes).map_err(fault)?;
    serde_json::from_slice(bytes).map_err(fault)
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
