//! Why something about an action was refused: a closed list of stable codes.

use std::fmt;

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident = $code:literal: $reason:literal,)*) => {
        /// Why nothing happened. Each denies; none is an answer to be tried around.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Refusal { $($(#[$doc])* $name,)* }

        impl Refusal {
            /// Every refusal.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The stable code for the caller and the audit trail.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// What is said to whoever asked.
            #[must_use]
            pub fn reason(self) -> &'static str {
                match self { $(Self::$name => $reason,)* }
            }
        }
    };
}

refusals! {
    /// The run has proposed as many actions as it may (`max_actions_per_run`).
    ActionCap = "action_cap": "the run has proposed as many actions as it may",
    /// Executed, failed, rejected, superseded, started or unknown: answers no longer matter.
    ActionClosed = "action_closed": "this action is no longer open",
    /// The kill switch is on or cannot be read: no approval is consumed.
    AiDisabled = "ai_disabled": "the kill switch is on, so nothing is executed",
    /// The person has no persona that may say yes to this, then and now.
    ApproverNotEligible = "approver_not_eligible": "this person is not among those who may answer",
    /// A batch of more steps than one plan may have.
    BatchTooLong = "batch_too_long": "this batch has more steps than one yes may cover",
    /// The store's clock shows an earlier time than it did before.
    ClockWentBack = "clock_went_back": "the clock went back, so no time limit can be trusted",
    /// One person, two answers that contradict each other: no yes of theirs counts.
    ContradictingAnswer = "contradicting_answer": "this person has answered the other way before, so no yes of theirs counts",
    /// Not a create that may run without a yes.
    CreateNotAuto = "create_not_auto": "this needs a person's yes",
    /// Something that it leans on ended without having been done.
    DependencyFailed = "dependency_failed": "an action that this one leans on was not done",
    /// Something that it leans on has not been done yet.
    DependencyPending = "dependency_pending": "an action that this one leans on has not been done yet",
    /// An id that the ledger knows already.
    DuplicateAction = "duplicate_action": "there is an action of this id already",
    /// A batch without steps.
    EmptyBatch = "empty_batch": "a batch needs at least one step",
    /// Its time ran out, which is never a yes.
    Expired = "expired": "the time to answer ran out",
    /// The server did not say what is true now of one of the actions.
    FactsMissing = "facts_missing": "what is true now of this action was not looked up",
    /// Four eyes: this person asked, is the one acted for, or set the run off.
    FourEyes = "four_eyes": "whoever asked for it, or has it done for them, cannot be the second pair of eyes",
    /// The answer is not the closed shape of an answer.
    MalformedAnswer = "malformed_answer": "this is no answer",
    /// Not everything that is required has said yes.
    NotApproved = "not_approved": "not everybody who must say yes has",
    /// Not a person: a service, a run, a model or a wrapped process.
    NotAPerson = "not_a_person": "only a person can answer",
    /// Nobody was authenticated.
    NotAuthenticated = "not_authenticated": "nobody is signed in",
    /// It is not being executed, or not by this attempt.
    NotExecuting = "not_executing": "this execution is not the one that is under way",
    /// It is not unknown whether this was done.
    NotUnknown = "not_unknown": "how this action ended is known",
    /// A step of a batch is answered with its batch.
    PartOfBatch = "part_of_batch": "this is one step of a batch, which is answered as a whole",
    /// The tool keeps a pre-image and none was handed over, or one of another action or target was.
    PreImageMissing = "pre_image_missing": "what stands there now was not kept, so it could not be taken back",
    /// A replay can never be approved (row S7).
    ReplayNotApprovable = "replay_not_approvable": "a replay can never be approved",
    /// The person's right to answer exists only through this run.
    RightThroughRun = "right_through_run": "this person may answer only because of the run itself",
    /// What is true now differs from what was shown.
    StalePreview = "stale_preview": "what would be done now is not what was shown",
    /// Another worker was quicker; whoever wants it still reads again and asks again.
    StoreConflict = "store_conflict": "somebody else was quicker",
    /// The store, or the audit trail in it, could not take the change.
    StoreFailed = "store_failed": "the change could not be stored",
    /// The run is suspected of an injection, and this is not the escalation (row S8).
    SuspectedInjection = "suspected_injection": "this run may propose nothing but to hand over to a person",
    /// The target is not, or is no longer, one that the run may touch.
    TargetMismatch = "target_mismatch": "the target is not one that this run may touch",
    /// The tool is switched off, or nobody holds it any more.
    ToolDisabled = "tool_disabled": "the tool is switched off",
    /// The parts cannot be written down in one way only.
    Unbindable = "unbindable": "the action cannot be written down in one way only",
    /// There is no such action in this run and organization.
    UnknownAction = "unknown_action": "there is no such action",
    /// The outside server lists the tool no more as it was pinned.
    UpstreamDrift = "upstream_drift": "the server behind this tool is no longer what was reviewed",
    /// The outside server's list was not looked at for this start, or could not be used.
    UpstreamUnseen = "upstream_unseen": "the server behind this tool was not looked at again",
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::Refusal;

    #[test]
    fn codes_differ_and_stand_in_order() {
        let codes: Vec<&str> = Refusal::ALL.iter().map(|refusal| refusal.code()).collect();
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(codes.len(), sorted.len());
    }
}
