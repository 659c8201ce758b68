//! Whether an answer is carried by what the run itself saw (rows E6, E7, S2).
//!
//! The evidence guard asks no model: it reads the draft strictly, holds every citation against the projections of this run's
//! own tool calls, and hands back either a [`Verified`] draft with its [`Snapshot`] or a list of [`Issue`]s that quote nothing.
//! The semantic guard asks a [`Judge`] one isolated question ([`Trial`]). Only what passed both has the values that
//! `release` takes.

mod answers;
mod draft;
mod guard;
mod issue;
mod quote;
mod reply;
mod semantic;
mod snapshot;

pub use answers::{Corrections, Next, diagnosis, plan};
pub use draft::{Citation, Conclusion, Draft, MAX_DRAFT_BYTES};
pub use guard::{Checked, Guard, Invocation, Status, Subject, UNSTATED_REPAIRS, Verdict};
pub use issue::{Issue, IssueCode};
pub use reply::{ReplyRules, reply};
pub use semantic::{Judge, JudgeFault, Judged, MAX_ATTEMPTS, Opinion, Question, Trial, Turn, judge};
pub use snapshot::{Observed, Snapshot, Verified};
