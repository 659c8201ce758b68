//! The run's row, and what of it travels with the run.

use serde::Serialize;

use crate::audit::{Datum, Event, Field};
use crate::boundary::Mode;

/// What the server knows when a run is asked for. Ids are its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRun<'a> {
    /// The digest of the lock in force, `sha256:<64 hex>`.
    pub lock_digest: &'a str,
    /// The store's clock, in milliseconds since the epoch.
    pub now_ms: u64,
    /// The organization.
    pub organization: &'a str,
    /// The canonical id of the person the run acts for.
    pub person: &'a str,
    /// The personas that the person holds for this program, looked up now.
    pub personas: &'a [&'a str],
    /// The program, or whatever the run is about.
    pub program: &'a str,
    /// The run's id.
    pub run: &'a str,
    /// The harness that the person has chosen to work as in this program.
    pub workbench_role: Option<&'a str>,
}

/// A run's row. Its fields are read and never set: nothing about a run changes but its state, which stands elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub(super) created_ms: u64,
    /// The field of the lock's `run` that says what the run is about.
    pub(super) field: Option<String>,
    pub(super) harness: Option<String>,
    pub(super) harness_version: Option<String>,
    pub(super) lock_digest: String,
    pub(super) organization: String,
    pub(super) person: String,
    pub(super) persona: Option<String>,
    pub(super) personas: Vec<String>,
    pub(super) program: String,
    pub(super) rubric: Option<String>,
    pub(super) rubric_version: Option<u64>,
    pub(super) run: String,
    pub(super) workbench_role: Option<String>,
}

impl Row {
    /// When the run was created.
    #[must_use]
    pub fn created_ms(&self) -> u64 {
        self.created_ms
    }

    /// The row, where the lock declares several fields of a run: this one says what the run is about (`program_id`). Without it
    /// such a row makes no run.
    #[must_use]
    pub fn about(self, field: &str) -> Self {
        Self { field: Some(field.to_owned()), ..self }
    }

    /// The harness; `None`: the run wears none and reads only.
    #[must_use]
    pub fn harness(&self) -> Option<&str> {
        self.harness.as_deref()
    }

    /// The tree's `harness_version`, where it states one and the run wears a harness.
    #[must_use]
    pub fn harness_version(&self) -> Option<&str> {
        self.harness_version.as_deref()
    }

    /// The digest of the lock that the run was created under and keeps.
    #[must_use]
    pub fn lock_digest(&self) -> &str {
        &self.lock_digest
    }

    /// The organization.
    #[must_use]
    pub fn organization(&self) -> &str {
        &self.organization
    }

    /// The person the run acts for.
    #[must_use]
    pub fn person(&self) -> &str {
        &self.person
    }

    /// The persona that is the run's authority for duties, also where the person works as a role (SYSTEMS C17).
    #[must_use]
    pub fn persona(&self) -> Option<&str> {
        self.persona.as_deref()
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The rubric, where the harness has one.
    #[must_use]
    pub fn rubric(&self) -> Option<&str> {
        self.rubric.as_deref()
    }

    /// The rubric's version.
    #[must_use]
    pub fn rubric_version(&self) -> Option<u64> {
        self.rubric_version
    }

    /// The run.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// The workbench role that the person wears; `None`: the run wears a neutral harness, or none.
    #[must_use]
    pub fn workbench_role(&self) -> Option<&str> {
        self.workbench_role.as_deref()
    }

    /// What the run is there for as long as nothing narrows it further: one without a harness only looks on.
    #[must_use]
    pub fn mode(&self) -> Mode {
        if self.harness.is_some() { Mode::Work } else { Mode::Viewer }
    }

    /// What the run's process is started with.
    #[must_use]
    pub fn bootstrap(&self) -> Bootstrap<'_> {
        Bootstrap {
            harness_key: self.harness(),
            harness_personas: self.personas.iter().map(String::as_str).collect(),
            harness_version: self.harness_version(),
            run_id: &self.run,
            twin: self.workbench_role().map(|workbench_role_key| Twin { workbench_role_key }),
        }
    }

    /// An event with what every write of an agent carries (SYSTEMS C15): harness and rubric with their versions, run,
    /// acting person.
    #[must_use]
    pub fn signed(&self, event: Event) -> Event {
        let key = |name: &str| Datum::Key(name.to_owned());
        let mut event = event
            .with(Field::ActingUser, Datum::Id(self.person.clone()))
            .with(Field::Lock, Datum::Digest(self.lock_digest.clone()))
            .with(Field::Run, Datum::Id(self.run.clone()));
        let named = [
            (Field::Harness, self.harness()),
            (Field::HarnessVersion, self.harness_version()),
            (Field::Persona, self.persona()),
            (Field::Rubric, self.rubric()),
            (Field::WorkbenchRole, self.workbench_role()),
        ];
        for (field, name) in named {
            if let Some(name) = name {
                event = event.with(field, key(name));
            }
        }
        match self.rubric_version {
            Some(version) => event.with(Field::RubricVersion, Datum::Number(version)),
            None => event,
        }
    }
}

/// What the run's process learns of itself (SYSTEMS C5). It holds no list of tools: what the run may call is asked of the
/// server each time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bootstrap<'a> {
    /// The harness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harness_key: Option<&'a str>,
    /// The personas that may wear it.
    pub harness_personas: Vec<&'a str>,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harness_version: Option<&'a str>,
    /// The run.
    pub run_id: &'a str,
    /// For a person's twin: the role it works as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twin: Option<Twin<'a>>,
}

/// The twin part of a [`Bootstrap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Twin<'a> {
    /// The workbench role.
    pub workbench_role_key: &'a str,
}
