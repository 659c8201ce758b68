//! One run and everything around it: what it is shown, what becomes of its calls, what of a result it is handed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use harnessc_runtime::Bundle;
use harnessc_runtime::actions::{ActionId, Draft, Nonce, Origins, PersonId, Refusal, Switch, keep};
use harnessc_runtime::audit::{Event, Unrecorded};
use harnessc_runtime::boundary::budget::{Amounts, Caps, Meter, Reservation};
use harnessc_runtime::boundary::validate::JsonSchema;
use harnessc_runtime::boundary::{
    Boundary, Bounds, Call, Claims, Conditions, DeedNames, Ending, Fact, Ledger, Lifecycle, Locks, NameKey,
    Overlay, Permit, PlanState, Proposal, ReadPermit, Ruling, RunState, Shown, Unreadable,
};
use harnessc_runtime::json::Json;
use harnessc_runtime::load::{Held, Signers, Trust};
use harnessc_runtime::lock::Effect;
use harnessc_runtime::result::{Audience, Expected, Handed, Projector, receive};
use harnessc_runtime::runs::{self, Live, NewRun, Row};
use harnessc_runtime::upstream::Unfit;

use crate::office::Office;
use crate::options::Options;
use crate::outside::Outside;
use crate::people::People;
use crate::records::Records;
use crate::reply::Reply;
use crate::state::{Begun, State};
use crate::system::{Failed, id, now_ms, random};
use crate::{reads, writes};

/// Whom tokens must be for.
const AUDIENCE: &str = "tool_server";

pub(crate) struct Desk {
    pub(crate) budget: Ledger,
    key: NameKey,
    kill_switch: PathBuf,
    lifecycle: Lifecycle,
    pub(crate) locks: Locks,
    pub(crate) office: Office,
    pub(crate) outside: Outside,
    overlay: Overlay,
    pub(crate) people: People,
    permissions: DeedNames,
    persona: String,
    role: String,
    pub(crate) row: Row,
    surface: String,
    pub(crate) values: BTreeMap<String, Json>,
}

/// A run as the boundary asks for it, borrowed from the desk.
struct Around<'a> {
    claims: Claims<'a>,
    conditions: Conditions<'a>,
    run: Fact<RunState<'a>>,
    surface: &'a str,
}

impl Desk {
    /// Loads and proves the lock, and creates the run: its harness is the person's workbench role, if they may wear it. A
    /// run that a server left behind goes on, where it is the one that is asked for.
    pub(crate) fn open(options: &Options) -> Result<Self, Failed> {
        let organization = options.one("organization")?;
        // Whatever may be missing is asked for before anything is written.
        let (kill_switch, persona) = (options.one("kill_switch")?, options.one("persona")?);
        let (role, surface) = (options.one("role")?.to_owned(), options.one("surface")?.to_owned());
        let people = People::read(options.one("people")?, organization)?;
        let mut office = Office::open(options.one("audit")?, options.one("state")?, organization)?;
        let bundle = bundle(options, office.state())?;
        let left = Some(office.state().begun.clone()).filter(|begun| {
            !begun.run.is_empty() && !office.state().ended && !office.trail().has_ended(&begun.run)
        });
        let row = match &left {
            Some(begun) => go_on(&mut office, &bundle, options, begun)?,
            None => begin(&mut office, &bundle, options)?,
        };
        let granted = bundle.lock().personas.get(persona).map(|persona| persona.bundle.clone());
        let program = Json::of(&row.program().into()).map_err(|_| Failed::new("the program is no text"))?;
        let locks = Locks::new(bundle, Arc::new(JsonSchema));
        let mut desk = Self {
            budget: office.state().budget.clone(),
            key: office.key().clone(),
            kill_switch: kill_switch.into(),
            lifecycle: Lifecycle::begun(row.created_ms()),
            office,
            outside: Outside::default(),
            overlay: Overlay::none().map_err(|_| Failed::new("there is no overlay"))?,
            people,
            permissions: DeedNames::of(granted.iter().flatten().map(String::as_str), &locks),
            persona: persona.to_owned(),
            role,
            surface,
            values: BTreeMap::from([("program_id".to_owned(), program)]),
            locks,
            row,
        };
        if left.is_some() {
            desk.take_up();
        }
        Ok(desk)
    }

    /// What the run is shown, of what this server carries out.
    pub(crate) fn list(&mut self) -> Result<Vec<Shown>, String> {
        for server in Outside::servers(self.locks.in_force()) {
            self.see(&server).map_err(|unrecorded| unrecorded.to_string())?;
        }
        let listed = self.ask(|boundary, around, _| {
            boundary.list(
                around.run.as_ref().map(Some).map_err(|doubt| *doubt),
                &around.claims,
                Some(around.surface),
                &around.conditions,
            )
        });
        let listed = listed.map_err(|denial| format!("{}: {}", denial.code, denial.reason))?;
        Ok(listed.into_iter().filter(|shown| self.serves(&shown.name)).collect())
    }

