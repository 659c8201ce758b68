//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink, nearest};
use crate::names::{Leads, Space, Symbol};
use crate::source::Span;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("unused-definition");

/// The kinds of definition that are of no use by themselves.
const JUDGED: [Space; 10] = [
    Space::Type,
    Space::Server,
    Space::Tool,
    Space::Toolset,
    Space::Skill,
    Space::Rubric,
    Space::Refusal,
    Space::Plan,
    Space::StatusTemplate,
    Space::MemoryLens,
];

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let model = cx.model;
    let roots = [
        model.harnesses.is_empty(),
        model.personas.is_empty(),
        model.roles.is_empty(),
        model.duty_templates.is_empty(),
        model.lens_reviews.is_empty(),
    ];
    if roots.iter().all(|absent| *absent) {
        // Nothing could be reached from anything: a registry in the making is not told of each of its tools.
        return;
    }
    let reached = cx.names.reached();
    let misspelt = misspelt(cx);
    let mut overlays: BTreeMap<&str, Vec<(Symbol<'_>, Span)>> = BTreeMap::new();
    for (symbol, key) in cx.names.definitions().filter(|(symbol, _)| unused(cx, &reached, *symbol)) {
        if misspelt.contains(&key) {
            continue;
        }
        match server_of(cx, symbol) {
            Some(server) => overlays.entry(server).or_default().push((symbol, key)),
            None => sink.push(finding(symbol, key)),
        }
    }
    sink.extend(overlays.into_iter().filter_map(|(server, unused)| folded(server, &unused)));
}

/// So many names that lead nowhere are held against the definitions; where there are more, a section is missing, not a letter.
const SLIPS: usize = 200;

/// The definitions that a name which leads nowhere is spelt nearly like: nothing names them for a slip of the pen, and
/// `unknown-reference` points at them.
fn misspelt(cx: &Cx<'_>) -> BTreeSet<Span> {
    let nowhere = cx.names.references().iter().filter(|reference| reference.leads == Leads::Nowhere);
    let missed: BTreeSet<Symbol<'_>> = nowhere.map(|reference| reference.to).collect();
    let meant = missed.into_iter().take(SLIPS).filter_map(|to| {
        let key = nearest(to.key, cx.names.keys(to.space, to.within))?;
        cx.names.defined(Symbol { key, ..to })
    });
    meant.collect()
}

/// Whether nothing needs it. What only an unused definition names goes with that one, and is not told of by itself.
fn unused(cx: &Cx<'_>, reached: &BTreeSet<Symbol<'_>>, symbol: Symbol<'_>) -> bool {
    let judged = JUDGED.contains(&symbol.space)
        || symbol.space == Space::RecordType && !asked_for(cx, symbol.key);
    if !judged || reached.contains(&symbol) || said_elsewhere(cx, symbol) {
        return false;
    }
    let mut namers = cx.names.namers(symbol).filter(|namer| *namer != symbol);
    !namers.any(|namer| match namer.space {
        Space::Other => symbol.space == Space::Server && namer.key == "harness.toml",
        Space::Section => false,
        _ => true,
    })
}

/// Whether a stage gate, a check or an approval asks for such records, whatever any harness works on.
fn asked_for(cx: &Cx<'_>, key: &str) -> bool {
    let set = |flag: &Option<crate::source::Spanned<bool>>| flag.as_ref().is_some_and(|flag| flag.value);
    cx.model
        .record_types
        .get(key)
        .is_some_and(|def| set(&def.gate) || set(&def.check_input) || set(&def.attachment))
}

/// Whether another finding says it: the tool's own text is at fault, or no harness holds what every harness must.
fn said_elsewhere(cx: &Cx<'_>, symbol: Symbol<'_>) -> bool {
    let mut always = cx.model.approvals.always_allowed.iter().flat_map(|list| &list.value);
    symbol.space == Space::Tool
        && (cx.model.tools.get(symbol.key).is_some_and(|tool| tool.damaged)
            || always.any(|name| name.value == symbol.key))
}

fn server_of<'a>(cx: &'a Cx<'_>, symbol: Symbol<'_>) -> Option<&'a str> {
    if symbol.space != Space::Tool {
        return None;
    }
    let from = &cx.model.tools.get(symbol.key)?.from.as_ref()?.value;
    from.split('/').next()
}

fn finding(symbol: Symbol<'_>, key: Span) -> Diagnostic {
    let (noun, name) = (symbol.space.noun(), symbol.key);
    Diagnostic::new(ID, key, format!("{noun} `{name}` is used by nothing"), "unused")
        .note("no harness, persona, role, duty or lens review leads here, so what it says is in force nowhere")
        .help(match symbol.space {
            Space::Tool => format!("name `{name}` in a harness's `toolset`, or remove it"),
            Space::Toolset => format!("write `{{toolset: {name}}}` in a list of tools, or remove it"),
            Space::Server => format!("add `{name}` to `external_servers` in harness.toml, or remove it"),
            Space::Type => "write its name where a schema stands, or remove it".to_owned(),
            Space::Refusal => "name it in a harness's `refusal_rules`, or remove it".to_owned(),
            _ => format!("name `{name}` in a harness, or remove it"),
        })
}

/// All unused overlays of one server's list as one finding.
fn folded(server: &str, unused: &[(Symbol<'_>, Span)]) -> Option<Diagnostic> {
    let (first, rest) = unused.split_first()?;
    if rest.is_empty() {
        return Some(finding(first.0, first.1));
    }
    let message = format!("{} tools of server `{server}` are used by nothing", unused.len());
    let mut found = Diagnostic::new(ID, first.1, message, format!("`{}` is unused", first.0.key));
    for (symbol, key) in rest.iter().take(SHOWN) {
        found = found.label(*key, format!("and `{}`", symbol.key));
    }
    Some(
        found
            .note("no harness, persona, role, duty or lens review leads to them")
            .help("name them in a harness's `toolset`, or remove them: a pinned tool that is not listed here is not registered"),
    )
}

/// So many further places are shown.
const SHOWN: usize = 4;
