//! One thing that happened, before it becomes a record of the chain.

/// What happened and its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The event's name, `agent_run.harness_denied`.
    pub name: &'static str,
    /// Its facts. There is no field for a prompt, a message, an argument or a result.
    pub fields: Facts,
}

impl Event {
    /// An event without facts.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        Self { name, fields: Facts::default() }
    }

    /// An event without facts, and room for so many.
    pub(crate) fn roomy(name: &'static str, facts: usize) -> Self {
        Self { name, fields: Facts(Vec::with_capacity(facts)) }
    }

    /// The event with one more fact.
    #[must_use]
    pub fn with(mut self, field: Field, datum: Datum) -> Self {
        self.fields.insert(field, datum);
        self
    }
}

/// The facts of an event: each field once, in the order of the fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(Vec<(Field, Datum)>);

impl Facts {
    /// The fact of a field.
    #[must_use]
    pub fn get(&self, field: &Field) -> Option<&Datum> {
        let at = self.place(*field).ok()?;
        self.0.get(at).map(|(_, datum)| datum)
    }

    /// Whether the field is stated.
    #[must_use]
    pub fn contains_key(&self, field: &Field) -> bool {
        self.place(*field).is_ok()
    }

    /// States a fact, in the place of another one of the same field.
    pub fn insert(&mut self, field: Field, datum: Datum) {
        match self.place(field) {
            Ok(at) => {
                if let Some((_, own)) = self.0.get_mut(at) {
                    *own = datum;
                }
            }
            Err(at) => self.0.insert(at, (field, datum)),
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every fact, in the order of the fields.
    pub fn iter(&self) -> impl Iterator<Item = (Field, &Datum)> {
        self.0.iter().map(|(field, datum)| (*field, datum))
    }

    fn place(&self, field: Field) -> Result<usize, usize> {
        self.0.binary_search_by_key(&field, |(own, _)| *own)
    }
}

impl FromIterator<(Field, Datum)> for Facts {
    fn from_iter<I: IntoIterator<Item = (Field, Datum)>>(stated: I) -> Self {
        let mut facts = Self::default();
        stated.into_iter().for_each(|(field, datum)| facts.insert(field, datum));
        facts
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

            /// The field of this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$field),)* _ => None }
            }
        }
    };
}

