//! Where the policy says what a gate asks.

use harnessc_runtime::lock::{Approval, Effect, split_deed};

use crate::diagnostic::Label;
use crate::model::lists::{ToolList, Toolset};
use crate::model::people::RoleTools;
use crate::policy::{Deed, DeedId, Listed};
use crate::rules::Cx;
use crate::source::{Span, Spanned};
use crate::trial::Row;

pub(super) fn label(span: Span, text: impl Into<String>) -> Label {
    Label { span, text: text.into() }
}

/// Where the registry has the tool.
pub(super) fn known(cx: &Cx<'_>, tool: &str) -> Vec<Label> {
    let found = cx.policy.registry.tool(tool);
    found.into_iter().map(|tool| label(tool.def.key.span, "the registry's entry")).collect()
}

/// The word that switches the tool on or off, or the tool, since unsaid is on.
pub(super) fn enabled(cx: &Cx<'_>, tool: &str) -> Vec<Label> {
    let Some(tool) = cx.policy.registry.tool(tool) else { return Vec::new() };
    vec![match &tool.def.enabled {
        Some(flag) => label(flag.span, if flag.value { "switched on" } else { "switched off" }),
        None => label(tool.def.key.span, "on, since nothing is said"),
    }]
}

/// What of the role lets the deed pass, or keeps it away.
pub(super) fn role(cx: &Cx<'_>, key: &str, id: DeedId, deed: &Deed<'_>) -> Vec<Label> {
    let Some(role) = cx.policy.roles.get(key) else { return Vec::new() };
    let (Some(def), Some(tool)) = (role.def, cx.policy.registry.tool(deed.tool)) else { return Vec::new() };
    if tool.is_prose() && !role.reads_untrusted {
        let at = tool.def.returns.as_ref().map_or(tool.def.key.span, |returns| returns.span);
        let own = def.reads_untrusted.as_ref().map_or(def.key.span, |flag| flag.span);
        return vec![label(own, "reads no untrusted text"), label(at, "gives back prose")];
    }
    let listed = match &def.tools {
        Some(RoleTools::HarnessToolset(word)) => label(word.span, "all that the harness holds"),
        Some(RoleTools::List(list)) => match mention(cx, list, id) {
            Some(found) => label(found.item, "names it"),
            None => label(list.span, "does not name it"),
        },
        None => label(def.key.span, "names no tools"),
    };
    let effects = def.effects.as_ref().map(|effects| {
        let has = effects.value.iter().any(|effect| crate::policy::effect(effect.value) == deed.effect);
        let word = deed.effect.word();
        label(effects.span, if has { format!("leaves `{word}`") } else { format!("has no `{word}`") })
    });
    let at = deed.effect_at.filter(|_| effects.as_ref().is_some_and(|own| own.text.starts_with("has no")));
    let said = at.map(|at| label(at, format!("what it does is `{}`", deed.effect.word())));
    std::iter::once(listed).chain(effects).chain(said).collect()
}

/// Where the harness holds the deed, or its list, which does not. Without a harness: nothing but the personas' reads.
pub(super) fn harness(cx: &Cx<'_>, row: &Row<'_>, id: DeedId) -> Vec<Label> {
    let Some(key) = row.harness else {
        return row.persona.map_or_else(Vec::new, |persona| bundle(cx, persona, id));
    };
    let Some(harness) = cx.policy.harnesses.get(key) else { return Vec::new() };
    match (harness.holds.get(&id).and_then(|hold| hold.at.first()), &harness.def.toolset) {
        (Some(at), _) if at.item == at.name => vec![label(at.item, "holds it")],
        (Some(at), _) => vec![label(at.item, "holds it"), label(at.name, "by this name")],
        (None, Some(Toolset::List(list))) => kept_away(cx, list, id),
        (None, Some(Toolset::PersonaBundle(word))) => {
            let personas = harness.def.personas.iter().flat_map(|list| list.iter());
            let short = personas.filter(|name| !holds(cx, name, id));
            let missing = short.flat_map(|name| bundle(cx, name, id));
            std::iter::once(label(word.span, "what all its personas hold")).chain(missing).collect()
        }
        (None, None) => vec![label(harness.def.key.span, "holds nothing")],
    }
}

