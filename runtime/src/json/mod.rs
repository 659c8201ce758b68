//! JSON that enters the boundary: read strictly, and from then on one string of bytes.
//!
//! The canonical form (RFC 8785) is what is validated, shown, digested and forwarded, so that no two readers can see two
//! things. Duplicate keys, keys that the reader keeps for itself and numbers beyond ±(2^53 − 1) are refused, never repaired.

mod as_written;
mod canonical;
mod plain;
pub(crate) mod raw;
mod strict;

use std::fmt;

use serde_json::Value;

pub(crate) use as_written::as_written;
pub use canonical::canonical;
pub(crate) use plain::plain;
pub(crate) use strict::read as read_value;

use self::plain::Plain;
use crate::lock::digest_of;

/// The largest magnitude of a number, 2^53 − 1: up to it every reader holds an integer exactly, and no other integer rounds to
/// one of them. Fractions are rounded to the nearest double, and it is that double which is within the bound.
pub const MAX_NUMBER: f64 = 9_007_199_254_740_991.0;

/// How deep the values of a lock nest: who reads one may recurse so far.
pub(crate) const DEPTH_OF_A_LOCK: usize = 128;

/// Whether serde_json keeps the key for itself (`raw_value`, `arbitrary_precision`).
fn is_reserved(key: &str) -> bool {
    key.starts_with("$serde_json::private::")
}

/// A JSON value that was read strictly, with its canonical bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Json {
    canonical: String,
    value: Value,
}

impl Json {
    /// Reads one value. Its numbers are doubles from here on.
    pub fn parse(bytes: &[u8]) -> Result<Self, JsonError> {
        match plain::read(bytes) {
            Some(Plain { canonical: Some(canonical), value }) => Ok(Self { canonical, value }),
            Some(Plain { canonical: None, value }) => Self::new(value, bytes.len()),
            None => Self::new(strict::read(bytes)?, bytes.len()),
        }
    }

    /// Takes a value that is already in memory.
    pub fn of(value: &Value) -> Result<Self, JsonError> {
        Self::new(value.clone(), 64)
    }

    /// Takes a value and about how long its canonical form is.
    fn new(value: Value, about: usize) -> Result<Self, JsonError> {
        let (canonical, differs) = canonical::written(&value, about)?;
        // Read back, so that no digit which the canonical form drops reaches a validator, and whoever shows the value shows
        // its members in one order, also where serde_json keeps that of the text (its feature `preserve_order`).
        let value = if differs {
            serde_json::from_str(&canonical).map_err(|error| JsonError::syntax(&error))?
        } else {
            value
        };
        Ok(Self { canonical, value })
    }

    /// The value that the canonical bytes say.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The RFC 8785 form.
    #[must_use]
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// `sha256:<64 hex>` of the canonical bytes.
    #[must_use]
    pub fn digest(&self) -> String {
        digest_of(self.canonical.as_bytes())
    }
}

/// Why JSON was refused. It quotes nothing of the input: neither keys nor values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The stable code: `syntax`, `duplicate_key`, `reserved_key` or `number_out_of_range`.
    pub code: &'static str,
    /// The line, from 1; 0 where the value was in memory already.
    pub line: usize,
    /// The column in bytes, from 1; 0 where the value was in memory already.
    pub column: usize,
}

impl JsonError {
    fn syntax(error: &serde_json::Error) -> Self {
        Self { code: "syntax", line: error.line(), column: error.column() }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.code {
            "duplicate_key" => "an object has one key twice",
            "number_out_of_range" => "a number lies beyond ±(2^53 − 1), where readers disagree about it",
            "reserved_key" => {
                "an object has a key that begins with `$serde_json::private::`, which is no name"
            }
            _ => "this is no JSON",
        };
        if self.line == 0 {
            return f.write_str(what);
        }
        write!(f, "{what} (line {}, column {})", self.line, self.column)
    }
}

impl std::error::Error for JsonError {}
