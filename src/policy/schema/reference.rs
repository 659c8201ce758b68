//! `$ref`: local JSON pointers only.

use std::collections::{BTreeMap, BTreeSet};

use super::path::Path;
use super::shape::{self, Role};
use super::{Located, Problem, ProblemKind};

/// The JSON pointer of a local reference: the fragment, percent-decoded. Nothing for any other reference.
pub(super) fn pointer(reference: &str) -> Option<String> {
    let fragment = reference.strip_prefix('#')?;
    let decoded = percent_decode(fragment)?;
    (decoded.is_empty() || decoded.starts_with('/')).then_some(decoded)
}

/// Where a schema's own `$ref` leads.
pub(super) fn follow<'t>(root: &'t Located, schema: &Located) -> Option<(String, &'t Located)> {
    let pointer = pointer(schema.get("$ref")?.text()?)?;
    let target = root.at(&pointer)?;
    Some((pointer, target))
}

/// Every fault of the references in `root`.
pub(super) fn check(root: &Located) -> Vec<Problem> {
    let (mut count, mut refers) = (0_u64, false);
    shape::each(root, &mut |_, schema| {
        count += 1;
        refers |= schema.get("$ref").is_some();
    });
    if !refers && count <= MAX_REACH {
        return Vec::new();
    }
    let mut schemas = BTreeMap::new();
    shape::each(root, &mut |at, schema| {
        schemas.insert(at.to_string(), schema);
    });
    let mut problems = Vec::new();
    for (at, schema) in &schemas {
        let Some(reference) = schema.get("$ref") else { continue };
        let place = Path::written(at);
        let at = place.key("$ref");
        let Some(text) = reference.text() else { continue };
        match pointer(text) {
            None => problems.push(foreign(reference, &at, text)),
            Some(target) if !schemas.contains_key(&target) => problems.push(Problem::at(
                ProblemKind::DanglingRef,
                reference,
                &at,
                format!("`{text}` leads to no schema here"),
            )),
            Some(_) => {}
        }
    }
    if problems.is_empty() {
        problems.extend(walk(&schemas));
    }
    problems
}

fn foreign(reference: &Located, at: &Path<'_>, text: &str) -> Problem {
    let detail = format!("`{text}` leads out of this schema");
    let problem = Problem::at(ProblemKind::RemoteRef, reference, at, detail);
    if text.starts_with('#') {
        Problem { detail: format!("`{text}` names an anchor, and only a path can be followed"), ..problem }
            .help("write the path, as in `#/$defs/name`")
    } else {
        problem.help("copy what it stands for under `$defs` and write `#/$defs/name`")
    }
}

/// References that come back to themselves while they still speak of the same value, and places that reach too many.
fn walk(schemas: &BTreeMap<String, &Located>) -> Vec<Problem> {
    let mut walk = Walk { schemas, open: BTreeSet::new(), reach: BTreeMap::new(), problems: Vec::new() };
    for start in schemas.keys() {
        walk.visit(start);
    }
    walk.problems
}

/// No place may ask more schemas than this about one value.
const MAX_REACH: u64 = 1_000;

struct Walk<'w, 't> {
    schemas: &'w BTreeMap<String, &'t Located>,
    open: BTreeSet<String>,
    reach: BTreeMap<String, u64>,
    problems: Vec<Problem>,
}

impl Walk<'_, '_> {
    /// How many schemas the place at a pointer asks about one value, itself among them.
    fn visit(&mut self, at: &str) -> u64 {
        if let Some(known) = self.reach.get(at) {
            return *known;
        }
        let Some(schema) = self.schemas.get(at).copied() else { return 0 };
        self.open.insert(at.to_owned());
        let mut reach = 1_u64;
        let place = Path::written(at);
        for inner in shape::inner(schema) {
            let path = inner.path(&place);
            let same_value = match inner.role {
                Role::InPlace => true,
                Role::Condition => matches!(path.last_key(), Some("not" | "if")),
                Role::Child | Role::Definition => false,
            };
            if same_value {
                reach = reach.saturating_add(self.visit(&path.to_string()));
            }
        }
        if let Some(reference) = schema.get("$ref")
            && let Some(target) = reference.text().and_then(pointer)
        {
            reach = reach.saturating_add(self.follow(reference, at, &target));
        }
        if reach > MAX_REACH {
            let detail = format!("this place asks more than {MAX_REACH} schemas about one value");
            self.problems.push(Problem::at(ProblemKind::TooLarge, schema, &place, detail));
            reach = 1;
        }
        self.open.remove(at);
        self.reach.insert(at.to_owned(), reach);
        reach
    }

    fn follow(&mut self, reference: &Located, at: &str, target: &str) -> u64 {
        if !self.open.contains(target) {
            return self.visit(target);
        }
        let detail = "this reference comes back to itself, so it says nothing";
        let place = Path::written(at);
        let at = place.key("$ref");
        self.problems.push(Problem::at(ProblemKind::RefCycle, reference, &at, detail));
        0
    }
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let high = char::from(bytes.next()?).to_digit(16)?;
            let low = char::from(bytes.next()?).to_digit(16)?;
            decoded.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            decoded.push(byte);
        }
    }
    String::from_utf8(decoded).ok()
}
