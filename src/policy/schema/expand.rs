//! Short forms written out: a word is a type, a list an enum, `{keys: section}` the keys of a section.
//!
//! Size and depth are bounded here, so that what follows may recurse; so are numbers.

use std::sync::Arc;

use serde_json::{Number, Value};

use super::located::Part;
use super::path::{Path, Step};
use super::problem::nearest;
use super::shape::{Spot, spot};
use super::{Located, MAX_DEPTH, MAX_NODES, Origin, Problem, ProblemKind, Shorts};
use crate::source::Span;
use crate::syntax::{Entry, Kind, Node};

/// Writes out one schema. Problems found here leave a tree that must not be read further, except for its spans.
pub(super) fn expand(node: &Arc<Node>, origin: Origin, shorts: &Shorts<'_>) -> (Located, Vec<Problem>) {
    let mut expander =
        Expander { origin, shorts, nodes: 0, stopped: false, types: Vec::new(), problems: Vec::new() };
    let tree = expander.schema(node, &Place { key: None, via: None, pointer: Path::ROOT, depth: 0 });
    (tree, expander.problems)
}

struct Expander<'a> {
    origin: Origin,
    shorts: &'a Shorts<'a>,
    nodes: usize,
    stopped: bool,
    types: Vec<String>,
    problems: Vec<Problem>,
}

struct Place<'p> {
    key: Option<Span>,
    via: Option<Span>,
    pointer: Path<'p>,
    depth: usize,
}

impl<'p> Place<'p> {
    fn down(&'p self, key: Option<Span>, step: Step<'p>) -> Self {
        let pointer = self.pointer.down(step, Step::Stay);
        Self { key, via: self.via, pointer, depth: self.depth + 1 }
    }

    fn part(&self, span: Span, part: Part) -> Located {
        Located { span, key: self.key, via: self.via, part }
    }

    fn null(&self, span: Span) -> Located {
        self.part(span, Part::Scalar(Value::Null))
    }
}

