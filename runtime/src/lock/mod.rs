//! The types of `harness.lock`, read and written by the same derive.
//!
//! Every struct lists its fields in the order of their names, so that serialising gives sorted keys; every map is a
//! `BTreeMap`. What a policy does not state is left out, never written as `null`. There is no number with a fraction
//! outside raw JSON: money is integer micro-USD, durations are milliseconds, sizes are bytes.
//!
//! Nothing here judges: loading and proving are rooms of their own.

mod approvals;
mod bounds;
pub mod closed_words;
pub mod digest;
mod effective;
mod guard;
mod harness;
mod people;
mod prompt;
mod raw;
mod root;
mod server;
mod surface;
pub mod text;
mod tool;
mod vocabulary;
mod work;

pub use approvals::{Approvals, Approvers, Batch, Tiers, Treatments};
pub use bounds::{
    Audit, DayLimits, Engines, Evidence, Limits, Phase, Price, Providers, ReasoningStore, Release, Retry,
    RetryModel, RunLimits, Semantic, ToolLimit, Unsupported,
};
pub use effective::{Cell, Effective, NO_HARNESS, NO_HARNESS_WORD, deed_name, split_deed, stands_for};
pub use guard::{Baseline, Level, Policy, Waiver};
pub use harness::{Harness, Mention};
pub use people::{Persona, Role, RoleTools};
pub use prompt::{Compaction, Part, Planning, PlanningWhen, Prompt, Refusal, Window};
pub(crate) use raw::push_hex;
pub use raw::{RawJson, digest_of};
pub use root::{FORMAT, Lock};
pub use server::Server;
pub use surface::{Origin, Scope, Surface};
pub use tool::{Case, Cases, Hints, Pinned, Tool};
pub use vocabulary::{Approval, Effect, Preview, Returns, Undo};
pub use work::{
    Cause, ContextSource, Criterion, DutyTemplate, LensReview, LensView, MemoryLens, PlanStep, PlanTemplate,
    Primitive, RecordType, Rubric, Skill,
};

/// Whether a flag is off, so that serde leaves it out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's skip_serializing_if hands over a reference")]
fn is_false(flag: &bool) -> bool {
    !*flag
}
