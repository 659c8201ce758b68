//! What models cost (S9, E2): reserved before, settled after, for each run and each day, runs side by side.

use std::collections::BTreeMap;
use std::sync::Mutex;

use harnessc_runtime::audit::{Datum, Field};
use harnessc_runtime::lock::{DayLimits, Limits, Price, RunLimits};
use harnessc_runtime::meter::{
    Charge, Counts, Day, Estimate, Exceeded, Ledger, LedgerFault, Ledgers, MAX_OPEN, Usage, change,
};
use proptest::prelude::*;

const TODAY: Day = Day(20_000);
/// A call that is reserved at 1,000 tokens and 1,000 micro-USD.
const CALL: Estimate = Estimate { input: 500, max_output: 500 };

fn limits() -> Limits {
    let price =
        Price { cached_micro_usd: Some(100_000), input_micro_usd: 1_000_000, output_micro_usd: 1_000_000 };
    Limits {
        day: Some(DayLimits { cost_micro_usd: Some(10_000), timezone: None, tokens: Some(12_000) }),
        prices: BTreeMap::from([("luna".to_owned(), price), ("unknown".to_owned(), price)]),
        run: Some(RunLimits {
            cost_micro_usd: Some(4_000),
            model_calls: Some(6),
            tokens: Some(5_000),
            ..RunLimits::default()
        }),
        ..Limits::default()
    }
}

fn used(tokens: u64) -> Charge {
    Charge::Reported(Usage { input: tokens, ..Usage::default() })
}

#[test]
fn a_call_is_refused_by_the_budget_that_does_not_cover_it() {
    let limits = limits();
    let mut ledger = Ledger::default();
    let call = |ledger: &mut Ledger, run: &str, estimate| {
        ledger.reserve(Some(&limits), run, TODAY, "luna", estimate).map(drop)
    };
    for _ in 0..4 {
        call(&mut ledger, "run-1", CALL).unwrap();
    }
    let before = ledger.clone();
    assert_eq!(call(&mut ledger, "run-1", CALL).unwrap_err(), Exceeded::RunCost);
    assert_eq!(ledger, before, "a refused call changes nothing");
    for run in ["run-2", "run-3"] {
        for _ in 0..3 {
            call(&mut ledger, run, CALL).unwrap();
        }
    }
    // Parallel runs are seen: none of these calls has reported yet.
    assert_eq!(call(&mut ledger, "run-4", CALL).unwrap_err(), Exceeded::DayCost);
    let event = Exceeded::DayCost.event("run-4");
    assert_eq!(event.fields.get(&Field::Code), Some(&Datum::Word("budget_exceeded")));
    // The next day begins anew.
    assert!(ledger.reserve(Some(&limits), "run-4", Day(TODAY.0 + 1), "luna", CALL).is_ok());
    let huge = Estimate { input: u64::MAX, max_output: u64::MAX };
    assert_eq!(call(&mut Ledger::default(), "run-1", huge).unwrap_err(), Exceeded::RunTokens);
}

#[test]
fn calls_and_tokens_have_caps_of_their_own() {
    let mut limits = limits();
    limits
        .prices
        .insert("free".to_owned(), Price { cached_micro_usd: None, input_micro_usd: 0, output_micro_usd: 0 });
    let mut ledger = Ledger::default();
    let mut small = |run: &str, tokens| {
        let estimate = Estimate { input: tokens, max_output: 0 };
        ledger.reserve(Some(&limits), run, TODAY, "free", estimate).map(drop)
    };
    for _ in 0..6 {
        small("run-1", 1).unwrap();
    }
    assert_eq!(small("run-1", 1), Err(Exceeded::RunCalls));
    assert_eq!(small("run-2", 5_001), Err(Exceeded::RunTokens));
    small("run-2", 5_000).unwrap();
    small("run-3", 5_000).unwrap();
    assert_eq!(small("run-4", 1_995), Err(Exceeded::DayTokens));
    assert_eq!(small("run-4", 1_994), Ok(()));
}

