//! See the page beside this file.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::engine::text::and;
use super::engine::{schemas, steps, written};
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink, nearest};
use crate::model::Def;
use crate::model::scalars::SchemaText;
use crate::model::work::{PlanTemplate, Step};
use crate::policy::{Harness, Tool, schema};
use crate::source::Spanned;
use crate::syntax::{Entry, Kind, Node};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("step-input-refused");

/// Why it matters.
const NOTE: &str = "a call with this input would be refused after the plan was approved";

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for plan in cx.model.plan_templates.sorted() {
        for step in plan.steps.iter().flatten() {
            let (Some(stated), Some(name)) = (&step.input, &step.tool) else { continue };
            let Some(tool) = schemas::tool_of(cx, name) else { continue };
            let Some(closed) = &tool.closed_input else { continue };
            let case = name.split_once('/').map(|(_, case)| case);
            let Kind::Map(entries) = &stated.0.kind else {
                sink.push(no_mapping(step, &stated.0));
                continue;
            };
            let stands = Stands { cx, plan, step, name, case, tool, closed, input: &stated.0, entries };
            sink.extend(stands.findings());
        }
    }
}

fn no_mapping(step: &Def<Step>, input: &Node) -> Diagnostic {
    let key = &step.key.value;
    let message = format!("the input of step `{key}` is {}, and an input is a mapping", input.what());
    Diagnostic::new(ID, input.span, message, "not a mapping")
        .note("a step states inputs of its tool by their names")
        .help("write `{INPUT: VALUE}`")
}

/// A step with an input, and the tool that is to take it.
struct Stands<'a, 'm> {
    cx: &'a Cx<'m>,
    plan: &'a Def<PlanTemplate>,
    step: &'a Def<Step>,
    name: &'a Spanned<String>,
    case: Option<&'a str>,
    tool: &'a Tool<'m>,
    closed: &'a Value,
    input: &'a Arc<Node>,
    entries: &'a [Entry],
}

