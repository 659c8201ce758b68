//! What the verbs over a tree share: finding it, checking it, showing what was found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use harnessc_runtime::lock::Lock;

use super::known::Known;
use super::outcome::{Said, Trouble, code};
use super::platform::InTree;
use super::terminal::Terminal;
use super::{Format, Global};
use crate::baseline::Split;
use crate::check::{Checked, check, check_once};
use crate::diagnostic::{Finding, Level, Sink};
use crate::rules::Cx;
use crate::source::{Fault, Sources, disk};
use crate::tree::{self, MANIFEST, Tree};
use crate::{lower, report};

/// One run of the command line.
pub(super) struct Session {
    pub(super) global: Global,
    pub(super) terminal: Terminal,
}

/// The baseline of the verbs that ask a tree and build nothing.
#[derive(Debug, Args)]
pub(super) struct Under {
    /// Set the findings aside that this file knows, as `build` does
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,
}

impl Under {
    /// The file, read.
    pub(super) fn known(&self) -> Result<Option<Known>, Trouble> {
        self.baseline.as_deref().map(|path| Known::read(path, false)).transpose()
    }
}

/// A tree that was checked.
pub(super) struct Examined {
    /// The manifest's path.
    pub(super) manifest: PathBuf,
    pub(super) tree: Tree,
    pub(super) checked: Checked,
    /// What the tree comes to; nothing where a finding denies, or nobody asked.
    pub(super) lock: Option<Lock>,
}

impl Examined {
    /// How many findings deny.
    pub(super) fn denials(&self) -> usize {
        denials(&self.checked.findings)
    }

    /// The exit code that the findings come to.
    pub(super) fn code(&self, deny_warnings: bool) -> u8 {
        let fails = self.denials() > 0 || deny_warnings && !self.checked.findings.is_empty();
        if fails { code::FINDINGS } else { code::CLEAN }
    }

    /// How many policy files do not parse.
    pub(super) fn unparsed(&self) -> usize {
        self.tree.documents.iter().filter(|document| document.broken).count()
    }

    /// What was found, for a report of it.
    pub(super) fn found(&self, deny_warnings: bool) -> InTree<'_> {
        InTree {
            findings: &self.checked.findings,
            tree: &self.tree,
            folder: self.folder(),
            deny_warnings,
            summary: None,
        }
    }

    /// The manifest's folder.
    pub(super) fn folder(&self) -> &Path {
        self.manifest.parent().unwrap_or(Path::new(""))
    }
}

fn denials(findings: &[Finding]) -> usize {
    findings.iter().filter(|finding| finding.level >= Level::Deny).count()
}

/// Checks a tree and lowers it where nothing denies.
fn lowered(manifest: PathBuf, tree: Tree, read: Sink) -> Result<Examined, Trouble> {
    lowered_and(manifest, tree, read, |_| ()).map(|(examined, ())| examined)
}

