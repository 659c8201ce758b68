//! Words within a place, and names put into a sentence: what rules about wording have in common.
//!
//! It reads texts and says where a word of them stands; it judges none.

use harnessc_runtime::words::words;

use crate::rules::Cx;
use crate::source::Span;

/// The part of `span` that is the first word for which `is_it` holds (it gets the word in lower case). The whole of `span`
/// where its text says the word in another way, through an escape for instance.
pub(crate) fn word_at(cx: &Cx<'_>, span: Span, is_it: impl Fn(&str) -> bool) -> Span {
    let text = cx.tree.sources.slice(span);
    let found = words(text).into_iter().find(|word| is_it(&word.lower));
    found.map_or(span, |word| {
        let start = span.start as usize;
        Span::new(span.file, start + word.range.start..start + word.range.end)
    })
}

/// The key `name` and the value at `value`, where the key stands right before it; else the value alone.
pub(crate) fn key_before(cx: &Cx<'_>, value: Span, name: &str) -> Span {
    let Some(file) = cx.tree.sources.get(value.file) else { return value };
    let before = file.text.get(..value.start as usize).unwrap_or("");
    let trimmed = before.trim_end().trim_end_matches(':').trim_end().trim_end_matches(['"', '\'']);
    match trimmed.strip_suffix(name) {
        Some(rest) => Span::new(value.file, rest.len()..rest.len() + name.len()),
        None => value,
    }
}

/// `a`, `b` and `c`, in backticks.
pub(crate) fn and<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match quoted.pop() {
        None => String::new(),
        Some(last) if quoted.is_empty() => last,
        Some(last) => format!("{} and {last}", quoted.join(", ")),
    }
}

/// The first few of many names and how many there are beside them.
pub(crate) fn some(names: &[&str]) -> String {
    const SHOWN: usize = 5;
    match names.len().checked_sub(SHOWN).filter(|more| *more > 1) {
        None => and(names.iter().copied()),
        Some(more) => {
            let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
            format!("{} and {more} more", shown.join(", "))
        }
    }
}

/// One thing, or many: `1 step`, `3 steps`.
pub(crate) fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::{and, count, some};

    #[test]
    fn names_read_as_a_sentence() {
        assert_eq!(and([]), "");
        assert_eq!(and(["a"]), "`a`");
        assert_eq!(and(["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(some(&["a", "b", "c", "d", "e", "f"]), "`a`, `b`, `c`, `d`, `e` and `f`");
        assert_eq!(some(&["a", "b", "c", "d", "e", "f", "g"]), "`a`, `b`, `c`, `d`, `e` and 2 more");
        assert_eq!((count(1, "step").as_str(), count(2, "step").as_str()), ("1 step", "2 steps"));
    }
}