/// Why a list does not come to a deed: the mentions of its tool that keep it to other cases, each with the toolset it comes
/// through; else the whole list, which does not name it.
fn kept_away(cx: &Cx<'_>, list: &ToolList, id: DeedId) -> Vec<Label> {
    let mut found = Vec::new();
    for mention in confined(cx, list, id) {
        let cases = mention.cases.and_then(span_of);
        found.extend(cases.map(|at| label(at, format!("keeps `{}` to these cases", mention.name.value))));
        if !mention.via.is_empty() {
            found.push(label(mention.item, "through this toolset"));
        }
    }
    if found.is_empty() {
        found.push(label(list.span, "does not name it"));
    }
    found
}

/// The mentions of a list, toolsets followed, that keep a deed's tool to cases without it.
pub(super) fn confined<'m>(cx: &Cx<'m>, list: &'m ToolList, id: DeedId) -> Vec<Listed<'m>> {
    let Some(deed) = cx.policy.registry.deed(id) else { return Vec::new() };
    let Some(case) = deed.case.map(|case| case.value.as_str()) else { return Vec::new() };
    let (listed, _) = cx.policy.lists.follow(&cx.policy.registry, &list.value);
    let without = |mention: &Listed<'_>| {
        mention.name.value == deed.tool
            && mention.cases.is_some_and(|cases| cases.iter().all(|own| own.value != case))
    };
    listed.into_iter().filter(without).collect()
}

/// Whether a persona's bundle has the deed.
pub(super) fn holds(cx: &Cx<'_>, persona: &str, id: DeedId) -> bool {
    cx.policy.personas.get(persona).is_some_and(|bundle| bundle.deeds.contains(&id))
}

/// Where the persona's bundle has the deed, or the bundle, which has not.
pub(super) fn bundle(cx: &Cx<'_>, persona: &str, id: DeedId) -> Vec<Label> {
    let Some(list) = cx.model.personas.get(persona).and_then(|def| def.bundle.as_ref()) else {
        return Vec::new();
    };
    match mention(cx, list, id) {
        Some(found) if found.item == found.name.span => vec![label(found.item, "in the bundle")],
        Some(found) => vec![label(found.item, "in the bundle"), label(found.name.span, "by this name")],
        None => vec![label(list.span, format!("the bundle of `{persona}` does not name it"))],
    }
}

/// The first mention of a deed in a list, toolsets followed.
fn mention<'m>(cx: &Cx<'m>, list: &'m ToolList, id: DeedId) -> Option<Listed<'m>> {
    let (listed, _) = cx.policy.lists.follow(&cx.policy.registry, &list.value);
    listed.into_iter().find(|found| found.deeds.contains(&id))
}

/// The surfaces that the tool names, and the scope that covers its effect.
pub(super) fn surface(cx: &Cx<'_>, row: &Row<'_>, deed: &Deed<'_>) -> Vec<Label> {
    let mut found = Vec::new();
    let own = cx.policy.registry.tool(deed.tool).and_then(|tool| tool.def.surfaces.as_deref());
    if let Some(names) = own {
        match names.iter().find(|name| Some(name.value.as_str()) == row.surface) {
            Some(name) => found.push(label(name.span, "serves it here")),
            None => found.extend(span_of(names).map(|span| label(span, "the surfaces that serve it"))),
        }
    }
    let Some(def) = row.surface.and_then(|key| cx.model.surfaces.get(key)) else { return found };
    let Some(scopes) = &def.scopes else {
        if found.is_empty() {
            found.push(label(def.key.span, "a surface without scopes, and the tool names none"));
        }
        return found;
    };
    let granted = |key: &str| row.scopes.contains(&key);
    if !scopes.0.iter().any(|scope| granted(&scope.key.value)) {
        found.push(label(def.key.span, "none of its scopes is granted"));
    }
    for scope in scopes.0.iter().filter(|scope| granted(&scope.key.value)) {
        let effects = scope.effects.as_deref().unwrap_or_default();
        let has = effects.iter().any(|effect| crate::policy::effect(effect.value) == deed.effect);
        let text = if has { "covers what it does" } else { "does not cover what it does" };
        found.push(label(scope.key.span, text));
    }
    found
}

