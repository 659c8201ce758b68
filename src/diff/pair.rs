//! Two locks side by side, and what one deed's cell grants in each.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use harnessc_runtime::Bundle;
use harnessc_runtime::lock::{Approval, Cell, Returns, Undo};
use serde_json::{Value, json};

use super::change::Aspect;
use super::grade::Delta;
use super::schema::{self, Judged, Standing};
use super::view::{Asks, Deed, View, Way};
use crate::lock::{granted, value};

/// One aspect that differs, with what shows it.
#[derive(Clone, Debug)]
pub(super) struct Differing {
    pub(super) aspect: Aspect,
    pub(super) delta: Delta,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) evidence: Evidence,
    pub(super) standing: Option<Standing>,
    /// Where a schema differs, a value that is no longer accepted.
    pub(super) lost: Option<Value>,
}

/// What shows a difference, before it is replayed.
#[derive(Clone, Debug)]
pub(super) enum Evidence {
    /// A call that comes this way.
    Call(Way),
    /// A yes by this persona; nothing: by anyone.
    Yes(Way, Option<String>),
    /// This input.
    Input(Value),
    /// This result.
    Output(Value),
    /// The named input against the run's field.
    Target { input: String, field: String },
    /// A call while a plan waits.
    WhilePlanWaits,
    /// Any call: what differs is no verdict.
    Any,
}

impl Differing {
    /// Two approvals, where they differ.
    pub(super) fn of_approval(before: Approval, after: Approval) -> Option<Self> {
        let mut found = Vec::new();
        let delta = Delta::of_order(&before, &after).mirrored();
        push(&mut found, Aspect::Approval, delta, (before.word(), after.word()), Evidence::Any);
        found.pop()
    }
}

type InputKey = (String, String, String);

/// Two locks under comparison.
pub(super) struct Pair<'a> {
    pub(super) before: View<'a>,
    pub(super) after: View<'a>,
    pub(super) bundles: (&'a Bundle, &'a Bundle),
    pub(super) ways: Vec<Way>,
    inputs: RefCell<BTreeMap<InputKey, Rc<Judged>>>,
    facts: RefCell<BTreeMap<String, Rc<Vec<Differing>>>>,
}

impl<'a> Pair<'a> {
    pub(super) fn of(before: &'a Bundle, after: &'a Bundle) -> Self {
        Self {
            before: View::of(before.lock()),
            after: View::of(after.lock()),
            bundles: (before, after),
            ways: Way::all(before.lock(), after.lock()),
            inputs: RefCell::default(),
            facts: RefCell::default(),
        }
    }

    /// Whether some way leads to the cell.
    pub(super) fn is_reached(&self, view: &View<'_>, cell: &Cell) -> Option<Way> {
        let deed = view.deeds.get(&cell.deed)?;
        self.ways.iter().find(|way| view.asks(cell, deed, way).is_some()).cloned()
    }

    /// A cell that is granted where nothing was, or the other way round.
    pub(super) fn appears(&self, cell: &Cell, way: Way, delta: Delta) -> Differing {
        let (none, some) = ("nothing".to_owned(), granted(cell));
        let (before, after) = if delta.wider { (none, some) } else { (some, none) };
        Differing {
            aspect: Aspect::Call,
            delta,
            before,
            after,
            evidence: Evidence::Call(way),
            standing: None,
            lost: None,
        }
    }

    /// What differs between two cells of one deed that both are granted. Nothing where no call reaches either.
    pub(super) fn differing(&self, harness: &str, old: &'a Cell, new: &'a Cell) -> Vec<Differing> {
        let deeds = self.before.deeds.get(&old.deed).zip(self.after.deeds.get(&new.deed));
        let Some((old_deed, new_deed)) = deeds else { return Vec::new() };
        let mut found = Vec::new();
        if !self.ways_differ((old, old_deed), (new, new_deed), &mut found) {
            return Vec::new();
        }
        let exempt = (self.before.is_exempt(harness, old_deed), self.after.is_exempt(harness, new_deed));
        let said = |exempt| if exempt { "passes the plan gate" } else { "waits for the plan" };
        push(
            &mut found,
            Aspect::Plan,
            Delta::of_order(&exempt.0, &exempt.1),
            (said(exempt.0), said(exempt.1)),
            Evidence::WhilePlanWaits,
        );
        self.input_differs((old, old_deed), (new, new_deed), &mut found);
        found.extend(self.facts(&old.deed, old_deed, new_deed).iter().cloned());
        found
    }

