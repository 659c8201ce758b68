//! A call, asked gate by gate.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::budget::{Caps, Exceeded, Ledger, Reservation};
use super::conditions::{Call, Claims, Conditions, Fact};
use super::gates::budget::Takes;
use super::gates::{self};
use super::keyed::NameKey;
use super::locks::{Held, Locks};
use super::overlay::lock_deadline;
use super::record::{self, Trail};
use super::ruling::{CreatePermit, Decided, Permit, Proposal, ReadPermit, Refusal, Ruling, Subject};
use super::run::RunState;
use super::side::{Looked, Side};
use super::validate::InputFault;
use crate::decide::{Code, Verdict};
use crate::json::Json;
use crate::lock::{Approval, Effect, Preview, Tool, deed_name};

/// Bounds that the server itself sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The largest input, in bytes as it came in.
    pub max_input_bytes: usize,
    /// The largest result of one call, in bytes; so much is reserved where a budget bounds results.
    pub max_result_bytes: u64,
}

impl Default for Bounds {
    /// 1 MiB in, 256 KiB out.
    fn default() -> Self {
        Self { max_input_bytes: 1 << 20, max_result_bytes: 1 << 18 }
    }
}

/// The boundary of one tool server.
#[derive(Clone, Copy, Debug)]
pub struct Boundary<'a> {
    /// The server's own name: whom tokens must be for.
    pub audience: &'a str,
    /// Bounds of one call.
    pub bounds: Bounds,
    /// The key of what enters the audit as keyed digests.
    pub key: &'a NameKey,
    /// The locks that are held.
    pub locks: &'a Locks,
}

/// Why a call stops.
pub(super) struct Stop {
    pub(super) code: Code,
    pub(super) exceeded: Option<Exceeded>,
    pub(super) fault: Option<InputFault>,
}

impl From<Code> for Stop {
    fn from(code: Code) -> Self {
        Self { code, exceeded: None, fault: None }
    }
}

impl Stop {
    pub(super) fn exceeded(exceeded: Exceeded) -> Self {
        Self { exceeded: Some(exceeded), ..gates::budget::code(exceeded).into() }
    }

    pub(super) fn refusal(self) -> Refusal {
        Refusal { denial: self.code.into(), fault: self.fault }
    }
}

/// The sides of a call: the lock in force, and the run's own where that is another one.
type Sides<'a> = [Option<Side<'a>>; 2];

