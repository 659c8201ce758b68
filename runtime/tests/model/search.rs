//! Breadth first through every state; the first harm is told with the shortest way to it.

use std::collections::{BTreeSet, HashMap, VecDeque};

use harnessc_runtime::actions::{Refusal, State};

use crate::blind::Blind;
use crate::oracle::{Harm, can_start, judge, unlisted};
use crate::outside::{LATER, Lists, Look, Place};
use crate::steps::{Answered, Op, Steps, is_withheld};
use crate::world::{EXPIRES, Env, Said, Who, Worker, World};

/// How many digests an action is shown under.
const BOUND_ANEW: usize = 3;

/// What a search found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) depth: usize,
    pub(crate) executions: usize,
    pub(crate) ledgers: usize,
    /// How often something approved waited for an outside server, and could be started once its list was back.
    pub(crate) returns: usize,
    pub(crate) states: usize,
    pub(crate) transitions: usize,
    pub(crate) violation: Option<Violation>,
    /// What starts were refused with for what an outside server lists, or for nobody having looked.
    pub(crate) withheld: BTreeSet<Refusal>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) trace: Vec<String>,
    pub(crate) what: Harm,
}

/// What happens next.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// A worker dies; what it held is gone.
    Crash(usize),
    /// Something around the ledger changes.
    Env(Env),
    Op(Op),
    /// A worker consumes an approval and then does the write, finds it impossible, or dies.
    Start {
        action: usize,
        worker: usize,
        then: Then,
        kill: bool,
        of: usize,
    },
    /// The worker reports the end.
    Settle(usize),
    /// The worker was answered nothing, and says so.
    Silence(usize),
    /// The second one read before the first one wrote.
    Race(Op, Op),
}

#[derive(Clone, Copy, Debug)]
enum Then {
    Die,
    Do,
    Fail,
}

struct Search {
    blind: Option<Blind>,
    executions: usize,
    place: Place,
    returns: usize,
    seen: HashMap<World, usize>,
    steps: Steps,
    /// Each state's predecessor, the step from there, and its depth.
    ways: Vec<(usize, String, usize)>,
    withheld: BTreeSet<Refusal>,
}

/// Visits every state, or stops at the first harm.
pub(crate) fn search(place: Place, blind: Option<Blind>) -> Found {
    let mut steps = Steps::new(blind, place);
    let ledger = steps.first();
    let shown = (0..2).fold(0, |all: u64, action| all | 1 << steps.shown(ledger, action));
    let world = World {
        done: [0, 0],
        env: Env { epoch: 0, look: None, moved: false, now: 0 },
        ledger,
        said: Said::default(),
        shown,
        workers: [Worker::Idle; 2],
    };
    let mut search = Search {
        blind,
        executions: 0,
        place,
        returns: 0,
        seen: HashMap::new(),
        steps,
        ways: Vec::new(),
        withheld: BTreeSet::new(),
    };
    let mut queue = VecDeque::new();
    search.seen.insert(world, 0);
    search.ways.push((0, String::new(), 0));
    queue.push_back((world, 0));
    let mut transitions = 0;
    let mut violation = None;
    'all: while let Some((world, at)) = queue.pop_front() {
        if let Some(what) = search.lost(&world) {
            violation = Some(search.violation(at, None, what));
            break;
        }
        for next in search.nexts(&world) {
            transitions += 1;
            match search.follow(&world, next) {
                Err(what) => {
                    violation = Some(search.violation(at, Some(next), what));
                    break 'all;
                }
                Ok(after) if search.seen.contains_key(&after) || search.is_beyond(&after) => {}
                Ok(after) => {
                    let number = search.ways.len();
                    search.ways.push((at, format!("{next:?}"), search.ways[at].2 + 1));
                    search.seen.insert(after, number);
                    queue.push_back((after, number));
                }
            }
        }
    }
    Found {
        depth: search.ways.iter().map(|way| way.2).max().unwrap_or(0),
        executions: search.executions,
        ledgers: search.steps.ledgers(),
        returns: search.returns,
        states: search.seen.len(),
        transitions,
        violation,
        withheld: search.withheld,
    }
}

impl Search {
    /// Whether an action was bound anew more often than is looked at: rules that go back and forth never end.
    fn is_beyond(&self, world: &World) -> bool {
        (0..2).any(|action| {
            digests(world.shown).filter(|digest| self.steps.about(*digest) == action).count() > BOUND_ANEW
        })
    }

    /// What is approved with nothing against it can be started, once an outside server lists again what was pinned.
    fn lost(&mut self, world: &World) -> Option<Harm> {
        (0..2).find_map(|action| {
            if !can_start(world, self.steps.ledger(world.ledger), action) {
                return None;
            }
            let mut env = world.env;
            if unlisted(env, action, self.place).is_some() {
                self.returns += 1;
                let lists = if env.epoch == 2 { Lists::Other(action) } else { Lists::AsPinned };
                env.look = Some(Look::now(env, lists));
            }
            let start = Op::Start { action, kill: false, of: action };
            self.steps.take(world.ledger, start, env).answer.is_err().then_some(Harm::Lost)
        })
    }

