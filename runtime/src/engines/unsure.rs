//! When a person has to take over (rows S1, S8): an engine that is unsure escalates, by a tool like any other.

use std::collections::BTreeMap;
use std::fmt;

use crate::audit::{Datum, Event, Field};
use crate::deeds::Deed;
use crate::lock::{Cause, Engines, Lock};

/// Why a run ends in an escalation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Escalation {
    /// The engine chose to.
    Chosen,
    /// It is less sure than the policy asks for, or does not say how sure it is.
    Confidence,
    /// A check dropped a planned deed.
    DroppedDeed,
    /// The request tripped a guardrail.
    Guardrail,
    /// Something in the request speaks to the model as if it were its author.
    Injection,
    /// It falls in no category that the policy knows.
    NoCategory,
    /// It belongs to no practice.
    NoPractice,
    /// A write that the plan needs is disabled.
    ToolDisabled,
}

impl Escalation {
    /// Every reason.
    pub const ALL: [Self; 8] = [
        Self::Chosen,
        Self::Confidence,
        Self::DroppedDeed,
        Self::Guardrail,
        Self::Injection,
        Self::NoCategory,
        Self::NoPractice,
        Self::ToolDisabled,
    ];

    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::Confidence => "low_confidence",
            Self::DroppedDeed => "dropped_action",
            Self::Guardrail => "guardrail",
            Self::Injection => "suspected_injection",
            Self::NoCategory => "no_category",
            Self::NoPractice => "no_practice",
            Self::ToolDisabled => "tool_disabled",
        }
    }
}

/// What a triage came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triage<'a> {
    /// The category.
    pub category: Option<&'a str>,
    /// How sure, in millionths.
    pub confidence_millionths: Option<u64>,
    /// Whether it belongs to a practice of the organization.
    pub practice: bool,
}

/// Whether a triage is too unsure to go on: no practice, no category that `diagnoses` knows, or a confidence below
/// `engines.unsure_below`. A confidence that is not said, or is beyond one, is none.
#[must_use]
pub fn unsure(
    engines: Option<&Engines>,
    diagnoses: &BTreeMap<String, BTreeMap<String, Cause>>,
    triage: &Triage<'_>,
) -> Option<Escalation> {
    if !triage.practice {
        return Some(Escalation::NoPractice);
    }
    let known = |category: &&str| diagnoses.is_empty() || diagnoses.contains_key(*category);
    if triage.category.filter(|category| !category.is_empty()).filter(known).is_none() {
        return Some(Escalation::NoCategory);
    }
    let below = engines.and_then(|engines| engines.unsure_below_millionths)?;
    let sure = triage.confidence_millionths.is_some_and(|sure| (below..=1_000_000).contains(&sure));
    (!sure).then_some(Escalation::Confidence)
}

/// What is left of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The deeds that may be proposed.
    pub deeds: Vec<String>,
    /// The blocked guardrail step, where something was held back.
    pub event: Option<Event>,
}

/// The escalation is no deed of the lock: nothing of that name, or a tool with cases, of which the model would choose one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoDeed;

impl fmt::Display for NoDeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an escalation is one deed of the lock: a tool without cases, or `tool/case`")
    }
}

impl std::error::Error for NoDeed {}

/// What may be proposed where an injection is suspected: the escalation and nothing else. A fix that the rules found is
/// held back and recorded, and so is the escalation itself where it was planned again.
///
/// # Errors
/// Where the escalation is not one deed of the lock.
pub fn escalate_only(lock: &Lock, planned: &[String], escalation: &str) -> Result<Held, NoDeed> {
    Deed::in_lock(lock, escalation).ok_or(NoDeed)?;
    let is_planned = planned.iter().any(|deed| deed == escalation);
    let held_back = planned.len() - usize::from(is_planned);
    let event = (held_back > 0).then(|| {
        Event::new("guardrail.blocked")
            .with(Field::Code, Datum::Word(Escalation::Injection.code()))
            .with(Field::Issues, Datum::Number(u64::try_from(held_back).unwrap_or(u64::MAX)))
    });
    Ok(Held { deeds: vec![escalation.to_owned()], event })
}
