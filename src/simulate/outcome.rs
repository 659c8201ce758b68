//! One decision, then and now.

use harnessc_runtime::Bundle;
use harnessc_runtime::audit::{Field, Record, Told as _};
use harnessc_runtime::boundary::{Lack, Redecided, redecide};
use harnessc_runtime::decide::Code;
use harnessc_runtime::lock::{Approval, deed_name};

use super::alike::{self, Alike};

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
    /// Which case the call was about.
    Case,
    /// How long the run had been under way, where another deadline holds.
    Deadline,
    /// The input.
    Input,
    /// A name that the lock of that time did not know.
    Name,
    /// What stood over the lock at run time.
    Overlay,
    /// The person's permissions at that time.
    Permissions,
    /// The steps of a plan, beyond the deeds that it names.
    Plan,
    /// The lock that the run began under, which had its own say.
    RunsOwnLock,
    /// Scopes that the lock of that time did not know.
    Scopes,
    /// Whether an outside server lists the tool as it is pinned.
    Upstream,
    /// A word that this version does not know.
    Word,
}

impl Doubt {
    /// Its word in machine formats.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Case => "case",
            Self::Deadline => "deadline",
            Self::Input => "input",
            Self::Name => "name",
            Self::Overlay => "overlay",
            Self::Permissions => "permissions",
            Self::Plan => "plan",
            Self::RunsOwnLock => "runs_own_lock",
            Self::Scopes => "scopes",
            Self::Upstream => "upstream",
            Self::Word => "word",
        }
    }

    /// Why it cannot be told, as a sentence without its end.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Budget => "limits decide, and the log does not say how much was spent",
            Self::Case => {
                "this lock tells the tool's cases apart otherwise, and the log does not hold the input"
            }
            Self::Deadline => {
                "the deadline is another one, and the log does not say how long the run had taken"
            }
            Self::Input => "the input decides, and the log does not hold it",
            Self::Name => {
                "it names what the lock of that time did not know, and the log does not repeat such names"
            }
            Self::Overlay => "an overlay stood over the lock, and the log holds its digest alone",
            Self::Permissions => {
                "the person's permissions were their own and not a persona's, and the log does not list them"
            }
            Self::Plan => "it is about a plan, and the log does not hold its steps",
            Self::RunsOwnLock => "the run had begun under another lock, which had its own say",
            Self::Scopes => "scopes were granted that the lock of that time did not know",
            Self::Upstream => {
                "the tool's server was in doubt or nobody had looked, and another lock may pin it otherwise"
            }
            Self::Word => "it uses a word that this version does not know",
        }
    }

    fn of(lack: Lack) -> Self {
        match lack {
            Lack::Budget => Self::Budget,
            Lack::Case => Self::Case,
            Lack::Input => Self::Input,
            Lack::Lock => Self::RunsOwnLock,
            Lack::Overlay => Self::Overlay,
            Lack::Permissions => Self::Permissions,
            Lack::Plan => Self::Plan,
            Lack::Scopes => Self::Scopes,
            Lack::Time => Self::Deadline,
            Lack::Upstream => Self::Upstream,
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
    let cannot = |doubt| Outcome::CannotTell { doubt, was: Some(was) };
    let Some(again) = redecide(record, lock) else {
        // A name that no lock knew, whatever the lock of that time made of it.
        return if is_own(record, lock) { Outcome::Same } else { cannot(Doubt::Name) };
    };
    let would_be = match (again.verdict, again.code, again.approval) {
        ("allow", _, _) => Said::Allow,
        ("propose", _, Some(approval)) => Said::Propose(approval),
        (_, Some(code), _) => Said::Deny(code),
        _ => return cannot(Doubt::Word),
    };
    if let Said::Deny(code) = was
        && matches!(would_be, Said::Deny(_))
    {
        return still_refused(record, lock, held, code, &again).map_or(Outcome::Same, cannot);
    }
    match again.lacks {
        // All but the input is told, and that only where it comes to the input at all.
        None | Some(Lack::Input) => {}
        Some(lack) => return cannot(Doubt::of(lack)),
    }
    if again.is_refused && !again.is_certain {
        return cannot(Doubt::Input);
    }
    let alike = if is_own(record, lock) { Alike::Yes } else { alike::judged(record, lock, held) };
    if was == would_be {
        return alike.doubt().map_or(Outcome::Same, cannot);
    }
    turned(record, was, would_be, alike == Alike::Yes)
}

/// What was refused and would be refused: whether that is known.
fn still_refused(
    record: &Record,
    lock: &Bundle,
    held: &[Bundle],
    was: Code,
    again: &Redecided,
) -> Option<Doubt> {
    let lack = again.lacks.filter(|_| !again.is_refused && !is_own(record, lock))?;
    // The same deed judges the same input alike; but the run's own lock may have been the one that judged.
    let judged = lack == Lack::Input
        && matches!(was, Code::InputInvalid | Code::InputUnchecked | Code::TargetMismatch);
    match judged.then(|| alike::deed(record, lock, held)) {
        Some(true) if began_under_it(record) => None,
        Some(true) => Some(Doubt::RunsOwnLock),
        _ => Some(Doubt::of(lack)),
    }
}

/// A decision that ends otherwise: because of the lock, or of the one that the run began under.
fn turned(record: &Record, was: Said, would_be: Said, alike: bool) -> Outcome {
    let turn = if would_be < was { Turn::Widened } else { Turn::Narrowed };
    if turn == Turn::Widened && !began_under_it(record) {
        return Outcome::CannotTell { doubt: Doubt::RunsOwnLock, was: Some(was) };
    }
    let refused = |said| matches!(said, Said::Deny(_));
    // What was refused before its input was looked at may have held anything.
    let is_judged = alike && !refused(was);
    Outcome::Flip { turn, was, would_be, if_input_fits: !refused(would_be) && !is_judged }
}

/// Whether the run had begun under the lock that was in force.
fn began_under_it(record: &Record) -> bool {
    record.text(Field::CreatedUnder) == record.text(Field::Lock)
}

/// Whether the lock is the one that decided, alone. A run that was not found began under none.
fn is_own(record: &Record, lock: &Bundle) -> bool {
    record.text(Field::Lock) == Some(lock.digest())
        && record.text(Field::CreatedUnder).is_none_or(|created| created == lock.digest())
}

fn said(record: &Record) -> Option<Said> {
    match record.text(Field::Verdict)? {
        "allow" | "allow_create" => Some(Said::Allow),
        "deny" => Code::of(record.text(Field::Code)?).map(Said::Deny),
        "propose" => {
            let word = record.text(Field::Approval)?;
            Approval::named(word).map(Said::Propose)
        }
        _ => None,
    }
}
