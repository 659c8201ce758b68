//! See the page beside this file.

use std::collections::BTreeSet;

use harnessc_runtime::lock::{Effect, Returns};
use serde_json::Value;

use super::engine::authority::effect_at;
use super::engine::schemas;
use super::engine::text::and;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::people::{Origin, Surface};
use crate::model::Def;
use crate::policy::{self, Deed, DeedId, Role, RoleTools, Tool, schema};
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("unresolvable-result");

/// Why it matters.
const NOTE: &str = "a shortened result is a reference and the name of this tool; where a run cannot call it with that reference alone, the result is lost to it";

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let compaction = cx.model.prompt.compaction.as_ref();
    let Some(name) = compaction.and_then(|compaction| compaction.resolve_with.as_ref()) else { return };
    let Some(tool) = schemas::tool_of(cx, name) else { return };
    sink.extend(acts(cx, name, tool));
    sink.extend(takes_no_reference(name, tool));
    sink.extend(not_shown(cx, name, tool));
    let (holders, sides) = (holders(cx), Sides::of(cx, name, tool));
    sink.extend(not_held(name, &holders, &sides));
    sink.extend(not_left(cx, (name, tool), &holders, &sides));
}

/// A tool that changes something on the way.
fn acts(cx: &Cx<'_>, name: &Spanned<String>, tool: &Tool<'_>) -> Option<Diagnostic> {
    let named = cx.policy.registry.named(name);
    let deeds = named.iter().filter_map(|id| cx.policy.registry.deed(*id));
    let worst: &Deed<'_> = deeds.max_by_key(|deed| deed.effect).filter(|deed| deed.effect != Effect::Read)?;
    let (span, text) = effect_at(worst, tool);
    let message = format!("`{}` is to bring shortened results back, and it is no read", name.value);
    Some(
        Diagnostic::new(ID, name.span, message, "more than a read")
            .label(span, text)
            .note("what a model was shown already is shown again; that changes nothing and asks nobody")
            .help("name a tool whose effect is `read`"),
    )
}

/// A tool that a reference alone does not call.
fn takes_no_reference(name: &Spanned<String>, tool: &Tool<'_>) -> Option<Diagnostic> {
    let closed = tool.closed_input.as_ref()?;
    let from_run = |input: &&str| tool.bind.contains_key(*input);
    let inputs: Vec<&str> = schema::root_properties(closed).into_iter().filter(|input| !from_run(input)).collect();
    let required: Vec<&str> = schema::required(closed).into_iter().filter(|input| !from_run(input)).collect();
    let (message, label) = match required.as_slice() {
        [] if !inputs.iter().any(|input| takes_reference(closed, input)) => {
            (format!("`{}` takes no input in which a reference could be handed to it", name.value), "takes no reference")
        }
        [only] if !takes_reference(closed, only) => {
            (format!("`{}` asks for `{only}`, in which no reference could be handed to it", name.value), "asks for no reference")
        }
        [] | [_] => return None,
        _ => (format!("`{}` asks for {}, and a reference is one of them at most", name.value, and(required)), "asks for more than a reference"),
    };
    let at = tool.input.as_ref().map_or(tool.def.key.span, |reading| reading.span(""));
    Some(
        Diagnostic::new(ID, name.span, message, label)
            .label(at, "what it takes")
            .note(NOTE)
            .help("name a tool that takes the reference as a text, and requires nothing else that the run does not know"),
    )
}

/// A text of fewer letters holds no reference to one result among many.
const SHORTEST: u64 = 4;

/// Formats of texts that say when something is, or who.
const NO_REFERENCE: [&str; 4] = ["date", "date-time", "email", "time"];

/// Whether a root input takes a text that can be a reference. One that lists its values takes none; how a pattern wants it is
/// not judged.
fn takes_reference(closed: &Value, input: &str) -> bool {
    let Some(property) = schema::root_property(closed, input) else { return false };
    if property.get("enum").is_some() || property.get("const").is_some() {
        return false;
    }
    let is_short = property.get("maxLength").and_then(Value::as_u64).is_some_and(|most| most < SHORTEST);
    let format = property.get("format").and_then(Value::as_str);
    if is_short || format.is_some_and(|format| NO_REFERENCE.contains(&format)) {
        return false;
    }
    match property.get("type") {
        Some(Value::String(word)) => word == "string",
        Some(Value::Array(words)) => words.iter().any(|word| word == "string"),
        // What is put together out of parts is not judged.
        _ => true,
    }
}

