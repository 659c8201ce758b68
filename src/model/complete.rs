//! What a definition needs, or has no place for, by what else it states: the faults that no single field shows.
//!
//! A definition that lacks something is marked damaged, so that no rule judges the default that would take its place.

use super::harnesses::Harness;
use super::keyed::Def;
use super::lists::Toolset;
use super::read::{EMPTY_LIST, UNKNOWN_FIELD, WRONG_TYPE, missing_field};
use super::sections::Model;
use super::tests::{Test, TestStep};
use super::tools::Tool;
use super::words::Returns;
use crate::diagnostic::{Diagnostic, Sink};
use crate::source::{Span, Spanned};

/// The longest title of a tool, in Unicode scalar values.
const TITLE: usize = 120;

/// Checks every definition whose fields lean on each other.
pub(super) fn check(model: &mut Model, sink: &mut Sink) {
    for tool in model.tools.iter_mut() {
        judged(tool, sink, tool_of);
    }
    let check = if model.stated.contains_key("personas") { harness_of } else { bundle_of_nobody };
    for harness in model.harnesses.iter_mut() {
        judged(harness, sink, check);
    }
    for test in model.tests.0.iter_mut() {
        judged(test, sink, test_of);
    }
}

fn judged<T>(def: &mut Def<T>, sink: &mut Sink, check: fn(&Def<T>, &mut Sink)) {
    let before = sink.len();
    check(def, sink);
    def.damaged |= sink.len() > before;
}

fn tool_of(tool: &Def<Tool>, sink: &mut Sink) {
    let structured = tool.returns.as_ref().is_some_and(|returns| returns.value == Returns::Structured);
    if structured && tool.output.is_none() && tool.from.is_none() && !tool.damaged {
        missing_field("a tool that returns structured values", tool.key.span, "output", sink);
    }
    if let Some(title) = tool.title.as_ref().filter(|title| title.chars().count() > TITLE) {
        let length = title.chars().count();
        sink.push(
            Diagnostic::new(
                WRONG_TYPE,
                title.span,
                format!("a tool's title has at most {TITLE} characters, and this one has {length}"),
                "too long for a card",
            )
            .help("shorten it, and put the rest into `description`"),
        );
    }
    if let Some(cases) = &tool.cases {
        if cases.iter().all(|inputs| inputs.is_empty()) {
            let finding = Diagnostic::new(EMPTY_LIST, cases.span, "`cases` names no case", "no case");
            sink.push(finding.help(
                "name one input and its values: `cases: {method: {create: create, delete: destructive}}`",
            ));
        }
        if let Some(effect) = &tool.effect {
            let why =
                "each case states its own effect, and a second word beside them would be in force for none";
            no_place(effect.span, "effect", "cases", why, "remove `effect`", sink);
        }
    }
    if let (Some(unbound), Some(_)) = (&tool.unbound, &tool.bind) {
        let why = "one says that the tool has a target and the other that it has none";
        no_place(unbound.span, "unbound", "bind", why, "keep the one that is true", sink);
    }
    if let (Some(output), Some(returns)) = (&tool.output, &tool.returns)
        && returns.value != Returns::Structured
    {
        let why = "an output schema is held against structured values alone";
        let beside = format!("returns: {}", returns.value);
        no_place(
            output.0.span,
            "output",
            &beside,
            why,
            "remove `output`, or write `returns: structured`",
            sink,
        );
    }
}

fn harness_of(harness: &Def<Harness>, sink: &mut Sink) {
    if harness.personas.is_none() && !harness.damaged {
        missing_field("a harness of a tree with personas", harness.key.span, "personas", sink);
    }
}

/// In a tree without personas the word `persona_bundle` would stand for nothing at all.
fn bundle_of_nobody(harness: &Def<Harness>, sink: &mut Sink) {
    let bundle = matches!(harness.toolset, Some(Toolset::PersonaBundle(_)));
    if bundle && harness.personas.is_none() && !harness.damaged {
        missing_field("a harness with `toolset: persona_bundle`", harness.key.span, "personas", sink);
    }
}

