//! Writing the files of a tree.

use std::path::{Path, PathBuf};

use super::outcome::Trouble;
use crate::source::Fault;
use crate::source::disk::{self, Kind};

/// Whether `path` can be reached below `root` without following a link.
pub(super) fn unlinked(root: &Path, path: &str) -> Result<PathBuf, Trouble> {
    let mut reached = root.to_owned();
    for part in path.split('/') {
        reached.push(part);
        if disk::kind_of(&reached).is_ok_and(|kind| kind == Kind::Other) {
            return Err(Fault::new("is a link, and a tree follows none", &reached, None).into());
        }
    }
    Ok(reached)
}

/// Writes the file at `path` below `root`, whole or not at all; a link on the way is not followed.
pub(super) fn put(root: &Path, path: &str, text: &str) -> Result<(), Trouble> {
    let full = unlinked(root, path)?;
    let folder = full.parent().unwrap_or(Path::new(""));
    disk::make_folder(folder).map_err(|error| Fault::new("cannot be made", folder, Some(error)))?;
    disk::write(&full, text.as_bytes())
        .map_err(|error| Fault::new("cannot be written", &full, Some(error)))?;
    Ok(())
}
