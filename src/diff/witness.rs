//! A call that shows a change, replayed under both locks before anybody is told of it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use harnessc_runtime::Bundle;
use harnessc_runtime::decide::{Call, Person, Plan, Run, RunRow, Verdict};
use harnessc_runtime::lock::{Approval, NO_HARNESS};
use jsonschema::Validator;
use serde_json::{Value, json};

use super::cells::Found;
use super::change::{Aspect, Witness};
use super::pair::{Differing, Evidence, Pair, narrowed_input};
use super::view::{View, Way};
use super::{sample, schema};
use crate::lock::value;

/// A witness that does not show what it was to show: our bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreal(pub String);

/// People by side and persona; nothing where the lock has no such persona.
type People = BTreeMap<(Side, Option<String>), Option<Rc<Person>>>;

/// What was looked up or made once: validators and inputs by their schemas' texts, and people.
#[derive(Default)]
pub(super) struct Inputs {
    validators: RefCell<BTreeMap<String, Option<Rc<Validator>>>>,
    made: RefCell<BTreeMap<String, Option<Value>>>,
    people: RefCell<People>,
}

impl Inputs {
    /// Somebody with this persona under one of the locks; looking the whole bundle up for every call would be slow.
    fn person(&self, side: Side, bundle: &Bundle, persona: Option<&String>) -> Option<Rc<Person>> {
        let key = (side, persona.cloned());
        if let Some(known) = self.people.borrow().get(&key) {
            return known.clone();
        }
        let person = match persona {
            _ if bundle.lock().personas.is_empty() => bundle.anyone(),
            None => Some(bundle.person([])),
            Some(key) => bundle.persona(key),
        };
        let person = person.map(Rc::new);
        self.people.borrow_mut().insert(key, person.clone());
        person
    }

    fn validator(&self, schema: &str) -> Option<Rc<Validator>> {
        if let Some(known) = self.validators.borrow().get(schema) {
            return known.clone();
        }
        let read = serde_json::from_str(schema).ok();
        let made = read.and_then(|schema| schema::validator(&schema)).map(Rc::new);
        self.validators.borrow_mut().insert(schema.to_owned(), made.clone());
        made
    }

    /// An input that both schemas accept and that names what it has to; nothing where none could be made.
    fn of_both(&self, before: &Value, after: &Value, named: Option<&String>) -> Option<Value> {
        let texts = (before.to_string(), after.to_string());
        let key = format!("{}\n{}\n{named:?}", texts.0, texts.1);
        if let Some(known) = self.made.borrow().get(&key) {
            return known.clone();
        }
        let validators = self.validator(&texts.0).zip(self.validator(&texts.1));
        let made = validators.and_then(|(old, new)| {
            let usual = [sample::sample(before), sample::sample(after)].into_iter();
            let others = [(before, after), (after, before), (before, before)].into_iter();
            let others = others.flat_map(|(one, other)| sample::candidates(one, other));
            let names = |value: &Value| named.is_none_or(|name| value.get(name).is_some());
            usual.chain(others).find(|value| old.is_valid(value) && new.is_valid(value) && names(value))
        });
        self.made.borrow_mut().insert(key, made.clone());
        made
    }

    /// An input that the schema accepts; nothing where none could be made.
    fn valid(&self, schema: &Value) -> Option<Value> {
        let key = schema.to_string();
        if let Some(known) = self.made.borrow().get(&key) {
            return known.clone();
        }
        let made = self.validator(&key).and_then(|validator| {
            let usual = Some(sample::sample(schema)).filter(|value| validator.is_valid(value));
            let others = || sample::candidates(schema, schema).into_iter();
            usual.or_else(|| others().find(|value| validator.is_valid(value)))
        });
        self.made.borrow_mut().insert(key, made.clone());
        made
    }
}

/// The witness of a cell that grants more, replayed; nothing for any other change.
///
/// # Errors
/// [`Unreal`] where the two runtimes do not say what the comparison says.
pub(super) fn witness(pair: &Pair<'_>, found: &Found, inputs: &Inputs) -> Result<Option<Witness>, Unreal> {
    // What nobody can tell has nothing that would show it.
    let shows = |one: &&Differing| {
        let is_schema = matches!(one.aspect, Aspect::Input | Aspect::Output) && one.standing.is_some();
        one.delta.wider && !(is_schema && matches!(one.evidence, Evidence::Any))
    };
    let Some(differing) = found.differing.iter().filter(shows).min_by_key(|one| telling(one.aspect)) else {
        return Ok(None);
    };
    let caller = Caller { pair, found, inputs };
    let made = caller.made(differing);
    caller.replay(differing, &made)?;
    Ok(Some(made))
}

