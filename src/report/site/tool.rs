//! One tool: what it takes, does and returns, and who holds it.

use harnessc_runtime::lock::{Lock, RawJson, Tool};

use super::cells::{Holding, approval_tag, approvers, effect, effect_tag, narrowed};
use super::{Links, list, names, table};
use crate::report::html::{Lines, Text};

pub(super) fn body(lock: &Lock, (name, tool): (&str, &Tool), held: &[Holding<'_>], links: Links) -> String {
    let mut out = format!("<h1>{} <code class=\"dim\">{}</code></h1>\n", Text(&tool.title), Text(name));
    if !tool.enabled {
        out.push_str("<p><span class=\"tag bad\">switched off</span></p>\n");
    }
    out.push_str(&format!("<p>{}</p>\n", Text(&tool.description)));
    let bind = tool.bind.iter().map(|(input, field)| format!("{input} = run.{field}"));
    let server = tool.server.as_ref();
    let code = |text: &str| format!("<code>{}</code>", Text(text));
    out.push_str(&list(&[
        ("effect", effect_tag(tool.effect)),
        ("approval of its own", tool.approval.map(approval_tag).unwrap_or_default()),
        ("returns", tool.returns.word().to_owned()),
        ("bound to the run", names(bind)),
        (
            "bound to nothing, because",
            tool.unbound.as_ref().map_or_else(String::new, |why| Text(why).to_string()),
        ),
        ("served on", tool.surfaces.as_ref().map(names).unwrap_or_default()),
        ("outside server's tool", server.map_or_else(String::new, |own| code(&own.name))),
        ("pinned as", server.map_or_else(String::new, |own| code(&own.pinned_digest))),
    ]));
    out.push_str(&cases(tool));
    out.push_str("<h2>Who holds it</h2>\n");
    out.push_str(&holders(lock, held, links));
    out.push_str("<h2>Schemas</h2>\n");
    out.push_str(&schema("input", &tool.input));
    if let Some(output) = &tool.output {
        out.push_str(&schema("output", output));
    }
    out
}

fn cases(tool: &Tool) -> String {
    let Some(cases) = &tool.cases else { return String::new() };
    let rows = cases.by.iter().map(|(value, case)| {
        vec![
            format!("<code>{}</code>", Text(value)),
            effect_tag(case.effect),
            case.approval.map(approval_tag).unwrap_or_default(),
        ]
    });
    format!(
        "<h2>Cases of <code>{}</code></h2>\n{}",
        Text(&cases.input),
        table(&["value", "effect", "approval of its own"], &rows.collect::<Vec<_>>(), "none")
    )
}

fn holders(lock: &Lock, held: &[Holding<'_>], links: Links) -> String {
    let row = |(harness, grant): &Holding<'_>| {
        vec![
            links.harness(harness),
            format!("<code>{}</code>", Text(&grant.cell.deed)),
            effect_tag(effect(lock, &grant.cell.deed)),
            approval_tag(grant.cell.approval),
            approvers(grant.cell),
            narrowed(grant.cell),
            names(&grant.roles),
        ]
    };
    let rows: Vec<Vec<String>> = held.iter().map(row).collect();
    table(
        &["harness", "deed", "effect", "asks", "who says yes", "narrowed to", "roles"],
        &rows,
        "No harness holds it.",
    )
}

fn schema(title: &str, schema: &RawJson) -> String {
    let value = crate::lock::value(schema);
    let text = serde_json::to_string_pretty(&value).unwrap_or_default();
    format!("<details><summary>{title}</summary><pre>{}</pre></details>\n", Lines(&text))
}
