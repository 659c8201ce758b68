//! The ratchet: a widening passes only where the change carries an acknowledgement of exactly it.
//!
//! An acknowledgement is a file `acknowledged/<hex>.toml` of the tree that widens. It binds the digests of both locks and of
//! the change, so that none excuses another; it must not stand in the base, since then nobody said it for this change; where
//! the base lists signers, one of them signs it who is not the author. Nothing here reads a file or a clock.

use std::collections::BTreeMap;

use harnessc_runtime::load::signer_for;
use harnessc_runtime::lock::digest_of;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::Change;

/// The folder of acknowledgements in a tree.
pub const FOLDER: &str = "acknowledged";
/// The list of those who may sign them, in that folder, as ssh-keygen reads it. The base's counts.
pub const SIGNERS: &str = "allowed_signers";
/// What their signatures are made for; one made for a lock is none of them.
pub const NAMESPACE: &str = "harness-ack";
/// No acknowledgement is larger, in bytes.
pub const MAX_BYTES: u64 = 16 * 1024;

/// What an acknowledgement says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acknowledgement {
    /// The digest of the base's lock.
    pub base: String,
    /// The digest of the lock that widens.
    pub head: String,
    /// The digest of the change: [`change_digest`].
    pub change: String,
    /// Who says it.
    pub who: String,
    /// Why it may be.
    pub why: String,
    /// The last day on which it counts, `YYYY-MM-DD`.
    pub until: String,
}

impl Acknowledgement {
    /// Its file's name.
    pub fn file_name(change: &str) -> String {
        format!("{}.toml", change.strip_prefix("sha256:").unwrap_or(change))
    }

    /// Its file's text.
    pub fn text(&self) -> String {
        let Self { base, head, change, who, why, until } = self;
        let quoted = |text: &String| toml_edit::Value::from(text.as_str()).to_string();
        let lines = [
            ("base", base),
            ("head", head),
            ("change", change),
            ("who", who),
            ("why", why),
            ("until", until),
        ];
        lines.iter().map(|(key, value)| format!("{key} = {}\n", quoted(value).trim())).collect()
    }
}

/// `sha256:<64 hex>` over both digests and what every change says. Witnesses are left out: how they are found may become
/// better.
pub fn change_digest(base: &str, head: &str, changes: &[Change]) -> String {
    let lines = changes.iter().map(|change| {
        let place = (&change.harness, &change.role, &change.persona, &change.tool, &change.field);
        (change.grade, change.class, place, &change.before, &change.after)
    });
    let all = (base, head, lines.collect::<Vec<_>>());
    // What cannot be written has a digest that no acknowledgement can name.
    digest_of(serde_json::to_string(&all).unwrap_or_default().as_bytes())
}

/// One file of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the manifest.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The signature beside it.
    pub signature: Option<Vec<u8>>,
    /// Whether the base has a file of this path.
    pub in_base: bool,
}

/// What acknowledgements are held against.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// The digest of the base's lock.
    pub base: &'a str,
    /// The digest of the other lock.
    pub head: &'a str,
    /// The digest of the change: [`change_digest`].
    pub change: &'a str,
    /// Whether anything differs. What may be acknowledged is every change, whichever of them the level asks about.
    pub is_changed: bool,
    /// Whether the base's tree is at hand, so that its acknowledgements and signers are known.
    pub base_is_tree: bool,
    /// The base's list of signers, where it has one.
    pub signers: Option<&'a str>,
    /// Who wrote the change, as the caller states it.
    pub stated: &'a [String],
    /// Those, and who committed it: everyone who may be its author.
    pub authors: &'a [String],
    /// The day, `YYYY-MM-DD`.
    pub today: &'a str,
}

/// What is wrong with an acknowledgement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Fault {
    /// The file, relative to the manifest.
    pub file: String,
    /// A word that never changes.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// An acknowledgement that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Accepted {
    /// The file, relative to the manifest.
    pub file: String,
    /// Who says it.
    pub who: String,
    /// Why.
    pub why: String,
    /// The last day on which it counts.
    pub until: String,
    /// Who signed it, as the base's list names them; absent: nobody needs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signer: Option<String>,
}

