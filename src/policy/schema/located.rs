//! A JSON value that knows where each of its parts was written.

use serde_json::Value;

use crate::source::Span;

/// One part of a value.
#[derive(Clone, Debug)]
pub struct Located {
    /// The value's bytes.
    pub span: Span,
    /// The bytes of the key that leads here.
    pub key: Option<Span>,
    /// The word, elsewhere, that names the type this was written for.
    pub via: Option<Span>,
    /// What it is.
    pub part: Part,
}

/// What a part is.
#[derive(Clone, Debug)]
pub enum Part {
    /// Null, a boolean, a number or a text.
    Scalar(Value),
    /// A list.
    List(Vec<Located>),
    /// A mapping in the order of the text; no key stands twice.
    Map(Vec<(String, Located)>),
}

impl Located {
    /// The value under a key of a mapping.
    pub fn get(&self, key: &str) -> Option<&Located> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, part)| part)
    }

    /// A mapping's entries; none for anything else.
    pub fn entries(&self) -> &[(String, Located)] {
        match &self.part {
            Part::Map(entries) => entries,
            _ => &[],
        }
    }

    /// A list's items; none for anything else.
    pub fn items(&self) -> &[Located] {
        match &self.part {
            Part::List(items) => items,
            _ => &[],
        }
    }

    /// Whether this is a mapping.
    pub fn is_map(&self) -> bool {
        matches!(self.part, Part::Map(_))
    }

    /// Whether this is a list.
    pub fn is_list(&self) -> bool {
        matches!(self.part, Part::List(_))
    }

    /// A scalar's text.
    pub fn text(&self) -> Option<&str> {
        self.scalar().and_then(Value::as_str)
    }

    /// A scalar's boolean.
    pub fn boolean(&self) -> Option<bool> {
        self.scalar().and_then(Value::as_bool)
    }

    /// A scalar.
    pub fn scalar(&self) -> Option<&Value> {
        match &self.part {
            Part::Scalar(value) => Some(value),
            _ => None,
        }
    }

    /// The plain value.
    pub fn value(&self) -> Value {
        match &self.part {
            Part::Scalar(value) => value.clone(),
            Part::List(items) => Value::Array(items.iter().map(Located::value).collect()),
            Part::Map(entries) => {
                Value::Object(entries.iter().map(|(key, part)| (key.clone(), part.value())).collect())
            }
        }
    }

    /// The part at a JSON pointer.
    pub fn at(&self, pointer: &str) -> Option<&Located> {
        steps(pointer).try_fold(self, |part, step| part.step(&step))
    }

    /// The part at a JSON pointer, or the last one on the way to it.
    pub fn nearest(&self, pointer: &str) -> &Located {
        let mut part = self;
        for step in steps(pointer) {
            match part.step(&step) {
                Some(next) => part = next,
                None => break,
            }
        }
        part
    }

    /// An empty mapping in place of an input says that the tool takes nothing: an object without properties.
    pub(super) fn empty_becomes_object(&mut self) {
        let (span, via) = (self.span, self.via);
        if let Part::Map(entries) = &mut self.part
            && entries.is_empty()
        {
            let word = Located { span, key: None, via, part: Part::Scalar("object".into()) };
            entries.push(("type".to_owned(), word));
        }
    }

    fn step(&self, step: &str) -> Option<&Located> {
        match &self.part {
            Part::Map(_) => self.get(step),
            Part::List(items) => items.get(step.parse::<usize>().ok()?),
            Part::Scalar(_) => None,
        }
    }
}

/// The steps of a JSON pointer, unescaped; the empty pointer has none.
pub(super) fn steps(pointer: &str) -> impl Iterator<Item = String> + '_ {
    pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"))
}
