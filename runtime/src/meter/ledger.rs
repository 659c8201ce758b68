//! What an organization has spent and what it has promised to spend, as one value that all its runs share.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::price::{MAX_REPORTED, least_cost};
use super::{Day, Estimate, Priced, Usage, cost, price_of};
use crate::audit::{Datum, Event, Field};
use crate::lock::Limits;

/// The most calls that may be open at once: a ledger that nobody settles must not grow.
pub const MAX_OPEN: usize = 4096;

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Calls of models.
    pub calls: u64,
    /// Micro-USD.
    pub cost_micro_usd: u64,
    /// Tokens of input and output.
    pub tokens: u64,
}

impl Counts {
    /// Whether a run that has spent this may ask a model once more, were it for a single token of the cheapest model that the
    /// limits price: a free one costs nothing. The day's budgets are not asked, nor how many calls are open.
    ///
    /// # Errors
    /// The first budget of the run that has no room.
    pub fn leaves_a_call(self, limits: Option<&Limits>) -> Result<(), Exceeded> {
        let least = Self { calls: 1, cost_micro_usd: least_cost(limits), tokens: 1 };
        covers(limits, self.plus(least), Some(Self::default()))
    }

    fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            calls: self.calls.checked_add(other.calls)?,
            cost_micro_usd: self.cost_micro_usd.checked_add(other.cost_micro_usd)?,
            tokens: self.tokens.checked_add(other.tokens)?,
        })
    }
}

/// What the calls of one organization's runs cost. The server keeps it in its store, as JSON or as columns of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    days: BTreeMap<Day, Counts>,
    next: u64,
    open: BTreeMap<u64, Open>,
    runs: BTreeMap<String, Spent>,
    version: u64,
}

/// What a run has spent, and the last day on which it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spent {
    counts: Counts,
    day: Day,
}

/// A call that was let through and has not reported back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    day: Day,
    estimate: Counts,
    model: String,
    priced: Priced,
    run: String,
}

/// The right to make one call. It is spent by settling; there is one for each call that was let through.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a call that is not settled stays counted at its estimate until its run is closed"]
pub struct Reservation(u64);

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// The provider reported what was used.
    Reported(Usage),
    /// It did not: timed out, cut off, or silent. Charged at the estimate (row S9).
    Unreported,
}

/// A budget that does not cover a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exceeded {
    /// The day's cost.
    DayCost,
    /// The day's tokens.
    DayTokens,
    /// The calls that may be open at once, or what can be counted at all.
    Open,
    /// The run's calls of models.
    RunCalls,
    /// The run's cost.
    RunCost,
    /// The run's tokens.
    RunTokens,
}

impl Exceeded {
    /// Every budget.
    pub const ALL: [Self; 6] =
        [Self::DayCost, Self::DayTokens, Self::Open, Self::RunCalls, Self::RunCost, Self::RunTokens];

    /// The code that callers and the trail see.
    #[must_use]
    pub fn code(self) -> &'static str {
        "budget_exceeded"
    }

    /// Which budget it was.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::DayCost => "day_cost",
            Self::DayTokens => "day_tokens",
            Self::Open => "open_calls",
            Self::RunCalls => "run_model_calls",
            Self::RunCost => "run_cost",
            Self::RunTokens => "run_tokens",
        }
    }

    /// What the trail is told.
    #[must_use]
    pub fn event(self, run: &str) -> Event {
        Event::new("agent_run.budget_exceeded")
            .with(Field::Code, Datum::Word(self.code()))
            .with(Field::Run, Datum::Id(run.to_owned()))
            .with(Field::State, Datum::Word(self.word()))
    }
}

/// What settling a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// What was counted.
    pub counts: Counts,
    /// Whether the cost is an estimate: nothing sound was reported, or the model has no price of its own.
    pub estimated: bool,
    /// What the trail is told.
    pub event: Event,
    /// Whether more was used than was reserved: the cost is counted all the same, and the next call feels it.
    pub overran: bool,
}

impl Ledger {
    /// The version, which every change raises: a changed ledger is put back only where the stored one still has the
    /// version that was read.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What a run has spent and reserved.
    #[must_use]
    pub fn run(&self, run: &str) -> Counts {
        let open = self.open.values().filter(|open| open.run == run);
        total(self.runs.get(run).map(|spent| &spent.counts), open)
    }

    /// What a day has spent and reserved, all runs together.
    #[must_use]
    pub fn day(&self, day: Day) -> Counts {
        let open = self.open.values().filter(|open| open.day == day);
        total(self.days.get(&day), open)
    }

    /// How many calls have not reported back.
    #[must_use]
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Reserves one call of a model at its estimated cost, against the run and the day, or says which budget does not
    /// cover it. Asked before every call; a call that is not let through changes nothing.
    ///
    /// # Errors
    /// The first budget that does not cover the call.
    pub fn reserve(
        &mut self,
        limits: Option<&Limits>,
        run: &str,
        day: Day,
        model: &str,
        estimate: Estimate,
    ) -> Result<Reservation, Exceeded> {
        let priced = price_of(limits, model);
        let usage = estimate.usage();
        let cost_micro_usd = cost(&priced.price, &usage);
        let asked = Counts { calls: 1, cost_micro_usd, tokens: usage.tokens() };
        covers(limits, self.run(run).plus(asked), self.day(day).plus(asked))?;
        let next = self.next.checked_add(1).ok_or(Exceeded::Open)?;
        if self.open.len() >= MAX_OPEN {
            return Err(Exceeded::Open);
        }
        let open = Open { day, estimate: asked, model: model.to_owned(), priced, run: run.to_owned() };
        self.open.insert(self.next, open);
        let reservation = Reservation(self.next);
        self.next = next;
        self.touch();
        Ok(reservation)
    }

