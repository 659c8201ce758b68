//! One record of a chain and its only form: a line of RFC 8785 JSON.

use std::collections::BTreeMap;
use std::fmt;

use super::{Datum, Event, Field, Unfit};
use crate::json::MAX_NUMBER;
use crate::lock::{digest::is_digest, digest_of};

/// The longest text that a record holds, in bytes. Names are shorter; what is longer is no name.
pub const MAX_TEXT: usize = 256;

/// A fact as it stands in a record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// Yes or no.
    Flag(bool),
    /// Keys of the lock, sorted.
    List(Vec<String>),
    /// A count, milliseconds, bytes or micro-USD.
    Number(u64),
    /// A digest, an id, a key or a word: at most [`MAX_TEXT`] bytes without control characters.
    Text(String),
}

impl Fact {
    /// A fact of an event, where it is one that a record may hold.
    pub(super) fn of(datum: &Datum) -> Option<Self> {
        let fact = match datum {
            Datum::Digest(digest) => Self::Text(
                Some(digest)
                    .filter(|digest| is_digest(digest.strip_prefix("hmac-").unwrap_or(digest)))?
                    .clone(),
            ),
            Datum::Flag(flag) => Self::Flag(*flag),
            Datum::Id(text) | Datum::Key(text) => Self::Text(text.clone()),
            Datum::Keys(keys) => Self::List(keys.clone()),
            Datum::Number(number) => Self::Number(*number),
            Datum::Word(word) => Self::Text((*word).to_owned()),
        };
        fact.fits().then_some(fact)
    }

    /// Whether a record may hold it.
    pub(super) fn fits(&self) -> bool {
        match self {
            Self::Flag(_) => true,
            Self::List(keys) => keys.iter().all(|key| is_name(key)),
            Self::Number(number) => is_exact(*number),
            Self::Text(text) => is_name(text),
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Self::List(keys) => {
                out.push('[');
                for (at, key) in keys.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    write_text(out, key);
                }
                out.push(']');
            }
            Self::Number(number) => write_number(out, *number),
            Self::Text(text) => write_text(out, text),
        }
    }
}

/// One record. Its fields are public so that stores can keep them as columns; only [`verify`](super::verify) says whether
/// they are what was appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// When it was appended, by the store's clock, in milliseconds since the epoch.
    pub at_ms: u64,
    /// What happened.
    pub event: String,
    /// Its facts.
    pub fields: BTreeMap<Field, Fact>,
    /// `sha256:<64 hex>` over [`prev`](Self::prev), as it is written here, and then the [`row`](Self::row).
    pub hash: String,
    /// The organization whose chain it stands in.
    pub organization: String,
    /// The hash of the record before; of the first one, what binds the chain and the organization.
    pub prev: String,
    /// From 1, without gaps.
    pub seq: u64,
}

impl Record {
    /// The RFC 8785 form of what is hashed: `at_ms`, `event`, `fields`, `organization`, `prev`, `seq`.
    #[must_use]
    pub fn row(&self) -> String {
        let mut out = String::with_capacity(384);
        self.write(&mut out, false);
        out
    }

    /// The whole record as one line of RFC 8785 JSON without its LF.
    #[must_use]
    pub fn line(&self) -> String {
        let mut out = String::with_capacity(480);
        self.write(&mut out, true);
        out
    }

    /// The hash that its other fields come to.
    #[must_use]
    pub fn computed_hash(&self) -> String {
        let mut bytes = String::with_capacity(480);
        bytes.push_str(&self.prev);
        self.write(&mut bytes, false);
        digest_of(bytes.as_bytes())
    }

    /// An event's facts as a record holds them.
    ///
    /// # Errors
    /// [`Unfit::Fact`] for the first that none may hold.
    pub fn facts(event: &Event) -> Result<BTreeMap<Field, Fact>, Unfit> {
        let fact = |(field, datum)| Ok((field, Fact::of(datum).ok_or(Unfit::Fact(field))?));
        event.fields.iter().map(fact).collect()
    }

