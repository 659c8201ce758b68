//! The steps of the model: each runs the crate's own functions on a ledger, once for every ledger and surrounding, and
//! checks that whatever changed was recorded.

use std::collections::{BTreeMap, HashMap};

use harnessc_runtime::actions::{
    ActionId, Answer, Change, Ended, Facts, Ledger, Move, PersonId, Receipt, Refusal, Says, Standing, State,
    Store, StoreError, Subject, Switch, Voter, execute, keep, start,
};
use harnessc_runtime::audit::{Datum, Event, Field};

use crate::blind::Blind;
use crate::oracle::Harm;
use crate::outside::{Outside, Place};
use crate::world::{ACTIONS, Env, Who, draft, standing};

/// One step of somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Op {
    /// An answer to what was shown under a digest arrives.
    Deliver { action: usize, digest: u16, who: Who, yes: bool },
    /// A person finds out how an unknown execution ended.
    Find { action: usize, did: bool },
    /// After a crash.
    Recover,
    /// A worker reports an end; `None`: that it cannot say.
    Settle { action: usize, digest: u16, did: Option<bool> },
    /// A worker consumes an approval, reads the kill switch so, and says of the outside server what was found of the tool
    /// of `of`.
    Start { action: usize, kill: bool, of: usize },
    /// Whatever is due is ended.
    Sweep,
}

/// What a step came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) answer: Result<Answered, Refusal>,
    pub(crate) harm: Option<Harm>,
    pub(crate) ledger: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Answered {
    Other,
    /// The digest that was started, and the number of the input that the write was given.
    Started(u16, usize),
    Voted,
}

/// Ledgers and digests by number, and every step that was taken already.
pub(crate) struct Steps {
    blind: Option<Blind>,
    bound: Vec<([u16; 2], [State; 2])>,
    digests: HashMap<String, u16>,
    known: HashMap<Ledger, u32>,
    ledgers: Vec<Ledger>,
    names: Vec<String>,
    outside: Option<Outside>,
    owners: Vec<usize>,
    receipts: HashMap<(usize, u16), Receipt>,
    /// What was executed, input for input.
    inputs: Vec<String>,
    taken: HashMap<(u32, Op, Env), Outcome>,
}

/// A store of one ledger, which keeps what it was told.
struct Cell {
    ledger: Ledger,
    told: Vec<Event>,
}

impl Store for Cell {
    fn read(&self, _: &str, _: &str) -> Result<Option<Ledger>, StoreError> {
        Ok(Some(self.ledger.clone()))
    }

    fn commit(&mut self, change: &Change<'_>) -> Result<(), StoreError> {
        if self.ledger.version() != change.expected {
            return Err(StoreError::Conflict);
        }
        self.ledger = change.ledger.clone();
        self.told.extend(change.events.iter().cloned());
        Ok(())
    }
}

impl Steps {
    pub(crate) fn new(blind: Option<Blind>, place: Place) -> Self {
        Self {
            blind,
            bound: Vec::new(),
            digests: HashMap::new(),
            known: HashMap::new(),
            ledgers: Vec::new(),
            names: Vec::new(),
            outside: (place == Place::Outside).then(Outside::new),
            owners: Vec::new(),
            receipts: HashMap::new(),
            inputs: Vec::new(),
            taken: HashMap::new(),
        }
    }

    /// Both actions proposed, nothing answered.
    pub(crate) fn first(&mut self) -> u32 {
        let ledger = (0..2).fold(Ledger::new("org", "run"), |ledger, action| {
            let step = ledger.propose(draft(action, self.outside.as_ref(), self.blind), 0);
            step.outcome.unwrap();
            step.ledger
        });
        self.number(self.tidied(&ledger))
    }

    pub(crate) fn ledger(&self, number: u32) -> &Ledger {
        &self.ledgers[number as usize]
    }

    pub(crate) fn ledgers(&self) -> usize {
        self.ledgers.len()
    }

    fn number(&mut self, ledger: Ledger) -> u32 {
        if let Some(number) = self.known.get(&ledger) {
            return *number;
        }
        let number = u32::try_from(self.ledgers.len()).unwrap();
        let bound: Vec<_> = ledger.actions().map(|a| (a.digest().to_owned(), a.state())).collect();
        let [(a, in_a), (b, in_b)] = bound.try_into().unwrap();
        let digests = [self.digest(&a, 0), self.digest(&b, 1)];
        self.bound.push((digests, [in_a, in_b]));
        self.ledgers.push(ledger.clone());
        self.known.insert(ledger, number);
        number
    }

    fn digest(&mut self, digest: &str, action: usize) -> u16 {
        if let Some(number) = self.digests.get(digest) {
            return *number;
        }
        let number = u16::try_from(self.names.len()).unwrap();
        self.names.push(digest.to_owned());
        self.owners.push(action);
        self.digests.insert(digest.to_owned(), number);
        number
    }

