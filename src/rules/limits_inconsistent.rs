//! See the page beside this file.

use super::engine::bounds::steps_of_scopes;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::bounds::{Limits, Price, RetryPolicy, RunLimits};
use crate::model::scalars::{Bytes, Duration, Money};
use crate::source::{Span, Spanned};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("limits-inconsistent");

/// The price of a model that has none of its own.
const UNKNOWN: &str = "unknown";

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let limits = &cx.model.limits;
    let none = RunLimits::default();
    let run = limits.run.as_ref().unwrap_or(&none);
    within_day(limits, run, sink);
    within_run(cx, limits, run, sink);
    priced(cx, limits, run, sink);
}

/// Two limits of which the first must not be the larger one.
struct Pair<'a, T> {
    inner: (&'a str, Option<&'a Spanned<T>>),
    outer: (&'a str, Option<&'a Spanned<T>>),
    note: &'a str,
}

impl<T: Ord + Shown> Pair<'_, T> {
    fn check(&self, sink: &mut Sink) {
        let ((inner, Some(small)), (outer, Some(large))) = (self.inner, self.outer) else { return };
        if small.value <= large.value {
            return;
        }
        let (more, less) = (small.value.shown(), large.value.shown());
        sink.push(
            Diagnostic::new(ID, small.span, format!("{inner} is {more}, and {outer} is only {less}"), "the larger one")
                .label(large.span, format!("{outer} is reached first"))
                .note(self.note)
                .help(format!("lower {inner} to {less} at most, or raise {outer}")),
        );
    }
}

fn within_day(limits: &Limits, run: &RunLimits, sink: &mut Sink) {
    let day = limits.day.as_ref();
    let note = "a single run could then spend more than the whole day is allowed, so its own limit limits nothing";
    Pair {
        inner: ("`limits.run.cost`", run.cost.as_ref()),
        outer: ("`limits.day.cost`", day.and_then(|day| day.cost.as_ref())),
        note,
    }
    .check(sink);
    Pair {
        inner: ("`limits.run.tokens`", run.tokens.as_ref()),
        outer: ("`limits.day.tokens`", day.and_then(|day| day.tokens.as_ref())),
        note,
    }
    .check(sink);
}

fn within_run(cx: &Cx<'_>, limits: &Limits, run: &RunLimits, sink: &mut Sink) {
    const NEVER: &str = "the run ends before this limit is reached, so it limits nothing";
    Pair {
        inner: ("`limits.run.model_call`", run.model_call.as_ref()),
        outer: ("`limits.run.deadline`", run.deadline.as_ref()),
        note: NEVER,
    }
    .check(sink);
    for tool in limits.per_tool.iter().flatten() {
        let name = |field: &str| format!("`limits.per_tool.{}.{field}`", tool.key.value);
        let pair = (name("calls"), name("result_bytes"), name("timeout"));
        Pair {
            inner: (&pair.0, tool.calls.as_ref()),
            outer: ("`limits.run.tool_calls`", run.tool_calls.as_ref()),
            note: NEVER,
        }
        .check(sink);
        Pair {
            inner: (&pair.1, tool.result_bytes.as_ref()),
            outer: ("`limits.run.result_bytes`", run.result_bytes.as_ref()),
            note: NEVER,
        }
        .check(sink);
        Pair {
            inner: (&pair.2, tool.timeout.as_ref()),
            outer: ("`limits.run.deadline`", run.deadline.as_ref()),
            note: NEVER,
        }
        .check(sink);
    }
    let retried = limits.retry.as_ref().and_then(|retry| retry.model.as_ref());
    if let Some(RetryPolicy::Attempts(attempts)) = retried {
        Pair {
            inner: ("`limits.retry.model.attempts`", attempts.attempts.as_ref()),
            outer: ("`limits.run.model_calls`", run.model_calls.as_ref()),
            note: NEVER,
        }
        .check(sink);
    }
    for (scope, steps) in steps_of_scopes(cx.model) {
        let inner = format!("the `steps` of scope `{scope}`");
        Pair {
            inner: (&inner, Some(steps)),
            outer: ("`limits.run.steps`", run.steps.as_ref()),
            note: NEVER,
        }
        .check(sink);
    }
}

