//! What a schema leaves loose, noted for the rules that warn of it.

use super::path::Path;
use super::pattern;
use super::shape::{self, Role};
use super::{Located, OUTPUT_CAP, Problem, ProblemKind, Purpose};

/// Keys that announce prose, whatever their schema says.
const PROSE: [&str; 7] = ["text", "description", "abstract", "summary", "body", "function", "caption"];

/// The facts of a tree as written; none for a narrowing.
pub(super) fn find(root: &Located, purpose: Purpose) -> Vec<Problem> {
    let mut found = Vec::new();
    walk(root, &Path::ROOT, &mut |pointer, schema| match purpose {
        Purpose::Input | Purpose::Restated => found.extend(loose(pointer, schema)),
        Purpose::Output => found.extend(prose(pointer, schema)),
        Purpose::Narrowing | Purpose::RunField | Purpose::StepInput => {}
    });
    found
}

/// Every schema that makes a demand: conditions are left out.
fn walk<'t>(schema: &'t Located, pointer: &Path<'_>, visit: &mut dyn FnMut(&Path<'_>, &'t Located)) {
    visit(pointer, schema);
    for inner in shape::inner(schema).iter().filter(|inner| inner.role != Role::Condition) {
        walk(inner.schema, &inner.path(pointer), visit);
    }
}

fn loose(pointer: &Path<'_>, schema: &Located) -> Vec<Problem> {
    if shape::is_finite(schema) {
        return Vec::new();
    }
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| schema.get(keyword).is_some());
    let mut found = Vec::new();
    let mut note = |kind, detail: &str, help: &str| {
        found.push(Problem::at(kind, schema, pointer, detail).help(help));
    };
    for word in shape::type_words(schema) {
        match word {
            "string" if !has(&["maxLength"]) && !bounded_by_pattern(schema) && !bounded_by_format(schema) => {
                note(
                    ProblemKind::LooseString,
                    "this string has no bound of its own and gets the default cap",
                    "add `maxLength:`",
                )
            }
            "integer" | "number" => {
                let low = has(&["minimum", "exclusiveMinimum"]);
                let high = has(&["maximum", "exclusiveMaximum"]);
                if !(low && high) {
                    let side = match (low, high) {
                        (true, _) => "this number has no upper bound",
                        (_, true) => "this number has no lower bound",
                        _ => "this number has no bounds",
                    };
                    note(ProblemKind::LooseNumber, side, "add `minimum:` and `maximum:`");
                }
            }
            "array" if !has(&["maxItems"]) => {
                note(ProblemKind::LooseArray, "this array can have any number of items", "add `maxItems:`");
            }
            _ => {}
        }
    }
    found
}

fn bounded_by_pattern(schema: &Located) -> bool {
    let pattern = schema.get("pattern").and_then(Located::text);
    pattern.and_then(|text| pattern::judge(text).ok()).is_some_and(pattern::Pattern::bounds)
}

/// Formats that are asserted and leave a text no length of its own.
fn bounded_by_format(schema: &Located) -> bool {
    let format = schema.get("format").and_then(Located::text);
    format.is_some_and(|format| matches!(format, "uuid" | "date" | "time" | "date-time"))
}

fn prose(pointer: &Path<'_>, schema: &Located) -> Vec<Problem> {
    let Some(properties) = schema.get("properties") else { return Vec::new() };
    let at = pointer.key("properties");
    let announced =
        properties.entries().iter().filter(|(name, _)| PROSE.contains(&name.to_lowercase().as_str()));
    announced
        .map(|(name, part)| {
            let detail = format!(
                "`{name}` is a name for prose, and prose cannot be trusted for its {OUTPUT_CAP} characters"
            );
            let problem = Problem::at_key(ProblemKind::ProseKey, part, &at.key(name), detail);
            problem.help("leave the field out, or give the tool to a role that reads untrusted text")
        })
        .collect()
}
