//! A deed asked in every way that a record leaves open, and whether the ways come to the same.

use crate::decide::{Call, Code, DeedSet, Gate, Person, Plan, RunRow, Tighter, Verdict};
use crate::lock::Approval;

use super::Lack;
use super::facts::{Facts, Planned};

/// What one way comes to.
#[derive(Clone, Debug)]
pub(super) enum Seen {
    Allow,
    Deny(Code),
    Propose { approval: Approval, approvers: Option<Vec<String>> },
}

impl Seen {
    /// Whether both are one verdict for one reason; who may say yes is no part of it.
    fn is_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Allow, Self::Allow) => true,
            (Self::Deny(one), Self::Deny(other)) => one == other,
            (Self::Propose { approval: one, .. }, Self::Propose { approval: other, .. }) => one == other,
            _ => false,
        }
    }

    /// Whether a record that says `recorded` fits: what stopped behind the plan's gate found the gates before it open.
    fn fits(&self, recorded: &Self) -> bool {
        match recorded {
            Self::Deny(code) if code.gate() >= Gate::Input => {
                !matches!(self, Self::Deny(own) if own.gate() < Gate::Input)
            }
            // A server in doubt is no gate of the lock's.
            Self::Deny(code) if super::is_of_upstream(*code) => {
                !matches!(self, Self::Deny(own) if own < code)
            }
            recorded => self.is_as(recorded),
        }
    }
}

/// What all the ways come to.
#[derive(Clone, Debug)]
pub(super) enum Agreed {
    /// The same.
    All(Seen),
    /// The lock is the record's own, and one way is what it says.
    AsRecorded(Seen),
    /// Each way is refused, but not with one code.
    Refused(Code, Lack),
    /// The ways part; one of them.
    Parted(Seen, Lack),
}

/// A way's place in each list: persons, cases, scopes, overlays, plans.
type At = [usize; 5];

/// The ways in which a deed may have been asked for. Each list has one at least.
pub(super) struct Ways<'f, 't> {
    pub(super) cases: Vec<Option<String>>,
    pub(super) facts: &'f Facts<'t>,
    pub(super) overlays: Vec<Tighter>,
    pub(super) persons: Vec<Person>,
    /// The open steps of an approved plan; else one that is not looked at.
    pub(super) plans: Vec<DeedSet>,
    pub(super) scopes: &'f [Vec<&'t str>],
    pub(super) tool: String,
}

impl Ways<'_, '_> {
    /// Asks each way. `recorded` is what the record says where this lock is its own.
    pub(super) fn agreed(&self, recorded: Option<Seen>) -> Agreed {
        let all = self.each();
        if let Some(recorded) = recorded.filter(|recorded| all.iter().any(|(_, seen)| seen.fits(recorded))) {
            return Agreed::AsRecorded(recorded);
        }
        let Some((_, first)) = all.first() else {
            return Agreed::Refused(Code::PolicyDenied, Lack::Scopes);
        };
        if all.iter().all(|(_, seen)| seen.is_as(first)) {
            return Agreed::All(first.clone());
        }
        let lack = parts(&all, first);
        match first.clone() {
            Seen::Deny(code) if all.iter().all(|(_, seen)| matches!(seen, Seen::Deny(_))) => {
                Agreed::Refused(code, lack)
            }
            first => Agreed::Parted(first, lack),
        }
    }

    /// What each way comes to, and where it stands in each list.
    fn each(&self) -> Vec<(At, Seen)> {
        let mut all = Vec::new();
        for (person, who) in self.persons.iter().enumerate() {
            for (case, what) in self.cases.iter().enumerate() {
                for (scope, scopes) in self.scopes.iter().enumerate() {
                    for (over, tighter) in self.overlays.iter().enumerate() {
                        for (plan, steps) in self.plans.iter().enumerate() {
                            let seen = self.ask(who, what.as_deref(), scopes, tighter, steps);
                            all.push(([person, case, scope, over, plan], seen));
                        }
                    }
                }
            }
        }
        all
    }

    fn ask(
        &self,
        person: &Person,
        case: Option<&str>,
        scopes: &[&str],
        tighter: &Tighter,
        steps: &DeedSet,
    ) -> Seen {
        let facts = self.facts;
        let row = RunRow {
            harness: facts.harness,
            person,
            plan: match &facts.plan {
                Planned::None => Plan::None,
                Planned::Proposed => Plan::Proposed,
                Planned::Steps(_) => Plan::Approved { steps },
            },
            read_only: facts.read_only,
            role: facts.role,
            scopes,
            surface: facts.surface,
        };
        let call = Call { case, tool: &self.tool };
        let run = facts.bundle.run(&row).with_kill_switch(facts.killed);
        // What could not be looked up speaks in the order of gates; its own gate is closed then, and says so in its word.
        let own = |code| match code {
            Code::PermissionDenied if facts.doubts.contains(&Code::PermissionsUnreadable) => {
                Code::PermissionsUnreadable
            }
            Code::PlanViolation if facts.doubts.contains(&Code::PlanUnreadable) => Code::PlanUnreadable,
            code => code,
        };
        let doubt = facts.doubts.iter().copied().min();
        match (run.under(tighter).check(&call), doubt) {
            (Verdict::Deny(denial), doubt) => {
                let code = Code::of(denial.code).map(own).into_iter().chain(doubt).min();
                Seen::Deny(code.unwrap_or(denial.gate.usual()))
            }
            (_, Some(code)) => Seen::Deny(code),
            (Verdict::Allow, None) => Seen::Allow,
            (Verdict::Propose { approval, approvers }, None) => {
                Seen::Propose { approval, approvers: approvers.map(<[String]>::to_vec) }
            }
        }
    }
}

/// What the record lacks, where the ways part: the first list of which they part alone, else the first that has several.
fn parts(all: &[(At, Seen)], first: &Seen) -> Lack {
    const LACKS: [Lack; 5] = [Lack::Permissions, Lack::Case, Lack::Scopes, Lack::Overlay, Lack::Plan];
    let alone = |axis: usize, at: &At| at.iter().enumerate().all(|(own, place)| own == axis || *place == 0);
    let parted = |axis: &usize| all.iter().any(|(at, seen)| alone(*axis, at) && !seen.is_as(first));
    let several = |axis: &usize| all.iter().any(|(at, _)| at.get(*axis).is_some_and(|place| *place > 0));
    let axes = 0..LACKS.len();
    let axis = axes.clone().find(parted).or_else(|| axes.clone().find(several));
    axis.and_then(|axis| LACKS.get(axis).copied()).unwrap_or(Lack::Permissions)
}
