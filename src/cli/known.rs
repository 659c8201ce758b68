//! `--baseline`: known findings are set aside, and the file that knows them is written.

use std::path::{Path, PathBuf};

use super::outcome::{Said, Trouble, counted};
use super::session::Session;
use super::style;
use crate::baseline::{Baseline, Entry, Split, fingerprints};
use crate::diagnostic::Finding;
use crate::report::{self, JsonBaseline};
use crate::source::{Fault, disk};
use crate::tree::Tree;

/// A baseline file.
pub(super) struct Known {
    pub(super) path: PathBuf,
    /// Its bytes; nothing where it does not exist.
    pub(super) bytes: Option<Vec<u8>>,
    pub(super) baseline: Baseline,
}

impl Known {
    /// Reads the file at `path`. One that is not there is empty where it `may_be_absent`.
    pub(super) fn read(path: &Path, may_be_absent: bool) -> Result<Self, Trouble> {
        let limit = harnessc_runtime::load::MAX_BYTES as u64;
        let bytes = match disk::read(path, limit) {
            Ok(bytes) => bytes,
            Err(disk::ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {
                if may_be_absent {
                    return Ok(Self { path: path.to_owned(), bytes: None, baseline: Baseline::default() });
                }
                return Err(Trouble::Usage(
                    format!("there is no baseline `{}`", shown(path)),
                    "`harnessc check --baseline FILE --write-baseline` writes one".to_owned(),
                ));
            }
            Err(disk::ReadError::Io(error)) => {
                return Err(Fault::new("cannot be read", path, Some(error)).into());
            }
            Err(disk::ReadError::TooLarge(size)) => {
                return Err(Fault::new(format!("has {size} bytes, which no baseline has"), path, None).into());
            }
        };
        let baseline = Baseline::read(&bytes).map_err(|why| {
            Trouble::Usage(
                format!("`{}` is no baseline: {}", shown(path), report::visible(&why)),
                "write it anew with `harnessc check --baseline FILE --write-baseline`, once it is moved away"
                    .to_owned(),
            )
        })?;
        Ok(Self { path: path.to_owned(), bytes: Some(bytes), baseline })
    }

    /// The file among these that a lock was built under, by its digest: path and bytes.
    pub(super) fn among(files: &[(String, Vec<u8>)], digest: &str) -> Option<Self> {
        let is_own = |bytes: &[u8]| format!("sha256:{}", crate::tree::digest(bytes)) == digest;
        let (path, bytes) = files.iter().find(|(_, bytes)| is_own(bytes))?;
        let baseline = Baseline::read(bytes).ok()?;
        Some(Self { path: PathBuf::from(path), bytes: Some(bytes.clone()), baseline })
    }

    /// What the lock says of it.
    pub(super) fn record(&self, split: &Split) -> harnessc_runtime::lock::Baseline {
        let bytes = self.bytes.as_deref().unwrap_or_default();
        harnessc_runtime::lock::Baseline {
            digest: format!("sha256:{}", crate::tree::digest(bytes)),
            findings: split.known.len() as u64,
        }
    }

    /// Parts what was found into what is new and what is known.
    pub(super) fn split(&self, findings: Vec<Finding>, tree: &Tree) -> Split {
        let entries = fingerprints(&findings, tree);
        self.baseline.split(findings, entries)
    }

    /// What is new among what was found, and what no baseline excuses; and what a lock says of the rest.
    pub(super) fn left(
        &self,
        findings: Vec<Finding>,
        tree: &Tree,
    ) -> (Vec<Finding>, harnessc_runtime::lock::Baseline) {
        let mut split = self.split(findings, tree);
        split.keep_forbidden();
        (new_findings(&split), self.record(&split))
    }

    /// Writes the baseline that is left of this one; with `grow`, all that was found. What is new stays new otherwise.
    pub(super) fn write(&self, split: &mut Split, grow: bool, said: &mut Said) -> Result<(), Trouble> {
        let grow = grow || self.bytes.is_none();
        if grow {
            split.known.append(&mut split.new);
        }
        split.gone = 0;
        let entries = split.known.iter().map(|(_, entry): &(Finding, Entry)| entry.clone());
        let baseline: Baseline = entries.collect();
        let text = baseline.text();
        if self.bytes.as_deref() != Some(text.as_bytes()) {
            disk::write(&self.path, text.as_bytes())
                .map_err(|error| Fault::new("cannot be written", &self.path, Some(error)))?;
            said.note(format!("wrote {} ({})", shown(&self.path), counted(baseline.len(), "known finding")));
        }
        Ok(())
    }

    /// Says what was set aside.
    pub(super) fn tell(&self, session: &Session, split: &Split, refused_to_grow: bool, said: &mut Said) {
        let look = session.terminal.err;
        let path = shown(&self.path);
        said.note(format!("{} set aside by {path}", counted(split.known.len(), "known finding")));
        let help = |text: String| format!("{}: {text}", style::help(look, "help"));
        match split.forbidden() {
            0 => {}
            count => said.note(format!(
                "{}: {count} of them {} forbidden, and `build` excuses no such finding",
                style::bold(look, "note"),
                if count == 1 { "is" } else { "are" }
            )),
        }
        if split.gone > 0 {
            said.note(help(format!(
                "{} no more; `--write-baseline` takes {} out",
                if split.gone == 1 {
                    "1 entry is found".to_owned()
                } else {
                    format!("{} entries are found", split.gone)
                },
                if split.gone == 1 { "it" } else { "them" }
            )));
        }
        if refused_to_grow && !split.new.is_empty() {
            said.note(help(format!(
                "a baseline grows on purpose alone: mend {}, or add `--grow-baseline`",
                counted(split.new.len(), "new finding")
            )));
        }
    }
}

/// The baseline as the machine format has it.
pub(super) fn json(split: &Split) -> JsonBaseline {
    JsonBaseline { set_aside: split.known.len(), forbidden: split.forbidden(), gone: split.gone }
}

/// What the baseline does not know.
pub(super) fn new_findings(split: &Split) -> Vec<Finding> {
    split.new.iter().map(|(finding, _)| finding.clone()).collect()
}

fn shown(path: &Path) -> String {
    report::visible(&path.display().to_string()).into_owned()
}