impl Expander<'_> {
    fn problem(
        &mut self,
        kind: ProblemKind,
        span: Span,
        place: &Place<'_>,
        detail: impl Into<String>,
    ) -> &mut Problem {
        let part = place.null(span);
        self.problems.push(Problem::at(kind, &part, &place.pointer, detail));
        let last = self.problems.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "the item was pushed just above")]
        &mut self.problems[last]
    }

    /// Whether `node` still fits; once it does not, nothing more is read.
    fn fits(&mut self, node: &Node, place: &Place<'_>) -> bool {
        self.nodes += 1;
        if self.stopped {
            return false;
        }
        if place.depth > MAX_DEPTH {
            self.stopped = true;
            let detail = format!("this schema nests deeper than {MAX_DEPTH} levels");
            self.problem(ProblemKind::TooDeep, node.span, place, detail);
        } else if self.nodes > MAX_NODES {
            self.stopped = true;
            let detail =
                format!("this schema has more than {MAX_NODES} parts once its types are written out");
            self.problem(ProblemKind::TooLarge, node.span, place, detail);
        }
        !self.stopped
    }

    fn schema(&mut self, node: &Arc<Node>, place: &Place<'_>) -> Located {
        if !self.fits(node, place) {
            return place.null(node.span);
        }
        match (&node.kind, self.origin) {
            (Kind::Map(entries), Origin::Own) => match entries.as_slice() {
                [Entry { key, value, .. }] if key.value == "keys" => self.keys(node, value, place),
                _ => self.map(node, entries, place),
            },
            (Kind::Map(entries), Origin::Pinned) => self.map(node, entries, place),
            (Kind::Bool(value), _) => place.part(node.span, Part::Scalar(Value::Bool(*value))),
            (Kind::Text(word, _), Origin::Own) => self.named(node, word, place),
            (Kind::List(items), Origin::Own) => self.list(node, items, place),
            _ => {
                let detail = format!("a schema belongs here, and this is {}", node.what());
                self.problem(ProblemKind::NotASchema, node.span, place, detail);
                place.null(node.span)
            }
        }
    }

    fn map(&mut self, node: &Arc<Node>, entries: &[Entry], place: &Place<'_>) -> Located {
        let has = |name: &str| entries.iter().any(|entry| entry.key.value == name);
        let implied = self.origin == Origin::Own && has("properties") && !has("type");
        let mut parts = Vec::with_capacity(entries.len() + usize::from(implied));
        if implied {
            parts.push(("type".to_owned(), place.part(node.span, Part::Scalar("object".into()))));
        }
        for Entry { key, value, .. } in entries {
            let down = place.down(Some(key.span), Step::Key(&key.value));
            parts.push((key.value.clone(), self.keyword(spot(&key.value), value, &down)));
        }
        place.part(node.span, Part::Map(parts))
    }

    fn keyword(&mut self, spot: Spot, node: &Arc<Node>, place: &Place<'_>) -> Located {
        match (spot, &node.kind) {
            (Spot::Schema, _) => self.schema(node, place),
            (Spot::SchemaOrList, Kind::List(items)) if self.origin == Origin::Pinned => {
                self.schemas(node, items, place)
            }
            (Spot::SchemaOrList, _) => self.schema(node, place),
            (Spot::Schemas, Kind::List(items)) => self.schemas(node, items, place),
            (Spot::SchemaMap | Spot::Dependencies, Kind::Map(entries)) => {
                let mut parts = Vec::with_capacity(entries.len());
                for Entry { key, value, .. } in entries {
                    let down = place.down(Some(key.span), Step::Key(&key.value));
                    let names = spot == Spot::Dependencies && matches!(value.kind, Kind::List(_));
                    let part = if names { self.data(value, &down) } else { self.schema(value, &down) };
                    parts.push((key.value.clone(), part));
                }
                place.part(node.span, Part::Map(parts))
            }
            (Spot::Schemas | Spot::SchemaMap | Spot::Dependencies, _) => {
                let wanted = if spot == Spot::Schemas { "a list of schemas" } else { "a mapping to schemas" };
                let detail = format!("{wanted} belongs here, and this is {}", node.what());
                self.problem(ProblemKind::NotASchema, node.span, place, detail);
                place.null(node.span)
            }
            (Spot::Data, _) => self.data(node, place),
        }
    }

    fn schemas(&mut self, node: &Arc<Node>, items: &[Arc<Node>], place: &Place<'_>) -> Located {
        let parts = items
            .iter()
            .enumerate()
            .map(|(index, item)| self.schema(item, &place.down(None, Step::Item(index))))
            .collect();
        place.part(node.span, Part::List(parts))
    }

    fn named(&mut self, node: &Arc<Node>, word: &str, place: &Place<'_>) -> Located {
        let Some((name, target)) = self.shorts.types.get_key_value(word) else {
            self.unknown_type(node, word, place);
            return place.null(node.span);
        };
        if self.types.iter().any(|open| open == word) {
            let detail = format!("the type `{word}` leads back to itself");
            self.problem(ProblemKind::TypeCycle, node.span, place, detail);
            return place.null(node.span);
        }
        let inside = Place {
            key: place.key,
            via: place.via.or(Some(node.span)),
            pointer: place.pointer,
            depth: place.depth + 1,
        };
        self.types.push((*name).to_owned());
        let found = self.schema(target, &inside);
        self.types.pop();
        found
    }

    fn unknown_type(&mut self, node: &Node, word: &str, place: &Place<'_>) {
        let near = nearest(word, self.shorts.types.keys().copied()).map(str::to_owned);
        let help = if super::shape::Kinds::named(word).is_some() {
            format!("write `{{type: {word}}}`")
        } else if let Some(near) = near {
            format!("did you mean `{near}`?")
        } else {
            format!("define `{word}` under `types:`, or write the schema here")
        };
        let detail = format!("`{word}` names no type");
        self.problem(ProblemKind::UnknownType, node.span, place, detail).help = Some(help);
    }

    fn list(&mut self, node: &Arc<Node>, items: &[Arc<Node>], place: &Place<'_>) -> Located {
        let down = place.down(None, Step::Key("enum"));
        let mut texts = true;
        let mut parts = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let at = down.down(None, Step::Item(index));
            texts &= item.text().is_some();
            if matches!(item.kind, Kind::List(_) | Kind::Map(_)) {
                let detail = format!(
                    "a list in place of a schema lists the values allowed, and this is {}",
                    item.what()
                );
                self.problem(ProblemKind::NotASchema, item.span, &at, detail);
            }
            parts.push(self.data(item, &at));
        }
        self.enumeration(node.span, place, parts, texts)
    }

    fn keys(&mut self, node: &Arc<Node>, section: &Arc<Node>, place: &Place<'_>) -> Located {
        let Some(name) = section.text() else {
            let detail = format!("`keys` takes the name of a section, and this is {}", section.what());
            self.problem(ProblemKind::NotASchema, section.span, place, detail);
            return place.null(node.span);
        };
        let Some(keys) = (self.shorts.keys)(name) else {
            let detail = format!("`{name}` names no section");
            self.problem(ProblemKind::UnknownType, section.span, place, detail);
            return place.null(node.span);
        };
        self.nodes += keys.len();
        let down = place.down(None, Step::Key("enum"));
        let parts = keys.into_iter().map(|key| down.part(key.span, Part::Scalar(key.value.into()))).collect();
        self.enumeration(node.span, place, parts, true)
    }

    fn enumeration(&mut self, span: Span, place: &Place<'_>, values: Vec<Located>, texts: bool) -> Located {
        if values.is_empty() {
            let detail = "this allows no value at all, for there is none to choose from";
            self.problem(ProblemKind::Invalid, span, place, detail);
        }
        let synthetic = |part| Located { span, key: None, via: place.via, part };
        let mut parts = Vec::with_capacity(1 + usize::from(texts));
        if texts {
            parts.push(("type".to_owned(), synthetic(Part::Scalar("string".into()))));
        }
        parts.push(("enum".to_owned(), synthetic(Part::List(values))));
        place.part(span, Part::Map(parts))
    }

    fn data(&mut self, node: &Arc<Node>, place: &Place<'_>) -> Located {
        if !self.fits(node, place) {
            return place.null(node.span);
        }
        let part = match &node.kind {
            Kind::Null => Part::Scalar(Value::Null),
            Kind::Bool(value) => Part::Scalar(Value::Bool(*value)),
            Kind::Text(text, _) => Part::Scalar(Value::String(text.clone())),
            Kind::Number(text) => match number(text) {
                Ok(number) => Part::Scalar(Value::Number(number)),
                Err(why) => {
                    self.problem(ProblemKind::BadNumber, node.span, place, format!("`{text}` {why}"));
                    Part::Scalar(Value::Null)
                }
            },
            Kind::List(items) => Part::List(
                items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| self.data(item, &place.down(None, Step::Item(index))))
                    .collect(),
            ),
            Kind::Map(entries) => Part::Map(
                entries
                    .iter()
                    .map(|Entry { key, value, .. }| {
                        let down = place.down(Some(key.span), Step::Key(&key.value));
                        (key.value.clone(), self.data(value, &down))
                    })
                    .collect(),
            ),
        };
        place.part(node.span, part)
    }
}

