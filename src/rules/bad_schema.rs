//! See the page beside this file.

use std::collections::BTreeSet;

use harnessc_runtime::lock::Returns;
use harnessc_runtime::upstream::HEADER_KEY;

use super::engine::authority::short;
use super::engine::schemas::{self, Own, Stands};
use super::engine::{text, written};
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, Edit, RuleId, Sink, nearest};
use crate::model::tools::Case;
use crate::model::work::Step;
use crate::model::{Def, Keyed};
use crate::names::{Leads, Reference, Space};
use crate::policy::schema::{self, NarrowFaultKind, Problem, ProblemKind, Purpose, Reading};
use crate::policy::{Pinned, Tool};
use crate::source::Span;
use crate::syntax::{Kind, Node};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("bad-schema");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let mut said = BTreeSet::new();
    for own in schemas::own(cx) {
        for problem in own.reading.problems.iter().filter(|problem| ours(cx, problem)) {
            if said.insert((problem.span, problem.kind)) {
                sink.push(faulty(cx, &own, problem));
            }
        }
    }
    for tool in cx.policy.registry.tools() {
        if let Some(pinned) = &tool.pinned {
            published(tool, pinned, sink);
        }
        sink.extend(unstated_output(tool));
        cases(cx, tool, sink);
    }
    emptied(cx, sink);
    for plan in cx.model.plan_templates.sorted() {
        for step in plan.steps.iter().flatten() {
            step_input(cx, step, sink);
        }
    }
}

/// A name that leads nowhere is found as that. A section that a file may hold, and none of this tree does, is a name that leads
/// somewhere, and still gives no value.
fn ours(cx: &Cx<'_>, problem: &Problem) -> bool {
    let section = |reference: &Reference<'_>| {
        reference.span == problem.span
            && reference.to.space == Space::Section
            && reference.leads != Leads::Nowhere
    };
    match problem.kind {
        ProblemKind::UnknownType => !cx.model.broken && cx.names.references().iter().any(section),
        ProblemKind::TypeCycle => false,
        _ => !problem.is_soft(),
    }
}

fn faulty(cx: &Cx<'_>, own: &Own<'_, '_>, problem: &Problem) -> Diagnostic {
    let stands = schemas::type_of(cx, problem.span).map_or_else(|| own.stands.said(), |def| {
        Stands::Type(&def.key.value).said()
    });
    let detail = match problem.kind {
        ProblemKind::UnknownType => "a section is named that holds no keys in this tree, so no value is allowed",
        _ => problem.detail.as_str(),
    };
    let message = format!("in {stands}, {detail}");
    let mut finding = Diagnostic::new(ID, problem.span, message, label(problem.kind));
    if let Some(related) = problem.related.filter(|related| *related != problem.span) {
        finding = finding.label(related, format!("named here, in {}", own.stands.said()));
    }
    finding.note(why(problem.kind)).help(problem.help.as_deref().unwrap_or(mend(problem.kind)))
}

/// What is to be seen at the place.
fn label(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::NotASchema | ProblemKind::Invalid => "not valid here",
        ProblemKind::OutsideSubset | ProblemKind::UnknownFormat => "not to be had here",
        ProblemKind::CannotClose | ProblemKind::OpenObject | ProblemKind::LooseMap => "open",
        ProblemKind::NotAnObject => "not an object",
        ProblemKind::NotAScalar => "not a single value",
        ProblemKind::MissingType => "of no type",
        ProblemKind::RemoteRef | ProblemKind::DanglingRef | ProblemKind::RefCycle => "this reference",
        ProblemKind::TooDeep => "too deep",
        ProblemKind::TooLarge => "too large",
        ProblemKind::BadNumber => "this number",
        ProblemKind::BadPattern => "this pattern",
        _ => "here",
    }
}

