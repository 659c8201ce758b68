//! What the audit trail says is over. It is written before the state is, so that whatever the state still holds open is asked
//! of the trail as well: what was consumed once is never consumed again, whichever state is put back.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::actions::{Action, Ledger};
use harnessc_runtime::audit::{Datum, Event, Field, Told, read_line};

use crate::state::State;
use crate::system::Failed;

/// How an action is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    /// Its approval was consumed, and no record says how it ended.
    Consumed,
    /// It ended.
    Ended,
}

#[derive(Debug, Default)]
pub(crate) struct Trail {
    over: BTreeMap<String, Over>,
    runs: BTreeSet<String>,
}

impl Trail {
    /// Reads the lines of a chain that was verified, and holds the state against them. An end is recorded only behind a state
    /// that was on the disk, so that one which the state does not know of was cut off it.
    pub(crate) fn read(lines: &str, state: &State) -> Result<Self, Failed> {
        let mut trail = Self::default();
        let (_, seq, _) = &state.audit;
        for record in lines.lines().filter_map(read_line) {
            trail.take(&record);
            let done = matches!(record.event.as_str(), "action.executed" | "action.failed");
            if let Some(id) = Told::text(&record, Field::Action).filter(|_| done && record.seq > *seq)
                && !actions(state).any(|action| action.id().as_str() == id && !action.state().is_open())
            {
                return Err(Failed::new(format!(
                    "the state is older than the trail, in which `{id}` was carried out (seq {}): put the newer state \
                     back, or begin with a state and a trail of their own",
                    record.seq
                )));
            }
        }
        Ok(trail)
    }

    /// Takes one record of what happened.
    pub(crate) fn take(&mut self, event: &impl Told) {
        let over = match event.name() {
            "action.consumed" | "action.started" => Over::Consumed,
            "action.executed"
            | "action.expired"
            | "action.failed"
            | "action.found_done"
            | "action.found_undone"
            | "action.rejected"
            | "action.superseded"
            | "action.unknown" => Over::Ended,
            "agent_run.ended" => {
                self.runs.extend(event.text(Field::Run).map(str::to_owned));
                return;
            }
            _ => return,
        };
        if let Some(id) = event.text(Field::Action) {
            self.over.insert(id.to_owned(), over);
        }
    }

    /// Whether this would consume what was consumed, or ended, before.
    pub(crate) fn holds(&self, event: &Event) -> bool {
        event.name == "action.consumed"
            && Told::text(event, Field::Action).is_some_and(|id| self.over.contains_key(id))
    }

    /// Whether an action that the state holds open is over.
    pub(crate) fn is_over(&self, action: &Action) -> bool {
        action.state().is_open() && self.over.contains_key(action.id().as_str())
    }

    /// Whether a run has ended.
    pub(crate) fn has_ended(&self, run: &str) -> bool {
        self.runs.contains(run)
    }

    /// What is to be said of the actions that the state holds open although their approval was consumed: nobody knows.
    pub(crate) fn lost(&self, state: &State) -> Vec<Event> {
        let lost = actions(state).filter(|action| {
            action.state().is_open() && self.over.get(action.id().as_str()) == Some(&Over::Consumed)
        });
        lost.map(unknown).collect()
    }
}

fn actions(state: &State) -> impl Iterator<Item = &Action> {
    state.actions.iter().flat_map(Ledger::actions)
}

fn unknown(action: &Action) -> Event {
    let proposal = action.proposal();
    Event::new("action.unknown")
        .with(Field::Action, Datum::Id(action.id().to_string()))
        .with(Field::ActionDigest, Datum::Digest(action.digest().to_owned()))
        .with(Field::Run, Datum::Id(proposal.run.clone()))
        .with(Field::State, Datum::Word("unknown"))
        .with(Field::Tool, Datum::Key(proposal.cell.tool.clone()))
}