#[test]
fn settling_counts_what_was_used_and_an_unreported_call_its_estimate() {
    let limits = limits();
    let mut ledger = Ledger::default();
    let mut settle = |model: &str, charge| {
        let reservation = ledger.reserve(Some(&limits), "run-1", TODAY, model, CALL).unwrap();
        let settled = ledger.settle(&reservation, charge).unwrap();
        assert_eq!(ledger.settle(&reservation, charge), None, "a call is counted once");
        (settled.counts.cost_micro_usd, settled.estimated, settled.overran, settled.event)
    };
    let (cost, estimated, overran, event) =
        settle("luna", Charge::Reported(Usage { cached: 100, input: 200, output: 50, reasoning: 20 }));
    assert_eq!((cost, estimated, overran), (160, false, false));
    for (field, number) in [
        (Field::CachedTokens, 100),
        (Field::Cost, 160),
        (Field::Day, 20_000),
        (Field::InputTokens, 200),
        (Field::OutputTokens, 50),
        (Field::ReasoningTokens, 20),
    ] {
        assert_eq!(event.fields.get(&field), Some(&Datum::Number(number)), "{}", field.name());
    }
    assert_eq!(event.fields.get(&Field::Model), Some(&Datum::Key("luna".to_owned())));
    let (cost, estimated, _, event) = settle("luna", Charge::Unreported);
    assert_eq!((cost, estimated), (1_000, true));
    assert!(!event.fields.contains_key(&Field::InputTokens), "nothing is invented");
    // A report whose parts exceed their whole is none.
    let unsound = Usage { cached: 2, input: 1, ..Usage::default() };
    assert_eq!(settle("luna", Charge::Reported(unsound)).0, 1_000);
    // A model that is not named is an estimate, and its name reaches no record.
    let (_, estimated, _, event) = settle("whatever a caller says", used(1));
    assert!(estimated && !event.fields.contains_key(&Field::Model));
    assert_eq!(ledger.run("run-1").cost_micro_usd, 160 + 1_000 + 1_000 + 1);
}

#[test]
fn what_was_used_beyond_the_estimate_is_counted_and_felt() {
    let limits = limits();
    let mut ledger = Ledger::default();
    let reservation = ledger.reserve(Some(&limits), "run-1", TODAY, "luna", CALL).unwrap();
    let settled = ledger.settle(&reservation, used(9_000)).unwrap();
    assert!(settled.overran);
    assert_eq!(ledger.day(TODAY).cost_micro_usd, 9_000);
    let refused = ledger.reserve(Some(&limits), "run-1", TODAY, "luna", CALL).unwrap_err();
    assert_eq!(refused, Exceeded::RunTokens);
    let far = Usage { input: u64::MAX, ..Usage::default() };
    let reservation = ledger.reserve(Some(&limits), "run-2", TODAY, "luna", CALL).unwrap();
    assert_eq!(ledger.settle(&reservation, Charge::Reported(far)).unwrap().counts.cost_micro_usd, 1_000);
}

#[test]
fn a_run_that_ends_leaves_nothing_open() {
    let limits = limits();
    let mut ledger = Ledger::default();
    let left = ledger.reserve(Some(&limits), "run-1", TODAY, "luna", CALL).unwrap();
    let _open = ledger.reserve(Some(&limits), "run-2", TODAY, "luna", CALL).unwrap();
    let settled = ledger.close("run-1");
    assert_eq!((settled.len(), settled[0].estimated, ledger.open()), (1, true, 1));
    assert_eq!(ledger.settle(&left, used(1)), None);
    assert_eq!(ledger.day(TODAY).cost_micro_usd, 2_000, "the day keeps what the run spent");
    assert_eq!(ledger.run("run-1").cost_micro_usd, 1_000, "a late call finds no fresh budget");
    // Kept as JSON it is the same ledger.
    let json = serde_json::to_string(&ledger).unwrap();
    assert_eq!(serde_json::from_str::<Ledger>(&json).unwrap(), ledger);
    ledger.forget_before(Day(TODAY.0 + 1));
    assert_eq!(ledger.day(TODAY).cost_micro_usd, 1_000, "what is open still counts");
    assert_eq!((ledger.run("run-1").calls, ledger.run("run-2").calls), (0, 1));
}

