//! What a schema may use: the language's own subset, and for pinned inputs what can be shown to close.

use std::collections::BTreeSet;

use super::path::Path;
use super::pattern;
use super::problem::nearest;
use super::shape::{self, Kinds, Shapes};
use super::{Located, Origin, Problem, ProblemKind, Purpose};

/// The formats that are asserted.
pub(super) const FORMATS: [&str; 6] = ["date-time", "date", "time", "email", "uuid", "uri"];

/// The keywords of own schemas and of all outputs.
const SUBSET: [&str; 31] = [
    "type",
    "properties",
    "required",
    "enum",
    "const",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "oneOf",
    "anyOf",
    "$defs",
    "definitions",
    "$ref",
    "title",
    "description",
    "default",
    "examples",
    "untrusted_title",
    "additionalProperties",
    "unevaluatedProperties",
    "maxProperties",
];

/// Keywords that mean something to a validator and are not in the subset: in an outside server's output these are refused,
/// while its other extra words are notes.
const BEYOND: [&str; 19] = [
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "patternProperties",
    "propertyNames",
    "contains",
    "minContains",
    "maxContains",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "minProperties",
    "$dynamicRef",
    "$recursiveRef",
];

/// Checks the tree as written.
pub(super) fn check(root: &Located, origin: Origin, purpose: Purpose) -> Vec<Problem> {
    let mut checker = Checker { root, shapes: Shapes::new(root), origin, purpose, problems: Vec::new() };
    checker.root();
    shape::each(root, &mut |pointer, schema| checker.schema(pointer, schema));
    checker.problems
}

struct Checker<'t> {
    root: &'t Located,
    shapes: Shapes<'t>,
    origin: Origin,
    purpose: Purpose,
    problems: Vec<Problem>,
}

