//! Which engine answers (rows S1, S3, S10, D13): the model or the rules, for a run and for each of its phases.
//!
//! [`route`] is one function, and every entry asks it once: it reads the kill switch, the key and the budget before any call
//! of a model. A check that fails later is a value ([`Fallback`]), never an exception: [`Engines::fall_back`] says what is
//! done again and what is recorded, the first reason kept. Nothing here calls a model or a tool.

mod fallback;
mod lack;
mod phases;
mod providers;
mod router;
mod switch;
mod unsure;

pub use fallback::Fallback;
pub use lack::{Lack, lacking};
pub use phases::{Engines, Fell, Phase, UNSTATED_CORRECTIONS};
pub use providers::{Picked, Providers};
pub use router::{Conditions, Engine, Entry, NoEngine, Requested, Route, route};
pub use switch::{AiDisabled, Flip, FlipRefused, SwitchRow, flip, observed, propose, read};
pub use unsure::{Escalation, Held, NoDeed, Triage, escalate_only, unsure};