fn why(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::OpenObject | ProblemKind::LooseMap | ProblemKind::CannotClose | ProblemKind::MissingType => {
            "whatever a schema leaves open, a model can fill with what nobody reviewed"
        }
        ProblemKind::RemoteRef => "a schema that is fetched from elsewhere can change after the review",
        ProblemKind::TooDeep | ProblemKind::TooLarge => {
            "every call is checked against it, so its size is a cost that anyone could make grow"
        }
        ProblemKind::BadPattern => "patterns run in time that grows with the text alone, which leaves some constructs out",
        ProblemKind::BadNumber => "two readers that round a number differently would not check the same thing",
        ProblemKind::DanglingRef => "references are followed within the one schema they stand in, its types written out",
        _ => "a schema that does not mean one thing to every reader checks nothing",
    }
}

fn mend(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::UnknownType => "define that section, or list the values",
        ProblemKind::RemoteRef => "copy what it leads to below `$defs`, and write `#/$defs/NAME`",
        ProblemKind::DanglingRef => "define it below `$defs`, or use a word of `types:`",
        ProblemKind::RefCycle => "write one of them out",
        ProblemKind::TooDeep | ProblemKind::TooLarge => "split it, or ask for less at once",
        ProblemKind::BadPattern => "write it without what is named, or list the values",
        ProblemKind::BadNumber => "write a number below 2^53 in plain digits, or take a string with a pattern",
        ProblemKind::NotAScalar => "write a string, a number, a boolean or a list of values",
        ProblemKind::NotASchema => "write a JSON Schema, the name of a type, or a list of the values",
        _ => "see `harnessc explain bad-schema` for what a schema may use",
    }
}

/// So many places of a published schema are shown.
const PLACES: usize = 3;

/// What an outside server publishes is pointed at from the tree's own line; its file is not the author's to edit.
fn published(tool: &Tool<'_>, pinned: &Pinned, sink: &mut Sink) {
    let key = tool.key();
    let at = tool.def.from.as_ref().map_or(tool.def.key.span, |from| from.span);
    if pinned.input.is_none() {
        sink.push(
            Diagnostic::new(ID, at, format!("the server publishes no input schema for `{key}`"), "from this server")
                .label(pinned.node.span, "no `inputSchema`")
                .note("without it any input would pass, and none was reviewed")
                .help(format!("take `{key}` out, or ask the server's authors for an `inputSchema` and pin the list again")),
        );
    }
    sink.extend(header(tool, at, pinned));
    sink.extend(tool.input.as_ref().and_then(|reading| unusable(tool, at, reading, "input")));
    let output = tool.output.as_ref().filter(|_| tool.def.output.is_none());
    sink.extend(output.and_then(|reading| unusable(tool, at, reading, "output")));
}

/// An input that a client would send as a header, past whoever looks at inputs (THREATS, the upstream server).
fn header(tool: &Tool<'_>, at: Span, pinned: &Pinned) -> Option<Diagnostic> {
    let span = pinned.header()?;
    let key = tool.key();
    let message = format!("the published input of `{key}` asks for a header (`{HEADER_KEY}`)");
    Some(
        Diagnostic::new(ID, at, message, "from this server")
            .label(span, "this input would travel outside the call")
            .note("a header is read and logged by whatever stands between, and no schema, narrowing or approval speaks of it")
            .help(format!("take `{key}` out of the registry, or ask the server's authors to drop the annotation and pin the list again")),
    )
}

fn unusable(tool: &Tool<'_>, at: Span, reading: &Reading, side: &str) -> Option<Diagnostic> {
    let hard: Vec<&Problem> = reading.problems.iter().filter(|problem| !problem.is_soft()).collect();
    let first = hard.first()?;
    let key = tool.key();
    let mut finding = Diagnostic::new(
        ID,
        at,
        format!("the published {side} of `{key}` cannot be used: {}", first.detail),
        "from this server",
    );
    for problem in hard.iter().take(PLACES) {
        finding = finding.label(problem.span, problem.detail.clone());
    }
    if let Some(more) = hard.len().checked_sub(PLACES).filter(|more| *more > 0) {
        finding = finding.note(format!("and {more} more of the kind"));
    }
    let help = match side {
        "output" => format!("state a closed `output` for `{key}`, which is then what is checked"),
        _ => format!("take `{key}` out of the registry, or ask the server's authors for a schema that says what it takes"),
    };
    Some(finding.note(why(first.kind)).help(help))
}

