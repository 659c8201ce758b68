//! What `check --fix` does: fixes applied round by round in memory, and written once nothing more can be mended.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::outcome::{Said, Trouble, counted};
use super::place::{put, unlinked};
use super::session::{Examined, Session};
use super::style;
use crate::diagnostic::Applicability;
use crate::fix::{self, Applied};
use crate::lock;
use crate::report::{self, JsonFixed};
use crate::scaffold;
use crate::source::Fault;
use crate::source::disk;
use crate::tree::Tree;

/// A fix may bring to light what the next one mends; more rounds than this are no way of mending.
const ROUNDS: usize = 8;

/// A tree that was mended.
pub(super) struct Mended {
    /// The tree as it is now.
    pub(super) examined: Examined,
    pub(super) told: Told,
}

/// What mending came to.
pub(super) struct Told {
    /// What was done, in order.
    pub(super) applied: Vec<Applied>,
    /// Why further fixes were left alone.
    stopped: Option<String>,
    /// How many files were written.
    written: usize,
}

/// Mends the tree at `path` as far as `reach` goes, and writes what came of it.
pub(super) fn mend(session: &Session, path: Option<&Path>, reach: Applicability) -> Result<Mended, Trouble> {
    let mut examined = session.examine(path)?;
    let mut originals: BTreeMap<String, Option<Arc<str>>> = BTreeMap::new();
    let mut versions = vec![BTreeMap::new()];
    let (mut applied, mut stopped) = (Vec::new(), None);
    for _ in 0..ROUNDS {
        let editable = |path: &str| is_editable(&examined.tree, path);
        let sources = &examined.tree.sources;
        let mut findings = examined.checked.findings.clone();
        findings.extend(scaffold::astray(&examined.tree));
        let patch = fix::patch(&findings, sources, reach, &editable);
        if patch.applied.is_empty() {
            break;
        }
        for path in patch.files.keys() {
            let original =
                || sources.iter().find(|(_, file)| file.path == *path).map(|(_, file)| file.text.clone());
            originals.entry(path.clone()).or_insert_with(original);
        }
        let mut texts = versions.last().cloned().unwrap_or_default();
        texts.extend(patch.files);
        let after = session.examine_with(examined.manifest.clone(), &texts)?;
        stopped = harm(&examined, &after);
        if stopped.is_some() || versions.contains(&texts) {
            break;
        }
        versions.push(texts);
        applied.extend(patch.applied);
        examined = after;
    }
    let texts = versions.pop().unwrap_or_default();
    write(examined.folder(), &originals, &texts)?;
    Ok(Mended { examined, told: Told { applied, stopped, written: texts.len() } })
}

/// The manifest, the policy files and the prompts are the author's; a pinned list is not, and neither is what lies outside.
fn is_editable(tree: &Tree, path: &str) -> bool {
    path == crate::tree::MANIFEST
        || path.starts_with("prompts/")
        || tree.documents.iter().any(|document| tree.sources.path(document.span.file) == path)
}

/// Why the later tree may not take the earlier one's place: fixes mend, and never widen or break.
fn harm(before: &Examined, after: &Examined) -> Option<String> {
    if after.unparsed() > before.unparsed() {
        return Some("the next fixes would leave a file that does not parse".to_owned());
    }
    let (before, after) = (before.lock.as_ref()?, after.lock.as_ref()?);
    lock::widened(before, after).map(|cell| format!("the next fixes would grant more than now ({cell})"))
}

/// Writes the texts, where the files still are what was read.
fn write(
    root: &Path,
    originals: &BTreeMap<String, Option<Arc<str>>>,
    texts: &BTreeMap<String, String>,
) -> Result<(), Trouble> {
    for path in texts.keys() {
        let full = unlinked(root, path)?;
        let stands = match disk::read(&full, disk::MAX_FILE_BYTES) {
            Ok(bytes) => Some(bytes),
            Err(disk::ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(disk::ReadError::Io(error)) => {
                return Err(Fault::new("cannot be read", &full, Some(error)).into());
            }
            Err(disk::ReadError::TooLarge(_)) => Some(Vec::new()),
        };
        let read = originals.get(path).and_then(Option::as_deref).map(str::as_bytes);
        if stands.as_deref() != read {
            return Err(Fault::new(
                "is not what was read, or is no UTF-8; nothing was written. Run `harnessc check --fix` again",
                &full,
                None,
            )
            .into());
        }
    }
    texts.iter().try_for_each(|(path, text)| put(root, path, text))
}

impl From<&Applied> for JsonFixed {
    fn from(applied: &Applied) -> Self {
        Self {
            rule: applied.rule.to_owned(),
            file: applied.file.clone(),
            title: report::visible(&applied.title).into_owned(),
        }
    }
}

impl Told {
    /// Says what was done, by file.
    pub(super) fn tell(&self, session: &Session, said: &mut Said) {
        let mut files: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for Applied { rule, file, title } in &self.applied {
            files.entry(file).or_default().push(format!("  {} [{rule}]", report::visible(title)));
        }
        for (file, lines) in files {
            said.note(report::visible(file));
            lines.into_iter().for_each(|line| said.note(line));
        }
        let look = session.terminal.err;
        if let Some(why) = &self.stopped {
            said.note(format!("{}: {why}; they were not applied", style::bold(look, "note")));
        }
        said.note(match self.applied.len() {
            0 => "no fix applies".to_owned(),
            count => format!(
                "applied {} in {}\n",
                if count == 1 { "1 fix".to_owned() } else { format!("{count} fixes") },
                counted(self.written, "file")
            ),
        });
    }
}
