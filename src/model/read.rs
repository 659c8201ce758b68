//! How a typed definition is read from spanned nodes: one trait, two macros, every fault in one pass.
//!
//! Reading never stops at the first fault and never invents a value: what could not be read is absent, and said.

use std::sync::Arc;

use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink, nearest, sureness};
use crate::source::{Span, Spanned};
use crate::syntax::{Entry, Kind, Node, Style};

pub(crate) const UNKNOWN_FIELD: RuleId = RuleId("unknown-field");
pub(crate) const MISSING_FIELD: RuleId = RuleId("missing-field");
pub(crate) const WRONG_TYPE: RuleId = RuleId("wrong-type");
pub(crate) const NULL_VALUE: RuleId = RuleId("null-value");
pub(crate) const EMPTY_LIST: RuleId = RuleId("empty-list");

/// A type that an author writes.
pub trait Read: Sized {
    /// Reads `node`; findings go to `sink`. Nothing where it could not be read.
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self>;
}

/// Reports that `node` is not what was expected there. `expected` reads after "expected": "a list of tools".
pub fn wrong_type(node: &Node, expected: &str, sink: &mut Sink) {
    if node.kind == Kind::Null {
        sink.push(
            Diagnostic::new(NULL_VALUE, node.span, format!("nothing stands where {expected} is expected"), "no value")
                .note("an absent key, `null` and an empty list never mean the same by accident, so `null` means nothing here")
                .help("write a value, or take the key out to get the default"),
        );
        return;
    }
    let found = match &node.kind {
        Kind::Text(text, _) if text.chars().count() <= 40 && !text.contains('\n') => {
            format!("the text `{text}`")
        }
        Kind::Number(text) => format!("the number `{text}`"),
        Kind::Bool(value) => format!("the boolean `{value}`"),
        _ => node.what().to_owned(),
    };
    let mut finding = Diagnostic::new(
        WRONG_TYPE,
        node.span,
        format!("expected {expected}, found {found}"),
        format!("expected {expected}"),
    );
    if matches!(node.kind, Kind::Text(..)) && expected.starts_with("a list") {
        finding = finding.help("put it between brackets, or on a line of its own behind `- `");
    }
    sink.push(finding);
}

impl Read for String {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        match &node.kind {
            Kind::Text(text, _) => Some(text.clone()),
            Kind::Number(written) => {
                unquoted(node, written, sink);
                None
            }
            Kind::Bool(value) => {
                unquoted(node, if *value { "true" } else { "false" }, sink);
                None
            }
            _ => {
                wrong_type(node, "text", sink);
                None
            }
        }
    }
}

fn unquoted(node: &Node, written: &str, sink: &mut Sink) {
    sink.push(
        Diagnostic::new(
            WRONG_TYPE,
            node.span,
            format!("expected text, found {} `{written}`", node.what()),
            "YAML does not read this as text",
        )
        .help(format!("put it in quotes: \"{written}\""))
        .fix("put it in quotes", Applicability::Safe, node.span, format!("\"{written}\"")),
    );
}

impl Read for bool {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        match &node.kind {
            Kind::Bool(value) => Some(*value),
            Kind::Text(text, Style::Plain)
                if ["yes", "on", "no", "off"].contains(&text.to_ascii_lowercase().as_str()) =>
            {
                let meant = matches!(text.to_ascii_lowercase().as_str(), "yes" | "on");
                sink.push(
                    Diagnostic::new(
                        WRONG_TYPE,
                        node.span,
                        format!("expected `true` or `false`, found the text `{text}`"),
                        "text in YAML 1.2",
                    )
                    .note("YAML 1.2 reads only `true` and `false` as booleans")
                    .help(format!("write `{meant}`"))
                    .fix(
                        format!("write `{meant}`"),
                        Applicability::Unsafe,
                        node.span,
                        meant.to_string(),
                    ),
                );
                None
            }
            _ => {
                wrong_type(node, "`true` or `false`", sink);
                None
            }
        }
    }
}

