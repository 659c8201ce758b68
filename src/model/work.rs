//! Plans, skills, diagnoses, duties, records, lenses: the vocabulary of the work.

use super::keyed::Keyed;
use super::lists::ToolList;
use super::read::{fields, words};
use super::scalars::Raw;
use crate::source::Spanned;

fields! {
    /// A plan that a harness may propose.
    PlanTemplate = "a plan template" {
        /// What a person reads.
        req title: Spanned<String>,
        /// Its steps by key.
        req steps: Keyed<Step>,
    }
}

fields! {
    /// One step of a plan.
    Step = "a step" {
        /// The tool, or one case of it.
        req tool: Spanned<String>,
        /// The steps that must be done before.
        opt after: Vec<Spanned<String>>,
        /// The exact input: a plan whose steps carry one is a batch, and an approval binds it.
        opt input: Raw,
    }
}

fields! {
    /// An allow-list of tools with instructions.
    Skill = "a skill" {
        /// What a person reads.
        req title: Spanned<String>,
        /// Raised when the instructions change.
        req version: Spanned<u64>,
        /// The tools it uses; in the toolset of each harness that has the skill.
        req tools: ToolList,
        /// A file below `prompts/<prompt_version>/`.
        opt instructions: Spanned<String>,
        /// The one tool by which the skill itself is called; exempt from the plan gate.
        opt tool: Spanned<String>,
    }
}

fields! {
    /// One root cause of a category of trouble.
    RootCause = "a root cause" {
        /// The tools that a plan for it must hold.
        req requires: Vec<Spanned<String>>,
    }
}

fields! {
    /// Work that is done without being asked for.
    DutyTemplate = "a duty template" {
        /// What a person reads.
        opt title: Spanned<String>,
        /// The persona whose duty it is.
        req persona: Spanned<String>,
        /// Only when such a person wears this harness.
        opt when_wearing: Spanned<String>,
        /// The plan template it follows.
        req plan: Spanned<String>,
    }
}

fields! {
    /// A kind of record.
    RecordType = "a record type" {
        /// What a person reads.
        req title: Spanned<String>,
        /// Whether a stage gate asks for it.
        opt gate: Spanned<bool>,
        /// Whether checks read it.
        opt check_input: Spanned<bool>,
        /// Whether it is attached to approvals.
        opt attachment: Spanned<bool>,
    }
}

fields! {
    /// A part of memory that a harness recalls.
    MemoryLens = "a memory lens" {
        /// What a person reads.
        req title: Spanned<String>,
        /// The kinds of note it lets through.
        req kinds: Vec<Spanned<String>>,
    }
}

words! {
    /// How much a source says about identifiable persons.
    Pii = "a level of personal data" {
        /// Nothing.
        None = "none",
        /// Little.
        Low = "low",
        /// Much.
        High = "high",
    }
}

fields! {
    /// Where data comes from (seed 004).
    ContextSource = "a context source" {
        /// What a person reads.
        req title: Spanned<String>,
        /// The system it comes from.
        req origin: Spanned<String>,
        /// How much it says about persons.
        req pii: Spanned<Pii>,
        /// Whether its text is untrusted.
        opt untrusted: Spanned<bool>,
    }
}

fields! {
    /// A reading of one record through up to four harnesses (seed 003).
    LensReview = "a lens review" {
        /// The harnesses; at most four.
        req lenses: Spanned<Vec<Spanned<String>>>,
        /// The record types it may be asked of; none that a gate needs.
        req records: Vec<Spanned<String>>,
        /// The fixed sentence on every scorecard; `{role}` is the role.
        req phrase: Spanned<String>,
        /// How the scorecard is laid out.
        req view: LensView,
        /// The tools it uses; reads alone. Unsaid: what each lens's harness reads.
        opt tools: ToolList,
        /// Never allowed: a scorecard is summed up by nobody.
        hid aggregate: Raw,
        /// Never allowed: lenses are not ranked.
        hid ranking: Raw,
        /// Never allowed: a lens concludes nothing.
        hid verdict: Raw,
    }
}

fields! {
    /// How a scorecard is laid out.
    LensView = "`view`" {
        /// What stands in the rows.
        req rows: Spanned<ViewAxis>,
        /// What stands in the columns.
        req columns: Spanned<ViewAxis>,
        /// What is shown before all else.
        req first: Spanned<String>,
        /// Never allowed: a scorecard is summed up by nobody.
        hid aggregate: Raw,
        /// Never allowed: lenses are not ranked.
        hid ranking: Raw,
        /// Never allowed: a lens concludes nothing.
        hid verdict: Raw,
    }
}

words! {
    /// An axis of a scorecard.
    ViewAxis = "an axis of a scorecard" {
        /// The rubric's criteria.
        Criteria = "criteria",
        /// The lenses.
        Lenses = "lenses",
    }
}

words! {
    /// Whether a part of a harness is in use (seed 000).
    PrimitiveState = "the state of a primitive" {
        /// Exercised on every request.
        LoadBearing = "load_bearing",
        /// The seam is there, little behind it.
        Stub = "stub",
    }
}

fields! {
    /// A part of the machinery around the model, and who owns it (seed 000's lens).
    Primitive = "a primitive" {
        /// The file or folder that owns it.
        req owner: Spanned<String>,
        /// Whether it is in use.
        req state: Spanned<PrimitiveState>,
    }
}
