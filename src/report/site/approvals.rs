//! Every way in which somebody says yes.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{Approval, Lock};

use super::cells::{approval_tag, approvers, effect, effect_tag, grants};
use super::{Links, list, names, table};

pub(super) fn body(lock: &Lock, links: Links) -> String {
    let own = &lock.approvals;
    let tiers = &own.at_least;
    let stated = own.approvers.as_ref();
    let who = |list: Option<&Vec<String>>| match list {
        None => "any authenticated person".to_owned(),
        Some(list) if list.is_empty() => "nobody".to_owned(),
        Some(list) => names(list),
    };
    let mut out = "<h1>Approvals</h1>\n<h2>In force</h2>\n".to_owned();
    out.push_str(&list(&[
        ("a read asks at least", approval_tag(tiers.read)),
        ("a creation", approval_tag(tiers.create)),
        ("a write", approval_tag(tiers.write)),
        ("what destroys", approval_tag(tiers.destructive)),
        ("confirmed by", who(stated.map(|stated| &stated.confirm))),
        ("four eyes are those of", who(stated.map(|stated| &stated.four_eyes))),
        ("always allowed", names(&own.always_allowed)),
        ("a proposal lapses after", own.expires_after_ms.map(time).unwrap_or_default()),
        (
            "actions of one run",
            own.max_actions_per_run.map_or_else(String::new, |most| format!("at most {most}")),
        ),
    ]));
    out.push_str(
        "<h2>Every path</h2>\n<p>Deeds that ask somebody, with who may say yes and in which harnesses.</p>\n",
    );
    let mut paths: BTreeMap<(std::cmp::Reverse<Approval>, &str, String), Vec<&str>> = BTreeMap::new();
    for harness in lock.effective.keys() {
        for grant in grants(lock, harness) {
            if grant.cell.approval != Approval::Auto {
                let place =
                    (std::cmp::Reverse(grant.cell.approval), grant.cell.deed.as_str(), approvers(grant.cell));
                let harnesses = paths.entry(place).or_default();
                if harnesses.last() != Some(&harness.as_str()) {
                    harnesses.push(harness);
                }
            }
        }
    }
    let rows = paths.into_iter().map(|((approval, deed, who), harnesses)| {
        let harnesses: Vec<String> = harnesses.into_iter().map(|key| links.harness(key)).collect();
        vec![
            links.deed(deed),
            effect_tag(effect(lock, deed)),
            approval_tag(approval.0),
            who,
            harnesses.join(", "),
        ]
    });
    out.push_str(&table(
        &["deed", "effect", "asks", "who says yes", "in"],
        &rows.collect::<Vec<_>>(),
        "Nothing asks anybody.",
    ));
    out
}

/// A time in the largest unit that says it whole.
fn time(ms: u64) -> String {
    let units = [(86_400_000, "days"), (3_600_000, "hours"), (60_000, "minutes"), (1_000, "seconds")];
    let whole = units.into_iter().find(|(unit, _)| ms >= *unit && ms.checked_rem(*unit) == Some(0));
    match whole {
        Some((unit, word)) => format!("{} {word}", ms / unit),
        None => format!("{ms} ms"),
    }
}
