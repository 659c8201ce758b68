//! What a tool's target leaves to the model although the tool is bound, or says why it is not; and tools of one outside
//! server taken together.
//!
//! It builds findings of a rule that is handed in, and grades none of them above a warning.

use std::collections::BTreeMap;

use harnessc_runtime::words::words;

use super::authority::names;
use super::schemas::declared;
use super::written::{entry, removed};
use crate::diagnostic::{Applicability, Diagnostic, Level, RuleId, Sink};
use crate::policy::{Tool, UNSAID, schema};
use crate::rules::Cx;
use crate::source::Span;

/// So many further places of a finding about many tools are shown.
const SHOWN: usize = 4;
/// Words that say which of its marks names a thing: `owner_name` names an owner as `owner` does.
const MARKS: [&str; 9] = ["id", "ids", "key", "login", "name", "number", "slug", "uri", "url"];

/// A tool that is bound by one input and takes another whose name says that it names the same kind of thing as one that the
/// tool or the tree binds.
pub(crate) fn beside(rule: RuleId, cx: &Cx<'_>, tool: &Tool<'_>) -> Option<Diagnostic> {
    let closed = tool.closed_input.as_ref()?;
    let (by, _) = tool.bind.iter().next()?;
    let general = cx.model.bind.iter().filter_map(|bound| {
        Some((bound.key.value.as_str(), (bound.value.value.strip_prefix("run.")?, bound.key.span)))
    });
    let own = tool.bind.iter().map(|(input, bound)| (*input, (bound.field, bound.at)));
    let bound: BTreeMap<&str, (&str, Span)> = general.chain(own).collect();
    let free = schema::root_properties(closed).into_iter().filter(|input| !bound.contains_key(input));
    let near: Vec<(&str, &str, (&str, Span))> = free
        .filter(|input| !is_fixed(closed, input))
        .filter_map(|input| {
            let (name, to) = bound.iter().find(|(name, _)| is_near(input, name))?;
            Some((input, *name, *to))
        })
        .collect();
    let (first, like, (field, bound_at)) = near.first().copied()?;
    let at = declared(tool, first).unwrap_or(tool.def.key.span);
    let published = tool.from.is_some() && !tool.restated.contains_key(first);
    let inputs = names(near.iter().map(|(input, ..)| *input));
    let mut finding = Diagnostic::new(
        rule,
        if published { tool.def.key.span } else { at },
        format!("`{}` is bound by `{by}`, and the model chooses {inputs}", tool.key()),
        format!("`{first}` is bound to nothing"),
    );
    if published {
        finding = finding.label(at, "published here");
    }
    let binds: Vec<String> =
        near.iter().map(|(input, _, (field, _))| format!("{input}: run.{field}")).collect();
    let what = words(like).into_iter().map(|word| word.lower).collect::<Vec<_>>().join(" ");
    Some(
        finding
            .level(Level::Warn)
            .label(bound_at, format!("`{like}` must equal `run.{field}`"))
            .note(format!(
                "one bound input makes the tool count as bound; by its name, `{first}` can lead it to another {what}"
            ))
            .help(format!(
                "write `bind: {{{}}}` at the tool; where another one is meant, narrow the input, or waive this with the reason",
                binds.join(", ")
            )),
    )
}

/// Whether calls can say one thing alone.
fn is_fixed(closed: &serde_json::Value, input: &str) -> bool {
    let property = schema::root_property(closed, input);
    property.is_some_and(|property| {
        let listed = property.get("enum").and_then(serde_json::Value::as_array);
        property.get("const").is_some() || listed.is_some_and(|values| values.len() < 2)
    })
}

/// Whether an input's name is a bound name with words before it, in the plural, or with a mark behind it.
fn is_near(input: &str, bound: &str) -> bool {
    let split = |name: &str| words(name).into_iter().map(|word| word.lower).collect::<Vec<_>>();
    let (input, bound) = (split(input), split(bound));
    // `id` alone names nothing in particular.
    let Some(last) = bound.last().filter(|last| bound.len() > 1 || !MARKS.contains(&last.as_str())) else {
        return false;
    };
    let mut several = bound.clone();
    several.pop();
    several.push(format!("{last}s"));
    let rest = input.strip_prefix(bound.as_slice());
    input.ends_with(&bound)
        || input.ends_with(&several)
        || rest.is_some_and(|rest| rest.iter().all(|word| MARKS.contains(&word.as_str())))
}

/// Tools by the outside server they come from; those of our own under nothing.
pub(crate) type ByServer<'a, 'm> = BTreeMap<Option<&'m str>, Vec<&'a Tool<'m>>>;

