//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use super::engine::{unknown_inputs, written};
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink, nearest};
use crate::model::Def;
use crate::model::refusals::Refusal;
use crate::names::{Leads, PLAN_TOOL, Reference, Space, Symbol};

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("unknown-reference");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let mut known = Known { cx, keys: BTreeMap::new(), left: SUGGESTED };
    let nowhere = || cx.names.references().iter().filter(|reference| reference.leads == Leads::Nowhere);
    let mut missed: BTreeMap<Symbol<'_>, Vec<&Reference<'_>>> = BTreeMap::new();
    for reference in nowhere() {
        missed.entry(reference.to).or_default().push(reference);
    }
    let mut told = BTreeSet::new();
    for (to, places) in &missed {
        if let Some(finding) = misspelt_once(&mut known, *to, places) {
            sink.push(finding);
            told.insert(*to);
        }
    }
    for reference in nowhere().filter(|reference| !told.contains(&reference.to)) {
        sink.push(match reference.to.space {
            Space::RunValue => not_a_run_value(cx, reference),
            _ => unknown(&mut known, reference),
        });
    }
    unknown_inputs::check(cx, ID, sink);
    for refusal in cx.model.refusals.iter().filter(|refusal| !refusal.damaged || refusal.forbidden_verbs.is_some()) {
        forms(refusal, sink);
    }
}

/// Forms of a verb that the refusal does not forbid.
fn forms(refusal: &Def<Refusal>, sink: &mut Sink) {
    let verbs: Vec<&str> = refusal.forbidden_verbs.iter().flatten().map(|verb| verb.value.as_str()).collect();
    for form in refusal.forms.iter().flat_map(|forms| forms.iter()) {
        let key = &form.key.value;
        if verbs.contains(&key.as_str()) {
            continue;
        }
        let said = format!("refusal `{}` states forms of `{key}`, which is none of its forbidden verbs", refusal.key.value);
        let meant = nearest(key, verbs.iter().copied());
        let label = meant.map_or_else(|| "not in `forbidden_verbs`".to_owned(), |meant| format!("did you mean `{meant}`?"));
        let finding = Diagnostic::new(ID, form.key.span, said, label);
        sink.push(why(finding).help(match meant {
            Some(meant) => format!("write `{meant}`, or add `{key}` to `forbidden_verbs`"),
            None => format!("add `{key}` to `forbidden_verbs`, or take its forms out"),
        }));
    }
}

/// A name that several places spell alike and no definition bears, where one that nobody names is spelt nearly so: then the
/// slip is the definition's, and it is one.
fn misspelt_once<'m>(
    known: &mut Known<'_, 'm>,
    to: Symbol<'m>,
    places: &[&Reference<'m>],
) -> Option<Diagnostic> {
    if places.len() < 2 || to.within.is_some() || to.space == Space::RunValue {
        return None;
    }
    let cx = known.cx;
    let meant = Symbol { key: known.nearest(to)?, ..to };
    let at = cx.names.defined(meant).filter(|_| cx.names.to(meant).next().is_none())?;
    let (noun, key) = (to.space.noun(), to.key);
    let said = format!("{noun} `{}` is named by nothing, and `{key}`, which {} places name, is defined nowhere", meant.key, places.len());
    let finding = Diagnostic::new(ID, at, said, format!("did you mean `{key}`?"));
    let labelled = places.iter().take(SHOWN);
    let finding = labelled.fold(finding, |finding, place| finding.label(place.span, "named here"));
    let (at, word) = written::instead(cx, at, key);
    let finding = why(finding).help(format!("write `{key}` here, or `{}` in those places", meant.key));
    Some(finding.fix(format!("write `{key}`"), Applicability::Unsafe, at, word))
}

/// So many places that name the same thing are shown.
const SHOWN: usize = 5;

/// So many findings of a run are given the nearest name; where there are more, a section is missing, not a letter.
const SUGGESTED: usize = 200;

