//! The drafts of JSON Schema, and their translation to 2020-12.
//!
//! The translation is exact: it accepts the same values. What a draft does not know it ignores, so that is left out; what
//! would change what a reference means (`$id` inside, dynamic references) is refused.

use serde_json::Value;

use super::located::{Part, steps};
use super::path::Path;
use super::reference;
use super::shape::{Spot, spot};
use super::{Located, Problem, ProblemKind};

/// A draft, older ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dialect {
    Draft4,
    Draft6,
    Draft7,
    Draft2019,
    Draft2020,
}

impl Dialect {
    /// The draft that a schema's root names; 2020-12 where it names none.
    pub(super) fn of(root: &Located) -> Result<Self, Problem> {
        let Some(named) = root.get("$schema") else { return Ok(Self::Draft2020) };
        let text = named.text().unwrap_or("");
        let bare = text.strip_suffix('#').unwrap_or(text);
        let bare = bare.strip_prefix("http://").or_else(|| bare.strip_prefix("https://")).unwrap_or(bare);
        Ok(match bare {
            "json-schema.org/draft-04/schema" => Self::Draft4,
            "json-schema.org/draft-06/schema" => Self::Draft6,
            "json-schema.org/draft-07/schema" => Self::Draft7,
            "json-schema.org/draft/2019-09/schema" => Self::Draft2019,
            "json-schema.org/draft/2020-12/schema" => Self::Draft2020,
            _ => {
                let detail = format!("`{text}` is no draft of JSON Schema from 04 to 2020-12");
                return Err(Problem::at(ProblemKind::Invalid, named, &Path::written("/$schema"), detail)
                    .help("leave `$schema` out: 2020-12 is what is meant without it"));
            }
        })
    }

    /// Whether this draft gives `keyword` a meaning, or keeps it as a note worth keeping.
    fn knows(self, keyword: &str) -> bool {
        match keyword {
            "type"
            | "properties"
            | "required"
            | "enum"
            | "items"
            | "minItems"
            | "maxItems"
            | "uniqueItems"
            | "minLength"
            | "maxLength"
            | "pattern"
            | "format"
            | "minimum"
            | "maximum"
            | "exclusiveMinimum"
            | "exclusiveMaximum"
            | "multipleOf"
            | "oneOf"
            | "anyOf"
            | "allOf"
            | "not"
            | "patternProperties"
            | "additionalProperties"
            | "minProperties"
            | "maxProperties"
            | "$ref"
            | "title"
            | "description"
            | "default"
            | "definitions"
            | "$defs"
            | "untrusted_title" => true,
            "const" | "contains" | "propertyNames" | "examples" => self >= Self::Draft6,
            "if" | "then" | "else" => self >= Self::Draft7,
            "dependentRequired"
            | "dependentSchemas"
            | "unevaluatedProperties"
            | "unevaluatedItems"
            | "minContains"
            | "maxContains"
            | "deprecated" => self >= Self::Draft2019,
            "prefixItems" => self >= Self::Draft2020,
            _ => false,
        }
    }
}

/// The tree in 2020-12, and what keeps it from being read so.
pub(super) fn translate(root: &Located, dialect: Dialect) -> (Located, Vec<Problem>) {
    let mut translator = Translator { root, dialect, problems: Vec::new() };
    let tree = translator.schema(root, &Path::ROOT);
    (tree, translator.problems)
}

struct Translator<'t> {
    root: &'t Located,
    dialect: Dialect,
    problems: Vec<Problem>,
}