/// A structured answer of an outside server whose form nobody states; of a tool of our own the reading says so.
fn unstated_output(tool: &Tool<'_>) -> Option<Diagnostic> {
    let (returns, pinned) = (tool.def.returns.as_ref()?, tool.pinned.as_ref()?);
    if tool.returns != Returns::Structured || tool.output.is_some() || tool.def.output.is_some() {
        return None;
    }
    let message = format!("`{}` returns structured data, and nothing says of which form", tool.key());
    Some(
        Diagnostic::new(ID, returns.span, message, "structured by this word")
            .label(pinned.node.span, "published without an `outputSchema`")
            .note("an answer without a schema can hold free text from anywhere, and a run would read it as data")
            .help("add `output:` with the fields that are used, or write `returns: prose`"),
    )
}

/// `cases` name one input, a text out of a list, and that list is exactly the cases.
fn cases(cx: &Cx<'_>, tool: &Tool<'_>, sink: &mut Sink) {
    let Some(stated) = &tool.def.cases else { return };
    let mut inputs = stated.value.iter();
    let Some(first) = inputs.next().filter(|first| !first.is_empty()) else { return };
    if let Some(second) = inputs.next() {
        let message = format!("`cases` of `{}` names more than one input", tool.key());
        sink.push(
            Diagnostic::new(ID, second.key.span, message, "a second one")
                .label(first.key.span, "the first")
                .note("a deed is known by one value of one input; two of them could say two things of one call")
                .help("keep the input that tells the deeds apart"),
        );
        return;
    }
    if let Some(closed) = &tool.closed_input {
        match schema::root_property(closed, &first.key.value) {
            None => sink.push(no_discriminator(tool, &first.key, closed)),
            Some(_) => values(cx, tool, first, closed, sink),
        }
    }
}

fn no_discriminator(
    tool: &Tool<'_>,
    name: &crate::source::Spanned<String>,
    closed: &serde_json::Value,
) -> Diagnostic {
    let (input, key) = (&name.value, tool.key());
    let inputs = schema::root_properties(closed);
    let message = format!("`{key}` has no input `{input}` at its root to tell its cases apart");
    let at = tool.input.as_ref().map_or(tool.def.key.span, |reading| reading.span(""));
    let help = match nearest(input, inputs) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("name an input of `{key}` that is a list of texts"),
    };
    Diagnostic::new(ID, name.span, message, "no such input")
        .label(at, "the tool's input")
        .note("which deed a call is must be plain from the call itself, or the milder case would cover the graver one")
        .help(help)
}

