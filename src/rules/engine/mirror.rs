//! The keys that a file outside the policy repeats.

use regex::Regex;

use crate::model::manifest::Mirror;
use crate::rules::Cx;
use crate::source::{FileId, Span};
use crate::tree::MirrorRefusal;

/// The group of a mirror's pattern that holds the keys.
pub(crate) const GROUP: &str = "keys";

/// What a mirror repeats.
pub(crate) struct Repeated {
    /// The text that holds the keys.
    pub(crate) at: Span,
    /// Each key where it stands, in the order of the text.
    pub(crate) keys: Vec<(String, Span)>,
}

/// Why a mirror says nothing.
pub(crate) enum Blind {
    /// The file is not read.
    File(MirrorRefusal),
    /// The pattern is none; what the reader of patterns says.
    Pattern(String),
    /// The pattern has no group of that name.
    NoGroup,
    /// The pattern matches nowhere.
    NoMatch(FileId),
    /// The pattern matches at two places at least.
    Matches(Span, Span),
}

/// What a mirror comes to.
pub(crate) enum Seen {
    /// The keys it repeats.
    Keys(Repeated),
    /// Nothing, and why.
    Nothing(Blind),
}

/// Reads a mirror; nothing where a field of it is missing, which is said elsewhere.
pub(crate) fn read(cx: &Cx<'_>, mirror: &Mirror) -> Option<Seen> {
    let (path, pattern) = (mirror.file.as_ref()?, mirror.pattern.as_ref()?);
    Some(match Regex::new(pattern) {
        Err(error) => Seen::Nothing(Blind::Pattern(short(&error))),
        Ok(pattern) if !pattern.capture_names().flatten().any(|name| name == GROUP) => {
            Seen::Nothing(Blind::NoGroup)
        }
        Ok(pattern) => match cx.tree.read_mirror(path) {
            Err(refusal) => Seen::Nothing(Blind::File(refusal)),
            Ok(file) => search(cx, file, &pattern),
        },
    })
}

fn search(cx: &Cx<'_>, file: FileId, pattern: &Regex) -> Seen {
    let text = cx.tree.sources.get(file).map_or("", |file| &*file.text);
    let whole =
        |found: &regex::Captures<'_>| Span::new(file, found.get(0).map_or(0..0, |found| found.range()));
    let mut matches = pattern.captures_iter(text);
    let Some(found) = matches.next() else { return Seen::Nothing(Blind::NoMatch(file)) };
    if let Some(second) = matches.next() {
        return Seen::Nothing(Blind::Matches(whole(&found), whole(&second)));
    }
    let Some(group) = found.name(GROUP) else { return Seen::Nothing(Blind::NoMatch(file)) };
    let at = |range: std::ops::Range<usize>| {
        Span::new(file, group.start() + range.start..group.start() + range.end)
    };
    Seen::Keys(Repeated {
        at: Span::new(file, group.range()),
        keys: keys(group.as_str()).into_iter().map(|(key, range)| (key, at(range))).collect(),
    })
}

/// The last line of what the reader of patterns says, which names the fault.
fn short(error: &regex::Error) -> String {
    let told = error.to_string();
    let last = told.lines().last().unwrap_or("").trim();
    last.strip_prefix("error: ").unwrap_or(last).trim_end_matches('.').to_owned()
}

/// Each quoted string; where there is none, each word.
fn keys(text: &str) -> Vec<(String, std::ops::Range<usize>)> {
    let mut quoted = Vec::new();
    let mut from = 0;
    while let Some((open, quote)) =
        text.get(from..).and_then(|rest| rest.char_indices().find(|(_, c)| matches!(c, '"' | '\'' | '`')))
    {
        let begin = from + open + 1;
        let Some(len) = text.get(begin..).and_then(|rest| rest.find(quote)) else { break };
        quoted.push((text.get(begin..begin + len).unwrap_or("").to_owned(), begin..begin + len));
        from = begin + len + 1;
    }
    if quoted.is_empty() { words(text) } else { quoted }
}

fn words(text: &str) -> Vec<(String, std::ops::Range<usize>)> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let mut words = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive(|c| !is_word(c)) {
        let word = part.trim_end_matches(|c| !is_word(c));
        if !word.is_empty() {
            words.push((word.to_owned(), start..start + word.len()));
        }
        start += part.len();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::keys;

    fn read(text: &str) -> Vec<String> {
        keys(text)
            .into_iter()
            .map(|(key, range)| {
                assert_eq!(text[range].to_owned(), key);
                key
            })
            .collect()
    }

    #[test]
    fn quoted_strings_go_before_words() {
        assert_eq!(read("\n  'a.b', \"c\", # not d\n"), ["a.b", "c"]);
        assert_eq!(read("a | b-c,d_e"), ["a", "b-c", "d_e"]);
        assert_eq!(read("'open"), ["open"]);
        assert_eq!(read(" \n"), [""; 0]);
    }
}
