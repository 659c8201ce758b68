//! One ledger, many runs: read, changed, and put back only where nobody else was first.

use super::Ledger;

/// How often a change is tried on the newer ledger before the caller is told.
const ATTEMPTS: usize = 16;

/// Where an organization's ledger is kept.
pub trait Ledgers {
    /// The ledger, an empty one where there is none yet.
    ///
    /// # Errors
    /// Where the store cannot say.
    fn read(&self, organization: &str) -> Result<Ledger, LedgerFault>;

    /// Puts a ledger in the place of the one whose version is `expected`. False where that one is not there any more.
    ///
    /// # Errors
    /// Where it cannot be done or nobody knows whether it was.
    fn swap(&self, organization: &str, expected: u64, ledger: &Ledger) -> Result<bool, LedgerFault>;
}

impl<L: Ledgers + ?Sized> Ledgers for &L {
    fn read(&self, organization: &str) -> Result<Ledger, LedgerFault> {
        (**self).read(organization)
    }

    fn swap(&self, organization: &str, expected: u64, ledger: &Ledger) -> Result<bool, LedgerFault> {
        (**self).swap(organization, expected, ledger)
    }
}

/// A ledger that could not be changed. A call that waited for it is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedgerFault {
    /// Others were first each time.
    Contended,
    /// The store cannot be reached, refused, or did not answer.
    Unavailable,
}

impl LedgerFault {
    /// The stable code that denies.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Contended => "budget_contended",
            Self::Unavailable => "budget_unavailable",
        }
    }
}

/// Applies a change to the ledger that is in force when it lands: read, changed, swapped, and again on the newer one where
/// another run was first. `change` may therefore be called several times, each time on a ledger of its own; it has no way to the
/// store, which is held for as long. Runs that share one hand in a reference of their own (`&mut &shared`).
///
/// # Errors
/// Where the store fails or others were first each time. Whatever waited is denied.
pub fn change<T>(
    ledgers: &mut dyn Ledgers,
    organization: &str,
    mut change: impl FnMut(&mut Ledger) -> T,
) -> Result<T, LedgerFault> {
    for _ in 0..ATTEMPTS {
        let mut ledger = ledgers.read(organization)?;
        let version = ledger.version();
        let outcome = change(&mut ledger);
        if ledger.version() == version || ledgers.swap(organization, version, &ledger)? {
            return Ok(outcome);
        }
    }
    Err(LedgerFault::Contended)
}
