//! The files of a policy: which belong to it, each read once, with its digest.
//!
//! The way from bytes to documents is one for the disk and for memory, so that both give the same findings. It does not
//! know what a section means, follows no link, and reads nothing outside the manifest's folder.

mod astray;
mod digest;
mod discover;
mod entry;
mod intake;
mod mirror;
pub mod parallel;
#[cfg(test)]
mod tests;
mod varied;
mod wording;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::diagnostic::Sink;
pub use crate::source::Fault;
use crate::source::{FileId, Sources};
use crate::syntax::Document;
pub use digest::digest;
pub use discover::discover;
pub use mirror::MirrorRefusal;

/// Whether a file at this path, relative to the manifest, may belong to a tree; mirrors stand anywhere.
pub fn belongs(path: &str) -> bool {
    entry::purpose(path).is_some()
}

/// The manifest's name.
pub const MANIFEST: &str = "harness.toml";

/// A policy's files as they were read. Paths are relative to the manifest's folder, with `/` between parts.
#[derive(Debug)]
pub struct Tree {
    /// Every text, the manifest first, then by path; mirrors follow, by path. A file that belongs
    /// to the tree and was not read (a link, a wrong extension, too large) stands here with an empty text.
    pub sources: Sources,
    /// `harness.toml`.
    pub manifest: Document,
    /// The `*.yaml` files, by path; `document.span.file` is the file. One that was not read is `broken` and has no root.
    pub documents: Vec<Document>,
    /// `prompts/**/*.txt`, by the path below `prompts/`.
    pub prompts: BTreeMap<String, FileId>,
    /// The files that were found and could not be read as text: their fault is told, and nothing is said of their content.
    pub unread: BTreeSet<FileId>,
    /// `vendor/**/*.json`, by path: `vendor/github.tools.json`.
    pub vendor: BTreeMap<String, Document>,
    /// The files that were read. Where a file's text is not its bytes, for they are no text, the digest of the bytes.
    read: BTreeMap<FileId, Option<String>>,
    mirrors: BTreeMap<String, Result<FileId, MirrorRefusal>>,
    threads: usize,
    origin: Origin,
}

/// Where mirrors are read from.
#[derive(Clone, Debug)]
enum Origin {
    /// The manifest's folder.
    Disk(PathBuf),
    /// All files that were given.
    Memory(BTreeMap<String, Vec<u8>>),
}

impl Tree {
    /// Reads the tree whose manifest stands at `manifest`. What is wrong with the files goes to the sink.
    ///
    /// # Errors
    /// There is no manifest, or the system refuses a file or a folder.
    pub fn open(manifest: &Path) -> Result<(Self, Sink), Fault> {
        let (root, entries) = entry::on_disk(manifest)?;
        Ok(intake::take(entries, Origin::Disk(root)))
    }

    /// The same, with `texts` (path to text) in the place of what stands on the disk, or beside it: edits that are not
    /// written yet.
    ///
    /// # Errors
    /// As [`Tree::open`].
    pub fn open_with(manifest: &Path, texts: &BTreeMap<String, String>) -> Result<(Self, Sink), Fault> {
        let (root, entries) = entry::on_disk(manifest)?;
        Ok(intake::take(entry::over(entries, texts), Origin::Disk(root)))
    }

    /// sha256 (64 lowercase hexadecimal digits) of every file that was read, CRLF and CR counted as LF, by path. Computed
    /// anew with each call: a check needs none.
    pub fn digests(&self) -> BTreeMap<String, String> {
        let digest = |(file, kept): (&FileId, &Option<String>)| {
            let source = self.sources.get(*file)?;
            let sum = kept.clone().unwrap_or_else(|| digest(source.text.as_bytes()));
            Some((source.path.clone(), sum))
        };
        self.read.iter().filter_map(digest).collect()
    }

    /// How many threads are worth their start for work over the whole tree.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The tree that `files` make, whatever their order: paths relative to the manifest's folder, and their bytes.
    ///
    /// Files that are of no use to a policy are kept for mirrors. Without a manifest there is a finding.
    pub fn from_files(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> (Self, Sink) {
        let files: BTreeMap<String, Vec<u8>> = files.into_iter().collect();
        intake::take(entry::in_memory(&files), Origin::Memory(files))
    }
}
