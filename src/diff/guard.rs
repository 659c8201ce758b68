//! What watches over a policy: levels, waivers, the baseline, the release line, tests and what the manifest holds in step.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::{Baseline, Level, Waiver, digest_of};

use super::change::Change;
use super::grade::Delta;
use super::ways_of_fields::{Fields, altered, said};
use crate::diagnostic;
use crate::lock::Class;
use crate::rules;

/// Where decision tests stand in a tree.
const TESTS: &str = "tests/policy/";

/// What stands beside a lock in its tree and watches over it. Each text is a definition written in one form, so that layout,
/// order and comments do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// Decision tests by name.
    pub tests: BTreeMap<String, String>,
    /// `[expect]`: section to count.
    pub expect: BTreeMap<String, String>,
    /// `[[mirror]]`, one text each.
    pub mirrors: BTreeSet<String>,
    /// The lines of the list of those who may sign acknowledgements; nothing where there is no list.
    pub signers: Option<BTreeSet<String>>,
}

/// What of two trees' guards differs.
pub(super) fn beside(before: &Beside, after: &Beside) -> Vec<Change> {
    let mut out = Vec::new();
    let Beside { tests, expect, mirrors, signers } = before;
    let mut field = |name: &str, delta, old: Option<String>, new: Option<String>| {
        Fields::of(&mut out, name, Class::Guard).say(delta, old, new);
    };
    for (name, new) in both(tests, &after.tests) {
        let (old, new) = new;
        let delta = match (old, new) {
            (None, Some(_)) => Delta::TIGHTER,
            (Some(_), None) => Delta::WIDER,
            (old, new) if old == new => Delta::EQUAL,
            _ => Delta::EITHER,
        };
        field(&format!("tests.{name}"), delta, old.and_then(said), new.and_then(said));
    }
    for (section, (old, new)) in both(expect, &after.expect) {
        let delta = match (old, new) {
            (None, Some(_)) => Delta::TIGHTER,
            (Some(_), None) => Delta::WIDER,
            (old, new) if old == new => Delta::EQUAL,
            _ => Delta::ALTERED,
        };
        field(&format!("[expect].{section}"), delta, old.cloned(), new.cloned());
    }
    for gone in mirrors.difference(&after.mirrors) {
        field("[[mirror]]", Delta::WIDER, said(gone), None);
    }
    for new in after.mirrors.difference(mirrors) {
        field("[[mirror]]", Delta::TIGHTER, None, said(new));
    }
    let delta = match (signers, &after.signers) {
        (old, new) if old == new => Delta::EQUAL,
        (None, Some(_)) => Delta::TIGHTER,
        (Some(_), None) => Delta::WIDER,
        _ => Delta::EITHER,
    };
    // The list stands in no lock: its digest is what ties a yes to the people who are on it.
    let listed = |signers: &Option<BTreeSet<String>>| {
        let own = |lines: &BTreeSet<String>| {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            format!("{} listed ({})", lines.len(), digest_of(text.as_bytes()))
        };
        signers.as_ref().map(own)
    };
    field("acknowledged/allowed_signers", delta, listed(signers), listed(&after.signers));
    out
}

type Both<'a> = BTreeMap<&'a String, (Option<&'a String>, Option<&'a String>)>;

fn both<'a>(before: &'a BTreeMap<String, String>, after: &'a BTreeMap<String, String>) -> Both<'a> {
    let keys = before.keys().chain(after.keys());
    keys.map(|key| (key, (before.get(key), after.get(key)))).collect()
}

/// Sources count by what they come to; of the files with tests a lock knows the digests alone, so that one that is gone or
/// changed counts as a guard that is gone. Where both trees are at hand, the tests themselves are compared instead.
pub(super) fn sources(
    out: &mut Fields<'_>,
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
) {
    let tests = |sources: &BTreeMap<String, String>| {
        let own = sources.iter().filter(|(path, _)| path.starts_with(TESTS));
        own.map(|(path, digest)| (digest.clone(), path.clone())).collect::<BTreeMap<_, _>>()
    };
    let (old, new) = (tests(before), tests(after));
    let mut out = out.classed(Class::Guard);
    for (digest, path) in &old {
        if !new.contains_key(digest) {
            let delta = if after.contains_key(path) { Delta::EITHER } else { Delta::WIDER };
            out.at_key(path).say(delta, Some(digest.clone()), after.get(path).cloned());
        }
    }
    for (digest, path) in &new {
        if !old.contains_key(digest) && !before.contains_key(path) {
            out.at_key(path).say(Delta::TIGHTER, None, Some(digest.clone()));
        }
    }
}