/// Tools of one server as one finding: the first is pointed at, a few more are labelled, the note names them.
pub(crate) fn together(
    rule: RuleId,
    tools: &[&Tool<'_>],
    said: &str,
    at: impl Fn(&Tool<'_>) -> Span,
) -> Option<Diagnostic> {
    let (first, rest) = tools.split_first()?;
    let message = match (rest, first.from) {
        ([], _) => format!("`{}` {}", first.key(), said.replace("{are}", "is").replace("{do}", "does")),
        (_, from) => {
            let whose = from.map_or_else(String::new, |(server, _)| format!(" of server `{server}`"));
            format!("{} tools{whose} {}", tools.len(), said.replace("{are}", "are").replace("{do}", "do"))
        }
    };
    let label = if rest.is_empty() { String::new() } else { format!("`{}`", first.key()) };
    let mut finding = Diagnostic::new(rule, at(first), message, label).level(Level::Warn);
    for tool in rest.iter().take(SHOWN) {
        finding = finding.label(at(tool), format!("and `{}`", tool.key()));
    }
    if rest.len() > SHOWN {
        finding = finding.note(format!("they are {}", all(tools)));
    }
    Some(finding)
}

/// Every name; whoever mends them needs them all.
fn all(tools: &[&Tool<'_>]) -> String {
    tools.iter().map(|tool| format!("`{}`", tool.key())).collect::<Vec<_>>().join(", ")
}

/// Tools that are bound and still say why they are not.
pub(crate) fn both(rule: RuleId, cx: &Cx<'_>, sink: &mut Sink) {
    let mut found = ByServer::new();
    for tool in cx.policy.registry.tools().filter(|tool| !tool.bind.is_empty() && tool.def.unbound.is_some())
    {
        found.entry(tool.from.map(|(server, _)| server)).or_default().push(tool);
    }
    for (server, tools) in found {
        let groups: Vec<&[&Tool<'_>]> =
            if server.is_some() { vec![&tools] } else { tools.chunks(1).collect() };
        for group in groups {
            let said = "{are} bound, and still says why not"
                .replace("says", if group.len() > 1 { "say" } else { "says" });
            let at = |tool: &Tool<'_>| tool.def.unbound.as_ref().map_or(tool.def.key.span, |why| why.span);
            let Some(mut finding) = together(rule, group, &said, at) else { continue };
            let edits: Option<Vec<_>> = group
                .iter()
                .map(|tool| {
                    let entry = entry(cx, tool.def.key.span, &["tools", tool.key()])?;
                    removed(cx, &entry.value, "unbound")
                })
                .collect();
            if let Some(edits) = edits {
                finding = finding.fix_all("take `unbound` out", Applicability::Safe, edits);
            }
            sink.push(
                finding
                    .note("a reviewer reads `unbound` as the reason why a tool may reach anything; where a binding holds, it misleads")
                    .help("take `unbound` out, or the binding"),
            );
        }
    }
}

/// Tools that a harness holds and whose reason is still the one that an import put there for want of one.
pub(crate) fn unsaid(rule: RuleId, cx: &Cx<'_>, sink: &mut Sink) {
    let registry = &cx.policy.registry;
    let held = |tool: &Tool<'_>| {
        let mut harnesses = cx.policy.harnesses.values();
        harnesses.any(|harness| tool.deeds.iter().any(|deed| harness.holds.contains_key(deed)))
    };
    let mut found = ByServer::new();
    for tool in registry.tools().filter(|tool| tool.bind.is_empty()) {
        let why = tool.def.unbound.as_ref();
        if why.is_some_and(|why| why.contains(UNSAID)) && held(tool) {
            found.entry(tool.from.map(|(server, _)| server)).or_default().push(tool);
        }
    }
    for tools in found.values() {
        let at = |tool: &Tool<'_>| tool.def.unbound.as_ref().map_or(tool.def.key.span, |why| why.span);
        let said = "{are} held by a harness, and nobody has said what the model may reach through it";
        let said = if tools.len() > 1 { said.replace("through it", "through them") } else { said.to_owned() };
        sink.extend(together(rule, tools, &said, at).map(|finding| {
            finding
                .note("the import wrote this `unbound` for want of a reason; in a lock it would stand as if it were one")
                .help("bind an input to the run, or write in `unbound` why the tool has no target")
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::is_near;

    #[test]
    fn a_name_that_says_the_same_kind_of_thing_is_near() {
        for (input, bound) in [
            ("related_owner", "owner"),
            ("relatedOwner", "owner"),
            ("owners", "owner"),
            ("owner_id", "owner"),
            ("target_program_ids", "program_id"),
            ("ticketId", "ticket_id"),
        ] {
            assert!(is_near(input, bound), "{input} {bound}");
        }
        for (input, bound) in [
            ("ownership", "owner"),
            ("repo_path", "repo"),
            ("report", "repo"),
            ("ticket_id", "id"),
            ("program", "program_id"),
            ("id", "program_id"),
        ] {
            assert!(!is_near(input, bound), "{input} {bound}");
        }
    }
}
