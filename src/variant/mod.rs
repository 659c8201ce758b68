//! A tree in memory with edits, taken all the way to a lock in force: what `why` and `test --mutate` ask again and again.
//!
//! It writes nothing and reads no file; what is not edited is shared with the tree it was made from.

mod lists;

use std::collections::BTreeMap;

use harnessc_runtime::decide::Bundle;
use harnessc_runtime::load::{Signers, Trust};
use harnessc_runtime::lock::Lock;

use crate::check::check;
use crate::diagnostic::{Diagnostic, Edit, Finding, Level, Sink};
use crate::source::FileId;
use crate::tree::Tree;
use crate::{fix, lock, lower};

pub use lists::{Written, beside, field};

/// A tree and what was found while its files were read.
#[derive(Debug)]
pub struct Original {
    /// The tree.
    pub tree: Tree,
    read: Vec<Diagnostic>,
}

/// What an edited tree comes to.
#[derive(Debug)]
pub enum Compiled {
    /// Findings deny: those, in their order.
    Refused(Vec<Finding>),
    /// A lock that the runtime does not take; what it says.
    Unproved(String),
    /// A lock in force.
    Stands(Box<Bundle>),
}

impl Original {
    /// Takes a tree with the findings of its reading.
    pub fn new(mut tree: Tree, read: &Sink) -> Self {
        tree.keep_digests();
        Self { tree, read: read.iter().cloned().collect() }
    }

    /// A sink that holds what was found while the files were read.
    pub fn read(&self) -> Sink {
        let mut sink = Sink::default();
        sink.extend(self.read.iter().cloned());
        sink
    }

    /// The tree with these edits, compiled. Edits of one file do not overlap.
    pub fn with(&self, edits: &[Edit]) -> Compiled {
        let mut by_file: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
        for edit in edits {
            by_file.entry(edit.span.file).or_default().push(edit);
        }
        let texts: BTreeMap<FileId, String> = by_file
            .iter()
            .filter_map(|(file, edits)| {
                Some((*file, fix::edited(&self.tree.sources.get(*file)?.text, edits)))
            })
            .collect();
        let (tree, mut sink) = self.tree.varied(&texts);
        let elsewhere = |found: &&Diagnostic| !texts.contains_key(&found.primary.span.file);
        sink.extend(self.read.iter().filter(elsewhere).cloned());
        compile(&tree, sink)
    }
}

/// Checks, lowers and loads a tree. `read` holds what was found while its files were read.
pub fn compile(tree: &Tree, read: Sink) -> Compiled {
    let (checked, lock) = check(tree, read, |cx, checked| {
        let denies = checked.findings.iter().any(|finding| finding.level >= Level::Deny);
        (!denies && cx.policy.is_whole()).then(|| lower::lower(cx, &checked.grading))
    });
    match lock {
        None => Compiled::Refused(
            checked.findings.into_iter().filter(|finding| finding.level >= Level::Deny).collect(),
        ),
        Some(lock) => match bundle(&lock) {
            Ok(bundle) => Compiled::Stands(Box::new(bundle)),
            Err(said) => Compiled::Unproved(said),
        },
    }
}

/// A lock, loaded and proved as a runtime does that trusts whoever wrote it.
///
/// # Errors
/// What does not hold, in the runtime's words.
pub fn bundle(lock: &Lock) -> Result<Bundle, String> {
    let sealed = lock::seal(lock).map_err(|error| error.to_string())?;
    let trust = Trust {
        allow_gap: true,
        environment: lock.policy.environment.clone(),
        policy: lock.policy.name.clone(),
        signers: Signers::Unsigned,
    };
    Bundle::load(&sealed.bytes, &trust, None).map_err(|error| error.to_string())
}
