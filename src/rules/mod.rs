//! What every tree is checked for: one rule, one `.rs` and one `.md`, found at build time.
//!
//! A rule is pure: it reads the resolved model and reports. It does no I/O, returns no `Result` and knows nothing of output or
//! of levels in force. Rules run side by side, so none sees what another one found. What syntax and model find while reading
//! has its page and its level here too.

mod engine;

use crate::diagnostic::{Level, RuleId, Sink};
use crate::model::Model;
use crate::names::Names;
use crate::policy::Policy;
use crate::tree::{Tree, parallel};

pub use engine::grade::{Grading, grade};
pub use engine::page::{Example, ExampleFile, Expected, Page};

/// Where a rule's findings come from.
#[derive(Clone, Copy)]
pub enum Found {
    /// An earlier room finds it while reading; this is the room's name.
    Reading(&'static str),
    /// A check of what is stated; it runs whatever else was found.
    Stated(fn(&Cx<'_>, &mut Sink)),
    /// A check that leans on the whole tree; it does not run where some file did not parse, since then it would report
    /// what only that file's absence causes.
    Whole(fn(&Cx<'_>, &mut Sink)),
}

/// What a rule may look at.
pub struct Cx<'a> {
    /// The files.
    pub tree: &'a Tree,
    /// What the tree states.
    pub model: &'a Model,
    /// Every name, followed.
    pub names: &'a Names<'a>,
    /// What it comes to.
    pub policy: &'a Policy<'a>,
}

/// One rule.
pub struct Rule {
    /// Its name.
    pub id: RuleId,
    /// Where its findings come from.
    pub found: Found,
    /// Its levels, as its page states them: the one that holds where a finding states none first.
    pub levels: &'static [Level],
    page: &'static str,
}

impl Rule {
    /// Its page: level, summary, what, why, how to mend, and the examples that run as tests.
    pub fn page(&self) -> Page<'static> {
        Page::read(self.page)
    }

    /// Its page as it is written.
    pub fn text(&self) -> &'static str {
        self.page
    }
}

/// The rule named `id`.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.binary_search_by(|rule| rule.id.0.cmp(id)).ok().and_then(|at| RULES.get(at))
}

/// Runs every rule that can run, several at once where that is worth it. The order of findings does not depend on the order
/// of rules: the sink sorts.
pub fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let runs = |rule: &Rule| match rule.found {
        Found::Reading(_) => None,
        Found::Whole(_) if cx.model.broken => None,
        Found::Stated(check) | Found::Whole(check) => Some(check),
    };
    let checks: Vec<fn(&Cx<'_>, &mut Sink)> = RULES.iter().filter_map(runs).collect();
    let beside = sink.beside();
    let found = parallel::map(&checks, cx.tree.threads(), |check| {
        let mut own = beside.clone();
        check(cx, &mut own);
        own
    });
    found.into_iter().for_each(|own| sink.take(own));
}

include!(concat!(env!("OUT_DIR"), "/rules.rs"));
