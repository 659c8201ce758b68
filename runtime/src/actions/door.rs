//! The one door (row D4): nothing is executed but with a token, and nothing yields a token but a consumed approval.
//!
//! A write takes a [`Deed`] by value. Only [`execute`] makes one, out of an [`ExecutionToken`], which [`start`] yields once
//! the store has taken the change that consumes the approval (or [`create`], for a create that may be auto). Neither can
//! be written down, copied or used twice:
//!
//! ```
//! use harnessc_runtime::actions::{Deed, ExecutionToken, execute};
//! fn write(deed: Deed) -> String { deed.input().to_owned() }
//! fn once(token: ExecutionToken) -> String { execute(token, write).result }
//! ```
//! No token, no execution:
//! ```compile_fail,E0308
//! use harnessc_runtime::actions::{Deed, execute};
//! fn write(deed: Deed) -> String { deed.input().to_owned() }
//! execute((), write);
//! ```
//! A token cannot be made by hand:
//! ```compile_fail,E0451
//! use harnessc_runtime::actions::{Deed, ExecutionToken};
//! fn forge(deed: Deed) -> ExecutionToken { ExecutionToken { deed } }
//! ```
//! Nor a deed:
//! ```compile_fail,E0451
//! use harnessc_runtime::actions::Deed;
//! fn forge(input: String) -> Deed { Deed { input, ..unimplemented!() } }
//! ```
//! Nor read from a file or a message:
//! ```compile_fail,E0277
//! use harnessc_runtime::actions::ExecutionToken;
//! fn forge(text: &str) -> ExecutionToken { serde_json::from_str(text).unwrap() }
//! ```
//! One token, one execution:
//! ```compile_fail,E0382
//! use harnessc_runtime::actions::{Deed, ExecutionToken, execute};
//! fn write(deed: Deed) -> String { deed.input().to_owned() }
//! fn twice(token: ExecutionToken) { execute(token, write); execute(token, write); }
//! ```
//! No copies of it, and none of its deed:
//! ```compile_fail,E0277
//! use harnessc_runtime::actions::ExecutionToken;
//! fn copy(token: &ExecutionToken) -> ExecutionToken { ExecutionToken::clone(token) }
//! ```
//! ```compile_fail,E0382
//! use harnessc_runtime::actions::{Deed, ExecutionToken, execute};
//! fn write(deed: Deed) -> String { deed.input().to_owned() }
//! fn twice(token: ExecutionToken) { execute(token, |deed| { write(deed); write(deed) }); }
//! ```
//! And a change that no store has taken yields none:
//! ```compile_fail,E0624
//! use harnessc_runtime::actions::{ActionId, Facts, Ledger};
//! fn ahead(ledger: &Ledger, id: &ActionId, facts: &Facts<'_>) { ledger.begin(id, facts, None); }
//! ```

use super::store::persist;
use super::{Action, ActionId, CellRef, CreatePermit, Execution, Facts, Nonce, PreImage, Refusal, Store};

/// The right to execute one action once. It is spent by being used; a worker that drops it leaves an action that is
/// `executing` and becomes `unknown`.
#[derive(Debug)]
#[must_use]
pub struct ExecutionToken {
    deed: Deed,
}

/// What is to be done, exactly as it was approved. A write takes it by value.
#[derive(Debug)]
pub struct Deed {
    cell: CellRef,
    execution: Execution,
    input: String,
    receipt: Receipt,
    target: String,
}

impl Deed {
    pub(super) fn of(action: &Action) -> Self {
        let proposal = &action.proposal;
        Self {
            cell: proposal.cell.clone(),
            execution: proposal.execution.clone(),
            input: proposal.input.clone(),
            receipt: Receipt {
                action: action.id.clone(),
                digest: action.digest.clone(),
                organization: proposal.organization.clone(),
                run: proposal.run.clone(),
            },
            target: proposal.target.clone(),
        }
    }

    /// The tool and its case.
    #[must_use]
    pub fn cell(&self) -> &CellRef {
        &self.cell
    }

    /// Where it is executed.
    #[must_use]
    pub fn execution(&self) -> &Execution {
        &self.execution
    }

    /// The canonical input bytes: those that were validated, shown and approved.
    #[must_use]
    pub fn input(&self) -> &str {
        &self.input
    }

    /// Which action this is.
    #[must_use]
    pub fn receipt(&self) -> &Receipt {
        &self.receipt
    }

    /// The bound target, canonical JSON.
    #[must_use]
    pub fn target(&self) -> &str {
        &self.target
    }
}

/// Says which execution it was, to whoever reports its end. It gives no right to anything.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Receipt {
    pub(super) action: ActionId,
    pub(super) digest: String,
    pub(super) organization: String,
    pub(super) run: String,
}

impl Receipt {
    /// The action.
    #[must_use]
    pub fn action(&self) -> &ActionId {
        &self.action
    }

    /// The run.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }
}

/// What an execution handed back, and the receipt to report its end with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Performed<R> {
    /// To report the end with.
    pub receipt: Receipt,
    /// What the write handed back; a future, where it is asynchronous.
    pub result: R,
}

/// Consumes an approval and starts its execution, in one change of the store. Where the store does not take it, there
/// is no token, and the approval is not consumed.
pub fn start<S: Store>(
    store: &mut S,
    organization: &str,
    run: &str,
    id: &ActionId,
    facts: &Facts<'_>,
    pre_image: Option<&PreImage>,
) -> Result<ExecutionToken, Refusal> {
    persist(store, organization, run, pre_image, |ledger| ledger.begin(id, facts, pre_image))
        .map(|deed| ExecutionToken { deed })
}

/// Starts a create that may run without a yes, through the same door and counted as an action of the run.
pub fn create<S: Store>(
    store: &mut S,
    permit: CreatePermit,
    id: ActionId,
    nonce: Nonce,
    facts: &Facts<'_>,
) -> Result<ExecutionToken, Refusal> {
    let (organization, run) = (permit.organization().to_owned(), permit.run().to_owned());
    persist(store, &organization, &run, None, |ledger| ledger.begin_create(permit, id, nonce, facts))
        .map(|deed| ExecutionToken { deed })
}

/// Does what was approved. The token is spent whatever comes of it.
pub fn execute<R>(token: ExecutionToken, perform: impl FnOnce(Deed) -> R) -> Performed<R> {
    let receipt = token.deed.receipt.clone();
    Performed { receipt, result: perform(token.deed) }
}