/// Whether a tool gives a result that could be shortened.
fn gives(tool: &Tool<'_>) -> bool {
    tool.enabled && tool.returns != Returns::None
}

/// A surface of our own on which results come, and the tool never does: not listed there, or of no effect that a scope grants.
fn not_shown(cx: &Cx<'_>, name: &Spanned<String>, tool: &Tool<'_>) -> Option<Diagnostic> {
    let named = cx.policy.registry.named(name);
    let brings = named.iter().filter_map(|id| cx.policy.registry.deed(*id)).collect::<Vec<_>>();
    let ours = |surface: &&Def<Surface>| surface.origin.as_ref().is_none_or(|origin| origin.value == Origin::Inside);
    let gives_here = |surface: &&Def<Surface>| {
        let deeds = |other: &Tool<'_>| other.deeds.iter().any(|id| cx.policy.registry.deed(*id).is_some_and(|deed| grants(surface, deed)));
        let mut others = cx.policy.registry.tools().filter(|other| other.key() != tool.key() && gives(other));
        others.any(|other| is_on(other, surface) && deeds(other))
    };
    let lacks = |surface: &&Def<Surface>| !is_on(tool, surface) || !brings.iter().any(|deed| grants(surface, deed));
    let without: Vec<&Def<Surface>> =
        cx.model.surfaces.sorted().filter(ours).filter(lacks).filter(gives_here).collect();
    let first = without.first()?;
    let surfaces = and(without.iter().map(|surface| surface.key.value.as_str()));
    let verb = if without.len() > 1 { "do not show" } else { "does not show" };
    let message = format!("`{}` is to bring shortened results back, and {surfaces} {verb} it", name.value);
    let finding = Diagnostic::new(ID, name.span, message, "not shown everywhere")
        .label(first.key.span, "results come here too")
        .note(NOTE);
    let listed = tool.def.surfaces.as_ref().filter(|_| !is_on(tool, first));
    Some(match listed {
        Some(listed) => finding
            .label(listed.first().map_or(tool.def.key.span, |first| first.span), "where the tool shows")
            .help(format!("add {surfaces} to the `surfaces` of `{}`, or leave them unsaid: it then shows on all", tool.key())),
        None => {
            let scopes = first.scopes.as_ref().and_then(|scopes| scopes.0.iter().next());
            let at = scopes.map_or(first.key.span, |scope| scope.key.span);
            finding.label(at, "no scope here grants a read").help("grant `read` by a scope of that surface, or let nothing give a result there")
        }
    })
}

fn is_on(tool: &Tool<'_>, surface: &Def<Surface>) -> bool {
    tool.def.surfaces.as_ref().is_none_or(|own| own.iter().any(|own| own.value == surface.key.value))
}

/// Whether some scope of a surface grants a deed's effect. Which scopes a run is granted together, no tree states. A scope whose
/// effects could not be read grants all.
fn grants(surface: &Def<Surface>, deed: &Deed<'_>) -> bool {
    let Some(scopes) = &surface.scopes else { return true };
    scopes.0.iter().any(|scope| {
        scope.effects.as_ref().is_none_or(|effects| effects.iter().any(|effect| policy::effect(effect.value) == deed.effect))
    })
}

/// Whose runs hold tools: a harness, or a persona whose runs wear none.
struct Holder<'a> {
    key: &'a Spanned<String>,
    held: BTreeSet<DeedId>,
    is_persona: bool,
}

fn holders<'a>(cx: &'a Cx<'_>) -> Vec<Holder<'a>> {
    let harnesses = cx.policy.harnesses.values().filter(|harness| !harness.unsure);
    let harnesses = harnesses.map(|harness| Holder {
        key: &harness.def.key,
        held: harness.holds.keys().copied().collect(),
        is_persona: false,
    });
    let is_read = |id: &DeedId| cx.policy.registry.deed(*id).is_some_and(|deed| deed.effect == Effect::Read);
    let bare = cx.model.personas.sorted().filter(|persona| persona.harness.is_some());
    let bare = bare.filter_map(|persona| {
        let bundle = cx.policy.personas.get(persona.key.value.as_str()).filter(|bundle| !bundle.unsure)?;
        let held = bundle.deeds.iter().copied().filter(is_read).collect();
        Some(Holder { key: &persona.key, held, is_persona: true })
    });
    harnesses.chain(bare).collect()
}

