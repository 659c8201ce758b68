//! The fields of a test's run, held against `run:`: a runtime does not read a run whose row breaks it.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::boundary::Compiled;
use harnessc_runtime::json::Json;

use super::steps;
use crate::diagnostic::{Diagnostic, RuleId};
use crate::model::scalars::Raw;
use crate::model::tests::Test;
use crate::rules::Cx;
use crate::source::Spanned;

/// What `run:` takes, each field compiled once: hundreds of tests are about the same few runs.
pub(crate) struct RunValues<'c, 'm> {
    cx: &'c Cx<'m>,
    /// Field to its schema; nothing where it has none that can be compiled.
    compiled: BTreeMap<&'c str, Option<Box<dyn Compiled>>>,
    /// Field and text that it takes.
    taken: BTreeSet<(&'c str, &'c str)>,
}

impl<'c, 'm> RunValues<'c, 'm> {
    pub(crate) fn of(cx: &'c Cx<'m>) -> Self {
        Self { cx, compiled: BTreeMap::new(), taken: BTreeSet::new() }
    }

    /// A finding for each field of a test that no run can carry.
    pub(crate) fn impossible(&mut self, id: RuleId, test: &'c Test) -> Vec<Diagnostic> {
        let fields = test.run.iter().flat_map(|run| run.fields.values());
        fields.filter_map(|(name, stated)| self.refused(id, name, stated)).collect()
    }

    fn refused(&mut self, id: RuleId, name: &'c Spanned<String>, stated: &'c Raw) -> Option<Diagnostic> {
        let text = stated.0.text().map(|text| (name.value.as_str(), text));
        if text.is_some_and(|known| self.taken.contains(&known)) {
            return None;
        }
        let cx = self.cx;
        let field = cx.model.run.get(&name.value)?;
        let closed = || cx.policy.readings.run_field(field)?.closed.as_ref().and_then(steps::compiled);
        let compiled = self.compiled.entry(&name.value).or_insert_with(closed).as_deref()?;
        let value = steps::value(cx, &stated.0)?;
        let Err(fault) = compiled.check(&Json::of(&value).ok()?) else {
            self.taken.extend(text);
            return None;
        };
        let name = &name.value;
        Some(
            Diagnostic::new(
                id,
                steps::part(&stated.0, &fault.pointer).span,
                format!("no run carries this as its `{name}`"),
                format!("`run.{name}` does not take it"),
            )
            .label(field.0.span, format!("what `run.{name}` takes"))
            .note("a runtime does not read a run whose row breaks `run:`, so that nothing this test expects would ever come of it")
            .help(format!("write a value that a run can carry; expected is {}", fault.expected)),
        )
    }
}
