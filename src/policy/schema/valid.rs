//! Whether a schema is valid by its draft's meta-schema. Validators of the schemas themselves are never compiled here.

use std::collections::BTreeSet;

use jsonschema::error::{TypeKind, ValidationError, ValidationErrorKind};
use jsonschema::meta::MetaValidator;
use serde_json::Value;

use super::dialect::Dialect;
use super::path::Path;
use super::{Located, Problem, ProblemKind};

/// What the meta-schema refuses, one problem a place; places in `known` have theirs already.
pub(super) fn check(root: &Located, dialect: Dialect, known: &[Problem]) -> Vec<Problem> {
    let validator: MetaValidator<'static> = match dialect {
        Dialect::Draft4 => jsonschema::draft4::meta::validator(),
        Dialect::Draft6 => jsonschema::draft6::meta::validator(),
        Dialect::Draft7 => jsonschema::draft7::meta::validator(),
        Dialect::Draft2019 => jsonschema::draft201909::meta::validator(),
        Dialect::Draft2020 => jsonschema::draft202012::meta::validator(),
    };
    let value = root.value();
    if validator.is_valid(&value) {
        return Vec::new();
    }
    let mut seen: BTreeSet<String> = known.iter().map(|problem| problem.pointer.clone()).collect();
    let mut problems = Vec::new();
    for error in validator.iter_errors(&value) {
        let pointer = error.instance_path().as_str().to_owned();
        let part = root.nearest(&pointer);
        if seen.insert(pointer.clone()) {
            problems.push(Problem::at(
                ProblemKind::Invalid,
                part,
                &Path::written(&pointer),
                detail(&error, &pointer),
            ));
        }
    }
    problems
}

/// What is wrong, said of the keyword it is wrong with.
fn detail(error: &ValidationError<'_>, pointer: &str) -> String {
    let keyword = pointer.split('/').rfind(|step| step.parse::<usize>().is_err()).unwrap_or("");
    if keyword.is_empty() {
        return format!("this is no valid schema: {error}");
    }
    match error.kind() {
        ValidationErrorKind::Type { kind: TypeKind::Single(wanted) } => {
            format!(
                "`{keyword}` takes {}, and this is {}",
                article(&wanted.to_string()),
                what(error.instance())
            )
        }
        ValidationErrorKind::Minimum { limit } => format!("`{keyword}` takes no number below {limit}"),
        ValidationErrorKind::ExclusiveMinimum { limit } => {
            format!("`{keyword}` takes a number above {limit}")
        }
        ValidationErrorKind::MinItems { limit: 1 } => format!("`{keyword}` takes at least one entry"),
        ValidationErrorKind::UniqueItems => format!("`{keyword}` names the same thing twice"),
        _ => format!("this `{keyword}` is not valid JSON Schema: {error}"),
    }
}

fn article(word: &str) -> &str {
    match word {
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "text",
        "boolean" => "`true` or `false`",
        "array" => "a list",
        "object" => "a mapping",
        other => other,
    }
}

fn what(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}
