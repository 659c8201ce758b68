//! The tree that YAML text is read into.

use std::sync::Arc;

use crate::source::{Span, Spanned};

/// How a scalar was written: whether its text may be read as a number, a boolean or null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// In single or double quotes.
    Quoted,
    /// A literal (`|`) or folded (`>`) block.
    Block,
}

/// What a node is, by the YAML 1.2 core schema (in which `no` and `on` are text, and leading zeros make no number).
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `null`, `~` or nothing at all.
    Null,
    /// `true` or `false`, plain.
    Bool(bool),
    /// A plain number, as it was written; what it may be is the reader's to say.
    Number(String),
    /// Everything else.
    Text(String, Style),
    /// A sequence.
    List(Vec<Arc<Node>>),
    /// A mapping, in the order of the text; keys are texts and none occurs twice (both are findings of the reading).
    Map(Vec<Entry>),
}

/// One node. A node that an alias stands for is shared, and keeps the span of its anchor's text.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its bytes: a quoted scalar's with the quotes, a block scalar's body, a collection's from its first to its last child's
    /// end (a flow collection's with the brackets). An absent value's span is empty, where the value would stand.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key's text and place.
    pub key: Spanned<String>,
    /// The value.
    pub value: Arc<Node>,
    /// Where the value is an alias: the place of `*name`.
    pub alias: Option<Span>,
}

/// A comment, for waivers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From `#` to the end of the line, without the line end.
    pub span: Span,
    /// Without the `#`, untrimmed.
    pub text: String,
    /// Whether nothing but white space stands before it on its line.
    pub alone: bool,
}

/// One file's content.
#[derive(Clone, Debug)]
pub struct Document {
    /// The file as a whole.
    pub span: Span,
    /// The single document's root; nothing where the file is empty or does not parse.
    pub root: Option<Arc<Node>>,
    /// Every comment, in order.
    pub comments: Vec<Comment>,
    /// Whether the text did not parse: what only this file's absence would cause is then not reported.
    pub broken: bool,
}

impl Node {
    /// The entry of a mapping under `key`.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        match &self.kind {
            Kind::Map(entries) => entries.iter().find(|entry| entry.key.value == key),
            _ => None,
        }
    }

    /// The text of a scalar that is text.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text, _) => Some(text),
            _ => None,
        }
    }

    /// What a person would call this: "a list", "a number", …
    pub fn what(&self) -> &'static str {
        match &self.kind {
            Kind::Null => "nothing",
            Kind::Bool(_) => "a boolean",
            Kind::Number(_) => "a number",
            Kind::Text(..) => "text",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a mapping",
        }
    }
}
