//! The run's row, as the store has it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{Fact, Lifecycle, Locks, NameKey};
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
    /// Of the names, a line each.
    digest: String,
    /// What the first key that asked makes of that digest, beside the key's mark; worked out once, since every record of a
    /// call wants it, and a server has one key.
    keyed: OnceLock<([u8; 32], String)>,
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
        let digest = digest_of(names.join("\n").as_bytes());
        Self { digest, keyed: OnceLock::new(), names, sets }
    }

    /// The keyed digest of the names as a person's permissions, `hmac-sha256:<64 hex>`.
    pub(super) fn as_permissions(&self, key: &NameKey) -> String {
        let digest = || key.digest("permissions", self.digest.as_bytes());
        match self.keyed.get_or_init(|| (*key.mark(), digest())) {
            (mark, keyed) if mark == key.mark() => keyed.clone(),
            _ => digest(),
        }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::DeedNames;
    use crate::Bundle;
    use crate::boundary::validate::Unchecked;
    use crate::boundary::{Locks, NameKey};
    use crate::load::{Signers, Trust};
    use crate::lock::{FORMAT, Lock, Policy, Role, RoleTools, digest, digest_of};

    /// The locks of a policy without tools.
    fn locks() -> Locks {
        let console =
            Role { effects: None, reads_untrusted: false, title: None, tools: RoleTools::HarnessToolset };
        let lock = Lock {
            format: FORMAT.to_owned(),
            policy: Policy { edition: 1, name: "test".to_owned(), ..Policy::default() },
            revision: 1,
            roles: BTreeMap::from([("console".to_owned(), console)]),
            ..Lock::default()
        };
        let trust = Trust {
            allow_gap: false,
            environment: None,
            policy: "test".to_owned(),
            signers: Signers::Unsigned,
        };
        let bundle = Bundle::load(&digest::write(&lock).unwrap(), &trust, None).unwrap();
        Locks::new(bundle, Arc::new(Unchecked))
    }

    #[test]
    fn permissions_are_told_under_the_key_that_asks_whichever_asked_first() {
        let locks = locks();
        let names = DeedNames::of(["records.search", "records.read"], &locks);
        let (one, other) = (NameKey::new([1; 32]), NameKey::new([2; 32]));
        let by_hand =
            |key: &NameKey| key.digest("permissions", digest_of(b"records.read\nrecords.search").as_bytes());
        for key in [&one, &other, &one, &NameKey::new([1; 32])] {
            assert_eq!(names.as_permissions(key), by_hand(key));
        }
        assert_ne!(names.as_permissions(&one), names.as_permissions(&other));
        let fewer = DeedNames::of(["records.read"], &locks);
        assert_ne!(names.as_permissions(&one), fewer.as_permissions(&one));
    }
}
