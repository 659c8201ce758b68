//! See the page beside this file. `model` finds what no definition has; what only some lists of tools have is found here.

use std::collections::BTreeSet;

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::lists::{Mention, ToolItem, ToolList};
use crate::model::people::RoleTools;
use crate::names::{Space, Symbol};
use crate::source::Span;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("unknown-field");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let model = cx.model;
    let bundles = model.personas.iter().map(|def| (&def.key.value, &def.bundle));
    for (key, list) in bundles {
        judge(list, &format!("the bundle of persona `{key}`"), sink);
    }
    for def in &model.roles {
        if let Some(RoleTools::List(list)) = &def.tools {
            items(&list.value, &format!("the tools of role `{}`", def.key.value), sink);
        }
    }
    for def in &model.skills {
        judge(&def.tools, &format!("the tools of skill `{}`", def.key.value), sink);
    }
    for def in &model.lens_reviews {
        judge(&def.tools, &format!("the tools of lens review `{}`", def.key.value), sink);
    }
    let worn = worn(cx);
    for def in &model.toolsets {
        let key = def.key.value.as_str();
        // A toolset that nothing names is unused, and that is all there is to say of it.
        let named = cx.names.namers(Symbol::new(Space::Toolset, key)).any(|namer| namer.space != Space::Section);
        if named && !worn.contains(key) {
            items(&def.value.value, &format!("toolset `{key}`, which no harness uses"), sink);
        }
    }
}

/// The toolsets that harnesses use, directly or through others.
fn worn<'m>(cx: &Cx<'m>) -> BTreeSet<&'m str> {
    let harnesses = cx.model.harnesses.iter().map(|def| Symbol::new(Space::Harness, &def.key.value));
    let mut open: Vec<Symbol<'m>> = harnesses.collect();
    let mut worn = BTreeSet::new();
    while let Some(from) = open.pop() {
        for to in cx.names.named_by(from).filter(|to| to.space == Space::Toolset) {
            if worn.insert(to.key) {
                open.push(to);
            }
        }
    }
    worn
}

fn judge(list: &Option<ToolList>, place: &str, sink: &mut Sink) {
    items(list.as_ref().map_or(&[], |list| list.value.as_slice()), place, sink);
}

fn items(items: &[ToolItem], place: &str, sink: &mut Sink) {
    for item in items {
        if let ToolItem::Held(mention) = item
            && let Some((field, span)) = tightened(mention)
        {
            sink.push(
                Diagnostic::new(ID, span, format!("`{field}` has no place in {place}"), "would be in force nowhere")
                    .note("such a list says which tools; how tightly one is held is each harness's to say")
                    .help(format!("name the tool alone, and write `{field}` in a harness's toolset, or in a toolset that harnesses use")),
            );
        }
    }
}

/// The first field of a mention that narrows, with its place.
fn tightened(mention: &Mention) -> Option<(&'static str, Span)> {
    let only = mention.only.iter().flatten().next().map(|only| ("only", only.key.span));
    let cases = mention.cases.iter().flatten().next().map(|case| ("cases", case.span));
    only.or(cases).or(mention.approval.as_ref().map(|approval| ("approval", approval.span)))
}
