//! The edits that would make a no a yes: thought of gate by gate, kept where the edited policy compiles and says yes.

use harnessc_runtime::decide::{Bundle, Call, Gate, Verdict};
use harnessc_runtime::lock::{Effect, Harness, Lock, split_deed};

use super::lines::Line;
use super::{places, wearing};
use crate::diagnostic::Edit;
use crate::model::lists::{ToolList, Toolset};
use crate::model::people::{RoleTools, Scope};
use crate::policy::{Deed, DeedId};
use crate::rules::Cx;
use crate::source::Span;
use crate::trial::{Row, with_run};
use crate::variant::{Compiled, Original, Written, field};

/// One edit with what it does, in words: "add `a.b` to the toolset of `x`".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it does.
    pub said: String,
    /// The edit.
    pub edit: Edit,
}

/// Edits that open every closed gate together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mending {
    /// Applied in memory, they were a yes.
    Holds(Vec<Change>),
    /// Applied in memory, they were not; why: a rule's message, or another gate.
    Refused(Vec<Change>, String),
    /// A gate is closed by the run and not by the policy: what would have to be so.
    NotThePolicy(Gate),
}

/// So many ways are tried.
const TRIED: usize = 8;

/// What would make a no a yes, the fewest edits first; empty where nothing is closed. Each was applied in memory.
pub fn mendings(cx: &Cx<'_>, original: &Original, row: &Row<'_>, deed: &str, lines: &[Line]) -> Vec<Mending> {
    let closed: Vec<Gate> = lines
        .iter()
        .filter(|line| line.open == Some(false) && line.gate != Gate::Approval)
        .map(|line| line.gate)
        .collect();
    if closed.is_empty() {
        return Vec::new();
    }
    let Some(id) = cx.policy.registry.id(deed) else { return vec![Mending::NotThePolicy(Gate::Known)] };
    let Some(own) = cx.policy.registry.deed(id) else { return Vec::new() };
    let mut ways: Vec<Vec<Change>> = vec![Vec::new()];
    for gate in closed {
        let options = options(cx, row, gate, id, own);
        if options.is_empty() {
            return vec![Mending::NotThePolicy(gate)];
        }
        ways = ways
            .iter()
            .flat_map(|way| options.iter().map(move |option| joined(way, option)))
            .take(TRIED)
            .collect();
    }
    ways.sort_by_key(Vec::len);
    let tried: Vec<Mending> = ways.into_iter().map(|way| verified(original, row, deed, way)).collect();
    let holds = |mending: &Mending| matches!(mending, Mending::Holds(_));
    // What is not enough is worth knowing only where nothing is.
    if tried.iter().any(holds) { tried.into_iter().filter(holds).collect() } else { tried }
}

/// A persona that begins runs without a harness and reads this, where none does; tried with `row` as a run of it.
pub fn guest(cx: &Cx<'_>, original: &Original, row: &Row<'_>, deed: &str) -> Option<Mending> {
    let id = cx.policy.registry.id(deed)?;
    if cx.policy.registry.deed(id)?.effect != Effect::Read {
        return Some(Mending::NotThePolicy(Gate::Harness));
    }
    wearing::guest(cx, deed).map(|changes| verified(original, row, deed, changes))
}

/// Both, what stands in both once.
fn joined(way: &[Change], option: &[Change]) -> Vec<Change> {
    let mut joined = way.to_vec();
    joined.extend(option.iter().filter(|change| !way.contains(change)).cloned());
    joined
}

fn verified(original: &Original, row: &Row<'_>, deed: &str, way: Vec<Change>) -> Mending {
    let edits: Vec<Edit> = way.iter().map(|change| change.edit.clone()).collect();
    match original.with(&edits) {
        Compiled::Refused(findings) => {
            let said = findings.first().map_or_else(String::new, |finding| {
                format!("`{}`: {}", finding.diagnostic.rule, finding.diagnostic.message)
            });
            Mending::Refused(way, said)
        }
        Compiled::Unproved(said) => Mending::Refused(way, said),
        Compiled::Stands(bundle) => match denied(&bundle, row, deed) {
            None if !begins(bundle.lock(), row) => {
                Mending::Refused(way, "then still no such run begins".to_owned())
            }
            None => Mending::Holds(way),
            Some(gate) => Mending::Refused(way, format!("then {}", gate.usual().reason())),
        },
    }
}

/// Whether such a run begins: its persona may wear its harness, or wears none.
fn begins(lock: &Lock, row: &Row<'_>) -> bool {
    let Some(persona) = row.persona else { return true };
    match row.harness {
        Some(key) => {
            lock.harnesses.get(key).is_some_and(|own| own.personas.iter().any(|name| name == persona))
        }
        None => lock.personas.get(persona).is_some_and(|own| !own.harness),
    }
}

