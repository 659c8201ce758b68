//! From the row that was created to what the boundary asks of a run: every field, or none.

use std::collections::BTreeMap;
use std::fmt;

use super::Row;
use crate::audit::{Datum, Event, Field};
use crate::boundary::{DeedNames, Fact, Lifecycle, Locks, Mode, PlanState, RunState};
use crate::json::Json;

/// What the server looks up for a call, since it moves while the row does not.
#[derive(Clone, Copy, Debug)]
pub struct Live<'a> {
    /// When the run began, whether it has ended, and by when it must.
    pub lifecycle: Lifecycle,
    /// What the run is there for now; never wider than [`Row::mode`].
    pub mode: Mode,
    /// The permissions of the person the run acts for.
    pub permissions: Fact<&'a DeedNames>,
    /// The personas of that person.
    pub personas: &'a [&'a str],
    /// Where the run's plan stands.
    pub plan: Fact<PlanState<'a>>,
    /// Who asked for the run.
    pub requester: &'a str,
    /// The run role.
    pub role: &'a str,
    /// What the run is about: its fields by name.
    pub values: &'a BTreeMap<String, Json>,
}

macro_rules! misfits {
    ($($(#[$doc:meta])* $kind:ident = $code:literal, $says:literal,)*) => {
        /// Why a row and what was looked up are no run together. The server hands the boundary `Unreadable` then, which
        /// denies.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Misfit { $($(#[$doc])* $kind,)* }

        impl Misfit {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The stable code.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Self::$kind => $code,)* }
            }
        }

        impl fmt::Display for Misfit {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$kind => $says,)* })
            }
        }
    };
}

misfits! {
    /// It begins before its row was created.
    Began = "began_before_created", "the run began before its row was created",
    /// The lock does not know the harness on the row.
    Harness = "harness_unknown", "the lock that the run was created under does not know its harness",
    /// The lock that the row names is not held.
    Lock = "lock_missing", "the lock that the run was created under is not held",
    /// A run without a harness is to work.
    Mode = "mode_wider", "a run without a harness only reads",
    /// The field that names what the run is about says otherwise than its row, or nobody knows which field that is.
    Program = "program_mismatch", "the run's field for what it is about is not what its row says",
    /// The lock does not know the role.
    Role = "role_unknown", "the lock that the run was created under does not know its role",
    /// A field is not one that the lock declares, or one that it declares is missing.
    Fields = "fields_mismatch", "the run's fields are not those that its lock declares",
    /// A field's value does not meet its schema, or nothing can say whether it does.
    Value = "value_invalid", "the value of a field does not meet the schema that the lock declares for it",
}

impl std::error::Error for Misfit {}

impl Misfit {
    /// What the audit is told.
    #[must_use]
    pub fn event(self, run: &str) -> Event {
        Event::new("agent_run.row_unfit")
            .with(Field::Code, Datum::Word(self.code()))
            .with(Field::Run, Datum::Id(run.to_owned()))
    }
}

impl Row {
    /// The run as the boundary asks for it. What the row says is never taken from anywhere else.
    ///
    /// # Errors
    /// The first thing that does not fit the row or the lock that the run was created under.
    pub fn state<'a>(&'a self, locks: &'a Locks, live: &Live<'a>) -> Result<RunState<'a>, Misfit> {
        let lock = locks.get(&self.lock_digest).ok_or(Misfit::Lock)?.lock();
        let knows = |harness: &String| lock.harnesses.contains_key(harness);
        for (fits, misfit) in [
            (self.harness.as_ref().is_none_or(knows), Misfit::Harness),
            (lock.roles.contains_key(live.role), Misfit::Role),
            (live.mode != Mode::Work || self.mode() == Mode::Work, Misfit::Mode),
            (live.lifecycle.started_at_ms >= self.created_ms, Misfit::Began),
            (lock.run.keys().eq(live.values.keys()), Misfit::Fields),
        ] {
            if !fits {
                return Err(misfit);
            }
        }
        self.is_about(live.values)?;
        if !locks.takes_values(&self.lock_digest, live.values) {
            return Err(Misfit::Value);
        }
        Ok(RunState {
            acting_user: &self.person,
            harness: self.harness(),
            id: &self.run,
            lifecycle: live.lifecycle,
            lock: &self.lock_digest,
            mode: live.mode,
            organization: &self.organization,
            permissions: live.permissions,
            personas: live.personas,
            plan: live.plan,
            requester: live.requester,
            role: live.role,
            values: live.values,
        })
    }

    /// The one field that says what the run is about has the row's word. Which one it is the row names, except where there is
    /// only one: else a call bound to another field would reach what the row is not about. A run without fields is about nothing
    /// that a call could be bound to.
    fn is_about(&self, values: &BTreeMap<String, Json>) -> Result<(), Misfit> {
        let value = match (&self.field, values.len()) {
            (None, 0) => return Ok(()),
            (None, 1) => values.values().next(),
            (None, _) => None,
            (Some(field), _) => values.get(field),
        };
        let said = value.and_then(|value| value.value().as_str());
        if said == Some(&self.program) { Ok(()) } else { Err(Misfit::Program) }
    }
}
