//! The run's row, as the store has it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Fact, Lifecycle, Locks};
use crate::Bundle;
use crate::decide::Person;
use crate::json::Json;
use crate::lock::digest_of;

/// The row of a run. The authority on what the run is: nothing of it is taken from a token or a call.
#[derive(Clone, Copy, Debug)]
pub struct RunState<'a> {
    /// The canonical person the run acts for.
    pub acting_user: &'a str,
    /// The harness; `None`: the run wears none and reads only.
    pub harness: Option<&'a str>,
    /// The run.
    pub id: &'a str,
    /// When it began, whether it has ended, and by when it must.
    pub lifecycle: Lifecycle,
    /// The digest of the lock that the run was created under.
    pub lock: &'a str,
    /// What the run is there for.
    pub mode: Mode,
    /// The organization.
    pub organization: &'a str,
    /// The permissions of the person the run acts for, looked up for this call.
    pub permissions: Fact<&'a DeedNames>,
    /// The personas of that person.
    pub personas: &'a [&'a str],
    /// Where the run's plan stands.
    pub plan: Fact<PlanState<'a>>,
    /// Who asked for the run: a canonical person, or the service that no human asked.
    pub requester: &'a str,
    /// The run role.
    pub role: &'a str,
    /// What the run is about: its fields by name, as the lock's `run` section declares them.
    pub values: &'a BTreeMap<String, Json>,
}

/// What a run is there for; all but the first only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// It works.
    Work,
    /// It looks on (C4).
    Viewer,
    /// It goes on after a yes, with the scopes that the surface leaves it then (D8).
    Resume,
    /// It reviews through a lens (C16).
    LensReview,
    /// Its plan was approved for reading alone (C16).
    ReadOnlyPlan,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Self; 5] = [Self::Work, Self::Viewer, Self::Resume, Self::LensReview, Self::ReadOnlyPlan];

    /// Its word in a record.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Viewer => "viewer",
            Self::Resume => "resume",
            Self::LensReview => "lens_review",
            Self::ReadOnlyPlan => "read_only_plan",
        }
    }
}

/// Where a run's plan stands.
#[derive(Clone, Copy, Debug)]
pub enum PlanState<'a> {
    /// The run has no plan.
    None,
    /// A plan was proposed and is not approved.
    Proposed,
    /// A plan was approved.
    Approved {
        /// The deeds of the steps that are still open.
        steps: &'a DeedNames,
    },
}

impl PlanState<'_> {
    /// Its word in a record.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Proposed => "proposed",
            Self::Approved { .. } => "approved",
        }
    }
}

/// Deeds by name, looked up once in every lock that is held. A tool's name stands for all of its cases, an unknown name
/// for nothing.
#[derive(Clone, Debug)]
pub struct DeedNames {
    /// Of the names, a line each; worked out once, since every record of a call wants it.
    digest: String,
    names: Vec<String>,
    sets: Vec<Person>,
}

impl DeedNames {
    /// Looks the names up.
    #[must_use]
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>, locks: &Locks) -> Self {
        let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        let sets = locks.bundles().map(|bundle| bundle.person(names.iter().map(String::as_str))).collect();
        Self { digest: digest_of(names.join("\n").as_bytes()), names, sets }
    }

    pub(super) fn digest(&self) -> &str {
        &self.digest
    }

    /// The names, sorted.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The set under one lock; looked up now where that lock came later.
    pub(super) fn under(&self, bundle: &Bundle) -> Cow<'_, Person> {
        match self.sets.iter().find(|set| &*set.0.lock == bundle.digest()) {
            Some(set) => Cow::Borrowed(set),
            None => Cow::Owned(bundle.person(self.names.iter().map(String::as_str))),
        }
    }
}
