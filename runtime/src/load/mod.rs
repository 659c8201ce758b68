//! Bytes to a lock in force. Nothing is believed because a compiler wrote it: the text is scanned, the digest
//! compared, trust and revision checked, and every invariant proved again.
//!
//! What does not load changes nothing: keeping the last good lock in force is the caller's part.

mod error;
mod reader;
mod revision;
mod scan;
#[cfg(feature = "sign")]
mod signature;
#[cfg(feature = "sign")]
mod signers;

pub use error::LoadError;
pub use revision::Held;
pub use scan::{MAX_DEPTH, MAX_INTEGER, ScanError};
#[cfg(feature = "sign")]
pub use signature::{MAX_SIGNATURE_BYTES, NAMESPACE, Signer, signer, signer_for};

use crate::lock::{FORMAT, Lock, digest};
use crate::prove;

/// The largest lock that is read, in bytes.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Whom and what a runtime trusts. There is no default: each of these is a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    /// Whether a lock may skip revisions. Said once, for one load, by an operator.
    pub allow_gap: bool,
    /// The environment that the lock must name; `None`: it must name none.
    pub environment: Option<String>,
    /// The policy that the lock must be.
    pub policy: String,
    /// Who may have signed it.
    pub signers: Signers,
}

/// Whose signature a lock needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signers {
    /// Somebody's whom a list names. Without the feature `sign` every lock is refused under it.
    Listed {
        /// The text of an `allowed_signers` file, as ssh-keygen(1) describes it.
        allowed: String,
        /// The armored text of `harness.lock.sig`, where there is one.
        signature: Option<Vec<u8>>,
    },
    /// Nobody's: whoever can write the file decides. Said explicitly, never assumed.
    Unsigned,
}

/// A lock that was read, held its digest and proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// `sha256:<64 hex>` from line 1.
    pub digest: String,
    /// Its content.
    pub lock: Lock,
}

/// Reads, checks and proves. The first thing that does not hold ends it.
pub fn load(bytes: &[u8], trust: &Trust, held: Option<&Held>) -> Result<Loaded, LoadError> {
    let loaded = read(bytes)?;
    signed(bytes, &trust.signers)?;
    trusted(&loaded.lock, trust)?;
    revision::follows(&loaded, trust.allow_gap, held)?;
    prove::prove(&loaded.lock)?;
    Ok(loaded)
}

/// Reads the bytes without trusting or proving what they say: for tools that show or compare locks.
pub fn read(bytes: &[u8]) -> Result<Loaded, LoadError> {
    if bytes.len() > MAX_BYTES {
        return Err(LoadError::TooLarge { bytes: bytes.len() });
    }
    let digest = digest::stated(bytes)?;
    let text = std::str::from_utf8(bytes).ok();
    match text.and_then(|text| reader::read(text, digest::FIRST_LINE - 1)) {
        Some(lock) if lock.format == FORMAT => Ok(Loaded { digest, lock }),
        _ => read_twice(bytes),
    }
}

/// What the one reading does not take, and why: the form first, then the format, then the shape.
fn read_twice(bytes: &[u8]) -> Result<Loaded, LoadError> {
    let opened = digest::open(bytes)?;
    let (format, text) = scan::scan(&opened.body)?;
    if format.as_deref() != Some(FORMAT) {
        return Err(LoadError::format(format));
    }
    let lock = serde_json::from_str(text).map_err(|error| LoadError::shape(&error))?;
    Ok(Loaded { digest: opened.digest, lock })
}

fn trusted(lock: &Lock, trust: &Trust) -> Result<(), LoadError> {
    if lock.policy.name != trust.policy {
        return Err(LoadError::Policy { expected: trust.policy.clone(), found: lock.policy.name.clone() });
    }
    if lock.policy.environment != trust.environment {
        return Err(LoadError::Environment {
            expected: trust.environment.clone(),
            found: lock.policy.environment.clone(),
        });
    }
    Ok(())
}

#[cfg(feature = "sign")]
fn signed(bytes: &[u8], signers: &Signers) -> Result<(), LoadError> {
    match signers {
        Signers::Unsigned => Ok(()),
        Signers::Listed { allowed, signature } => signer(bytes, allowed, signature.as_deref()).map(drop),
    }
}

