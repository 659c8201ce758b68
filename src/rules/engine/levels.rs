//! The levels that `[rules]` of the manifest sets.

use std::collections::BTreeMap;

use harnessc_runtime::lock;

use crate::diagnostic::{Applicability, Diagnostic, Level, RuleId, Sink, nearest};
use crate::model::Model;
use crate::model::manifest::RuleLevel;
use crate::rules::{RULES, rule};
use crate::source::Spanned;

const UNKNOWN_REFERENCE: RuleId = RuleId("unknown-reference");
const UNLOWERABLE: RuleId = RuleId("unlowerable");

/// The levels in force: those of the rules' pages, and what the manifest sets.
#[derive(Debug, Default)]
pub(super) struct Levels<'m> {
    set: BTreeMap<&'m str, Level>,
}

impl<'m> Levels<'m> {
    /// Reads `[rules]`. A rule that does not exist and one that cannot be lowered are findings.
    pub(super) fn read(model: &'m Model, sink: &mut Sink) -> Self {
        let mut levels = Self::default();
        for def in model.manifest.rules.iter().flatten() {
            let name = &def.key;
            match rule(name) {
                None => sink.push(unknown(name)),
                Some(rule) if rule.levels.iter().all(|level| *level == Level::Forbid) => {
                    sink.push(unlowerable(name, def.value.value));
                }
                Some(_) => {
                    levels.set.insert(name.value.as_str(), level(def.value.value));
                }
            }
        }
        levels
    }

    /// The level of a finding: what is forbidden stays so, anything below is as the manifest sets it.
    pub(super) fn of(&self, diagnostic: &Diagnostic) -> Level {
        let own = own(diagnostic);
        if own == Level::Forbid {
            return own;
        }
        self.set.get(diagnostic.rule.0).copied().unwrap_or(own)
    }

    /// Whether the manifest takes a rule's findings below forbid out of the report.
    pub(super) fn silences(&self, rule: &str) -> bool {
        self.set.get(rule) == Some(&Level::Allow)
    }

    /// The settings that say other than the pages do, as the lock records them.
    pub(super) fn differing(&self) -> BTreeMap<String, lock::Level> {
        let differs = |(name, set): &(&&str, &Level)| {
            rule(name)
                .is_some_and(|rule| rule.levels.iter().any(|level| *level != Level::Forbid && level != *set))
        };
        let recorded = self.set.iter().filter(differs);
        recorded.filter_map(|(name, set)| Some(((*name).to_owned(), locked(*set)?))).collect()
    }
}

/// A finding's level before `[rules]`.
fn own(diagnostic: &Diagnostic) -> Level {
    let first = || rule(diagnostic.rule.0)?.levels.first().copied();
    diagnostic.level.or_else(first).unwrap_or(Level::Forbid)
}

fn level(word: RuleLevel) -> Level {
    match word {
        RuleLevel::Deny => Level::Deny,
        RuleLevel::Warn => Level::Warn,
        RuleLevel::Allow => Level::Allow,
    }
}

fn locked(level: Level) -> Option<lock::Level> {
    match level {
        Level::Allow => Some(lock::Level::Allow),
        Level::Warn => Some(lock::Level::Warn),
        Level::Deny => Some(lock::Level::Deny),
        Level::Forbid => None,
    }
}

fn unlowerable(name: &Spanned<String>, set: RuleLevel) -> Diagnostic {
    Diagnostic::new(
        UNLOWERABLE,
        name.span,
        format!("`{}` cannot be set to `{set}`", name.value),
        "a forbid rule",
    )
    .note("what a forbid rule refuses is no part of any policy, so it has no level to set")
    .help("remove this line, and mend what the rule finds")
}

fn unknown(name: &Spanned<String>) -> Diagnostic {
    let said = format!("`{}` names no rule", name.value);
    let note = "a level for a rule that does not exist is in force for nothing";
    match nearest(name, RULES.iter().map(|rule| rule.id.0)) {
        Some(meant) => {
            Diagnostic::new(UNKNOWN_REFERENCE, name.span, said, format!("did you mean `{meant}`?"))
                .note(note)
                .help(format!("write `{meant}`"))
                .fix(format!("write `{meant}`"), Applicability::Unsafe, name.span, meant)
        }
        None => Diagnostic::new(UNKNOWN_REFERENCE, name.span, said, "no such rule")
            .note(note)
            .help("remove this line; `harnessc explain --all` lists the rules"),
    }
}