/// The gate that denies a deed under this bundle.
fn denied(bundle: &Bundle, row: &Row<'_>, deed: &str) -> Option<Gate> {
    let (tool, case) = split_deed(deed);
    with_run(bundle, row, |run| match run.check(&Call { case, tool }) {
        Verdict::Deny(denial) => Some(denial.gate),
        Verdict::Allow | Verdict::Propose { .. } => None,
    })
}

/// The ways to open one gate; none where the run and not the policy closes it.
fn options(cx: &Cx<'_>, row: &Row<'_>, gate: Gate, id: DeedId, deed: &Deed<'_>) -> Vec<Vec<Change>> {
    match gate {
        Gate::RunRow => wearing::options(cx, row),
        Gate::Enabled => enabled(cx, deed).into_iter().map(|change| vec![change]).collect(),
        Gate::Role => role(cx, row, id, deed).into_iter().collect(),
        Gate::Harness => harness(cx, row, id, deed).into_iter().collect(),
        Gate::Person => {
            let change = row.persona.and_then(|persona| into_bundle(cx, persona, &deed.name));
            change.into_iter().map(|change| vec![change]).collect()
        }
        Gate::SurfaceScope => surface(cx, row, deed),
        _ => Vec::new(),
    }
}

fn enabled(cx: &Cx<'_>, deed: &Deed<'_>) -> Option<Change> {
    let flag = cx.policy.registry.tool(deed.tool)?.def.enabled.as_ref()?;
    Some(replace(flag.span, "true", format!("switch `{}` on", deed.tool)))
}

fn role(cx: &Cx<'_>, row: &Row<'_>, id: DeedId, deed: &Deed<'_>) -> Option<Vec<Change>> {
    let role = cx.policy.roles.get(row.role)?;
    let (def, key) = (role.def?, row.role);
    let mut changes = Vec::new();
    if let Some(RoleTools::List(list)) = &def.tools
        && !lists(role, id)
    {
        let edit = Written::around(cx.tree, list.span)?.with(&cx.tree.sources, &deed.name)?;
        changes.push(Change { said: format!("add `{}` to the tools of the role `{key}`", deed.name), edit });
    }
    if let Some(effects) = &def.effects
        && !effects.value.iter().any(|effect| crate::policy::effect(effect.value) == deed.effect)
    {
        let edit = Written::around(cx.tree, effects.span)?.with(&cx.tree.sources, deed.effect.word())?;
        changes.push(Change {
            said: format!("add `{}` to the effects of the role `{key}`", deed.effect.word()),
            edit,
        });
    }
    if cx.policy.registry.tool(deed.tool)?.is_prose() && !role.reads_untrusted {
        let edit = match &def.reads_untrusted {
            Some(flag) => Edit { span: flag.span, replacement: "true".to_owned() },
            None => field(cx.tree, def.key.span, "reads_untrusted: true")?,
        };
        let said = format!("let the role `{key}` read untrusted text, which may then speak to all its runs");
        changes.push(Change { said, edit });
    }
    Some(changes).filter(|changes| !changes.is_empty())
}

fn harness(cx: &Cx<'_>, row: &Row<'_>, id: DeedId, deed: &Deed<'_>) -> Option<Vec<Change>> {
    let Some(key) = row.harness else {
        // Without a harness a run reads, and nothing else.
        let persona = row.persona.filter(|_| deed.effect == Effect::Read)?;
        // It is in the bundle already, and the run that wears no harness is what is missing.
        if places::holds(cx, persona, id) {
            return Some(Vec::new());
        }
        return into_bundle(cx, persona, &deed.name).map(|change| vec![change]);
    };
    let def = cx.policy.harnesses.get(key)?.def;
    let personas = def.personas.iter().flat_map(|list| list.iter());
    let short = personas.map(|name| name.value.as_str()).filter(|name| !places::holds(cx, name, id));
    let mut changes = short.map(|name| into_bundle(cx, name, &deed.name)).collect::<Option<Vec<Change>>>()?;
    if let Toolset::List(list) = def.toolset.as_ref()? {
        let own = held(cx, key, list, id, deed)?;
        changes.splice(0..0, own);
    }
    Some(changes)
}

/// The deed put into a toolset: among the cases of each mention that keeps it away, else as an item of its own.
fn held(cx: &Cx<'_>, harness: &str, list: &ToolList, id: DeedId, deed: &Deed<'_>) -> Option<Vec<Change>> {
    let confined = places::confined(cx, list, id);
    let added = |place: Span, item: &str| {
        let edit = Written::around(cx.tree, place)?.with(&cx.tree.sources, item)?;
        Some(edit)
    };
    let Some(case) = deed.case.filter(|_| !confined.is_empty()) else {
        let edit = added(list.span, &deed.name)?;
        return Some(vec![Change { said: format!("add `{}` to what `{harness}` holds", deed.name), edit }]);
    };
    let mut changes: Vec<Change> = Vec::new();
    for mention in confined {
        let edit = added(mention.cases?.first()?.span, &case.value)?;
        let whose = match mention.via.last() {
            Some(toolset) => format!("the toolset `{toolset}`"),
            None => format!("`{harness}`"),
        };
        let said = format!("add `{}` to the cases of `{}` that {whose} holds", case.value, deed.tool);
        let change = Change { said, edit };
        if !changes.contains(&change) {
            changes.push(change);
        }
    }
    Some(changes)
}

