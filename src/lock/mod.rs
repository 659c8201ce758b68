//! The lock as a file: its canonical bytes, its signature, reading and writing it, and what two of them differ in.
//!
//! What a lock holds is the runtime crate's to say, and so are loading and proving. Nothing here knows the tree.

mod class;
mod compare;
mod release;
mod signature;
mod widened;
mod words;

use std::path::Path;

use harnessc_runtime::lock::{Lock, digest};

use crate::source::{Fault, disk};

pub use class::{Class, Part, class_of, parts};
pub use compare::{CellChange, Difference, MAX_CELLS, SourceChange, compare, compare_unreadable};
pub use release::{ReleaseLine, after, written as with_release_line};
pub use signature::{KeyError, SigningKey, load_signature, signature_path, store_signature};
pub use widened::widened;
pub use words::{authors_name, granted, narrowed, value, written};

/// The lock's name beside the manifest.
pub const FILE: &str = "harness.lock";

/// A lock's bytes and its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// `sha256:<64 hex>`, as line 1 states it.
    pub digest: String,
}

/// The one file that a lock has.
///
/// # Errors
/// Where serde cannot write it, which no lock of ours comes to.
pub fn seal(lock: &Lock) -> Result<Sealed, serde_json::Error> {
    let bytes = digest::write(lock)?;
    let digest = digest::open(&bytes).map(|opened| opened.digest).unwrap_or_default();
    Ok(Sealed { bytes, digest })
}

/// The bytes of a lock.
///
/// # Errors
/// The system refuses it, or it is larger than any lock that a runtime reads.
pub fn load(path: &Path) -> Result<Vec<u8>, Fault> {
    let limit = harnessc_runtime::load::MAX_BYTES as u64;
    disk::read(path, limit).map_err(|error| match error {
        disk::ReadError::TooLarge(size) => {
            Fault::new(format!("has {size} bytes, and no lock over {limit} is read"), path, None)
        }
        disk::ReadError::Io(error) => Fault::new("cannot be read", path, Some(error)),
    })
}

/// Writes a lock, whole or not at all. Where the file holds these bytes already, it is left alone.
///
/// # Errors
/// The system refuses it; the old file then stands.
pub fn store(path: &Path, sealed: &Sealed) -> Result<bool, Fault> {
    if disk::read(path, harnessc_runtime::load::MAX_BYTES as u64).is_ok_and(|bytes| bytes == sealed.bytes) {
        return Ok(false);
    }
    disk::write(path, &sealed.bytes).map_err(|error| Fault::new("cannot be written", path, Some(error)))?;
    Ok(true)
}