impl Checker<'_> {
    fn strict(&self) -> bool {
        self.origin == Origin::Own || self.purpose == Purpose::Output
    }

    fn root(&mut self) {
        let kinds = self.shapes.kinds(self.root);
        let (kind, detail) = match self.purpose {
            Purpose::Input if self.root.boolean().is_some() || !kinds.meets(Kinds::OBJECT) => {
                (ProblemKind::NotAnObject, "a tool's input is an object, and this schema is not one's")
            }
            Purpose::Input if self.origin == Origin::Own && kinds != Kinds::OBJECT => {
                (ProblemKind::NotAnObject, "a tool's input is an object and nothing else")
            }
            Purpose::RunField if !kinds.scalar() => {
                (ProblemKind::NotAScalar, "a field of a run is a single value, no object and no array")
            }
            _ => return,
        };
        let problem = Problem::at(kind, self.root, &Path::ROOT, detail);
        self.problems.push(if kind == ProblemKind::NotAnObject {
            problem.help("write `{properties: {…}}`")
        } else {
            problem
        });
    }

    fn schema(&mut self, pointer: &Path<'_>, schema: &Located) {
        self.types(pointer, schema);
        self.pattern(pointer, schema);
        if !self.strict() {
            return;
        }
        for (keyword, value) in schema.entries() {
            self.keyword(pointer, keyword, value);
        }
        self.typed(pointer, schema);
        self.open(pointer, schema);
        self.format(pointer, schema);
        if self.origin == Origin::Own {
            self.ghosts(pointer, schema);
        }
    }

    fn types(&mut self, pointer: &Path<'_>, schema: &Located) {
        let Some(stated) = schema.get("type") else { return };
        let at = pointer.key("type");
        let words = if stated.is_list() { stated.items() } else { std::slice::from_ref(stated) };
        for word in words {
            let Some(text) = word.text() else {
                let detail = "`type` takes one of the seven words of JSON Schema";
                self.problems.push(Problem::at(ProblemKind::Invalid, word, &at, detail));
                continue;
            };
            if Kinds::named(text).is_none() {
                let known = ["string", "integer", "number", "boolean", "array", "object", "null"];
                let problem =
                    Problem::at(ProblemKind::Invalid, word, &at, format!("`{text}` is no JSON type"));
                let near = nearest(text, known).or(match text {
                    "str" | "text" => Some("string"),
                    "int" | "long" => Some("integer"),
                    "float" | "double" => Some("number"),
                    "list" => Some("array"),
                    "map" | "dict" => Some("object"),
                    _ => None,
                });
                self.problems.push(match near {
                    Some(near) => problem.help(format!("did you mean `{near}`?")),
                    None => problem.help(format!("write one of `{}`", known.join("`, `"))),
                });
            }
        }
    }

    fn pattern(&mut self, pointer: &Path<'_>, schema: &Located) {
        let Some(stated) = schema.get("pattern") else { return };
        let Some(text) = stated.text() else { return };
        let at = pointer.key("pattern");
        match pattern::judge(text) {
            Err(why) => {
                let detail = format!("the pattern `{text}` {why}");
                self.problems.push(Problem::at(ProblemKind::BadPattern, stated, &at, detail));
            }
            Ok(judged) if !judged.anchored => {
                let detail = format!("the pattern `{text}` matches anywhere in a text, not the whole of it");
                let problem = Problem::at(ProblemKind::UnanchoredPattern, stated, &at, detail);
                self.problems.push(problem.help(format!("write `{}`", anchor(text))));
            }
            Ok(_) => {}
        }
    }

    fn keyword(&mut self, pointer: &Path<'_>, keyword: &str, value: &Located) {
        let at = pointer.key(keyword);
        let known = SUBSET.contains(&keyword) || (keyword == "$schema" && pointer.depth() == 0);
        let note = self.origin == Origin::Pinned && !BEYOND.contains(&keyword);
        if !known && !note {
            let detail = if BEYOND.contains(&keyword) {
                format!("`{keyword}` is outside what schemas may use here")
            } else {
                format!("`{keyword}` is no keyword that schemas have here")
            };
            let problem = Problem::at_key(ProblemKind::OutsideSubset, value, &at, detail);
            self.problems.push(match nearest(keyword, SUBSET) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem.help(instead(keyword)),
            });
        }
        let wrong = match keyword {
            "untrusted_title" if self.origin == Origin::Own && value.boolean() != Some(true) => {
                "`untrusted_title` is `true` or absent"
            }
            "unevaluatedProperties" if value.boolean() != Some(false) && self.origin == Origin::Own => {
                "`unevaluatedProperties` can only be `false` here, and that is what closing adds by itself"
            }
            _ => return,
        };
        self.problems.push(Problem::at(ProblemKind::OutsideSubset, value, &at, wrong));
    }

    /// Every place says what it is.
    fn typed(&mut self, pointer: &Path<'_>, schema: &Located) {
        let stated = ["type", "enum", "const", "$ref", "anyOf", "oneOf"];
        // `additionalProperties: {}` says the same as `true`, and is found as that.
        let open = schema.entries().is_empty() && pointer.last_key() == Some("additionalProperties");
        if schema.is_map() && !open && !stated.iter().any(|keyword| schema.get(keyword).is_some()) {
            let detail = "this place has no type, so anything would fit";
            let problem = Problem::at(ProblemKind::MissingType, schema, pointer, detail);
            self.problems.push(problem.help("add `type:`"));
        }
        if schema.boolean() == Some(true) && pointer.last_key() != Some("additionalProperties") {
            let detail = "`true` in place of a schema allows anything";
            self.problems.push(Problem::at(ProblemKind::MissingType, schema, pointer, detail));
        }
        let array = shape::type_words(schema).contains(&"array");
        let composed = ["anyOf", "oneOf", "$ref"].iter().any(|keyword| schema.get(keyword).is_some());
        if array && !composed && schema.get("items").is_none() && !shape::is_finite(schema) {
            let detail = "this array does not say what its items are";
            let problem = Problem::at(ProblemKind::MissingType, schema, pointer, detail);
            self.problems.push(problem.help("add `items:`"));
        }
    }

    /// `additionalProperties`: false, or the map form.
    fn open(&mut self, pointer: &Path<'_>, schema: &Located) {
        let Some(extra) = schema.get("additionalProperties") else { return };
        let at = pointer.key("additionalProperties");
        if extra.boolean() == Some(false) {
            return;
        }
        if extra.boolean() == Some(true) || (extra.is_map() && extra.entries().is_empty()) {
            if self.origin == Origin::Own {
                let detail = "an object that takes any further property cannot be closed";
                let problem = Problem::at(ProblemKind::OpenObject, extra, &at, detail);
                self.problems.push(problem.help("name its properties, or take the line out"));
            }
            return;
        }
        let scalar = self.shapes.kinds(extra).scalar();
        if self.origin == Origin::Own && (schema.get("maxProperties").is_none() || !scalar) {
            let detail = "a map says how many entries it has at most, and its values are single values";
            let problem = Problem::at_key(ProblemKind::LooseMap, extra, &at, detail);
            let help = if scalar { "add `maxProperties:`" } else { "name the properties instead" };
            self.problems.push(problem.help(help));
        }
    }

    fn format(&mut self, pointer: &Path<'_>, schema: &Located) {
        let Some(stated) = schema.get("format") else { return };
        let Some(text) = stated.text().filter(|text| !FORMATS.contains(text)) else { return };
        if self.origin == Origin::Pinned {
            return;
        }
        let detail = format!("the format `{text}` is not checked, so it would promise what nothing holds");
        let problem = Problem::at(ProblemKind::UnknownFormat, stated, &pointer.key("format"), detail);
        self.problems.push(match nearest(text, FORMATS) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem.help(format!("take one of `{}`, or a `pattern`", FORMATS.join("`, `"))),
        });
    }

    /// A required property that is not declared can never be given once the object is closed.
    fn ghosts(&mut self, pointer: &Path<'_>, schema: &Located) {
        let (Some(required), Some(declared)) = (schema.get("required"), schema.get("properties")) else {
            return;
        };
        let composed = ["anyOf", "oneOf", "$ref", "additionalProperties"];
        if composed
            .iter()
            .any(|keyword| schema.get(keyword).is_some_and(|part| part.boolean() != Some(false)))
        {
            return;
        }
        let names: BTreeSet<&str> = declared.entries().iter().map(|(name, _)| name.as_str()).collect();
        for name in required.items() {
            let Some(text) = name.text().filter(|text| !names.contains(text)) else { continue };
            let detail = format!("`{text}` is required, and no property has that name");
            let problem = Problem::at(ProblemKind::Invalid, name, &pointer.key("required"), detail);
            self.problems.push(match nearest(text, names.iter().copied()) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem.help(format!("declare `{text}` under `properties`")),
            });
        }
    }
}

/// What to write in place of a keyword that is not to be had.
fn instead(keyword: &str) -> &'static str {
    match keyword {
        "allOf" => "write its parts into one schema",
        "patternProperties" | "propertyNames" => {
            "name the properties, or use `maxProperties` with `additionalProperties`"
        }
        "if" | "then" | "else" | "dependentSchemas" | "dependentRequired" | "dependencies" | "not" => {
            "write the cases under `oneOf`"
        }
        "nullable" => "write `type: [string, \"null\"]`",
        _ => "take it out",
    }
}

/// The pattern with both anchors, where it can be read with them.
pub fn anchored(pattern: &str) -> Option<String> {
    let anchored = anchor(pattern);
    pattern::judge(&anchored).is_ok_and(|judged| judged.anchored).then_some(anchored)
}

fn anchor(pattern: &str) -> String {
    let inner = pattern.strip_prefix('^').unwrap_or(pattern);
    let inner = if inner.ends_with("\\$") { inner } else { inner.strip_suffix('$').unwrap_or(inner) };
    if inner.contains('|') { format!("^(?:{inner})$") } else { format!("^{inner}$") }
}
