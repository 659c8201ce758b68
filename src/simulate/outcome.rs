//! One decision, then and now.

use harnessc_runtime::Bundle;
use harnessc_runtime::audit::{Field, Record, Told as _};
use harnessc_runtime::boundary::{Overlay, redecide};
use harnessc_runtime::decide::{Code, Gate};
use harnessc_runtime::lock::{Approval, deed_name};

/// How a decision turns out under the other lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It would have ended otherwise.
    Flip {
        /// Whether more is let through or less.
        turn: Turn,
        /// How it ended.
        was: Said,
        /// How it would have ended.
        would_be: Said,
        /// Whether the input, which the log does not hold, might still be refused.
        if_input_fits: bool,
    },
    /// What the log does not hold could change it.
    CannotTell {
        /// What that is.
        doubt: Doubt,
        /// How it ended; `None`: in a word that this version does not know.
        was: Option<Said>,
    },
    /// It stays as it was.
    Same,
}

/// Which way a decision turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// It was refused, or waited for a stricter yes.
    Widened,
    /// It was let through, or waited for a weaker yes.
    Narrowed,
}

impl Turn {
    /// Its word in machine formats.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Widened => "widened",
            Self::Narrowed => "narrowed",
        }
    }
}

/// How a decision ended, the most open first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    /// It was allowed.
    Allow,
    /// It waited for a yes, this strictly.
    Propose(Approval),
    /// It was denied with this code.
    Deny(Code),
}

/// What the log does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// The run's budgets under other limits.
    Budget,
    /// How long the run had been under way, where a deadline ended it.
    Deadline,
    /// The input.
    Input,
    /// A name that the lock of that time did not know.
    Name,
    /// What stood over the lock at run time.
    Overlay,
    /// The person's permissions at that time.
    Permissions,
    /// The lock that the run began under, which had its own say.
    RunsOwnLock,
    /// A word that this version does not know.
    Word,
}

impl Doubt {
    /// Its word in machine formats.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Deadline => "deadline",
            Self::Input => "input",
            Self::Name => "name",
            Self::Overlay => "overlay",
            Self::Permissions => "permissions",
            Self::RunsOwnLock => "runs_own_lock",
            Self::Word => "word",
        }
    }

    /// Why it cannot be told, as a sentence without its end.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Budget => "its budget ran out, and the log does not say how much was spent",
            Self::Deadline => "its deadline had passed, and another lock may give it longer",
            Self::Input => "the input decides, and the log does not hold it",
            Self::Name => {
                "it names what the lock of that time did not know, and the log does not repeat such names"
            }
            Self::Overlay => "an overlay stood over the lock, and the log holds its digest alone",
            Self::Permissions => {
                "the person did not have the permission, and the log does not list what they had"
            }
            Self::RunsOwnLock => "the run had begun under another lock, which may have refused it",
            Self::Word => "it uses a word that this version does not know",
        }
    }
}

/// The deed that a record names.
pub(super) fn deed(record: &Record) -> Option<String> {
    Some(deed_name(record.key(Field::Tool)?, record.key(Field::Case)))
}

/// What becomes of a recorded decision under the lock.
pub(super) fn of(record: &Record, lock: &Bundle, held: &[Bundle]) -> Outcome {
    let Some(was) = said(record) else {
        // The log has been verified: a later version wrote it.
        return Outcome::CannotTell { doubt: Doubt::Word, was: None };
    };
    let Some(again) = redecide(record, lock) else {
        return Outcome::CannotTell { doubt: Doubt::Name, was: Some(was) };
    };
    let would_be = match (again.verdict, again.code, again.approval) {
        ("allow", _, _) => Said::Allow,
        ("propose", _, Some(approval)) => Said::Propose(approval),
        (_, Some(code), _) => Said::Deny(code),
        _ => return Outcome::CannotTell { doubt: Doubt::Word, was: Some(was) },
    };
    let alike = is_same_deed(record, lock, held);
    match (was, would_be) {
        (Said::Deny(Code::DeadlineExceeded), _) if !again.is_certain => {
            Outcome::CannotTell { doubt: Doubt::Deadline, was: Some(was) }
        }
        (Said::Deny(code), Said::Deny(_)) if again.is_certain || alike && code.gate() < Gate::Budget => {
            Outcome::Same
        }
        (Said::Deny(_), Said::Deny(_)) if record.text(Field::Lock) == Some(lock.digest()) => Outcome::Same,
        (Said::Deny(code), Said::Deny(_)) => {
            let doubt = if code.gate() == Gate::Budget { Doubt::Budget } else { Doubt::Input };
            Outcome::CannotTell { doubt, was: Some(was) }
        }
        _ if was == would_be && alike => Outcome::Same,
        _ if was == would_be => Outcome::CannotTell { doubt: Doubt::Input, was: Some(was) },
        _ => turned(record, was, would_be, alike),
    }
}

/// A decision that ends otherwise: because of the lock, or of something else that was there then.
fn turned(record: &Record, was: Said, would_be: Said, alike: bool) -> Outcome {
    let turn = if would_be < was { Turn::Widened } else { Turn::Narrowed };
    if let Some(doubt) = other_cause(record, was).filter(|_| turn == Turn::Widened) {
        return Outcome::CannotTell { doubt, was: Some(was) };
    }
    let let_through = !matches!(would_be, Said::Deny(_));
    Outcome::Flip { turn, was, would_be, if_input_fits: let_through && !alike }
}

/// What beside the lock may have made a decision so strict.
fn other_cause(record: &Record, was: Said) -> Option<Doubt> {
    let overlay = record.text(Field::Overlay);
    let overlaid = Overlay::none().map_or(true, |none| overlay != Some(none.digest()));
    match was {
        Said::Deny(Code::PermissionDenied) => Some(Doubt::Permissions),
        Said::Deny(Code::ToolDisabled) | Said::Propose(_) if overlaid => Some(Doubt::Overlay),
        _ if record.text(Field::CreatedUnder) != record.text(Field::Lock) => Some(Doubt::RunsOwnLock),
        Said::Allow | Said::Deny(_) | Said::Propose(_) => None,
    }
}

/// Whether the deed's inputs would be judged alike: the same lock, or one of that time with the same deed in it.
fn is_same_deed(record: &Record, lock: &Bundle, held: &[Bundle]) -> bool {
    let then = record.text(Field::Lock);
    if then == Some(lock.digest()) {
        return true;
    }
    let (Some(held), Some(deed), Some(role)) =
        (held.iter().find(|held| then == Some(held.digest())), deed(record), record.key(Field::Role))
    else {
        return false;
    };
    let digest = |bundle: &Bundle| bundle.deed_digest(record.key(Field::Harness), role, &deed);
    digest(held).is_some_and(|own| digest(lock) == Some(own))
}

fn said(record: &Record) -> Option<Said> {
    match record.text(Field::Verdict)? {
        "allow" | "allow_create" => Some(Said::Allow),
        "deny" => Code::of(record.text(Field::Code)?).map(Said::Deny),
        "propose" => {
            let word = record.text(Field::Approval)?;
            let approvals = [Approval::Auto, Approval::Confirm, Approval::FourEyes];
            approvals.into_iter().find(|approval| approval.word() == word).map(Said::Propose)
        }
        _ => None,
    }
}
