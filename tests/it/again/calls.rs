//! Random calls with all that surrounds them, put to the runtime's boundary.

use std::collections::BTreeMap;
use std::sync::Arc;

use harnessc::simulate::Said;
use harnessc_runtime::Bundle;
use harnessc_runtime::audit::Event;
use harnessc_runtime::boundary::budget::{Amounts, Caps, Meter};
use harnessc_runtime::boundary::validate::JsonSchema;
use harnessc_runtime::boundary::{
    Boundary, Bounds, Call, Claims, Conditions, DeedNames, Ledger, Lifecycle, Locks, Mode, NameKey, Overlay,
    PlanRuling, PlanState, Ruling, RunState, Unreadable,
};
use harnessc_runtime::decide::Code;
use harnessc_runtime::json::Json;
use harnessc_runtime::upstream::Upstreams;

pub(super) const NOW: u64 = 1_700_000_000_000;

/// A small generator of numbers, the same everywhere.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    /// Mostly the first, seldom another.
    fn mostly<T: Clone>(&mut self, all: &[T]) -> T {
        if self.below(4) > 0 { all[0].clone() } else { self.of(all) }
    }
}

/// Whose permissions the person has.
#[derive(Clone, Copy, Debug)]
enum May {
    /// What the persona's bundle holds, whatever it holds then.
    AsPersona,
    /// These, whatever a lock says.
    Own(&'static [&'static str]),
    Unreadable,
}

#[derive(Clone, Copy, Debug)]
enum Planned {
    None,
    Proposed,
    Steps(&'static [&'static str]),
    Unreadable,
}

/// A call with all that surrounds it.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) began_elsewhere: bool,
    call: (&'static str, &'static str),
    elapsed_ms: u64,
    harness: Option<&'static str>,
    killed: bool,
    may: May,
    mode: Mode,
    overlay: &'static str,
    persona: &'static str,
    plan: Planned,
    role: &'static str,
    scopes: &'static [&'static str],
    spent: u64,
    surface: Option<&'static str>,
}

