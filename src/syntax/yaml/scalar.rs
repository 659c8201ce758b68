//! What a plain scalar is, by the YAML 1.2 core schema, except that leading zeros make no number.

use std::borrow::Cow;

use crate::syntax::{Kind, Style};

/// Reads a scalar. Only a plain one may be something else than text.
pub(super) fn resolve(text: Cow<'_, str>, style: Style) -> Kind {
    if style != Style::Plain {
        return Kind::Text(text.into_owned(), style);
    }
    match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" => Kind::Bool(true),
        "false" | "False" | "FALSE" => Kind::Bool(false),
        number if is_number(number) => Kind::Number(text.into_owned()),
        _ => Kind::Text(text.into_owned(), style),
    }
}

/// Whether a plain scalar is a number: decimal, `0o…`, `0x…`, a float, `.inf` or `.nan`.
pub(super) fn is_number(text: &str) -> bool {
    if !text.starts_with(|first: char| matches!(first, '.' | '-' | '+' | '0'..='9')) {
        return false;
    }
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return !digits.is_empty() && digits.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    matches!(unsigned, ".inf" | ".Inf" | ".INF") || is_decimal(unsigned)
}

/// `[0-9]+`, `[0-9]*.[0-9]+`, `[0-9]+.`, each with an exponent or none; no zero leads another digit.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (text.get(..at).unwrap_or(""), text.get(at + 1..)),
        None => (text, None),
    };
    if let Some(exponent) = exponent
        && !is_digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))
    {
        return false;
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    let digits = |text: &str| text.is_empty() || is_digits(text);
    !leading_zero && digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_core_schema_calls_a_number_is_one() {
        for text in [
            "0",
            "-0",
            "+12",
            "12345678901234567890123",
            "0o14",
            "0xFf",
            "1.5",
            ".5",
            "1.",
            "-1.5e3",
            "1e9",
            "0.0",
            "+.5E-2",
            ".inf",
            "-.Inf",
            "+.INF",
            ".nan",
            ".NaN",
        ] {
            assert!(is_number(text), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_number_is_text() {
        for text in [
            "007",
            "00",
            "-01",
            "01.5",
            "0o8",
            "0o",
            "0x",
            "0xg",
            "1_000",
            "1e",
            "e5",
            ".",
            "-",
            "+",
            "1.2.3",
            "12:30",
            "2026-11-30",
            "0b1",
            "-.nan",
            "inf",
            "1 2",
            "١",
        ] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn words_of_older_yaml_are_text() {
        for text in ["no", "on", "yes", "off", "y", "nULL", "tRue", "12:30:45"] {
            assert_eq!(resolve(text.into(), Style::Plain), Kind::Text(text.to_owned(), Style::Plain));
        }
        assert_eq!(resolve("True".into(), Style::Plain), Kind::Bool(true));
        assert_eq!(resolve("Null".into(), Style::Plain), Kind::Null);
        assert_eq!(resolve("true".into(), Style::Quoted), Kind::Text("true".into(), Style::Quoted));
    }
}