    fn violation(&self, mut at: usize, last: Option<Next>, what: Harm) -> Violation {
        let mut trace: Vec<String> = last.iter().map(|next| format!("{next:?}")).collect();
        while at != 0 {
            trace.push(self.ways[at].1.clone());
            at = self.ways[at].0;
        }
        trace.reverse();
        Violation { trace, what }
    }

    fn nexts(&self, world: &World) -> Vec<Next> {
        let mut nexts: Vec<Next> = around(world.env, self.place).into_iter().map(Next::Env).collect();
        let answers = self.answers(world);
        nexts.extend(answers.iter().copied().map(Next::Op));
        nexts.extend([Next::Op(Op::Recover), Next::Op(Op::Sweep)]);
        for action in 0..2 {
            if self.steps.state(world.ledger, action) == State::Unknown {
                nexts.push(Next::Op(Op::Find { action, did: world.done[action] > 0 }));
            }
        }
        for worker in 0..2 {
            match world.workers[worker] {
                // Two idle workers are alike.
                Worker::Idle if worker == 1 && world.workers[0] == Worker::Idle => {}
                Worker::Idle => nexts.extend((0..2).flat_map(|action| {
                    [(Then::Die, false), (Then::Do, false), (Then::Fail, false), (Then::Do, true)]
                        .map(|(then, kill)| Next::Start { action, worker, then, kill, of: action })
                })),
                Worker::Running { .. } => nexts.extend([Next::Crash(worker), Next::Settle(worker)]),
            }
        }
        nexts.extend(self.mishaps(world));
        // With the comparison in force a race changes nothing: whoever read too early writes nothing.
        if self.blind == Some(Blind::CompareAndSet) {
            let starts = (0..2).map(|action| Op::Start { action, kill: false, of: action });
            let ops: Vec<Op> = starts.chain(answers).collect();
            nexts.extend(ops.iter().flat_map(|one| ops.iter().map(|two| Next::Race(*one, *two))));
        }
        nexts
    }

    /// What can go wrong with an outside server alone: one tool is taken for the other, and no answer comes.
    fn mishaps(&self, world: &World) -> Vec<Next> {
        let (then, kill) = (Then::Do, false);
        let idle = world.workers.iter().position(|worker| *worker == Worker::Idle);
        let mixed = idle
            .map(|worker| [0, 1].map(|action| Next::Start { action, worker, then, kill, of: 1 - action }));
        let busy = (0..2).filter(|worker| world.workers[*worker] != Worker::Idle).map(Next::Silence);
        let all = mixed.into_iter().flatten().chain(busy);
        all.filter(|_| self.place == Place::Outside).collect()
    }

    /// Every answer that can arrive: of people to whatever was ever shown, of others to what is shown now. To what is
    /// closed one answer comes late. Those others are nobody wherever a write is done, and are left out outside.
    fn answers(&self, world: &World) -> Vec<Op> {
        let mut answers = Vec::new();
        for digest in digests(world.shown) {
            let action = self.steps.about(digest);
            let current = self.steps.shown(world.ledger, action) == digest;
            if self.steps.state(world.ledger, action).is_open() {
                let heard = |who: &Who| who.is_a_person() || current && self.place == Place::Inside;
                for who in Who::ALL.into_iter().filter(heard) {
                    answers.extend([true, false].map(|yes| Op::Deliver { action, digest, who, yes }));
                }
            } else {
                answers.push(Op::Deliver { action, digest, who: Who::Lee, yes: true });
            }
        }
        answers
    }

    /// Leaves out what can no longer matter: what surrounds a closed action, and what was said of it. A blinded guard
    /// may look at all of it.
    fn tidy(&self, world: &mut World) {
        if self.blind.is_some() {
            return;
        }
        let open = |action| self.steps.state(world.ledger, action).is_open();
        let (a, b) = (open(0), open(1));
        let due = world.env.now >= EXPIRES;
        world.env.moved &= a && !due;
        if !(a || b) || due {
            (world.env.epoch, world.env.look) = (0, None);
        }
        for action in (0..2).filter(|action| !open(*action)) {
            world.said.forget(action);
            let current = self.steps.shown(world.ledger, action);
            let old = |digest: &u16| *digest != current && self.steps.about(*digest) == action;
            for digest in digests(world.shown).filter(old) {
                world.shown &= !(1 << digest);
            }
        }
    }

