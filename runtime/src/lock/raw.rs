//! JSON kept as it was written: schemas, pinned tools and exact inputs, their numbers untouched.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::text;

/// One JSON value as text. Two are equal when their texts are, white space outside strings aside.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RawJson(Box<RawValue>);

impl RawJson {
    /// Takes one JSON value. Errors where the text is not exactly one.
    pub fn new(json: impl Into<String>) -> Result<Self, serde_json::Error> {
        RawValue::from_string(json.into()).map(Self)
    }

    /// The schema that accepts nothing.
    #[must_use]
    pub fn refuse_all() -> Self {
        Self(RawValue::FALSE.to_owned())
    }

    /// The text as it stands in the lock, its layout included.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// The text without white space outside strings: the form that is compared and digested.
    #[must_use]
    pub fn compact(&self) -> String {
        text::compact(self.as_str())
    }

    /// `sha256:<64 hex>` of [`compact`](Self::compact), so that re-indenting changes no digest.
    #[must_use]
    pub fn digest(&self) -> String {
        digest_of(self.compact().as_bytes())
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str() || self.compact() == other.compact()
    }
}

impl Eq for RawJson {}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.compact())
    }
}

/// `sha256:<64 lowercase hex>` of these bytes, the one notation for digests in the lock.
#[must_use]
pub fn digest_of(bytes: &[u8]) -> String {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let mut out = String::with_capacity(71);
    out.push_str("sha256:");
    for byte in Sha256::digest(bytes) {
        for nibble in [byte >> 4, byte & 0x0f] {
            out.push(HEX.get(usize::from(nibble)).copied().unwrap_or('0'));
        }
    }
    out
}
