//! What comes back: a permit, a proposal or a refusal, always with the event that the audit is told.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::InputFault;
use super::budget::Reservation;
use crate::audit::Event;
use crate::decide::Denial;
use crate::json::Json;
use crate::lock::{Approval, Effect, Preview};

/// A ruling and its record. Where the record cannot be written, nothing is to happen.
#[derive(Debug)]
pub struct Decided {
    /// `agent_run.<code>` of a denial, `agent_run.tool_allowed` or `agent_run.tool_proposed`.
    pub event: Event,
    /// What becomes of the call.
    pub ruling: Ruling,
}

/// What becomes of a call. There is no fourth answer, and no default.
#[derive(Debug)]
pub enum Ruling {
    /// It may run now.
    Allow(Permit),
    /// It does not run.
    Deny(Refusal),
    /// A person must say yes first. Nothing runs from this call.
    Propose(Box<Proposal>),
}

/// A call that may run now.
#[derive(Debug)]
pub enum Permit {
    /// A create that nobody needs to confirm; it runs through the one door of actions alone.
    Create(Box<CreatePermit>),
    /// A read; its tool may be called.
    Read(Box<ReadPermit>),
}

/// The permit of a read. There is no way to make one but a ruling.
#[derive(Debug)]
pub struct ReadPermit {
    pub(super) input: Arc<Json>,
    pub(super) execution: Execution,
    pub(super) reservation: Reservation,
    pub(super) tool: String,
}

impl ReadPermit {
    /// What carries it out.
    #[must_use]
    pub fn execution(&self) -> &Execution {
        &self.execution
    }

    /// The input; its canonical bytes are what is forwarded.
    #[must_use]
    pub fn input(&self) -> &Json {
        &self.input
    }

    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Gives the permit up for its reservation, to be settled when the result is there.
    pub fn spend(self) -> Reservation {
        self.reservation
    }
}

/// The permit of an auto create. There is no way to make one but a ruling, and no way to spend one outside this crate.
#[derive(Debug)]
pub struct CreatePermit {
    pub(super) reservation: Reservation,
    pub(super) subject: Subject,
}

impl CreatePermit {
    /// What it is about.
    #[must_use]
    pub fn subject(&self) -> &Subject {
        &self.subject
    }
}

/// What a pending action is made of.
#[derive(Debug)]
pub struct Proposal {
    /// How strictly a yes is asked for: the stricter of both locks and the overlay.
    pub approval: Approval,
    /// The persona keys that may say yes, sorted; those of both locks. `None`: any authenticated person.
    pub approvers: Option<Vec<String>>,
    /// Its share of the budgets.
    pub reservation: Reservation,
    /// What it is about.
    pub subject: Subject,
}

/// Everything that an action is bound to, owned.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The canonical person the run acts for.
    pub acting_user: String,
    /// The tool's case.
    pub case: Option<String>,
    /// The digest of the cell in force.
    pub cell_digest: String,
    /// Its effect; the stronger where two locks say two.
    pub effect: Effect,
    /// What carries it out.
    pub execution: Execution,
    /// How long a yes may take, in milliseconds; the smaller of both locks'.
    pub expires_after_ms: Option<u64>,
    /// The harness.
    pub harness: Option<String>,
    /// The input that was checked, and that alone is shown, digested and forwarded.
    pub input: Arc<Json>,
    /// The digest of the lock in force.
    pub lock: String,
    /// The organization.
    pub organization: String,
    /// The digest of the overlay in force.
    pub overlay: String,
    /// What an approver is shown.
    pub preview: Preview,
    /// Who asked for the run.
    pub requester: String,
    /// The run role.
    pub role: String,
    /// The run.
    pub run: String,
    /// Bound input → its value's canonical bytes: what the deed is about.
    pub target: BTreeMap<String, String>,
    /// The tool.
    pub tool: String,
}

/// What carries a deed out. Two locks that disagree about it are a `lock_conflict`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Execution {
    /// How the lock says that the server is reached ([`Server::address`](crate::lock::Server::address)); `None`: it does
    /// not say, or the tool is our own.
    pub address: Option<String>,
    /// The digest of the pinned tool.
    pub pinned_digest: Option<String>,
    /// The outside server's key; `None`: a tool of our own.
    pub server: Option<String>,
    /// The tool's name there.
    pub upstream: Option<String>,
}

/// A denial, and what is wrong with the input where that is why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub denial: Denial,
    /// What the caller may know about its input.
    pub fault: Option<InputFault>,
}