impl Read for u64 {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        let parsed = match &node.kind {
            Kind::Number(written) => written.parse().ok().filter(|value| *value <= MAX_INTEGER),
            _ => None,
        };
        if parsed.is_none() {
            wrong_type(node, &format!("a whole number from 0 to {MAX_INTEGER}"), sink);
        }
        parsed
    }
}

/// Integers beyond it do not survive JSON; the lock holds none.
pub use harnessc_runtime::load::MAX_INTEGER;

impl<T: Read> Read for Spanned<T> {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        T::read(node, sink).map(|value| Spanned::new(value, node.span))
    }
}

impl<T: Read> Read for Vec<T> {
    /// A list is never empty: an author who means "none" leaves the key out, and nobody has to guess what `[]` means.
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        let Kind::List(items) = &node.kind else {
            wrong_type(node, "a list", sink);
            return None;
        };
        if items.is_empty() {
            sink.push(
                Diagnostic::new(EMPTY_LIST, node.span, "this list is empty", "nothing in it")
                    .note("an empty list can be read as \"none\" and as \"all\", and the two differ by everything")
                    .help("name what belongs here, or take the key out"),
            );
            return None;
        }
        Some(items.iter().filter_map(|item| T::read(item, sink)).collect())
    }
}

/// What one field of a record did while it was read.
pub struct Fields<'a> {
    record: &'static str,
    span: Span,
    entries: &'a [Entry],
    taken: Vec<bool>,
    missing: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// Begins reading `node` as the record that authors call `record`.
    pub fn begin(record: &'static str, node: &'a Node, sink: &mut Sink) -> Option<Self> {
        let Kind::Map(entries) = &node.kind else {
            wrong_type(node, &format!("a mapping with the fields of {record}"), sink);
            return None;
        };
        Some(Self {
            record,
            span: node.span,
            entries,
            taken: vec![false; entries.len()],
            missing: Vec::new(),
        })
    }

    /// Whether the author wrote field `name`, rightly or not.
    pub fn states(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.key.value == name)
    }

    /// Takes field `name`; a required one that is not there is noted.
    pub fn take<T: Read>(&mut self, name: &'static str, required: bool, sink: &mut Sink) -> Option<T> {
        let Some(at) = self.entries.iter().position(|entry| entry.key.value == name) else {
            if required {
                self.missing.push(name);
            }
            return None;
        };
        if let Some(taken) = self.taken.get_mut(at) {
            *taken = true;
        }
        let entry = self.entries.get(at)?;
        if required && is_nothing(&entry.value.kind) {
            let mut found = sink.beside();
            let read = T::read(&entry.value, &mut found);
            for finding in found.into_found() {
                sink.push(if [EMPTY_LIST, NULL_VALUE].contains(&finding.rule) {
                    needed(finding, self.record, name, &entry.value)
                } else {
                    finding
                });
            }
            return read;
        }
        T::read(&entry.value, sink)
    }

    /// Reports what is unknown and what is missing, of all fields and whether each is offered. A misspelt key that stands for a
    /// missing one explains it.
    pub fn finish(self, fields: &[(&'static str, bool)], sink: &mut Sink) {
        let Self { record, span, entries, taken, mut missing } = self;
        if missing.is_empty() && taken.iter().all(|taken| *taken) {
            return;
        }
        let known: Vec<&'static str> =
            fields.iter().filter(|(_, offered)| *offered).map(|(name, _)| *name).collect();
        let open: Vec<&str> = known
            .iter()
            .copied()
            .filter(|name| !entries.iter().any(|entry| entry.key.value == *name))
            .collect();
        for entry in entries.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(entry, _)| entry) {
            if sink.is_full(entry.key.span.file) {
                continue;
            }
            let meant = nearest(&entry.key, open.iter().copied());
            missing.retain(|name| Some(*name) != meant);
            unknown_field(entry, record, &known, meant, sink);
        }
        for name in missing {
            missing_field(record, span, name, sink);
        }
    }
}

