//! Pending actions: what an agent proposed, who said yes, and the one door through which it is executed.
//!
//! A write never runs from a call. It becomes an [`Action`], bound by a digest to exactly what people are shown; people
//! answer ([`Ledger::decide`]); one approved action is consumed once ([`start`]) and yields an [`ExecutionToken`], without
//! which nothing can be executed ([`execute`]). All of it is values and pure functions: time, ids, nonces and what is true
//! now come in as arguments, and a [`Store`] needs to do no more than compare a version and set.
//!
//! Nothing here reads a clock, throws dice, looks a person up or retries. Whatever is in doubt is refused with a code.

mod action;
mod answer;
mod batch;
mod binding;
mod consume;
mod create;
mod decide;
mod door;
mod eligible;
mod facts;
mod ids;
mod ledger;
mod memory;
mod pre_image;
mod proposal;
mod propose;
mod refusal;
mod resume;
mod settle;
mod sound;
mod state;
mod store;
mod trail;
mod treatment;
mod voter;
mod work;

pub use action::{Action, Says, Vote};
pub use answer::{Answer, Subject};
pub use batch::{Batch, BatchDraft, BatchResult, StepResult};
pub use create::CreatePermit;
pub use decide::Decided;
pub use door::{Deed, ExecutionToken, Performed, Receipt, create, execute, start};
pub use facts::{Facts, Rules, Standing, Switch};
pub use ids::{ActionId, BatchId, Nonce, PersonId};
pub use ledger::Ledger;
pub use memory::Memory;
pub use pre_image::{PreImage, restore};
pub use proposal::{Asked, CellRef, Draft, Execution, Origins, Proposal, Requester};
pub use refusal::Refusal;
pub use resume::{ResumeTurn, resume_turn};
pub use settle::Ended;
pub use state::{Move, State};
pub use store::{Change, Store, StoreError, keep};
pub use trail::{Gap, Story, reconstruct};
pub use treatment::Treatment;
pub use voter::{Assurance, Directory, Voter};
pub use work::Step;
