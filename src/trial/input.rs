//! Validators as the runtime compiles them, each schema once, whatever lock it stands in.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use harnessc_runtime::boundary::validate::JsonSchema;
use harnessc_runtime::boundary::{Compile, Compiled, InputFault};
use harnessc_runtime::json::Json;
use serde_json::Value;

/// Validators by the schema's text; threads share them.
#[derive(Clone, Debug, Default)]
pub struct Schemas(Arc<Mutex<BTreeMap<String, Option<One>>>>);

/// So many validators are kept; mutants of a large tree bring ever new ones.
const KEPT: usize = 2_000;

/// A validator that several locks share.
#[derive(Clone, Debug)]
struct One(Arc<dyn Compiled>);

impl Compiled for One {
    fn check(&self, input: &Json) -> Result<(), InputFault> {
        self.0.check(input)
    }
}

impl Compile for Schemas {
    fn compile(&self, schema: &str) -> Option<Box<dyn Compiled>> {
        Some(Box::new(self.one(schema)?))
    }
}

impl Schemas {
    fn one(&self, schema: &str) -> Option<One> {
        // A thread that stopped while it held the lock left whole entries behind.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.get(schema) {
            return known.clone();
        }
        if kept.len() >= KEPT {
            kept.clear();
        }
        let built = JsonSchema.compile(schema).map(|compiled| One(Arc::from(compiled)));
        kept.insert(schema.to_owned(), built.clone());
        built
    }

    /// Says of an input whether a schema accepts it; nothing where the schema cannot be checked.
    pub(super) fn asker(&self, schema: &str) -> Option<impl Fn(&Value) -> bool + use<>> {
        let one = self.one(schema)?;
        Some(move |input: &Value| Json::of(input).is_ok_and(|input| one.check(&input).is_ok()))
    }
}
