//! See the page beside this file.

use harnessc_runtime::lock::Effect;

use super::engine::authority::names;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::people::RoleTools;
use crate::policy::{Cell, Deed};
use crate::source::Span;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("reader-that-acts");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for role in cx.model.roles.sorted() {
        let Some(flag) = role.reads_untrusted.as_ref().filter(|flag| flag.value) else { continue };
        let Some(found) = both(cx, &role.key.value) else { continue };
        let key = &role.key.value;
        let harness = found.harness;
        let message = format!(
            "role `{key}` reads untrusted text and may propose {}",
            names(found.acts.iter().map(|deed| deed.name.as_str()))
        );
        let finding = Diagnostic::new(ID, flag.span, message, "what it reads may steer what it proposes");
        let acts = found.acts.iter().find_map(|deed| listed(cx, role, deed.tool).or(deed.effect_at));
        let finding = match acts {
            Some(at) => finding.label(at, "changes something"),
            None => finding,
        };
        sink.push(
            finding
                .label(found.prose_at, format!("prose, held by harness `{harness}` as well"))
                .note("text from outside that tells a model what to do reaches one here that can have it done; an approval then rests on what the text chose")
                .help(format!("let `{key}` read alone, as with `effects: [read]`, and hand what it found to a role without prose; or waive this with the reason")),
        );
    }
}

/// What one harness has of both kinds in a role.
struct Both<'a> {
    harness: &'a str,
    prose_at: Span,
    acts: Vec<&'a Deed<'a>>,
}

fn both<'a>(cx: &'a Cx<'_>, role: &str) -> Option<Both<'a>> {
    cx.policy.effective.iter().find_map(|(harness, roles)| {
        let cells = roles.get(role)?;
        let deed = |cell: &Cell| cx.policy.registry.deed(cell.deed);
        let prose = cells.iter().filter_map(deed).find_map(|deed| {
            let tool = cx.policy.registry.tool(deed.tool).filter(|tool| tool.is_prose())?;
            Some(tool.def.returns.as_ref().map_or(tool.def.key.span, |returns| returns.span))
        })?;
        let acts: Vec<&Deed<'_>> = cells.iter().filter_map(deed).filter(|deed| deed.effect != Effect::Read).collect();
        (!acts.is_empty()).then_some(Both { harness, prose_at: prose, acts })
    })
}

/// Where a role's own list names a tool.
fn listed(cx: &Cx<'_>, role: &crate::model::people::Role, tool: &str) -> Option<Span> {
    let Some(RoleTools::List(list)) = &role.tools else { return None };
    let (listed, _) = cx.policy.lists.follow(&cx.policy.registry, &list.value);
    let named = |name: &str| name.split_once('/').map_or(name, |(tool, _)| tool) == tool;
    listed.iter().find(|mention| named(mention.name)).map(|mention| mention.item)
}
