//! The projection: of any JSON whatever, what the closed schema names, and nothing else.
//!
//! A place with branches is tried branch by branch, and of what each keeps the one that says most is taken, the first of
//! equals. What comes out always meets the schema, or nothing comes out.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value};

use super::check::{Judges, has_shape, in_range, is_listed, length_and_shape};
use super::decimal::Decimal;
use super::schema::{Id, Node, Schema, Unsupported};
use super::{Violation, Violations};
use crate::boundary::Compile;
use crate::foreign::{LABEL, cut, is_hidden, is_many_words, labelled};
use crate::json::canonical;
use crate::lock::{Lock, RawJson};

/// Keys under which a structured output could carry prose; no role but a reading one gets them (SYSTEMS C10).
pub(super) const FORBIDDEN_KEYS: [&str; 7] =
    ["abstract", "body", "caption", "description", "function", "summary", "text"];

/// The cap of a string whose schema states none, and of a title.
const STRING_CAP: u64 = 300;
const TITLE_CAP: u64 = 120;
/// The longest key of a map, in characters; the compiler closes maps with the same.
const KEY_CAP: usize = 128;
/// So many ways through the branches of one place are tried.
const MAX_WAYS: usize = 64;
/// So many places are looked at for one answer, and so many again to confirm what was chosen.
const MAX_STEPS: u64 = 400_000;

/// Who receives a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// A role that reads untrusted text.
    Reader,
    /// Any other role: free strings come under the label, prose not at all.
    Others,
}

impl Audience {
    /// A run role's audience; a role that the lock does not know reads nothing untrusted.
    #[must_use]
    pub fn of(lock: &Lock, role: &str) -> Self {
        match lock.roles.get(role) {
            Some(role) if role.reads_untrusted => Self::Reader,
            _ => Self::Others,
        }
    }
}

/// What is left of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Projected {
    /// The value, which meets the schema; `None`: nothing of the answer could be kept.
    pub value: Option<Value>,
    /// What was dropped and cut.
    pub violations: Violations,
}

/// A tool's closed output schema, ready to project by. Reading it costs; keep it beside the lock.
#[derive(Debug)]
pub struct Projector {
    schema: Schema,
}

impl Projector {
    /// Reads a closed output schema of the lock. The engine judges `pattern` and `format` as it does for inputs; a string
    /// under one that it cannot compile is dropped.
    pub fn new(output: &RawJson, engine: &dyn Compile) -> Result<Self, Unsupported> {
        Ok(Self { schema: Schema::read(output, engine)? })
    }

    /// Keeps of a value what the schema names.
    #[must_use]
    pub fn project(&self, value: &Value, audience: Audience) -> Projected {
        let judges = Judges::new(&self.schema, MAX_STEPS);
        let mut work = Work { audience, judges, schema: &self.schema, steps: MAX_STEPS };
        let mut violations = Violations::default();
        let root = [self.schema.root];
        let kept = work.reduce(&root, value, &mut violations);
        let kept = kept.filter(|kept| Judges::new(&self.schema, MAX_STEPS).takes(&root, kept));
        Projected { value: kept, violations }
    }

    /// Whether a value meets the schema as it stands.
    #[must_use]
    pub fn takes(&self, value: &Value) -> bool {
        Judges::new(&self.schema, MAX_STEPS).takes(&[self.schema.root], value)
    }
}

struct Work<'s> {
    audience: Audience,
    judges: Judges<'s>,
    schema: &'s Schema,
    steps: u64,
}

/// The plain keywords of one way through the branches; a value must meet all of them.
type Way<'s> = Vec<&'s Node>;

impl<'s> Work<'s> {
    /// What of the value meets all these places.
    fn reduce(&mut self, ids: &[Id], value: &Value, violations: &mut Violations) -> Option<Value> {
        self.steps = self.steps.checked_sub(1)?;
        let Some((ways, choice)) = self.ways(ids) else {
            violations.count(Violation::NoBranch, 1);
            return None;
        };
        let mut best: Option<(usize, Value, Violations)> = None;
        let mut lost: Option<Violations> = None;
        for way in &ways {
            let mut own = Violations::default();
            let kept = self.plain(way, value, &mut own);
            let kept = kept.filter(|kept| !choice || self.judges.takes(ids, kept));
            let Some(kept) = kept else {
                lost.get_or_insert(own);
                continue;
            };
            let says = canonical(&kept).map_or(0, |form| form.len());
            if best.as_ref().is_none_or(|(most, _, _)| says > *most) {
                best = Some((says, kept, own));
            }
        }
        let Some((_, kept, own)) = best else {
            match lost {
                Some(own) if ways.len() == 1 && own.total() > 0 => violations.absorb(&own),
                _ => violations.count(Violation::NoBranch, 1),
            }
            return None;
        };
        violations.absorb(&own);
        Some(kept)
    }

