//! Keys as identifiers, and texts as literals and comments.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Group, Key};

/// The words that a key is made of, lower case.
fn words(key: &str) -> Vec<String> {
    let parts = key.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_ascii_lowercase).collect()
}

/// `tickets.read_mail` as `TicketsReadMail`.
pub(super) fn pascal(key: &str) -> String {
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

/// Two keys of one section that come to one identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The section, as a person says it: `personas`.
    pub section: &'static str,
    /// The key that comes first.
    pub first: String,
    /// The other one.
    pub second: String,
    /// What both come to.
    pub name: String,
}

/// The identifiers of every group, each key's in its place.
///
/// # Errors
/// All keys that come to the identifier of another one: a number behind one of them would move with every key that is added.
pub(super) fn settled(groups: &[Group], name: fn(&str) -> String) -> Result<Vec<Vec<String>>, Vec<Clash>> {
    let mut clashes = Vec::new();
    let names = groups.iter().map(|group| of_group(group, name, &mut clashes)).collect();
    if clashes.is_empty() { Ok(names) } else { Err(clashes) }
}

fn of_group(group: &Group, name: fn(&str) -> String, clashes: &mut Vec<Clash>) -> Vec<String> {
    let mut taken: BTreeMap<String, &str> = BTreeMap::new();
    let mut names = Vec::new();
    for Key { key, .. } in &group.keys {
        let own = name(key);
        if let Some(first) = taken.get(&own) {
            clashes.push(Clash {
                section: group.plural.trim_end_matches(" of the policy"),
                first: (*first).to_owned(),
                second: key.clone(),
                name: own.clone(),
            });
        } else {
            taken.insert(own.clone(), key);
        }
        names.push(own);
    }
    names
}

/// As [`pascal`], but for what Rust itself and the generated code mean by a name in that place.
pub(super) fn variant(key: &str) -> String {
    let own = pascal(key);
    if matches!(own.as_str(), "Self" | "ALL") { format!("{own}_") } else { own }
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

/// A title for a comment that is read as Markdown: every sign stands for itself, and nothing in it is a link, code or HTML.
pub(super) fn prose(text: &str) -> String {
    let text = comment(text);
    let mut out = String::with_capacity(text.len() + 8);
    // At the start of a line these make a list or a heading.
    if text.starts_with(['-', '+', '#', '=']) {
        out.push('\\');
    }
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let numbered = matches!(c, '.' | ')') && text.bytes().take(at).all(|byte| byte.is_ascii_digit());
        let address = c == ':' && text.get(at..).is_some_and(|rest| rest.starts_with("://"));
        let inside = c == '_' && before.is_ascii_alphanumeric();
        if matches!(c, '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '&' | '~' | '|' | '@' | '{' | '}')
            || c == '_' && !inside
            || numbered && at > 0
            || address
        {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}
