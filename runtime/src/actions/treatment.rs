//! How a deed is shown to a person (row D10): what the policy states of its effect, and never less than its approval asks for.

use crate::lock::{Approval, Approvals, Effect};

/// How a deed, or a batch of them, is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Treatment {
    /// Not at all; the call is recorded.
    Silent,
    /// As a message that it happened.
    Notify,
    /// As a card that waits for an answer.
    PlanCard,
    /// All changes of a plan as one card.
    OnePlanCard,
}

impl Treatment {
    /// Every treatment.
    pub const ALL: [Self; 4] = [Self::Silent, Self::Notify, Self::PlanCard, Self::OnePlanCard];

    /// Its word in the lock.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Notify => "notify",
            Self::PlanCard => "plan_card",
            Self::OnePlanCard => "one_plan_card",
        }
    }

    /// Whether it puts a question to a person.
    #[must_use]
    pub fn asks(self) -> bool {
        matches!(self, Self::PlanCard | Self::OnePlanCard)
    }

    /// How a deed of this effect and this approval in force is shown. Unsaid: a read silently, a create that is auto as a
    /// message. What waits for a person is a card, whatever is stated of its effect: a tool can ask for more than its tier.
    #[must_use]
    pub fn of(approvals: &Approvals, effect: Effect, approval: Approval) -> Self {
        let stated = approvals.treatments.as_ref().and_then(|stated| match effect {
            Effect::Read => stated.read.as_deref(),
            Effect::Create => stated.create.as_deref(),
            Effect::Write => stated.write.as_deref(),
            Effect::Destructive => stated.destructive.as_deref(),
        });
        match (Self::read(stated), approval, effect) {
            (Some(stated), _, _) if stated.asks() => stated,
            (_, Approval::Confirm | Approval::FourEyes, _) => Self::PlanCard,
            (Some(stated), Approval::Auto, _) => stated,
            (None, Approval::Auto, Effect::Read) => Self::Silent,
            (None, Approval::Auto, _) => Self::Notify,
        }
    }

    /// How a batch is shown: always as a card; unsaid, as one for all of it.
    #[must_use]
    pub fn of_batch(approvals: &Approvals) -> Self {
        let stated = approvals.batch.as_ref().and_then(|batch| batch.treatment.as_deref());
        Self::read(stated).filter(|stated| stated.asks()).unwrap_or(Self::OnePlanCard)
    }

    fn read(word: Option<&str>) -> Option<Self> {
        Self::ALL.into_iter().find(|treatment| Some(treatment.word()) == word)
    }
}

#[cfg(test)]
mod tests {
    use super::Treatment;
    use crate::lock::closed_words::{CARDS, TREATMENTS};
    use crate::lock::{Approval, Approvals, Batch, Effect, Treatments};

    const EFFECTS: [Effect; 4] = [Effect::Read, Effect::Create, Effect::Write, Effect::Destructive];

    fn stating(word: &str) -> Approvals {
        let word = || Some(word.to_owned());
        let treatments = Treatments { create: word(), destructive: word(), read: word(), write: word() };
        let batch = Batch { keep_partial: None, on_failure: None, treatment: word() };
        Approvals { batch: Some(batch), treatments: Some(treatments), ..Approvals::default() }
    }

    #[test]
    fn the_words_are_the_locks() {
        assert_eq!(Treatment::ALL.map(Treatment::word), TREATMENTS);
        for treatment in Treatment::ALL {
            assert_eq!(treatment.asks(), CARDS.contains(&treatment.word()));
        }
    }

    #[test]
    fn what_waits_is_always_a_card() {
        for stated in
            Treatment::ALL.map(|treatment| stating(treatment.word())).iter().chain([&Approvals::default()])
        {
            for effect in EFFECTS {
                for approval in [Approval::Confirm, Approval::FourEyes] {
                    assert!(Treatment::of(stated, effect, approval).asks(), "{stated:?} {effect:?}");
                }
            }
            assert!(Treatment::of_batch(stated).asks());
        }
    }

    #[test]
    fn what_runs_at_once_is_shown_as_stated() {
        for treatment in Treatment::ALL {
            let stated = stating(treatment.word());
            for effect in EFFECTS {
                assert_eq!(Treatment::of(&stated, effect, Approval::Auto), treatment);
            }
        }
        let unsaid = Approvals::default();
        assert_eq!(Treatment::of(&unsaid, Effect::Read, Approval::Auto), Treatment::Silent);
        assert_eq!(Treatment::of(&unsaid, Effect::Create, Approval::Auto), Treatment::Notify);
    }
}
