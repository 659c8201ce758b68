//! What must never happen, judged from what people said and what is in force: not from what the ledger concluded.

use std::fmt;

use harnessc_runtime::actions::{Ledger, State};

use crate::outside::{Lists, Place};
use crate::world::{EXPIRES, Env, INPUTS, NEEDED, Who, World, cell_digest, preview};

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Harm {
    AfterNo,
    Drifted,
    Killed,
    Late,
    Lost,
    OtherDeed,
    OtherInput,
    OtherLook,
    OtherPreview,
    OutOfOrder,
    Silent,
    StaleLook,
    Twice,
    Unapproved,
    Unseen,
}

impl fmt::Display for Harm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AfterNo => "executed after somebody said no",
            Self::Drifted => "executed a tool of an outside server that is not what was pinned",
            Self::Killed => "executed with the kill switch on",
            Self::Late => "executed after its time had run out",
            Self::Lost => "approved, nothing against it, and cannot be started",
            Self::OtherDeed => "executed another deed than the one that was approved",
            Self::OtherInput => "executed another input than the one that was approved",
            Self::OtherLook => "executed on a list that was looked at under another lock",
            Self::OtherPreview => "executed although what was shown had moved",
            Self::OutOfOrder => "executed before what it leans on",
            Self::Silent => "changed without a record",
            Self::StaleLook => "executed on a list that is too old",
            Self::Twice => "executed twice",
            Self::Unapproved => "executed without everybody's yes",
            Self::Unseen => "executed on an outside server whose list nobody has seen",
        })
    }
}

/// Whether this person's yes counts, by a table of its own: whoever asked for `a` is not the second pair of eyes, and
/// under the stricter rules an owner answers for `a` and nobody's own wish is `b`.
fn counts(who: Who, action: usize, epoch: usize) -> bool {
    match (action, epoch) {
        (0, 0) => matches!(who, Who::Lee | Who::Kim),
        (0, _) => who == Who::Lee,
        (_, 0) => matches!(who, Who::Ada | Who::Lee | Who::Kim),
        _ => matches!(who, Who::Lee | Who::Kim),
    }
}

/// What stands against executing at an outside server now, by what it listed when somebody last looked.
pub(crate) fn unlisted(env: Env, action: usize, place: Place) -> Option<Harm> {
    if place == Place::Inside {
        return None;
    }
    let Some(look) = env.look.filter(|look| look.lists != Lists::Silent) else { return Some(Harm::Unseen) };
    // The third lock pins what the server made of its tools.
    let pins_other = env.epoch == 2;
    if (look.lists == Lists::Other(action)) != pins_other {
        Some(Harm::Drifted)
    } else if look.is_old(env.now) {
        Some(Harm::StaleLook)
    } else if look.epoch != env.epoch {
        Some(Harm::OtherLook)
    } else {
        None
    }
}

/// Judges one execution: the world just before it, the ledger's digest that it was started under, the input it was given.
pub(crate) fn judge(
    world: &World,
    ledger: &Ledger,
    action: usize,
    kill: bool,
    place: Place,
    started: (&str, &str),
) -> Option<Harm> {
    let env = world.env;
    let (digest, input) = started;
    let bound = ledger.actions().nth(action)?;
    // Whoever said both has said no (APPROVALS 5 and 7).
    let no = |who: Who| world.said.has(action, who, false);
    let yes = |who: Who| counts(who, action, env.epoch) && world.said.has(action, who, true) && !no(who);
    let no = Who::ALL.into_iter().any(no);
    let current = bound.digest() == digest;
    if input != INPUTS[action] {
        Some(Harm::OtherInput)
    } else if world.done[action] > 0 {
        Some(Harm::Twice)
    } else if env.now >= EXPIRES {
        Some(Harm::Late)
    } else if kill {
        Some(Harm::Killed)
    } else if env.epoch == 2 {
        Some(Harm::OtherDeed)
    } else if action == 1 && world.done[0] == 0 {
        Some(Harm::OutOfOrder)
    } else if no {
        Some(Harm::AfterNo)
    } else if !current || bound.preview() != preview(action, env.moved) {
        Some(Harm::OtherPreview)
    } else if Who::ALL.into_iter().filter(|who| yes(*who)).count() < NEEDED[action] {
        Some(Harm::Unapproved)
    } else {
        unlisted(env, action, place)
    }
}

/// Whether an action is approved and nothing stands against starting it now, but perhaps an outside server.
pub(crate) fn can_start(world: &World, ledger: &Ledger, action: usize) -> bool {
    let env = world.env;
    let Some(bound) = ledger.actions().nth(action) else { return false };
    let free = env.now < EXPIRES;
    let same = bound.proposal().cell_digest == cell_digest(action, env.epoch)
        && bound.preview() == preview(action, env.moved);
    let turn = action == 0 || ledger.actions().next().is_some_and(|a| a.state() == State::Executed);
    bound.state() == State::Approved && free && same && turn
}