    /// What becomes of a call. Nothing happens that was not recorded first.
    pub(crate) fn call(&mut self, tool: &str, input: &[u8]) -> Reply {
        let pinned = self.locks.in_force().lock().tools.get(tool).and_then(|tool| tool.server.as_ref());
        if let Some(server) = pinned.map(|pinned| pinned.name.clone())
            && let Err(unrecorded) = self.see(&server)
        {
            return Reply::denied(unrecorded.code(), "what cannot be recorded does not happen");
        }
        let decided = self.ask(|boundary, around, budget| {
            let call = Call { input, surface: Some(around.surface), tool };
            boundary.check(
                around.run.as_ref().map(Some).map_err(|doubt| *doubt),
                &around.claims,
                &call,
                &around.conditions,
                Ok(budget),
            )
        });
        if let Err(unrecorded) = self.office.tell(&[decided.event]) {
            return Reply::denied(unrecorded.code(), "what cannot be recorded does not happen");
        }
        // A server that is killed from here on leaves what is reserved charged.
        let budget = self.budget.clone();
        if self.office.keep(|state| state.budget = budget).is_err() {
            return Reply::denied("budget_unreadable", "what cannot be kept does not happen");
        }
        match decided.ruling {
            Ruling::Allow(Permit::Read(permit)) if self.serves(tool) => self.read(*permit),
            Ruling::Deny(refusal) => Reply::refused(&refusal),
            Ruling::Propose(proposal) if self.serves(tool) => self
                .propose(*proposal)
                .unwrap_or_else(|refusal| Reply::denied(refusal.code(), refusal.reason())),
            _ => Reply::denied("not_served", "this server does not carry the tool out"),
        }
    }

    /// Ends the run and recomputes the chain.
    pub(crate) fn close(&mut self) -> Result<String, Failed> {
        let (lifecycle, event) = self.lifecycle.end(self.row.run(), Ending::Completed);
        self.lifecycle = lifecycle;
        tell(&mut self.office, &event)?;
        self.office.keep(|state| state.ended = true)?;
        let head = self.office.verify()?;
        Ok(format!("the chain is whole: {} records, {}", head.seq, head.hash))
    }

    fn read(&mut self, permit: ReadPermit) -> Reply {
        let raw = self.raw(&permit);
        let tool = permit.tool().to_owned();
        let reservation = permit.spend();
        let raw = match raw {
            Ok(raw) => raw,
            Err((server, unfit)) => {
                self.settle(&tool, reservation, 0);
                let told = self.office.tell(&[unfit.event(&server)]);
                return told.map_or_else(
                    |unrecorded| Reply::denied(unrecorded.code(), "what cannot be recorded does not happen"),
                    |()| Reply::handed(&Handed::Failed(unfit.failure())),
                );
            }
        };
        let lock = self.locks.in_force().lock();
        let Some(stated) = lock.tools.get(&tool) else {
            return Reply::denied("unknown_tool", "the policy does not know this tool");
        };
        let projector = stated.output.as_ref().and_then(|output| Projector::new(output, &JsonSchema).ok());
        let projectors: Vec<&Projector> = projector.iter().collect();
        let delivery = receive(
            &Expected {
                audience: Audience::of(lock, &self.role),
                projectors: &projectors,
                returns: stated.returns,
                room: Some(reservation.amounts().of(Meter::ResultBytes)),
                run: self.row.run(),
                tool: &tool,
            },
            &raw,
        );
        self.settle(&tool, reservation, delivery.bytes_out);
        match self.office.tell(&[delivery.event]) {
            Ok(()) => Reply::handed(&delivery.handed),
            Err(unrecorded) => Reply::denied(unrecorded.code(), "what cannot be recorded does not happen"),
        }
    }

    /// What a tool answers: ours, or an outside server's as it came. Else which server had none that can be used.
    fn raw(&mut self, permit: &ReadPermit) -> Result<Vec<u8>, (String, Unfit)> {
        let (tool, execution) = (permit.tool(), permit.execution());
        let Some(server) = &execution.server else {
            return Ok(reads::read(&self.office.state().records, tool, permit.input().value()));
        };
        let now_ms = now_ms().ok_or_else(|| (server.clone(), Unfit::Rate))?;
        let there = (server.as_str(), tool, execution.upstream.as_deref().unwrap_or(tool));
        let answer = self.outside.call(self.locks.in_force(), there, permit.input().canonical(), now_ms);
        answer.map_err(|unfit| (server.clone(), unfit))
    }

