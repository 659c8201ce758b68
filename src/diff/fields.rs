//! What of a lock is no cell: every field, in one total table of how it is compared. Which class a field is of is
//! [`class_of`]'s to say; a field without a line here does not compile.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::engines::UNSTATED_CORRECTIONS;
use harnessc_runtime::evidence::UNSTATED_REPAIRS;
use harnessc_runtime::lock::{
    Approval, Approvals, Approvers, Audit, Cause, Compaction, ContextSource, DayLimits, DutyTemplate,
    Engines, Evidence, Harness, LensReview, Limits, Lock, MemoryLens, Part, Persona, Phase, PlanStep,
    PlanTemplate, Policy, Price, Prompt, Providers, ReasoningStore, RecordType, Refusal, Role, RunLimits,
    Semantic, Server, Skill, Surface, Tool, ToolLimit, split_deed,
};
use harnessc_runtime::prompt::DEFAULT_WRAP;

use super::change::{Change, Form};
use super::grade::Delta;
use super::ways_of_fields::Unstated::{Is, Unbounded};
use super::ways_of_fields::{
    Fields, altered, cap, compare, demand, either, either_or, floor, grants, guards, in_cells, keeps, keyed,
    keyed_or_default, lets, only_these, part, price, prose, schema_of, within,
};
use super::{guard, unstated};
use crate::lock::{Class, class_of};

/// Every field of two locks but the cells.
pub(super) fn differing(before: &Lock, after: &Lock) -> Vec<Change> {
    let mut out = Vec::new();
    let mut root = Root(&mut out);
    compare!(root, before, after => Lock {
        approvals: approvals,
        audit: part(audit),
        baseline: guard::baseline,
        context_sources: keyed(Delta::WIDER, context_source),
        diagnoses: keyed(Delta::EITHER, keyed(Delta::EITHER, cause)),
        duty_templates: keyed(Delta::WIDER, duty_template),
        effective: in_cells,
        engines: part(engines),
        evidence: part(evidence),
        format: altered,
        harnesses: keyed(Delta::WIDER, harness),
        lens_reviews: keyed(Delta::WIDER, lens_review),
        limits: part(limits),
        memory_lenses: keyed(Delta::ALTERED, memory_lens),
        persona_fallback: either,
        personas: personas,
        plan_templates: keyed(Delta::WIDER, plan_template),
        policy: policy,
        predecessor: guard::predecessor,
        primitives: keyed(Delta::ALTERED, either),
        prompt: part(prompt),
        record_types: keyed(Delta::WIDER, record_type),
        refusals: keyed(Delta::TIGHTER, refusal),
        release: part(unstated::release),
        revision: guard::revision,
        roles: roles,
        rubrics: keyed(Delta::ALTERED, altered),
        rules: guard::rules,
        run: keyed(Delta::ALTERED, schema_of),
        servers: keyed(Delta::WIDER, server),
        skills: keyed(Delta::WIDER, skill),
        sources: guard::sources,
        status_templates: keyed(Delta::ALTERED, altered),
        surfaces: keyed(Delta::WIDER, surface),
        tools: keyed(Delta::WIDER, tool),
        waivers: guard::waivers,
    });
    approvers(&mut root.at("approvals").at("approvers"), before, after);
    out
}

/// Who may say yes; `None`: nobody is stated.
type List = Option<Vec<String>>;

/// Who may say yes, list by list. A cell shows the list of the approval that it asks for; under an overlay that raises it, the
/// list of four eyes decides, which no cell shows.
fn approvers(out: &mut Fields<'_>, before: &Lock, after: &Lock) {
    let (old, new) = (before.approvals.approvers.as_ref(), after.approvals.approvers.as_ref());
    voters(&mut out.at("confirm"), old.map(|own| &own.confirm), new.map(|own| &own.confirm));
    voters(&mut out.at("four_eyes"), old.map(|own| &own.four_eyes), new.map(|own| &own.four_eyes));
    let of_tools = [old, new].into_iter().flatten().flat_map(|own| own.tools.keys());
    for name in of_tools.collect::<BTreeSet<_>>() {
        let is_confirmed = [before, after].into_iter().any(|lock| is_confirmed(lock, name));
        let levels = [is_confirmed.then_some(Approval::Confirm), Some(Approval::FourEyes)];
        let of = |own: Option<&'_ Approvers>, level| own.map(|own| voters_of(own, name, level).to_vec());
        let mut found: Vec<(List, List)> = Vec::new();
        for level in levels.into_iter().flatten() {
            let pair = (of(old, level), of(new, level));
            if !found.contains(&pair) {
                found.push(pair);
            }
        }
        let mut out = out.at("tools");
        for (old, new) in found {
            voters(&mut out.at_key(name), old.as_ref(), new.as_ref());
        }
    }
}