// S14: each case of an evaluation is under the run's budget and charged to the day.
#[test]
fn the_cases_of_an_evaluation_are_runs_like_any_other() {
    let limits = limits();
    let mut ledger = Ledger::default();
    let mut case = |case: &str| {
        let mut passed = 0;
        while let Ok(call) = ledger.reserve(Some(&limits), case, TODAY, "luna", CALL) {
            ledger.settle(&call, used(1_000));
            passed += 1;
        }
        passed
    };
    assert_eq!((case("eval-1"), case("eval-2"), case("eval-3"), case("eval-4")), (4, 4, 2, 0));
    assert_eq!(ledger.day(TODAY).cost_micro_usd, 10_000);
}

#[test]
fn a_ledger_that_nobody_settles_does_not_grow_for_ever() {
    let mut ledger = Ledger::default();
    let nothing = Estimate { input: 0, max_output: 0 };
    for _ in 0..MAX_OPEN {
        let _open = ledger.reserve(None, "run-1", TODAY, "luna", nothing).unwrap();
    }
    assert_eq!(ledger.reserve(None, "run-1", TODAY, "luna", nothing).unwrap_err(), Exceeded::Open);
}

/// Ledgers in memory.
#[derive(Default)]
struct Shared {
    held: Mutex<BTreeMap<String, Ledger>>,
    failing: bool,
}

impl Ledgers for Shared {
    fn read(&self, organization: &str) -> Result<Ledger, LedgerFault> {
        if self.failing {
            return Err(LedgerFault::Unavailable);
        }
        Ok(self.held.lock().unwrap().get(organization).cloned().unwrap_or_default())
    }

    fn swap(&self, organization: &str, expected: u64, ledger: &Ledger) -> Result<bool, LedgerFault> {
        let mut held = self.held.lock().unwrap();
        if held.get(organization).map_or(0, Ledger::version) != expected {
            return Ok(false);
        }
        held.insert(organization.to_owned(), ledger.clone());
        Ok(true)
    }
}

/// What a run has left for one more call is what the gate would say of the smallest one.
#[test]
fn a_forecast_is_the_gate_at_the_cheapest_model() {
    let free = Price { cached_micro_usd: None, input_micro_usd: 0, output_micro_usd: 0 };
    let with = |price: Option<Price>| {
        let prices = price.into_iter().map(|price| ("luna".to_owned(), price)).collect();
        let run = RunLimits { cost_micro_usd: Some(1_000), ..RunLimits::default() };
        Limits { prices, run: Some(run), ..Limits::default() }
    };
    let token = Estimate { input: 1, max_output: 0 };
    for (price, spent) in [
        (Some(free), 1_000),
        (Some(Price { input_micro_usd: 1_000_000, output_micro_usd: 2_000_000, ..free }), 999),
        (Some(Price { input_micro_usd: 1_000_000, output_micro_usd: 2_000_000, ..free }), 1_000),
        (Some(Price { input_micro_usd: 50_000_000, output_micro_usd: 60_000_000, ..free }), 951),
        (None, 800),
        (None, 801),
    ] {
        let limits = with(price);
        let counts = Counts { calls: 1, cost_micro_usd: spent, tokens: 1 };
        // Spent by a model whose price comes to exactly that.
        let mut ledger = Ledger::default();
        let paid = Price { cached_micro_usd: None, input_micro_usd: spent * 1_000_000, output_micro_usd: 0 };
        let paid = Limits { prices: BTreeMap::from([("sol".to_owned(), paid)]), ..Limits::default() };
        drop(ledger.reserve(Some(&paid), "run-1", TODAY, "sol", token).unwrap());
        assert_eq!(ledger.run("run-1"), counts);
        let gate = ledger.reserve(Some(&limits), "run-1", TODAY, "luna", token).map(drop);
        assert_eq!(counts.leaves_a_call(Some(&limits)), gate, "{price:?} behind {spent}");
    }
}

