//! Every field of a lock is changed, left out and emptied in turn, the digest right again. What still loads is a fact
//! that no proof covers, and each of those stands in `unproved.txt` with the reason why: a new one is noticed here.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::load::load;
use serde_json::Value;

use super::forge::{body, seal};
use crate::oracle::compile;

/// Where keys are names that an author chose; everywhere else a key is a field.
const NAMED: &[&str] = &[
    "approvals.approvers.tools",
    "context_sources",
    "diagnoses",
    "diagnoses.*",
    "duty_templates",
    "effective",
    "effective.*",
    "effective.*.*[].only",
    "engines.phases",
    "harnesses",
    "harnesses.*.toolset[].only",
    "lens_reviews",
    "limits.per_tool",
    "limits.prices",
    "memory_lenses",
    "personas",
    "plan_templates",
    "primitives",
    "prompt.parts",
    "record_types",
    "refusals",
    "refusals.*.forms",
    "roles",
    "rubrics",
    "rubrics.*.criteria",
    "rules",
    "run",
    "servers",
    "skills",
    "sources",
    "status_templates",
    "surfaces",
    "surfaces.*.scopes",
    "tools",
    "tools.*.bind",
    "tools.*.cases.by",
];

/// Raw JSON: what is below belongs to the field.
const RAW: &[&str] = &[
    "effective.*.*[].only.*",
    "harnesses.*.toolset[].only.*",
    "plan_templates.*.steps[].input",
    "run.*",
    "tools.*.input",
    "tools.*.output",
    "tools.*.server.pinned",
];

/// Closed words: one of them becomes each of the others.
const WORDS: &[&[&str]] = &[
    &["auto", "confirm", "four_eyes"],
    &["read", "create", "write", "destructive"],
    &["none", "prose", "structured"],
    &["none", "snapshot"],
    &["input", "before_after"],
    &["inside", "outside"],
    &["allow", "warn", "deny"],
];

/// Where a value stands: the way to it, and the field that this is.
struct Place {
    pointer: String,
    field: String,
}

fn places(value: &Value, pointer: &str, field: &str, found: &mut Vec<Place>) {
    if !field.is_empty() {
        found.push(Place { pointer: pointer.to_owned(), field: field.to_owned() });
    }
    let raw = RAW.contains(&field);
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let key_spelled = key.replace('~', "~0").replace('/', "~1");
                let field = match () {
                    () if raw || field.ends_with('…') => format!("{}…", field.trim_end_matches('…')),
                    () if NAMED.contains(&field) => format!("{field}.*"),
                    () if field.is_empty() => key.clone(),
                    () => format!("{field}.{key}"),
                };
                places(value, &format!("{pointer}/{key_spelled}"), &field, found);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                let field = if field.ends_with('…') { field.to_owned() } else { format!("{field}[]") };
                places(item, &format!("{pointer}/{at}"), &field, found);
            }
        }
        _ => {}
    }
}

/// What is done to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Deed {
    Change,
    Drop,
    Empty,
}

impl Deed {
    fn word(self) -> &'static str {
        match self {
            Self::Change => "change",
            Self::Drop => "drop",
            Self::Empty => "empty",
        }
    }
}

/// Every way of changing one value, and of leaving it out.
fn forgeries(lock: &Value, place: &Place, siblings: &BTreeSet<String>) -> Vec<(Deed, Value)> {
    let value = lock.pointer(&place.pointer).unwrap();
    let mut changed: Vec<(Deed, Value)> = Vec::new();
    match value {
        Value::String(text) => {
            let words =
                WORDS.iter().filter(|words| words.contains(&text.as_str())).flat_map(|words| words.iter());
            let others = words.map(|word| (*word).to_owned());
            let digest =
                text.starts_with("sha256:").then(|| harnessc_runtime::lock::digest_of(text.as_bytes()));
            let others = others.chain(digest).chain([format!("{text}x")]).chain(siblings.iter().cloned());
            changed.extend(others.filter(|other| other != text).map(|other| (Deed::Change, other.into())));
        }
        Value::Bool(flag) => changed.push((Deed::Change, (!flag).into())),
        Value::Number(number) => {
            changed.push((Deed::Change, (number.as_u64().unwrap() + 1).into()));
            changed.push((Deed::Change, 0.into()));
        }
        Value::Array(items) if !items.is_empty() => changed.push((Deed::Empty, Value::Array(Vec::new()))),
        Value::Object(map) if !map.is_empty() => {
            changed.push((Deed::Empty, Value::Object(Default::default())))
        }
        Value::Null | Value::Array(_) | Value::Object(_) => {}
    }
    let put = |(deed, other): (Deed, Value)| {
        let mut lock = lock.clone();
        *lock.pointer_mut(&place.pointer).unwrap() = other;
        (deed, lock)
    };
    let mut forged: Vec<_> = changed.into_iter().map(put).collect();
    forged.push((Deed::Drop, without(lock, &place.pointer)));
    forged
}

