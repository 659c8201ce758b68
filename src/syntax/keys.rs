//! What is wrong with a key, in whichever language it is written.

use super::hidden;
use crate::diagnostic::{Diagnostic, RuleId};
use crate::source::{Span, Spanned};

/// A key is no text, or holds what nobody sees.
pub(super) const BAD_KEY: RuleId = RuleId("bad-key");
const DUPLICATE_KEY: RuleId = RuleId("duplicate-key");

/// A key twice in one mapping; `first` is where it stood before.
pub(super) fn duplicate_key(key: &Spanned<String>, first: Span) -> Diagnostic {
    let key_text = &key.value;
    Diagnostic::new(
        DUPLICATE_KEY,
        key.span,
        format!("`{key_text}` stands twice in the same mapping"),
        "the second one",
    )
    .label(first, "the first one")
    .note("readers of YAML differ on which of the two counts, so a reviewer may see one and a machine take the other")
    .help("keep one of them")
}

/// A character in a key that nobody sees.
pub(super) fn hidden_in_key(span: Span, character: char) -> Diagnostic {
    Diagnostic::new(
        BAD_KEY,
        span,
        format!("this key holds a character that is not to be seen: {}", hidden::name(character)),
        "the key",
    )
    .note("such a key looks like another one and is not the same, so a rule about one would never meet the other")
    .help("type the key anew, without what was pasted in")
}