#[test]
fn runs_side_by_side_share_one_budget() {
    let (shared, limits) = (Shared::default(), limits());
    let passed: usize = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..6)
            .map(|worker| {
                let (shared, limits) = (&shared, &limits);
                scope.spawn(move || {
                    let run = format!("run-{worker}");
                    let ask =
                        |ledger: &mut Ledger| ledger.reserve(Some(limits), &run, TODAY, "luna", CALL).is_ok();
                    (0..4).filter(|_| change(&mut &*shared, "org-1", ask).unwrap_or(false)).count()
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    let ledger = shared.read("org-1").unwrap();
    assert_eq!(ledger.day(TODAY).cost_micro_usd, 1_000 * passed as u64);
    assert!(passed <= 10, "the day covers ten");
    assert_eq!(shared.read("org-2").unwrap(), Ledger::default());
}

#[test]
fn a_ledger_that_cannot_be_changed_lets_no_call_through() {
    let mut failing = Shared { failing: true, ..Shared::default() };
    let refused = change(&mut failing, "org-1", |_| ()).unwrap_err();
    assert_eq!(refused.code(), "budget_unavailable");
    struct Contended;
    impl Ledgers for Contended {
        fn read(&self, _: &str) -> Result<Ledger, LedgerFault> {
            Ok(Ledger::default())
        }
        fn swap(&self, _: &str, _: u64, _: &Ledger) -> Result<bool, LedgerFault> {
            Ok(false)
        }
    }
    let refused = change(&mut Contended, "org-1", |ledger| ledger.forget_before(TODAY)).unwrap_err();
    assert_eq!(refused.code(), "budget_contended");
}

#[derive(Clone, Debug)]
enum Deed {
    Reserve { run: u8, input: u64, output: u64 },
    Settle { at: usize, percent: u64 },
    Silent { at: usize },
    Close { run: u8 },
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        4 => (0..3_u8, 0..3_000_u64, 0..3_000_u64)
            .prop_map(|(run, input, output)| Deed::Reserve { run, input, output }),
        2 => (any::<usize>(), 0..=100_u64).prop_map(|(at, percent)| Deed::Settle { at, percent }),
        1 => any::<usize>().prop_map(|at| Deed::Silent { at }),
        1 => (0..3_u8).prop_map(|run| Deed::Close { run }),
    ];
    proptest::collection::vec(deed, 1..60)
}

proptest! {
    // Issue 4: budgets never go negative nor over the cap under any interleaving.
    #[test]
    fn no_interleaving_passes_a_cap(deeds in deeds()) {
        let limits = limits();
        let mut ledger = Ledger::default();
        let mut open = Vec::new();
        let mut spent = 0_u64;
        for deed in deeds {
            match deed {
                Deed::Reserve { run, input, output } => {
                    let estimate = Estimate { input, max_output: output };
                    let run = format!("run-{run}");
                    if let Ok(reservation) = ledger.reserve(Some(&limits), &run, TODAY, "luna", estimate) {
                        open.push((reservation, estimate));
                    }
                }
                Deed::Settle { at, percent } if !open.is_empty() => {
                    let (reservation, estimate) = open.remove(at % open.len());
                    let usage = Usage {
                        input: estimate.input * percent / 100,
                        output: estimate.max_output * percent / 100,
                        ..Usage::default()
                    };
                    spent += ledger.settle(&reservation, Charge::Reported(usage)).map_or(0, |s| s.counts.cost_micro_usd);
                }
                Deed::Silent { at } if !open.is_empty() => {
                    let (reservation, _) = open.remove(at % open.len());
                    spent += ledger.settle(&reservation, Charge::Unreported).map_or(0, |s| s.counts.cost_micro_usd);
                }
                Deed::Close { run } => {
                    let closed = ledger.close(&format!("run-{run}"));
                    spent += closed.iter().map(|settled| settled.counts.cost_micro_usd).sum::<u64>();
                }
                Deed::Settle { .. } | Deed::Silent { .. } => {}
            }
            let day = ledger.day(TODAY);
            prop_assert!(day.cost_micro_usd <= 10_000 && day.tokens <= 12_000);
            prop_assert!(day.cost_micro_usd >= spent, "what was spent is never given back");
            for run in 0..3 {
                let run = ledger.run(&format!("run-{run}"));
                prop_assert!(run.cost_micro_usd <= 4_000 && run.tokens <= 5_000 && run.calls <= 6);
            }
        }
    }
}
