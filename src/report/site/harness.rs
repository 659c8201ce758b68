//! One harness: who wears it, what it is told, what it may do and what is asked for it.

use harnessc_runtime::lock::{Harness, Lock, NO_HARNESS};

use super::cells::{approval_tag, approvers, effect, effect_tag, grants, narrowed};
use super::{Links, list, names, table};
use crate::report::graph::{Graph, svg};
use crate::report::html::{Lines, Text};

/// Of a graph with more edges no part is drawn: a thousand pictures would take longer than they are looked at.
const MAX_EDGES: usize = 20_000;

pub(super) fn body(lock: &Lock, key: &str, graph: &Graph, links: Links) -> String {
    let none = Harness { title: "Runs without a harness".to_owned(), ..Harness::default() };
    let own = lock.harnesses.get(key).unwrap_or(&none);
    let mut out = format!("<h1>{} <code class=\"dim\">{}</code></h1>\n", Text(&own.title), Text(key));
    let bare = lock.personas.iter().filter(|(_, own)| key == NO_HARNESS && !own.harness).map(|(key, _)| key);
    let status = own.status_template.as_ref().and_then(|status| lock.status_templates.get(status));
    out.push_str(&list(&[
        ("worn by", names(own.personas.iter().chain(bare))),
        ("rubric", own.rubric_key.iter().map(|rubric| names([rubric])).collect()),
        ("record types", names(&own.record_types)),
        ("memory lenses", names(&own.memory_lenses)),
        ("status line", status.map_or_else(String::new, |text| Text(text).to_string())),
    ]));
    let all: Vec<&str> =
        lock.effective.get(key).into_iter().flatten().map(|(role, _)| role.as_str()).collect();
    let rows = grants(lock, key).into_iter().map(|grant| {
        let others: Vec<&str> = all.iter().filter(|role| !grant.roles.contains(role)).copied().collect();
        let roles = match others.len() {
            0 => "all".to_owned(),
            count if count < grant.roles.len() => format!("all but {}", names(others)),
            _ => names(&grant.roles),
        };
        vec![
            links.deed(&grant.cell.deed),
            effect_tag(effect(lock, &grant.cell.deed)),
            approval_tag(grant.cell.approval),
            approvers(grant.cell),
            narrowed(grant.cell),
            roles,
        ]
    });
    out.push_str("<h2>What it may do</h2>\n");
    out.push_str(&table(
        &["tool", "effect", "asks", "who says yes", "narrowed to", "roles"],
        &rows.collect::<Vec<_>>(),
        "Nothing.",
    ));
    out.push_str(&refused(lock, own));
    out.push_str(&carried(lock, own, links));
    out.push_str(&prompt(lock, own));
    let is_small = graph.edges.len() <= MAX_EDGES;
    if let Some(drawn) = is_small.then(|| graph.focus(&format!("harness:{key}"))).flatten() {
        let picture = svg(&drawn, false);
        out.push_str(&format!("<h2>What leads where</h2>\n<div class=\"wide\">{picture}</div>\n"));
    }
    out
}

fn refused(lock: &Lock, own: &Harness) -> String {
    let rows = own.refusal_rules.iter().map(|key| {
        let line = lock.refusals.get(key).map_or("", |refusal| refusal.line.as_str());
        vec![format!("<code>{}</code>", Text(key)), Text(line).to_string()]
    });
    format!(
        "<h2>What it refuses</h2>\n{}",
        table(&["refusal", "line"], &rows.collect::<Vec<_>>(), "No refusal is stated.")
    )
}

/// Skills and plans.
fn carried(lock: &Lock, own: &Harness, links: Links) -> String {
    let skills = own.skills.iter().filter_map(|key| {
        let skill = lock.skills.get(key)?;
        let tools: Vec<String> = skill.tools.iter().map(|deed| links.deed(deed)).collect();
        Some(vec![
            format!("<code>{}</code>", Text(key)),
            Text(&skill.title).to_string(),
            skill.version.to_string(),
            tools.join(", "),
        ])
    });
    let plans = own.plan_templates.iter().filter_map(|key| {
        let plan = lock.plan_templates.get(key)?;
        let step = |step: &harnessc_runtime::lock::PlanStep| {
            format!("<code>{}</code>: {}", Text(&step.key), links.deed(&step.tool))
        };
        let steps: Vec<String> = plan.steps.iter().map(step).collect();
        Some(vec![format!("<code>{}</code>", Text(key)), Text(&plan.title).to_string(), steps.join("<br>")])
    });
    format!(
        "<h2>Skills</h2>\n{}<h2>Plans</h2>\n{}",
        table(&["skill", "title", "version", "tools"], &skills.collect::<Vec<_>>(), "It has none."),
        table(&["plan", "title", "steps"], &plans.collect::<Vec<_>>(), "It may propose none.")
    )
}

fn prompt(lock: &Lock, own: &Harness) -> String {
    let mut out = "<h2>Prompt</h2>\n".to_owned();
    if own.prompt.is_empty() {
        out.push_str("<p class=\"dim\">The policy states none.</p>\n");
    }
    for name in &own.prompt {
        let part = lock.prompt.as_ref().and_then(|prompt| prompt.parts.get(name));
        match part {
            Some(part) => out.push_str(&format!(
                "<details><summary><code>{}</code></summary><pre>{}</pre></details>\n",
                Text(name),
                Lines(&part.text)
            )),
            None => out.push_str(&format!(
                "<p><code>{}</code> <span class=\"dim\">is filled in at run time</span></p>\n",
                Text(name)
            )),
        }
    }
    out
}
