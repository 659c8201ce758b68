//! Changing the overlay: by a person who may, never looser than the lock, each change told to the audit.

use super::{Overlay, Rows, RunLimit, lock_deadline};
use crate::audit::{Datum, Event, Field};
use crate::boundary::Unreadable;
use crate::boundary::budget::Caps;
use crate::deeds::{Deed, Deeds};
use crate::lock::{Approval, Lock};

/// One change. What an overlay row took away, a later change can give back up to what the lock says, and no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// The tool is off.
    Disable(&'a str),
    /// The tool is what the lock says again.
    Enable(&'a str),
    /// The deed, or every case of the tool, needs at least this.
    Raise(&'a str, Approval),
    /// The approval is what the lock says again.
    Unraise(&'a str),
    /// The limit is at most this.
    Lower(Limit<'a>, u64),
    /// The limit is what the lock says again.
    Unlower(Limit<'a>),
    /// The kill switch is on, for a reason.
    Kill(&'a str),
    /// The kill switch is off, for a reason.
    Unkill(&'a str),
}

impl Change<'_> {
    /// Its word in a record.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Disable(_) => "disable",
            Self::Enable(_) => "enable",
            Self::Raise(..) => "raise",
            Self::Unraise(_) => "unraise",
            Self::Lower(..) => "lower",
            Self::Unlower(_) => "unlower",
            Self::Kill(_) => "kill",
            Self::Unkill(_) => "unkill",
        }
    }
}

/// A limit that the overlay can lower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit<'a> {
    /// A run's deadline, in milliseconds from its beginning.
    Deadline,
    /// What a run may spend.
    Run(RunLimit),
    /// A tool's calls in a run.
    ToolCalls(&'a str),
    /// The bytes of a tool's results in a run.
    ToolResultBytes(&'a str),
}

impl Limit<'_> {
    fn word(&self) -> &'static str {
        match self {
            Self::Deadline => "deadline",
            Self::Run(limit) => limit.word(),
            Self::ToolCalls(_) => "tool_calls",
            Self::ToolResultBytes(_) => "tool_result_bytes",
        }
    }
}

/// Who asks for a change, authenticated by the server.
#[derive(Clone, Copy, Debug)]
pub struct Changer<'a> {
    /// Whether it is a person; runs, services and agents change nothing.
    pub is_human: bool,
    /// Whether the organization lets this person change what is in force.
    pub may_change_policy: bool,
    /// The canonical person.
    pub person: &'a str,
}

/// A change that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// `policy.updated`. Where it cannot be recorded, the old overlay stays.
    pub event: Event,
    /// The overlay from now on.
    pub overlay: Overlay,
}

/// A change that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// `not_authorized`, `unknown_name`, `loosens`, `changes_nothing`, `reason_missing` or `unreadable`.
    pub code: &'static str,
    /// `policy.update_refused`.
    pub event: Event,
}

impl Overlay {
    /// The overlay after one change, under the lock in force.
    pub fn change(
        &self,
        lock: &Lock,
        lock_digest: &str,
        by: &Changer<'_>,
        change: &Change<'_>,
    ) -> Result<Changed, Refused> {
        let event = |name| {
            let facts = Event::new(name)
                .with(Field::ActingUser, Datum::Id(by.person.to_owned()))
                .with(Field::Change, Datum::Word(change.word()))
                .with(Field::Lock, Datum::Digest(lock_digest.to_owned()))
                .with(Field::OverlayBefore, Datum::Digest(self.digest().to_owned()));
            facts_of(facts, lock, change)
        };
        let refused = |code| {
            let event = event("policy.update_refused").with(Field::Code, Datum::Word(code));
            Refused { code, event }
        };
        if !by.is_human || !by.may_change_policy {
            return Err(refused("not_authorized"));
        }
        let rows = rows(&self.rows, lock, change).map_err(refused)?;
        if rows == self.rows {
            return Err(refused("changes_nothing"));
        }
        let overlay = Self::of(rows).map_err(|Unreadable| refused("unreadable"))?;
        let event = event("policy.updated").with(Field::Overlay, Datum::Digest(overlay.digest().to_owned()));
        Ok(Changed { event, overlay })
    }
}