#[cfg(not(feature = "sign"))]
fn signed(_: &[u8], signers: &Signers) -> Result<(), LoadError> {
    match signers {
        Signers::Unsigned => Ok(()),
        Signers::Listed { .. } => Err(LoadError::Unsigned),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{read, read_twice, reader};
    use crate::lock::digest::{FIRST_LINE, open, write};
    use crate::lock::{Lock, digest_of};

    /// A lock with every field of every section.
    fn full() -> String {
        let lock: Lock = serde_json::from_str(include_str!("../../tests/suite/common/full.json")).unwrap();
        String::from_utf8(open(&write(&lock).unwrap()).unwrap().body).unwrap()
    }

    /// The file of a body whose end and layout stay as they are.
    fn sealed(body: &str) -> Vec<u8> {
        let rest = body.strip_prefix("{\n").unwrap_or(body);
        format!("{{\"digest\":\"{}\",\n{rest}", digest_of(rest.as_bytes())).into_bytes()
    }

    fn in_one_pass(sealed: &[u8]) -> Option<Lock> {
        reader::read(std::str::from_utf8(sealed).ok()?, FIRST_LINE - 1)
    }

    #[test]
    fn what_is_written_is_read_in_one_pass() {
        let sealed = sealed(&full());
        assert_eq!(in_one_pass(&sealed), Some(read_twice(&sealed).unwrap().lock));
        assert_eq!(read(&sealed), read_twice(&sealed));
    }

    #[test]
    fn what_two_passes_refuse_one_does_not_take() {
        let body = full();
        let (last, key) = (body.rfind('}').unwrap(), body.find("  \"format\"").unwrap());
        for body in [
            "{\n}\n".to_owned(),
            "{\n".to_owned(),
            body.replacen("\n  \"", "\n   \"", 1),
            body.replacen("\": ", "\":", 1),
            body.replacen("\": ", "\":  ", 1),
            format!("{body}\n"),
            body.trim_end().to_owned(),
            format!("{},\n}}\n", body[..last].trim_end()),
            format!("{}\n  \"zz\": 1{}", body[..last].trim_end(), &body[last..]),
            format!("{}{}", &body[..key], body[key..].replacen("\"format\"", "\"formar\"", 1)),
        ] {
            let sealed = sealed(&body);
            assert_eq!(in_one_pass(&sealed), None, "{body}");
            assert_eq!(read(&sealed), read_twice(&sealed));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// One byte or line more, less or another, anywhere.
        #[test]
        fn one_pass_takes_nothing_that_two_refuse(at in any::<prop::sample::Index>(), change in 0..8_usize, byte in any::<u8>()) {
            let mut body = full();
            let at = at.index(body.len());
            prop_assume!(body.is_char_boundary(at) && at > 2);
            let one = body[at..].chars().next().unwrap().len_utf8();
            let line = body[at..].find('\n').map_or(body.len(), |end| at + end + 1);
            let next = body[line..].find('\n').map_or(body.len(), |end| line + end + 1);
            match change {
                0 => drop(body.drain(at..at + one)),
                1 => body.insert(at, char::from(byte & 0x7f)),
                2 => body.replace_range(at..at + one, char::from(byte & 0x7f).encode_utf8(&mut [0; 4])),
                3 => drop(body.drain(line..next)),
                4 => {
                    let again = body[line..next].to_owned();
                    body.insert_str(line, &again);
                }
                5 => body.replace_range(at..at + one, ["null", "-1", "1.5", "{}", "[]", "\"\\u0041\"", "\u{7f}", ","][usize::from(byte) % 8]),
                6 => if let Some(number) = body[at..].find(": 1") { body.replace_range(at + number + 2..at + number + 3, ["null", "-1", "1.5", "01", "{}", "1e2", "\"1\"", "9007199254740993"][usize::from(byte) % 8]) },
                _ => if let Some(text) = body[at..].find(": \"") { body.insert_str(at + text + 3, ["\\n", "\\u000a", "\\/", "\\u0001", "\\ud800", "ü", "\t", "\\\""][usize::from(byte) % 8]) },
            }
            let sealed = sealed(&body);
            match (in_one_pass(&sealed), read_twice(&sealed)) {
                (Some(lock), Ok(twice)) => prop_assert_eq!(lock, twice.lock),
                // Another format is for the one who asked to refuse.
                (Some(lock), Err(error)) => prop_assert!(lock.format != super::FORMAT, "{}", error),
                (None, _) => {}
            }
        }
    }
}
