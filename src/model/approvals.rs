//! `approvals:`: who must agree to what.

use super::keys::ByDeed;
use super::read::{fields, words};
use super::scalars::Duration;
use super::words::Approval;
use crate::source::Spanned;

fields! {
    /// The tree's approvals. Its fields may stand in several files.
    Approvals = "`approvals`" {
        /// The loosest approval of each effect. Unsaid: auto, confirm, confirm, four_eyes.
        opt at_least: AtLeast,
        /// Who may agree. Unsaid: any authenticated person, and a second one for four eyes.
        opt approvers: Approvers,
        /// Tools exempt from the plan gate, and from no other; every harness holds them.
        opt always_allowed: Spanned<Vec<Spanned<String>>>,
        /// How many changes one run may propose.
        opt max_actions_per_run: Spanned<u64>,
        /// When a proposal that nobody answered is void.
        opt expires_after: Spanned<Duration>,
        /// How each effect is shown to a person.
        opt treatments: Treatments,
        /// How several proposals of one plan are shown and carried out.
        opt batch: Batch,
    }
}

fields! {
    /// The loosest approval of each effect.
    AtLeast = "`at_least`" {
        /// For reads.
        opt read: Spanned<Approval>,
        /// For creates.
        opt create: Spanned<Approval>,
        /// For writes.
        opt write: Spanned<Approval>,
        /// For destructive deeds.
        opt destructive: Spanned<Approval>,
    }
}

fields! {
    /// Who may agree.
    Approvers = "`approvers`" {
        /// The personas that may confirm.
        opt confirm: Spanned<Vec<Spanned<String>>>,
        /// The personas that may be the second pair of eyes; some of those that confirm.
        opt four_eyes: Spanned<Vec<Spanned<String>>>,
        /// Tool to the personas that stand in the place of both lists for it.
        opt tools: ByDeed<Spanned<Vec<Spanned<String>>>>,
    }
}

words! {
    /// How a change is shown to a person (seed 000's risk tiers).
    Treatment = "a treatment" {
        /// Not at all; the call is recorded.
        Silent = "silent",
        /// As a message that it happened.
        Notify = "notify",
        /// As a card that waits for an answer.
        PlanCard = "plan_card",
        /// All changes of a plan as one card.
        OnePlanCard = "one_plan_card",
    }
}

fields! {
    /// How each effect is shown to a person.
    Treatments = "`treatments`" {
        /// Reads.
        opt read: Spanned<Treatment>,
        /// Creates.
        opt create: Spanned<Treatment>,
        /// Writes.
        opt write: Spanned<Treatment>,
        /// Destructive deeds.
        opt destructive: Spanned<Treatment>,
    }
}

words! {
    /// What a batch does when one of its steps fails.
    OnFailure = "what happens on a failure" {
        /// The steps after it do not run.
        Stop = "stop",
    }
}

fields! {
    /// How a batch is shown and carried out.
    Batch = "`batch`" {
        /// How it is shown.
        opt treatment: Spanned<Treatment>,
        /// What a failed step does to those after it.
        opt on_failure: Spanned<OnFailure>,
        /// Whether what was done before the failure stays.
        opt keep_partial: Spanned<bool>,
    }
}