/// As [`lowered`], with what else is read off the tree.
fn lowered_and<T>(
    manifest: PathBuf,
    tree: Tree,
    read: Sink,
    look: impl FnOnce(&Cx<'_>) -> T,
) -> Result<(Examined, T), Trouble> {
    let (checked, (lock, whole, seen)) = check(&tree, read, |cx, checked| {
        let lock = (denials(&checked.findings) == 0).then(|| lower::lower(cx, &checked.grading));
        (lock, cx.policy.is_whole(), look(cx))
    });
    nothing_lost(lock.is_some(), whole)?;
    Ok((Examined { manifest, tree, checked, lock }, seen))
}

/// As [`lowered`], what the baseline knows set aside.
fn lowered_under(
    manifest: PathBuf,
    tree: Tree,
    read: Sink,
    known: &Known,
) -> Result<(Examined, Split), Trouble> {
    lowered_under_and(manifest, tree, read, known, |_| ()).map(|(examined, split, ())| (examined, split))
}

/// As [`lowered_under`], with what else is read off the tree.
fn lowered_under_and<T>(
    manifest: PathBuf,
    tree: Tree,
    read: Sink,
    known: &Known,
    look: impl FnOnce(&Cx<'_>) -> T,
) -> Result<(Examined, Split, T), Trouble> {
    let (mut checked, (lock, split, whole, seen)) = check(&tree, read, |cx, checked| {
        let mut split = known.split(checked.findings.clone(), &tree);
        split.keep_forbidden();
        let denies = split.new.iter().any(|(finding, _)| finding.level >= Level::Deny);
        let lock = (!denies).then(|| {
            let mut lock = lower::lower(cx, &checked.grading);
            lock.baseline = Some(known.record(&split));
            lock
        });
        (lock, split, cx.policy.is_whole(), look(cx))
    });
    nothing_lost(lock.is_some(), whole)?;
    checked.findings = split.new.iter().map(|(finding, _)| finding.clone()).collect();
    Ok((Examined { manifest, tree, checked, lock }, split, seen))
}

impl Session {
    /// Finds, reads and checks the tree at `path`, or the one that `--manifest` or the folder we stand in names, and lowers
    /// it.
    pub(super) fn examine(&self, path: Option<&Path>) -> Result<Examined, Trouble> {
        self.examine_with(self.manifest(path)?, &BTreeMap::new())
    }

    /// As [`Session::examine`], under a baseline where one is named.
    pub(super) fn examine_as(&self, under: &Under) -> Result<Examined, Trouble> {
        Ok(self.examine_and(under, |_| ())?.0)
    }

    /// As [`Session::examine_as`], with what else is read off the tree.
    pub(super) fn examine_and<T>(
        &self,
        under: &Under,
        look: impl FnOnce(&Cx<'_>) -> T,
    ) -> Result<(Examined, T), Trouble> {
        let known = under.known()?;
        let manifest = self.manifest(None)?;
        let (tree, read) = Tree::open(&manifest)?;
        match known {
            Some(known) => {
                let (examined, _, seen) = lowered_under_and(manifest, tree, read, &known, look)?;
                Ok((examined, seen))
            }
            None => lowered_and(manifest, tree, read, look),
        }
    }

    /// The lock of the tree that `--manifest` or the folder we stand in names; where findings deny, what was found, and that
    /// nothing is `done` with such a tree.
    pub(super) fn lock_or_findings(&self, under: &Under, done: &str) -> Result<Result<Lock, Said>, Trouble> {
        let examined = self.examine_as(under)?;
        if let Some(lock) = examined.lock {
            return Ok(Ok(lock));
        }
        let mut said = Said { code: code::FINDINGS, ..Said::default() };
        self.findings(&examined.checked.findings, &examined.tree.sources, &mut said);
        if self.global.format == Format::Human {
            said.note(format!(
                "nothing is {done} while findings deny: what the tree comes to is not settled"
            ));
        }
        Ok(Err(said))
    }

    /// Checks the tree of `manifest` as it would be with these texts, which are not written yet, and lowers it.
    pub(super) fn examine_with(
        &self,
        manifest: PathBuf,
        texts: &BTreeMap<String, String>,
    ) -> Result<Examined, Trouble> {
        let (tree, read) = Tree::open_with(&manifest, texts)?;
        lowered(manifest, tree, read)
    }

    /// Checks the tree that these files make, as under a revision of git; `manifest` names it in messages.
    pub(super) fn examine_files(
        manifest: PathBuf,
        files: Vec<(String, Vec<u8>)>,
    ) -> Result<Examined, Trouble> {
        let (tree, read) = Tree::from_files(files);
        lowered(manifest, tree, read)
    }

    /// As [`Session::examine`], once in a process, for whom the findings alone matter: nothing is lowered.
    pub(super) fn examine_only(&self, path: Option<&Path>) -> Result<Examined, Trouble> {
        let manifest = self.manifest(path)?;
        let (tree, read) = Tree::open(&manifest)?;
        let (checked, ()) = check_once(&tree, read, |_, _| ());
        Ok(Examined { manifest, tree, checked, lock: None })
    }

    /// Checks a tree under a baseline: what it knows is set aside, and what is forbidden stays found.
    ///
    /// The lock records the baseline.
    pub(super) fn examine_under(&self, known: &Known) -> Result<(Examined, Split), Trouble> {
        let manifest = self.manifest(None)?;
        let (tree, read) = Tree::open(&manifest)?;
        lowered_under(manifest, tree, read, known)
    }

    /// As [`Session::examine_files`], under a baseline.
    pub(super) fn examine_files_under(
        manifest: PathBuf,
        files: Vec<(String, Vec<u8>)>,
        known: &Known,
    ) -> Result<(Examined, Split), Trouble> {
        let (tree, read) = Tree::from_files(files);
        lowered_under(manifest, tree, read, known)
    }

    /// As [`Session::examine_under`], the tree of `manifest`.
    pub(super) fn examine_at_under(manifest: PathBuf, known: &Known) -> Result<(Examined, Split), Trouble> {
        let (tree, read) = Tree::open(&manifest)?;
        lowered_under(manifest, tree, read, known)
    }

    /// The manifest of the tree at `path`, or of the one that `--manifest` or the folder we stand in names.
    pub(super) fn manifest(&self, path: Option<&Path>) -> Result<PathBuf, Trouble> {
        let stated = match (&self.global.manifest, path) {
            (Some(_), Some(_)) => {
                return Err(Trouble::Usage(
                    "both `--manifest` and a path name the tree".to_owned(),
                    "give one of them".to_owned(),
                ));
            }
            (Some(manifest), None) => manifest,
            (None, path) => return Ok(tidy(tree::discover(path.unwrap_or(Path::new(".")))?)),
        };
        match disk::kind_of(stated) {
            Ok(disk::Kind::Folder) => Ok(tidy(stated.join(MANIFEST))),
            // A tree has one manifest, or a revision of it would be held against another one than this.
            Ok(_) if stated.file_name().is_none_or(|name| name != MANIFEST) => Err(Trouble::Usage(
                format!(
                    "`--manifest {}` is no `{MANIFEST}`, and a tree's manifest has no other name",
                    stated.display()
                ),
                format!("name the tree's folder or its `{MANIFEST}`"),
            )),
            Ok(disk::Kind::File) => Ok(tidy(stated.clone())),
            Ok(disk::Kind::Other) => {
                Err(Fault::new("is a link or no file, and a manifest is a file", stated, None).into())
            }
            Err(error) => Err(Fault::new("cannot be read", stated, Some(error)).into()),
        }
    }

    /// Adds the findings to what is said: for a person to the notes, else to the results.
    pub(super) fn findings(&self, findings: &[Finding], sources: &Sources, said: &mut Said) {
        // Writing into memory does not fail.
        match self.global.format {
            Format::Short => {
                let _ = report::short(findings, sources, &mut said.out);
            }
            Format::Json => said.json(&report::json_report(findings, sources)),
            _ => {
                let _ = report::human(findings, sources, &self.terminal.err, &mut said.err);
            }
        }
    }
}

/// What was left out as unread or unresolved is said by some finding; a lock that is short of it unsaid is our fault.
fn nothing_lost(lowered: bool, whole: bool) -> Result<(), Trouble> {
    if lowered && !whole {
        let lost = "a list of tools could not be followed, and no finding says why";
        return Err(Trouble::Internal(lost.to_owned()));
    }
    Ok(())
}

/// Without the `./` that adds nothing.
fn tidy(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}