/// What the files of the folder come to: the one that counts, and what is wrong with the others.
pub fn judge(files: &[File], asked: &Asked<'_>) -> (Option<Accepted>, Vec<Fault>) {
    let mut accepted = None;
    let mut faults = Vec::new();
    // What the base has already was said for an earlier change: it counts for nothing and is in nobody's way.
    // Against a bare lock that is the head's own there is nothing to hold them against.
    let is_own = !asked.is_changed && !asked.base_is_tree;
    for file in files.iter().filter(|file| !file.in_base && !is_own) {
        match one(file, asked) {
            Ok(found) => accepted = accepted.or(Some(found)),
            Err(fault) => faults.push(fault),
        }
    }
    faults.sort();
    (accepted, faults)
}

const ANEW: &str =
    "write it anew with `harnessc diff BASE --acknowledge WHY --who NAME --until DATE`, or delete it";

/// What is wrong: a code, a sentence, and what to do.
type Wrong = (&'static str, String, &'static str);

fn one(file: &File, asked: &Asked<'_>) -> Result<Accepted, Fault> {
    let fault = |(code, message, help): Wrong| Fault {
        file: file.path.clone(),
        code,
        message,
        help: help.to_owned(),
    };
    let own = read(&file.bytes).map_err(fault)?;
    bound(file, &own, asked).and_then(|()| in_time(&own, asked)).map_err(fault)?;
    let signer = signed(file, &own, asked).map_err(fault)?;
    Ok(Accepted { file: file.path.clone(), who: own.who, why: own.why, until: own.until, signer })
}

fn read(bytes: &[u8]) -> Result<Acknowledgement, Wrong> {
    // What is no text has no line that TOML would take.
    let text = std::str::from_utf8(bytes).unwrap_or("\0");
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let help = "write it with `harnessc diff BASE --acknowledge WHY --who NAME --until DATE`";
        ("unreadable", format!("this is no acknowledgement: {}", error.message()), help)
    })
}

/// Whether it is about this very change, against a base of which enough is known.
fn bound(file: &File, own: &Acknowledgement, asked: &Asked<'_>) -> Result<(), Wrong> {
    if !asked.is_changed {
        let message = "nothing differs between base and head, so nothing here needs an acknowledgement";
        return Err(("fits_nothing", message.to_owned(), "delete the file"));
    }
    let sides = [
        ("base", &own.base, asked.base),
        ("head", &own.head, asked.head),
        ("change", &own.change, asked.change),
    ];
    if let Some((what, stated, found)) = sides.into_iter().find(|(_, stated, found)| stated != found) {
        let message =
            format!("it acknowledges another {what} than this one: it names {stated}, and this is {found}");
        return Err(("fits_nothing", message, ANEW));
    }
    if file.path.rsplit('/').next() != Some(Acknowledgement::file_name(&own.change).as_str()) {
        let message = "its name is not the digest of the change that it acknowledges".to_owned();
        return Err(("misnamed", message, ANEW));
    }
    if file
        .path
        .strip_prefix(FOLDER)
        .and_then(|rest| rest.strip_prefix('/'))
        .is_none_or(|rest| rest.contains('/'))
    {
        let message = format!("it stands in a folder below `{FOLDER}`, where none is looked for");
        return Err(("misplaced", message, "put it beside the list of signers"));
    }
    if !asked.base_is_tree {
        let message =
            "the base is a lock alone, so that nobody can tell whether it had this file, and who may sign"
                .to_owned();
        return Err(("base_unknown", message, "name the base as git:REV or as a folder"));
    }
    Ok(())
}

/// Whether it says who, why and until when, and that day is not over.
fn in_time(own: &Acknowledgement, asked: &Asked<'_>) -> Result<(), Wrong> {
    if [&own.who, &own.why].iter().any(|text| text.trim().is_empty()) {
        let message = "it does not say who acknowledges the change, and why".to_owned();
        return Err(("unreasoned", message, ANEW));
    }
    if !is_date(&own.until) {
        let message = format!("`{}` is no date", own.until);
        return Err(("bad_date", message, "write `until` as YYYY-MM-DD"));
    }
    if own.until.as_str() < asked.today {
        let message = format!("it counted until {}, and today is {}", own.until, asked.today);
        return Err(("expired", message, ANEW));
    }
    Ok(())
}

