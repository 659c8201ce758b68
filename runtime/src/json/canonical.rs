//! RFC 8785: one value, one string of bytes.

use std::cmp::Ordering;
use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

use super::{JsonError, MAX_NUMBER, plain};

/// The RFC 8785 form of a value: no white space, keys by UTF-16 code units, numbers as ECMAScript prints doubles.
pub fn canonical(value: &Value) -> Result<String, JsonError> {
    written(value, 64).map(|(canonical, _)| canonical)
}

/// The RFC 8785 form, and whether the value has some number spelt otherwise than it, or some members in another order. `about`
/// is how long it may get.
pub(super) fn written(value: &Value, about: usize) -> Result<(String, bool), JsonError> {
    let mut out = Out { differs: false, text: String::with_capacity(about) };
    write(&mut out, value)?;
    Ok((out.text, out.differs))
}

struct Out {
    differs: bool,
    text: String,
}

impl Out {
    fn push(&mut self, c: char) {
        self.text.push(c);
    }

    fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

fn write(out: &mut Out, value: &Value) -> Result<(), JsonError> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(out, number)?,
        Value::String(text) => write_string(out, text),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                separate(out, at);
                write(out, item)?;
            }
            out.push(']');
        }
        Value::Object(members) => write_object(out, members)?,
    }
    Ok(())
}

fn write_object(out: &mut Out, members: &Map<String, Value>) -> Result<(), JsonError> {
    if members.keys().is_sorted_by(|a, b| by_utf16(a, b) == Ordering::Less) {
        return write_members(out, members.iter());
    }
    out.differs = true;
    let mut members: Vec<(&String, &Value)> = members.iter().collect();
    members.sort_by(|(a, _), (b, _)| by_utf16(a, b));
    write_members(out, members.into_iter())
}

fn write_members<'m>(
    out: &mut Out,
    members: impl Iterator<Item = (&'m String, &'m Value)>,
) -> Result<(), JsonError> {
    out.push('{');
    for (at, (key, value)) in members.enumerate() {
        if super::is_reserved(key) {
            return Err(JsonError { code: "reserved_key", line: 0, column: 0 });
        }
        separate(out, at);
        write_string(out, key);
        out.push(':');
        write(out, value)?;
    }
    out.push('}');
    Ok(())
}

/// Below the surrogates UTF-16 units stand in the order of UTF-8 bytes; ASCII is the common case of it.
pub(super) fn by_utf16(a: &str, b: &str) -> Ordering {
    if a.is_ascii() && b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

fn separate(out: &mut Out, at: usize) {
    if at > 0 {
        out.push(',');
    }
}

fn write_number(out: &mut Out, number: &Number) -> Result<(), JsonError> {
    // The usual ones need no second spelling; a sign might belong to a zero.
    if let Some(whole) = number.as_u64().filter(|whole| *whole <= MAX_NUMBER as u64) {
        return write!(out.text, "{whole}").map_err(|_| JsonError { code: "syntax", line: 0, column: 0 });
    }
    let refused = JsonError { code: "number_out_of_range", line: 0, column: 0 };
    let double = number.as_f64().filter(|double| double.abs() <= MAX_NUMBER).ok_or(refused)?;
    let mut buffer = ryu_js::Buffer::new();
    let spelt = buffer.format(double);
    out.differs |= number.to_string() != spelt;
    out.push_str(spelt);
    Ok(())
}

/// Escapes what RFC 8785 escapes and nothing else: the same characters, the same way, as serde_json does.
fn write_string(out: &mut Out, text: &str) {
    if plain(text.as_bytes()) == text.len() {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        out.push_str(&Value::from(text).to_string());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use crate::json::Json;

    fn canonical(text: &str) -> String {
        Json::parse(text.as_bytes()).expect(text).canonical().to_owned()
    }

    #[test]
    fn the_standards_own_cases() {
        assert_eq!(
            canonical(
                "{\"numbers\": [333333333.33333329, 4.50, 2e-3, 0.000000000000000000000000001],\
                 \"string\": \"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\",\
                 \"literals\": [null, true, false]}"
            ),
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,4.5,0.002,1e-27],\
             \"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"
        );
        // By UTF-16 units an astral letter stands before U+FB33, by code points after it.
        assert_eq!(
            canonical(r#"{"\ufb33":1,"\ud83d\ude00":2,"\u20ac":3,"\r":4,"1":5}"#),
            "{\"\\r\":4,\"1\":5,\"€\":3,\"😀\":2,\"\u{fb33}\":1}"
        );
        assert_eq!(canonical("[-0, -0.0, 1.0, 9007199254740991, 1E2]"), "[0,0,1,9007199254740991,100]");
        // Fractions go to the nearest double.
        assert_eq!(
            canonical("[-9007199254740991.0, 9007199254740990.6]"),
            "[-9007199254740991,9007199254740991]"
        );
    }

    #[test]
    fn what_two_readers_would_read_in_two_ways_is_refused() {
        for (text, code) in [
            (r#"{"a":1,"a":1}"#, "duplicate_key"),
            (r#"{"a":1,"\u0061":2}"#, "duplicate_key"),
            (r#"[{"x":{"b":[],"b":[]}}]"#, "duplicate_key"),
            ("9007199254740992", "number_out_of_range"),
            ("9007199254740993", "number_out_of_range"),
            ("9007199254740991.6", "number_out_of_range"),
            ("-9007199254740993.0", "number_out_of_range"),
            ("1e300", "number_out_of_range"),
            ("[-9007199254740994]", "number_out_of_range"),
            (r#""\ud800""#, "syntax"),
            ("{} {}", "syntax"),
            ("[1,]", "syntax"),
            ("NaN", "syntax"),
            ("", "syntax"),
        ] {
            let error = Json::parse(text.as_bytes()).expect_err(text);
            assert_eq!(error.code, code, "{text}");
        }
        assert_eq!(Json::parse(b"\"\xff\"").unwrap_err().code, "syntax");
        assert_eq!(Json::parse("[".repeat(100_000).as_bytes()).unwrap_err().code, "syntax");
    }

    #[test]
    fn a_digit_that_a_double_drops_reaches_nobody() {
        let json = Json::parse(b"0.1000000000000000055").unwrap();
        assert_eq!((json.canonical(), json.value().to_string().as_str()), ("0.1", "0.1"));
    }

    /// Whether serde_json sorts members or keeps them as they came is its feature's choice, taken for the whole build.
    #[test]
    fn members_stand_in_one_order_whatever_order_they_came_in() {
        let text = r#"{"b":{"d":1,"c":[{"f":2,"e":3}]},"a":4}"#;
        let canonical = r#"{"a":4,"b":{"c":[{"e":3,"f":2}],"d":1}}"#;
        let value = serde_json::from_str(text).unwrap();
        for json in [Json::parse(text.as_bytes()).unwrap(), Json::of(&value).unwrap()] {
            assert_eq!((json.canonical(), json.value().to_string().as_str()), (canonical, canonical));
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            (-1e9..1e9).prop_map(|double: f64| json!(double)),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::btree_map(".{0,6}", inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_canonical_form_is_its_own_canonical_form(value in values()) {
            let json = Json::of(&value).unwrap();
            prop_assert_eq!(&Json::parse(json.canonical().as_bytes()).unwrap(), &json);
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            prop_assert_eq!(&Json::parse(pretty.as_bytes()).unwrap(), &json);
        }
    }
}
