//! Who judges `pattern` and `format`: an engine that the caller brings, or nobody.

use std::fmt;

/// Tells whether a string meets what was compiled.
pub type Judgement = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// A judgement as a schema's node holds it.
pub(super) struct Judge(Judgement);

impl Judge {
    pub(super) fn takes(&self, text: &str) -> bool {
        (self.0)(text)
    }
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Judge")
    }
}

/// Compiles what a string's `pattern` and `format` ask. `None` for what it cannot judge: such a string is dropped.
pub trait Texts {
    /// A function that tells whether a string meets both.
    fn compile(&self, pattern: Option<&str>, format: Option<&str>) -> Option<Judgement>;
}

pub(super) fn judge(texts: &dyn Texts, pattern: Option<&str>, format: Option<&str>) -> Option<Judge> {
    texts.compile(pattern, format).map(Judge)
}

/// Judges nothing, so that every string under a pattern or format is dropped.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTexts;

impl Texts for NoTexts {
    fn compile(&self, _: Option<&str>, _: Option<&str>) -> Option<Judgement> {
        None
    }
}

/// Judges as the crate `jsonschema` does: JSON Schema 2020-12, the linear-time regex engine, formats asserted.
#[cfg(feature = "schema")]
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonSchemaTexts;

#[cfg(feature = "schema")]
impl Texts for JsonSchemaTexts {
    fn compile(&self, pattern: Option<&str>, format: Option<&str>) -> Option<Judgement> {
        let mut schema = serde_json::Map::new();
        schema.extend(pattern.map(|pattern| ("pattern".to_owned(), pattern.into())));
        schema.extend(format.map(|format| ("format".to_owned(), format.into())));
        let validator = jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            .with_pattern_options(jsonschema::PatternOptions::regex())
            .should_validate_formats(true)
            .should_ignore_unknown_formats(false)
            .build(&serde_json::Value::Object(schema))
            .ok()?;
        Some(Box::new(move |text| validator.is_valid(&serde_json::Value::from(text))))
    }
}