/// Who signed it, where the base lists signers.
fn signed(file: &File, own: &Acknowledgement, asked: &Asked<'_>) -> Result<Option<String>, Wrong> {
    let Some(allowed) = asked.signers else { return Ok(None) };
    let help = "someone whom the base's acknowledged/allowed_signers lists signs it with `ssh-keygen -Y sign -n harness-ack`";
    let signer = signer_for(NAMESPACE, &file.bytes, allowed, file.signature.as_deref())
        .map_err(|error| ("signature", said(&error), help))?;
    // Commits name whom they like. Where somebody is stated, it is they who are to be told from the signer.
    let known = if asked.stated.is_empty() { asked.authors } else { asked.stated };
    if !known.iter().any(|author| signer.lines().any(|principals| is_comparable(principals, author))) {
        let message = match known {
            [] => "the base lists signers, and it is not known who wrote this change".to_owned(),
            known => format!(
                "the base lists the signer as `{}`, and {} can be compared with no such name",
                signer.principals,
                known.iter().map(|author| format!("`{author}`")).collect::<Vec<_>>().join(", ")
            ),
        };
        return Err((
            "author_unknown",
            message,
            "say who with `--author`, as the list of signers names them; a line may list a mail address and a login: \
             `dana@desk.example,dana`",
        ));
    }
    let wrote = |name: &str| format!("`{name}` wrote this change and cannot acknowledge it too");
    let is_theirs = |author: &&String| signer.is_listed_as(author) || author.eq_ignore_ascii_case(&own.who);
    if let Some(author) = asked.authors.iter().find(is_theirs) {
        return Err(("own_change", wrote(author), "ask someone else whom the base lists"));
    }
    // Whoever reads the file takes the name in it for the one that said yes.
    if !signer.is_listed_as(&own.who) {
        let message = format!(
            "`{}` is to acknowledge it, and the key that signed it is listed as `{}`",
            own.who, signer.principals
        );
        return Err((
            "another_signer",
            message,
            "write it anew with `--who` as the base's list names the signer",
        ));
    }
    Ok(Some(signer.principals))
}

/// Whether a name is of a kind that a line's principals use: a mail address, or a login. Of two kinds nobody can tell whether
/// they name one person.
fn is_comparable(principals: &str, author: &str) -> bool {
    let is_mail = |name: &str| name.contains('@');
    let mut listed = principals.split(',').map(str::trim).filter(|name| !name.starts_with('!'));
    !author.trim().is_empty() && listed.any(|name| name == "*" || is_mail(name) == is_mail(author))
}

fn said(error: &harnessc_runtime::load::LoadError) -> String {
    use harnessc_runtime::load::LoadError;
    match error {
        LoadError::Unsigned => "no signature stands beside it, and the base lists who may sign".to_owned(),
        LoadError::NamespaceMismatch { found, line: None } => {
            format!(
                "its signature was made for `{found}`, and that of an acknowledgement is made for `{NAMESPACE}`"
            )
        }
        LoadError::NamespaceMismatch { found, line: Some(line) } => {
            format!("line {line} of the base's list lets this key sign `{found}`, and not `{NAMESPACE}`")
        }
        LoadError::SignerUnknown { fingerprint, why } => {
            let why = why.as_ref().map_or_else(|| "the base does not list it".to_owned(), Clone::clone);
            format!("it is signed with {fingerprint}, and {why}")
        }
        other => other.to_string(),
    }
}

/// Whether a text is a day of the calendar, written `YYYY-MM-DD`.
pub fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        let part = text.get(range)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u32>().ok())?
    };
    let dashes = bytes.len() == 10 && bytes.get(4) == Some(&b'-') && bytes.get(7) == Some(&b'-');
    let (Some(year), Some(month), Some(day), true) = (digits(0..4), digits(5..7), digits(8..10), dashes)
    else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = BTreeMap::from([(2, if leap { 29 } else { 28 }), (4, 30), (6, 30), (9, 30), (11, 30)]);
    (1..=12).contains(&month) && (1..=days.get(&month).copied().unwrap_or(31)).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::{Acknowledgement, is_date};

    #[test]
    fn days_are_those_of_the_calendar() {
        for day in ["2026-12-31", "2024-02-29", "2000-02-29"] {
            assert!(is_date(day), "{day}");
        }
        for day in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-1-01",
            "2026-04-31",
            "",
            "2026-12-3é",
        ] {
            assert!(!is_date(day), "{day}");
        }
    }

    #[test]
    fn a_text_reads_back_as_it_was_written() {
        let own = Acknowledgement {
            base: "sha256:a".to_owned(),
            head: "sha256:b".to_owned(),
            change: "sha256:c".to_owned(),
            who: "Dana \"D\" Ito".to_owned(),
            why: "the desk\nneeds it \\ now".to_owned(),
            until: "2026-12-31".to_owned(),
        };
        assert_eq!(toml::from_str::<Acknowledgement>(&own.text()).unwrap(), own);
    }
}
