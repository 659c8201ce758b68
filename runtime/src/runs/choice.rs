//! Which harness a new run wears.

use std::fmt;

use super::{NewRun, Row};
use crate::audit::{Datum, Event, Field};
use crate::lock::{Harness, Lock};

macro_rules! refusals {
    ($($(#[$doc:meta])* $kind:ident = $code:literal, $says:literal,)*) => {
        /// Why no run was created (SYSTEMS C4).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Refused { $($(#[$doc])* $kind,)* }

        impl Refused {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The stable code.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Self::$kind => $code,)* }
            }
        }

        impl fmt::Display for Refused {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$kind => $says,)* })
            }
        }
    };
}

refusals! {
    /// The workbench role is no harness of this policy.
    UnknownRole = "workbench_role_unknown", "the chosen workbench role is no harness of this policy",
    /// The person holds none of the personas that may wear the role.
    RoleNotHeld = "workbench_role_not_held", "the person holds none of the personas that may work as the chosen role",
    /// No workbench role is set and no persona of the person has a place in the fallback order.
    NoPersona = "persona_without_harness", "no workbench role is set, and none of the person's personas stands in the fallback order",
    /// The persona that is next has no harness of its own.
    NoNeutralHarness = "neutral_harness_missing", "the person's persona has no harness of its own in this policy",
}

impl std::error::Error for Refused {}

/// What a run wears and under whose authority.
struct Choice<'l> {
    harness: Option<(&'l str, &'l Harness)>,
    persona: Option<String>,
    worn: bool,
}

/// Creates the row, with the event that says so; a refusal comes with its event too.
///
/// The harness is the person's workbench role for this program where one is set, else the neutral harness of the first
/// persona in `persona_fallback` that the person holds. A person with none of these, and with a persona of
/// `harness: none`, gets a run without a harness, which reads only. A workbench role is never replaced by the fallback:
/// one that cannot be worn is refused.
pub fn create(lock: &Lock, new: &NewRun<'_>) -> Result<(Row, Event), (Refused, Event)> {
    let choice = choose(lock, new).map_err(|refused| (refused, refused_event(lock, new, refused)))?;
    let (key, harness) = choice.harness.unzip();
    let rubric = harness.and_then(|harness| harness.rubric_key.clone());
    let row = Row {
        created_ms: new.now_ms,
        harness: key.map(str::to_owned),
        harness_version: harness.and_then(|_| lock.policy.harness_version.clone()),
        lock_digest: new.lock_digest.to_owned(),
        organization: new.organization.to_owned(),
        person: new.person.to_owned(),
        persona: choice.persona,
        personas: harness.map(|harness| harness.personas.clone()).unwrap_or_default(),
        program: new.program.to_owned(),
        field: None,
        rubric_version: rubric.as_ref().and_then(|key| lock.rubrics.get(key)).map(|rubric| rubric.version),
        rubric,
        run: new.run.to_owned(),
        workbench_role: key.filter(|_| choice.worn).map(str::to_owned),
    };
    let event = row.signed(Event::new("agent_run.created"));
    Ok((row, event))
}

fn choose<'l>(lock: &'l Lock, new: &NewRun<'_>) -> Result<Choice<'l>, Refused> {
    let Some(role) = new.workbench_role else { return fall_back(lock, new) };
    let (key, harness) = lock.harnesses.get_key_value(role).ok_or(Refused::UnknownRole)?;
    let worn =
        |persona: Option<String>| Choice { harness: Some((key.as_str(), harness)), persona, worn: true };
    // A policy without personas checks none.
    if lock.personas.is_empty() {
        return Ok(worn(None));
    }
    let may =
        |persona: &&String| harness.personas.contains(*persona) && new.personas.contains(&persona.as_str());
    let ordered = lock.persona_fallback.iter().chain(harness.personas.iter());
    let persona = ordered.into_iter().find(may).ok_or(Refused::RoleNotHeld)?;
    Ok(worn(Some(persona.clone())))
}

fn fall_back<'l>(lock: &'l Lock, new: &NewRun<'_>) -> Result<Choice<'l>, Refused> {
    let held = |persona: &&String| new.personas.contains(&persona.as_str());
    if let Some(persona) = lock.persona_fallback.iter().find(held) {
        let harness = lock.harnesses.get_key_value(persona).ok_or(Refused::NoNeutralHarness)?;
        let may = harness.1.personas.contains(persona);
        let harness = may.then_some((harness.0.as_str(), harness.1)).ok_or(Refused::NoNeutralHarness)?;
        return Ok(Choice { harness: Some(harness), persona: Some(persona.clone()), worn: false });
    }
    let without = lock.personas.iter().filter(|(_, persona)| !persona.harness).map(|(key, _)| key);
    let persona = without.into_iter().find(held).ok_or(Refused::NoPersona)?;
    Ok(Choice { harness: None, persona: Some(persona.clone()), worn: false })
}

/// A role that the lock does not know is a name from outside, and is left out.
fn refused_event(lock: &Lock, new: &NewRun<'_>, refused: Refused) -> Event {
    let event = Event::new("agent_run.creation_refused")
        .with(Field::ActingUser, Datum::Id(new.person.to_owned()))
        .with(Field::Code, Datum::Word(refused.code()))
        .with(Field::Lock, Datum::Digest(new.lock_digest.to_owned()));
    match new.workbench_role.filter(|role| lock.harnesses.contains_key(*role)) {
        Some(role) => event.with(Field::WorkbenchRole, Datum::Key(role.to_owned())),
        None => event,
    }
}
