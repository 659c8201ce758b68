//! The input gate: the narrowed schema that a run is shown, and whether an input meets it. Formats are checked.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use harnessc_runtime::decide::{Gate, Run};
use jsonschema::Validator;
use serde_json::Value;

use super::decision::Decision;

/// Validators by the schema's text, built once; for one thread.
#[derive(Debug, Default)]
pub struct Schemas(RefCell<BTreeMap<String, Option<Rc<Validator>>>>);

/// So many validators are kept; mutants of a large tree bring ever new ones.
const KEPT: usize = 2_000;

impl Schemas {
    /// The validator of a schema; nothing where the text is none.
    pub fn validator(&self, schema: &str) -> Option<Rc<Validator>> {
        let mut kept = self.0.borrow_mut();
        if let Some(known) = kept.get(schema) {
            return known.clone();
        }
        if kept.len() >= KEPT {
            kept.clear();
        }
        let value: Option<Value> = serde_json::from_str(schema).ok();
        let built = value
            .and_then(|value| jsonschema::options().should_validate_formats(true).build(&value).ok())
            .map(Rc::new);
        kept.insert(schema.to_owned(), built.clone());
        built
    }

    /// Whether an input meets the schema that this run is shown of the tool.
    pub(super) fn input(&self, run: &Run<'_>, tool: &str, input: &Value) -> Option<Decision> {
        let shown = run.list().into_iter().find(|listed| listed.name == tool);
        let Some(validator) = shown.and_then(|listed| listed.input()).and_then(|text| self.validator(&text)) else {
            let said = "the schema that this run is shown cannot be read";
            return Some(Decision::denied_as(Gate::Input, Gate::Input.code(), said));
        };
        let error = validator.iter_errors(input).next()?;
        let place = error.instance_path().to_string();
        let place = if place.is_empty() { "the input".to_owned() } else { format!("`{place}`") };
        Some(Decision::denied_as(Gate::Input, Gate::Input.code(), format!("{place}: {error}")))
    }
}
