//! `why`, shown: to a person, on a line, to a machine.

use harnessc_runtime::decide::Gate;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::outcome::Said;
use crate::cli::style;
use crate::diagnostic::Label;
use crate::report::{Look, visible, wrap};
use crate::source::Sources;
use crate::trial::Decision;
use crate::why::{Change, Line, Mending};

/// What is answered of one deed and one run.
#[derive(Clone)]
pub(super) struct Answer {
    pub(super) deed: String,
    pub(super) who: String,
    pub(super) persona: Option<String>,
    pub(super) decision: Decision,
    pub(super) lines: Vec<Line>,
    pub(super) mendings: Vec<Mending>,
    /// The harnesses whose runs may do it today, where a run without one may not.
    pub(super) other_harnesses: Vec<String>,
    /// The roles whose runs may do it today, where this one may not.
    pub(super) other_roles: Vec<String>,
    /// The scopes whose grant would let it through, where the granted ones do not.
    pub(super) other_scopes: Vec<String>,
}

/// What `why --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::cli) struct WhyReport {
    /// The version of this format, 1.
    version: u32,
    /// The harness; `none` for a run without one.
    harness: String,
    /// The role.
    role: String,
    /// One answer for each deed of the tool and each persona.
    answers: Vec<JsonAnswer>,
}

/// One answer.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonAnswer {
    /// `tool`, or `tool/case`.
    tool: String,
    /// The persona, where the policy has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    persona: Option<String>,
    /// `auto`, `confirm`, `four_eyes` or a denial code.
    decision: String,
    /// The gates in the order they are asked.
    gates: Vec<JsonGate>,
    /// The harnesses whose runs may do it as things are, where a run without one may not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_harnesses: Vec<String>,
    /// The roles whose runs may do it as things are, where the role is what closes it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_roles: Vec<String>,
    /// The scopes of the surface whose grant lets it through as things are, where a scope is what is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_scopes: Vec<String>,
    /// What would make a no a yes; each was applied in memory and decided again.
    mendings: Vec<JsonMending>,
}

/// One gate.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonGate {
    /// Its usual denial code.
    code: String,
    /// Whether it is open; absent where that depends on the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<bool>,
    /// What it says.
    said: String,
    /// The places that decided it.
    at: Vec<JsonPlace>,
}

/// A place of the policy.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonPlace {
    /// The file, relative to the manifest's folder.
    file: String,
    /// The line, from 1.
    line: usize,
    /// What is to be seen there.
    text: String,
}

/// Edits that were tried together.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonMending {
    /// Whether they make it a yes.
    holds: bool,
    /// Why they do not, or which gate the policy does not close.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// The edits.
    changes: Vec<JsonChange>,
}

/// One edit.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonChange {
    /// What it does.
    said: String,
    /// The file, relative to the manifest's folder.
    file: String,
    /// First byte, from 0.
    start: u32,
    /// One past the last byte.
    end: u32,
    /// What comes in its place.
    replacement: String,
}

pub(super) fn report(sources: &Sources, harness: &str, role: &str, answers: &[Answer]) -> WhyReport {
    WhyReport {
        version: 1,
        harness: harness.to_owned(),
        role: role.to_owned(),
        answers: answers.iter().map(|answer| of_answer(sources, answer)).collect(),
    }
}

fn of_answer(sources: &Sources, answer: &Answer) -> JsonAnswer {
    let gate = |line: &Line| JsonGate {
        code: line.gate.code().to_owned(),
        open: line.open,
        said: line.said.clone(),
        at: line.at.iter().map(|label| place(sources, label)).collect(),
    };
    JsonAnswer {
        tool: answer.deed.clone(),
        persona: answer.persona.clone(),
        decision: answer.decision.word.to_string(),
        gates: answer.lines.iter().map(gate).collect(),
        other_harnesses: answer.other_harnesses.clone(),
        other_roles: answer.other_roles.clone(),
        other_scopes: answer.other_scopes.clone(),
        mendings: answer.mendings.iter().map(|mending| of_mending(sources, mending)).collect(),
    }
}

fn of_mending(sources: &Sources, mending: &Mending) -> JsonMending {
    let change = |change: &Change| JsonChange {
        said: change.said.clone(),
        file: sources.path(change.edit.span.file).to_owned(),
        start: change.edit.span.start,
        end: change.edit.span.end,
        replacement: change.edit.replacement.clone(),
    };
    let (holds, why, changes): (bool, Option<String>, &[Change]) = match mending {
        Mending::Holds(changes) => (true, None, changes),
        Mending::Refused(changes, why) => (false, Some(why.clone()), changes),
        Mending::NotThePolicy(gate) => (false, Some(not_the_policy(*gate).to_owned()), &[]),
    };
    JsonMending { holds, why, changes: changes.iter().map(change).collect() }
}

fn place(sources: &Sources, label: &Label) -> JsonPlace {
    let (file, line) = at(sources, label);
    JsonPlace { file, line, text: label.text.clone() }
}

fn at(sources: &Sources, label: &Label) -> (String, usize) {
    let Some(file) = sources.get(label.span.file) else { return (String::new(), 0) };
    (file.path.clone(), file.lines().position(&file.text, label.span.range().start).line)
}

/// One line for each deed and persona: the decision and the first place that decided it.
pub(super) fn short(sources: &Sources, answers: &[Answer], said: &mut Said) {
    for answer in answers {
        let gate = answer.decision.gate.unwrap_or(Gate::Approval);
        let line = answer.lines.iter().find(|line| line.gate == gate);
        let place = line.and_then(|line| line.at.first()).map(|label| at(sources, label));
        let place = place.map_or_else(String::new, |(file, line)| format!("{}:{line}: ", visible(&file)));
        let why = line.map_or("", |line| line.said.as_str());
        said.line(format!("{place}{}: {}: {why}", answer.deed, answer.decision.word));
    }
}

