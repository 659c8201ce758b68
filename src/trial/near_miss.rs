//! Near misses of a call that passes: without an input that it needs, or with another value in the place of one.

use harnessc_runtime::decide::Gate;
use serde_json::Value;

use super::decision::{Decision, Word};
use super::judge::{Bench, Passed};
use super::row::Row;
use crate::lower::json::plain;
use crate::model::Def;
use crate::model::scalars::Raw;
use crate::model::tests::Test;
use crate::source::Spanned;
use crate::syntax::Kind;

/// Asks the near misses that a test states. Each is refused for its input or its target, or the test fails.
pub(super) fn judge(bench: &mut Bench<'_>, test: &Def<Test>, row: &Row<'_>, tool: &str, input: &Value) {
    let Value::Object(given) = input else { return };
    for name in test.needs.iter().flatten() {
        let mut without = given.clone();
        let expected = format!("`input_invalid` without `{}`", name.value);
        if without.shift_remove(&name.value).is_none() {
            bench.fail(name.span, row, tool, expected, &Decision::denied(Gate::Input));
            bench.uncalled(format!(
                "the call of this test does not carry `{}`, so leaving it out shows nothing",
                name.value
            ));
            continue;
        }
        let got = bench.ask(row, tool, Some(&Value::Object(without)));
        bench.reach(row, tool, &got, true);
        if !for_input(&got) {
            bench.fail(name.span, row, tool, expected, &got);
            bench.got(format!("`{}` without `{}`", got.word, name.value));
            bench.let_through(got.word, vec![Passed { input: name.clone(), left_out: true }]);
        }
        if bench.is_done() {
            return;
        }
    }
    for miss in test.refuses.iter().flatten() {
        let Value::Object(other) = plain(&miss.value.0) else {
            let expected = "a mapping from inputs to the values that take their place".to_owned();
            bench.fail(miss.span, row, tool, expected, &Decision::denied(Gate::Input));
            bench.uncalled(format!("what stands under `refuses` is {}", miss.value.0.what()));
            continue;
        };
        let mut changed = given.clone();
        changed.extend(other);
        let got = bench.ask(row, tool, Some(&Value::Object(changed)));
        bench.reach(row, tool, &got, true);
        if !for_input(&got) {
            bench.fail(miss.span, row, tool, "to be refused for its input or its target".to_owned(), &got);
            bench.got(format!("`{}` with these inputs", got.word));
            bench.let_through(got.word, changed_in(miss));
        }
        if bench.is_done() {
            return;
        }
    }
}

/// The inputs that a near miss gives other values, each where the test names it.
fn changed_in(miss: &Spanned<Raw>) -> Vec<Passed> {
    let Kind::Map(entries) = &miss.value.0.kind else { return Vec::new() };
    entries.iter().map(|entry| Passed { input: entry.key.clone(), left_out: false }).collect()
}

fn for_input(got: &Decision) -> bool {
    matches!(got.gate, Some(Gate::Input | Gate::Binding)) && matches!(got.word, Word::Denied(_))
}