impl Boundary<'_> {
    /// What becomes of a call. Where it may run or be proposed, its share of the budgets is reserved in the ledger.
    #[must_use]
    pub fn check(
        &self,
        run: Fact<Option<&RunState<'_>>>,
        claims: &Claims<'_>,
        call: &Call<'_>,
        conditions: &Conditions<'_>,
        ledger: Fact<&mut Ledger>,
    ) -> Decided {
        let mut trail = Trail::default();
        let weighed = self.weigh(run, claims, call, conditions, ledger, &mut trail);
        let ruling = weighed.unwrap_or_else(|stop| {
            trail.exceeded = stop.exceeded;
            Ruling::Deny(stop.refusal())
        });
        let event = record::event(self, (run.ok().flatten(), claims, call, conditions), trail, &ruling);
        Decided { event, ruling }
    }

    /// Every gate, in order.
    pub(super) fn weigh(
        &self,
        run: Fact<Option<&RunState<'_>>>,
        claims: &Claims<'_>,
        call: &Call<'_>,
        conditions: &Conditions<'_>,
        ledger: Fact<&mut Ledger>,
        trail: &mut Trail,
    ) -> Result<Ruling, Stop> {
        let (run, created) = self.enter(run, claims, conditions)?;
        let read = gates::input::read(call.input, self.bounds.max_input_bytes).map(Arc::new);
        let input = read.as_ref().ok().map(|input| &**input);
        trail.input = input.map(|input| self.key.digest("input", input.canonical().as_bytes()));
        let looked = self.locks_of(created).map(|held| Some(Looked::of(held?, run, claims, call)));
        let sides =
            looked.each_ref().map(|looked| Some(Side::of(looked.as_ref()?, run, call, conditions, input)));
        if let Some((case, input)) = sides.iter().flatten().find_map(Side::told_apart) {
            trail.case = Some(case.to_owned());
            trail.case_input = Some(input.to_owned());
        }
        self.stand(run, call, conditions, &sides)?;
        let input = self.input(&read, &sides, trail)?;
        let target = bind(run, input, &sides, trail)?;
        let asked = approval(&sides);
        let takes = match (&asked, effect(&sides)) {
            (Ok(asked), _) if asked.approval != Approval::Auto => Takes::Proposal,
            (_, Effect::Read) => Takes::Read,
            _ => Takes::Create,
        };
        let caps = caps(&sides, conditions, call.tool);
        let wanted = gates::budget::ask(&ledger, &caps, call.tool, takes, self.bounds.max_result_bytes)
            .map_err(|(code, exceeded)| Stop { exceeded, ..code.into() })?;
        let asked = asked?;
        let about = About { call, conditions, input: input.clone(), run, sides: &sides, target };
        if takes == Takes::Read {
            let execution = about.execution();
            let reservation = reserve(ledger, &caps, call.tool, wanted)?;
            let tool = call.tool.to_owned();
            return Ok(Ruling::Allow(Permit::Read(Box::new(ReadPermit {
                input: about.input,
                execution,
                reservation,
                tool,
            }))));
        }
        let subject = about.subject(self.locks)?;
        let reservation = reserve(ledger, &caps, call.tool, wanted)?;
        if takes == Takes::Create {
            return Ok(Ruling::Allow(Permit::Create(Box::new(CreatePermit { reservation, subject }))));
        }
        let Asked { approval, approvers } = asked;
        Ok(Ruling::Propose(Box::new(Proposal { approval, approvers, reservation, subject })))
    }

    /// The gates about the run itself.
    pub(super) fn enter<'r>(
        &'r self,
        run: Fact<Option<&'r RunState<'r>>>,
        claims: &Claims<'_>,
        conditions: &Conditions<'_>,
    ) -> Result<(&'r RunState<'r>, &'r Held), Code> {
        let (run, created) = gates::run_row::ask(run, self.locks)?;
        gates::claim::ask(run, claims, self.audience)?;
        let of_locks = self.locks_of(created).into_iter().flatten();
        let of_locks = of_locks.filter_map(|held| lock_deadline(held.bundle.lock()));
        let of_overlay = conditions.overlay.ok().and_then(|overlay| overlay.deadline_ms());
        gates::lifecycle::ask(
            &run.lifecycle,
            conditions.now_ms,
            conditions.high_water_ms,
            of_locks.chain(of_overlay),
        )?;
        Ok((run, created))
    }

    /// The lock in force, and the run's own where that is another one.
    pub(super) fn locks_of<'h>(&'h self, created: &'h Held) -> [Option<&'h Held>; 2] {
        let current = self.locks.current();
        let own = Some(created).filter(|created| created.bundle.digest() != current.bundle.digest());
        [Some(current), own]
    }

    /// The gates about the deed and the run: of all sides and doubts, the first closed gate.
    fn stand(
        &self,
        run: &RunState<'_>,
        call: &Call<'_>,
        conditions: &Conditions<'_>,
        sides: &Sides<'_>,
    ) -> Result<(), Code> {
        let closed = sides.iter().flatten().filter_map(|side| side.closed(run));
        // The lock in force, which stands first, says what is executed where.
        let in_force = sides.first().and_then(Option::as_ref);
        let doubts = [
            in_force.and_then(|side| self.withheld(side.tool()?, call, conditions)),
            conditions.overlay.is_err().then_some(Code::OverlayUnreadable),
            run.permissions.is_err().then_some(Code::PermissionsUnreadable),
            run.plan.is_err().then_some(Code::PlanUnreadable),
        ];
        closed.chain(doubts.into_iter().flatten()).min().map_or(Ok(()), Err)
    }

    fn withheld(&self, tool: &Tool, call: &Call<'_>, conditions: &Conditions<'_>) -> Option<Code> {
        gates::upstream::ask(self.locks.in_force().digest(), conditions, call.tool, tool).err()
    }

    fn input<'r>(
        &self,
        read: &'r Result<Arc<Json>, InputFault>,
        sides: &Sides<'_>,
        trail: &mut Trail,
    ) -> Result<&'r Arc<Json>, Stop> {
        trail.input_valid = Some(false);
        let invalid = |fault| Stop { fault: Some(fault), ..Code::InputInvalid.into() };
        let input = read.as_ref().map_err(|fault| invalid(fault.clone()))?;
        for side in sides.iter().flatten() {
            gates::input::ask(side, input).map_err(|(code, fault)| {
                trail.input_valid = (code == Code::InputInvalid).then_some(false);
                Stop { fault, ..code.into() }
            })?;
        }
        trail.input_valid = Some(true);
        Ok(input)
    }
}

/// The bindings of every side, then that all sides name one executor.
fn bind(
    run: &RunState<'_>,
    input: &Json,
    sides: &Sides<'_>,
    trail: &mut Trail,
) -> Result<BTreeMap<String, String>, Code> {
    trail.bound = Some(false);
    let mut target = BTreeMap::new();
    for side in sides.iter().flatten() {
        let tool = side.tool().ok_or(Code::TargetMismatch)?;
        target.extend(gates::binding::ask(&tool.bind, run.values, input)?);
    }
    trail.bound = Some(true);
    if let [Some(current), Some(own)] = sides {
        gates::binding::one_executor(&own.execution(), &current.execution())?;
    }
    Ok(target)
}

