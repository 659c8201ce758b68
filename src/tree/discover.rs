//! Where the manifest is.

use std::path::{Path, PathBuf};

use super::{Fault, MANIFEST};
use crate::source::disk;

/// The manifest for `start`: itself where it is one, else the nearest at or above it. `start` is a folder or a file.
///
/// # Errors
/// `start` does not exist, or no folder above has a manifest.
pub fn discover(start: &Path) -> Result<PathBuf, Fault> {
    let kind = disk::kind_behind(start).map_err(|error| Fault::new("cannot be read", start, Some(error)))?;
    if kind == disk::Kind::File && start.file_name().is_some_and(|name| name == MANIFEST) {
        return standing(start).map(|_| start.to_owned());
    }
    // Of `..` in a path the folder knows what stands above it, and the text does not.
    let here = if start.as_os_str().is_empty() { Path::new(".") } else { start };
    let whole = disk::real(here).map_err(|error| Fault::new("cannot be located", start, Some(error)))?;
    for (above, folder) in whole.ancestors().enumerate() {
        if standing(&folder.join(MANIFEST))? {
            let near = above == 0 && !start.as_os_str().is_empty();
            return Ok(if near { start.join(MANIFEST) } else { folder.join(MANIFEST) });
        }
    }
    let message = format!(
        "no `{MANIFEST}` stands here or in a folder above; name the tree's folder or give `--manifest PATH`"
    );
    Err(Fault::new(message, start, None))
}

/// Whether a manifest stands at `path`.
///
/// # Errors
/// A link stands there: under a revision of git nobody would follow it.
fn standing(path: &Path) -> Result<bool, Fault> {
    match disk::kind_of(path) {
        Ok(disk::Kind::File) => Ok(true),
        Ok(disk::Kind::Other) => {
            Err(Fault::new("is a link or no file, and a manifest is a file of its own", path, None))
        }
        Ok(disk::Kind::Folder) | Err(_) => Ok(false),
    }
}
