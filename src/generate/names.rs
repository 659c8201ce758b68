//! Keys as identifiers, and texts as literals and comments.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Group;

/// The words that a key is made of, lower case.
fn words(key: &str) -> Vec<String> {
    let parts = key.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_ascii_lowercase).collect()
}

/// `tickets.read_mail` as `TicketsReadMail`.
fn pascal(key: &str) -> String {
    let capital = |word: String| {
        let mut chars = word.chars();
        chars
            .next()
            .map_or_else(String::new, |first| format!("{}{}", first.to_ascii_uppercase(), chars.as_str()))
    };
    led(words(key).into_iter().map(capital).collect())
}

/// `tickets.read_mail` as `TICKETS_READ_MAIL`.
pub(super) fn upper(key: &str) -> String {
    led(words(key).join("_").to_ascii_uppercase())
}

/// No identifier is empty or begins with a digit.
fn led(name: String) -> String {
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("N{name}") }
}

/// An identifier for each key of a group, in their order, each once: of keys that come to the same one, the later ones get
/// a number.
fn all(group: &Group, name: fn(&str) -> String) -> Vec<String> {
    // What the languages themselves mean by a name in this place.
    let mut taken = BTreeSet::from(["Self".to_owned()]);
    let mut names = Vec::new();
    for key in &group.keys {
        let own = name(&key.key);
        let numbered = (2..).map(|number: usize| format!("{own}_{number}"));
        let free = std::iter::once(own.clone()).chain(numbered).find(|name| !taken.contains(name));
        let free = free.unwrap_or(own);
        taken.insert(free.clone());
        names.push(free);
    }
    names
}

/// `TicketsReadMail` for each key.
pub(super) fn pascals(group: &Group) -> Vec<String> {
    all(group, pascal)
}

/// `TICKETS_READ_MAIL` for each key.
pub(super) fn uppers(group: &Group) -> Vec<String> {
    all(group, upper)
}

/// A literal in double quotes; `escape` writes a character that is not printable ASCII.
pub(super) fn literal(text: &str, escape: fn(&mut String, u32)) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            _ => escape(&mut out, c.into()),
        }
    }
    out.push('"');
    out
}

/// `\u{e9}`, as Rust and TypeScript write it.
pub(super) fn braced(out: &mut String, c: u32) {
    let _ = write!(out, "\\u{{{c:x}}}");
}

/// `\U000000e9`, as Python writes it.
pub(super) fn long(out: &mut String, c: u32) {
    let _ = write!(out, "\\U{c:08x}");
}

/// A title for a comment: one line, nothing in it hides.
pub(super) fn comment(text: &str) -> String {
    crate::report::visible(text).trim().to_owned()
}
