//! Where a scorecard may be shown, and where it may not.

use super::{LensError, Scorecard};
use crate::lock::Lock;

/// A record that a scorecard would be attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// Whether it is the decision record of the person who asked for the card.
    pub is_requesters_decision: bool,
    /// Its type, a key of `record_types`.
    pub record_type: &'a str,
}

/// Whether the card may stand beside a record. Never beside one that a gate or check reads or that an approval carries,
/// never beside the proposer's own decision; a type that the lock does not know counts as all of these.
pub fn may_attach(lock: &Lock, card: &Scorecard, place: Place<'_>) -> Result<(), LensError> {
    let kind = lock.record_types.get(place.record_type).ok_or(LensError::GateRecord)?;
    let refusals = [
        (kind.gate, LensError::GateRecord),
        (kind.check_input, LensError::CheckInput),
        (kind.attachment, LensError::Attachment),
        (card.label().is_some() && place.is_requesters_decision, LensError::OwnDecision),
    ];
    match refusals.into_iter().find(|(holds, _)| *holds) {
        Some((_, refused)) => Err(refused),
        None => Ok(()),
    }
}
