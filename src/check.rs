//! The whole way from a tree's files to graded findings and, where nothing is in the way, a resolved policy.

use std::mem::ManuallyDrop;

use crate::diagnostic::{Finding, Sink};
use crate::model::{self, Model};
use crate::names::Names;
use crate::policy::Policy;
use crate::rules::{self, Cx, Grading};
use crate::tree::Tree;
use crate::tree::parallel::both;

/// What a check comes to.
#[derive(Debug)]
pub struct Checked {
    /// In the order of files by path, place and rule; none is `allow`, none is waived.
    pub findings: Vec<Finding>,
    /// The levels and waivers in force, as the lock records them.
    pub grading: Grading,
}

/// Checks a tree. `read` holds what was found while its files were read.
///
/// `then` is called with the resolved policy, whatever was found, before it is let go.
pub fn check<T>(tree: &Tree, read: Sink, then: impl FnOnce(&Cx<'_>, &Checked) -> T) -> (Checked, T) {
    let mut sink = read;
    let model = model::read(&tree.manifest, &tree.documents, tree.threads(), &mut sink);
    let (checked, result, _) = with_model(tree, &model, sink, then);
    (checked, result)
}

/// As [`check`], for a process that checks once and ends: what was resolved stays in memory, for letting go of it piece by
/// piece would take a tenth of the whole.
pub fn check_once<T>(tree: &Tree, read: Sink, then: impl FnOnce(&Cx<'_>, &Checked) -> T) -> (Checked, T) {
    let mut sink = read;
    let model = ManuallyDrop::new(model::read(&tree.manifest, &tree.documents, tree.threads(), &mut sink));
    let (checked, result, resolved) = with_model(tree, &model, sink, then);
    std::mem::forget(resolved);
    (checked, result)
}

fn with_model<'m, T>(
    tree: &'m Tree,
    model: &'m Model,
    mut sink: Sink,
    then: impl FnOnce(&Cx<'_>, &Checked) -> T,
) -> (Checked, T, (Names<'m>, Policy<'m>)) {
    let threads = tree.threads();
    let (names, policy) =
        both(threads, || Names::resolve(model), || Policy::resolve(model, &tree.vendor, threads));
    let cx = Cx { tree, model, names: &names, policy: &policy };
    rules::check(&cx, &mut sink);
    let (findings, grading) = rules::grade(&cx, sink);
    let checked = Checked { findings, grading };
    let result = then(&cx, &checked);
    (checked, result, (names, policy))
}