    /// The digest that an action is shown under.
    pub(crate) fn shown(&self, ledger: u32, action: usize) -> u16 {
        self.bound[ledger as usize].0[action]
    }

    /// Where an action stands.
    pub(crate) fn state(&self, ledger: u32, action: usize) -> State {
        self.bound[ledger as usize].1[action]
    }

    pub(crate) fn name(&self, digest: u16) -> &str {
        &self.names[usize::from(digest)]
    }

    /// What was started: under which digest, with which input.
    pub(crate) fn started(&self, digest: u16, input: usize) -> (&str, &str) {
        (self.name(digest), &self.inputs[input])
    }

    /// Which action a digest was shown for.
    pub(crate) fn about(&self, digest: u16) -> usize {
        self.owners[usize::from(digest)]
    }

    /// The surroundings that a step can see. By their signatures all but answers and starts see the time alone; what `b`
    /// is about never moves. An answer that is late, stale or nobody's is asked for once: were it ever taken, it would
    /// be then, too.
    fn seen(&self, ledger: u32, op: Op, env: Env) -> Env {
        let time = Env { epoch: 0, look: None, moved: false, now: env.now };
        match op {
            Op::Deliver { action, digest, who, .. } if self.blind.is_none() => {
                let counts = self.shown(ledger, action) == digest && who.is_a_person();
                let open = self.state(ledger, action).is_open();
                if counts && open { Env { look: None, moved: env.moved && action == 0, ..env } } else { time }
            }
            Op::Start { action, .. } => Env { moved: env.moved && action == 0, ..env },
            Op::Deliver { .. } => Env { look: None, ..env },
            Op::Find { .. } | Op::Recover | Op::Settle { .. } | Op::Sweep => time,
        }
    }

    /// Takes a step, or remembers what it came to.
    pub(crate) fn take(&mut self, ledger: u32, op: Op, env: Env) -> Outcome {
        let env = self.seen(ledger, op, env);
        if let Some(outcome) = self.taken.get(&(ledger, op, env)) {
            return *outcome;
        }
        let before = self.lied_to(self.ledger(ledger).clone(), op);
        let mut store = Cell { ledger: before.clone(), told: Vec::new() };
        let answer = self.run(&mut store, op, env);
        let harm = unrecorded(&before, &store);
        let mut after = store.ledger;
        if self.blind == Some(Blind::Unknown) && op == Op::Recover {
            after = rewritten(&after, "unknown", "approved");
        }
        if self.blind == Some(Blind::Patience) && answer.is_err_and(is_withheld) {
            after = rewritten(&after, "approved", "superseded");
        }
        let same = after == before && before == *self.ledger(ledger);
        let next = if same { ledger } else { self.number(self.tidied(&after)) };
        let outcome = Outcome { answer, harm, ledger: next };
        self.taken.insert((ledger, op, env), outcome);
        outcome
    }

    /// The ledger without what can no longer matter, once it was checked: its version, the times of a clock that never goes
    /// back, and the answers to an action that is closed (a blinded guard may still look at those).
    fn tidied(&self, ledger: &Ledger) -> Ledger {
        let mut json = serde_json::to_value(ledger).unwrap();
        json["version"] = 0.into();
        // Where time passes more than once, only its passing matters.
        let timeless = self.outside.is_some();
        if timeless {
            json["high_water_ms"] = 0.into();
        }
        for (name, action) in ACTIONS.iter().zip(ledger.actions()) {
            if self.blind.is_none() && !action.state().is_open() {
                json["actions"][name]["votes"] = serde_json::json!([]);
            }
            for vote in json["actions"][name]["votes"].as_array_mut().unwrap().iter_mut().filter(|_| timeless)
            {
                vote["at_ms"] = 0.into();
            }
        }
        serde_json::from_str(&json.to_string()).unwrap()
    }

    /// What a start sees where consumption is blinded.
    fn lied_to(&self, ledger: Ledger, op: Op) -> Ledger {
        match op {
            Op::Start { .. } if self.blind == Some(Blind::ConsumedOnce) => {
                let again = rewritten(&ledger, "executed", "approved");
                // Only the action that is started looks approved: what it leans on stays as it is.
                let Op::Start { action, .. } = op else { return ledger };
                if action == 0 { again } else { ledger }
            }
            _ => ledger,
        }
    }

