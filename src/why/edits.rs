//! The edits that would make a no a yes: thought of gate by gate, kept where the edited policy compiles and says yes.

use harnessc_runtime::decide::{Bundle, Call, Gate, Verdict};
use harnessc_runtime::lock::split_deed;

use super::lines::Line;
use super::places;
use crate::diagnostic::Edit;
use crate::model::lists::{ToolItem, ToolList, Toolset};
use crate::model::people::RoleTools;
use crate::policy::{Deed, DeedId};
use crate::rules::Cx;
use crate::source::Span;
use crate::trial::{Row, with_run};
use crate::variant::{Compiled, Original, Written};

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
    let mut tried: Vec<Mending> = ways.into_iter().map(|way| verified(original, row, deed, way)).collect();
    tried.sort_by_key(|mending| !matches!(mending, Mending::Holds(_)));
    tried
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
            None => Mending::Holds(way),
            Some(gate) => Mending::Refused(way, format!("then {}", gate.usual().reason())),
        },
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
        Gate::Enabled => enabled(cx, deed).into_iter().map(|change| vec![change]).collect(),
        Gate::Role => role(cx, row, id, deed).into_iter().collect(),
        Gate::Harness => harness(cx, row, id, deed).into_iter().collect(),
        Gate::Person => {
            let change = row.persona.and_then(|persona| into_bundle(cx, persona, &deed.name));
            change.into_iter().map(|change| vec![change]).collect()
        }
        Gate::SurfaceScope => surface(cx, row, deed).into_iter().map(|change| vec![change]).collect(),
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
    let prose = cx.policy.registry.tool(deed.tool)?.is_prose();
    // A role that reads untrusted text is another kind of run: that is a decision of its own, and never offered here.
    (!prose || role.reads_untrusted).then_some(changes).filter(|changes| !changes.is_empty())
}

fn harness(cx: &Cx<'_>, row: &Row<'_>, id: DeedId, deed: &Deed<'_>) -> Option<Vec<Change>> {
    let key = row.harness?;
    let def = cx.policy.harnesses.get(key)?.def;
    let personas = def.personas.iter().flat_map(|list| list.iter());
    let short = personas.map(|name| name.value.as_str()).filter(|name| !places::holds(cx, name, id));
    let mut changes = short.map(|name| into_bundle(cx, name, &deed.name)).collect::<Option<Vec<Change>>>()?;
    if let Toolset::List(list) = def.toolset.as_ref()? {
        changes.insert(0, held(cx, key, list, deed)?);
    }
    Some(changes)
}

/// The deed put into a toolset: among the cases of a mention that keeps it away, else as an item of its own.
fn held(cx: &Cx<'_>, harness: &str, list: &ToolList, deed: &Deed<'_>) -> Option<Change> {
    let mentions = list.value.iter().filter_map(|item| match item {
        ToolItem::Held(mention) => Some(mention),
        ToolItem::Tool(_) | ToolItem::Toolset(_) => None,
    });
    let mut own =
        mentions.filter(|mention| mention.tool.as_ref().is_some_and(|name| name.value == deed.tool));
    let cases = own.find_map(|mention| mention.cases.as_ref()?.first());
    let (place, item) = match (cases, deed.case) {
        (Some(first), Some(case)) => (first.span, case.value.as_str()),
        _ => (list.span, deed.name.as_str()),
    };
    let edit = Written::around(cx.tree, place)?.with(&cx.tree.sources, item)?;
    Some(Change { said: format!("add `{item}` to what `{harness}` holds"), edit })
}

fn into_bundle(cx: &Cx<'_>, persona: &str, deed: &str) -> Option<Change> {
    let list = cx.model.personas.get(persona)?.bundle.as_ref()?;
    let edit = Written::around(cx.tree, list.span)?.with(&cx.tree.sources, deed)?;
    Some(Change { said: format!("add `{deed}` to the bundle of `{persona}`"), edit })
}

fn surface(cx: &Cx<'_>, row: &Row<'_>, deed: &Deed<'_>) -> Option<Change> {
    let surface = row.surface?;
    cx.model.surfaces.get(surface)?;
    let names = cx.policy.registry.tool(deed.tool)?.def.surfaces.as_deref()?;
    if names.iter().any(|name| name.value == surface) {
        return None;
    }
    let edit = Written::around(cx.tree, names.first()?.span)?.with(&cx.tree.sources, surface)?;
    Some(Change { said: format!("add `{surface}` to the surfaces of `{}`", deed.tool), edit })
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
