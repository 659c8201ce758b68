//! One thing that happened, before it becomes a record of the chain.

use std::collections::BTreeMap;

/// What happened and its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The event's name, `agent_run.harness_denied`.
    pub name: &'static str,
    /// Its facts. There is no field for a prompt, a message, an argument or a result.
    pub fields: BTreeMap<Field, Datum>,
}

impl Event {
    /// An event without facts.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        Self { name, fields: BTreeMap::new() }
    }

    /// The event with one more fact.
    #[must_use]
    pub fn with(mut self, field: Field, datum: Datum) -> Self {
        self.fields.insert(field, datum);
        self
    }
}

/// A fact's value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Datum {
    /// `sha256:<64 hex>`, or `hmac-sha256:<64 hex>` where the thing could be guessed.
    Digest(String),
    /// Yes or no.
    Flag(bool),
    /// What the server issued: a run, an action, a person. Never text that a model, a tool or a caller chose.
    Id(String),
    /// A key of the lock: a harness, a tool, a case. A name that the lock does not know enters as a keyed digest.
    Key(String),
    /// Keys of the lock, sorted.
    Keys(Vec<String>),
    /// A count, milliseconds, bytes or micro-USD; the field says which.
    Number(u64),
    /// A word of this crate: a state, a code, a gate.
    Word(&'static str),
}

macro_rules! fields {
    ($($(#[$doc:meta])* $field:ident = $name:literal,)*) => {
        /// The facts that an event can state. A closed list without a word for a payload.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Field { $($(#[$doc])* $field,)* }

        impl Field {
            /// Every field.
            pub const ALL: &'static [Self] = &[$(Self::$field,)*];

            /// Its name in a record.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$field => $name,)* }
            }
        }
    };
}

fields! {
    /// The pending action.
    Action = "action",
    /// The canonical person the run acts for.
    ActingUser = "acting_user",
    /// How strictly a yes is asked for.
    Approval = "approval",
    /// Whether the bound inputs were the run's values; absent: it was not asked.
    Bound = "bound",
    /// The tool's case.
    Case = "case",
    /// What was changed of the overlay.
    Change = "change",
    /// The denial code.
    Code = "code",
    /// The digest of the lock that the run was created under.
    CreatedUnder = "created_under",
    /// How the run ended.
    Ending = "ending",
    /// The gate that decided.
    Gate = "gate",
    /// The harness on the run row.
    Harness = "harness",
    /// The tree's `harness_version`.
    HarnessVersion = "harness_version",
    /// The digest of the canonical input.
    Input = "input",
    /// Whether the input met its schemas; absent: it was not asked.
    InputValid = "input_valid",
    /// Whether the kill switch was on, or in doubt.
    KillSwitch = "kill_switch",
    /// The limit that was changed.
    Limit = "limit",
    /// The digest of the lock in force.
    Lock = "lock",
    /// The budget that had no room.
    Meter = "meter",
    /// What the run is there for.
    Mode = "mode",
    /// The organization.
    Organization = "organization",
    /// Where the surface's callers stand.
    Origin = "origin",
    /// The digest of the overlay in force.
    Overlay = "overlay",
    /// The digest of the overlay before a change.
    OverlayBefore = "overlay_before",
    /// The keyed digest of the person's permissions.
    Permissions = "permissions",
    /// The personas of the person the run acts for.
    Personas = "personas",
    /// Where the run's plan stands.
    Plan = "plan",
    /// The deeds of the plan's open steps.
    PlanSteps = "plan_steps",
    /// Who asked for the run.
    Requester = "requester",
    /// The run role.
    Role = "role",
    /// The rubric.
    Rubric = "rubric",
    /// The rubric's version.
    RubricVersion = "rubric_version",
    /// The run.
    Run = "run",
    /// The granted scopes that the surface knows.
    Scopes = "scopes",
    /// The surface that the call came over.
    Surface = "surface",
    /// The tool.
    Tool = "tool",
    /// The limit's new value.
    Value = "value",
    /// What became of the call.
    Verdict = "verdict",
}

#[cfg(test)]
mod tests {
    use super::Field;

    #[test]
    fn no_two_fields_share_a_name() {
        let names: Vec<&str> = Field::ALL.iter().map(|field| field.name()).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(names.len(), sorted.len());
    }
}