fn test_of(test: &Def<Test>, sink: &mut Sink) {
    if test.damaged {
        return;
    }
    for step in test.sequence.iter().flatten() {
        step_of(step, sink);
    }
    if test.matrix.as_ref().is_some_and(|matrix| matrix.is_empty()) {
        let finding =
            Diagnostic::new(EMPTY_LIST, test.key.span, "the `matrix` of this test is empty", "asks nothing");
        sink.push(
            finding
                .note("a test that asks nothing passes under every policy, and looks like one that does not")
                .help("name a tool and who may call it: `matrix: {TOOL: {HARNESS: confirm}}`; `{TOOL: {}}` says that nobody may"),
        );
        return;
    }
    if test
        .sequence
        .as_ref()
        .is_some_and(|steps| steps.iter().all(|step| step.call.is_none() && step.batch.is_none()))
    {
        missing_field("a sequence, which asks nothing without one,", test.key.span, "call", sink);
        return;
    }
    let other = test.matrix.is_some() || test.exactly.is_some() || test.sequence.is_some();
    if test.call.is_none() && !other {
        missing_field("a test without `matrix`, `exactly` or `sequence`", test.key.span, "call", sink);
    } else if test.call.is_some() && test.expect.is_none() {
        missing_field("a test with a `call`", test.key.span, "expect", sink);
    } else if test.call.is_none() {
        let leans = [
            ("approvers", test.approvers.is_some()),
            ("expires_after", test.expires_after.is_some()),
            ("needs", test.needs.is_some()),
            ("refuses", test.refuses.is_some()),
            ("expect", test.expect.is_some()),
        ];
        if let Some((field, _)) = leans.into_iter().find(|(_, stated)| *stated) {
            missing_field(&format!("a test with `{field}`"), test.key.span, "call", sink);
        }
    }
}

fn step_of(step: &Spanned<TestStep>, sink: &mut Sink) {
    let kinds = [
        ("call", step.call.is_some()),
        ("batch", step.batch.is_some()),
        ("decide", step.decide.is_some()),
        ("suspect", step.suspect.is_some()),
        ("after", step.after.is_some()),
    ];
    let mut stated = kinds.into_iter().filter(|(_, stated)| *stated).map(|(kind, _)| kind);
    let (Some(kind), None) = (stated.next(), stated.next()) else {
        let what = "a step that is not one of `call`, `batch`, `decide`, `suspect` and `after`";
        missing_field(what, step.span, "call", sink);
        return;
    };
    let before = sink.len();
    for (field, span, of) in fields_of(step) {
        if let Some(span) = span.filter(|_| !of.contains(&kind)) {
            let words: Vec<String> = of.iter().map(|word| format!("`{word}`")).collect();
            let why = format!("it says more of {}", words.join(" or of "));
            no_place(span, field, kind, &why, &format!("take out `{field}`"), sink);
        }
    }
    if sink.len() > before {
        return;
    }
    match kind {
        "call" | "decide" if step.expect.is_none() => {
            missing_field(&format!("a step with `{kind}`"), step.span, "expect", sink);
        }
        "decide" if step.by.is_none() => missing_field("an answer", step.span, "by", sink),
        _ => {}
    }
}

/// The fields that say more of a step, where each is stated, and the kinds of step it belongs to.
fn fields_of(step: &TestStep) -> [(&'static str, Option<Span>, &'static [&'static str]); 6] {
    let leans = step.depends_on.as_ref().and_then(|names| names.first());
    let by = step.by.as_ref().and_then(|by| by.person.as_ref());
    [
        ("as", step.r#as.as_ref().map(|name| name.span), &["call", "batch"]),
        ("depends_on", leans.map(|name| name.span), &["call"]),
        ("replay", step.replay.as_ref().map(|flag| flag.span), &["call"]),
        ("about", step.about.as_ref().map(|name| name.span), &["decide"]),
        ("by", by.map(|person| person.span), &["decide"]),
        ("expect", step.expect.as_ref().map(|word| word.span), &["call", "batch", "decide"]),
    ]
}

fn no_place(span: Span, field: &str, beside: &str, why: &str, help: &str, sink: &mut Sink) {
    sink.push(
        Diagnostic::new(
            UNKNOWN_FIELD,
            span,
            format!("`{field}` has no place beside `{beside}`"),
            "contradicts what stands beside it",
        )
        .note(why)
        .help(help),
    );
}