/// Whether a change is one of test files by digest.
pub(super) fn is_of_test_files(change: &Change) -> bool {
    change.field.as_deref().is_some_and(|field| field.starts_with("sources.tests/policy/"))
}

/// A baseline sets findings aside without saying which.
pub(super) fn baseline(out: &mut Fields<'_>, before: &Option<Baseline>, after: &Option<Baseline>) {
    let delta = match (before, after) {
        (None, Some(_)) => Delta::WIDER,
        (Some(_), None) => Delta::TIGHTER,
        (old, new) if old == new => Delta::EQUAL,
        _ => Delta::EITHER,
    };
    let words =
        |stated: &Option<Baseline>| stated.as_ref().map(|own| format!("{} findings set aside", own.findings));
    out.say(delta, words(before), words(after));
}

/// A waiver more lets something pass; where it stands says nothing.
pub(super) fn waivers(out: &mut Fields<'_>, before: &[Waiver], after: &[Waiver]) {
    let keyed = |waivers: &[Waiver]| {
        let own = waivers.iter().map(|waiver| {
            let Waiver { excuses, file: _, reason, rule, subject } = waiver;
            ((rule.clone(), subject.clone(), excuses.clone()), reason.clone())
        });
        own.collect::<BTreeMap<_, _>>()
    };
    let (old, new) = (keyed(before), keyed(after));
    let keys: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    for key in keys {
        let mut out = out.at_key(&format!("{} of {}", key.0, key.1));
        match (old.get(key), new.get(key)) {
            (None, Some(reason)) => out.say(Delta::WIDER, None, said(reason)),
            (Some(reason), None) => out.say(Delta::TIGHTER, said(reason), None),
            (Some(old), Some(new)) => altered(&mut out, old, new),
            (None, None) => {}
        }
    }
}

/// Levels in force. One that a lock does not state is the rule's own; of a rule that is not known here nobody can tell.
pub(super) fn rules(out: &mut Fields<'_>, before: &BTreeMap<String, Level>, after: &BTreeMap<String, Level>) {
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for key in keys {
        let (old, new) = (before.get(key), after.get(key));
        if old == new {
            continue;
        }
        // The rule's own levels: where its findings differ in level, stating one raises some of them and lowers others.
        let own: Vec<Level> = rules::rule(key)
            .into_iter()
            .flat_map(|rule| rule.levels.iter().copied().filter_map(locked))
            .collect();
        let of = |stated: Option<&Level>| stated.map_or_else(|| own.clone(), |stated| vec![*stated]);
        let mut delta = if own.is_empty() { Delta::EITHER } else { Delta::EQUAL };
        for old in of(old) {
            for new in of(new) {
                delta = delta.and(Delta::of_order(&strictness(old), &strictness(new)).mirrored());
            }
        }
        out.at_key(key).say(delta, said(&old), said(&new));
    }
}

fn locked(level: diagnostic::Level) -> Option<Level> {
    match level {
        diagnostic::Level::Allow => Some(Level::Allow),
        diagnostic::Level::Warn => Some(Level::Warn),
        diagnostic::Level::Deny => Some(Level::Deny),
        diagnostic::Level::Forbid => None,
    }
}

fn strictness(level: Level) -> u8 {
    match level {
        Level::Allow => 0,
        Level::Warn => 1,
        Level::Deny => 2,
    }
}

/// An older edition checks less; a newer one may read some things differently.
pub(super) fn edition(out: &mut Fields<'_>, before: &u64, after: &u64) {
    let delta = Delta::of_order(before, after).mirrored();
    let delta = if delta == Delta::EQUAL { delta } else { delta.and(Delta::ALTERED) };
    out.classed(Class::Guard).values(delta, before, after);
}

/// The release line is written by `release` and goes up; going back lets an old lock in.
pub(super) fn revision(out: &mut Fields<'_>, before: &u64, after: &u64) {
    if after < before {
        out.say(Delta::WIDER, said(before), said(after));
    }
}

/// Follows from the revision; the runtime holds it against the lock in force.
pub(super) fn predecessor(_: &mut Fields<'_>, _: &Option<String>, _: &Option<String>) {}

/// A reason for no target where there was none takes the demand for one away.
pub(super) fn unbound(out: &mut Fields<'_>, before: &Option<String>, after: &Option<String>) {
    let delta = match (before, after) {
        (None, Some(_)) => Delta::WIDER,
        (Some(_), None) => Delta::TIGHTER,
        (old, new) if old == new => Delta::EQUAL,
        _ => Delta::ALTERED,
    };
    out.say(delta, said(before), said(after));
}
