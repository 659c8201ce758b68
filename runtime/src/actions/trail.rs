//! From the trail back to what happened (APPROVALS 9): the records alone say who proposed, who answered, what was
//! consumed and how it ended, and whether each followed from what stood before it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Move, State};
use crate::audit::{Field, Told};

/// What the trail says of one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// How often its approval was consumed: never, or once.
    pub consumed: usize,
    /// The digest that it is bound to.
    pub digest: String,
    /// Where it stands.
    pub state: State,
    /// Who said yes to what is shown now, and counts.
    pub yeses: BTreeSet<String>,
    batch: Option<String>,
    needed: u64,
    noes: usize,
    /// The digest that people were shown, where it is its batch's.
    shown: Option<String>,
}

/// A record that does not follow from those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Its place, from 0.
    pub at: usize,
    /// What is missing before it.
    pub what: &'static str,
}

/// Tells every action's story, or names the first record that does not follow.
pub fn reconstruct<T: Told>(events: &[T]) -> Result<BTreeMap<String, Story>, Gap> {
    let mut told = Telling::default();
    for (at, event) in events.iter().enumerate() {
        told.take(event).map_err(|what| Gap { at, what })?;
    }
    Ok(told.stories)
}

#[derive(Default)]
struct Telling {
    batches: BTreeMap<String, String>,
    stories: BTreeMap<String, Story>,
}

impl Telling {
    fn take(&mut self, event: &impl Told) -> Result<(), &'static str> {
        match event.name() {
            "action.proposed" => self.proposed(event),
            "action.rebound" => {
                let digest = text(event, Field::ActionDigest)?.to_owned();
                let story = self.story(event)?;
                story.digest = digest;
                story.yeses.clear();
                Ok(())
            }
            "action.vote" => self.vote(event),
            "action.vote_withdrawn" => {
                let person = text(event, Field::DecidedBy)?.to_owned();
                self.story(event)?.yeses.remove(&person);
                Ok(())
            }
            "action.consumed" => {
                let story = self.story(event)?;
                story.consumed += 1;
                if story.state != State::Approved || story.consumed > 1 {
                    return Err("an approval that nobody had consumed");
                }
                Ok(())
            }
            "batch.proposed" | "batch.rebound" => self.batch(event),
            name => match Move::ALL.into_iter().find(|step| step.event() == name) {
                Some(step) => self.moved(event, step),
                None => Ok(()),
            },
        }
    }

    fn story(&mut self, event: &impl Told) -> Result<&mut Story, &'static str> {
        let id = text(event, Field::Action)?;
        self.stories.get_mut(id).ok_or("the proposal")
    }

    fn proposed(&mut self, event: &impl Told) -> Result<(), &'static str> {
        let word = text(event, Field::State)?;
        let state = State::ALL.into_iter().find(|state| state.code() == word).ok_or("a known state")?;
        let auto = text(event, Field::Approval)? == "auto" && text(event, Field::Effect)? == "create";
        if !matches!(state, State::Proposed | State::Replay) && !auto {
            return Err("a yes");
        }
        let Some(needed) = event.number(Field::Needed) else {
            return Err("how many people must say yes");
        };
        let story = Story {
            batch: text(event, Field::Batch).ok().map(str::to_owned),
            consumed: 0,
            digest: text(event, Field::ActionDigest)?.to_owned(),
            needed: if auto { 0 } else { needed },
            noes: 0,
            shown: None,
            state,
            yeses: BTreeSet::new(),
        };
        match self.stories.insert(text(event, Field::Action)?.to_owned(), story) {
            Some(_) => Err("another id"),
            None => Ok(()),
        }
    }

    fn batch(&mut self, event: &impl Told) -> Result<(), &'static str> {
        let (id, digest) = (text(event, Field::Batch)?, text(event, Field::ActionDigest)?);
        self.batches.insert(id.to_owned(), digest.to_owned());
        for story in self.stories.values_mut().filter(|story| story.batch.as_deref() == Some(id)) {
            story.shown = Some(digest.to_owned());
            story.yeses.clear();
        }
        Ok(())
    }

    fn vote(&mut self, event: &impl Told) -> Result<(), &'static str> {
        let person = text(event, Field::DecidedBy)?.to_owned();
        let digest = text(event, Field::ActionDigest)?.to_owned();
        let yes = text(event, Field::Answer)? == "yes";
        let story = self.story(event)?;
        if digest != *story.shown.as_ref().unwrap_or(&story.digest) {
            return Err("what was shown under this digest");
        }
        if yes {
            story.yeses.insert(person);
        } else {
            story.noes += 1;
        }
        Ok(())
    }

    fn moved(&mut self, event: &impl Told, step: Move) -> Result<(), &'static str> {
        let story = self.story(event)?;
        story.state = story.state.after(step).ok_or("a state that this can follow on")?;
        match step {
            Move::Approve if (story.yeses.len() as u64) < story.needed => Err("everybody's yes"),
            Move::Reject if story.noes == 0 => Err("a no"),
            Move::Start if story.consumed != 1 => Err("a consumed approval"),
            _ => Ok(()),
        }
    }
}

fn text(event: &impl Told, field: Field) -> Result<&str, &'static str> {
    event.text(field).ok_or("a fact of the record itself")
}