/// Who must say yes: the stricter of both sides, by one who may under both.
struct Asked {
    approval: Approval,
    approvers: Option<Vec<String>>,
}

fn approval(sides: &Sides<'_>) -> Result<Asked, Code> {
    let mut asked = Asked { approval: Approval::Auto, approvers: None };
    for side in sides.iter().flatten() {
        match side.approval() {
            Verdict::Allow => {}
            Verdict::Deny(_) => return Err(Code::ApprovalUnavailable),
            Verdict::Propose { approval, approvers } => {
                asked.approval = asked.approval.max(approval);
                asked.approvers = both(asked.approvers, approvers);
            }
        }
    }
    let nobody = asked.approvers.as_ref().is_some_and(Vec::is_empty);
    if nobody { Err(Code::ApprovalUnavailable) } else { Ok(asked) }
}

/// The personas of both lists; no list is every authenticated person.
pub(super) fn both(own: Option<Vec<String>>, other: Option<&[String]>) -> Option<Vec<String>> {
    match (own, other) {
        (own, None) => own,
        (None, Some(other)) => Some(other.to_vec()),
        (Some(own), Some(other)) => Some(own.into_iter().filter(|key| other.contains(key)).collect()),
    }
}

/// The stronger effect of both sides.
fn effect(sides: &Sides<'_>) -> Effect {
    sides.iter().flatten().filter_map(Side::effect).max().unwrap_or(Effect::Destructive)
}

fn caps(sides: &Sides<'_>, conditions: &Conditions<'_>, tool: &str) -> Caps {
    let of_overlay = conditions.overlay.map_or_else(|_| Caps::default(), |overlay| overlay.caps(tool));
    sides.iter().flatten().fold(of_overlay, |caps, side| caps.and(side.caps()))
}

fn reserve(
    ledger: Fact<&mut Ledger>,
    caps: &Caps,
    tool: &str,
    wanted: super::budget::Amounts,
) -> Result<Reservation, Stop> {
    let ledger = ledger.map_err(|_| Code::BudgetUnreadable)?;
    ledger.reserve(caps, Some(tool), wanted).map_err(Stop::exceeded)
}

/// What an action is made of, borrowed.
struct About<'b, 'a> {
    call: &'b Call<'a>,
    conditions: &'b Conditions<'a>,
    input: Arc<Json>,
    run: &'b RunState<'a>,
    sides: &'b Sides<'b>,
    target: BTreeMap<String, String>,
}

impl About<'_, '_> {
    fn execution(&self) -> super::Execution {
        self.sides.iter().flatten().next().map(Side::execution).unwrap_or_default()
    }

    fn subject(self, locks: &Locks) -> Result<Subject, Code> {
        let sides = || self.sides.iter().flatten();
        let case = sides().find_map(Side::case).map(str::to_owned);
        let deed = deed_name(self.call.tool, case.as_deref());
        let in_force = locks.in_force();
        let cell_digest =
            in_force.cell_digest(self.run.harness, self.run.role, &deed).ok_or(Code::ApprovalUnavailable)?;
        let before_after = sides().any(|side| preview(side, case.as_deref()) == Preview::BeforeAfter);
        Ok(Subject {
            acting_user: self.run.acting_user.to_owned(),
            cell_digest,
            effect: effect(self.sides),
            execution: self.execution(),
            expires_after_ms: sides()
                .filter_map(|side| side.held().bundle.lock().approvals.expires_after_ms)
                .min(),
            harness: self.run.harness.map(str::to_owned),
            lock: in_force.digest().to_owned(),
            organization: self.run.organization.to_owned(),
            overlay: self
                .conditions
                .overlay
                .map_or_else(|_| String::new(), |overlay| overlay.digest().to_owned()),
            preview: if before_after { Preview::BeforeAfter } else { Preview::Input },
            requester: self.run.requester.to_owned(),
            role: self.run.role.to_owned(),
            run: self.run.id.to_owned(),
            tool: self.call.tool.to_owned(),
            case,
            input: self.input,
            target: self.target,
        })
    }
}

fn preview(side: &Side<'_>, case: Option<&str>) -> Preview {
    let Some(tool) = side.tool() else { return Preview::BeforeAfter };
    let of_case = tool.cases.as_ref().zip(case).and_then(|(cases, case)| cases.by.get(case));
    of_case.map_or(tool.preview, |case| case.preview)
}