/// The deeds that give a result which could be shortened, and those that bring one back.
struct Sides {
    giving: BTreeSet<DeedId>,
    bringing: BTreeSet<DeedId>,
}

impl Sides {
    fn of(cx: &Cx<'_>, name: &Spanned<String>, tool: &Tool<'_>) -> Self {
        let giving = cx.policy.registry.tools().filter(|other| other.key() != tool.key() && gives(other));
        Self {
            giving: giving.flat_map(|tool| tool.deeds.iter().copied()).collect(),
            bringing: cx.policy.registry.named(name).into_iter().collect(),
        }
    }

    /// Whether a run that may do these deeds is given results and brings none of them back.
    fn are_apart(&self, may: &BTreeSet<DeedId>) -> bool {
        !may.is_disjoint(&self.giving) && may.is_disjoint(&self.bringing)
    }
}

/// Runs that are given results and cannot call the tool, whatever their role.
fn not_held(name: &Spanned<String>, holders: &[Holder<'_>], sides: &Sides) -> Option<Diagnostic> {
    let without: Vec<&Holder<'_>> = holders.iter().filter(|holder| sides.are_apart(&holder.held)).collect();
    let first = without.first()?;
    let keys = and(without.iter().map(|holder| holder.key.value.as_str()));
    let verb = if without.len() > 1 { "do not hold" } else { "does not hold" };
    let message = format!("`{}` is to bring shortened results back, and {keys} {verb} it", name.value);
    let bundles = if without.iter().any(|holder| holder.is_persona) { ", and to each bundle of runs without one" } else { "" };
    Some(
        Diagnostic::new(ID, name.span, message, "not held everywhere")
            .label(first.key.span, "results are shortened here too")
            .note(NOTE)
            .help(format!("add `{}` to every harness{bundles}, best by a toolset that all of them name", name.value)),
    )
}

/// Roles whose runs are given results and cannot call the tool, though the harness holds it.
fn not_left(
    cx: &Cx<'_>,
    (name, tool): (&Spanned<String>, &Tool<'_>),
    holders: &[Holder<'_>],
    sides: &Sides,
) -> Option<Diagnostic> {
    // Where nobody reads prose, that is `untrusted-outside-reader`'s.
    if tool.is_prose() && !cx.policy.roles.values().any(|role| role.reads_untrusted) {
        return None;
    }
    let is_sure = |role: &Role<'_>| !matches!(&role.tools, RoleTools::List(bundle) if bundle.unsure);
    let leaves = |role: &Role<'_>, id: &DeedId| {
        let deed = cx.policy.registry.deed(*id);
        let prose = deed.and_then(|deed| cx.policy.registry.tool(deed.tool)).is_some_and(Tool::is_prose);
        deed.is_some_and(|deed| role.leaves(*id, deed.effect, prose))
    };
    let lacks = |role: &Role<'_>| {
        holders.iter().filter(|holder| !holder.held.is_disjoint(&sides.bringing)).find(|holder| {
            sides.are_apart(&holder.held.iter().copied().filter(|id| leaves(role, id)).collect())
        })
    };
    let roles = cx.policy.roles.iter().filter(|(_, role)| is_sure(role));
    let without: Vec<(&str, &Role<'_>, &Holder<'_>)> =
        roles.filter_map(|(key, role)| Some((*key, role, lacks(role)?))).collect();
    let (_, role, holder) = without.first()?;
    let several = without.len() > 1;
    let keys = and(without.iter().map(|(key, ..)| *key));
    let (noun, verb) = if several { ("roles", "leave") } else { ("role", "leaves") };
    let message = format!("`{}` is to bring shortened results back, and {noun} {keys} {verb} it to no run", name.value);
    let finding = Diagnostic::new(ID, name.span, message, "not left to every role");
    let finding = match role.def {
        Some(def) => finding.label(def.key.span, "results are shortened here too"),
        None => finding,
    };
    let help = if tool.is_prose() && !role.reads_untrusted {
        format!("name a tool that returns `structured`: this one returns prose, and {noun} {keys} {} no untrusted text", if several { "read" } else { "reads" })
    } else {
        format!("let {noun} {keys} keep `{}`: by `tools`, and `read` among `effects`", name.value)
    };
    Some(finding.label(holder.key.span, "holds the tool").note(NOTE).help(help))
}
