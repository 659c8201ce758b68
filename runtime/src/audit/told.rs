//! What was told, whether it is an event of this moment or a record that was read back years later: whoever replays a trail
//! asks through this, so that the stored chain is enough.

use super::{Datum, Event, Fact, Field, Record};
use crate::lock::digest::is_digest;

/// The facts of an [`Event`] or of the [`Record`] that it became. Both answer alike.
pub trait Told {
    /// What happened.
    fn name(&self) -> &str;

    /// Whether the field is stated.
    fn has(&self, field: Field) -> bool;

    /// A yes or no.
    fn flag(&self, field: Field) -> Option<bool>;

    /// A number.
    fn number(&self, field: Field) -> Option<u64>;

    /// Keys of the lock; none where the field is not stated.
    fn keys(&self, field: Field) -> &[String];

    /// A digest, an id, a key or a word.
    fn text(&self, field: Field) -> Option<&str>;

    /// A text that is no digest: a key of the lock, where the field may also hold the keyed digest of a name that no lock
    /// knows.
    fn key(&self, field: Field) -> Option<&str> {
        self.text(field).filter(|text| !is_digest(text.strip_prefix("hmac-").unwrap_or(text)))
    }
}

impl Told for Event {
    fn name(&self) -> &str {
        self.name
    }

    fn has(&self, field: Field) -> bool {
        self.fields.contains_key(&field)
    }

    fn flag(&self, field: Field) -> Option<bool> {
        match self.fields.get(&field)? {
            Datum::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    fn number(&self, field: Field) -> Option<u64> {
        match self.fields.get(&field)? {
            Datum::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn keys(&self, field: Field) -> &[String] {
        match self.fields.get(&field) {
            Some(Datum::Keys(keys)) => keys,
            _ => &[],
        }
    }

    fn text(&self, field: Field) -> Option<&str> {
        match self.fields.get(&field)? {
            Datum::Digest(text) | Datum::Id(text) | Datum::Key(text) => Some(text),
            Datum::Word(word) => Some(word),
            _ => None,
        }
    }
}

impl Told for Record {
    fn name(&self) -> &str {
        &self.event
    }

    fn has(&self, field: Field) -> bool {
        self.fields.contains_key(&field)
    }

    fn flag(&self, field: Field) -> Option<bool> {
        match self.fields.get(&field)? {
            Fact::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    fn number(&self, field: Field) -> Option<u64> {
        match self.fields.get(&field)? {
            Fact::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn keys(&self, field: Field) -> &[String] {
        match self.fields.get(&field) {
            Some(Fact::List(keys)) => keys,
            _ => &[],
        }
    }

    fn text(&self, field: Field) -> Option<&str> {
        match self.fields.get(&field)? {
            Fact::Text(text) => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Told;
    use crate::audit::{Chain, Datum, Event, Field, append, open, read_line};
    use crate::lock::digest_of;

    #[test]
    fn a_record_that_was_read_back_answers_as_its_event_did() {
        let keyed = format!("hmac-{}", digest_of(b"x"));
        let event = Event::new("agent_run.policy_denied")
            .with(Field::Case, Datum::Digest(keyed))
            .with(Field::Code, Datum::Word("policy_denied"))
            .with(Field::InputValid, Datum::Flag(false))
            .with(Field::Personas, Datum::Keys(vec!["lead".to_owned()]))
            .with(Field::Run, Datum::Id("run-1".to_owned()))
            .with(Field::Step, Datum::Number(3))
            .with(Field::Tool, Datum::Key("records.search".to_owned()));
        let (record, _) = append(&open(Chain::Trail, "org-1", 1).unwrap().1, &event, 2).unwrap();
        let record = read_line(&record.line()).unwrap();
        assert_eq!(Told::name(&event), Told::name(&record));
        for field in Field::ALL.iter().copied() {
            assert_eq!(event.has(field), record.has(field));
            assert_eq!(event.flag(field), record.flag(field));
            assert_eq!(event.number(field), record.number(field));
            assert_eq!(Told::keys(&event, field), Told::keys(&record, field));
            assert_eq!(event.text(field), record.text(field));
            assert_eq!(event.key(field), record.key(field));
        }
        assert_eq!((record.key(Field::Case), record.key(Field::Tool)), (None, Some("records.search")));
    }
}