    /// Every way through the branches of these places, and whether there was a choice that the whole must confirm.
    fn ways(&self, ids: &[Id]) -> Option<(Vec<Way<'s>>, bool)> {
        let mut ways: Vec<Way<'s>> = vec![Vec::new()];
        let mut choice = false;
        for id in ids {
            ways = self.extended(ways, *id, &mut choice, 0)?;
        }
        Some((ways, choice))
    }

    fn extended(&self, ways: Vec<Way<'s>>, id: Id, choice: &mut bool, depth: usize) -> Option<Vec<Way<'s>>> {
        let node = self.schema.node(id).filter(|_| depth < MAX_WAYS)?;
        let mut ways = ways;
        ways.iter_mut().for_each(|way| way.push(node));
        *choice |= node.not.is_some();
        for id in &node.all {
            ways = self.extended(ways, *id, choice, depth + 1)?;
        }
        for branches in [&node.any, &node.one].into_iter().flatten() {
            *choice = true;
            let mut wider = Vec::new();
            for branch in branches {
                wider.extend(self.extended(ways.clone(), *branch, choice, depth + 1)?);
                if wider.len() > MAX_WAYS {
                    return None;
                }
            }
            ways = wider;
        }
        Some(ways)
    }

    fn plain(&mut self, way: &Way<'s>, value: &Value, violations: &mut Violations) -> Option<Value> {
        let refuse = |violations: &mut Violations, kind| {
            violations.count(kind, 1);
            None
        };
        let typed = way.iter().all(|node| !node.never && node.kinds.is_none_or(|kinds| kinds.takes(value)));
        if !typed {
            return refuse(violations, Violation::WrongType);
        }
        if way.iter().any(|node| node.listed.is_some()) {
            let listed = way.iter().all(|node| is_listed(node, value));
            return if listed { Some(value.clone()) } else { refuse(violations, Violation::NotListed) };
        }
        match value {
            Value::Null | Value::Bool(_) => Some(value.clone()),
            Value::Number(number) if !number_fits(way, number) => refuse(violations, Violation::OutOfRange),
            Value::Number(_) => Some(value.clone()),
            Value::String(text) => self.string(way, text, violations).map(Value::from),
            Value::Array(items) => self.array(way, items, violations).map(Value::from),
            Value::Object(members) => self.object(way, members, violations).map(Value::from),
        }
    }

    fn string(&self, way: &Way<'s>, text: &str, violations: &mut Violations) -> Option<String> {
        let title = way.iter().any(|node| node.title);
        let cap = way.iter().filter_map(|node| node.max_length).min();
        let cap =
            usize::try_from(cap.unwrap_or(if title { TITLE_CAP } else { STRING_CAP })).unwrap_or(usize::MAX);
        let shaped = way.iter().any(|node| node.shaped);
        if shaped && !way.iter().all(|node| length_and_shape(node, text)) {
            violations.count(Violation::WrongShape, 1);
            return None;
        }
        let bare = !title && (self.audience == Audience::Reader || is_one_word(way) && !is_many_words(text));
        let kept = if bare { Some(cut(text, cap).to_owned()) } else { labelled(text, cap) };
        let Some(kept) = kept.filter(|kept| way.iter().all(|node| has_shape(node, kept))) else {
            violations.count(Violation::Unlabelled, 1);
            return None;
        };
        if way.iter().any(|node| !length_and_shape(node, &kept)) {
            violations.count(Violation::TooFew, 1);
            return None;
        }
        let room = if bare { cap } else { cap.saturating_sub(LABEL.len()) };
        violations.count(Violation::CutString, usize::from(text.chars().count() > room));
        violations.count(Violation::HiddenCharacters, usize::from(!bare && text.chars().any(is_hidden)));
        Some(kept)
    }

    fn array(&mut self, way: &Way<'s>, items: &[Value], violations: &mut Violations) -> Option<Vec<Value>> {
        let ids: Vec<Id> = way.iter().filter_map(|node| node.items).collect();
        let unique = way.iter().any(|node| node.unique);
        let most = way.iter().filter_map(|node| node.max_items).min();
        let most = usize::try_from(most.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
        let (mut kept, mut seen) = (Vec::new(), BTreeSet::new());
        if ids.is_empty() {
            violations.count(Violation::TooMany, items.len());
        }
        for (at, item) in items.iter().enumerate().filter(|_| !ids.is_empty()) {
            if kept.len() >= most {
                violations.count(Violation::TooMany, items.len() - at);
                break;
            }
            let Some(item) = self.reduce(&ids, item, violations) else { continue };
            if unique && !canonical(&item).is_ok_and(|form| seen.insert(form)) {
                violations.count(Violation::DuplicateItem, 1);
                continue;
            }
            kept.push(item);
        }
        let count = u64::try_from(kept.len()).unwrap_or(u64::MAX);
        if way.iter().any(|node| node.min_items.is_some_and(|least| count < least)) {
            violations.count(Violation::TooFew, 1);
            return None;
        }
        Some(kept)
    }

    fn object(
        &mut self,
        way: &Way<'s>,
        members: &Map<String, Value>,
        violations: &mut Violations,
    ) -> Option<Map<String, Value>> {
        let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
        sorted.sort_unstable_by_key(|(name, _)| *name);
        let required = |name: &str| way.iter().any(|node| node.required.contains(name));
        // What must stand comes first, so that a bound on the number of entries takes the others away.
        sorted.sort_by_key(|(name, _)| !required(name));
        let most = way.iter().filter_map(|node| node.max_properties).min().unwrap_or(u64::MAX);
        let mut kept = Map::new();
        for (name, value) in sorted {
            let ids = match self.places(way, name) {
                Ok(ids) => ids,
                Err(kind) => {
                    violations.count(kind, 1);
                    continue;
                }
            };
            if u64::try_from(kept.len()).unwrap_or(u64::MAX) >= most {
                violations.count(Violation::TooMany, 1);
            } else if let Some(value) = self.reduce(&ids, value, violations) {
                kept.insert(name.clone(), value);
            }
        }
        let complete = way.iter().all(|node| node.required.iter().all(|name| kept.contains_key(name)));
        if !complete {
            violations.count(Violation::MissingMember, 1);
            return None;
        }
        Some(kept)
    }

    /// The places that a member must meet, or why it cannot be kept.
    fn places(&self, way: &Way<'s>, name: &str) -> Result<Vec<Id>, Violation> {
        if self.audience == Audience::Others && FORBIDDEN_KEYS.contains(&name) {
            return Err(Violation::ForbiddenKey);
        }
        let (mut ids, mut named) = (Vec::new(), false);
        for node in way {
            if let Some(id) = node.properties.get(name) {
                ids.push(*id);
                named = true;
            } else if let Some(id) = node.additional {
                ids.push(id);
            }
        }
        let never = |id: &Id| self.schema.node(*id).is_none_or(|node| node.never);
        if ids.is_empty() || ids.iter().any(never) {
            return Err(Violation::UnknownKey);
        }
        let text = Value::from(name);
        let may_be_named = way.iter().filter_map(|node| node.names).all(|id| self.judges.takes(&[id], &text));
        if !may_be_named || !named && !is_plain_word(name) {
            return Err(Violation::UnsafeKey);
        }
        Ok(ids)
    }
}

/// Whether the schema itself leaves no room for more than one word, whatever this text is.
fn is_one_word(way: &Way<'_>) -> bool {
    way.iter().any(|node| node.one_word)
}

/// Whether a map's key is a word and no sentence: letters, digits and `_ . : / -`, within what the compiler bounds them to.
fn is_plain_word(name: &str) -> bool {
    let plain = |character: char| character.is_ascii_alphanumeric() || "_.:/-".contains(character);
    !name.is_empty() && name.len() <= KEY_CAP && name.chars().all(plain)
}

fn number_fits(way: &Way<'_>, number: &Number) -> bool {
    let Some(double) = number.as_f64() else { return false };
    way.iter().all(|node| in_range(&node.range, double, || Decimal::of(number)))
}
