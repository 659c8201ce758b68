//! Names and inputs that the lock does not know enter the audit as keyed digests: whoever reads the trail can tell two
//! apart and guess neither.

use std::fmt;

use hmac::{Hmac, Mac as _};
use sha2::Sha256;

/// The server's key for such digests. It stays with the server: whoever has it can try guesses.
#[derive(Clone)]
pub struct NameKey([u8; 32]);

impl fmt::Debug for NameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NameKey(..)")
    }
}

impl NameKey {
    /// Takes 32 secret bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// `hmac-sha256:<64 hex>` over the kind of thing and its bytes; the kind keeps a tool's name from having the digest
    /// of an input of the same bytes.
    #[must_use]
    pub fn digest(&self, kind: &str, bytes: &[u8]) -> String {
        // HMAC takes a key of any length, so that this never fails; where it did, no digest is better than a plain one.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return String::new() };
        mac.update(&u64::try_from(kind.len()).unwrap_or(u64::MAX).to_be_bytes());
        mac.update(kind.as_bytes());
        mac.update(bytes);
        let hex =
            mac.finalize().into_bytes().iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        format!("hmac-sha256:{hex}")
    }
}

#[cfg(test)]
mod tests {
    use super::NameKey;

    #[test]
    fn digests_depend_on_the_key_and_on_the_kind() {
        let key = NameKey::new([1; 32]);
        let digest = key.digest("tool", b"x");
        assert_eq!(digest, key.digest("tool", b"x"));
        assert_eq!(digest.len(), "hmac-sha256:".len() + 64);
        assert_ne!(digest, key.digest("case", b"x"));
        assert_ne!(key.digest("ab", b"c"), key.digest("a", b"bc"));
        assert_ne!(digest, NameKey::new([2; 32]).digest("tool", b"x"));
        assert_eq!(format!("{key:?}"), "NameKey(..)");
    }
}
