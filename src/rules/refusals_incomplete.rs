//! See the page beside this file.

use std::collections::BTreeSet;

use super::engine::text::{and, some};
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink, nearest};
use crate::model::Def;
use crate::model::harnesses::{Harness, RefusalRules};
use crate::model::refusals::Refusal;
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("refusals-incomplete");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for harness in &cx.model.harnesses {
        if let Some(RefusalRules::List(list)) = &harness.refusal_rules {
            complete(cx, harness, list, sink);
        }
    }
}

fn complete(cx: &Cx<'_>, harness: &Def<Harness>, list: &Spanned<Vec<Spanned<String>>>, sink: &mut Sink) {
    let named: BTreeSet<&str> = list.iter().map(|name| name.value.as_str()).collect();
    let left_out: Vec<&Def<Refusal>> =
        cx.model.refusals.iter().filter(|refusal| !named.contains(refusal.key.value.as_str())).collect();
    let keys: Vec<&str> = left_out.iter().map(|refusal| refusal.key.value.as_str()).collect();
    // A misspelt name is said elsewhere; the refusal it was meant for is not missing as well.
    let strange = named.iter().filter(|name| cx.model.refusals.get(name).is_none());
    let meant: BTreeSet<&str> = strange.filter_map(|name| nearest(name, keys.iter().copied())).collect();
    let missing: Vec<&Def<Refusal>> = left_out
        .iter()
        .copied()
        .filter(|refusal| !is_optional(refusal) && !meant.contains(refusal.key.value.as_str()))
        .collect();
    if missing.is_empty() {
        return;
    }
    let names: Vec<&str> = missing.iter().map(|refusal| refusal.key.value.as_str()).collect();
    let finding = Diagnostic::new(
        ID,
        list.span,
        format!("harness `{}` leaves out {}, which no harness may leave out", harness.key.value, some(&names)),
        "not all that must be borne",
    );
    let finding = missing.iter().fold(finding, |f, refusal| f.label(refusal.key.span, "not marked `optional`"));
    let finding = finding
        .note("a refusal holds for every agent of the tree unless the tree itself says that it is optional")
        .help(format!("add {} to the list, or write `all`", and(names.iter().copied())));
    let widens_nothing = missing.len() == left_out.len() && named.iter().all(|name| cx.model.refusals.get(name).is_some());
    sink.push(if widens_nothing {
        finding.fix("bear all refusals", Applicability::Safe, list.span, "all")
    } else {
        finding
    });
}

fn is_optional(refusal: &Refusal) -> bool {
    refusal.optional.as_ref().is_some_and(|optional| optional.value)
}