/// The names there are, each space gathered once.
struct Known<'a, 'm> {
    cx: &'a Cx<'m>,
    keys: BTreeMap<(Space, Option<&'m str>), BTreeSet<&'m str>>,
    left: usize,
}

impl<'m> Known<'_, 'm> {
    fn keys(&mut self, to: Symbol<'m>) -> &BTreeSet<&'m str> {
        let names = self.cx.names;
        self.keys.entry((to.space, to.within)).or_insert_with(|| match to.space {
            Space::Section => crate::model::SECTIONS.iter().copied().collect(),
            space => names.keys(space, to.within),
        })
    }

    fn nearest(&mut self, to: Symbol<'m>) -> Option<&'m str> {
        if self.left == 0 || to.space == Space::Type && JSON_TYPES.contains(&to.key) {
            return None;
        }
        self.left -= 1;
        nearest(to.key, self.keys(to).iter().copied())
    }
}

fn unknown<'m>(known: &mut Known<'_, 'm>, reference: &Reference<'m>) -> Diagnostic {
    let (cx, to) = (known.cx, reference.to);
    let Symbol { space, within, key } = to;
    let said = match within {
        Some(within) => match space {
            Space::Case => format!("tool `{within}` has no case `{key}`"),
            Space::Scope => format!("surface `{within}` has no scope `{key}`"),
            _ => format!("plan `{within}` has no step `{key}`"),
        },
        None => format!("`{key}` names no {}", space.noun()),
    };
    let Some(meant) = known.nearest(to) else {
        let finding = Diagnostic::new(ID, reference.span, said, missing(cx, to));
        return why(finding).help(help(cx, to, known.keys(to)));
    };
    let finding = Diagnostic::new(ID, reference.span, said, format!("did you mean `{meant}`?"));
    let defined = cx.names.defined(Symbol { space, within, key: meant });
    let finding = match defined {
        Some(span) => finding.label(span, format!("`{meant}` is defined here")),
        None => finding,
    };
    let (at, word) = written::instead(cx, reference.span, meant);
    why(finding).help(format!("write `{meant}`")).fix(format!("write `{meant}`"), Applicability::Unsafe, at, word)
}

fn why(finding: Diagnostic) -> Diagnostic {
    finding.note("a name that leads nowhere does nothing, and looks as though it did")
}

/// What is to be seen at a name without a near one.
fn missing(cx: &Cx<'_>, to: Symbol<'_>) -> String {
    let section = to.space.section();
    if to.space == Space::Section {
        "no such section".to_owned()
    } else if cx.model.stated.contains_key(section) {
        format!("not defined under `{section}:`")
    } else {
        format!("no file of this tree has a section `{section}:`")
    }
}

fn help(cx: &Cx<'_>, to: Symbol<'_>, keys: &BTreeSet<&str>) -> String {
    let Symbol { space, key, .. } = to;
    if space == Space::Tool && key == PLAN_TOOL {
        return "take it out: the server itself offers `plan.propose` to every run".to_owned();
    }
    if space == Space::Type && JSON_TYPES.contains(&key) {
        return format!("write `{{type: {key}}}`");
    }
    if space == Space::Tool
        && let Some(server) = publisher(cx, key)
    {
        return format!("server `{server}` publishes it: register it under `tools:` as `{key}: {{from: {server}}}`");
    }
    let section = space.section();
    match keys.len() {
        0 if space == Space::Case => "name the tool alone: it has no cases".to_owned(),
        _ if space == Space::Section => "name one of the sections that a file may hold".to_owned(),
        1..=8 => {
            let known: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            format!("write one of {}, or define `{key}`", known.join(", "))
        }
        _ if cx.model.stated.contains_key(section) => {
            format!("define `{key}` under `{section}:`, or take the name out")
        }
        _ => format!("add `{section}:` with a definition of `{key}`, or take the name out"),
    }
}

/// The outside server whose pinned list holds a tool of that name.
fn publisher<'a>(cx: &'a Cx<'_>, key: &str) -> Option<&'a str> {
    let mut servers = cx.policy.registry.servers.iter();
    servers.find(|(_, list)| list.tools.contains_key(key)).map(|(server, _)| *server)
}

/// The words of JSON Schema's `type`.
const JSON_TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// `program_id` where `run.program_id` belongs.
fn not_a_run_value(cx: &Cx<'_>, reference: &Reference<'_>) -> Diagnostic {
    let key = reference.to.key;
    let fields = cx.names.keys(Space::RunField, None);
    let bare_key = key.rsplit('.').next().unwrap_or(key);
    let meant = fields.get(bare_key).copied().or_else(|| nearest(bare_key, fields.iter().copied()));
    let finding = Diagnostic::new(
        ID,
        reference.span,
        format!("`{key}` names no value of the run"),
        "`run.` and a field of `run:` belong here",
    );
    let finding = finding.note("a bound input must equal a value of the run's own row, which the model cannot choose");
    match meant {
        Some(field) => finding.help(format!("write `run.{field}`")).fix(
            format!("write `run.{field}`"),
            Applicability::Unsafe,
            reference.span,
            format!("run.{field}"),
        ),
        None => finding.help("write `run.` and the field, and define the field under `run:`"),
    }
}