    fn follow(&mut self, world: &World, next: Next) -> Result<World, Harm> {
        let mut after = *world;
        match next {
            Next::Crash(worker) => after.workers[worker] = Worker::Idle,
            Next::Env(env) => after.env = env,
            Next::Op(op) => self.op(&mut after, op)?,
            Next::Start { action, worker, then, kill, of } => {
                if let Some(digest) = self.start(&mut after, (action, of), then, kill)? {
                    after.workers[worker] = match then {
                        Then::Die => Worker::Idle,
                        Then::Do => Worker::Running { action, digest, did: true },
                        Then::Fail => Worker::Running { action, digest, did: false },
                    };
                }
            }
            Next::Settle(worker) => {
                if let Worker::Running { action, digest, did } = world.workers[worker] {
                    after.workers[worker] = Worker::Idle;
                    // The report is delivered twice.
                    self.op(&mut after, Op::Settle { action, digest, did: Some(did) })?;
                    self.op(&mut after, Op::Settle { action, digest, did: Some(did) })?;
                }
            }
            Next::Silence(worker) => {
                if let Worker::Running { action, digest, .. } = world.workers[worker] {
                    after.workers[worker] = Worker::Idle;
                    self.op(&mut after, Op::Settle { action, digest, did: None })?;
                }
            }
            Next::Race(first, second) => {
                let early = world.ledger;
                self.either(&mut after, first)?;
                after.ledger = early;
                self.either(&mut after, second)?;
            }
        }
        after.workers.sort_unstable();
        for action in 0..2 {
            let digest = self.steps.shown(after.ledger, action);
            if self.steps.shown(world.ledger, action) != digest {
                after.said.forget(action);
            }
            after.shown |= 1 << digest;
        }
        self.tidy(&mut after);
        Ok(after)
    }

    fn either(&mut self, world: &mut World, op: Op) -> Result<(), Harm> {
        match op {
            Op::Start { action, kill, of } => self.start(world, (action, of), Then::Do, kill).map(|_| ()),
            op => self.op(world, op),
        }
    }

    fn start(
        &mut self,
        world: &mut World,
        (action, of): (usize, usize),
        then: Then,
        kill: bool,
    ) -> Result<Option<u16>, Harm> {
        let outcome = self.steps.take(world.ledger, Op::Start { action, kill, of }, world.env);
        if let Some(harm) = outcome.harm {
            return Err(harm);
        }
        let before = world.ledger;
        world.ledger = outcome.ledger;
        if let Err(refusal) = outcome.answer
            && is_withheld(refusal)
        {
            self.withheld.insert(refusal);
            // It waits: nothing but the list stands against it.
            if before != world.ledger {
                return Err(Harm::Lost);
            }
        }
        let Ok(Answered::Started(digest, input)) = outcome.answer else { return Ok(None) };
        let started = self.steps.started(digest, input);
        if let Some(harm) = judge(world, self.steps.ledger(before), action, kill, self.place, started) {
            return Err(harm);
        }
        if matches!(then, Then::Do) {
            self.executions += 1;
            world.done[action] = world.done[action].saturating_add(1);
        }
        Ok(Some(digest))
    }

    fn op(&mut self, world: &mut World, op: Op) -> Result<(), Harm> {
        let unheard = self.unheard(world, op);
        let outcome = self.steps.take(world.ledger, op, world.env);
        if let Some(harm) = outcome.harm {
            return Err(harm);
        }
        if !unheard {
            world.ledger = outcome.ledger;
        }
        if let Op::Deliver { action, digest, who, yes } = op {
            let taken = matches!(outcome.answer, Ok(Answered::Voted) | Err(Refusal::ContradictingAnswer));
            // To what is shown now, or to what a blinded guard takes for it.
            let current = self.steps.shown(world.ledger, action) == digest;
            if taken && current {
                world.said.add(action, who, yes);
            }
        }
        Ok(())
    }

    /// Whether an answer is kept from the ledger, which the oracle nevertheless knows of.
    fn unheard(&self, world: &World, op: Op) -> bool {
        let Op::Deliver { action, who, yes, .. } = op else { return false };
        let other = world.said.has(action, who, !yes);
        match self.blind {
            Some(Blind::OneNo) => !yes && !other,
            Some(Blind::Contradiction) => !yes && other,
            _ => false,
        }
    }
}

/// The digests of a set of them, a bit each.
fn digests(set: u64) -> impl Iterator<Item = u16> {
    let after = |left: &u64| Some(left & (left - 1)).filter(|left| *left != 0);
    std::iter::successors(Some(set).filter(|set| *set != 0), after).map(|left| left.trailing_zeros() as u16)
}

/// Every change around the ledger: time passes, rules and the world move on and back; somebody looks at the outside server,
/// whatever it lists by then, or forgets what was found.
fn around(env: Env, place: Place) -> Vec<Env> {
    let mut envs: Vec<Env> =
        (0..3).filter(|epoch| *epoch != env.epoch).map(|epoch| Env { epoch, ..env }).collect();
    envs.extend((env.now < EXPIRES).then_some(Env { now: EXPIRES, ..env }));
    if place == Place::Inside {
        envs.push(Env { moved: !env.moved, ..env });
        return envs;
    }
    envs.extend((env.now < LATER).then_some(Env { now: LATER, ..env }));
    let looks = Lists::ALL.map(|lists| Some(Look::now(env, lists)));
    envs.extend(looks.into_iter().chain([None]).map(|look| Env { look, ..env }));
    envs
}
