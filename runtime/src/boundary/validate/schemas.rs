//! The validators of one lock: a tool's schema and each cell's narrowing, each compiled once, when first needed, and
//! shared by all threads.
//!
//! An input meets both, one after the other, so that a narrowing can take away and never add.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::{Compile, Compiled, InputFault};
use crate::Bundle;
use crate::json::Json;
use crate::lock::{Cell, RawJson};

type Slot = OnceLock<Option<Box<dyn Compiled>>>;

#[derive(Debug)]
pub(crate) struct Schemas {
    compiler: Arc<dyn Compile>,
    /// Of the run's own fields.
    fields: BTreeMap<String, Slot>,
    /// By harness, role and deed number; a cell without `only` has none.
    narrowings: BTreeMap<(usize, usize, usize), Slot>,
    /// By the number of the tool's first deed.
    tools: Vec<Slot>,
}

/// What became of the check.
pub(crate) enum Checked {
    Fits,
    Invalid(InputFault),
    Unchecked,
}

impl Schemas {
    pub(crate) fn of(bundle: &Bundle, compiler: Arc<dyn Compile>) -> Self {
        let index = bundle.index();
        let mut narrowings = BTreeMap::new();
        for harness in index.harnesses() {
            let narrowed = harness.narrowed.iter();
            narrowings.extend(narrowed.map(|(role, deed)| ((harness.number, *role, *deed), Slot::new())));
        }
        let tools = (0..index.count()).map(|_| Slot::new()).collect();
        let fields = bundle.lock().run.keys().map(|name| (name.clone(), Slot::new())).collect();
        Self { compiler, fields, narrowings, tools }
    }

    /// Checks an input against the schema of its tool, whose first deed has this number, and the narrowing of its cell.
    pub(crate) fn check(
        &self,
        (first, schema): (usize, &RawJson),
        (place, cell): ((usize, usize, usize), &Cell),
        input: &Json,
    ) -> Checked {
        match self.check_tool((first, schema), input) {
            Checked::Fits if cell.only.is_empty() => Checked::Fits,
            Checked::Fits => match self.narrowings.get(&place) {
                Some(slot) => self.ask(slot, || narrowing(cell), input),
                None => Checked::Unchecked,
            },
            refused => refused,
        }
    }

    /// Checks an input against the schema of its tool alone.
    pub(crate) fn check_tool(&self, (first, schema): (usize, &RawJson), input: &Json) -> Checked {
        let Some(slot) = self.tools.get(first) else { return Checked::Unchecked };
        self.ask(slot, || Some(schema.as_str().to_owned()), input)
    }

    /// Whether a value meets the schema of the run's field of this name.
    pub(crate) fn takes_field(&self, name: &str, schema: &RawJson, value: &Json) -> bool {
        let slot = self.fields.get(name);
        let checked = slot.map(|slot| self.ask(slot, || Some(schema.as_str().to_owned()), value));
        matches!(checked, Some(Checked::Fits))
    }

    fn ask(&self, slot: &Slot, schema: impl FnOnce() -> Option<String>, input: &Json) -> Checked {
        match slot.get_or_init(|| self.compiler.compile(&schema()?)) {
            None => Checked::Unchecked,
            Some(compiled) => match compiled.check(input) {
                Ok(()) => Checked::Fits,
                Err(fault) => Checked::Invalid(fault),
            },
        }
    }
}

/// The narrowing as a schema of its own: each named input is required and meets what `only` says of it.
fn narrowing(cell: &Cell) -> Option<String> {
    let only = serde_json::to_string(&cell.only).ok()?;
    let required = serde_json::to_string(&cell.only.keys().collect::<Vec<_>>()).ok()?;
    Some(format!("{{\"type\":\"object\",\"properties\":{only},\"required\":{required}}}"))
}
