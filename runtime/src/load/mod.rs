//! Bytes to a lock in force. Nothing is believed because a compiler wrote it: the text is scanned, the digest
//! compared, trust and revision checked, and every invariant proved again.
//!
//! What does not load changes nothing: keeping the last good lock in force is the caller's part.

mod error;
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
    let opened = digest::open(bytes)?;
    let format = scan::scan(&opened.body)?;
    if format.as_deref() != Some(FORMAT) {
        return Err(LoadError::format(format));
    }
    let lock = serde_json::from_slice(&opened.body).map_err(|error| LoadError::shape(&error))?;
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
