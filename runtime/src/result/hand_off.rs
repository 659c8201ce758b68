//! What a reading role hands on: a closed form of its own, so that the prose it read stays with it (THREATS, prose in
//! structured clothes).

use super::{Audience, Failure, Handed, Projector, Unsupported, Violations};
use crate::boundary::Compile;
use crate::json::Json;
use crate::lock::RawJson;

/// The closed form: findings with the source that each comes from, a quote and a title under their label. A server with a
/// narrower form of its own projects by that.
pub const HAND_OFF: &str = r#"{
  "type": "object",
  "properties": {
    "findings": {
      "type": "array",
      "maxItems": 20,
      "items": {
        "type": "object",
        "properties": {
          "quote": {"type": "string", "maxLength": 300},
          "source": {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$", "maxLength": 128},
          "title": {"type": "string", "maxLength": 120, "untrusted_title": true}
        },
        "required": ["source"],
        "unevaluatedProperties": false
      }
    },
    "more": {"type": "boolean"}
  },
  "required": ["findings"],
  "unevaluatedProperties": false
}"#;

/// The projector of [`HAND_OFF`].
pub fn hand_off_projector(engine: &dyn Compile) -> Result<Projector, Unsupported> {
    let schema = RawJson::new(HAND_OFF).map_err(|error| Unsupported { what: error.to_string() })?;
    Projector::new(&schema, engine)
}

/// What of a reader's answer reaches the role that asked it. The reader is a model that has read what anyone may have
/// written: its answer is judged as an upstream's is, and a text that is no JSON value is a fixed code.
#[must_use]
pub fn hand_off(projector: &Projector, answer: &[u8]) -> (Handed, Violations) {
    let Ok(json) = Json::parse(answer) else {
        return (Handed::Failed(Failure::NotStructured), Violations::default());
    };
    let projected = projector.project(json.value(), Audience::Others);
    let kept = projected.value.and_then(|kept| Json::of(&kept).ok());
    (kept.map_or(Handed::Failed(Failure::Invalid), Handed::Structured), projected.violations)
}
