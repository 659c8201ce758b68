//! A model is called while no transaction is open on the connection in hand (SYSTEMS S1).
//!
//! Whoever calls one holds an [`Outside`], which borrows the connection for as long: while it lives, no transaction can be
//! opened on that connection, and inside a transaction, which holds the connection itself, none can be had of it.
//!
//! The compiler sees this one handle and no other: a second connection to the same database, or another store, yields an
//! `Outside` within a step too, and a call that goes to its provider past [`Reservation::call`] asks for none. A server keeps to
//! one connection a turn, and makes its calls in one place.
//!
//! ```
//! use harnessc_runtime::actions::{Ledger, Refusal, Step, Store, keep};
//! use harnessc_runtime::meter::Outside;
//! fn ask(_: &Outside<'_>) -> bool { true }
//! fn turn<S: Store>(store: &mut S, step: impl FnOnce(&Ledger) -> Step<()>) -> Result<(), Refusal> {
//!     let said = ask(&Outside::of(store));
//!     if said { keep(store, "org-1", "run-1", step) } else { Ok(()) }
//! }
//! ```
//! Not from within a step on the ledger:
//! ```compile_fail,E0499
//! use harnessc_runtime::actions::{Ledger, Refusal, Step, Store, keep};
//! use harnessc_runtime::meter::Outside;
//! fn ask(_: &Outside<'_>) -> bool { true }
//! fn turn<S: Store>(store: &mut S) -> Result<(), Refusal> {
//!     keep(store, "org-1", "run-1", |ledger| {
//!         ask(&Outside::of(store));
//!         ledger.sweep(1)
//!     })
//! }
//! ```
//! Nor with one that was taken before and is used in it:
//! ```compile_fail,E0499
//! use harnessc_runtime::actions::{Ledger, Refusal, Step, Store, keep};
//! use harnessc_runtime::meter::Outside;
//! fn ask(_: &Outside<'_>) -> bool { true }
//! fn turn<S: Store>(store: &mut S) -> Result<(), Refusal> {
//!     let outside = Outside::of(store);
//!     keep(store, "org-1", "run-1", |ledger| {
//!         ask(&outside);
//!         ledger.sweep(1)
//!     })
//! }
//! ```
//! Nor from within a change of the shared ledger, which may be tried several times:
//! ```compile_fail,E0499
//! use harnessc_runtime::actions::Store;
//! use harnessc_runtime::meter::{Ledgers, Outside, change};
//! fn ask(_: &Outside<'_>) -> bool { true }
//! fn turn<S: Store + Ledgers>(store: &mut S) {
//!     let _ = change(store, "org-1", |_| ask(&Outside::of(store)));
//! }
//! ```
//! Nor is a reserved call made without one:
//! ```compile_fail,E0061
//! use harnessc_runtime::meter::Reservation;
//! fn call(reservation: &Reservation) -> bool { reservation.call(|| true) }
//! ```

use std::marker::PhantomData;

use super::Reservation;
use crate::actions::Store;

/// Says that no transaction is open on one connection, by holding that connection.
#[derive(Debug)]
pub struct Outside<'a>(PhantomData<&'a mut ()>);

impl<'a> Outside<'a> {
    /// Outside of any transaction on this handle of a store. Of another handle it says nothing.
    #[must_use]
    pub fn of<S: Store + ?Sized>(_: &'a mut S) -> Self {
        Self(PhantomData)
    }
}

impl Reservation {
    /// Makes the one call that was reserved. What comes of it is settled afterwards.
    pub fn call<T>(&self, _: &Outside<'_>, call: impl FnOnce() -> T) -> T {
        call()
    }
}

#[cfg(test)]
mod tests {
    use crate::actions::{Memory, keep};
    use crate::meter::{Day, Estimate, Ledger, Outside};

    /// S1: reserved in one transaction, made outside of all, kept in the next.
    #[test]
    fn a_model_is_called_between_two_transactions() {
        let mut store = Memory::default();
        let reservation = Ledger::default()
            .reserve(None, "run-1", Day(1), "luna", Estimate { input: 1, max_output: 1 })
            .unwrap();
        let said = reservation.call(&Outside::of(&mut store), || "yes");
        assert_eq!(keep(&mut store, "org-1", "run-1", |ledger| ledger.sweep(1)), Ok(()));
        assert_eq!(said, "yes");
    }
}