/// The input's values against the cases. What fits was written into the closed input before.
fn values(
    cx: &Cx<'_>,
    tool: &Tool<'_>,
    cases: &Def<Keyed<Case>>,
    closed: &serde_json::Value,
    sink: &mut Sink,
) {
    let (input, key) = (&cases.key.value, tool.key());
    let at = schemas::declared(tool, input).unwrap_or(tool.def.key.span);
    let listed = schema::string_enum(closed, input);
    if listed.is_none() && tool.from.is_none() {
        let message = format!("input `{input}` of `{key}` tells cases apart, and is no list of texts");
        sink.push(
            Diagnostic::new(ID, at, message, "not a list")
                .label(cases.key.span, "tells the cases apart")
                .note("which deed a call is must be plain from the call itself")
                .help(format!("write `{input}: [{}]`", joined(cases))),
        );
        return;
    }
    let mut strange = false;
    for case in cases.iter().filter(|case| !schema::may_take(closed, input, &case.key.value)) {
        strange = true;
        let message = format!("input `{input}` of `{key}` does not take `{}`", case.key.value);
        sink.push(
            Diagnostic::new(ID, case.key.span, message, "no such value")
                .label(at, "the values it takes")
                .note("a case that no call can be leaves the deed that was meant without a case")
                .help(help_value(&case.key.value, listed.as_deref().unwrap_or(&[]))),
        );
    }
    let known = |value: &&String| {
        cases.get(value).is_some() || cases.lost().iter().any(|lost| lost.value == **value)
    };
    let left: Vec<&str> = listed.iter().flatten().filter(|value| !known(value)).map(String::as_str).collect();
    if tool.from.is_none() && !strange && !left.is_empty() {
        let message = format!("no case says what `{key}` does where `{input}` is {}", text::and(left.iter().copied()));
        let mut finding = Diagnostic::new(ID, cases.key.span, message, "tells the cases apart")
            .label(short(cx, at, cases.key.span), "the values it takes")
            .note("a value without a case would be a deed without an effect and without an approval")
            .help("give each of them an effect here, or take them out of the input");
        if let Some(edit) = listed_as_worst(cx, tool, cases, &left) {
            let title = format!("write {} as destructive", text::and(left.iter().copied()));
            finding = finding.fix_all(title, Applicability::Safe, vec![edit]);
        }
        sink.push(finding);
    }
}

/// The values as cases of the gravest effect: whoever knows better says so, and until then two people are asked.
fn listed_as_worst(cx: &Cx<'_>, tool: &Tool<'_>, cases: &Def<Keyed<Case>>, left: &[&str]) -> Option<Edit> {
    let keys = ["tools", tool.key(), "cases", cases.key.value.as_str()];
    let entry = written::entry(cx, cases.key.span, &keys)?;
    // A value that only quotes could hold is the author's to write.
    let is_plain = |value: &&str| {
        value.starts_with(|c: char| c.is_ascii_alphabetic())
            && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
            && !["true", "false", "null"].contains(&value.to_ascii_lowercase().as_str())
    };
    let more = left.iter().map(|value| ((*value).to_owned(), "destructive")).collect::<Vec<_>>();
    left.iter().all(is_plain).then(|| written::appended(cx, &entry.value, &more)).flatten()
}

fn help_value(written: &str, listed: &[String]) -> String {
    match nearest(written, listed.iter().map(String::as_str)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if listed.is_empty() => "take the case out".to_owned(),
        None => format!("it takes {}", text::some(&listed.iter().map(String::as_str).collect::<Vec<_>>())),
    }
}

fn joined(cases: &Def<Keyed<Case>>) -> String {
    cases.iter().map(|case| case.key.value.as_str()).collect::<Vec<_>>().join(", ")
}

/// A narrowing that leaves no value, or lists one that it does not leave.
fn emptied(cx: &Cx<'_>, sink: &mut Sink) {
    for narrowing in schemas::narrowings(cx) {
        match narrowing.fault.kind {
            NarrowFaultKind::Empty => {}
            NarrowFaultKind::Idle => {
                sink.extend(idle(cx, &narrowing));
                continue;
            }
            NarrowFaultKind::Unknown | NarrowFaultKind::Skippable => continue,
        }
        let (input, tool) = (&narrowing.fault.input, narrowing.tool);
        let message = format!("no value of `{input}` satisfies both `{}` and this narrowing", tool.key());
        let at = schemas::declared(tool, input).unwrap_or(tool.def.key.span);
        sink.push(
            Diagnostic::new(ID, narrowing.only.value.0.span, message, "leaves nothing")
                .label(at, "what the tool takes")
                .note("a harness that holds a tool which it can never call is not what anybody meant")
                .help("allow a value that the tool takes, or take the tool out of the list"),
        );
    }
}

