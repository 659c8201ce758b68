//! Names and inputs that the lock does not know enter the audit as keyed digests: whoever reads the trail can tell two
//! apart and guess neither.

use std::fmt;

use hmac::{Hmac, Mac as _};
use sha2::Sha256;

use crate::lock::push_hex;

/// The server's key for such digests. It stays with the server: whoever has it can try guesses.
#[derive(Clone)]
pub struct NameKey {
    /// What the key makes of nothing: another key makes something else of it.
    mark: [u8; 32],
    mac: Hmac<Sha256>,
}

impl fmt::Debug for NameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NameKey(..)")
    }
}

impl NameKey {
    /// Takes 32 secret bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        // One block of key, zeroes at its end, as HMAC pads it itself.
        let mut block = [0; 64];
        block.iter_mut().zip(bytes).for_each(|(own, byte)| *own = byte);
        let mac: Hmac<Sha256> = Hmac::new(&block.into());
        Self { mark: keyed(mac.clone(), "key", &[]), mac }
    }

    /// By this two keys are known for the same one. It gives away no more than any digest.
    pub(super) fn mark(&self) -> &[u8; 32] {
        &self.mark
    }

    /// `hmac-sha256:<64 hex>` over the kind of thing and its bytes; the kind keeps a tool's name from having the digest
    /// of an input of the same bytes.
    #[must_use]
    pub fn digest(&self, kind: &str, bytes: &[u8]) -> String {
        let mut out = String::with_capacity(76);
        out.push_str("hmac-sha256:");
        push_hex(&mut out, &keyed(self.mac.clone(), kind, bytes));
        out
    }
}

fn keyed(mut mac: Hmac<Sha256>, kind: &str, bytes: &[u8]) -> [u8; 32] {
    mac.update(&u64::try_from(kind.len()).unwrap_or(u64::MAX).to_be_bytes());
    mac.update(kind.as_bytes());
    mac.update(bytes);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

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
        assert_eq!(key.mark(), NameKey::new([1; 32]).mark());
        assert_ne!(key.mark(), NameKey::new([2; 32]).mark());
        // RFC 2104 by hand: the key padded, hashed inside and outside.
        let (inner, outer) = ([1_u8 ^ 0x36; 32], [1_u8 ^ 0x5c; 32]);
        let hash =
            |key: [u8; 32], pad: u8, rest: &[u8]| Sha256::digest([&key[..], &[pad; 32], rest].concat());
        let text = [&4_u64.to_be_bytes()[..], b"toolx"].concat();
        let by_hand = hash(outer, 0x5c, &hash(inner, 0x36, &text));
        let hex: String = by_hand.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, format!("hmac-sha256:{hex}"));
    }
}
