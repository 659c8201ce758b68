//! What the model is made of: who there is, which rules can be in force, and one state of it all.

use std::collections::BTreeSet;

use harnessc_runtime::actions::{
    ActionId, Assurance, CellRef, Draft, Execution, Ledger, Nonce, Origins, PersonId, Proposal, Requester,
    Rules, Standing, Voter,
};
use harnessc_runtime::lock::{Approval, Effect};

use crate::blind::Blind;
use crate::outside::{LATER, Look, Outside};

pub(crate) const ACTIONS: [&str; 2] = ["a", "b"];
pub(crate) const INPUTS: [&str; 2] = ["{\"n\":1}", "{\"n\":2}"];
pub(crate) const NEEDED: [usize; 2] = [1, 2];
/// Both wait until this time.
pub(crate) const EXPIRES: u64 = 2 * LATER;

/// Whoever can send an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Who {
    /// Asked for `a`; `b` is done on their behalf.
    Ada,
    /// A lead and an owner.
    Lee,
    /// A lead.
    Kim,
    /// A machine that says it is a lead.
    Machine,
    /// Somebody who says they are Lee.
    Impostor,
}

impl Who {
    pub(crate) const ALL: [Self; 5] = [Self::Ada, Self::Lee, Self::Kim, Self::Machine, Self::Impostor];

    /// Whether they are a person who is who they say.
    pub(crate) fn is_a_person(self) -> bool {
        matches!(self, Self::Ada | Self::Lee | Self::Kim)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Ada => "ada",
            Self::Lee | Self::Impostor => "lee",
            Self::Kim => "kim",
            Self::Machine => "machine",
        }
    }

    /// The voter as the server finds them, or as a blinded guard sees them.
    pub(crate) fn voter(self, blind: Option<Blind>) -> Voter {
        let personas: &[&str] = match self {
            Self::Ada => &["lead", "owner", "scientist"],
            Self::Lee | Self::Impostor => &["lead", "owner"],
            Self::Kim => &["lead"],
            Self::Machine => &["lead", "owner"],
        };
        let personas = if blind == Some(Blind::Eligibility) { &["lead", "owner"] } else { personas };
        let known = self != Self::Impostor || blind == Some(Blind::Authentication);
        let other = self == Self::Ada && blind == Some(Blind::FourEyes);
        Voter {
            authenticated: if known { Assurance::Session } else { Assurance::None },
            human: self != Self::Machine || blind == Some(Blind::Human),
            independent: true,
            organization: "org".to_owned(),
            person: PersonId::new(if other { "not ada" } else { self.name() }),
            personas: personas.iter().map(|key| (*key).to_owned()).collect(),
        }
    }

    /// The people behind the names that votes are kept under.
    pub(crate) fn behind(name: &str) -> Self {
        match name.split('#').next().unwrap_or(name) {
            "lee" => Self::Lee,
            "kim" => Self::Kim,
            "machine" => Self::Machine,
            _ => Self::Ada,
        }
    }
}

/// What surrounds the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Env {
    /// Which rules are in force: as proposed, with a stricter approval, with another deed.
    pub(crate) epoch: usize,
    /// The last look at the outside server; `None`: nobody looked, or whoever did is gone.
    pub(crate) look: Option<Look>,
    /// Whether what `a` is about has moved since it was shown.
    pub(crate) moved: bool,
    pub(crate) now: u64,
}

/// The rules of an action at an epoch. The approval of `a` was four eyes of a lead and becomes one of an owner; that of
/// `b` was a confirmation by two, since no human asked, and becomes four eyes.
pub(crate) fn rules(action: usize, epoch: usize, outside: Option<&Outside>, blind: Option<Blind>) -> Rules {
    let (approval, approvers): (Approval, &[&str]) = match (action, epoch) {
        (0, 0) => (Approval::FourEyes, &["lead"]),
        (0, _) => (Approval::FourEyes, &["owner"]),
        (_, 0) => (Approval::Confirm, &["lead", "scientist"]),
        _ => (Approval::FourEyes, &["lead"]),
    };
    Rules {
        approval,
        approvers: Some(approvers.iter().map(|key| (*key).to_owned()).collect()),
        cell_digest: cell_digest(action, epoch),
        deed_digest: match outside {
            Some(outside) => outside.deed_digest(action, epoch),
            None => format!("deed {action} {}", epoch / 2),
        },
        enabled: true,
        lock: outside.map_or_else(|| format!("lock {epoch}"), |outside| outside.lock(epoch)),
        server: outside.and_then(|_| Outside::server(blind)),
    }
}