fn without(lock: &Value, pointer: &str) -> Value {
    let mut lock = lock.clone();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match lock.pointer_mut(parent).unwrap() {
        Value::Object(map) => drop(map.remove(&key.replace("~1", "/").replace("~0", "~")).unwrap()),
        Value::Array(items) => drop(items.remove(key.parse().unwrap())),
        other => panic!("{pointer}: {other}"),
    }
    lock
}

/// Field → places, and the texts that stand in them.
fn fields(lock: &Value) -> BTreeMap<String, (Vec<Place>, BTreeSet<String>)> {
    let mut found = Vec::new();
    places(lock, "", "", &mut found);
    let mut fields: BTreeMap<String, (Vec<Place>, BTreeSet<String>)> = BTreeMap::new();
    for place in found {
        let (places, texts) = fields.entry(place.field.clone()).or_default();
        // Two other words of the same field are enough: they are there, and they are not this one.
        if let Some(text) = lock.pointer(&place.pointer).and_then(Value::as_str).filter(|_| texts.len() < 3) {
            texts.insert(text.to_owned());
        }
        places.push(place);
    }
    fields
}

/// Field → what can be done to it in a lock that still loads.
fn unproved() -> BTreeMap<String, BTreeSet<&'static str>> {
    let root = compile::own("whole");
    let trust = compile::trust(&root);
    let lock = body(&compile::compile(&root));
    load(&seal(&lock), &trust, None).unwrap();
    let mut unproved: BTreeMap<String, BTreeSet<&'static str>> = BTreeMap::new();
    for (field, (places, texts)) in fields(&lock) {
        let mut loaded = BTreeSet::new();
        for place in &places {
            for (deed, forged) in forgeries(&lock, place, &texts) {
                if !loaded.contains(deed.word()) && load(&seal(&forged), &trust, None).is_ok() {
                    loaded.insert(deed.word());
                }
            }
        }
        if !loaded.is_empty() {
            unproved.insert(field, loaded);
        }
    }
    unproved
}

/// The committed list: a field, what can be done to it, and why no proof can tell.
fn stated() -> BTreeMap<String, BTreeSet<&'static str>> {
    let lines =
        include_str!("unproved.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let line = |line: &'static str| {
        let (fact, why) = line.split_once(" -- ").unwrap_or_else(|| panic!("no reason: {line}"));
        assert!(why.trim().split(' ').count() > 1, "no reason: {line}");
        let mut words = fact.split_whitespace();
        (words.next().unwrap().to_owned(), words.collect())
    };
    lines.map(line).collect()
}

#[test]
fn every_field_is_proved_or_known_not_to_be() {
    let (found, stated) = (unproved(), stated());
    let told = |of: &BTreeMap<String, BTreeSet<&str>>,
                but: &BTreeMap<String, BTreeSet<&str>>|
     -> Vec<String> {
        let differs = of.iter().filter(|(field, deeds)| but.get(*field) != Some(deeds));
        differs.map(|(field, deeds)| format!("{field} {}", Vec::from_iter(deeds.clone()).join(" "))).collect()
    };
    let (more, less) = (told(&found, &stated), told(&stated, &found));
    assert!(
        more.is_empty() && less.is_empty(),
        "loads, and is not in the list so:\n{}\n\nis in the list, and does not load so:\n{}\n",
        more.join("\n"),
        less.join("\n")
    );
}

/// The small tree has every field that the console has, so that what is asked of the one holds for the other.
#[test]
fn the_small_tree_has_every_field_of_the_console() {
    let own = fields(&body(&compile::compile(&compile::own("whole"))));
    let console = fields(&body(compile::console_lock()));
    let missing: Vec<&String> = console.keys().filter(|field| !own.contains_key(*field)).collect();
    assert_eq!(missing, [""; 0]);
}