    fn run(&mut self, store: &mut Cell, op: Op, env: Env) -> Result<Answered, Refusal> {
        let blind = self.blind;
        let outside = self.outside.as_ref();
        let stands = |at| {
            let mut standing = standing(at, env, &store.ledger, outside, blind);
            if let Op::Start { action, of, .. } = op {
                let listed = |outside: &Outside| outside.listed(action, of, env, blind);
                standing.listed = outside.filter(|_| at == action).and_then(listed);
            }
            (ActionId::new(ACTIONS[at]), standing)
        };
        let standing: BTreeMap<ActionId, Standing> = (0..2).map(stands).collect();
        let people = people(&store.ledger, blind);
        let facts = Facts {
            kill_switch: match op {
                Op::Start { kill: true, .. } if blind != Some(Blind::KillSwitch) => Switch::On,
                _ => Switch::Off,
            },
            now_ms: if blind == Some(Blind::Expiry) { 0 } else { env.now },
            people: &people,
            standing: &standing,
        };
        let now = facts.now_ms;
        match op {
            Op::Deliver { action, digest, who, yes } => {
                let (answer, voter) = self.answer(&store.ledger, action, digest, who, yes);
                keep(store, "org", "run", |ledger| ledger.decide(&answer, &voter, &facts))
                    .map(|_| Answered::Voted)
            }
            Op::Find { action, did } => {
                let id = ActionId::new(ACTIONS[action]);
                let lee = Who::Lee.voter(None);
                keep(store, "org", "run", |ledger| ledger.found(&id, did, &lee, now))
                    .map(|()| Answered::Other)
            }
            Op::Recover => keep(store, "org", "run", |ledger| ledger.recover(now)).map(|_| Answered::Other),
            Op::Settle { action, digest, did } => {
                let ended = match did {
                    Some(true) => Ended::Done { result: None },
                    Some(false) => Ended::Failed,
                    None => Ended::Lost,
                };
                let receipt = &self.receipts[&(action, digest)];
                keep(store, "org", "run", |ledger| ledger.settle(receipt, ended, now))
                    .map(|()| Answered::Other)
            }
            Op::Start { action, .. } => {
                let id = ActionId::new(ACTIONS[action]);
                let token = start(store, "org", "run", &id, &facts, None)?;
                let performed = execute(token, |deed| deed.input().to_owned());
                let digest = store.ledger.action(&id).unwrap().digest().to_owned();
                let digest = self.digest(&digest, action);
                self.receipts.insert((action, digest), performed.receipt);
                let input = self.inputs.iter().position(|input| *input == performed.result);
                let input = input.unwrap_or_else(|| {
                    self.inputs.push(performed.result);
                    self.inputs.len() - 1
                });
                Ok(Answered::Started(digest, input))
            }
            Op::Sweep => keep(store, "org", "run", |ledger| ledger.sweep(now)).map(|()| Answered::Other),
        }
    }

    fn answer(&self, ledger: &Ledger, action: usize, digest: u16, who: Who, yes: bool) -> (Answer, Voter) {
        let bound = ledger.actions().nth(action).unwrap();
        let digest = match self.blind {
            Some(Blind::Digest) => bound.digest().to_owned(),
            _ => self.names[usize::from(digest)].clone(),
        };
        let says = if yes { Says::Yes } else { Says::No };
        let mut voter = who.voter(self.blind);
        if self.blind == Some(Blind::DistinctPeople) && who != Who::Ada {
            voter.person = PersonId::new(format!("{}#{}", voter.person, bound.votes().len()));
        }
        (Answer { digest, says, subject: Subject::Action(ActionId::new(ACTIONS[action])) }, voter)
    }
}

/// Whether a start was refused for what is known of an outside server.
pub(crate) fn is_withheld(refusal: Refusal) -> bool {
    matches!(refusal, Refusal::UpstreamDrift | Refusal::UpstreamUnseen)
}

/// Everybody who said something, looked up again.
fn people(ledger: &Ledger, blind: Option<Blind>) -> BTreeMap<PersonId, Voter> {
    ledger
        .actions()
        .flat_map(|action| action.votes())
        .map(|vote| {
            let mut voter = Who::behind(vote.person.as_str()).voter(blind);
            voter.person = vote.person.clone();
            (vote.person.clone(), voter)
        })
        .collect()
}

/// The ledger with every action of one state in another.
fn rewritten(ledger: &Ledger, from: &str, to: &str) -> Ledger {
    let json = serde_json::to_string(ledger).unwrap();
    let json = json.replace(&format!("\"state\":\"{from}\""), &format!("\"state\":\"{to}\""));
    serde_json::from_str(&json).unwrap()
}

/// Whether something changed of which the events do not tell, or that the version does not show.
fn unrecorded(before: &Ledger, store: &Cell) -> Option<Harm> {
    if *before != store.ledger && store.ledger.version() != before.version() + 1 {
        return Some(Harm::Silent);
    }
    for (was, is) in before.actions().zip(store.ledger.actions()) {
        let mut state = was.state();
        for event in &store.told {
            let about = event.fields.get(&Field::Action) == Some(&Datum::Id(is.id().to_string()));
            let step = Move::ALL.into_iter().find(|step| step.event() == event.name);
            if let Some(step) = step.filter(|_| about) {
                state = state.after(step)?;
            }
        }
        let consumed = store.told.iter().any(|event| event.name == "action.consumed");
        if state != is.state() || (state == State::Executing && was.state() != state && !consumed) {
            return Some(Harm::Silent);
        }
    }
    None
}