pub(crate) fn cell_digest(action: usize, epoch: usize) -> String {
    format!("cell {action} {epoch}")
}

pub(crate) fn preview(action: usize, moved: bool) -> &'static str {
    if action == 0 && moved { "two" } else { "one" }
}

/// What is true of an action, or what blinded guards are shown.
pub(crate) fn standing(
    action: usize,
    env: Env,
    ledger: &Ledger,
    outside: Option<&Outside>,
    blind: Option<Blind>,
) -> Standing {
    let bound = ledger.action(&ActionId::new(ACTIONS[action]));
    let lies = match blind {
        Some(Blind::Deed) => env.epoch == 2,
        Some(Blind::Stricter) => env.epoch == 1,
        _ => false,
    };
    let cell = bound.map(|bound| bound.proposal().cell_digest.clone()).filter(|_| lies);
    let epoch = (0..3).find(|epoch| Some(cell_digest(action, *epoch)) == cell);
    let seen = bound.map(|bound| bound.preview().to_owned()).filter(|_| blind == Some(Blind::Preview));
    Standing {
        execution: execution(action, outside, blind),
        listed: None,
        preview: seen.unwrap_or_else(|| preview(action, env.moved).to_owned()),
        rules: Some(rules(action, epoch.unwrap_or(env.epoch), outside, blind)),
        target: "{}".to_owned(),
        target_valid: true,
    }
}

fn execution(action: usize, outside: Option<&Outside>, blind: Option<Blind>) -> Execution {
    outside.map(|_| Outside::execution(action, blind)).unwrap_or_default()
}

pub(crate) fn draft(action: usize, outside: Option<&Outside>, blind: Option<Blind>) -> Draft {
    let rules = rules(action, 0, outside, blind);
    let own = CellRef { case: None, harness: None, role: "run".to_owned(), tool: "write".to_owned() };
    let ada = || Some(PersonId::new("ada"));
    let leans = action == 1 && blind != Some(Blind::Dependency);
    Draft {
        depends_on: leans.then(|| ActionId::new("a")).into_iter().collect(),
        id: ActionId::new(ACTIONS[action]),
        nonce: Nonce([0; 16]),
        preview: preview(action, false).to_owned(),
        proposal: Proposal {
            approval: rules.approval,
            approvers: rules.approvers,
            cell: outside.map_or(own, |_| Outside::cell(action)),
            cell_digest: rules.cell_digest,
            deed_digest: rules.deed_digest,
            effect: Effect::Write,
            execution: execution(action, outside, blind),
            expires_after_ms: Some(EXPIRES),
            input: INPUTS[action].to_owned(),
            lock: rules.lock,
            max_actions: Some(2),
            organization: "org".to_owned(),
            origins: Origins {
                acting_for: ada(),
                created_by: None,
                requester: match action {
                    0 => Requester::Person(PersonId::new("ada")),
                    _ => Requester::Machine("schedule".to_owned()),
                },
                scheduled_by: None,
                triggered_by: None,
            },
            run: "run".to_owned(),
            snapshot: false,
            target: "{}".to_owned(),
        },
        supersedes: BTreeSet::new(),
    }
}

/// One worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Worker {
    Idle,
    /// Holds a receipt; `did`: whether the write was done.
    Running {
        action: usize,
        digest: u16,
        did: bool,
    },
}

/// The answers that were taken to what is shown now, as the oracle remembers them: one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Said(u32);

impl Said {
    fn bit(action: usize, who: Who, yes: bool) -> u32 {
        1 << (action * 10 + who as usize * 2 + usize::from(yes))
    }

    pub(crate) fn has(self, action: usize, who: Who, yes: bool) -> bool {
        self.0 & Self::bit(action, who, yes) != 0
    }

    pub(crate) fn add(&mut self, action: usize, who: Who, yes: bool) {
        self.0 |= Self::bit(action, who, yes);
    }

    /// Forgets what was said to a digest that is shown no more.
    pub(crate) fn forget(&mut self, action: usize) {
        self.0 &= !(0x3ff << (action * 10));
    }
}

/// One state of the model. Ledgers and digests stand in it by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    /// How often each write was done.
    pub(crate) done: [u8; 2],
    pub(crate) env: Env,
    pub(crate) ledger: u32,
    pub(crate) said: Said,
    /// Every digest that was ever shown, a bit each: answers to any of them can arrive at any time, and again.
    pub(crate) shown: u64,
    pub(crate) workers: [Worker; 2],
}