fn rows(before: &Rows, lock: &Lock, change: &Change<'_>) -> Result<Rows, &'static str> {
    let mut rows = before.clone();
    match *change {
        Change::Disable(tool) => {
            let known = lock.tools.get(tool).ok_or("unknown_name")?;
            // Off in the lock already: a row would say nothing.
            if known.enabled {
                rows.disabled.insert(tool.to_owned());
            }
        }
        Change::Enable(tool) => drop(rows.disabled.remove(tool)),
        Change::Raise(deed, to) => {
            let least = loosest(lock, deed).ok_or("unknown_name")?;
            let own = rows.raised.get(deed).copied().unwrap_or(least);
            if to < least.max(own) {
                return Err("loosens");
            }
            if to > own {
                rows.raised.insert(deed.to_owned(), to);
            }
        }
        Change::Unraise(deed) => drop(rows.raised.remove(deed)),
        Change::Lower(limit, to) => lower(&mut rows, lock, limit, to)?,
        Change::Unlower(limit) => {
            if let Some(row) = row(&mut rows, limit) {
                *row = None;
            }
            if let Limit::Run(limit) = limit {
                rows.run.remove(&limit);
            }
        }
        Change::Kill(reason) => rows.kill_switch = Some(reasoned(reason)?),
        Change::Unkill(reason) => {
            reasoned(reason)?;
            rows.kill_switch = None;
        }
    }
    rows.tools.retain(|_, row| row.calls.is_some() || row.result_bytes.is_some());
    Ok(rows)
}

fn reasoned(reason: &str) -> Result<String, &'static str> {
    let reason = reason.trim();
    if reason.is_empty() { Err("reason_missing") } else { Ok(reason.to_owned()) }
}

/// The loosest approval that any cell of the deed has; `None` where the lock knows no such deed.
fn loosest(lock: &Lock, deed: &str) -> Option<Approval> {
    let deeds = Deeds::of(lock);
    let names: Vec<String> =
        deeds.range(deed).filter_map(|at| deeds.iter().nth(at)).map(Deed::name).collect();
    if names.is_empty() {
        return None;
    }
    let cells = lock.effective.values().flat_map(|roles| roles.values().flatten());
    let of_deed = cells.filter(|cell| names.contains(&cell.deed)).map(|cell| cell.approval);
    Some(of_deed.min().unwrap_or(Approval::Auto))
}

fn lower(rows: &mut Rows, lock: &Lock, limit: Limit<'_>, to: u64) -> Result<(), &'static str> {
    if let Limit::ToolCalls(tool) | Limit::ToolResultBytes(tool) = limit
        && !lock.tools.contains_key(tool)
    {
        return Err("unknown_name");
    }
    let stated = match limit {
        Limit::Deadline => lock_deadline(lock),
        Limit::Run(limit) => limit.stated(lock),
        Limit::ToolCalls(tool) => Caps::of_lock(lock, tool).tool.calls,
        Limit::ToolResultBytes(tool) => Caps::of_lock(lock, tool).tool.result_bytes,
    };
    let own = match limit {
        Limit::Run(limit) => rows.run.get(&limit).copied(),
        limit => row(rows, limit).and_then(|row| *row),
    };
    if [stated, own].into_iter().flatten().any(|cap| to > cap) {
        return Err("loosens");
    }
    if stated == Some(to) {
        return Ok(());
    }
    match limit {
        Limit::Run(limit) => drop(rows.run.insert(limit, to)),
        limit => {
            if let Some(row) = row(rows, limit) {
                *row = Some(to);
            }
        }
    }
    Ok(())
}

/// The row of a limit that is no budget of the run.
fn row<'r>(rows: &'r mut Rows, limit: Limit<'_>) -> Option<&'r mut Option<u64>> {
    match limit {
        Limit::Deadline => Some(&mut rows.deadline_ms),
        Limit::Run(_) => None,
        Limit::ToolCalls(tool) => Some(&mut rows.tools.entry(tool.to_owned()).or_default().calls),
        Limit::ToolResultBytes(tool) => {
            Some(&mut rows.tools.entry(tool.to_owned()).or_default().result_bytes)
        }
    }
}

/// What of the change is a key of the lock, a word or a number. The reason of a kill stays in the overlay.
fn facts_of(event: Event, lock: &Lock, change: &Change<'_>) -> Event {
    // A case that the lock does not know could be anything; who guesses names is told by the refusal alone.
    let knows = |name: &str| lock.tools.contains_key(name) || Deed::in_lock(lock, name).is_some();
    let tool = |event: Event, name: &str| match knows(name) {
        true => event.with(Field::Tool, Datum::Key(name.to_owned())),
        false => event,
    };
    let limited = |event: Event, limit: &Limit<'_>| {
        let event = event.with(Field::Limit, Datum::Word(limit.word()));
        match limit {
            Limit::ToolCalls(name) | Limit::ToolResultBytes(name) => tool(event, name),
            Limit::Deadline | Limit::Run(_) => event,
        }
    };
    match change {
        Change::Disable(name) | Change::Enable(name) | Change::Unraise(name) => tool(event, name),
        Change::Raise(name, to) => tool(event, name).with(Field::Approval, Datum::Word(to.word())),
        Change::Lower(limit, to) => limited(event, limit).with(Field::Value, Datum::Number(*to)),
        Change::Unlower(limit) => limited(event, limit),
        Change::Kill(_) | Change::Unkill(_) => event,
    }
}