    fn write(&self, out: &mut String, with_hash: bool) {
        out.push_str("{\"at_ms\":");
        write_number(out, self.at_ms);
        out.push_str(",\"event\":");
        write_text(out, &self.event);
        out.push_str(",\"fields\":{");
        for (at, (field, fact)) in self.fields.iter().enumerate() {
            out.push_str(if at > 0 { ",\"" } else { "\"" });
            out.push_str(field.name());
            out.push_str("\":");
            fact.write(out);
        }
        out.push('}');
        if with_hash {
            out.push_str(",\"hash\":");
            write_text(out, &self.hash);
        }
        out.push_str(",\"organization\":");
        write_text(out, &self.organization);
        out.push_str(",\"prev\":");
        write_text(out, &self.prev);
        out.push_str(",\"seq\":");
        write_number(out, self.seq);
        out.push('}');
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line())
    }
}

/// Whether a text can be a name: some bytes, not too many, no control characters.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() <= MAX_TEXT && !text.chars().any(char::is_control)
}

/// Whether every reader of JSON holds the number exactly.
pub(super) fn is_exact(number: u64) -> bool {
    number <= MAX_NUMBER as u64
}

fn write_number(out: &mut String, number: u64) {
    let mut digits = [0_u8; 20];
    let mut rest = number;
    let mut count = 0;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
        count += 1;
        if rest == 0 {
            break;
        }
    }
    out.extend(digits.iter().skip(20 - count).map(|digit| char::from(*digit)));
}

fn write_text(out: &mut String, text: &str) {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')) {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        // The same escapes as RFC 8785 asks for.
        out.push_str(&serde_json::Value::from(text).to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::{Fact, Record, is_name};
    use crate::audit::Chain;
    use crate::audit::{Datum, Event, Field, append, open};
    use crate::json::Json;

    fn record() -> Record {
        let (_, head) = open(Chain::Trail, "org \"é\" \\", 1).unwrap();
        let event = Event::new("agent_run.harness_denied")
            .with(Field::Tool, Datum::Key("records.search".to_owned()))
            .with(Field::Estimated, Datum::Flag(true))
            .with(Field::Bytes, Datum::Number(9_007_199_254_740_991))
            .with(Field::Step, Datum::Number(0))
            .with(Field::Input, Datum::Keys(vec!["a".to_owned(), "ü\"".to_owned()]));
        append(&head, &event, 17).unwrap().0
    }

    #[test]
    fn a_record_is_written_as_rfc_8785_writes_it() {
        for text in [record().line(), record().row()] {
            assert_eq!(Json::parse(text.as_bytes()).unwrap().canonical(), text);
        }
    }

    #[test]
    fn the_hash_can_be_computed_with_stock_tools() {
        let record = record();
        let by_hand = crate::lock::digest_of(format!("{}{}", record.prev, record.row()).as_bytes());
        assert_eq!((record.hash.as_str(), record.computed_hash()), (by_hand.as_str(), by_hand.clone()));
    }

    #[test]
    fn what_is_no_name_is_no_fact() {
        assert!(is_name("issue write"));
        for text in ["", "a\nb", "a\u{85}b", &"x".repeat(257)] {
            assert!(!is_name(text));
            assert_eq!(Fact::of(&Datum::Key(text.to_owned())), None);
        }
        let plain = crate::lock::digest_of(b"x");
        for (digest, fits) in [
            ("deadbeef", false),
            (plain.as_str(), true),
            (&format!("hmac-{plain}"), true),
            (&format!("hmac-hmac-{plain}"), false),
        ] {
            assert_eq!(Fact::of(&Datum::Digest(digest.to_owned())).is_some(), fits, "{digest}");
        }
        assert_eq!(Fact::of(&Datum::Number(u64::MAX)), None);
    }
}
