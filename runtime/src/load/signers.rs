//! The text of an `allowed_signers` file, as ssh-keygen(1) describes it: principals, options, key.
//!
//! A line that cannot be read refuses the whole text, where ssh-keygen passes over it with a warning: a runtime has nobody
//! to warn. One whose options cannot be honoured here is
//! kept and marked: its key counts for nothing, and whoever signs with it learns why.

use ssh_key::PublicKey;

use super::LoadError;

/// One line.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: PublicKey,
    /// From 1.
    pub(super) line: usize,
    /// Patterns; without them every namespace.
    pub(super) namespaces: Option<String>,
    pub(super) principals: String,
    /// Why the line counts for nothing.
    pub(super) unusable: Option<&'static str>,
}

impl Entry {
    /// Whether its `namespaces` hold this one.
    pub(super) fn covers(&self, namespace: &str) -> bool {
        self.namespaces.as_ref().is_none_or(|patterns| listed(patterns, namespace))
    }
}

/// Whether a list of patterns holds a text; what `!` takes out is not in it.
fn listed(patterns: &str, text: &str) -> bool {
    let mut listed = false;
    for pattern in patterns.split(',') {
        match pattern.strip_prefix('!') {
            Some(pattern) if matches(pattern.as_bytes(), text.as_bytes()) => return false,
            Some(_) => {}
            None => listed |= matches(pattern.as_bytes(), text.as_bytes()),
        }
    }
    listed
}

/// Principals that only take out name nobody who could have signed.
fn names_nobody(principals: &str) -> Option<&'static str> {
    let nobody = principals.split(',').all(|pattern| pattern.trim().is_empty() || pattern.starts_with('!'));
    nobody.then_some("for nobody: its principals only take out")
}

/// Whether principals, which are patterns, name a person.
pub(super) fn is_among(principals: &str, name: &str) -> bool {
    listed(&principals.to_ascii_lowercase(), &name.to_ascii_lowercase())
}

/// Every line that lists a key.
pub(super) fn read(text: &str) -> Result<Vec<Entry>, LoadError> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(at, line)| entry(at, line))
        .collect()
}

fn entry(line: usize, text: &str) -> Result<Entry, LoadError> {
    let bad = |message: &str| LoadError::BadSigners { line, message: message.to_owned() };
    let (principals, rest) = field(text).ok_or_else(|| bad("a quote is not closed"))?;
    let principals = principals.trim_matches('"').to_owned();
    // Options stand between the two or do not; only the key has a form to tell them apart by.
    if let Ok(key) = PublicKey::from_openssh(rest) {
        let unusable = names_nobody(&principals);
        return Ok(Entry { key, line, namespaces: None, principals, unusable });
    }
    let (options, rest) = field(rest).ok_or_else(|| bad("a quote is not closed"))?;
    let key = PublicKey::from_openssh(rest).map_err(|_| {
        bad("a line is `principals [options] key-type key`, and no key that is known here stands there")
    })?;
    let mut entry = Entry { key, line, namespaces: None, principals, unusable: None };
    entry.unusable = names_nobody(&entry.principals);
    for option in split(options) {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        match (name.to_ascii_lowercase().as_str(), value) {
            ("namespaces", Some(value)) if entry.namespaces.is_none() => {
                entry.namespaces = Some(value.to_owned())
            }
            ("valid-after" | "valid-before", Some(_)) => {
                entry.unusable =
                    Some("for a span of time alone, which nothing without a clock can hold it to");
            }
            ("cert-authority", None) => {
                entry.unusable = Some("as an authority over certificates, which are not checked here");
            }
            _ => {
                return Err(bad(&format!(
                    "`{option}` is no option, stands twice, or lacks its quoted value"
                )));
            }
        }
    }
    Ok(entry)
}

/// What stands before the first blank outside quotes, and the rest; nothing where a quote stays open.
fn field(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ' ' | '\t' if !quoted => {
                let (head, rest) = text.split_at_checked(at)?;
                return Some((head, rest.trim_start()));
            }
            _ => {}
        }
    }
    (!quoted).then_some((text, ""))
}

/// The parts between commas outside quotes.
fn split(options: &str) -> Vec<&str> {
    let mut quoted = false;
    let parts = options.split(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    parts.collect()
}

/// `*` and `?` as OpenSSH reads them. In steps: the place of the last star is all that is ever gone back to.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == b'?' || text.get(t) == Some(c) => (p, t) = (p + 1, t + 1),
            _ => {
                let Some((at, from)) = star else { return false };
                star = Some((at, from + 1));
                (p, t) = (at + 1, from + 1);
            }
        }
    }
    pattern.get(p..).is_some_and(|rest| rest.iter().all(|c| *c == b'*'))
}

#[cfg(test)]
mod tests {
    use super::{matches, read};

    const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILM+rvN+ot98qgEN796jTiQfZfG1KaT0PtFDJ/XFSqti";

    fn one(before: &str) -> Result<super::Entry, String> {
        let mut entries = read(&format!("{before} {KEY} a comment\n")).map_err(|error| error.to_string())?;
        Ok(entries.remove(0))
    }

    #[test]
    fn comments_blanks_and_quotes_are_read_as_openssh_reads_them() {
        let text = format!("# people\n\n  \"lead@desk,other@desk\"\t{KEY}\r\n");
        let entries = read(&text).unwrap();
        assert_eq!((entries.len(), entries[0].line), (1, 3));
        assert_eq!(entries[0].principals, "lead@desk,other@desk");
        assert!(entries[0].covers("harness-lock"));
    }

    #[test]
    fn namespaces_are_patterns() {
        for (patterns, covered) in [
            ("harness-lock", true),
            ("git,harness-*", true),
            ("git", false),
            ("*,!harness-lock", false),
            ("", false),
        ] {
            let entry = one(&format!("lead namespaces=\"{patterns}\"")).unwrap();
            assert_eq!(entry.covers("harness-lock"), covered, "{patterns}");
        }
    }

    #[test]
    fn principals_are_patterns_without_regard_to_case() {
        for (principals, name, listed) in [
            ("dana@desk.example", "Dana@Desk.example", true),
            ("*@desk.example", "dana@desk.example", true),
            ("lead,dana?", "dana2", true),
            ("*@desk.example", "dana@other.example", false),
            ("*@desk.example,!dana@*", "dana@desk.example", false),
        ] {
            assert_eq!(super::is_among(principals, name), listed, "{principals} {name}");
        }
    }

    #[test]
    fn what_cannot_be_honoured_is_marked_and_what_cannot_be_read_is_refused() {
        assert!(
            one("lead valid-before=\"20990101Z\",namespaces=\"harness-lock\"").unwrap().unusable.is_some()
        );
        assert!(one("lead cert-authority").unwrap().unusable.is_some());
        assert!(one("!lead").unwrap().unusable.is_some() && one("!lead,*@desk").unwrap().unusable.is_none());
        for bad in [
            "lead namespaces=harness-lock",
            "lead surprise",
            "lead \"open",
            "lead namespaces=\"a\",namespaces=\"b\"",
        ] {
            assert!(one(bad).unwrap_err().starts_with("line 1 of the allowed signers: "), "{bad}");
        }
        assert!(read("lead ssh-ed25519 AAAA").is_err());
        assert!(read("lead").is_err());
    }

    #[test]
    fn stars_match_any_run_and_question_marks_one() {
        for (pattern, text, fits) in [
            ("*", "", true),
            ("a*b*c", "aXbbYc", true),
            ("a?c", "ac", false),
            ("**?", "x", true),
            ("a*", "ba", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), text.as_bytes()), fits, "{pattern} {text}");
        }
    }
}