pub(super) fn human(sources: &Sources, answers: &[Answer], look: Look, said: &mut Said) {
    for (number, answer) in grouped(answers).iter().enumerate() {
        if number > 0 {
            said.line("");
        }
        let word = answer.decision.word.written();
        let word = if answer.decision.word.is_granted() {
            style::good(look, word)
        } else {
            style::error(look, word)
        };
        said.line(format!("{}: {word}", style::bold(look, &answer.deed)));
        said.line(style::dim(look, &format!("asked by {}", answer.who)));
        for line in &answer.lines {
            gate(sources, line, look, said);
        }
        let others =
            [(&answer.other_harnesses, ("harness", "harnesses")), (&answer.other_roles, ("role", "roles"))];
        for (keys, (one, many)) in others.into_iter().filter(|(keys, _)| !keys.is_empty()) {
            let names: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            let (word, verb) = if names.len() == 1 { (one, "does") } else { (many, "do") };
            let text = format!("the {word} {} {verb} it as things are: ask in such a run", names.join(", "));
            help(&text, look, said);
        }
        if !answer.other_scopes.is_empty() {
            let scopes: Vec<String> =
                answer.other_scopes.iter().map(|key| format!("`--scope {key}`")).collect();
            let text = format!("granted, it is a yes as things are: ask with {}", scopes.join(" or "));
            help(&text, look, said);
        }
        for mending in &answer.mendings {
            mended(sources, mending, look, said);
        }
    }
}

fn help(text: &str, look: Look, said: &mut Said) {
    let lines = wrap(text, look.width.saturating_sub(6), look.width);
    said.line(format!("{}: {}", style::help(look, "help"), lines.join("\n")));
}

/// Answers about one deed that differ in the persona alone, as one: who they are about, and the places of each.
fn grouped(answers: &[Answer]) -> Vec<Answer> {
    let mut groups: Vec<Vec<&Answer>> = Vec::new();
    for answer in answers {
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| alike(first, answer))) {
            Some(group) => group.push(answer),
            None => groups.push(vec![answer]),
        }
    }
    groups.into_iter().filter_map(|group| together(&group)).collect()
}

fn alike(a: &Answer, b: &Answer) -> bool {
    let said = |answer: &Answer, line: &Line| match &answer.persona {
        Some(persona) if line.gate == Gate::Person => line.said.replace(&format!("`{persona}`"), "`persona`"),
        _ => line.said.clone(),
    };
    let line = |one: &Line, other: &Line| {
        let places = one.at == other.at || [Gate::Person, Gate::Harness].contains(&one.gate);
        (one.gate, one.open, said(a, one)) == (other.gate, other.open, said(b, other)) && places
    };
    a.deed == b.deed
        && a.decision == b.decision
        && a.mendings == b.mendings
        && a.other_harnesses == b.other_harnesses
        && (&a.other_roles, &a.other_scopes) == (&b.other_roles, &b.other_scopes)
        && a.lines.len() == b.lines.len()
        && a.lines.iter().zip(&b.lines).all(|(one, other)| line(one, other))
}

fn together(group: &[&Answer]) -> Option<Answer> {
    let (first, others) = group.split_first()?;
    let mut whole = Answer::clone(first);
    let (Some(persona), [_, ..]) = (&first.persona, others) else { return Some(whole) };
    let own = format!("`{persona}`");
    let names: Vec<String> =
        group.iter().filter_map(|answer| answer.persona.as_ref()).map(|key| format!("`{key}`")).collect();
    let names = match names.split_last() {
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => own.clone(),
    };
    whole.who = whole.who.replace(&format!("for the persona {own}"), &format!("for the personas {names}"));
    for (at, line) in whole.lines.iter_mut().enumerate() {
        if line.gate == Gate::Person {
            line.said = line.said.replace(&own, &names);
        }
        for label in others.iter().filter_map(|answer| answer.lines.get(at)).flat_map(|line| &line.at) {
            if !line.at.contains(label) {
                line.at.push(label.clone());
            }
        }
    }
    Some(whole)
}

fn gate(sources: &Sources, line: &Line, look: Look, said: &mut Said) {
    let mark = match line.open {
        Some(true) => style::good(look, "yes"),
        Some(false) if line.gate == Gate::Approval => style::bold(look, "ask"),
        Some(false) => style::error(look, "no "),
        None => style::dim(look, "-  "),
    };
    said.line(format!("  {mark}  {}", line.said));
    for label in &line.at {
        let (file, number) = at(sources, label);
        said.line(style::dim(look, &format!("         {}:{number}: {}", visible(&file), label.text)));
    }
}

/// What to do where the run and not the policy closes a gate.
fn not_the_policy(gate: Gate) -> &'static str {
    match gate {
        Gate::RunRow => "ask for a persona that may, or for another harness",
        Gate::Harness => "a run without a harness only reads; ask in a run that wears one",
        gate => gate.usual().mend(),
    }
}

pub(super) fn mended(sources: &Sources, mending: &Mending, look: Look, said: &mut Said) {
    let (head, changes): (String, &[Change]) = match mending {
        Mending::Holds(changes) => ("this would make it a yes (tried in memory)".to_owned(), changes),
        Mending::Refused(changes, why) => (format!("this would not be enough: {why}"), changes),
        Mending::NotThePolicy(gate) => {
            let text = format!("no edit of the policy is offered for that run: {}", not_the_policy(*gate));
            (text, &[])
        }
    };
    help(&head, look, said);
    for change in changes {
        let label = Label { span: change.edit.span, text: String::new() };
        let (file, number) = at(sources, &label);
        said.line(format!("      {}:{number}: {}", visible(&file), change.said));
    }
}