/// Whether some cell of the tool or deed asks for less than four eyes, so that its first yes may come from the list of
/// `confirm`, be it raised to that or not.
fn is_confirmed(lock: &Lock, name: &str) -> bool {
    let mut cells = lock.effective.values().flat_map(|roles| roles.values()).flatten();
    cells.any(|cell| {
        let is_own = cell.deed == name || split_deed(&cell.deed).0 == name;
        is_own && cell.approval != Approval::FourEyes
    })
}

/// The list for a tool or deed at one level: its own in place of both.
fn voters_of<'a>(own: &'a Approvers, name: &str, level: Approval) -> &'a [String] {
    let all = if level == Approval::FourEyes { &own.four_eyes } else { &own.confirm };
    own.tools.get(name).or_else(|| own.tools.get(split_deed(name).0)).unwrap_or(all)
}

/// Unstated is anyone; an empty list is nobody.
fn voters(out: &mut Fields<'_>, before: Option<&Vec<String>>, after: Option<&Vec<String>>) {
    let delta = match (before, after) {
        (None, None) => Delta::EQUAL,
        (Some(_), None) => Delta::WIDER,
        (None, Some(_)) => Delta::TIGHTER,
        (Some(before), Some(after)) => Delta::of_sets(before, after),
    };
    let words = |who: Option<&Vec<String>>| match who.map(Vec::as_slice) {
        None => "anyone".to_owned(),
        Some([]) => "nobody".to_owned(),
        Some(who) => who.join(", "),
    };
    out.formed(Form::List).say(delta, Some(words(before)), Some(words(after)));
}

/// Where whole fields of the lock begin.
struct Root<'o>(&'o mut Vec<Change>);

impl Root<'_> {
    fn at(&mut self, name: &str) -> Fields<'_> {
        Fields::of(self.0, name, class_of(name))
    }
}

