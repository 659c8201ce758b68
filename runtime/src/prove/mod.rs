//! The invariants, proved again on the whole effective table, whoever wrote the lock.
//!
//! One file per proof, each a pure function over the typed lock. A proof catches inconsistency and a broken invariant.
//! It cannot catch a forgery that is consistent and breaks none: that is what signatures are for.

mod after_approval;
mod always_allowed;
mod bound;
mod bundle;
mod closed;
mod closed_words;
mod creates;
mod diagnoses;
mod disabled;
mod engines;
mod four_eyes;
mod memory_wrap;
mod order;
mod placeholders;
mod plans;
mod prompt_order;
mod reader;
mod references;
mod refusals;
mod schemas;
mod servers;
mod silent_approval;
mod step_inputs;
pub mod table;
mod tiers;
pub(crate) mod tools;
mod verbs;
mod writes;

use std::fmt;

use crate::deeds::Deeds;
use crate::lock::{Level, Lock};

/// A proof that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The proof's stable name, snake_case.
    pub proof: &'static str,
    /// The cell: `harness/role/tool`, `harness/role/tool/case`, or as much of it as the failure is about.
    pub cell: String,
    /// What does not hold.
    pub why: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the proof `{}` fails at `{}`: {}", self.proof, self.cell, self.why)
    }
}

impl std::error::Error for Failure {}

/// What a proof says; its name is put on by the table below.
type Proof = for<'a> fn(&'a Lock, &Deeds<'a>) -> Result<(), Broken>;

/// A failure before it knows its proof.
struct Broken {
    cell: String,
    why: String,
}

/// For the proofs: refuses `cell` unless the condition holds.
fn hold(condition: bool, cell: impl FnOnce() -> String, why: impl FnOnce() -> String) -> Result<(), Broken> {
    if condition { Ok(()) } else { Err(Broken { cell: cell(), why: why() }) }
}

/// Every proof, the most particular first: a forged cell is named by the invariant it breaks, and only then by its
/// difference from the declared sets.
const PROOFS: [(&str, Proof); 26] = [
    ("references", references::prove),
    ("order", order::prove),
    ("closed_words", closed_words::prove),
    ("engine_phases", engines::prove),
    ("placeholders", placeholders::prove),
    ("tools", tools::prove),
    ("closed_schemas", schemas::prove),
    ("external_servers", servers::prove),
    ("bound_targets", bound::prove),
    ("approval_below_tier", tiers::prove),
    ("write_never_auto", writes::prove),
    ("auto_create_undone", creates::prove),
    ("four_eyes", four_eyes::prove),
    ("silent_approval", silent_approval::prove),
    ("after_approval", after_approval::prove),
    ("disabled_tool", disabled::prove),
    ("untrusted_reader", reader::prove),
    ("persona_bundle", bundle::prove),
    ("forbidden_verb", verbs::prove),
    ("refusal_lines", refusals::prove),
    ("prompt_order", prompt_order::prove),
    ("memory_wrap", memory_wrap::prove),
    ("always_allowed", always_allowed::prove),
    ("plans_and_skills", plans::prove),
    ("diagnoses", diagnoses::prove),
    ("step_inputs", step_inputs::prove),
];

/// The name of the proof that compares the effective table with its declared sets, the last one.
const TABLE: &str = "effective_table";

/// The names of all proofs, in the order they run.
pub fn names() -> impl Iterator<Item = &'static str> {
    PROOFS.iter().map(|(name, _)| *name).chain([TABLE])
}

/// Proves everything; the first failure ends it.
pub fn prove(lock: &Lock) -> Result<(), Failure> {
    each(lock).next().map_or(Ok(()), Err)
}

/// The first failure of every proof that fails, in order.
#[must_use]
pub fn failures(lock: &Lock) -> Vec<Failure> {
    each(lock).collect()
}

fn each(lock: &Lock) -> impl Iterator<Item = Failure> {
    let deeds = Deeds::of(lock);
    PROOFS.iter().chain(&[(TABLE, table::prove as Proof)]).filter_map({
        move |(proof, holds)| {
            let broken = holds(lock, &deeds).err()?;
            Some(Failure { proof, cell: broken.cell, why: broken.why })
        }
    })
}

/// Whether a rule that an author may lower or waive was in force unweakened for a definition (`SECTION/KEY`): only then
/// can its invariant be demanded again of that one. A baseline does not say what it set aside, so that under one nothing
/// of the kind can be demanded.
fn in_force(lock: &Lock, rule: &str, subject: impl FnOnce() -> String) -> bool {
    let demanded = lock.rules.get(rule).is_none_or(|level| *level == Level::Deny) && lock.baseline.is_none();
    if !demanded || !lock.waivers.iter().any(|waiver| waiver.rule == rule) {
        return demanded;
    }
    let subject = subject();
    !lock.waivers.iter().any(|waiver| waiver.rule == rule && waiver.subject == subject)
}