/// A value that a narrowing lists and its tool never takes. Values of a type that the narrowing names are that type's own,
/// which other tools may take.
fn idle(cx: &Cx<'_>, narrowing: &schemas::Narrowing<'_, '_>) -> Option<Diagnostic> {
    let schemas::Narrowing { tool, only, fault } = narrowing;
    let reading = cx.policy.readings.narrowing(&only.value)?;
    let (place, whole) = (reading.span(&fault.pointer), only.value.0.span);
    if place.file != whole.file || place.start < whole.start || whole.end < place.end {
        return None;
    }
    let (input, key) = (&fault.input, tool.key());
    let written = reading.original().pointer(&fault.pointer).map_or_else(String::new, |value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let taken = tool.closed_input.as_ref().and_then(|closed| schema::string_enum(closed, input)).unwrap_or_default();
    let meant = nearest(&written, taken.iter().map(String::as_str));
    let label = meant.map_or_else(|| "never taken".to_owned(), |meant| format!("did you mean `{meant}`?"));
    let at = schemas::declared(tool, input).unwrap_or(tool.def.key.span);
    let finding = Diagnostic::new(ID, place, format!("`{key}` never takes `{written}` in `{input}`"), label)
        .label(at, "what the tool takes")
        .note("a narrowing only takes away, so a value that the tool refuses stays refused, and reads as though it were allowed");
    Some(match meant {
        Some(meant) => finding.help(format!("write `{meant}`, or take `{written}` out of the list")),
        None => finding.help(format!("take `{written}` out of the list, or have the tool take it")),
    })
}

/// What a plan's step fixes of its input is taken by its tool. What it leaves open is filled in when the plan is proposed.
fn step_input(cx: &Cx<'_>, step: &Def<Step>, sink: &mut Sink) {
    let (Some(stated), Some(name)) = (&step.input, &step.tool) else { return };
    let Some(tool) = schemas::tool_of(cx, name) else { return };
    let Some(closed) = &tool.closed_input else { return };
    let step_key = &step.key.value;
    let Kind::Map(entries) = &stated.0.kind else {
        let message = format!("the input of step `{step_key}` is {}, and an input is a mapping", stated.0.what());
        let finding = Diagnostic::new(ID, stated.0.span, message, "not a mapping");
        let note = "a step fixes inputs of its tool by their names";
        sink.push(finding.note(note).help("write `{INPUT: VALUE}`"));
        return;
    };
    for entry in entries {
        let narrowed = std::iter::once((entry.key.value.clone(), exactly(cx, &entry.value))).collect();
        if let Some(fault) = schema::narrow(closed, &narrowed).first() {
            sink.push(not_taken(tool, step_key, entry, fault));
        }
    }
}

fn not_taken(
    tool: &Tool<'_>,
    step: &str,
    entry: &crate::syntax::Entry,
    fault: &schema::NarrowFault,
) -> Diagnostic {
    let (input, key) = (&entry.key.value, tool.key());
    let note = "a call with this input would be refused after the plan was approved";
    if fault.kind == NarrowFaultKind::Empty {
        let message = format!("`{key}` does not take the `{input}` of step `{step}`");
        let at = schemas::declared(tool, input).unwrap_or(tool.def.key.span);
        let finding = Diagnostic::new(ID, entry.value.span, message, "refused").label(at, "what the tool takes");
        return finding.note(note).help("write a value that the tool takes");
    }
    let message = format!("step `{step}` gives `{key}` an input `{input}` that it does not have");
    let help = fault.help.clone().unwrap_or_else(|| "take it out".to_owned());
    Diagnostic::new(ID, entry.key.span, message, "no such input")
        .label(tool.def.key.span, "the tool")
        .note(note)
        .help(help)
}

/// The schema that takes this value alone.
fn exactly(cx: &Cx<'_>, node: &std::sync::Arc<Node>) -> serde_json::Value {
    let entry = crate::syntax::Entry {
        key: crate::source::Spanned::new("const".to_owned(), node.span),
        value: std::sync::Arc::clone(node),
        alias: None,
    };
    let schema = Node { span: node.span, kind: Kind::Map(vec![entry]) };
    schemas::read(cx, &std::sync::Arc::new(schema), Purpose::StepInput).original()
}
