//! The fields of a test's run, held against `run:`: a runtime does not read a run whose row breaks it.

use super::steps;
use crate::diagnostic::{Diagnostic, RuleId};
use crate::model::scalars::Raw;
use crate::model::tests::Test;
use crate::rules::Cx;
use crate::source::Spanned;

/// A finding for each field that no run can carry.
pub(crate) fn impossible(cx: &Cx<'_>, id: RuleId, test: &Test) -> Vec<Diagnostic> {
    let fields = test.run.iter().flat_map(|run| run.fields.values());
    fields.filter_map(|(name, stated)| refused(cx, id, name, stated)).collect()
}

fn refused(cx: &Cx<'_>, id: RuleId, name: &Spanned<String>, stated: &Raw) -> Option<Diagnostic> {
    let field = cx.model.run.get(&name.value)?;
    let closed = cx.policy.readings.run_field(field)?.closed.as_ref()?;
    let value = steps::value(cx, &stated.0)?;
    let fault = steps::refusal(closed, &value)?;
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