/// What makes the run one that reads alone.
pub(super) fn read_only(cx: &Cx<'_>, row: &Row<'_>, deed: &Deed<'_>) -> Vec<Label> {
    let effect = deed.effect_at.map(|at| label(at, format!("what it does is `{}`", deed.effect.word())));
    let persona = row.persona.filter(|_| row.harness.is_none()).and_then(|key| cx.model.personas.get(key));
    let bare = persona.and_then(|def| def.harness.as_ref());
    effect
        .into_iter()
        .chain(bare.map(|word| label(word.span, "its runs wear no harness and read only")))
        .collect()
}

/// The origin of the surface, which the kill switch asks for.
pub(super) fn origin(cx: &Cx<'_>, row: &Row<'_>) -> Vec<Label> {
    let def = row.surface.and_then(|key| cx.model.surfaces.get(key));
    let origin = def.and_then(|def| def.origin.as_ref());
    origin.into_iter().map(|word| label(word.span, "where its calls come from")).collect()
}

/// What exempts the deed from the plan gate.
pub(super) fn exempt(cx: &Cx<'_>, row: &Row<'_>, id: DeedId) -> Vec<Label> {
    let stands = |name: &&Spanned<String>| cx.policy.registry.named(&name.value).contains(&id);
    let always = cx.model.approvals.always_allowed.iter().flat_map(|list| list.value.iter());
    let mut found: Vec<Label> =
        always.filter(stands).map(|name| label(name.span, "exempt from the plan gate")).collect();
    let harness = row.harness.and_then(|key| cx.model.harnesses.get(key));
    let skills = harness.and_then(|def| def.skills.as_deref()).unwrap_or_default();
    let tools = skills.iter().filter_map(|key| cx.model.skills.get(&key.value)?.tool.as_ref());
    found.extend(tools.filter(stands).map(|name| label(name.span, "a skill's tool, and so exempt")));
    found
}

/// The schema of the input and what narrows it.
pub(super) fn input(cx: &Cx<'_>, row: &Row<'_>, id: DeedId, deed: &Deed<'_>) -> Vec<Label> {
    let stated = cx.policy.registry.tool(deed.tool).and_then(|tool| tool.def.input.as_ref());
    let mut found: Vec<Label> = stated.into_iter().map(|own| label(own.0.span, "its input")).collect();
    let hold = row.harness.and_then(|key| cx.policy.harnesses.get(key)?.holds.get(&id));
    for (input, mentions) in hold.iter().flat_map(|hold| &hold.only) {
        found.extend(mentions.iter().map(|def| label(def.key.span, format!("`{input}` is narrower here"))));
    }
    found
}

/// A place that lets an input of a call through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepts {
    /// The JSON pointer into the tool's input schema, as its author wrote it.
    pub pointer: String,
    /// Where it stands, and what is to be seen there.
    pub at: Label,
}

/// What lets an input of a call through, which a test expected to be refused for: what the tool's schema says of it, the type
/// behind that, and the narrowings of the harness. `left_out`: it was not given at all.
pub fn accepts(cx: &Cx<'_>, harness: Option<&str>, deed: &str, input: &str, left_out: bool) -> Vec<Accepts> {
    let (tool, _) = split_deed(deed);
    let Some((own, reading)) = cx.policy.registry.tool(tool).and_then(|own| Some((own, own.input.as_ref()?)))
    else {
        return Vec::new();
    };
    let escaped = input.replace('~', "~0").replace('/', "~1");
    let stated = format!("/properties/{escaped}");
    let pointer = if left_out { "/required".to_owned() } else { stated };
    let found = reading.tree.at(&pointer);
    let text = match (left_out, found.is_some()) {
        (true, true) => format!("does not name `{input}`"),
        (true, false) => format!("requires nothing, and so not `{input}`"),
        (false, true) => format!("lets `{input}` through"),
        (false, false) => format!("lets `{input}` through, of which it says nothing"),
    };
    let restated = own.restated.get(input).map(|restated| restated.tree.span);
    let at = restated.unwrap_or_else(|| reading.key_span(&pointer));
    let mut labels = vec![label(at, text)];
    if let Some(part) = found.filter(|part| !left_out && part.via.is_some() && part.span != at) {
        labels.push(label(part.span, "by this type"));
    }
    let id = cx.policy.registry.id(deed);
    let hold = harness.and_then(|key| cx.policy.harnesses.get(key)?.holds.get(&id?));
    let narrowed = hold.into_iter().flat_map(|hold| &hold.only).filter(|(name, _)| **name == input);
    labels.extend(
        narrowed.flat_map(|(_, all)| all).map(|def| label(def.key.span, "so does this narrowing".to_owned())),
    );
    labels.into_iter().map(|at| Accepts { pointer: pointer.clone(), at }).collect()
}