    /// Looks at an outside server, and records what is new.
    pub(crate) fn see(&mut self, server: &str) -> Result<(), Unrecorded> {
        // Without a clock no look counts, and none is taken.
        let Some(now_ms) = now_ms() else { return Ok(()) };
        let events = self.outside.look(self.locks.in_force(), server, now_ms);
        if events.is_empty() { Ok(()) } else { self.office.tell(&events) }
    }

    fn serves(&self, tool: &str) -> bool {
        let stated = self.locks.in_force().lock().tools.get(tool);
        stated.is_some_and(|stated| stated.server.is_some()) || is_own(tool)
    }

    fn propose(&mut self, proposal: Proposal) -> Result<Reply, Refusal> {
        let tool = proposal.subject.tool.clone();
        let preview = writes::preview(&self.office.state().records, &tool, &proposal.subject.input);
        let origins = Origins::person(PersonId::new(self.row.person()));
        let handed = proposal.hand_over(self.locks.in_force(), origins, None);
        let (proposal, reservation) = handed.ok_or(Refusal::ToolDisabled)?;
        self.settle(&tool, reservation, 0);
        let action = ActionId::new(id("act").map_err(|_| Refusal::StoreFailed)?);
        let draft = Draft {
            depends_on: std::collections::BTreeSet::new(),
            id: action.clone(),
            nonce: Nonce(random().map_err(|_| Refusal::StoreFailed)?),
            preview,
            proposal,
            supersedes: std::collections::BTreeSet::new(),
        };
        let now_ms = now_ms().ok_or(Refusal::ClockWentBack)?;
        let (organization, run) = (self.row.organization().to_owned(), self.row.run().to_owned());
        keep(&mut self.office, &organization, &run, |ledger| ledger.propose(draft, now_ms))?;
        let (digest, approval) =
            self.with(&action, |action| (action.digest().to_owned(), action.approval()))?;
        Ok(Reply::pending(action.as_str(), &digest, approval.word()))
    }

    /// The kill switch as it stands in its file now.
    pub(crate) fn kill_switch(&self) -> Switch {
        match std::fs::read_to_string(&self.kill_switch).as_deref().map(str::trim_end) {
            Ok("off") => Switch::Off,
            Ok("on") => Switch::On,
            _ => Switch::Unreadable,
        }
    }

    fn settle(&mut self, tool: &str, reservation: Reservation, bytes: u64) {
        let caps = Caps::of_lock(self.locks.in_force().lock(), tool);
        let used: Amounts = reservation.amounts().with(Meter::ResultBytes, bytes);
        // What went over its cap is known from the result's record; what is not kept stays charged.
        let _ = self.budget.settle(&caps, reservation, used);
        let budget = self.budget.clone();
        let _ = self.office.keep(|state| state.budget = budget);
    }

    fn ask<T>(&mut self, ask: impl FnOnce(&Boundary<'_>, &Around<'_>, &mut Ledger) -> T) -> T {
        let (row, personas) = (&self.row, [self.persona.as_str()]);
        let live = Live {
            lifecycle: self.lifecycle,
            mode: row.mode(),
            permissions: Ok(&self.permissions),
            personas: &personas,
            plan: Ok(PlanState::None),
            requester: row.person(),
            role: &self.role,
            values: &self.values,
        };
        let around = Around {
            claims: Claims {
                audience: AUDIENCE,
                harness: row.harness(),
                organization: row.organization(),
                role: &self.role,
                run: row.run(),
                scopes: &[],
            },
            conditions: Conditions {
                high_water_ms: self.office.high_water_ms(),
                kill_switch: match self.kill_switch() {
                    Switch::Off => Ok(false),
                    Switch::On => Ok(true),
                    Switch::Unreadable => Err(Unreadable),
                },
                now_ms: now_ms().ok_or(Unreadable),
                overlay: Ok(&self.overlay),
                upstreams: &self.outside.upstreams,
            },
            run: self.row.state(&self.locks, &live).map_err(|_| Unreadable),
            surface: &self.surface,
        };
        let boundary =
            Boundary { audience: AUDIENCE, bounds: Bounds::default(), key: &self.key, locks: &self.locks };
        ask(&boundary, &around, &mut self.budget)
    }
}

