//! Words that must be of a closed list.

use super::text::and;
use crate::diagnostic::{Diagnostic, RuleId, Sink, nearest, sureness};
use crate::source::Spanned;

/// A closed list, and what is said of a word that is not of it.
pub(crate) struct ClosedList {
    /// The rule that holds it.
    pub(crate) rule: RuleId,
    /// Where such words stand, as the author names it, in backticks.
    pub(crate) place: &'static str,
    /// The list.
    pub(crate) words: &'static [&'static str],
    /// Why it is closed.
    pub(crate) note: &'static str,
}

/// Reports each word that is not of the list, with the nearest one that is.
pub(crate) fn check_words(list: &ClosedList, stated: Option<&[Spanned<String>]>, sink: &mut Sink) {
    for word in stated.unwrap_or_default() {
        if list.words.contains(&word.value.as_str()) {
            continue;
        }
        let meant = nearest(word, list.words.iter().copied());
        let label =
            meant.map_or_else(|| "not of the list".to_owned(), |word| format!("did you mean `{word}`?"));
        let message = format!("`{}` is none of the words that may stand in {}", word.value, list.place);
        let finding = Diagnostic::new(list.rule, word.span, message, label).note(list.note);
        let words = and(list.words.iter().copied());
        sink.push(match meant {
            Some(meant) => finding.help(format!("write `{meant}`; the words are {words}")).fix(
                format!("write `{meant}`"),
                sureness(word, meant, list.words.iter().copied()),
                word.span,
                meant,
            ),
            None => finding.help(format!("take it out; the words are {words}")),
        });
    }
}
