//! Which published names can stand as keys, and which are taken for one another.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::text;

/// What the server itself offers: no tool may look like it.
const PLAN_TOOL: &str = "plan.propose";

/// Why a tool has no line in the overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It is no object, or has no name.
    NoName,
    /// Its name holds characters that nobody sees.
    HiddenCharacters,
    /// Its name is outside the grammar of names.
    BadName,
    /// The name stands more than once in the list.
    Duplicate,
    /// Another name differs from it only by case, separators or look-alike letters.
    Collision,
    /// The tree has a tool of that key, or of one that looks like it.
    Taken,
    /// It has no input schema.
    NoSchema,
    /// Its input schema cannot be closed.
    BadSchema,
}

/// A tool that is pinned and has no line in the overlay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOut {
    /// Its name as published; empty where it has none.
    pub name: String,
    /// Its place in the list, from 1.
    pub item: usize,
    /// Why, for machines.
    pub why: Why,
    /// Why, for people.
    pub text: String,
    /// A key under which it could stand, where only the key is in the way.
    pub key: Option<String>,
}

/// Whether a text is a name by MCP's grammar: 1 to 128 of `A-Z a-z 0-9 _ . -`.
pub(super) fn is_name(text: &str) -> bool {
    (1..=128).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// A name with case, separators and look-alike letters aside, as `colliding-names` compares them: two readings, either of
/// which may collide.
pub(super) fn folds(name: &str) -> [String; 2] {
    let spelling = |name: &str| {
        name.chars()
            .filter(|c| !matches!(c, '_' | '-' | '.'))
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let alike = name.replace("rn", "m").replace("vv", "w").replace(['I', '1'], "l").replace('0', "o");
    [format!("s {}", spelling(name)), format!("l {}", spelling(&alike))]
}

/// Names by how they look.
pub(super) struct Looks<'n>(BTreeMap<String, BTreeSet<&'n str>>);

impl<'n> Looks<'n> {
    pub(super) fn of(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut looks: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for name in names {
            for fold in folds(name) {
                looks.entry(fold).or_default().insert(name);
            }
        }
        Self(looks)
    }

    /// Another name that is taken for this one.
    pub(super) fn like(&self, name: &str) -> Option<&'n str> {
        folds(name).iter().filter_map(|fold| self.0.get(fold)).flatten().copied().find(|other| *other != name)
    }

    /// Whether a key would be taken for any of the names.
    fn clashes(&self, key: &str) -> bool {
        is_plan(key) || folds(key).iter().any(|fold| self.0.contains_key(fold))
    }
}

fn is_plan(name: &str) -> bool {
    folds(name).iter().zip(folds(PLAN_TOOL)).any(|(a, b)| *a == b)
}

/// Why a name cannot stand, judged by itself; and a key that could.
pub(super) fn fault(name: &str, looks: &Looks<'_>) -> Option<(Why, String, Option<String>)> {
    if let Some(c) = name.chars().find(|c| text::hides(*c)) {
        let what = crate::syntax::hidden::name(c);
        return Some((
            Why::HiddenCharacters,
            format!("its name holds a character that is not to be seen: {what}"),
            None,
        ));
    }
    if !is_name(name) {
        let key = Some(key_of(name)).filter(|key| name.is_ascii() && is_name(key) && !looks.clashes(key));
        return Some((Why::BadName, grammar(name), key));
    }
    if is_plan(name) {
        return Some((
            Why::Collision,
            format!("it is taken for `{PLAN_TOOL}`, which the server itself offers"),
            None,
        ));
    }
    looks.like(name).map(|other| {
        let text = format!("its name is taken for {}, another tool of the list", text::name(other));
        (Why::Collision, text, None)
    })
}

fn grammar(name: &str) -> String {
    let odd = name.chars().find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.' | '-'));
    match odd {
        None if name.is_empty() => "its name is empty".to_owned(),
        None => format!("its name has {} characters, and at most 128 may stand", name.chars().count()),
        Some(c) if c.is_ascii_graphic() => {
            format!("its name holds {}; names are made of `A-Z a-z 0-9 _ . -`", text::name(&c.to_string()))
        }
        Some(' ') => "its name holds a space; names are made of `A-Z a-z 0-9 _ . -`".to_owned(),
        Some(c) => {
            format!("its name holds `{c}` (U+{:04X}), which is none of `A-Z a-z 0-9 _ . -`", u32::from(c))
        }
    }
}

/// The name with what cannot stand as `_`.
fn key_of(name: &str) -> String {
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let replaced: String = name.trim().chars().map(|c| if good(c) { c } else { '_' }).collect();
    replaced.trim_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_collide_and_others_do_not() {
        let looks = Looks::of(["read_file", "Read-File", "write", "fo0", "foo"]);
        assert_eq!(looks.like("read_file"), Some("Read-File"));
        assert_eq!(looks.like("foo"), Some("fo0"));
        assert_eq!(looks.like("write"), None);
    }

    #[test]
    fn a_bad_name_is_told_with_a_key_that_could_stand() {
        let looks = Looks::of(["fs.read"]);
        assert_eq!(fault("a b", &looks).unwrap().2.as_deref(), Some("a_b"));
        assert_eq!(fault("fs/read", &looks).unwrap().2, None);
        assert_eq!(
            fault("r\u{435}ad", &looks).unwrap(),
            (
                Why::BadName,
                "its name holds `\u{435}` (U+0435), which is none of `A-Z a-z 0-9 _ . -`".to_owned(),
                None
            )
        );
        assert_eq!(fault("*", &looks).unwrap().2, None);
        assert_eq!(fault("plan_propose", &looks).unwrap().0, Why::Collision);
        assert_eq!(fault("fs.write", &looks), None);
    }
}
