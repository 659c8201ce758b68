//! Budgets: never negative, never over a cap, in any order of reserving, settling and losing calls (E2, D5).

use harnessc_runtime::boundary::budget::{Amounts, Caps, Ledger, Meter, Reservation, ToolCaps};
use harnessc_runtime::boundary::{Permit, Ruling};
use harnessc_runtime::lock::ToolLimit;
use proptest::prelude::*;

use super::world::World;

#[derive(Clone, Debug)]
enum Step {
    Reserve {
        tool: usize,
        amounts: [u64; 4],
    },
    Settle {
        which: usize,
        used: [u64; 4],
    },
    /// The worker died: the reservation is never settled.
    Lose {
        which: usize,
    },
}

fn amounts(of: [u64; 4]) -> Amounts {
    Meter::ALL.into_iter().zip(of).fold(Amounts::default(), |all, (meter, amount)| all.with(meter, amount))
}

fn amount() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..6, Just(u64::MAX), Just(u64::MAX / 2)]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let four = || proptest::array::uniform4(amount());
    let step = prop_oneof![
        3 => (0_usize..2, proptest::array::uniform4(0_u64..6)).prop_map(|(tool, amounts)| Step::Reserve { tool, amounts }),
        1 => (0_usize..2, four()).prop_map(|(tool, amounts)| Step::Reserve { tool, amounts }),
        3 => (any::<usize>(), four()).prop_map(|(which, used)| Step::Settle { which, used }),
        1 => any::<usize>().prop_map(|which| Step::Lose { which }),
    ];
    proptest::collection::vec(step, 0..40)
}

const TOOLS: [&str; 2] = ["a", "b"];

/// A ledger that was stored while models were counted here too is read on: their amounts stood behind the others.
#[test]
fn a_ledger_of_before_is_read_on() {
    let caps = Caps::default();
    let mut ledger = Ledger::default();
    drop(ledger.reserve(&caps, Some("a"), amounts([1, 200, 1, 1])).unwrap());
    let stored = serde_json::to_string(&ledger).unwrap();
    assert!(stored.contains("[1,200,1,1]"), "{stored}");
    let with = |amounts: &str| serde_json::from_str::<Ledger>(&stored.replace("[1,200,1,1]", amounts));
    assert_eq!(with("[1,200,1,1]").unwrap(), ledger);
    assert_eq!(with("[1,200,1,1,9,9,9]").unwrap(), ledger);
    for odd in ["[]", "[1,200,1]", "[1,200,1,1,9]", "[1,200,1,1,9,9,9,9]", "[1,200,1,-1]", "{}"] {
        assert!(with(odd).is_err(), "{odd}");
    }
}

proptest! {
    #[test]
    fn no_interleaving_brings_a_budget_over_its_cap(
        caps in proptest::array::uniform4(proptest::option::of(0_u64..20)),
        of_tool in (proptest::option::of(0_u64..8), proptest::option::of(0_u64..8)),
        steps in steps(),
    ) {
        let run = Meter::ALL.into_iter().zip(caps).fold(Caps::default(), |all, (meter, cap)| all.within(meter, cap));
        let mut bounded = run;
        bounded.tool = ToolCaps { calls: of_tool.0, result_bytes: of_tool.1 };
        let mut ledger = Ledger::default();
        let mut open: Vec<(usize, Reservation)> = Vec::new();
        // What run and tools are charged, each by its own cap alone.
        let (mut of_run, mut of_tools) = ([0_u128; 4], [[0_u128; 2]; 2]);
        let moved = |charged: u128, reserved: u64, used: u64, cap: Option<u64>| {
            (charged - u128::from(reserved) + u128::from(used)).min(cap.unwrap_or(u64::MAX).into())
        };
        for step in steps {
            let before = ledger.clone();
            match step {
                Step::Reserve { tool, amounts: wanted } => match ledger.reserve(&bounded, Some(TOOLS[tool]), amounts(wanted)) {
                    Ok(reservation) => {
                        open.push((tool, reservation));
                        for (own, amount) in of_run.iter_mut().zip(wanted) {
                            *own += u128::from(amount);
                        }
                        for (own, amount) in of_tools[tool].iter_mut().zip(wanted) {
                            *own += u128::from(amount);
                        }
                    }
                    Err(_) => prop_assert_eq!(&ledger, &before),
                },
                Step::Settle { which, used } if !open.is_empty() => {
                    let (tool, reservation) = open.swap_remove(which % open.len());
                    let reserved = reservation.amounts();
                    let within = Meter::ALL.into_iter().all(|meter| amounts(used).of(meter) <= reserved.of(meter));
                    for (at, meter) in Meter::ALL.into_iter().enumerate() {
                        of_run[at] = moved(of_run[at], reserved.of(meter), used[at], bounded.of(meter));
                    }
                    for (at, cap) in [of_tool.0, of_tool.1].into_iter().enumerate() {
                        of_tools[tool][at] = moved(of_tools[tool][at], reserved.of(Meter::ALL[at]), used[at], cap);
                    }
                    let settled = ledger.settle(&bounded, reservation, amounts(used));
                    prop_assert!(!within || settled.overrun == Amounts::default());
                }
                Step::Lose { which } if !open.is_empty() => drop(open.swap_remove(which % open.len())),
                _ => {}
            }
            for meter in Meter::ALL {
                prop_assert!(bounded.of(meter).is_none_or(|cap| ledger.charged(meter) <= cap));
            }
            for (at, meter) in Meter::ALL.into_iter().enumerate() {
                prop_assert_eq!(u128::from(ledger.charged(meter)), of_run[at], "{:?}", meter);
            }
            let stored = serde_json::to_value(&ledger).unwrap();
            for (tool, charged) in TOOLS.iter().zip(of_tools) {
                let own = |meter: &str| stored["tools"][tool][meter].as_u64().unwrap_or_default();
                prop_assert_eq!([own("calls"), own("result_bytes")].map(u128::from), charged);
            }
            for tool in TOOLS {
                let mut alone = Caps::default();
                alone.tool = bounded.tool;
                // What is left of a tool's own cap is never more than the cap, and its sum is right below.
                prop_assert!(ledger.result_bytes_left(&alone, tool).is_none_or(|left| Some(left) <= alone.tool.result_bytes));
            }
        }
        // A stored ledger is the ledger.
        let stored = serde_json::to_string(&ledger).unwrap();
        prop_assert_eq!(serde_json::from_str::<Ledger>(&stored).unwrap(), ledger);
    }

    #[test]
    fn what_is_settled_is_what_was_used(calls in proptest::collection::vec((0_u64..9, 0_u64..9), 0..20)) {
        let mut ledger = Ledger::default();
        let mut sum = 0;
        for (reserved, used) in calls {
            let wanted = Amounts::default().with(Meter::ResultBytes, reserved);
            let reservation = ledger.reserve(&Caps::default(), None, wanted).unwrap();
            let used = used.min(reserved);
            sum += used;
            ledger.settle(&Caps::default(), reservation, Amounts::default().with(Meter::ResultBytes, used));
        }
        prop_assert_eq!(ledger.charged(Meter::ResultBytes), sum);
    }
}