impl Stands<'_, '_> {
    fn findings(&self) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = self.entries.iter().filter_map(|entry| self.entry(entry)).collect();
        found.extend(self.missing());
        if found.is_empty() {
            found.extend(self.together());
        }
        if found.is_empty() {
            found.extend(self.narrowed());
        }
        found
    }

    fn entry(&self, entry: &Entry) -> Option<Diagnostic> {
        let name = entry.key.value.as_str();
        if self.tool.bind.contains_key(name) {
            return self.bound(entry);
        }
        if schema::root_property(self.closed, name).is_none() {
            return Some(self.unknown(entry));
        }
        if self.tells_apart(name) && self.case.is_some() && entry.value.text() != self.case {
            return self.other_case(entry);
        }
        let value = steps::value(self.cx, &entry.value)?;
        let fault = steps::refused(self.closed, name, &value)?;
        Some(self.not_taken(entry, &fault.pointer, &fault.expected))
    }

    fn tells_apart(&self, input: &str) -> bool {
        self.tool.discriminator.is_some_and(|stated| stated.value == input)
    }

    /// A value of an input that every call takes from its run.
    fn bound(&self, entry: &Entry) -> Option<Diagnostic> {
        let input = &entry.key.value;
        let bound = self.tool.bind.get(input.as_str())?;
        let message =
            format!("step `{}` fixes `{input}`, which every call takes from its own run", self.step.key.value);
        let finding = Diagnostic::new(ID, entry.value.span, message, "the value of one run")
            .label(bound.at, format!("must equal `run.{}`", bound.field))
            .note("a plan is for every run that may propose it; in all others this call would be refused as `target_mismatch`")
            .help(format!("take `{input}` out: whoever proposes the plan takes it from the run"));
        Some(match written::removed(self.cx, self.input, input) {
            Some(edit) => finding.fix_all(format!("take `{input}` out"), Applicability::Safe, vec![edit]),
            None => finding,
        })
    }

    fn unknown(&self, entry: &Entry) -> Diagnostic {
        let (input, key) = (&entry.key.value, self.tool.key());
        let message = format!("step `{}` gives `{key}` an input `{input}` that it does not have", self.step.key.value);
        let inputs = schema::root_properties(self.closed);
        let help = match nearest(input, inputs.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if inputs.is_empty() => format!("take it out: `{key}` takes no input"),
            None => format!("take it out; `{key}` takes {}", and(inputs)),
        };
        Diagnostic::new(ID, entry.key.span, message, "no such input")
            .label(self.tool.def.key.span, "the tool")
            .note(NOTE)
            .help(help)
    }

    /// The step is one case, and its input says another.
    fn other_case(&self, entry: &Entry) -> Option<Diagnostic> {
        let (case, input, key) = (self.case?, &entry.key.value, self.tool.key());
        let written = entry.value.text().map_or_else(|| entry.value.what().to_owned(), |word| format!("`{word}`"));
        let message = format!("step `{}` is `{key}/{case}`, and its input says {written}", self.step.key.value);
        Some(
            Diagnostic::new(ID, entry.value.span, message, "another case")
                .label(self.name.span, "the case that the plan takes")
                .label(self.declared(input), "tells the cases apart")
                .note("a person would say yes to one deed, and the call would be another, which the plan does not hold")
                .help(format!("write `{}`, or name the other case as the step's tool", written::pair(input, case))),
        )
    }

    fn not_taken(&self, entry: &Entry, pointer: &str, expected: &str) -> Diagnostic {
        let (input, key) = (&entry.key.value, self.tool.key());
        // The pointer begins with the input's own name.
        let below = pointer.get(1..).and_then(|rest| rest.find('/').and_then(|at| rest.get(at..))).unwrap_or("");
        let message = format!("`{key}` does not take the `{input}` of step `{}`", self.step.key.value);
        let listed = schema::string_enum(self.closed, input).filter(|_| below.is_empty());
        let meant = entry.value.text().and_then(|word| nearest(word, listed.iter().flatten().map(String::as_str)));
        let help = match (meant, &listed) {
            (Some(meant), _) => format!("did you mean `{meant}`?"),
            (None, Some(listed)) => format!("it takes {}", and(listed.iter().map(String::as_str))),
            (None, None) => format!("write a value that the tool takes; expected is {expected}"),
        };
        Diagnostic::new(ID, steps::part(&entry.value, below).span, message, "refused")
            .label(self.declared(input), "what the tool takes")
            .note(NOTE)
            .help(help)
    }

    fn declared(&self, input: &str) -> crate::source::Span {
        schemas::declared(self.tool, input).unwrap_or(self.tool.def.key.span)
    }

    /// The inputs that every call states, less those that come from the run.
    fn missing(&self) -> Vec<Diagnostic> {
        let stated: BTreeSet<&str> = self.entries.iter().map(|entry| entry.key.value.as_str()).collect();
        let required = schema::required(self.closed);
        let left: Vec<&str> = required
            .into_iter()
            .filter(|name| !stated.contains(name) && !self.tool.bind.contains_key(name))
            .collect();
        let (case, plain): (Vec<&str>, Vec<&str>) =
            left.into_iter().partition(|name| self.case.is_some() && self.tells_apart(name));
        case.first().map(|input| self.unsaid_case(input)).into_iter().chain(self.left_out(&plain)).collect()
    }

    fn unsaid_case(&self, input: &str) -> Diagnostic {
        let case = self.case.unwrap_or_default();
        let said = written::pair(input, case);
        let message = format!("the input of step `{}` does not say `{said}`", self.step.key.value);
        let finding = Diagnostic::new(ID, self.input.span, message, format!("`{input}` is left out"))
            .label(self.declared(input), "tells the cases apart, and is required")
            .note("an input that a plan states is the whole one: the yes binds it as it stands")
            .help(format!("add `{said}`"));
        match written::appended(self.cx, self.input, &[(input.to_owned(), case)]) {
            Some(edit) => finding.fix_all(format!("add `{said}`"), Applicability::Safe, vec![edit]),
            None => finding,
        }
    }

    fn left_out(&self, names: &[&str]) -> Option<Diagnostic> {
        let first = names.first()?;
        let (key, named) = (self.tool.key(), and(names.iter().copied()));
        let message = format!("the input of step `{}` leaves out {named}, which `{key}` requires", self.step.key.value);
        let label = if names.len() == 1 { "a required input is left out" } else { "required inputs are left out" };
        Some(
            Diagnostic::new(ID, self.input.span, message, label)
                .label(self.declared(first), "required by the tool")
                .note("an input that a plan states is the whole one: the yes binds it as it stands, and the call would be refused after it")
                .help(format!("add {named}; or leave `input` out, and whoever proposes the plan states it")),
        )
    }

    /// What each input takes, and all of them together do not.
    fn together(&self) -> Option<Diagnostic> {
        let Value::Object(mut open) = self.closed.clone() else { return None };
        let required: Vec<Value> = schema::required(self.closed)
            .into_iter()
            .filter(|name| !self.tool.bind.contains_key(name))
            .map(Value::from)
            .collect();
        open.insert("required".to_owned(), Value::Array(required));
        let mut input = Map::new();
        for entry in self.entries {
            input.insert(entry.key.value.clone(), steps::value(self.cx, &entry.value)?);
        }
        let fault = steps::refusal(&Value::Object(open), &Value::Object(input))?;
        let key = self.tool.key();
        let at = self.tool.input.as_ref().map_or(self.tool.def.key.span, |reading| reading.span(""));
        let message = format!("`{key}` does not take the input of step `{}`", self.step.key.value);
        Some(
            Diagnostic::new(ID, steps::part(self.input, &fault.pointer).span, message, "refused")
                .label(at, "what the tool takes")
                .note(NOTE)
                .help(format!("write an input that the tool takes; expected is {}", fault.expected)),
        )
    }

    /// What the harnesses that have the plan narrow the tool to.
    fn narrowed(&self) -> Vec<Diagnostic> {
        let mut said = BTreeSet::new();
        let harnesses = self.cx.policy.harnesses.values().filter(|harness| !harness.unsure && self.is_worn_by(harness));
        let found = harnesses.flat_map(|harness| {
            let deed = steps::deed(self.cx, self.step).and_then(|deed| self.cx.policy.registry.id(&deed));
            let hold = deed.and_then(|deed| harness.holds.get(&deed));
            let only = hold.into_iter().flat_map(|hold| hold.only.values().flatten().copied());
            only.map(move |only| (harness, only))
        });
        let found = found.filter(|(_, only)| !self.tool.bind.contains_key(only.key.value.as_str()));
        found.filter_map(|(harness, only)| self.by(harness, only).filter(|_| said.insert(only.key.span))).collect()
    }

    fn is_worn_by(&self, harness: &Harness<'_>) -> bool {
        let plan = &self.plan.key.value;
        let worn = |name: &Spanned<String>| name.value == harness.key();
        harness.def.plan_templates.iter().flatten().any(|name| name.value == *plan)
            || self.cx.model.duty_templates.iter().any(|duty| {
                duty.plan.as_ref().is_some_and(|name| name.value == *plan) && duty.when_wearing.as_ref().is_some_and(worn)
            })
    }

    fn by(&self, harness: &Harness<'_>, only: &Def<SchemaText>) -> Option<Diagnostic> {
        let (input, key, harness) = (&only.key.value, self.tool.key(), harness.key());
        let step = &self.step.key.value;
        let Some(entry) = self.entries.iter().find(|entry| entry.key.value == *input) else {
            let message = format!("the input of step `{step}` leaves out `{input}`, which harness `{harness}` narrows");
            return Some(
                Diagnostic::new(ID, self.input.span, message, "a narrowed input is left out")
                    .label(only.key.span, "narrowed here, and so required")
                    .note(NOTE)
                    .help(format!("add `{input}` with a value that the narrowing leaves")),
            );
        };
        let closed = self.cx.policy.readings.narrowing(&only.value)?.closed.as_ref()?;
        let value = steps::value(self.cx, &entry.value)?;
        let fault = steps::refusal(closed, &value)?;
        let message = format!("harness `{harness}` holds `{key}` more tightly than step `{step}` calls it");
        Some(
            Diagnostic::new(ID, steps::part(&entry.value, &fault.pointer).span, message, "refused in this harness")
                .label(only.value.0.span, format!("what `{harness}` leaves of `{input}`"))
                .note(NOTE)
                .help(format!("write a value that the narrowing leaves, or take the plan out of `{harness}`")),
        )
    }
}