/// As a guard, as a text.
fn as_class<T>(class: Class, each: impl Fn(&mut Fields<'_>, &T, &T)) -> impl Fn(&mut Fields<'_>, &T, &T) {
    move |out, before, after| each(&mut out.classed(class), before, after)
}

fn text<T: PartialEq + serde::Serialize>(out: &mut Fields<'_>, before: &T, after: &T) {
    altered(&mut out.classed(Class::Text), before, after);
}

fn approvals(out: &mut Fields<'_>, before: &Approvals, after: &Approvals) {
    compare!(out, before, after => Approvals {
        always_allowed: in_cells,
        approvers: in_cells,
        at_least: in_cells,
        batch: unstated::batch,
        expires_after_ms: cap(Unbounded),
        max_actions_per_run: cap(Unbounded),
        treatments: part(unstated::treatments),
    });
}

fn audit(out: &mut Fields<'_>, before: &Audit, after: &Audit) {
    compare!(out, before, after => Audit {
        action: guards,
        reasoning: either,
        reasoning_store: part(reasoning_store),
        tool_call: guards,
        trace: unstated::trace,
    });
}

/// Where nobody is named, nobody may read it.
fn reasoning_store(out: &mut Fields<'_>, before: &ReasoningStore, after: &ReasoningStore) {
    compare!(out, before, after => ReasoningStore { access: grants, encrypted: keeps, retention_ms: either });
}

fn context_source(out: &mut Fields<'_>, before: &ContextSource, after: &ContextSource) {
    compare!(out, before, after => ContextSource { origin: either, pii: either, title: text, untrusted: keeps });
}

fn cause(out: &mut Fields<'_>, before: &Cause, after: &Cause) {
    compare!(out, before, after => Cause { requires: guards });
}

fn duty_template(out: &mut Fields<'_>, before: &DutyTemplate, after: &DutyTemplate) {
    compare!(out, before, after => DutyTemplate { persona: either, plan: either, title: text, when_wearing: demand });
}

fn engines(out: &mut Fields<'_>, before: &Engines, after: &Engines) {
    compare!(out, before, after => Engines {
        model: either,
        order: either,
        phases: keyed_or_default(phase),
        providers: part(providers),
        unsure_below_millionths: floor,
    });
}

fn phase(out: &mut Fields<'_>, before: &Phase, after: &Phase) {
    compare!(out, before, after => Phase {
        corrections: cap(Is(UNSTATED_CORRECTIONS)),
        fallback: either,
    });
}

fn providers(out: &mut Fields<'_>, before: &Providers, after: &Providers) {
    compare!(out, before, after => Providers { cooldown_ms: either, order: either });
}

fn evidence(out: &mut Fields<'_>, before: &Evidence, after: &Evidence) {
    compare!(out, before, after => Evidence {
        quotes: demand,
        ready_states: only_these,
        repairs: cap(Is(UNSTATED_REPAIRS)),
        semantic: semantic,
    });
}

fn semantic(out: &mut Fields<'_>, before: &Option<Semantic>, after: &Option<Semantic>) {
    demand(out, before, after);
}

/// Who may wear it, what it holds and whether it passes the plan gate stand in the cells.
fn harness(out: &mut Fields<'_>, before: &Harness, after: &Harness) {
    compare!(out, before, after => Harness {
        memory_lenses: grants,
        personas: in_cells,
        plan_templates: grants,
        prompt: text,
        record_types: grants,
        refusal_rules: as_class(Class::Guard, guards),
        rubric_key: text,
        skills: grants,
        status_template: text,
        title: text,
        toolset: in_cells,
    });
}

fn lens_review(out: &mut Fields<'_>, before: &LensReview, after: &LensReview) {
    compare!(out, before, after => LensReview {
        lenses: grants,
        phrase: text,
        records: grants,
        tools: either,
        view: text,
    });
}

fn limits(out: &mut Fields<'_>, before: &Limits, after: &Limits) {
    compare!(out, before, after => Limits {
        day: part(day_limits),
        per_tool: keyed_or_default(tool_limit),
        prices: keyed(Delta::EITHER, one_price),
        retry: part(unstated::retry),
        run: part(run_limits),
    });
}

fn day_limits(out: &mut Fields<'_>, before: &DayLimits, after: &DayLimits) {
    compare!(out, before, after => DayLimits {
        cost_micro_usd: cap(Unbounded),
        timezone: either,
        tokens: cap(Unbounded),
    });
}

fn tool_limit(out: &mut Fields<'_>, before: &ToolLimit, after: &ToolLimit) {
    compare!(out, before, after => ToolLimit {
        calls: cap(Unbounded),
        result_bytes: cap(Unbounded),
        timeout_ms: cap(Unbounded),
    });
}

fn one_price(out: &mut Fields<'_>, before: &Price, after: &Price) {
    compare!(out, before, after => Price {
        cached_micro_usd: floor_or_input(before.input_micro_usd, after.input_micro_usd),
        input_micro_usd: price,
        output_micro_usd: price,
    });
}

/// An unstated price of cached input is that of input.
fn floor_or_input(before: u64, after: u64) -> impl Fn(&mut Fields<'_>, &Option<u64>, &Option<u64>) {
    move |out, old, new| floor(out, &Some(old.unwrap_or(before)), &Some(new.unwrap_or(after)))
}

fn run_limits(out: &mut Fields<'_>, before: &RunLimits, after: &RunLimits) {
    compare!(out, before, after => RunLimits {
        cost_micro_usd: cap(Unbounded),
        deadline_ms: cap(Unbounded),
        model_call_ms: cap(Unbounded),
        model_calls: cap(Unbounded),
        result_bytes: cap(Unbounded),
        steps: cap(Unbounded),
        tokens: cap(Unbounded),
        tool_calls: cap(Unbounded),
    });
}

/// A lens lets through the kinds that it names, and nothing where it names none.
fn memory_lens(out: &mut Fields<'_>, before: &MemoryLens, after: &MemoryLens) {
    compare!(out, before, after => MemoryLens { kinds: as_class(Class::Authority, grants), title: altered });
}

/// Where no personas are stated, nobody is held against one.
fn personas(out: &mut Fields<'_>, before: &BTreeMap<String, Persona>, after: &BTreeMap<String, Persona>) {
    let said = |all: &BTreeMap<String, Persona>| Some(all.keys().cloned().collect::<Vec<_>>().join(", "));
    match (before.is_empty(), after.is_empty()) {
        (false, true) => out.formed(Form::List).say(Delta::WIDER, said(before), None),
        (true, false) => out.formed(Form::List).say(Delta::TIGHTER, None, said(after)),
        _ => keyed(Delta::WIDER, persona)(out, before, after),
    }
}

fn persona(out: &mut Fields<'_>, before: &Persona, after: &Persona) {
    compare!(out, before, after => Persona { bundle: in_cells, harness: in_cells, title: text });
}

fn plan_template(out: &mut Fields<'_>, before: &PlanTemplate, after: &PlanTemplate) {
    compare!(out, before, after => PlanTemplate { steps: plan_steps, title: text });
}

/// A step more, another tool, another order or an input let go: each lets one yes cover something else.
fn plan_steps(out: &mut Fields<'_>, before: &[PlanStep], after: &[PlanStep]) {
    let order = |steps: &[PlanStep]| steps.iter().map(|step| step.key.clone()).collect::<Vec<_>>();
    let by_key = |steps: &[PlanStep]| {
        steps.iter().map(|step| (step.key.clone(), step.clone())).collect::<BTreeMap<_, _>>()
    };
    keyed(Delta::WIDER, plan_step)(out, &by_key(before), &by_key(after));
    let (old, new) = (order(before), order(after));
    let kept = |own: &[String], other: &[String]| {
        let other: BTreeSet<&String> = other.iter().collect();
        own.iter().filter(|key| other.contains(key)).cloned().collect::<Vec<_>>()
    };
    altered(out, &kept(&old, &new), &kept(&new, &old));
}

fn plan_step(out: &mut Fields<'_>, before: &PlanStep, after: &PlanStep) {
    compare!(out, before, after => PlanStep { after: guards, input: demand, key: in_cells, tool: either });
}

/// The edition, versions and names; a weaker edition checks less.
fn policy(out: &mut Fields<'_>, before: &Policy, after: &Policy) {
    compare!(out, before, after => Policy {
        edition: guard::edition,
        environment: either,
        external_servers: grants,
        harness_version: text,
        name: either,
        prompt_version: text,
    });
}

fn prompt(out: &mut Fields<'_>, before: &Prompt, after: &Prompt) {
    compare!(out, before, after => Prompt {
        compaction: part(compaction),
        memory_wrap: as_class(Class::Guard, either_or(DEFAULT_WRAP)),
        order: altered,
        parts: keyed(Delta::ALTERED, prompt_part),
        planning: altered,
        volatile: altered,
        window: altered,
    });
}

fn prompt_part(out: &mut Fields<'_>, before: &Part, after: &Part) {
    compare!(out, before, after => Part { digest: in_cells, text: prose });
}

fn compaction(out: &mut Fields<'_>, before: &Compaction, after: &Compaction) {
    compare!(out, before, after => Compaction { above_bytes: altered, keep_last: altered, resolve_with: altered });
}

fn record_type(out: &mut Fields<'_>, before: &RecordType, after: &RecordType) {
    compare!(out, before, after => RecordType { attachment: lets, check_input: lets, gate: keeps, title: text });
}

fn refusal(out: &mut Fields<'_>, before: &Refusal, after: &Refusal) {
    compare!(out, before, after => Refusal {
        forbidden_verbs: guards,
        forms: keyed(Delta::TIGHTER, guards),
        line: prose,
        optional: lets,
    });
}

/// A reader role that is gone leaves strangers' words to whoever else may read them.
fn roles(out: &mut Fields<'_>, before: &BTreeMap<String, Role>, after: &BTreeMap<String, Role>) {
    keyed(Delta::WIDER, role)(out, before, after);
    let readers = |roles: &BTreeMap<String, Role>| roles.values().any(|role| role.reads_untrusted);
    keeps(
        &mut out.classed(Class::Guard).at("(some role reads untrusted text)"),
        &readers(before),
        &readers(after),
    );
}

fn role(out: &mut Fields<'_>, before: &Role, after: &Role) {
    compare!(out, before, after => Role { effects: in_cells, reads_untrusted: lets, title: text, tools: in_cells });
}

/// Whoever answers at another address gets the calls, and says what comes back. What of the list is registered stands with its
/// tools.
fn server(out: &mut Fields<'_>, before: &Server, after: &Server) {
    compare!(out, before, after => Server { command: reached, tools: in_cells, url: reached });
}

fn reached<T: PartialEq + serde::Serialize>(out: &mut Fields<'_>, before: &T, after: &T) {
    if before != after {
        let why = "somebody else may answer there: inputs go to it, and what comes back is its own";
        let (old, new) = (out.written(before), out.written(after));
        out.say_why(Delta::EITHER, old, new, Some(why));
    }
}

fn skill(out: &mut Fields<'_>, before: &Skill, after: &Skill) {
    compare!(out, before, after => Skill {
        instructions: text,
        title: text,
        tool: in_cells,
        tools: grants,
        version: text,
    });
}

fn surface(out: &mut Fields<'_>, before: &Surface, after: &Surface) {
    compare!(out, before, after => Surface {
        after_approval: within,
        origin: origin,
        scopes: unstated::scopes,
    });
}

/// Unstated is inside.
fn origin(
    out: &mut Fields<'_>,
    before: &Option<harnessc_runtime::lock::Origin>,
    after: &Option<harnessc_runtime::lock::Origin>,
) {
    let outside = |stated: &Option<_>| *stated == Some(harnessc_runtime::lock::Origin::Outside);
    keeps(&mut out.at("outside"), &outside(before), &outside(after));
}

/// Most of a tool is seen in the cells that hold it; its words and the reason for no target are not.
fn tool(out: &mut Fields<'_>, before: &Tool, after: &Tool) {
    compare!(out, before, after => Tool {
        approval: in_cells,
        bind: in_cells,
        cases: in_cells,
        description: text,
        effect: in_cells,
        enabled: in_cells,
        input: in_cells,
        output: in_cells,
        preview: in_cells,
        returns: in_cells,
        server: in_cells,
        surfaces: in_cells,
        title: text,
        unbound: as_class(Class::Guard, guard::unbound),
        undo: in_cells,
    });
}