/// A run that begins now.
fn begin(office: &mut Office, bundle: &Bundle, options: &Options) -> Result<Row, Failed> {
    let now_ms = now_ms().ok_or_else(|| Failed::new("the clock cannot be read"))?;
    let begun = begun(bundle, options, now_ms, id("run")?)?;
    match created(bundle, &begun) {
        Ok((row, event)) => {
            tell(office, &event)?;
            // What the runs before it did stands, and so does what they overwrote.
            let State { pre_images, records, begun: before, .. } = office.state().clone();
            let records = if before.run.is_empty() { Records::sample() } else { records };
            let held = Some((begun.lock.clone(), bundle.lock().revision));
            office.keep(|state| *state = State { begun, held, pre_images, records, ..State::default() })?;
            Ok(row)
        }
        Err((refused, event)) => {
            tell(office, &event)?;
            Err(Failed::new(refused.to_string()))
        }
    }
}

/// The run that was left behind, its row as it was. Whatever was being executed then is unknown from here on, and so is what the
/// trail says was consumed while the state does not.
fn go_on(office: &mut Office, bundle: &Bundle, options: &Options, left: &Begun) -> Result<Row, Failed> {
    if *left != begun(bundle, options, left.now_ms, left.run.clone())? {
        return Err(Failed::new(
            "another run stands in the state: end it, or begin with a state and a trail of its own",
        ));
    }
    let (row, _) = created(bundle, left).map_err(|(refused, _)| Failed::new(refused.to_string()))?;
    tell(office, &row.signed(Event::new("agent_run.resumed")))?;
    let now_ms = now_ms().ok_or_else(|| Failed::new("the clock cannot be read"))?;
    keep(office, row.organization(), row.run(), |ledger| ledger.recover(now_ms))
        .map_err(|refusal| Failed::new(refusal.to_string()))?;
    let lost = office.trail().lost(office.state());
    if !lost.is_empty() {
        office.tell(&lost).map_err(|unrecorded| Failed::new(unrecorded.to_string()))?;
    }
    Ok(row)
}

fn begun(bundle: &Bundle, options: &Options, now_ms: u64, run: String) -> Result<Begun, Failed> {
    let one = |name| options.one(name).map(str::to_owned);
    Ok(Begun {
        harness: one("harness")?,
        lock: bundle.digest().to_owned(),
        now_ms,
        organization: one("organization")?,
        person: one("person")?,
        persona: one("persona")?,
        program: one("program")?,
        run,
    })
}

fn created(bundle: &Bundle, begun: &Begun) -> Result<(Row, Event), (runs::Refused, Event)> {
    runs::create(
        bundle.lock(),
        &NewRun {
            lock_digest: &begun.lock,
            now_ms: begun.now_ms,
            organization: &begun.organization,
            person: &begun.person,
            personas: &[&begun.persona],
            program: &begun.program,
            run: &begun.run,
            workbench_role: Some(&begun.harness),
        },
    )
}

fn is_own(tool: &str) -> bool {
    reads::TOOLS.contains(&tool) || writes::TOOLS.contains(&tool)
}

/// The lock, and that it and this server are in step: what is carried out here is the lock's own, as a read what is one, and no
/// write is. One that is older than the lock held before is none.
fn bundle(options: &Options, state: &State) -> Result<Bundle, Failed> {
    let allow_gap = match options.maybe("allow_gap") {
        None | Some("no") => false,
        Some("yes") => true,
        Some(_) => return Err(Failed::new("`--allow_gap` takes `yes` or `no`")),
    };
    let trust = Trust {
        allow_gap,
        environment: options.maybe("environment").map(str::to_owned),
        policy: options.one("policy")?.to_owned(),
        signers: Signers::Unsigned,
    };
    let bytes = std::fs::read(options.one("lock")?)?;
    let held = state.held.clone().map(|(digest, revision)| Held { digest, revision });
    let bundle =
        Bundle::load(&bytes, &trust, held.as_ref()).map_err(|error| Failed::new(error.to_string()))?;
    let strays = |tools: &[&str], read: bool| -> Option<String> {
        let stated = |tool: &&&str| bundle.lock().tools.get(**tool);
        let strays = |tool: &&&str| {
            stated(tool).is_some_and(|tool| tool.server.is_some() || (tool.effect == Effect::Read) != read)
        };
        tools.iter().find(strays).map(|tool| (*tool).to_owned())
    };
    match strays(&reads::TOOLS, true).or_else(|| strays(&writes::TOOLS, false)) {
        Some(tool) => Err(Failed::new(format!("`{tool}` is not in the lock as this server carries it out"))),
        None => Ok(bundle),
    }
}

fn tell(office: &mut Office, event: &Event) -> Result<(), Failed> {
    office.tell(std::slice::from_ref(event)).map_err(|unrecorded| Failed::new(unrecorded.to_string()))
}