impl Translator<'_> {
    fn schema(&mut self, schema: &Located, pointer: &Path<'_>) -> Located {
        if !schema.is_map() {
            return schema.clone();
        }
        let alone = self.dialect <= Dialect::Draft7 && schema.get("$ref").is_some();
        let mut parts = Vec::with_capacity(schema.entries().len());
        for (keyword, value) in schema.entries() {
            let at = pointer.key(keyword);
            if alone
                && !matches!(keyword.as_str(), "$ref" | "definitions" | "$defs" | "title" | "description")
            {
                continue;
            }
            self.refuse(keyword, value, &at);
            match keyword.as_str() {
                "$ref" => parts.push((keyword.clone(), self.reference(value))),
                "items" if value.is_list() => {
                    parts.push(("prefixItems".to_owned(), self.inside(Spot::Schemas, value, &at)));
                }
                "additionalItems"
                    if self.dialect <= Dialect::Draft2019
                        && schema.get("items").is_some_and(Located::is_list) =>
                {
                    parts.push(("items".to_owned(), self.schema(value, &at)));
                }
                "dependencies" if self.dialect <= Dialect::Draft7 => {
                    parts.extend(self.dependencies(value, &at));
                }
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum"
                    if self.dialect == Dialect::Draft4 =>
                {
                    parts.extend(bound_of_draft_4(schema, keyword, value));
                }
                _ if self.dialect.knows(keyword) => {
                    parts.push((keyword.clone(), self.inside(spot(keyword), value, &at)));
                }
                _ => {}
            }
        }
        Located { part: Part::Map(parts), ..hollow(schema) }
    }

    fn inside(&mut self, spot: Spot, value: &Located, pointer: &Path<'_>) -> Located {
        match (spot, &value.part) {
            (Spot::Schema | Spot::SchemaOrList, _) => self.schema(value, pointer),
            (Spot::Schemas, Part::List(items)) => {
                let items = items.iter().enumerate();
                let part =
                    Part::List(items.map(|(index, item)| self.schema(item, &pointer.item(index))).collect());
                Located { part, ..hollow(value) }
            }
            (Spot::SchemaMap, Part::Map(entries)) => {
                let entries = entries.iter();
                let part = Part::Map(
                    entries
                        .map(|(name, item)| (name.clone(), self.schema(item, &pointer.key(name))))
                        .collect(),
                );
                Located { part, ..hollow(value) }
            }
            _ => value.clone(),
        }
    }

    fn dependencies(&mut self, value: &Located, pointer: &Path<'_>) -> Vec<(String, Located)> {
        let (names, schemas): (Vec<_>, Vec<_>) =
            value.entries().iter().cloned().partition(|(_, item)| item.is_list());
        let schemas: Vec<_> = schemas
            .into_iter()
            .map(|(name, item)| (name.clone(), self.schema(&item, &pointer.key(&name))))
            .collect();
        [("dependentRequired", names), ("dependentSchemas", schemas)]
            .into_iter()
            .filter(|(_, entries)| !entries.is_empty())
            .map(|(keyword, entries)| {
                (keyword.to_owned(), Located { part: Part::Map(entries), ..hollow(value) })
            })
            .collect()
    }

    /// A reference's path, in the new names of the places it passes.
    fn reference(&self, value: &Located) -> Located {
        let Some(old) = value.text().and_then(reference::pointer) else { return value.clone() };
        let mut new = String::new();
        let mut part = Some(self.root);
        let mut keyword = true;
        for step in steps(&old) {
            let next = part.and_then(|part| part.at(&Path::ROOT.key(&step).to_string()));
            let here = if keyword { spot(&step) } else { Spot::Data };
            let renamed = match step.as_str() {
                "items" if keyword && next.is_some_and(Located::is_list) => "prefixItems",
                "additionalItems" if keyword && self.dialect <= Dialect::Draft2019 => "items",
                "dependencies" if keyword && self.dialect <= Dialect::Draft7 => "dependentSchemas",
                other => other,
            };
            new = Path::written(&new).key(renamed).to_string();
            let single =
                here == Spot::Schema || (here == Spot::SchemaOrList && !next.is_some_and(Located::is_list));
            keyword = if keyword { single } else { true };
            part = next;
        }
        let encoded = new.replace('%', "%25");
        Located { part: Part::Scalar(Value::String(format!("#{encoded}"))), ..hollow(value) }
    }

    fn refuse(&mut self, keyword: &str, value: &Located, at: &Path<'_>) {
        let why = match keyword {
            "$id" | "id" if at.depth() > 1 && keyword == self.id() && value.text().is_some() => {
                "gives a part of the schema an address of its own, so references inside it cannot be followed"
            }
            "$dynamicRef" if self.dialect >= Dialect::Draft2020 => {
                "makes a reference that only a call can resolve"
            }
            "$recursiveRef" if self.dialect == Dialect::Draft2019 => {
                "makes a reference that only a call can resolve"
            }
            "dependencies" if self.dialect >= Dialect::Draft2019 => {
                "is a keyword of draft-07, which this schema does not name in `$schema`"
            }
            _ => return,
        };
        let detail = format!("`{keyword}` {why}");
        self.problems.push(Problem::at_key(ProblemKind::CannotClose, value, at, detail));
    }

    fn id(&self) -> &'static str {
        if self.dialect == Dialect::Draft4 { "id" } else { "$id" }
    }
}

/// Draft 04 says with a boolean whether `minimum` and `maximum` are themselves excluded.
fn bound_of_draft_4(schema: &Located, keyword: &str, value: &Located) -> Option<(String, Located)> {
    let exclusive = match keyword {
        "minimum" => "exclusiveMinimum",
        "maximum" => "exclusiveMaximum",
        _ => return None,
    };
    let excluded = schema.get(exclusive).and_then(Located::boolean).unwrap_or(false);
    Some((if excluded { exclusive } else { keyword }.to_owned(), value.clone()))
}

/// The place of `part` without its content.
fn hollow(part: &Located) -> Located {
    Located { span: part.span, key: part.key, via: part.via, part: Part::Scalar(Value::Null) }
}
