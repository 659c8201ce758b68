//! The states of an action and the moves between them: one total table.

use serde::{Deserialize, Serialize};

/// Where an action stands (DESIGN's states; rows S6 and S7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Waiting for answers.
    Proposed,
    /// Everything that was required said yes; nothing has been started.
    Approved,
    /// Its approval is consumed and its execution was started.
    Executing,
    /// Done.
    Executed,
    /// Tried once; it changed nothing.
    Failed,
    /// Somebody said no.
    Rejected,
    /// Nobody said enough in time.
    Expired,
    /// Something that it leaned on, or that took its place, ended it.
    Superseded,
    /// The original input run again on today's data (row S7): it can never be approved.
    Replay,
    /// Started, and nobody knows whether it was done. A person finds out; nothing is tried again.
    Unknown,
}

/// What can happen to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// The last yes that was required.
    Approve,
    /// What was said no longer suffices.
    Reopen,
    /// One no.
    Reject,
    /// Its time ran out.
    Expire,
    /// Something else ended it.
    Supersede,
    /// Its approval is consumed and its execution starts.
    Start,
    /// The execution says that it was done.
    Succeed,
    /// The execution says that nothing was done.
    Fail,
    /// The execution went away without a word.
    Lose,
    /// A person found that it was done.
    FindDone,
    /// A person found that it was not.
    FindUndone,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 10] = [
        Self::Proposed,
        Self::Approved,
        Self::Executing,
        Self::Executed,
        Self::Failed,
        Self::Rejected,
        Self::Expired,
        Self::Superseded,
        Self::Replay,
        Self::Unknown,
    ];

    /// Its stable word.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Approved => "approved",
            Self::Executing => "executing",
            Self::Executed => "executed",
            Self::Failed => "failed",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
            Self::Replay => "replay",
            Self::Unknown => "unknown",
        }
    }

    /// Whether answers still matter: proposed or approved.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Proposed | Self::Approved)
    }

    /// Whether whatever leaned on it can no longer happen.
    #[must_use]
    pub fn is_dead(self) -> bool {
        matches!(self, Self::Failed | Self::Rejected | Self::Expired | Self::Superseded | Self::Replay)
    }

    /// The state after a move; `None`: there is no such move from here.
    #[must_use]
    pub fn after(self, step: Move) -> Option<Self> {
        Some(match (self, step) {
            (Self::Proposed, Move::Approve) => Self::Approved,
            (Self::Proposed | Self::Approved, Move::Reopen) => Self::Proposed,
            (Self::Proposed | Self::Approved, Move::Reject) => Self::Rejected,
            (Self::Proposed | Self::Approved, Move::Expire) => Self::Expired,
            (Self::Proposed | Self::Approved, Move::Supersede) => Self::Superseded,
            (Self::Approved, Move::Start) => Self::Executing,
            (Self::Executing, Move::Succeed) | (Self::Unknown, Move::FindDone) => Self::Executed,
            (Self::Executing, Move::Fail) | (Self::Unknown, Move::FindUndone) => Self::Failed,
            (Self::Executing, Move::Lose) => Self::Unknown,
            _ => return None,
        })
    }
}

impl Move {
    /// Every move.
    pub const ALL: [Self; 11] = [
        Self::Approve,
        Self::Reopen,
        Self::Reject,
        Self::Expire,
        Self::Supersede,
        Self::Start,
        Self::Succeed,
        Self::Fail,
        Self::Lose,
        Self::FindDone,
        Self::FindUndone,
    ];

    /// The audit event of the move.
    #[must_use]
    pub fn event(self) -> &'static str {
        match self {
            Self::Approve => "action.approved",
            Self::Reopen => "action.reopened",
            Self::Reject => "action.rejected",
            Self::Expire => "action.expired",
            Self::Supersede => "action.superseded",
            Self::Start => "action.started",
            Self::Succeed => "action.executed",
            Self::Fail => "action.failed",
            Self::Lose => "action.unknown",
            Self::FindDone => "action.found_done",
            Self::FindUndone => "action.found_undone",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Move, State};

    /// The whole table, state by state; whatever is not here is refused.
    const MOVES: [(State, &[(Move, State)]); 10] = [
        (
            State::Proposed,
            &[
                (Move::Approve, State::Approved),
                (Move::Reopen, State::Proposed),
                (Move::Reject, State::Rejected),
                (Move::Expire, State::Expired),
                (Move::Supersede, State::Superseded),
            ],
        ),
        (
            State::Approved,
            &[
                (Move::Reopen, State::Proposed),
                (Move::Reject, State::Rejected),
                (Move::Expire, State::Expired),
                (Move::Supersede, State::Superseded),
                (Move::Start, State::Executing),
            ],
        ),
        (
            State::Executing,
            &[(Move::Succeed, State::Executed), (Move::Fail, State::Failed), (Move::Lose, State::Unknown)],
        ),
        (State::Executed, &[]),
        (State::Failed, &[]),
        (State::Rejected, &[]),
        (State::Expired, &[]),
        (State::Superseded, &[]),
        (State::Replay, &[]),
        (State::Unknown, &[(Move::FindDone, State::Executed), (Move::FindUndone, State::Failed)]),
    ];

    #[test]
    fn every_pair_of_a_state_and_a_move_is_in_the_table_or_refused() {
        for (state, allowed) in MOVES {
            for step in Move::ALL {
                let expected = allowed.iter().find(|(listed, _)| *listed == step).map(|(_, next)| *next);
                assert_eq!(state.after(step), expected, "{} {step:?}", state.code());
            }
        }
        assert_eq!(MOVES.map(|(state, _)| state), State::ALL);
    }

    #[test]
    fn execution_is_reached_through_approval_alone_and_once() {
        for state in State::ALL {
            for step in Move::ALL {
                if state.after(step) == Some(State::Executing) {
                    assert_eq!((state, step), (State::Approved, Move::Start));
                }
                if state.after(step) == Some(State::Approved) {
                    assert_eq!((state, step), (State::Proposed, Move::Approve));
                }
            }
        }
        // From where it was once started nothing leads back to where it could be started again.
        let mut reached = vec![State::Executing];
        while let Some(state) = reached.pop() {
            assert!(!state.is_open());
            reached.extend(Move::ALL.iter().filter_map(|step| state.after(*step)));
        }
    }
}
