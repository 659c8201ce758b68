//! Schemas as values, no key special.
//!
//! serde_json takes an object whose first key begins with `$serde_json::private::` for a number or raw text of its own, so
//! that the schema of a property of that name would be read as something else than it says. Here the text alone decides
//! what a value is.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde_json::value::RawValue;
use serde_json::{Error, Map, Number, Value};

/// As deep as a lock nests at most, and a scalar in it.
const MAX_DEPTH: usize = super::DEPTH_OF_A_LOCK + 1;

/// Reads one JSON value as it is written, numbers included. It is for texts that were scanned already: of a key that
/// stands twice the last one counts.
pub(crate) fn as_written(text: &str) -> Result<Value, Error> {
    of(serde_json::from_str(text)?, MAX_DEPTH)
}

fn of(raw: &RawValue, depth: usize) -> Result<Value, Error> {
    let text = raw.get();
    let depth = depth.checked_sub(1).ok_or_else(|| Error::custom("values nest too deep"))?;
    Ok(match text.as_bytes().first() {
        Some(b'{') => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(text)?;
            let members = members.into_iter().map(|(key, value)| Ok((key, of(value, depth)?)));
            Value::Object(members.collect::<Result<Map<_, _>, Error>>()?)
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            Value::Array(items.into_iter().map(|item| of(item, depth)).collect::<Result<_, _>>()?)
        }
        Some(b'"') => Value::String(serde_json::from_str(text)?),
        Some(b't' | b'f') => Value::Bool(serde_json::from_str(text)?),
        Some(b'n') => Value::Null,
        _ => Value::Number(serde_json::from_str::<Number>(text)?),
    })
}

#[cfg(test)]
mod tests {
    use super::as_written;
    use serde_json::Value;

    #[test]
    fn every_key_is_a_key() {
        for word in ["Number", "RawValue", ""] {
            for inner in ["\"1\"", r#"{"type":"string"}"#, "[]", "1.50"] {
                let key = format!("$serde_json::private::{word}");
                let text = format!(r#"{{"{key}":{inner}}}"#);
                let read = as_written(&text).unwrap();
                let members = read.as_object().expect(&text);
                assert_eq!(members.keys().collect::<Vec<_>>(), [&key], "{text}");
                assert_eq!(members[&key], as_written(inner).unwrap(), "{text}");
            }
        }
    }

    #[test]
    fn what_has_no_such_key_is_read_as_ever() {
        for text in [
            r#" {"a":[1,-2.5e3,"\u0041",true,false,null,{}],"b":{"c":9007199254740993}} "#,
            "3",
            "\"x\"",
            "[]",
        ] {
            assert_eq!(as_written(text).unwrap(), serde_json::from_str::<Value>(text).unwrap(), "{text}");
        }
        for text in ["", "{", "{} {}", "[1,]", "nul", "01"] {
            assert!(as_written(text).is_err(), "{text}");
        }
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(
            as_written(&nested(128)).is_ok()
                && as_written(&nested(130)).is_err()
                && as_written(&nested(100_000)).is_err()
        );
    }
}