    /// Approval, approvers and surfaces; false where no way leads to either cell.
    fn ways_differ(
        &self,
        (old, old_deed): (&'a Cell, &Deed<'a>),
        (new, new_deed): (&'a Cell, &Deed<'a>),
        found: &mut Vec<Differing>,
    ) -> bool {
        let mut reached = false;
        let (mut opened, mut closed) = (Vec::new(), Vec::new());
        let (mut approval, mut approvers) = (None::<Differing>, None::<Differing>);
        for way in &self.ways {
            match (self.before.asks(old, old_deed, way), self.after.asks(new, new_deed, way)) {
                (None, None) => continue,
                (None, Some(_)) => opened.push(way),
                (Some(_), None) => closed.push(way),
                (Some(before), Some(after)) => {
                    merge(&mut approval, asked(before, after, way));
                    merge(&mut approvers, agreed(before, after, way));
                }
            }
            reached = true;
        }
        if let Some(way) = opened.first().or(closed.first()) {
            let delta = Delta { wider: !opened.is_empty(), tighter: !closed.is_empty(), altered: false };
            let words = |ways: &[&Way]| match ways {
                [] => "as before".to_owned(),
                ways => ways.iter().map(|way| way.words()).collect::<Vec<_>>().join(", "),
            };
            let (before, after) =
                (format!("reached {}", words(&closed)), format!("reached {}", words(&opened)));
            push(found, Aspect::Surface, delta, (&before, &after), Evidence::Call((*way).clone()));
        }
        found.extend(approval);
        found.extend(approvers);
        reached
    }