const CALLS: [(&str, &str); 16] = [
    ("tickets.search", r#"{"ticket_id":"T-1","kind":"bug"}"#),
    ("tickets.search", r#"{"ticket_id":"T-1","kind":"request"}"#),
    ("tickets.search", r#"{"ticket_id":"T-1"}"#),
    ("tickets.label", r#"{"ticket_id":"T-1","method":"add","mode":"add"}"#),
    ("tickets.label", r#"{"ticket_id":"T-1","method":"add","mode":"drop"}"#),
    ("tickets.label", r#"{"ticket_id":"T-1","method":"drop","mode":"add"}"#),
    ("tickets.label", r#"{"ticket_id":"T-1","mode":"add"}"#),
    ("tickets.label", r#"{"ticket_id":"T-2","method":"drop","mode":"drop"}"#),
    ("tickets.label", "{"),
    ("tickets.note", r#"{"ticket_id":"T-1","kind":"open"}"#),
    ("tickets.note", r#"{"ticket_id":"T-1","kind":"shut"}"#),
    ("tickets.note", r#"{"ticket_id":"T-1"}"#),
    ("tickets.close", r#"{"ticket_id":"T-1","reply":"Done."}"#),
    ("tickets.close", r#"{"ticket_id":"T-1"}"#),
    ("tickets.burn", "{}"),
    ("tickets.note", "no json"),
];

const OVERLAYS: [&str; 6] = [
    "{}",
    r#"{"raised":{"tickets.label":"four_eyes","tickets.note":"four_eyes"}}"#,
    r#"{"raised":{"tickets.label/add":"confirm","tickets.search":"confirm"}}"#,
    r#"{"disabled":["tickets.note","tickets.search"]}"#,
    r#"{"deadline_ms":10000,"run":{"steps":1}}"#,
    "unreadable",
];

impl Asked {
    pub(super) fn random(dice: &mut Dice) -> Self {
        let (harness, persona) = dice.mostly(&[
            (Some("triager"), "agent"),
            (Some("closer"), "lead"),
            (None, "agent"),
            (Some("closer"), "agent"),
            (Some("ghost"), "lead"),
        ]);
        let closer = dice.below(2) == 0;
        Self {
            began_elsewhere: dice.below(8) == 0,
            call: dice.of(&CALLS),
            elapsed_ms: dice.mostly(&[1_000, 15_000, 30_000, 60_000]),
            harness: if closer && harness == Some("triager") { Some("closer") } else { harness },
            killed: dice.below(8) == 0,
            may: dice.mostly(&[
                May::AsPersona,
                May::Own(&["tickets.search"]),
                May::Own(&["tickets.label", "tickets.note", "tickets.close"]),
                May::Own(&["tickets.label/add", "tickets.note"]),
                May::Own(&[]),
                May::Unreadable,
            ]),
            mode: dice.mostly(&Mode::ALL),
            overlay: dice.mostly(&OVERLAYS),
            persona: if closer && persona == "agent" { "lead" } else { persona },
            plan: dice.mostly(&[
                Planned::None,
                Planned::Proposed,
                Planned::Steps(&["tickets.label/add", "tickets.note"]),
                Planned::Steps(&["tickets.label", "tickets.note/open", "tickets.burn"]),
                Planned::Unreadable,
            ]),
            role: dice.mostly(&["desk", "review", "ghost"]),
            scopes: dice.mostly(&[
                &["desk-read", "desk-write"][..],
                &["desk-read"],
                &["desk-write", "odd"],
                &["odd"],
                &[],
            ]),
            spent: dice.mostly(&[0, 2, 4, 8]),
            surface: dice.mostly(&[Some("desk"), Some("mail"), None, Some("ghost")]),
        }
    }

    /// The same run with another call.
    pub(super) fn but_for_the_call(&self, dice: &mut Dice) -> Self {
        Self { call: dice.of(&CALLS), ..self.clone() }
    }

    fn permissions<'a>(&'a self, lock: &'a Bundle) -> Result<Vec<&'a str>, Unreadable> {
        match self.may {
            May::Unreadable => Err(Unreadable),
            May::Own(names) => Ok(names.to_vec()),
            May::AsPersona => {
                let persona = lock.lock().personas.get(self.persona);
                Ok(persona.map_or_else(Vec::new, |own| own.bundle.iter().map(String::as_str).collect()))
            }
        }
    }

    fn ledger(&self) -> Ledger {
        let mut ledger = Ledger::default();
        let spent = Amounts::default().with(Meter::Steps, self.spent).with(Meter::ToolCalls, self.spent);
        let spent = spent.with(Meter::Actions, self.spent / 2);
        let _spent = ledger.reserve(&Caps::default(), Some("tickets.search"), spent).unwrap();
        ledger
    }
}

/// What becomes of a call under a lock, with a run that began under `created`.
pub(super) fn decide(asked: &Asked, lock: &Bundle, created: &Bundle) -> (Event, Said) {
    around(asked, lock, created, |boundary, run, claims, conditions| {
        let call = Call { input: asked.call.1.as_bytes(), surface: asked.surface, tool: asked.call.0 };
        let decided = boundary.check(Ok(Some(run)), claims, &call, conditions, Ok(&mut asked.ledger()));
        let said = match &decided.ruling {
            Ruling::Allow(_) => Said::Allow,
            Ruling::Deny(refusal) => Said::Deny(Code::of(refusal.denial.code).unwrap()),
            Ruling::Propose(proposal) => Said::Propose(proposal.approval),
        };
        (decided.event, said)
    })
}

/// What becomes of a plan with these steps; all else is the first one's.
pub(super) fn plan(steps: &[Asked], lock: &Bundle) -> (Event, Said) {
    let first = &steps[0];
    around(first, lock, lock, |boundary, run, claims, conditions| {
        let calls: Vec<Call<'_>> = steps
            .iter()
            .map(|step| Call { input: step.call.1.as_bytes(), surface: first.surface, tool: step.call.0 })
            .collect();
        let decided = boundary.check_plan(Ok(Some(run)), claims, &calls, conditions, Ok(&mut first.ledger()));
        let said = match &decided.ruling {
            PlanRuling::Deny { refusal, .. } => Said::Deny(Code::of(refusal.denial.code).unwrap()),
            PlanRuling::Propose(proposal) => Said::Propose(proposal.approval),
        };
        (decided.event, said)
    })
}

fn around<T>(
    asked: &Asked,
    lock: &Bundle,
    created: &Bundle,
    then: impl FnOnce(&Boundary<'_>, &RunState<'_>, &Claims<'_>, &Conditions<'_>) -> T,
) -> T {
    let locks = Locks::new(created.clone(), Arc::new(JsonSchema)).reloaded(lock.clone());
    let permissions = asked.permissions(lock).map(|names| DeedNames::of(names, &locks));
    let steps = match asked.plan {
        Planned::Steps(steps) => steps,
        _ => &[],
    };
    let steps = DeedNames::of(steps.iter().copied(), &locks);
    let values = BTreeMap::from([("ticket_id".to_owned(), Json::parse(b"\"T-1\"").unwrap())]);
    let personas = [asked.persona];
    let run = RunState {
        acting_user: "u-1",
        harness: asked.harness,
        id: "run-1",
        lifecycle: Lifecycle::begun(NOW - asked.elapsed_ms),
        lock: created.digest(),
        mode: asked.mode,
        organization: "org-1",
        permissions: permissions.as_ref().map_err(|doubt| *doubt),
        personas: &personas,
        plan: match asked.plan {
            Planned::None => Ok(PlanState::None),
            Planned::Proposed => Ok(PlanState::Proposed),
            Planned::Steps(_) => Ok(PlanState::Approved { steps: &steps }),
            Planned::Unreadable => Err(Unreadable),
        },
        requester: "u-1",
        role: asked.role,
        values: &values,
    };
    let claims = Claims {
        audience: "server",
        harness: asked.harness,
        organization: "org-1",
        role: asked.role,
        run: "run-1",
        scopes: asked.scopes,
    };
    let overlay = Overlay::parse(asked.overlay.as_bytes());
    let conditions = Conditions {
        high_water_ms: NOW,
        kill_switch: Ok(asked.killed),
        now_ms: Ok(NOW),
        overlay: overlay.as_ref().map_err(|doubt| *doubt),
        upstreams: Upstreams::UNSEEN,
    };
    let key = NameKey::new([7; 32]);
    let boundary = Boundary { audience: "server", bounds: Bounds::default(), key: &key, locks: &locks };
    then(&boundary, &run, &claims, &conditions)
}
