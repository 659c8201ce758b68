//! Which files belong to a tree, and how each was come by.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::{Fault, MANIFEST, astray, parallel};
use crate::source::disk::{self, Kind, MAX_FILE_BYTES, ReadError};
use crate::syntax::decode::{Decoded, decode};

/// The folders of a tree and what is read in each.
pub(super) const FOLDERS: [(&str, Use); 7] = [
    ("harnesses", Use::Policy),
    ("policies", Use::Policy),
    ("prompts", Use::Prompt),
    ("rubrics", Use::Policy),
    ("tests/policy", Use::Policy),
    ("tools", Use::Policy),
    ("vendor", Use::Vendor),
];

/// What a file is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// `harness.toml`.
    Manifest,
    /// `*.yaml`.
    Policy,
    /// `*.txt`.
    Prompt,
    /// `*.json`.
    Vendor,
}

impl Use {
    /// The one spelling of the extension.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Manifest => "toml",
            Self::Policy => "yaml",
            Self::Prompt => "txt",
            Self::Vendor => "json",
        }
    }

    /// Whether an extension looks as though the file was meant to be read here.
    fn nearly(self, extension: &str) -> bool {
        let extension = extension.to_ascii_lowercase();
        extension == self.extension()
            || (self == Self::Policy && matches!(extension.as_str(), "yml" | "json"))
    }
}

/// One file that belongs to a tree, or that looks as though it should.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) purpose: Use,
    pub(super) found: Found,
}

/// How a file was come by.
#[derive(Debug)]
pub(super) enum Found {
    /// What was read.
    Text(Decoded),
    /// So many bytes, of which none was read.
    TooLarge(u64),
    /// A link, a device, a socket.
    Link,
    /// Its name is not UTF-8.
    Unnameable,
    /// `.yml`, `.YAML`, `.json`, …
    WrongExtension,
    /// Where a folder belongs.
    NoFolder,
    /// In a folder that is not read, and a slip away from this one.
    Astray(&'static str),
    /// The manifest, which there is not.
    Absent,
}

/// The folder of the manifest and everything that belongs to its tree.
pub(super) fn on_disk(manifest: &Path) -> Result<(PathBuf, Vec<Entry>), Fault> {
    let root = manifest.parent().filter(|root| !root.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let found = read(manifest).map_err(|error| {
        let message = if error.kind() == io::ErrorKind::NotFound {
            format!("there is no `{MANIFEST}` here; name the tree's folder or give `--manifest PATH`")
        } else {
            "the manifest cannot be read".to_owned()
        };
        Fault::new(message, manifest, Some(error))
    })?;
    let mut entries = vec![Entry { path: MANIFEST.to_owned(), purpose: Use::Manifest, found }];
    let mut unread = Vec::new();
    for (folder, purpose) in FOLDERS {
        match way(root, folder)? {
            Way::Open => list(root, folder, purpose, &mut entries, &mut unread)?,
            Way::Absent => {}
            Way::Blocked(path, found) => entries.push(Entry { path, purpose, found }),
        }
    }
    // Most of the time that a file takes is the system's, which serves several at once.
    let reads = parallel::map(&unread, parallel::worth_of_files(unread.len()), |(path, _)| {
        let full = root.join(path);
        read(&full).map_err(|error| Fault::new("the file cannot be read", &full, Some(error)))
    });
    for ((path, purpose), found) in unread.into_iter().zip(reads) {
        entries.push(Entry { path, purpose, found: found? });
    }
    let strays = astray::below(root);
    entries.extend(strays.map_err(|error| Fault::new("the folder cannot be read", root, Some(error)))?);
    Ok((root.to_owned(), entries))
}

/// The same for files in memory.
pub(super) fn in_memory(files: &BTreeMap<String, Vec<u8>>) -> Vec<Entry> {
    let mut entries = Vec::new();
    if !files.contains_key(MANIFEST) {
        entries.push(Entry { path: MANIFEST.to_owned(), purpose: Use::Manifest, found: Found::Absent });
    }
    for (path, bytes) in files {
        let Some(purpose) = purpose(path) else { continue };
        let size = bytes.len() as u64;
        let read = || if size > MAX_FILE_BYTES { Found::TooLarge(size) } else { Found::Text(decode(bytes)) };
        if let Some(found) = judge(path, purpose, read) {
            entries.push(Entry { path: path.clone(), purpose, found });
        }
    }
    entries.extend(astray::among(files.keys().map(String::as_str)));
    entries
}

/// `entries` with these texts in their place or beside them.
pub(super) fn over(mut entries: Vec<Entry>, texts: &BTreeMap<String, String>) -> Vec<Entry> {
    if texts.is_empty() {
        return entries;
    }
    let files = texts.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect();
    let written = in_memory(&files).into_iter().filter(|entry| !matches!(entry.found, Found::Absent));
    entries.retain(|entry| !texts.contains_key(&entry.path));
    entries.extend(written);
    entries
}

/// What stands in a folder. What is to be read goes to `unread`.
fn list(
    root: &Path,
    folder: &str,
    purpose: Use,
    entries: &mut Vec<Entry>,
    unread: &mut Vec<(String, Use)>,
) -> Result<(), Fault> {
    let walked = disk::walk(root, folder)
        .map_err(|(path, error)| Fault::new("the folder cannot be read", &path, Some(error)))?;
    for entry in walked {
        let found = match entry.kind {
            Some(Kind::Other) => Some(Found::Link),
            None => Some(Found::Unnameable),
            // `Absent` stands for what is still to be read.
            _ => judge(&entry.path, purpose, || Found::Absent),
        };
        match found {
            Some(Found::Absent) => unread.push((entry.path, purpose)),
            Some(found) => entries.push(Entry { path: entry.path, purpose, found }),
            None => {}
        }
    }
    Ok(())
}

/// By its name: to be read, a near miss, or nothing to a tree.
fn judge(path: &str, purpose: Use, read: impl FnOnce() -> Found) -> Option<Found> {
    if purpose == Use::Manifest {
        return Some(read());
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        right if right == purpose.extension() => Some(read()),
        near if purpose.nearly(near) => Some(Found::WrongExtension),
        _ => None,
    }
}

pub(super) fn purpose(path: &str) -> Option<Use> {
    if path == MANIFEST {
        return Some(Use::Manifest);
    }
    let below = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    FOLDERS.iter().find(|(folder, _)| below(folder)).map(|(_, purpose)| *purpose)
}

fn read(path: &Path) -> io::Result<Found> {
    match disk::read(path, MAX_FILE_BYTES) {
        Ok(bytes) => Ok(Found::Text(decode(&bytes))),
        Err(ReadError::TooLarge(size)) => Ok(Found::TooLarge(size)),
        Err(ReadError::Io(error)) => Err(error),
    }
}

enum Way {
    Open,
    Absent,
    /// The part of the way that is no folder.
    Blocked(String, Found),
}

/// Whether `folder` can be reached without following a link.
fn way(root: &Path, folder: &str) -> Result<Way, Fault> {
    let mut reached = String::new();
    for part in folder.split('/') {
        if !reached.is_empty() {
            reached.push('/');
        }
        reached.push_str(part);
        let full = root.join(&reached);
        match disk::kind_of(&full) {
            Ok(Kind::Folder) => {}
            Ok(Kind::File) => return Ok(Way::Blocked(reached, Found::NoFolder)),
            Ok(Kind::Other) => return Ok(Way::Blocked(reached, Found::Link)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Way::Absent),
            Err(error) => return Err(Fault::new("the folder cannot be read", &full, Some(error))),
        }
    }
    Ok(Way::Open)
}
