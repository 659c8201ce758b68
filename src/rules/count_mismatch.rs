//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use super::engine::mirror::{Repeated, Seen, read};
use super::engine::text::{count, some};
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink};
use crate::model::{Def, SECTIONS};
use crate::source::{Span, Spanned};
use crate::syntax::Kind;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("count-mismatch");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for expected in cx.model.manifest.expect.iter().flatten() {
        if SECTIONS.contains(&expected.key.value.as_str()) {
            expect(cx, expected, sink);
        }
    }
    for mirror in cx.model.manifest.mirror.iter().flatten() {
        let Some(of) = mirror.of.as_ref().filter(|of| SECTIONS.contains(&of.value.as_str())) else { continue };
        match (read(cx, mirror), keys(cx, of)) {
            (Some(Seen::Keys(repeated)), Some(keys)) => compare(cx, of, &repeated, &keys, sink),
            (_, None) => sink.push(no_keys(of)),
            _ => {}
        }
    }
}

/// The keys of a section with their places; nothing where the section has fields and no keys.
fn keys<'a>(cx: &'a Cx<'_>, section: &str) -> Option<BTreeMap<&'a str, Option<Span>>> {
    let keys: BTreeSet<&str> = match (cx.model.keys(section), section) {
        (Some(keys), _) => keys,
        (None, "persona_fallback") => BTreeSet::new(),
        (None, _) => return None,
    };
    let mut places: BTreeMap<&str, Option<Span>> = keys.into_iter().map(|key| (key, None)).collect();
    for root in cx.tree.documents.iter().filter_map(|document| document.root.as_ref()) {
        let Some(entry) = root.get(section) else { continue };
        let Kind::Map(entries) = &entry.value.kind else { continue };
        for entry in entries {
            if let Some(place) = places.get_mut(entry.key.value.as_str()) {
                place.get_or_insert(entry.key.span);
            }
        }
    }
    Some(places)
}

fn no_keys(section: &Spanned<String>) -> Diagnostic {
    let name = &section.value;
    Diagnostic::new(ID, section.span, format!("`{name}` has no definitions to count"), "its keys are fields")
        .note("only a section whose keys are names of the author's choosing can be counted or repeated")
        .help("take it out, or name a section such as `harnesses`")
}

const ON_PURPOSE: &str = "these figures change only on purpose, so that nothing joins or leaves the tree by accident";

fn expect(cx: &Cx<'_>, expected: &Def<Spanned<u64>>, sink: &mut Sink) {
    let section = &expected.key;
    let Some(keys) = keys(cx, section) else {
        sink.push(no_keys(section));
        return;
    };
    let (stated, found) = (expected.value.value, keys.len());
    if stated == found as u64 {
        return;
    }
    let difference = stated.abs_diff(found as u64);
    let more_or_less = if stated < found as u64 { "more" } else { "fewer" };
    let finding = Diagnostic::new(
        ID,
        expected.value.span,
        format!("`[expect]` says {stated} for `{}`, and the tree defines {found}", section.value),
        format!("{difference} {more_or_less} in the tree"),
    );
    let finding = match cx.model.stated.get(section.value.as_str()) {
        Some(at) => finding.label(*at, format!("{found} in all, beginning here")),
        None => finding,
    };
    let names: Vec<&str> = keys.keys().copied().collect();
    let defined = if names.is_empty() { "none is defined".to_owned() } else { format!("defined: {}", all(&names)) };
    sink.push(
        finding
            .note(format!("{ON_PURPOSE}; {defined}"))
            .help(format!("write {found} if that is meant; else look for what was added or lost"))
            .fix(format!("write {found}"), Applicability::Unsafe, expected.value.span, found.to_string()),
    );
}

/// The names, up to a screenful.
fn all(names: &[&str]) -> String {
    const SHOWN: usize = 40;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let rest = names.len().saturating_sub(SHOWN);
    let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
    format!("{}{more}", shown.join(", "))
}

fn compare(
    cx: &Cx<'_>,
    of: &Spanned<String>,
    repeated: &Repeated,
    keys: &BTreeMap<&str, Option<Span>>,
    sink: &mut Sink,
) {
    let mut there: BTreeMap<&str, Span> = BTreeMap::new();
    let mut twice: Vec<(&str, Span)> = Vec::new();
    for (key, span) in &repeated.keys {
        if there.insert(key, *span).is_some() {
            twice.push((key, *span));
        }
    }
    let missing: Vec<&str> = keys.keys().copied().filter(|key| !there.contains_key(key)).collect();
    let extra: Vec<(&str, Span)> =
        there.iter().filter(|(key, _)| !keys.contains_key(*key)).map(|(key, span)| (*key, *span)).collect();
    let names = |list: &[(&str, Span)]| some(&list.iter().map(|(key, _)| *key).collect::<Vec<_>>());
    let mut said: Vec<String> = Vec::new();
    if !missing.is_empty() {
        said.push(format!("lacks {}", some(&missing)));
    }
    if !extra.is_empty() {
        said.push(format!("names {}, which the tree does not define", names(&extra)));
    }
    if !twice.is_empty() {
        said.push(format!("names {} twice", names(&twice)));
    }
    if said.is_empty() {
        return;
    }
    let path = cx.tree.sources.path(repeated.at.file);
    let mut finding = Diagnostic::new(
        ID,
        repeated.at,
        format!("`{path}` repeats `{}`: it {}", of.value, said.join(" and ")),
        format!("{} here, {} in the tree", count(repeated.keys.len(), "key"), keys.len()),
    )
    .label(of.span, "held in step by this mirror");
    for key in missing.iter().take(SHOWN) {
        if let Some(span) = keys.get(key).copied().flatten() {
            finding = finding.label(span, "missing there");
        }
    }
    for (_, span) in extra.iter().take(SHOWN) {
        finding = finding.label(*span, "not in the tree");
    }
    sink.push(finding.note(ON_PURPOSE).help("change the list, or the tree, until both name the same"));
}

/// So many places of each kind are shown; the message counts the rest.
const SHOWN: usize = 3;