fields! {
    /// The canonical person the run acts for.
    ActingUser = "acting_user",
    /// The pending action.
    Action = "action",
    /// What the action or batch is bound to; in an answer, what was shown.
    ActionDigest = "action_digest",
    /// What a person answered: yes or no.
    Answer = "answer",
    /// How strictly a yes is asked for.
    Approval = "approval",
    /// Whether the person may do exactly what the bundles of the personas hold, no more and no less.
    AsPersonas = "as_personas",
    /// How whoever answered was authenticated.
    Assurance = "assurance",
    /// Which try it was, from 1.
    Attempt = "attempt",
    /// The batch that the action is a step of.
    Batch = "batch",
    /// Whether the bound inputs were the run's values; absent: it was not asked.
    Bound = "bound",
    /// A size in bytes; the event says whose.
    Bytes = "bytes",
    /// The bytes of a raw answer.
    BytesIn = "bytes_in",
    /// The bytes handed to the model.
    BytesOut = "bytes_out",
    /// Tokens of input that the provider had already.
    CachedTokens = "cached_tokens",
    /// The tool's case.
    Case = "case",
    /// The input that told the case apart.
    CaseInput = "case_input",
    /// The category of a diagnosis, a key of `diagnoses`.
    Category = "category",
    /// The digest of the cell that the action came from.
    CellDigest = "cell_digest",
    /// Which chain a record opens.
    Chain = "chain",
    /// What was changed of the overlay.
    Change = "change",
    /// The digest of a signed checkpoint.
    Checkpoint = "checkpoint",
    /// The denial code.
    Code = "code",
    /// The keyed digest of what is kept apart.
    Content = "content",
    /// A cost, in micro-USD.
    Cost = "cost_micro_usd",
    /// The digest of the lock that the run was created under.
    CreatedUnder = "created_under",
    /// The day that a cost counts against, in the tenant's time zone, as the number of days since 1970-01-01.
    Day = "day",
    /// The canonical person who answered.
    DecidedBy = "decided_by",
    /// An action that this one leans on.
    DependsOn = "depends_on",
    /// How long it took, in milliseconds.
    DurationMs = "duration_ms",
    /// What the deed does to the world.
    Effect = "effect",
    /// How the run ended.
    Ending = "ending",
    /// The engine that produced the answer: `ai` or `rules`.
    Engine = "engine",
    /// Whether a cost is an estimate.
    Estimated = "estimated",
    /// When answers come too late, in milliseconds since the epoch.
    ExpiresAt = "expires_at",
    /// Why the rules took over, the first reason.
    Fallback = "fallback",
    /// The format of the records that follow.
    Format = "format",
    /// What was in force before.
    From = "from",
    /// The gate that decided.
    Gate = "gate",
    /// The harness on the run row.
    Harness = "harness",
    /// The tree's `harness_version`.
    HarnessVersion = "harness_version",
    /// The digest of the canonical input.
    Input = "input",
    /// Tokens of input, cached ones among them.
    InputTokens = "input_tokens",
    /// Whether the input met its schemas; absent: it was not asked.
    InputValid = "input_valid",
    /// How many issues were found.
    Issues = "issues",
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
    /// The model, where the lock prices it.
    Model = "model",
    /// Whether scopes were granted that the surface does not know.
    MoreScopes = "more_scopes",
    /// How many different people must say yes.
    Needed = "needed",
    /// The organization.
    Organization = "organization",
    /// Where the surface's callers stand.
    Origin = "origin",
    /// Tokens of output, reasoning among them.
    OutputTokens = "output_tokens",
    /// The digest of the overlay in force.
    Overlay = "overlay",
    /// The digest of the overlay before a change.
    OverlayBefore = "overlay_before",
    /// The part of an action that is no longer what was shown.
    Part = "part",
    /// The keyed digest of the person's permissions.
    Permissions = "permissions",
    /// The persona whose authority the run has.
    Persona = "persona",
    /// The personas of the person the run acts for.
    Personas = "personas",
    /// The phase of a run.
    Phase = "phase",
    /// Where the run's plan stands.
    Plan = "plan",
    /// The step of a plan, from 1.
    PlanStep = "plan_step",
    /// The deeds of the plan's open steps.
    PlanSteps = "plan_steps",
    /// The digest of what an execution overwrites.
    PreImage = "pre_image",
    /// The provider that is asked from here on.
    Provider = "provider",
    /// The digest of a stated reason, salted with its row's id.
    Reason = "reason",
    /// Of the tokens of output, those that were reasoning.
    ReasoningTokens = "reasoning_tokens",
    /// The engine that was asked for: `auto` or `rules`.
    Requested = "requested",
    /// Who asked for the run.
    Requester = "requester",
    /// The digest of what an execution handed back.
    Result = "result",
    /// The run role.
    Role = "role",
    /// The root cause of a diagnosis, a key of `diagnoses`.
    RootCause = "root_cause",
    /// The rubric.
    Rubric = "rubric",
    /// The rubric's version.
    RubricVersion = "rubric_version",
    /// The run.
    Run = "run",
    /// The granted scopes that the surface knows.
    Scopes = "scopes",
    /// The outside server, a key of the lock.
    Server = "server",
    /// The stage at which it ended.
    Stage = "stage",
    /// The state of the action from here on.
    State = "state",
    /// How it ended.
    Status = "status",
    /// The step of the run, from 1.
    Step = "step",
    /// The surface that the call came over.
    Surface = "surface",
    /// The row of the kill switch.
    Switch = "switch",
    /// The tool.
    Tool = "tool",
    /// The limit's new value.
    Value = "value",
    /// What became of the call.
    Verdict = "verdict",
    /// How much of an output its schema did not allow.
    Violations = "violations",
    /// The workbench role that the person wears.
    WorkbenchRole = "workbench_role",
}

#[cfg(test)]
mod tests {
    use super::{Datum, Event, Field};
    use std::collections::BTreeMap;

    #[test]
    fn facts_stand_in_the_order_of_their_fields_and_once_each() {
        let stated = [(Field::Tool, 1), (Field::Action, 2), (Field::Role, 3), (Field::Tool, 4)];
        let event = stated
            .iter()
            .fold(Event::new("x"), |event, (field, number)| event.with(*field, Datum::Number(*number)));
        let map: BTreeMap<Field, u64> = stated.into_iter().collect();
        let numbers = map.iter().map(|(field, number)| (*field, Datum::Number(*number)));
        assert!(event.fields.iter().map(|(field, datum)| (field, datum.clone())).eq(numbers));
        assert_eq!((event.fields.len(), event.fields.is_empty()), (3, false));
        assert_eq!(event.fields.get(&Field::Tool), Some(&Datum::Number(4)));
        assert_eq!(event.fields.get(&Field::Run), None);
        assert!(event.fields.contains_key(&Field::Role) && !event.fields.contains_key(&Field::Run));
    }

    #[test]
    fn fields_are_sorted_by_name_and_no_two_share_one() {
        // Records are written in this order, and RFC 8785 asks for the names' order.
        let names: Vec<&str> = Field::ALL.iter().map(|field| field.name()).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        assert!(Field::ALL.is_sorted());
        for field in Field::ALL {
            assert_eq!(Field::named(field.name()), Some(*field));
        }
        assert_eq!(Field::named("prompt"), None);
    }
}