/// What binds its inputs to the run.
pub(super) fn bound(cx: &Cx<'_>, deed: &Deed<'_>) -> Vec<Label> {
    let Some(tool) = cx.policy.registry.tool(deed.tool) else { return Vec::new() };
    let said = |field: &str| format!("must equal `run.{field}`");
    let mut found: Vec<Label> = tool.bind.values().map(|own| label(own.at, said(own.field))).collect();
    found.extend(
        tool.def
            .unbound
            .as_ref()
            .filter(|_| tool.bind.is_empty())
            .map(|why| label(why.span, "bound to nothing")),
    );
    found
}

/// The limits that a run's budget has.
pub(super) fn limits(cx: &Cx<'_>, tool: &str) -> Vec<Label> {
    let run = cx.model.limits.run.as_ref();
    let steps = run.and_then(|run| run.steps.as_ref()).map(|own| label(own.span, "steps of a run"));
    let calls = run.and_then(|run| run.tool_calls.as_ref()).map(|own| label(own.span, "tool calls of a run"));
    let own = cx.model.limits.per_tool.iter().flatten().find(|def| def.key.value == tool);
    steps.into_iter().chain(calls).chain(own.map(|def| label(def.key.span, "its own limit"))).collect()
}

/// The word that made the approval what it is: the tier's, the tool's or the harness's; and who may say yes.
pub(super) fn approval(cx: &Cx<'_>, row: &Row<'_>, id: DeedId, deed: &Deed<'_>) -> Vec<Label> {
    let hold = row.harness.and_then(|key| cx.policy.harnesses.get(key)?.holds.get(&id));
    let asked = hold.and_then(|hold| hold.approval);
    let in_force = asked.map_or(deed.approval, |(asked, _)| asked.max(deed.approval));
    let own = [asked, deed.stated].into_iter().flatten().find(|(word, _)| *word == in_force);
    let mut found = match own {
        Some((word, at)) => vec![label(at, format!("asks for `{}`", word.word()))],
        None => tier(cx, deed.effect),
    };
    found.extend(approvers(cx, deed, in_force));
    found
}

fn tier(cx: &Cx<'_>, effect: Effect) -> Vec<Label> {
    let stated = cx.model.approvals.at_least.as_ref().and_then(|tiers| match effect {
        Effect::Read => tiers.read.as_ref(),
        Effect::Create => tiers.create.as_ref(),
        Effect::Write => tiers.write.as_ref(),
        Effect::Destructive => tiers.destructive.as_ref(),
    });
    stated.into_iter().map(|word| label(word.span, format!("the tier of `{}`", effect.word()))).collect()
}

fn approvers(cx: &Cx<'_>, deed: &Deed<'_>, approval: Approval) -> Option<Label> {
    let stated = cx.model.approvals.approvers.as_ref()?;
    let entries = || stated.tools.iter().flatten();
    let entry = |name: &str| entries().find(|def| def.key.value == name);
    let general = match approval {
        Approval::Auto => return None,
        Approval::Confirm => stated.confirm.as_ref(),
        Approval::FourEyes => stated.four_eyes.as_ref(),
    };
    match entry(&deed.name).or_else(|| entry(deed.tool)) {
        Some(def) => Some(label(def.key.span, "who may say yes to it")),
        None => general.map(|list| label(list.span, "who may say yes")),
    }
}

/// From the first of the names to the last.
pub(super) fn span_of(names: &[Spanned<String>]) -> Option<Span> {
    Some(names.first()?.span.to(names.last()?.span))
}