/// The largest integer that every JSON reader keeps exactly and takes for no other: 2^53 − 1.
const EXACT: u128 = crate::model::read::MAX_INTEGER as u128;

/// A number as written in YAML, as JSON has it.
///
/// # Errors
/// Why JSON cannot write it exactly.
pub fn number(text: &str) -> Result<Number, &'static str> {
    let bare = text.strip_prefix('+').unwrap_or(text);
    let (sign, digits) = bare.strip_prefix('-').map_or(("", bare), |digits| ("-", digits));
    let radix = digits.get(..2).and_then(|prefix| match prefix {
        "0x" => Some(16),
        "0o" => Some(8),
        _ => None,
    });
    let whole = match radix {
        Some(radix) => digits.get(2..).and_then(|digits| u128::from_str_radix(digits, radix).ok()),
        None => digits.parse::<u128>().ok(),
    };
    let is_whole = radix.is_some() || digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_whole {
        let whole = whole.filter(|whole| *whole <= EXACT);
        let whole = whole.ok_or("is larger than 2^53 − 1, which JSON readers do not keep exactly")?;
        // A negative zero keeps its sign, which an integer would lose.
        return match u64::try_from(whole) {
            Ok(whole) if sign.is_empty() => Ok(Number::from(whole)),
            _ => parse(&format!("{sign}{whole}")),
        };
    }
    let digits = if digits.starts_with('.') { format!("0{digits}") } else { digits.to_owned() };
    let digits = match digits.find(['e', 'E']) {
        Some(at) => {
            let (head, tail) = digits.split_at(at);
            format!("{}{tail}", head.strip_suffix('.').unwrap_or(head))
        }
        None => digits.strip_suffix('.').unwrap_or(&digits).to_owned(),
    };
    parse(&format!("{sign}{digits}"))
}

fn parse(text: &str) -> Result<Number, &'static str> {
    let number: Number = serde_json::from_str(text).map_err(|_| "is no number that JSON can write")?;
    let is_whole = text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
    match number.as_f64() {
        // Beyond it a double holds whole numbers alone, so that this is one in another spelling.
        Some(value) if value.is_finite() && !is_whole && value.abs() > EXACT as f64 => {
            Err("is larger than 2^53 − 1, which JSON readers do not keep exactly")
        }
        Some(value) if value.is_finite() => Ok(number),
        _ => Err("is no number that JSON can write"),
    }
}
