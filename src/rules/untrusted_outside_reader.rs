//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use super::engine::authority::names;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, Level, RuleId, Sink};
use crate::model::people::RoleTools;
use crate::policy::{DeedId, Registry, Tool};
use crate::source::Span;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("untrusted-outside-reader");

const WHY: &str = "free text from outside can carry instructions, so no role holds it that does not say `reads_untrusted: true`";

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let reader = cx.policy.roles.iter().find(|(_, role)| role.reads_untrusted).map(|(key, _)| *key);
    let mut spoken_of = BTreeSet::new();
    for role in cx.model.roles.sorted().filter(|role| !role.reads_untrusted.as_ref().is_some_and(|flag| flag.value)) {
        // Where the flag itself could not be read, nobody knows what the role is.
        let unread = role.damaged && role.reads_untrusted.is_none();
        let Some(RoleTools::List(list)) = role.tools.as_ref().filter(|_| !unread) else { continue };
        let (listed, _) = cx.policy.lists.follow(&cx.policy.registry, &list.value);
        let mut said = BTreeSet::new();
        for mention in listed {
            let Some(tool) = prose(&cx.policy.registry, &mention.deeds) else { continue };
            spoken_of.insert(tool.key());
            if said.insert(tool.key()) {
                sink.push(listed_by(&role.key.value, mention.item, mention.name.span, tool, reader));
            }
        }
    }
    if reader.is_none() && !cx.model.roles.iter().any(|role| role.damaged) {
        let mut unread: BTreeMap<Option<&str>, Vec<Held<'_>>> = BTreeMap::new();
        for (key, (at, who)) in held(cx) {
            if let Some(tool) = cx.policy.registry.tool(key).filter(|_| !spoken_of.contains(key)) {
                unread.entry(tool.from.map(|(server, _)| server)).or_default().push((tool, at, who));
            }
        }
        for (server, held) in unread {
            match server {
                Some(server) if held.len() > 1 => sink.extend(none_is_read(cx, server, &held)),
                _ => sink.extend(held.iter().map(|(tool, at, who)| no_reader(cx, tool, *at, who))),
            }
        }
    }
}

/// A tool, where it is held, and by whom.
type Held<'a> = (&'a Tool<'a>, Span, String);

/// So many further places are shown.
const SHOWN: usize = 4;

/// The prose of one server, where no role reads it: after an import that is every read, and one decision settles all.
fn none_is_read(cx: &Cx<'_>, server: &str, held: &[Held<'_>]) -> Option<Diagnostic> {
    let ((first, held_at, who), rest) = held.split_first()?;
    let keys: Vec<&str> = held.iter().map(|(tool, ..)| tool.key()).collect();
    let (at, text) = returns_at(first);
    let message = format!(
        "{} tools of server `{server}` return prose, and no role of this tree reads untrusted text: {}",
        held.len(),
        names(keys.iter().copied())
    );
    let finding = Diagnostic::new(ID, at, message, text).level(Level::Deny);
    let finding = finding.label(*held_at, format!("held by {who}, in no role"));
    let finding = rest.iter().take(SHOWN).fold(finding, |finding, (tool, ..)| {
        finding.label(returns_at(tool).0, format!("and `{}`", tool.key()))
    });
    let stated = cx.model.stated.contains_key("roles");
    let other = if stated { "" } else { "worker: {tools: harness_toolset}, " };
    let roles = format!("{other}reading: {{reads_untrusted: true, tools: [{}]}}", keys.join(", "));
    Some(finding.note(WHY).help(format!(
        "give them to a role that reads and does nothing else, as in `roles: {{{roles}}}`; or state a closed `output` for those \
         that other runs need"
    )))
}

/// The tool of those deeds, where it returns prose.
fn prose<'a, 'm>(registry: &'a Registry<'m>, deeds: &[DeedId]) -> Option<&'a Tool<'m>> {
    let tool = registry.tool(registry.deed(*deeds.first()?)?.tool)?;
    returns_prose(tool).then_some(tool)
}

/// Prose by its word or by default; where what it returns could not be read, nothing is said.
fn returns_prose(tool: &Tool<'_>) -> bool {
    tool.is_prose() && (tool.def.returns.is_some() || !tool.def.damaged)
}

fn returns_at(tool: &Tool<'_>) -> (Span, &'static str) {
    match &tool.def.returns {
        Some(returns) => (returns.span, "untrusted by this word"),
        None => (tool.def.key.span, "a read without `output` returns prose"),
    }
}

fn listed_by(role: &str, item: Span, name: Span, tool: &Tool<'_>, reader: Option<&str>) -> Diagnostic {
    let key = tool.key();
    let (at, text) = returns_at(tool);
    let mut finding = Diagnostic::new(
        ID,
        item,
        format!("role `{role}` names `{key}`, which returns prose, and does not read untrusted text"),
        "prose outside of a reading role",
    )
    .level(if reader.is_some() { Level::Forbid } else { Level::Deny })
    .label(at, text)
    .note(WHY);
    if item != name {
        finding = finding.label(name, "named here");
    }
    finding.help(match reader {
        Some(reader) => format!("leave `{key}` to role `{reader}`, and take it out of `{role}`"),
        None => format!("give `{key}` to a role of its own with `reads_untrusted: true`, or state a closed `output` for it"),
    })
}

/// The tools that return prose and are held by some harness, or by a persona that wears none: where, and by whom.
fn held<'a>(cx: &'a Cx<'_>) -> BTreeMap<&'a str, (Span, String)> {
    let mut held = BTreeMap::new();
    for harness in cx.policy.harnesses.values() {
        for id in harness.holds.keys() {
            if let Some(tool) = prose(&cx.policy.registry, &[*id]) {
                held.entry(tool.def.key.value.as_str())
                    .or_insert_with(|| (harness.points_at(*id), format!("harness `{}`", harness.key())));
            }
        }
    }
    for persona in cx.model.personas.sorted().filter(|persona| persona.harness.is_some()) {
        let bundle = cx.policy.personas.get(persona.key.value.as_str());
        for id in bundle.into_iter().flat_map(|bundle| &bundle.deeds) {
            if let Some(tool) = prose(&cx.policy.registry, &[*id]) {
                held.entry(tool.def.key.value.as_str())
                    .or_insert_with(|| (persona.key.span, format!("persona `{}`", persona.key.value)));
            }
        }
    }
    held
}

fn no_reader(cx: &Cx<'_>, tool: &Tool<'_>, held_at: Span, who: &str) -> Diagnostic {
    let key = tool.key();
    let (at, text) = returns_at(tool);
    let role = if cx.model.stated.contains_key("roles") { "a role" } else { "`roles:` with one" };
    Diagnostic::new(
        ID,
        at,
        format!("`{key}` returns prose, and no role of this tree reads untrusted text"),
        text,
    )
    .level(Level::Deny)
    .label(held_at, format!("held by {who}, in no role"))
    .note(WHY)
    .help(format!(
        "state a closed `output` for `{key}`, or add {role} that has `reads_untrusted: true` and names `{key}`"
    ))
}
