//! What is true now: looked up by the server inside the transaction, never remembered.

use std::collections::{BTreeMap, BTreeSet};

use super::{ActionId, CellRef, Execution, PersonId, Voter};
use crate::Bundle;
use crate::deeds::Deed;
use crate::lock::{Approval, NO_HARNESS};
use crate::upstream::{Matched, Withheld};

/// The kill switch as it was read (row S10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Switch {
    /// Nothing is held back.
    Off,
    /// No approval is consumed.
    On,
    /// It could not be read, which counts as on.
    Unreadable,
}

impl Switch {
    /// Every reading.
    pub const ALL: [Self; 3] = [Self::Off, Self::On, Self::Unreadable];

    /// Whether nothing may be executed.
    #[must_use]
    pub fn freezes(self) -> bool {
        self != Self::Off
    }
}

/// The rules in force for one cell: what the lock says, and what the live overlay tightened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// How strictly a yes is asked for.
    pub approval: Approval,
    /// The personas that may say it; `None`: any authenticated person.
    pub approvers: Option<BTreeSet<String>>,
    /// [`Bundle::cell_digest`] now.
    pub cell_digest: String,
    /// [`Bundle::deed_digest`] now.
    pub deed_digest: String,
    /// Whether the tool is enabled.
    pub enabled: bool,
    /// The digest of the lock in force.
    pub lock: String,
    /// The outside server behind the tool, as the lock says; `None`: a tool of our own.
    pub server: Option<String>,
}

impl Rules {
    /// What the lock in force says of a cell. `None`: it grants nothing (any more).
    #[must_use]
    pub fn of(bundle: &Bundle, cell: &CellRef) -> Option<Self> {
        let lock = bundle.lock();
        let harness = cell.harness.as_deref();
        let deed = cell.deed();
        let cells = lock.effective.get(harness.unwrap_or(NO_HARNESS))?.get(&cell.role)?;
        let granted = cells.iter().find(|granted| granted.deed == deed)?;
        Some(Self {
            approval: granted.approval,
            approvers: granted.approvers.as_ref().map(|keys| keys.iter().cloned().collect()),
            cell_digest: bundle.cell_digest(harness, &cell.role, &deed)?,
            deed_digest: bundle.deed_digest(harness, &cell.role, &deed)?,
            enabled: lock.tools.get(&cell.tool)?.enabled,
            lock: bundle.digest().to_owned(),
            server: lock.tools.get(&cell.tool)?.server.as_ref().map(|server| server.name.clone()),
        })
    }

    /// The rules with an approval that the overlay raised; a looser one changes nothing. Whoever says yes then is in the
    /// cell's own list and in that of the raised approval, as the lock in force has it.
    #[must_use]
    pub fn raised(mut self, bundle: &Bundle, cell: &CellRef, approval: Approval) -> Self {
        if approval <= self.approval {
            return self;
        }
        self.approval = approval;
        let lock = bundle.lock();
        let deed = Deed::in_lock(lock, &cell.deed());
        let of_raised = deed.and_then(|deed| deed.approvers(&lock.approvals, approval));
        if let Some(of_raised) = of_raised {
            let both =
                of_raised.iter().filter(|key| self.approvers.as_ref().is_none_or(|own| own.contains(*key)));
            self.approvers = Some(both.cloned().collect());
        }
        self
    }

    /// The rules with the tool switched off.
    #[must_use]
    pub fn disabled(mut self) -> Self {
        self.enabled = false;
        self
    }
}

/// What is true now of one action: everything that its digest covers and that could have moved, computed again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// What would be executed now.
    pub execution: Execution,
    /// For a start on an outside server: what a look at its list found just now
    /// ([`Look::matched`](crate::upstream::Look::matched)). `None`: nobody looked, or it is a tool of our own.
    pub listed: Option<Result<Matched, Withheld>>,
    /// The preview, computed again.
    pub preview: String,
    /// The rules in force for its cell; `None`: the lock in force grants it no more.
    pub rules: Option<Rules>,
    /// The target, computed again.
    pub target: String,
    /// Whether the run may touch this target: the ticket is open, the assignee a member (row S8).
    pub target_valid: bool,
}

/// What is true now.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The kill switch.
    pub kill_switch: Switch,
    /// The store's clock, in milliseconds since the epoch.
    pub now_ms: u64,
    /// Everybody who said yes, looked up again. Whoever is missing no longer counts.
    pub people: &'a BTreeMap<PersonId, Voter>,
    /// Each action in question. Whatever is missing is refused.
    pub standing: &'a BTreeMap<ActionId, Standing>,
}
