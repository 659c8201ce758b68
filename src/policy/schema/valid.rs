//! Whether a schema is valid by its draft's meta-schema. Validators are never compiled here.

use std::collections::BTreeSet;

use jsonschema::meta::MetaValidator;

use super::dialect::Dialect;
use super::{Located, Problem, ProblemKind};

/// What the meta-schema refuses, one problem a place.
pub(super) fn check(root: &Located, dialect: Dialect) -> Vec<Problem> {
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
    let mut seen = BTreeSet::new();
    let mut problems = Vec::new();
    for error in validator.iter_errors(&value) {
        let pointer = error.instance_path().as_str().to_owned();
        let part = root.nearest(&pointer);
        if seen.insert(pointer.clone()) {
            let last = pointer.rsplit('/').next().unwrap_or("");
            let detail = if last.is_empty() {
                format!("this is no valid schema: {error}")
            } else {
                format!("this `{last}` is not valid JSON Schema: {error}")
            };
            problems.push(Problem::at(ProblemKind::Invalid, part, &pointer, detail));
        }
    }
    problems
}
