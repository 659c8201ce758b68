//! Who judges `pattern` and `format`: the same engine that checks inputs, or nobody.

use serde_json::{Map, Value};

use crate::boundary::{Compile, Compiled};
use crate::json::Json;

/// One compiled judgement of a string.
#[derive(Debug)]
pub(super) struct Judge(Box<dyn Compiled>);

impl Judge {
    /// Compiles what a string must meet; `None`: the engine cannot judge it.
    pub(super) fn new(engine: &dyn Compile, pattern: Option<&str>, format: Option<&str>) -> Option<Self> {
        let words = [("pattern", pattern), ("format", format)];
        let words = words.into_iter().filter_map(|(keyword, word)| Some((keyword.to_owned(), word?.into())));
        let schema: Map<String, Value> = words.collect();
        engine.compile(&Value::Object(schema).to_string()).map(Self)
    }

    pub(super) fn takes(&self, text: &str) -> bool {
        Json::of(&Value::from(text)).is_ok_and(|json| self.0.check(&json).is_ok())
    }
}
