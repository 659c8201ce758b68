//! Files outside the policy that repeat its keys: those that the manifest's `[[mirror]]` names, from inside the tree alone.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::{Origin, Tree};
use crate::source::FileId;
use crate::source::disk::{self, Kind, MAX_FILE_BYTES, ReadError};
use crate::syntax::{self, Node, decode};

/// Why a file that a mirror names is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MirrorRefusal {
    /// The path leads out of the tree, or is not written as a plain relative path.
    Outside,
    /// Nothing stands there.
    Missing,
    /// A link stands on the way; the part of the path up to it.
    Link(String),
    /// A folder, or something else that is no file.
    NoFile,
    /// It has so many bytes.
    TooLarge(u64),
    /// It is no UTF-8 from this byte on, counted from 0.
    NoText(usize),
    /// The system refused, and what it said.
    Unreadable(String),
}

impl fmt::Display for MirrorRefusal {
    /// What follows "`path` …" in a message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside => f.write_str("is not a plain path below the manifest's folder"),
            Self::Missing => f.write_str("does not exist"),
            Self::Link(part) => write!(f, "is reached through the link `{part}`, and links are not followed"),
            Self::NoFile => f.write_str("is not a regular file"),
            Self::TooLarge(size) => {
                write!(f, "has {size} bytes, and the limit is {} MiB", MAX_FILE_BYTES / (1024 * 1024))
            }
            Self::NoText(at) => write!(f, "is not UTF-8 from byte {at} on"),
            Self::Unreadable(told) => write!(f, "cannot be read: {told}"),
        }
    }
}

impl Tree {
    /// The file that a `[[mirror]]` of the manifest names, relative to the manifest's folder. All were read with the tree.
    ///
    /// # Errors
    /// It is not a regular UTF-8 file inside the tree within the size limit, or a link stands on its way.
    pub fn read_mirror(&self, path: &str) -> Result<FileId, MirrorRefusal> {
        self.mirrors.get(path).cloned().unwrap_or(Err(MirrorRefusal::Missing))
    }

    /// Reads every file that the manifest mirrors, each once, in the order of the paths.
    pub(super) fn take_mirrors(&mut self) {
        let named: BTreeSet<String> = self.manifest.root.iter().flat_map(|root| named(root)).collect();
        for path in named {
            let read = self.take_mirror(&path);
            self.mirrors.insert(path, read);
        }
    }

    fn take_mirror(&mut self, path: &str) -> Result<FileId, MirrorRefusal> {
        let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
        if !path.split('/').all(plain) {
            return Err(MirrorRefusal::Outside);
        }
        let known = self.sources.iter().find(|(id, file)| file.path == path && self.read.contains_key(id));
        if let Some((file, _)) = known {
            return Ok(file);
        }
        let bytes = match &self.origin {
            Origin::Disk(root) => from_disk(root, path)?,
            Origin::Memory(files) => files.get(path).cloned().ok_or(MirrorRefusal::Missing)?,
        };
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(MirrorRefusal::TooLarge(bytes.len() as u64));
        }
        let decoded = decode::decode(&bytes);
        if let Some(fault) = decoded.fault {
            return Err(MirrorRefusal::NoText(match fault {
                decode::EncodingFault::Wide => 0,
                decode::EncodingFault::Byte { at, .. } => at,
            }));
        }
        let file = self.sources.add(path, decoded.text);
        self.read.insert(file, None);
        Ok(file)
    }
}

/// The `file` of each `[[mirror]]`.
fn named(manifest: &Node) -> Vec<String> {
    let Some(syntax::Kind::List(mirrors)) = manifest.get("mirror").map(|entry| &entry.value.kind) else {
        return Vec::new();
    };
    let file = |mirror: &Arc<Node>| Some(mirror.get("file")?.value.text()?.to_owned());
    mirrors.iter().filter_map(file).collect()
}

fn from_disk(root: &Path, path: &str) -> Result<Vec<u8>, MirrorRefusal> {
    let told = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => MirrorRefusal::Missing,
        _ => MirrorRefusal::Unreadable(error.to_string()),
    };
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    for part in ends.filter_map(|end| path.get(..end)) {
        match disk::kind_of(&root.join(part)).map_err(told)? {
            Kind::Folder if part.len() < path.len() => {}
            Kind::File if part.len() == path.len() => {}
            Kind::Other => return Err(MirrorRefusal::Link(part.to_owned())),
            Kind::File => return Err(MirrorRefusal::Missing),
            Kind::Folder => return Err(MirrorRefusal::NoFile),
        }
    }
    disk::read(&root.join(path), MAX_FILE_BYTES).map_err(|error| match error {
        ReadError::TooLarge(size) => MirrorRefusal::TooLarge(size),
        ReadError::Io(error) => told(error),
    })
}
