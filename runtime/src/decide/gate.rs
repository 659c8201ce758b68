//! The gates of a call, in the order they are asked, each with its denial codes.

use super::Code;

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
    /// The kill switch lets proposals of outside origin through. Open where no switch was read ([`Run::with_kill_switch`]);
    /// the boundary always reads it.
    ///
    /// [`Run::with_kill_switch`]: super::Run::with_kill_switch
    KillSwitch,
    /// The run's plan covers the deed.
    Plan,
    /// The input meets the narrowed schema. Here only the input that tells a tool's cases apart is looked at; the
    /// schema itself comes with the boundary.
    Input,
    /// Bound inputs equal the run's values, and both locks name one executor. Asked by the boundary.
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
    pub const fn codes(self) -> &'static [&'static str] {
        match self {
            Self::RunRow => {
                const { &[Code::RunNotFound.code(), Code::RunUnreadable.code(), Code::LockMissing.code()] }
            }
            Self::Claim => const { &[Code::HarnessMismatch.code()] },
            Self::Lifecycle => {
                const {
                    &[
                        Code::RunEnded.code(),
                        Code::Cancelled.code(),
                        Code::DeadlineExceeded.code(),
                        Code::ClockUnsure.code(),
                    ]
                }
            }
            Self::Known => const { &[Code::UnknownTool.code()] },
            Self::Enabled => {
                const {
                    &[
                        Code::ToolDisabled.code(),
                        Code::OverlayUnreadable.code(),
                        Code::UpstreamDrift.code(),
                        Code::UpstreamUnseen.code(),
                    ]
                }
            }
            Self::Role => const { &[Code::PolicyDenied.code()] },
            Self::Harness => const { &[Code::HarnessDenied.code()] },
            Self::Person => const { &[Code::PermissionDenied.code(), Code::PermissionsUnreadable.code()] },
            Self::SurfaceScope => const { &[Code::ScopeDenied.code()] },
            Self::ReadOnly => const { &[Code::ReadOnlyRun.code()] },
            Self::KillSwitch => const { &[Code::AiDisabled.code()] },
            Self::Plan => const { &[Code::PlanViolation.code(), Code::PlanUnreadable.code()] },
            Self::Input => const { &[Code::InputInvalid.code(), Code::InputUnchecked.code()] },
            Self::Binding => const { &[Code::TargetMismatch.code(), Code::LockConflict.code()] },
            Self::Budget => {
                const { &[Code::BudgetExceeded.code(), Code::StepCap.code(), Code::BudgetUnreadable.code()] }
            }
            Self::Approval => const { &[Code::ApprovalUnavailable.code()] },
        }
    }

    /// Its word in a record.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::RunRow => "run_row",
            Self::Claim => "claim",
            Self::Lifecycle => "lifecycle",
            Self::Known => "known",
            Self::Enabled => "enabled",
            Self::Role => "role",
            Self::Harness => "harness",
            Self::Person => "person",
            Self::SurfaceScope => "surface_scope",
            Self::ReadOnly => "read_only",
            Self::KillSwitch => "kill_switch",
            Self::Plan => "plan",
            Self::Input => "input",
            Self::Binding => "binding",
            Self::Budget => "budget",
            Self::Approval => "approval",
        }
    }

    /// The code that it denies with where nothing more is known.
    #[must_use]
    pub const fn usual(self) -> Code {
        match self {
            Self::RunRow => Code::RunNotFound,
            Self::Claim => Code::HarnessMismatch,
            Self::Lifecycle => Code::RunEnded,
            Self::Known => Code::UnknownTool,
            Self::Enabled => Code::ToolDisabled,
            Self::Role => Code::PolicyDenied,
            Self::Harness => Code::HarnessDenied,
            Self::Person => Code::PermissionDenied,
            Self::SurfaceScope => Code::ScopeDenied,
            Self::ReadOnly => Code::ReadOnlyRun,
            Self::KillSwitch => Code::AiDisabled,
            Self::Plan => Code::PlanViolation,
            Self::Input => Code::InputInvalid,
            Self::Binding => Code::TargetMismatch,
            Self::Budget => Code::BudgetExceeded,
            Self::Approval => Code::ApprovalUnavailable,
        }
    }

    /// Its usual code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.usual().code()
    }

    /// The audit event of its usual code.
    #[must_use]
    pub const fn event(self) -> &'static str {
        self.usual().event()
    }

    /// What it asks.
    #[must_use]
    pub const fn asks(self) -> &'static str {
        match self {
            Self::RunRow => "whether the run exists, and the lock it was created under is held",
            Self::Claim => "whether the token's organization, run, role, audience and harness are the run's",
            Self::Lifecycle => "whether the run is under way and within its deadline, by the store's clock",
            Self::Known => "whether the registry has the tool",
            Self::Enabled => {
                "whether the tool is enabled, by the lock and by the overlay, and its outside server lists it as pinned"
            }
            Self::Role => "whether the role may hold the deed",
            Self::Harness => "whether the harness on the run's row holds the deed",
            Self::Person => "whether the person the run acts for has the permission, looked up for this call",
            Self::SurfaceScope => "whether the surface serves the tool and a granted scope covers its effect",
            Self::ReadOnly => "whether a run that only reads is asked to do more",
            Self::KillSwitch => "whether the kill switch stops what is no read and comes from outside",
            Self::Plan => "whether the run's plan covers the deed",
            Self::Input => {
                "whether the input, read strictly, meets the tool's schema and the harness's narrowing"
            }
            Self::Binding => "whether bound inputs are the run's values, and both locks name one executor",
            Self::Budget => "whether the run's budgets and step cap have room, which is then reserved",
            Self::Approval => "whether nobody needs to say yes first",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Gate;

    #[test]
    fn gates_are_in_order_and_start_with_their_usual_code() {
        assert!(Gate::ALL.is_sorted());
        for gate in Gate::ALL {
            assert_eq!(gate.codes().first(), Some(&gate.code()));
            assert_eq!(gate.usual().gate(), gate);
            assert_eq!(gate.event(), format!("agent_run.{}", gate.code()));
        }
    }
}
