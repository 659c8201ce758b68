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
        self.as_str() == other.as_str() || text::is_same(self.as_str(), other.as_str())
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
    let mut out = String::with_capacity(71);
    out.push_str("sha256:");
    push_hex(&mut out, &Sha256::digest(bytes).into());
    out
}

/// Puts 64 lowercase hex digits behind a text.
pub(crate) fn push_hex(out: &mut String, digest: &[u8; 32]) {
    let digit = |nibble: u8| if nibble < 10 { b'0' + nibble } else { b'a' + (nibble - 10) };
    let mut hex = [b'0'; 64];
    for (pair, byte) in hex.chunks_exact_mut(2).zip(digest) {
        if let [high, low] = pair {
            (*high, *low) = (digit(byte >> 4), digit(byte & 0x0f));
        }
    }
    out.push_str(std::str::from_utf8(&hex).unwrap_or_default());
}
