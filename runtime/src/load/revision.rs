//! Which lock may follow which: never backwards, the next one names the one in force.

use super::{LoadError, Loaded};

/// The lock in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// `sha256:<64 hex>` from its line 1.
    pub digest: String,
    /// Its revision.
    pub revision: u64,
}

/// Whether a lock may follow the held one. Without one, any may: the caller keeps what it held across restarts.
pub(super) fn follows(loaded: &Loaded, allow_gap: bool, held: Option<&Held>) -> Result<(), LoadError> {
    let Some(held) = held else { return Ok(()) };
    let (old, new) = (held.revision, loaded.lock.revision);
    if new < old {
        return Err(LoadError::RevisionLower { held: old, found: new });
    }
    if new == old {
        let same = loaded.digest == held.digest;
        return if same { Ok(()) } else { Err(LoadError::RevisionFork { revision: new }) };
    }
    if new - old > 1 {
        return if allow_gap { Ok(()) } else { Err(LoadError::RevisionGap { held: old, found: new }) };
    }
    if loaded.lock.predecessor.as_deref() == Some(held.digest.as_str()) {
        Ok(())
    } else {
        Err(LoadError::Predecessor { held: held.digest.clone(), found: loaded.lock.predecessor.clone() })
    }
}
