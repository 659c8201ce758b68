//! Every way in which a call is denied: one stable code, at one gate, with one audit event and one sentence.

use super::Gate;

macro_rules! codes {
    ($(#[doc = $doc:literal] $code:ident = $word:literal at $gate:ident, $reason:literal, $mend:literal;)*) => {
        /// Why a call was denied. The codes of a gate stand together, its usual one first; the gates are in their order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $(#[doc = $doc] $code,)* }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$code,)*];

            /// The stable word that reaches callers and the audit trail.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$code => $word,)* }
            }

            /// The audit event.
            #[must_use]
            pub const fn event(self) -> &'static str {
                match self { $(Self::$code => concat!("agent_run.", $word),)* }
            }

            /// The gate that says it.
            #[must_use]
            pub const fn gate(self) -> Gate {
                match self { $(Self::$code => Gate::$gate,)* }
            }

            /// When it is said, as a sentence.
            #[must_use]
            pub fn means(self) -> &'static str {
                match self { $(Self::$code => $doc,)* }.trim()
            }

            /// What mends it.
            #[must_use]
            pub const fn mend(self) -> &'static str {
                match self { $(Self::$code => $mend,)* }
            }

            /// What the caller is told, without a word about the tool behind it.
            #[must_use]
            pub const fn reason(self) -> &'static str {
                match self { $(Self::$code => $reason,)* }
            }
        }
    };
}

codes! {
    /// The row of the run does not exist (C5).
    RunNotFound = "run_not_found" at RunRow, "there is no such run",
        "begin a run first; a token of an unknown run opens nothing";
    /// The store could not say whether the run exists.
    RunUnreadable = "run_unreadable" at RunRow, "the run could not be looked up",
        "call again when the store answers";
    /// The lock that the run was created under is no longer held.
    LockMissing = "lock_missing" at RunRow, "the rules this run began under are no longer held here",
        "begin a new run: it starts under the lock in force";
    /// The token claims another organization, run, role, audience or harness (C5).
    HarnessMismatch = "harness_mismatch" at Claim, "the token was issued for another run",
        "have the token issued for this run, with the row's role and harness";
    /// The run has ended (E1).
    RunEnded = "run_ended" at Lifecycle, "the run has ended",
        "begin a new run";
    /// The run was cancelled (E1).
    Cancelled = "cancelled" at Lifecycle, "the run was cancelled",
        "begin a new run";
    /// The run's deadline has passed (E1).
    DeadlineExceeded = "deadline_exceeded" at Lifecycle, "the run's time is over",
        "begin a new run, or raise `limits.run.deadline`";
    /// The store's clock went back, so that nothing can be said about deadlines.
    ClockUnsure = "clock_unsure" at Lifecycle, "the time is not known for sure",
        "set the store's clock right; calls pass once it is past its high-water mark";
    /// The registry does not have the tool (C7).
    UnknownTool = "unknown_tool" at Known, "there is no such tool",
        "list the tools; a name is compared exactly";
    /// The tool is switched off, by the lock or the overlay.
    ToolDisabled = "tool_disabled" at Enabled, "the tool is switched off",
        "set `enabled: true` on the tool, or lift the overlay's row";
    /// The live overlay could not be read, and may say anything.
    OverlayUnreadable = "overlay_unreadable" at Enabled, "the rules in force could not be read",
        "restore the overlay; until then every call is denied";
    /// The outside server lists the tool no more as it was pinned.
    UpstreamDrift = "upstream_drift" at Enabled, "the tool is withheld: its server is not what was reviewed",
        "import the server's list again, read what moved, and build the lock again";
    /// The outside server's list was not looked at in time, or could not be used.
    UpstreamUnseen = "upstream_unseen" at Enabled, "the tool is withheld: its server could not be looked at",
        "call again when the server answers with a list that can be used";
    /// The role may not hold the deed (C7).
    PolicyDenied = "policy_denied" at Role, "the run's role may not do this",
        "add the tool to the role's `tools`, or its effect to the role's `effects`";
    /// The harness does not hold the deed (C7).
    HarnessDenied = "harness_denied" at Harness, "the run's harness does not hold this",
        "add the tool to the harness's `toolset`";
    /// The person the run acts for does not have the permission (C6).
    PermissionDenied = "permission_denied" at Person, "the person the run acts for may not do this",
        "give the person the permission, or add the tool to the persona's `bundle`";
    /// The person's permissions could not be looked up.
    PermissionsUnreadable = "permissions_unreadable" at Person, "the permissions of the person the run acts for could not be looked up",
        "call again when the permissions can be looked up";
    /// The surface does not serve the tool, or no granted scope covers it (D1).
    ScopeDenied = "scope_denied" at SurfaceScope, "the place the call comes from may not do this",
        "grant a scope that covers the effect, or name the surface in the tool's `surfaces`";
    /// The run only reads (C16, D8).
    ReadOnlyRun = "read_only_run" at ReadOnly, "this run only reads",
        "do it in a run that works; viewers, resumed turns, lens reviews and read-only plans read";
    /// The kill switch is on or cannot be read, and the call comes from outside (S10).
    AiDisabled = "ai_disabled" at KillSwitch, "proposals from outside are switched off",
        "have the switch turned off by whoever turned it on; its row says why it is on";
    /// The run's plan does not cover the deed (C7).
    PlanViolation = "plan_violation" at Plan, "the run's plan does not cover this",
        "have a plan approved that has this step";
    /// Where the run's plan stands could not be looked up.
    PlanUnreadable = "plan_unreadable" at Plan, "the run's plan could not be looked up",
        "call again when the plan can be looked up";
    /// The input does not meet the narrowed schema (E4).
    InputInvalid = "input_invalid" at Input, "the input does not fit the tool",
        "correct the input at the pointer that is named";
    /// No validator is there, or the schema cannot be compiled.
    InputUnchecked = "input_unchecked" at Input, "the input could not be checked",
        "build with the feature `schema`, or hand the boundary a validator";
    /// A bound input is not the run's value.
    TargetMismatch = "target_mismatch" at Binding, "the input is about another target than the run's",
        "name the target that the run is about, or begin a run about the other one";
    /// The run's own lock and the one in force would send the call to different executors.
    LockConflict = "lock_conflict" at Binding, "the rules changed under this run: begin a new one",
        "begin a new run: it starts under the lock in force";
    /// A budget of the run is spent (E2).
    BudgetExceeded = "budget_exceeded" at Budget, "the run's budget is spent",
        "begin a new run, or raise the limit that the record's `meter` names";
    /// The run has taken its steps (D5).
    StepCap = "step_cap" at Budget, "the run has taken all its steps",
        "begin a new run, or raise `limits.run.steps` or the scope's `steps`";
    /// What the run has spent could not be looked up.
    BudgetUnreadable = "budget_unreadable" at Budget, "what the run has spent could not be looked up",
        "call again when the ledger can be read";
    /// The deed's approval is a contradiction, or nobody is left who may say yes.
    ApprovalUnavailable = "approval_unavailable" at Approval, "nobody could be found who may say yes to this",
        "name approvers whom both locks name, and build the lock again";
}