fn is_nothing(kind: &Kind) -> bool {
    matches!(kind, Kind::Null) || matches!(kind, Kind::List(items) if items.is_empty())
}

/// What is said of nothing where something is needed: taking the key out would only be the next finding.
fn needed(finding: Diagnostic, record: &str, name: &str, node: &Node) -> Diagnostic {
    let belongs = if node.kind == Kind::Null { "write a value" } else { "name at least one" };
    finding.help(format!("{belongs}: {record} needs `{name}`, so the key cannot be taken out alone"))
}

/// Reports that `record` at `span` lacks `name`.
pub(crate) fn missing_field(record: &str, span: Span, name: &str, sink: &mut Sink) {
    if sink.is_full(span.file) {
        return;
    }
    sink.push(
        Diagnostic::new(
            MISSING_FIELD,
            span,
            format!("{record} needs `{name}`"),
            format!("`{name}` is missing"),
        )
        .help(added(record, name)),
    );
}

/// The line to add, in the language of the file: the manifest's tables are said in brackets.
fn added(record: &str, name: &str) -> String {
    if record == "the manifest" {
        format!("add the table `[{name}]`")
    } else if record == "`[release]`" {
        let own = if name == "revision" { "`revision = 1`" } else { "`predecessor = \"\"`" };
        format!(
            "for a first lock add {own}, or leave `[release]` out; for a later one `harnessc release --base REV` writes both lines"
        )
    } else if record.starts_with("`[") {
        format!("add `{name} = …` below {record}")
    } else {
        format!("add `{name}:` here")
    }
}

fn unknown_field(entry: &Entry, record: &str, known: &[&str], meant: Option<&str>, sink: &mut Sink) {
    unknown(entry, format!("{record} has no field `{}`", entry.key.value), known, meant, sink);
}

/// Reports a key at the root of a file that is no section of the language, whichever folder the file stands in.
pub(crate) fn unknown_section(entry: &Entry, known: &[&str], meant: Option<&str>, sink: &mut Sink) {
    unknown(entry, format!("there is no section `{}`", entry.key.value), known, meant, sink);
}

fn unknown(entry: &Entry, message: String, known: &[&str], meant: Option<&str>, sink: &mut Sink) {
    let key = &entry.key;
    let mut finding = Diagnostic::new(
        UNKNOWN_FIELD,
        key.span,
        message,
        meant.map_or_else(|| "unknown here".to_owned(), |name| format!("did you mean `{name}`?")),
    )
    .note("an unknown key is refused, since a setting that is silently dropped is a setting that is not in force");
    finding = match meant {
        Some(name) => finding.help(format!("write `{name}`")).fix(
            format!("write `{name}`"),
            sureness(key, name, known.iter().copied()),
            key.span,
            name.to_owned(),
        ),
        None => finding.help(format!("take it out, or use one of: {}", list(known))),
    };
    sink.push(finding);
}

