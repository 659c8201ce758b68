//! What names stand for.

/// The kinds of definition, each with its own names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// A key of `types:`.
    Type,
    /// A key of `run:`.
    RunField,
    /// What `bind` takes: `run.` and a key of `run:`; a name of this space lacks the `run.` and leads nowhere.
    RunValue,
    /// A key of `servers:`.
    Server,
    /// A key of `tools:`.
    Tool,
    /// A case of a tool.
    Case,
    /// A key of `toolsets:`.
    Toolset,
    /// A key of `personas:`.
    Persona,
    /// A key of `roles:`.
    Role,
    /// A key of `harnesses:`.
    Harness,
    /// A key of `surfaces:`.
    Surface,
    /// A scope of a surface.
    Scope,
    /// A key of `skills:`.
    Skill,
    /// A key of `rubrics:`.
    Rubric,
    /// A key of `refusals:`.
    Refusal,
    /// A key of `plan_templates:`.
    Plan,
    /// A step of a plan template.
    Step,
    /// A key of `status_templates:`.
    StatusTemplate,
    /// A key of `record_types:`.
    RecordType,
    /// A key of `memory_lenses:`.
    MemoryLens,
    /// A key of `duty_templates:`.
    Duty,
    /// A key of `lens_reviews:`.
    LensReview,
    /// A section's name, as in `{keys: record_types}`.
    Section,
    /// A section, test or part of the manifest that nothing names.
    Other,
}

impl Space {
    /// "a tool", for a sentence.
    pub fn said(self) -> &'static str {
        match self {
            Self::Type => "a type",
            Self::RunField => "a field of the run",
            Self::RunValue => "a value of the run",
            Self::Server => "a server",
            Self::Tool => "a tool",
            Self::Case => "a case",
            Self::Toolset => "a toolset",
            Self::Persona => "a persona",
            Self::Role => "a role",
            Self::Harness => "a harness",
            Self::Surface => "a surface",
            Self::Scope => "a scope",
            Self::Skill => "a skill",
            Self::Rubric => "a rubric",
            Self::Refusal => "a refusal",
            Self::Plan => "a plan template",
            Self::Step => "a step",
            Self::StatusTemplate => "a status template",
            Self::RecordType => "a record type",
            Self::MemoryLens => "a memory lens",
            Self::Duty => "a duty template",
            Self::LensReview => "a lens review",
            Self::Section => "a section",
            Self::Other => "a definition",
        }
    }

    /// "tool": the same without its article.
    pub fn noun(self) -> &'static str {
        self.said().split_once(' ').map_or("", |(_, noun)| noun)
    }

    /// The section that defines such names.
    pub fn section(self) -> &'static str {
        match self {
            Self::Type => "types",
            Self::RunField | Self::RunValue => "run",
            Self::Server => "servers",
            Self::Tool | Self::Case => "tools",
            Self::Toolset => "toolsets",
            Self::Persona => "personas",
            Self::Role => "roles",
            Self::Harness => "harnesses",
            Self::Surface | Self::Scope => "surfaces",
            Self::Skill => "skills",
            Self::Rubric => "rubrics",
            Self::Refusal => "refusals",
            Self::Plan | Self::Step => "plan_templates",
            Self::StatusTemplate => "status_templates",
            Self::RecordType => "record_types",
            Self::MemoryLens => "memory_lenses",
            Self::Duty => "duty_templates",
            Self::LensReview => "lens_reviews",
            Self::Section | Self::Other => "",
        }
    }

    /// The space of the definitions that hold such names.
    pub fn holder(self) -> Option<Self> {
        match self {
            Self::Case => Some(Self::Tool),
            Self::Scope => Some(Self::Surface),
            Self::Step => Some(Self::Plan),
            _ => None,
        }
    }
}

/// One definition, by what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol<'m> {
    /// What kind of definition.
    pub space: Space,
    /// The definition it lies within: a case's tool, a scope's surface, a step's plan.
    pub within: Option<&'m str>,
    /// Its key.
    pub key: &'m str,
}

impl<'m> Symbol<'m> {
    /// A definition that stands by itself.
    pub fn new(space: Space, key: &'m str) -> Self {
        Self { space, within: None, key }
    }

    /// One that lies within another.
    pub fn within(space: Space, within: &'m str, key: &'m str) -> Self {
        Self { space, within: Some(within), key }
    }
}