impl Code {
    /// The status with which a server over HTTP says it: 401 where the token is of no run or of another one (C5), 400 for the
    /// input, 404 for an unknown tool, 429 for what is spent, 503 where something could not be looked up, else 403.
    #[must_use]
    pub const fn http_status(self) -> u16 {
        match self {
            Self::RunNotFound | Self::HarnessMismatch => 401,
            Self::InputInvalid => 400,
            Self::UnknownTool => 404,
            Self::BudgetExceeded | Self::StepCap => 429,
            Self::RunUnreadable
            | Self::ClockUnsure
            | Self::OverlayUnreadable
            | Self::UpstreamUnseen
            | Self::PermissionsUnreadable
            | Self::PlanUnreadable
            | Self::InputUnchecked
            | Self::BudgetUnreadable => 503,
            Self::LockMissing
            | Self::RunEnded
            | Self::Cancelled
            | Self::DeadlineExceeded
            | Self::ToolDisabled
            | Self::UpstreamDrift
            | Self::PolicyDenied
            | Self::HarnessDenied
            | Self::PermissionDenied
            | Self::ScopeDenied
            | Self::ReadOnlyRun
            | Self::AiDisabled
            | Self::PlanViolation
            | Self::TargetMismatch
            | Self::LockConflict
            | Self::ApprovalUnavailable => 403,
        }
    }

    /// The code of this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.code() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::Code;
    use crate::decide::Gate;

    #[test]
    fn codes_stand_in_the_order_of_their_gates_and_differ() {
        assert!(Code::ALL.is_sorted_by_key(|code| code.gate()));
        let mut words: Vec<&str> = Code::ALL.iter().map(|code| code.code()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Code::ALL.len());
        assert!(Code::ALL.iter().all(|code| Code::of(code.code()) == Some(*code)));
    }

    /// C5: a claim that differs and a row that is missing are 401, and nothing else is.
    #[test]
    fn only_who_is_of_no_run_is_told_401() {
        let of = |status| {
            Code::ALL.iter().copied().filter(|code| code.http_status() == status).collect::<Vec<_>>()
        };
        assert_eq!(of(401), [Code::RunNotFound, Code::HarnessMismatch]);
        assert!(Code::ALL.iter().all(|code| (400..600).contains(&code.http_status())));
        // What could not be looked up is never the caller's fault.
        let unread = Code::ALL.iter().filter(|code| code.code().ends_with("_unreadable"));
        assert!(unread.into_iter().all(|code| code.http_status() == 503));
    }

    #[test]
    fn a_gate_names_its_own_codes() {
        for gate in Gate::ALL {
            let own = Code::ALL.iter().filter(|code| code.gate() == gate).map(|code| code.code());
            assert!(own.eq(gate.codes().iter().copied()), "{gate:?}");
        }
    }
}