/// A field's name as an author writes it: Rust wants `r#` before its own words.
pub(crate) const fn plain(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Declares a record: the struct, its reading and its JSON Schema from one list of fields.
///
/// Each field is `req` (reported where it is missing), `own` (the same, unless `from` is stated), `deed` (the same, unless
/// `from` or `cases` is), `opt`, or `hid` (read so that a rule can refuse it with its reason; the editor does not offer it). All are `Option`: what is missing or could not be read is `None`.
macro_rules! fields {
    (
        $(#[$meta:meta])*
        $name:ident = $said:literal { $( $(#[$doc:meta])* $mark:ident $field:ident : $type:ty, )* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, schemars::JsonSchema)]
        #[schemars(deny_unknown_fields)]
        pub struct $name {
            $( $(#[$doc])* #[schemars(transform = $crate::model::read::marks::$mark)] pub $field: Option<$type>, )*
        }

        impl $name {
            /// The fields an author may write here.
            pub const FIELDS: &'static [&'static str] = &[ $( $crate::model::read::plain(stringify!($field)), )* ];
        }

        impl $crate::model::read::Read for $name {
            fn read(node: &std::sync::Arc<$crate::syntax::Node>, sink: &mut $crate::diagnostic::Sink) -> Option<Self> {
                let mut fields = $crate::model::read::Fields::begin($said, node, sink)?;
                let read = Self {
                    $( $field: fields.take($crate::model::read::plain(stringify!($field)), $crate::model::read::required!($mark, fields), sink), )*
                };
                fields.finish(&[$( ($crate::model::read::plain(stringify!($field)), $crate::model::read::offered!($mark)), )*], sink);
                Some(read)
            }
        }
    };
}

macro_rules! required {
    (req, $fields:ident) => {
        true
    };
    (own, $fields:ident) => {
        !$fields.states("from")
    };
    (deed, $fields:ident) => {
        !$fields.states("from") && !$fields.states("cases")
    };
    ($other:ident, $fields:ident) => {
        false
    };
}

macro_rules! offered {
    (hid) => {
        false
    };
    ($other:ident) => {
        true
    };
}

/// Declares a closed list of words: the enum, its reading with did-you-mean, its words and its JSON Schema.
macro_rules! words {
    (
        $(#[$meta:meta])*
        $name:ident = $said:literal { $( $(#[$doc:meta])* $variant:ident = $word:literal, )* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, schemars::JsonSchema)]
        pub enum $name { $( $(#[$doc])* #[schemars(rename = $word)] $variant, )* }

        impl $name {
            /// The words an author may write.
            pub const WORDS: &'static [&'static str] = &[ $( $word, )* ];

            /// The word an author writes for it.
            pub fn word(self) -> &'static str {
                match self { $( Self::$variant => $word, )* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl $crate::model::read::Read for $name {
            fn read(node: &std::sync::Arc<$crate::syntax::Node>, sink: &mut $crate::diagnostic::Sink) -> Option<Self> {
                match node.text() {
                    $( Some($word) => Some(Self::$variant), )*
                    _ => {
                        $crate::model::read::wrong_word(node, $said, Self::WORDS, sink);
                        None
                    }
                }
            }
        }
    };
}

pub(crate) use {fields, offered, required, words};

/// Reports that `node` is none of `words`.
pub(crate) fn wrong_word(node: &Node, said: &str, words: &[&str], sink: &mut Sink) {
    let Some(written) = node.text() else {
        wrong_type(node, &format!("{said}: one of {}", list(words)), sink);
        return;
    };
    let meant = nearest(written, words.iter().copied());
    let finding = Diagnostic::new(
        WRONG_TYPE,
        node.span,
        format!("`{written}` is not {said}"),
        meant.map_or_else(
            || format!("expected one of {}", list(words)),
            |word| format!("did you mean `{word}`?"),
        ),
    );
    sink.push(match meant {
        Some(word) => finding.help(format!("write `{word}`; the words are {}", list(words))).fix(
            format!("write `{word}`"),
            Applicability::Unsafe,
            node.span,
            word.to_owned(),
        ),
        None => finding.help(format!("write one of {}", list(words))),
    });
}

/// What the JSON Schema keeps of a field's mark until `model::schema` acts on it for the whole record.
pub(crate) mod marks {
    use schemars::Schema;

    pub(crate) fn req(schema: &mut Schema) {
        schema.insert("x-required".to_owned(), true.into());
    }

    pub(crate) fn hid(schema: &mut Schema) {
        schema.insert("x-hidden".to_owned(), true.into());
    }

    pub(crate) fn opt(_: &mut Schema) {}

    pub(crate) fn own(_: &mut Schema) {}

    pub(crate) fn deed(_: &mut Schema) {}
}
