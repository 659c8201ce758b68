//! Which keys may stand where, and mappings whose keys are deeds.

use std::sync::Arc;

use super::keyed::{Def, Keyed, read_entries};
use super::read::{Read, wrong_type};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::source::Spanned;
use crate::syntax::{Kind, Node};

const BAD_KEY: RuleId = RuleId("bad-key");

/// A key of the MCP name grammar: 1 to 128 of `A-Z a-z 0-9 _ . -`.
pub(crate) fn name_key(key: &Spanned<String>, sink: &mut Sink) {
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    if key.is_empty() || key.len() > 128 || !key.chars().all(good) {
        bad_key(key, "1 to 128 of the letters `A-Z a-z`, the digits and `_ . -`", sink);
    }
}

/// A scope's name: a name that may hold colons, as in `desk:read`.
pub(crate) fn scope_key(key: &Spanned<String>, sink: &mut Sink) {
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | ':');
    if key.is_empty() || key.len() > 128 || !key.chars().all(good) {
        bad_key(key, "1 to 128 of the letters `A-Z a-z`, the digits and `_ . - :`", sink);
    }
}

/// A deed's name: a tool's, or `tool/case`.
pub(crate) fn deed_key(key: &Spanned<String>, sink: &mut Sink) {
    let good = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))
    };
    let (tool, case) = key.split_once('/').unwrap_or((key.as_str(), "-"));
    if !good(tool) || !good(case) || key.len() > 257 {
        bad_key(key, "a tool's name, or a tool's and a case's with `/` between", sink);
    }
}

/// Definitions under the names of tools, or of single cases as `tool/case`.
#[derive(Clone, Debug, schemars::JsonSchema)]
#[schemars(transparent)]
pub struct ByDeed<T>(pub Keyed<T>);

impl<T> Default for ByDeed<T> {
    fn default() -> Self {
        Self(Keyed::default())
    }
}

impl<T> std::ops::Deref for ByDeed<T> {
    type Target = Keyed<T>;

    fn deref(&self) -> &Keyed<T> {
        &self.0
    }
}

impl<'a, T> IntoIterator for &'a ByDeed<T> {
    type Item = &'a Def<T>;
    type IntoIter = std::slice::Iter<'a, Def<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Read> Read for ByDeed<T> {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        let Kind::Map(entries) = &node.kind else {
            wrong_type(node, "a mapping from tool to definition", sink);
            return None;
        };
        Some(Self(read_entries(entries, deed_key, sink)))
    }
}

/// A key that is a person's sentence, such as a test's name.
pub(crate) fn free_key(_: &Spanned<String>, _: &mut Sink) {}

fn bad_key(key: &Spanned<String>, grammar: &str, sink: &mut Sink) {
    let odd = key.chars().find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.' | '-'));
    let label = match odd {
        Some(c) if !c.is_ascii_graphic() => format!("holds U+{:04X}", u32::from(c)),
        Some(c) => format!("holds `{c}`"),
        None => format!("{} characters", key.chars().count()),
    };
    sink.push(
        Diagnostic::new(BAD_KEY, key.span, format!("a key here is made of {grammar}"), label)
            .note("names are compared byte for byte, so a letter that only looks right names something else")
            .help("write the name with those letters alone"),
    );
}