    /// What one cell takes and the other does not.
    pub(super) fn input_differs(
        &self,
        (old, old_deed): (&Cell, &Deed<'_>),
        (new, new_deed): (&Cell, &Deed<'_>),
        found: &mut Vec<Differing>,
    ) {
        if old.only == new.only && old_deed.tool.input == new_deed.tool.input {
            return;
        }
        let (before, after) = (narrowed_input(old_deed, old), narrowed_input(new_deed, new));
        let key = (old.deed.clone(), before.to_string(), after.to_string());
        let known = self.inputs.borrow().get(&key).cloned();
        let judged = known.unwrap_or_else(|| {
            let judged = Rc::new(schema::judge(&before, &after));
            self.inputs.borrow_mut().insert(key, Rc::clone(&judged));
            judged
        });
        let evidence = judged.gained.clone().map_or(Evidence::Any, Evidence::Input);
        let (before, after) = schema::differences(&before, &after);
        push(found, Aspect::Input, judged.delta, (&before, &after), evidence);
        standing_of_last(found, Aspect::Input, &judged);
    }

    /// What the registry says of a deed, whatever the cell.
    pub(super) fn facts(&self, name: &str, old: &Deed<'_>, new: &Deed<'_>) -> Rc<Vec<Differing>> {
        if let Some(known) = self.facts.borrow().get(name) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        targets(old, new, &mut found);
        results(old, new, &mut found);
        deed_words(old, new, &mut found);
        let found = Rc::new(found);
        self.facts.borrow_mut().insert(name.to_owned(), Rc::clone(&found));
        found
    }
}

impl Way {
    /// "over desk with desk:write", "over no surface".
    pub(super) fn words(&self) -> String {
        match (&self.surface, &self.scope) {
            (None, _) => "over no surface".to_owned(),
            (Some(surface), None) => format!("over {surface}"),
            (Some(surface), Some(scope)) => format!("over {surface} with {scope}"),
        }
    }
}

/// The schema that a call for one cell is held against: the tool's, narrowed to the case and by `only`.
pub(super) fn narrowed_input(deed: &Deed<'_>, cell: &Cell) -> Value {
    let mut root = value(&deed.tool.input);
    let Some(map) = root.as_object_mut() else { return root };
    let mut narrow = |input: &str, with: &dyn Fn(Option<&Value>) -> Value| {
        let properties = map.entry("properties").or_insert_with(|| json!({}));
        if let Some(properties) = properties.as_object_mut() {
            let own = with(properties.get(input));
            properties.insert(input.to_owned(), own);
        }
        let required = map.entry("required").or_insert_with(|| json!([]));
        if let Some(required) = required.as_array_mut().filter(|list| !list.iter().any(|name| name == input))
        {
            required.push(input.into());
        }
    };
    if let Some((cases, case)) = deed.tool.cases.as_ref().zip(deed.case_name) {
        // Of a list of texts that holds the case nothing but the case is left, whatever else the list holds.
        let only_case = json!({"type": "string", "enum": [case]});
        let is_listed = |own: &Value| {
            let holds = |list: &Vec<Value>| list.iter().any(|one| one == case);
            own.get("type") == Some(&json!("string"))
                && own.get("enum").and_then(Value::as_array).is_some_and(holds)
        };
        narrow(&cases.input, &|own| match own {
            Some(own) if !is_listed(own) => json!({"allOf": [own, only_case]}),
            own => schema::with_notes_of(own, only_case.clone()),
        });
    }
    for (input, only) in &cell.only {
        narrow(input, &|own| match own {
            Some(own) => json!({"allOf": [own, value(only)]}),
            None => value(only),
        });
    }
    root
}

fn push(
    found: &mut Vec<Differing>,
    aspect: Aspect,
    delta: Delta,
    (before, after): (&str, &str),
    evidence: Evidence,
) {
    if delta != Delta::EQUAL {
        let (before, after) = (before.to_owned(), after.to_owned());
        found.push(Differing { aspect, delta, before, after, evidence, standing: None, lost: None });
    }
}

fn standing_of_last(found: &mut [Differing], aspect: Aspect, judged: &Judged) {
    let last = found.last_mut().filter(|last| last.aspect == aspect && judged.delta != Delta::EQUAL);
    if let Some(last) = last {
        last.standing = Some(judged.standing);
        last.lost = judged.lost.clone();
    }
}

/// Keeps the first of each direction: the words of the first way, the directions of all.
fn merge(kept: &mut Option<Differing>, found: Option<Differing>) {
    match (kept.as_mut(), found) {
        (None, found) => *kept = found,
        (Some(kept), Some(found)) => {
            let both = kept.delta.and(found.delta);
            if found.delta.wider && !kept.delta.wider {
                *kept = found;
            }
            kept.delta = both;
        }
        (Some(_), None) => {}
    }
}

fn asked(before: Asks<'_>, after: Asks<'_>, way: &Way) -> Option<Differing> {
    let found = Differing::of_approval(before.approval, after.approval)?;
    Some(Differing { evidence: Evidence::Call(way.clone()), ..found })
}

fn agreed(before: Asks<'_>, after: Asks<'_>, way: &Way) -> Option<Differing> {
    use harnessc_runtime::lock::Approval::Auto;
    if before.approval == Auto || after.approval == Auto {
        return None;
    }
    let (delta, gained) = match (before.approvers, after.approvers) {
        (None, None) => return None,
        (Some(_), None) => (Delta::WIDER, None),
        (None, Some(_)) => (Delta::TIGHTER, None),
        (Some(old), Some(new)) => {
            let known: BTreeSet<&String> = old.iter().collect();
            (Delta::of_sets(old, new), new.iter().find(|who| !known.contains(who)).cloned())
        }
    };
    let said = |who: Option<&[String]>| match who {
        None => "by anyone".to_owned(),
        Some([]) => "by nobody".to_owned(),
        Some(who) => format!("by {}", who.join(", ")),
    };
    let mut found = Vec::new();
    let words = (said(before.approvers), said(after.approvers));
    push(&mut found, Aspect::Approvers, delta, (&words.0, &words.1), Evidence::Yes(way.clone(), gained));
    found.pop()
}

fn targets(old: &Deed<'_>, new: &Deed<'_>, found: &mut Vec<Differing>) {
    let (before, after) = (&old.tool.bind, &new.tool.bind);
    let let_go = before.iter().find(|(input, field)| after.get(*input) != Some(field));
    let bound = after.iter().any(|(input, field)| before.get(input) != Some(field));
    let delta = Delta { wider: let_go.is_some(), tighter: bound, altered: false };
    let said = |bind: &BTreeMap<String, String>| match bind.is_empty() {
        true => "bound to nothing".to_owned(),
        false => {
            let pairs = bind.iter().map(|(input, field)| format!("{input} = run.{field}"));
            pairs.collect::<Vec<_>>().join(", ")
        }
    };
    let evidence = let_go.map_or(Evidence::Any, |(input, field)| Evidence::Target {
        input: input.clone(),
        field: field.clone(),
    });
    push(found, Aspect::Target, delta, (&said(before), &said(after)), evidence);
}

fn results(old: &Deed<'_>, new: &Deed<'_>, found: &mut Vec<Differing>) {
    let rank = |returns| match returns {
        Returns::None => 0,
        Returns::Structured => 1,
        Returns::Prose => 2,
    };
    let (before, after) = (old.tool.returns, new.tool.returns);
    let words = (format!("returns {}", before.word()), format!("returns {}", after.word()));
    let delta = Delta::of_order(&rank(before), &rank(after));
    push(found, Aspect::Output, delta, (&words.0, &words.1), Evidence::Any);
    let (Some(own), Some(other)) = (&old.tool.output, &new.tool.output) else { return };
    if before == after && own != other {
        let (own, other) = (value(own), value(other));
        labels(&own, &other, found);
        let judged = schema::judge(&own, &other);
        let evidence = judged.gained.clone().map_or(Evidence::Any, Evidence::Output);
        let (before, after) = schema::differences(&own, &other);
        push(found, Aspect::Output, judged.delta, (&before, &after), evidence);
        standing_of_last(found, Aspect::Output, &judged);
    }
}

/// A result's text that is no longer marked as a stranger's is taken for the tool's own.
fn labels(own: &Value, other: &Value, found: &mut Vec<Differing>) {
    let (before, after) = (schema::marked_untrusted(own), schema::marked_untrusted(other));
    let delta = Delta::of_sets(&before, &after).mirrored();
    let said = |marked: &[String]| match marked {
        [] => "nothing marked untrusted".to_owned(),
        marked => format!("{} marked untrusted", marked.join(", ")),
    };
    push(found, Aspect::Output, delta, (&said(&before), &said(&after)), Evidence::Any);
}

/// Effect, undo, preview and the server behind it.
fn deed_words(old: &Deed<'_>, new: &Deed<'_>, found: &mut Vec<Differing>) {
    let effect = Delta::of_order(&old.effect(), &new.effect()).mirrored();
    let effect = if effect == Delta::EQUAL { effect } else { effect.and(Delta::ALTERED) };
    push(found, Aspect::Effect, effect, (old.effect().word(), new.effect().word()), Evidence::Any);
    let ways =
        |undo: &[Undo]| undo.iter().filter(|one| **one != Undo::None).map(undo_word).collect::<Vec<_>>();
    let said = |undo: &[Undo]| match undo {
        [] => "undo unstated".to_owned(),
        undo => format!("undo {}", undo.iter().map(undo_word).collect::<Vec<_>>().join(", ")),
    };
    let mut undo = Delta::of_sets(&ways(old.undo()), &ways(new.undo())).mirrored();
    if undo == Delta::EQUAL && old.undo() != new.undo() {
        undo = Delta::ALTERED;
    }
    push(found, Aspect::Undo, undo, (&said(old.undo()), &said(new.undo())), Evidence::Any);
    let shows_more = |deed: &Deed<'_>| deed.preview() == harnessc_runtime::lock::Preview::BeforeAfter;
    let shown = |more| if more { "preview before_after" } else { "preview input" };
    let (before, after) = (shows_more(old), shows_more(new));
    let preview = Delta::of_order(&before, &after).mirrored();
    push(found, Aspect::Preview, preview, (shown(before), shown(after)), Evidence::Any);
    let behind = |deed: &Deed<'_>| match &deed.tool.server {
        None => "a tool of our own".to_owned(),
        Some(server) => format!("{}/{}", server.name, server.upstream),
    };
    let published = |deed: &Deed<'_>| deed.tool.server.as_ref().map(|server| server.pinned_digest.clone());
    let (before, after) = (behind(old), behind(new));
    if before != after {
        push(found, Aspect::Server, Delta::EITHER, (&before, &after), Evidence::Any);
    } else if published(old) != published(new) {
        let pinned = |deed| published(deed).unwrap_or_default().chars().take(15).collect::<String>();
        let words = (format!("{before} as {}…", pinned(old)), format!("{after} as {}…", pinned(new)));
        push(found, Aspect::Server, Delta::ALTERED, (&words.0, &words.1), Evidence::Any);
    }
}

fn undo_word(undo: &Undo) -> String {
    match undo {
        Undo::By(deed) => format!("by {deed}"),
        Undo::None => "none".to_owned(),
        Undo::Snapshot => "snapshot".to_owned(),
    }
}