/// A tool that used more than its own cap lets through used it all the same, and the run is charged for it.
#[test]
fn the_run_and_the_tool_are_each_clipped_by_their_own_cap() {
    let bytes = |amount| Amounts::default().with(Meter::ResultBytes, amount);
    for (of_run, of_tool, charged, left, overrun) in [
        (None, Some(10), 25, Some(0), 15),
        (Some(20), Some(10), 20, Some(0), 15),
        (Some(20), Some(30), 20, Some(5), 5),
        (Some(30), None, 25, None, 0),
    ] {
        let mut caps = Caps::default().within(Meter::ResultBytes, of_run);
        caps.tool.result_bytes = of_tool;
        let mut ledger = Ledger::default();
        let reservation = ledger.reserve(&caps, Some("a"), bytes(10)).unwrap();
        assert_eq!(ledger.settle(&caps, reservation, bytes(25)).overrun, bytes(overrun));
        let mut alone = Caps::default();
        alone.tool = caps.tool;
        assert_eq!(
            (ledger.charged(Meter::ResultBytes), ledger.result_bytes_left(&alone, "a")),
            (charged, left)
        );
    }
}

#[test]
fn what_a_ledger_does_not_hold_open_settles_nothing() {
    let (mut own, mut other) = (Ledger::default(), Ledger::default());
    let wanted = |amount| Amounts::default().with(Meter::Steps, amount);
    let mine = own.reserve(&Caps::default(), None, wanted(5)).unwrap();
    let before = other.clone();
    assert_eq!(other.settle(&Caps::default(), mine, wanted(1)).overrun, wanted(1));
    assert_eq!(other, before);
    assert_eq!(own.charged(Meter::Steps), 5);
}

fn search() -> World {
    World::open().but(|world| world.tool = "records.search")
}

fn code(world: &mut World) -> &'static str {
    match world.ask().ruling {
        Ruling::Allow(Permit::Read(_)) => "allow",
        Ruling::Deny(refusal) => refusal.denial.code,
        other => panic!("{other:?}"),
    }
}

/// D5: the largest of the granted scopes' caps, within the run's own.
#[test]
fn steps_are_capped_by_scope() {
    let allowed = |scopes, steps| {
        let mut world = search().but(|world| {
            (world.surface, world.scopes) = (Some("desk"), scopes);
            world.both(|lock| lock.limits.as_mut().unwrap().run.as_mut().unwrap().steps = steps);
        });
        let count = (0..9).take_while(|_| code(&mut world) == "allow").count();
        assert!(count == 9 || code(&mut world) == "step_cap");
        count
    };
    assert_eq!(allowed(&["desk:read"], None), 3);
    assert_eq!(allowed(&["desk:read", "desk:write"], None), 5);
    assert_eq!(allowed(&["desk:read", "desk:write"], Some(4)), 4);
}

/// E2: calls per tool, and the bytes of results, which are reserved before and given back after.
#[test]
fn a_tool_has_caps_of_its_own() {
    let limited = |calls, result_bytes| {
        search().but(|world| {
            world.both(|lock| {
                let limit = ToolLimit { calls, result_bytes, timeout_ms: None };
                lock.limits.as_mut().unwrap().per_tool.insert("records.search".to_owned(), limit);
            });
        })
    };
    let mut by_calls = limited(Some(2), None);
    assert_eq!(
        [code(&mut by_calls), code(&mut by_calls), code(&mut by_calls)],
        ["allow", "allow", "budget_exceeded"]
    );
    let mut by_bytes = limited(None, Some(1_000));
    let Ruling::Allow(Permit::Read(permit)) = by_bytes.ask().ruling else { panic!("a read") };
    let reservation = permit.spend();
    assert_eq!(reservation.amounts().of(Meter::ResultBytes), 1_000);
    // Another call at the same time finds nothing left; after the first one used little, there is room again.
    assert_eq!(code(&mut by_bytes), "budget_exceeded");
    let caps = Caps::of_lock(&by_bytes.in_force, "records.search");
    let used = reservation.amounts().with(Meter::ResultBytes, 400);
    by_bytes.ledger.as_mut().unwrap().settle(&caps, reservation, used);
    let Ruling::Allow(Permit::Read(permit)) = by_bytes.ask().ruling else { panic!("a read") };
    assert_eq!(permit.spend().amounts().of(Meter::ResultBytes), 600);
}
