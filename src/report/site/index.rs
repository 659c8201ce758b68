//! The first page: which policy this is, what was proved of it, what was set aside, and the way to all else.

use harnessc_runtime::lock::{Effect, Lock, NO_HARNESS};

use super::cells::{effect, effect_tag, grants};
use super::{Audited, Links, list, names, proved, table};
use crate::report::html::Text;

pub(super) fn body(audited: &Audited<'_>, links: Links) -> String {
    let lock = audited.lock;
    let code = |text: &str| format!("<code>{}</code>", Text(text));
    let optional = |text: &Option<String>| text.as_deref().map(code).unwrap_or_default();
    let mut out = format!("<h1>{}</h1>\n", Text(&lock.policy.name));
    out.push_str(&list(&[
        ("digest of the lock", code(audited.digest)),
        ("revision", lock.revision.to_string()),
        ("follows", optional(&lock.predecessor)),
        ("environment", optional(&lock.policy.environment)),
        ("harness version", optional(&lock.policy.harness_version)),
        ("prompt version", optional(&lock.policy.prompt_version)),
        ("edition", lock.policy.edition.to_string()),
        ("outside servers", names(&lock.policy.external_servers)),
    ]));
    out.push_str(&proofs(audited));
    out.push_str(&set_aside(lock));
    out.push_str("<h2>Harnesses</h2>\n");
    out.push_str(&harnesses(lock, links));
    out.push_str("<h2>Personas</h2>\n");
    out.push_str(&personas(lock, links));
    out.push_str("<h2>Primitives of the harness</h2>\n<p>What every run rests on, who owns it, and whether something leans on it yet.</p>\n");
    out.push_str(&primitives(lock));
    out.push_str(&format!(
        "<h2>Approvals</h2>\n<p><a href=\"{}\">Every way in which somebody says yes</a></p>\n",
        links.to("approvals.html")
    ));
    out.push_str("<h2>Tools</h2>\n");
    out.push_str(&tools(lock, links));
    out.push_str("<h2>Sources</h2>\n<details><summary>Every file that the lock was made from, with its digest</summary>\n");
    let sources = lock.sources.iter().map(|(path, digest)| vec![code(path), code(digest)]);
    out.push_str(&table(&["file", "digest"], &sources.collect::<Vec<_>>(), "none"));
    out.push_str("</details>\n");
    out
}

fn proofs(audited: &Audited<'_>) -> String {
    let failed = audited.proofs.iter().filter(|(_, why)| why.is_some()).count();
    let total = audited.proofs.len();
    let sum = match failed {
        0 => format!("<span class=\"tag good\">all {total} hold</span>"),
        _ => format!("<span class=\"tag bad\">{failed} of {total} do not hold</span>"),
    };
    let rows = audited.proofs.iter().map(|(name, why)| {
        let state = match why {
            None => "<span class=\"tag good\">holds</span>".to_owned(),
            Some(why) => format!("<span class=\"tag bad\">does not hold</span> {}", Text(why)),
        };
        vec![format!("<code>{name}</code>"), proved::meaning(name).to_owned(), state]
    });
    format!(
        "<h2>Proofs {sum}</h2>\n<p>What a runtime proves again before it takes this lock, whoever wrote it.</p>\n{}",
        table(&["proof", "what it says", ""], &rows.collect::<Vec<_>>(), "none")
    )
}

fn set_aside(lock: &Lock) -> String {
    let mut out = "<h2>Set aside</h2>\n".to_owned();
    let waivers = lock.waivers.iter().map(|waiver| {
        let texts = [&waiver.rule, &waiver.subject, &waiver.file, &waiver.reason];
        texts.iter().map(|text| Text(text).to_string()).collect::<Vec<_>>()
    });
    out.push_str(&table(
        &["rule", "waived for", "file", "why"],
        &waivers.collect::<Vec<_>>(),
        "No finding is waived.",
    ));
    let lowered: Vec<String> =
        lock.rules.iter().map(|(rule, level)| format!("{}: {level:?}", Text(rule)).to_lowercase()).collect();
    if !lowered.is_empty() {
        out.push_str(&format!("<p>Rules at another level than usual: {}.</p>\n", lowered.join(", ")));
    }
    if let Some(baseline) = &lock.baseline {
        out.push_str(&format!(
            "<p><span class=\"tag bad\">built under a baseline</span> {} known findings were set aside (<code>{}</code>).</p>\n",
            baseline.findings,
            Text(&baseline.digest)
        ));
    }
    out
}

fn harnesses(lock: &Lock, links: Links) -> String {
    let row = |key: &String| {
        let own = lock.harnesses.get(key);
        let grants = grants(lock, key);
        let count = |is_read: bool| {
            let mut deeds: Vec<&str> = grants.iter().map(|grant| grant.cell.deed.as_str()).collect();
            deeds.dedup();
            deeds
                .into_iter()
                .filter(|deed| (effect(lock, deed) == Effect::Read) == is_read)
                .count()
                .to_string()
        };
        let worn = match own {
            Some(own) => names(&own.personas),
            None => names(lock.personas.iter().filter(|(_, own)| !own.harness).map(|(key, _)| key)),
        };
        vec![
            links.harness(key),
            Text(own.map_or("runs without a harness", |own| own.title.as_str())).to_string(),
            worn,
            count(true),
            count(false),
        ]
    };
    let rows: Vec<Vec<String>> = lock.effective.keys().map(row).collect();
    table(&["harness", "title", "worn by", "reads", "proposals"], &rows, "The policy states no harness.")
}

fn personas(lock: &Lock, links: Links) -> String {
    let row = |(key, own): (&String, &harnessc_runtime::lock::Persona)| {
        let worn = lock.harnesses.iter().filter(|(_, harness)| harness.personas.contains(key));
        let mut worn: Vec<String> = worn.map(|(harness, _)| links.harness(harness)).collect();
        if !own.harness {
            worn.push(links.harness(NO_HARNESS));
        }
        vec![
            format!("<code>{}</code>", Text(key)),
            Text(&own.title).to_string(),
            worn.join(", "),
            own.bundle.len().to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = lock.personas.iter().map(row).collect();
    table(&["persona", "title", "wears", "permissions"], &rows, "The policy states no personas.")
}

fn primitives(lock: &Lock) -> String {
    let row = |(key, own): (&String, &harnessc_runtime::lock::Primitive)| {
        let (class, word) = match own.state.as_str() {
            "load_bearing" => ("good", "load-bearing"),
            "stub" => ("warn", "stub"),
            other => ("", other),
        };
        vec![
            format!("<code>{}</code>", Text(key)),
            Text(&own.owner).to_string(),
            format!("<span class=\"tag {class}\">{}</span>", Text(word)),
        ]
    };
    let rows: Vec<Vec<String>> = lock.primitives.iter().map(row).collect();
    table(&["primitive", "owner", "state"], &rows, "The policy states no primitives.")
}

fn tools(lock: &Lock, links: Links) -> String {
    let row = |(name, tool): (&String, &harnessc_runtime::lock::Tool)| {
        let state = if tool.enabled { "" } else { "<span class=\"tag bad\">switched off</span>" };
        let origin = tool.server.as_ref().map_or_else(String::new, |_| "outside server".to_owned());
        vec![
            links.deed(name),
            Text(&tool.title).to_string(),
            effect_tag(tool.effect),
            tool.returns.word().to_owned(),
            origin,
            state.to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = lock.tools.iter().map(row).collect();
    table(&["tool", "title", "effect", "returns", "from", ""], &rows, "The policy states no tools.")
}