    /// Counts a call that has ended. Nothing where it was settled already, by closing its run.
    pub fn settle(&mut self, reservation: &Reservation, charge: Charge) -> Option<Settled> {
        let open = self.open.remove(&reservation.0)?;
        let reported = match charge {
            Charge::Reported(usage) if usage.is_sound() => Some(usage),
            Charge::Reported(_) | Charge::Unreported => None,
        };
        let counts = reported.map_or(open.estimate, |usage| Counts {
            calls: 1,
            cost_micro_usd: cost(&open.priced.price, &usage),
            tokens: usage.tokens(),
        });
        let spent = self.runs.entry(open.run.clone()).or_default();
        add(&mut spent.counts, counts);
        spent.day = spent.day.max(open.day);
        add(self.days.entry(open.day).or_default(), counts);
        self.touch();
        let estimated = reported.is_none() || !open.priced.named;
        let overran = counts.cost_micro_usd > open.estimate.cost_micro_usd;
        Some(Settled { counts, estimated, event: settled(&open, counts, reported, estimated), overran })
    }

    /// Ends a run: what it left open is charged at its estimate, since a call that was made and not heard of was made.
    /// What it spent stays counted, so that a late call finds no fresh budget.
    pub fn close(&mut self, run: &str) -> Vec<Settled> {
        let left: Vec<u64> =
            self.open.iter().filter(|(_, open)| open.run == run).map(|(number, _)| *number).collect();
        let settled =
            left.into_iter().filter_map(|number| self.settle(&Reservation(number), Charge::Unreported));
        settled.collect()
    }

    /// Forgets what was spent on days before this one, and the runs that spent nothing since. Called for days that lie
    /// further back than any run lasts.
    pub fn forget_before(&mut self, day: Day) {
        self.days.retain(|held, _| *held >= day);
        self.runs.retain(|_, spent| spent.day >= day);
        self.touch();
    }

    fn touch(&mut self) {
        self.version = self.version.saturating_add(1);
    }
}

/// Whether every budget covers these sums; a sum that cannot be counted is covered by none.
fn covers(limits: Option<&Limits>, run: Option<Counts>, day: Option<Counts>) -> Result<(), Exceeded> {
    let (run, day) = run.zip(day).ok_or(Exceeded::Open)?;
    let Some(limits) = limits else { return Ok(()) };
    let run_cap = limits.run.unwrap_or_default();
    let day_cap = limits.day.clone().unwrap_or_default();
    for (cap, sum, exceeded) in [
        (run_cap.model_calls, run.calls, Exceeded::RunCalls),
        (run_cap.tokens, run.tokens, Exceeded::RunTokens),
        (run_cap.cost_micro_usd, run.cost_micro_usd, Exceeded::RunCost),
        (day_cap.tokens, day.tokens, Exceeded::DayTokens),
        (day_cap.cost_micro_usd, day.cost_micro_usd, Exceeded::DayCost),
    ] {
        if cap.is_some_and(|cap| sum > cap) {
            return Err(exceeded);
        }
    }
    Ok(())
}

fn total<'a>(settled: Option<&Counts>, open: impl Iterator<Item = &'a Open>) -> Counts {
    let mut sum = settled.copied().unwrap_or_default();
    for open in open {
        add(&mut sum, open.estimate);
    }
    sum
}

fn add(sum: &mut Counts, counts: Counts) {
    sum.calls = sum.calls.saturating_add(counts.calls);
    sum.cost_micro_usd = sum.cost_micro_usd.saturating_add(counts.cost_micro_usd);
    sum.tokens = sum.tokens.saturating_add(counts.tokens);
}

fn settled(open: &Open, counts: Counts, reported: Option<Usage>, estimated: bool) -> Event {
    // A cost beyond counting is still told, as the largest number that a record holds.
    let cost = counts.cost_micro_usd.min(MAX_REPORTED);
    let mut event = Event::new("model_call.settled")
        .with(Field::Cost, Datum::Number(cost))
        .with(Field::Day, Datum::Number(u64::from(open.day.0)))
        .with(Field::Estimated, Datum::Flag(estimated))
        .with(Field::Run, Datum::Id(open.run.clone()));
    if open.priced.named {
        event = event.with(Field::Model, Datum::Key(open.model.clone()));
    }
    if let Some(usage) = reported {
        event = event
            .with(Field::CachedTokens, Datum::Number(usage.cached))
            .with(Field::InputTokens, Datum::Number(usage.input))
            .with(Field::OutputTokens, Datum::Number(usage.output))
            .with(Field::ReasoningTokens, Datum::Number(usage.reasoning));
    }
    event
}