fn into_bundle(cx: &Cx<'_>, persona: &str, deed: &str) -> Option<Change> {
    let list = cx.model.personas.get(persona)?.bundle.as_ref()?;
    let edit = Written::around(cx.tree, list.span)?.with(&cx.tree.sources, deed)?;
    Some(Change { said: format!("add `{deed}` to the bundle of `{persona}`"), edit })
}

/// The surface among those that serve the tool, and the effect among those of one of the granted scopes: a way for each.
fn surface(cx: &Cx<'_>, row: &Row<'_>, deed: &Deed<'_>) -> Vec<Vec<Change>> {
    let Some((key, def)) = row.surface.and_then(|key| Some((key, cx.model.surfaces.get(key)?))) else {
        return Vec::new();
    };
    let names = cx.policy.registry.tool(deed.tool).and_then(|tool| tool.def.surfaces.as_deref());
    let serves = names.is_none_or(|names| names.iter().any(|name| name.value == key));
    let mut base = Vec::new();
    if !serves {
        let change = || {
            let edit = Written::around(cx.tree, names?.first()?.span)?.with(&cx.tree.sources, key)?;
            Some(Change { said: format!("add `{key}` to the surfaces of `{}`", deed.tool), edit })
        };
        let Some(change) = change() else { return Vec::new() };
        base.push(change);
    }
    let Some(scopes) = &def.scopes else {
        return vec![base].into_iter().filter(|way| !way.is_empty()).collect();
    };
    let granted: Vec<_> =
        scopes.0.iter().filter(|scope| row.scopes.contains(&scope.key.value.as_str())).collect();
    let effects = |scope: &Scope| scope.effects.clone().unwrap_or_default();
    let covers = |scope: &Scope| {
        effects(scope).iter().any(|effect| crate::policy::effect(effect.value) == deed.effect)
    };
    if granted.iter().any(|scope| covers(scope)) {
        return vec![base].into_iter().filter(|way| !way.is_empty()).collect();
    }
    let widened = granted.into_iter().filter_map(|scope| {
        let place = effects(scope).first()?.span;
        let word = deed.effect.word();
        let edit = Written::around(cx.tree, place)?.with(&cx.tree.sources, word)?;
        let said = format!("add `{word}` to what the scope `{}` grants", scope.key.value);
        Some(base.iter().cloned().chain([Change { said, edit }]).collect())
    });
    widened.collect()
}

/// The roles, other than the one that asks, whose runs may do it today.
pub fn roles(bundle: &Bundle, row: &Row<'_>, deed: &str) -> Vec<String> {
    let others = bundle.lock().roles.keys().filter(|role| *role != row.role);
    let open = |role: &&String| denied(bundle, &Row { role, ..row.clone() }, deed).is_none();
    others.filter(open).cloned().collect()
}

/// The harnesses whose runs may do it today, worn by whoever wears them, where a run without one may not.
pub fn harnesses(bundle: &Bundle, row: &Row<'_>, deed: &str) -> Vec<String> {
    let open = |(key, own): &(&String, &Harness)| match own.personas.as_slice() {
        [] => may(bundle, row, key, None, deed),
        personas => personas.iter().any(|persona| may(bundle, row, key, Some(persona), deed)),
    };
    bundle.lock().harnesses.iter().filter(open).map(|(key, _)| key.clone()).collect()
}

/// Whether such a run that wears this harness may do it.
fn may(bundle: &Bundle, row: &Row<'_>, harness: &str, persona: Option<&str>, deed: &str) -> bool {
    denied(bundle, &Row { harness: Some(harness), persona, ..row.clone() }, deed).is_none()
}

/// The scopes of the surface whose grant would let the call through as things are.
pub fn scopes(bundle: &Bundle, row: &Row<'_>, deed: &str) -> Vec<String> {
    let of_surface = row.surface.and_then(|key| bundle.lock().surfaces.get(key)?.scopes.as_ref());
    let others =
        of_surface.into_iter().flat_map(|all| all.keys()).filter(|key| !row.scopes.contains(&key.as_str()));
    let open = |scope: &&String| {
        let mut with = row.clone();
        with.scopes.push(scope);
        denied(bundle, &with, deed).is_none()
    };
    others.filter(open).cloned().collect()
}

fn replace(span: Span, with: &str, said: String) -> Change {
    Change { said, edit: Edit { span, replacement: with.to_owned() } }
}

/// Whether the role's own list, where it has one, names the deed.
fn lists(role: &crate::policy::Role<'_>, id: DeedId) -> bool {
    match &role.tools {
        crate::policy::RoleTools::HarnessToolset => true,
        crate::policy::RoleTools::List(bundle) => bundle.deeds.contains(&id),
    }
}