fn priced(cx: &Cx<'_>, limits: &Limits, run: &RunLimits, sink: &mut Sink) {
    let cost = run.cost.as_ref().or(limits.day.as_ref().and_then(|day| day.cost.as_ref()));
    let Some(prices) = limits.prices.as_ref().filter(|prices| !prices.is_empty()) else {
        if let (Some(cost), None) = (cost, &limits.prices) {
            sink.push(
                Diagnostic::new(ID, cost.span, "a limit on cost is stated, and no prices are", "counted in money")
                    .note("without prices nothing a model does costs anything, so this limit is never reached")
                    .help("add `limits.prices` with the price of each model in use and of `unknown`"),
            );
        }
        return;
    };
    let first = prices.iter().next().map(|price| price.key.span);
    if let Some(model) = cx.model.engines.model.as_ref().filter(|model| prices.get(model).is_none()) {
        let message = format!("the model `{}` has no price", model.value);
        sink.push(unpriced(model.span, message, "not among the prices", first));
    }
    match (prices.get(UNKNOWN), first) {
        (Some(unknown), _) => prices.iter().for_each(|price| dearest(price, unknown, sink)),
        (None, Some(first)) => {
            let message = "a model that is not named here has no price";
            sink.push(unpriced(first, message.to_owned(), "the first price; `unknown` is missing", None));
        }
        (None, None) => {}
    }
    for price in prices {
        let inner = format!("the cached price of `{}`", price.key.value);
        let outer = "its price for input that is not cached";
        Pair {
            inner: (&inner, price.cached.as_ref()),
            outer: (outer, price.input.as_ref()),
            note: "what a provider has cached never costs more than what it has not; the two may be swapped",
        }
        .check(sink);
    }
}

fn unpriced(at: Span, message: String, label: &str, prices: Option<Span>) -> Diagnostic {
    let finding = Diagnostic::new(ID, at, message, label)
        .note("what has no price cannot be held to a limit on cost")
        .help("add it to `limits.prices`; give `unknown` a price at least as high as the dearest model's");
    match prices {
        Some(prices) => finding.label(prices, "the prices stand here"),
        None => finding,
    }
}

/// An unknown model must not be cheaper than a known one.
fn dearest(price: &Def<Price>, unknown: &Def<Price>, sink: &mut Sink) {
    let input = format!("the input price of `{}`", price.key.value);
    let output = format!("the output price of `{}`", price.key.value);
    let note = "a model nobody has priced is counted as dear, so that it exhausts a budget early and not late";
    for (inner, outer, name, of_unknown) in [
        (&input, "the input price of `unknown`", &price.input, &unknown.input),
        (&output, "the output price of `unknown`", &price.output, &unknown.output),
    ] {
        Pair { inner: (inner, name.as_ref()), outer: (outer, of_unknown.as_ref()), note }.check(sink);
    }
}

/// A limit as an author writes it.
trait Shown {
    fn shown(&self) -> String;
}

impl Shown for u64 {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for Money {
    fn shown(&self) -> String {
        let (whole, micros) = (self.0 / 1_000_000, self.0 % 1_000_000);
        let fraction = format!("{micros:06}");
        let kept = fraction.trim_end_matches('0').len().max(2);
        format!("{whole}.{} USD", fraction.get(..kept).unwrap_or(&fraction))
    }
}

impl Shown for Duration {
    fn shown(&self) -> String {
        const UNITS: [(u64, &str); 4] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s")];
        let unit = UNITS.iter().find(|(size, _)| self.0 >= *size && self.0.is_multiple_of(*size));
        unit.map_or_else(|| format!("{}ms", self.0), |(size, unit)| format!("{}{unit}", self.0 / size))
    }
}

impl Shown for Bytes {
    fn shown(&self) -> String {
        const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        let unit = UNITS.iter().find(|(size, _)| self.0 >= *size && self.0.is_multiple_of(*size));
        unit.map_or_else(|| format!("{}B", self.0), |(size, unit)| format!("{}{unit}", self.0 / size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_shown_as_they_are_written() {
        assert_eq!(Money(500_000).shown(), "0.50 USD");
        assert_eq!(Money(1_250_001).shown(), "1.250001 USD");
        assert_eq!(Duration(90_000).shown(), "90s");
        assert_eq!(Duration(120_000).shown(), "2m");
        assert_eq!(Duration(1).shown(), "1ms");
        assert_eq!(Bytes(8192).shown(), "8KiB");
        assert_eq!(Bytes(1000).shown(), "1000B");
    }
}
