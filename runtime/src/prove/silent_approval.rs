//! What waits for a person is shown as a card that asks.

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::closed_words::CARDS;
use crate::lock::{Approval, Effect, Lock};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    let approvals = &lock.approvals;
    if let Some(shown) = &approvals.treatments {
        for (effect, treatment) in [
            (Effect::Read, &shown.read),
            (Effect::Create, &shown.create),
            (Effect::Write, &shown.write),
            (Effect::Destructive, &shown.destructive),
        ] {
            let waits = approvals.at_least.of(effect) > Approval::Auto;
            hold(
                !waits || asks(treatment.as_deref()),
                || "approvals/treatments".to_owned(),
                || format!("what is {} waits for a person, and its treatment asks nobody", effect.word()),
            )?;
        }
    }
    let batch = approvals.batch.as_ref().and_then(|batch| batch.treatment.as_deref());
    hold(
        asks(batch),
        || "approvals/batch".to_owned(),
        || "a batch waits for a person, and its treatment asks nobody".to_owned(),
    )
}

/// What is not said is a card.
fn asks(treatment: Option<&str>) -> bool {
    treatment.is_none_or(|treatment| CARDS.contains(&treatment))
}
