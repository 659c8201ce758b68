//! See the page beside this file.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::tools::Tool;
use crate::names::PLAN_TOOL;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("colliding-names");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let mut told: Vec<&str> = Vec::new();
    for (fold, how) in [(spelling as fn(&str) -> String, "case and separators"), (look, "look-alike letters")] {
        let mut first: BTreeMap<String, Option<&Def<Tool>>> = BTreeMap::from([(fold(PLAN_TOOL), None)]);
        for tool in &cx.model.tools {
            let name = tool.key.value.as_str();
            match first.entry(fold(name)) {
                Entry::Occupied(other) if !told.contains(&name) => {
                    told.push(name);
                    sink.push(finding(tool, *other.get(), how));
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(free) => {
                    free.insert(Some(tool));
                }
            }
        }
    }
}

fn finding(tool: &Def<Tool>, other: Option<&Def<Tool>>, how: &str) -> Diagnostic {
    let name = &tool.key.value;
    let note = "a model, an approver and a log reader take one for the other; the runtime compares names exactly";
    match other {
        Some(other) => Diagnostic::new(
            ID,
            tool.key.span,
            format!("tools `{name}` and `{}` differ only by {how}", other.key.value),
            "taken for the other one",
        )
        .label(other.key.span, "the other one")
        .note(note)
        .help("give one of them a name that says how the two differ"),
        None => Diagnostic::new(
            ID,
            tool.key.span,
            format!("tool `{name}` is taken for `{PLAN_TOOL}`, which the server itself offers"),
            "taken for the server's own",
        )
        .note(note)
        .help("give it another name"),
    }
}

/// Case and separators aside.
fn spelling(name: &str) -> String {
    name.chars().filter(|letter| !matches!(letter, '_' | '-' | '.')).flat_map(char::to_lowercase).collect()
}

/// Letters that look alike taken for one: `O` and `0`, `I`, `l` and `1`, `m` and `rn`, `w` and `vv`. Names are ASCII
/// (`bad-key`), so that no table of other scripts is needed.
fn look(name: &str) -> String {
    let mut alike = String::with_capacity(name.len());
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        alike.push(match letter {
            'r' if letters.next_if_eq(&'n').is_some() => 'm',
            'v' if letters.next_if_eq(&'v').is_some() => 'w',
            'I' | '1' => 'l',
            '0' => 'o',
            other => other,
        });
    }
    spelling(&alike)
}