/// Of several aspects, the one that tells a reader most comes first.
fn telling(aspect: Aspect) -> usize {
    const ORDER: [Aspect; 8] = [
        Aspect::Call,
        Aspect::Approval,
        Aspect::Surface,
        Aspect::Target,
        Aspect::Approvers,
        Aspect::Plan,
        Aspect::Input,
        Aspect::Output,
    ];
    ORDER.iter().position(|own| *own == aspect).unwrap_or(ORDER.len())
}

struct Caller<'c, 'a> {
    pair: &'c Pair<'a>,
    found: &'c Found,
    inputs: &'c Inputs,
}

/// What one lock makes of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outcome {
    word: String,
    /// Nothing: nobody, or any authenticated person.
    approvers: Option<Vec<String>>,
    granted: bool,
}

impl<'a> Caller<'_, 'a> {
    fn made(&self, differing: &Differing) -> Witness {
        let (tool, _) = self.deed();
        let way = match &differing.evidence {
            Evidence::Call(way) | Evidence::Yes(way, _) => way.clone(),
            _ => self.any_way(),
        };
        let input = match &differing.evidence {
            Evidence::Input(input) => Some(input.clone()),
            // What bound the input demanded it, and the call is about its value.
            Evidence::Target { input, .. } => self.input(Some(input)),
            _ => self.input(None),
        };
        let plan_waits = matches!(differing.evidence, Evidence::WhilePlanWaits);
        let asked = Asked { way: &way, input: input.as_ref(), plan_waits };
        let (old, new) = (self.outcome(Side::Before, &asked), self.outcome(Side::After, &asked));
        let mut witness = Witness {
            surface: way.surface,
            scope: way.scope,
            tool: tool.to_owned(),
            input,
            output: None,
            approver: None,
            run: None,
            plan_waits,
            before: old.word,
            after: new.word,
        };
        match &differing.evidence {
            Evidence::Output(output) => {
                witness.output = Some(output.clone());
                (witness.before, witness.after) = ("withheld".to_owned(), "reaches the model".to_owned());
            }
            Evidence::Yes(_, who) => witness.approver = Some(who.clone().unwrap_or_else(|| "*".to_owned())),
            Evidence::Target { input, field } => {
                witness.run = Some(json!({ field: self.other_value(field, witness.input.as_ref(), input) }));
                witness.before = "target_mismatch".to_owned();
            }
            Evidence::Any => {
                witness.before = differing.before.clone();
                witness.after = differing.after.clone();
            }
            _ => {}
        }
        witness
    }

    /// Whether the two runtimes say what the comparison says.
    fn replay(&self, differing: &Differing, witness: &Witness) -> Result<(), Unreal> {
        let way = Way { surface: witness.surface.clone(), scope: witness.scope.clone() };
        let asked = Asked { way: &way, input: witness.input.as_ref(), plan_waits: witness.plan_waits };
        let (old, new) = (self.outcome(Side::Before, &asked), self.outcome(Side::After, &asked));
        let shows = match &differing.evidence {
            Evidence::Call(_) if differing.aspect == Aspect::Approval => {
                old.granted && new.granted && old.word != new.word
            }
            Evidence::Call(_) | Evidence::WhilePlanWaits => !old.granted && new.granted,
            Evidence::Input(_) => old.word == "input_invalid" && new.granted,
            Evidence::Yes(_, who) => {
                let may = |outcome: &Outcome| match (&outcome.approvers, who) {
                    (None, _) => true,
                    (Some(list), Some(who)) => list.contains(who),
                    (Some(_), None) => false,
                };
                new.granted && may(&new) && !may(&old)
            }
            Evidence::Output(output) => {
                self.reaches(&self.pair.after, output) && !self.reaches(&self.pair.before, output)
            }
            Evidence::Target { input, field } => {
                let bound = |view: &View<'_>| {
                    let deed = view.deeds.get(&self.found.deed);
                    deed.is_some_and(|deed| deed.tool.bind.get(input) == Some(field))
                };
                bound(&self.pair.before)
                    && !bound(&self.pair.after)
                    && (new.granted || witness.input.is_none())
            }
            Evidence::Any => new.granted,
        };
        if shows {
            return Ok(());
        }
        let Found { harness, role, deed, .. } = self.found;
        let (old, new) = (old.word, new.word);
        Err(Unreal(format!(
            "the change of {:?} at {harness} / {role} / {deed} has no call that shows it: {old} before, {new} after",
            differing.aspect
        )))
    }

    fn deed(&self) -> (&str, Option<&str>) {
        harnessc_runtime::lock::split_deed(&self.found.deed)
    }

    fn schema(&self, view: &View<'a>) -> Option<Value> {
        let row = view.row(&self.found.harness, &self.found.role);
        let cell = row.iter().find(|cell| cell.deed == self.found.deed)?;
        Some(narrowed_input(view.deeds.get(&self.found.deed)?, cell))
    }

    /// An input that is accepted now, and was before where the deed was granted, so that nothing but the change tells the
    /// two apart; it names what it has to name.
    fn input(&self, named: Option<&String>) -> Option<Value> {
        let after = self.schema(&self.pair.after)?;
        let before = self.schema(&self.pair.before);
        match (&before, named) {
            (Some(before), _) if *before != after || named.is_some() => {
                self.inputs.of_both(before, &after, named)
            }
            _ => self.inputs.valid(&after),
        }
    }

    fn any_way(&self) -> Way {
        let after = &self.pair.after;
        let row = after.row(&self.found.harness, &self.found.role);
        let cell = row.iter().find(|cell| cell.deed == self.found.deed);
        let way = cell.and_then(|cell| {
            let deed = after.deeds.get(&cell.deed)?;
            let both = self.pair.ways.iter().find(|way| {
                let old = self.pair.before.row(&self.found.harness, &self.found.role);
                let old = old.iter().find(|cell| cell.deed == self.found.deed);
                let before = old.zip(self.pair.before.deeds.get(&self.found.deed));
                after.asks(cell, deed, way).is_some()
                    && before.is_some_and(|(cell, deed)| self.pair.before.asks(cell, deed, way).is_some())
            });
            both.cloned().or_else(|| self.pair.is_reached(after, cell))
        });
        way.unwrap_or(Way { surface: None, scope: None })
    }

    fn reaches(&self, view: &View<'_>, output: &Value) -> bool {
        let deed = view.deeds.get(&self.found.deed);
        let schema = deed.and_then(|deed| deed.tool.output.as_ref()).map(value);
        schema
            .and_then(|schema| schema::validator(&schema))
            .is_some_and(|validator| validator.is_valid(output))
    }

    /// A value of the run's field that the input is not.
    fn other_value(&self, field: &str, input: Option<&Value>, name: &str) -> Value {
        let taken = input.and_then(|input| input.get(name));
        let schema = self.pair.before.lock.run.get(field).map(value).unwrap_or(Value::Null);
        let validator = schema::validator(&schema);
        let mut values = sample::candidates(&schema, &schema).into_iter();
        let fits = |value: &Value| validator.as_ref().is_some_and(|validator| validator.is_valid(value));
        values.find(|value| Some(value) != taken && fits(value)).unwrap_or(Value::Null)
    }

    fn outcome(&self, side: Side, asked: &Asked<'_>) -> Outcome {
        let (bundle, view) = match side {
            Side::Before => (self.pair.bundles.0, &self.pair.before),
            Side::After => (self.pair.bundles.1, &self.pair.after),
        };
        let refused = |word: &str| Outcome { word: word.to_owned(), approvers: None, granted: false };
        let Found { harness, role, persona, .. } = self.found;
        let person = self.inputs.person(side, bundle, persona.as_ref());
        let Some(person) = person else { return refused("permission_denied") };
        let wears = view.wears(harness, persona.as_deref());
        let scopes: Vec<&str> = asked.way.scope.iter().map(String::as_str).collect();
        let run = bundle.run(&RunRow {
            harness: Some(harness.as_str()).filter(|key| *key != NO_HARNESS),
            person: &person,
            plan: if asked.plan_waits { Plan::Proposed } else { Plan::None },
            read_only: false,
            role,
            scopes: &scopes,
            surface: asked.way.surface.as_deref(),
        });
        let (tool, case) = self.deed();
        match run.check(&Call { case, tool }) {
            Verdict::Deny(denial) => refused(denial.code),
            _ if !wears => refused("harness_denied"),
            _ if asked.input.is_some_and(|input| !self.accepts(&run, tool, input)) => {
                refused("input_invalid")
            }
            Verdict::Allow => {
                Outcome { word: Approval::Auto.word().to_owned(), approvers: None, granted: true }
            }
            Verdict::Propose { approval, approvers } => Outcome {
                word: approval.word().to_owned(),
                approvers: approvers.map(<[String]>::to_vec),
                granted: true,
            },
        }
    }

    /// Whether the run is shown the tool with a schema that accepts the input.
    fn accepts(&self, run: &Run<'_>, tool: &str, input: &Value) -> bool {
        let schema = run.shown(tool).and_then(|listed| listed.input());
        let validator = schema.and_then(|schema| self.inputs.validator(&schema));
        validator.is_some_and(|validator| validator.is_valid(input))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Before,
    After,
}

struct Asked<'w> {
    way: &'w Way,
    input: Option<&'w Value>,
    plan_waits: bool,
}
