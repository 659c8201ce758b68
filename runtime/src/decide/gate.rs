//! The gates of a call, in the order they are asked, each with its denial code and its audit event.

/// One gate. The order of the variants is the order of the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gate {
    /// The run exists. Asked by the boundary, which owns the run rows.
    RunRow,
    /// The claim of the token names the row's harness. Asked by the boundary.
    Claim,
    /// The run has not ended, was not cancelled and is within its deadline. Asked by the boundary.
    Lifecycle,
    /// The registry has the tool.
    Known,
    /// The tool is enabled.
    Enabled,
    /// The role may hold the deed.
    Role,
    /// The harness holds the deed.
    Harness,
    /// The person has the deed among their permissions.
    Person,
    /// The surface serves the tool and a granted scope covers its effect.
    SurfaceScope,
    /// A read-only run does nothing but read.
    ReadOnly,
    /// The kill switch lets proposals of outside origin through. Asked by the boundary, which reads the switch.
    KillSwitch,
    /// The run's plan covers the deed.
    Plan,
    /// The input meets the narrowed schema. Here only the input that tells a tool's cases apart is looked at; the
    /// schema itself comes with the boundary.
    Input,
    /// Bound inputs equal the run's values. Asked by the boundary.
    Binding,
    /// The run's budgets and step caps last. Asked by the boundary, which counts.
    Budget,
    /// Nobody needs to say yes first.
    Approval,
}

impl Gate {
    /// Every gate, in order.
    pub const ALL: [Self; 16] = [
        Self::RunRow,
        Self::Claim,
        Self::Lifecycle,
        Self::Known,
        Self::Enabled,
        Self::Role,
        Self::Harness,
        Self::Person,
        Self::SurfaceScope,
        Self::ReadOnly,
        Self::KillSwitch,
        Self::Plan,
        Self::Input,
        Self::Binding,
        Self::Budget,
        Self::Approval,
    ];

    /// The codes it denies with; the first is its usual one. Stable: they reach callers and the audit trail.
    #[must_use]
    pub fn codes(self) -> &'static [&'static str] {
        match self {
            Self::RunRow => &["run_not_found"],
            Self::Claim => &["harness_mismatch"],
            Self::Lifecycle => &["run_ended", "cancelled", "deadline_exceeded"],
            Self::Known => &["unknown_tool"],
            Self::Enabled => &["tool_disabled"],
            Self::Role => &["policy_denied"],
            Self::Harness => &["harness_denied"],
            Self::Person => &["permission_denied"],
            Self::SurfaceScope => &["scope_denied"],
            Self::ReadOnly => &["read_only_run"],
            Self::KillSwitch => &["ai_disabled"],
            Self::Plan => &["plan_violation"],
            Self::Input => &["input_invalid"],
            Self::Binding => &["target_mismatch"],
            Self::Budget => &["budget_exceeded", "step_cap"],
            Self::Approval => &["approval_unavailable"],
        }
    }

    /// Its usual code.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.codes().first().copied().unwrap_or("denied")
    }

    /// The audit event of its usual code.
    #[must_use]
    pub fn event(self) -> &'static str {
        match self {
            Self::RunRow => "agent_run.run_not_found",
            Self::Claim => "agent_run.harness_mismatch",
            Self::Lifecycle => "agent_run.run_ended",
            Self::Known => "agent_run.unknown_tool",
            Self::Enabled => "agent_run.tool_disabled",
            Self::Role => "agent_run.policy_denied",
            Self::Harness => "agent_run.harness_denied",
            Self::Person => "agent_run.permission_denied",
            Self::SurfaceScope => "agent_run.scope_denied",
            Self::ReadOnly => "agent_run.read_only_run",
            Self::KillSwitch => "agent_run.ai_disabled",
            Self::Plan => "agent_run.plan_violation",
            Self::Input => "agent_run.input_invalid",
            Self::Binding => "agent_run.target_mismatch",
            Self::Budget => "agent_run.budget_exceeded",
            Self::Approval => "agent_run.approval_unavailable",
        }
    }

    /// What a closed gate says, without a word about the tool behind it.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::RunRow => "there is no such run",
            Self::Claim => "the token names another harness than the run has",
            Self::Lifecycle => "the run has ended",
            Self::Known => "there is no such tool",
            Self::Enabled => "the tool is switched off",
            Self::Role => "the run's role may not do this",
            Self::Harness => "the run's harness does not hold this",
            Self::Person => "the person the run acts for may not do this",
            Self::SurfaceScope => "the place the call comes from may not do this",
            Self::ReadOnly => "this run only reads",
            Self::KillSwitch => "proposals from outside are switched off",
            Self::Plan => "the run's plan does not cover this",
            Self::Input => "the input does not fit the tool",
            Self::Binding => "the input is about another target than the run's",
            Self::Budget => "the run's budget is spent",
            Self::Approval => "nobody could be found who may say yes to this",
        }
    }

    /// Whether this crate answers it today; the others come with the boundary that owns their facts.
    #[must_use]
    pub fn is_answered(self) -> bool {
        !matches!(
            self,
            Self::RunRow | Self::Claim | Self::Lifecycle | Self::KillSwitch | Self::Binding | Self::Budget
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Gate;

    #[test]
    fn gates_are_in_order_and_their_codes_differ() {
        assert!(Gate::ALL.is_sorted());
        let mut codes: Vec<_> = Gate::ALL.iter().flat_map(|gate| gate.codes()).collect();
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), count);
        for gate in Gate::ALL {
            assert_eq!(gate.event(), format!("agent_run.{}", gate.code()));
        }
    }
}
