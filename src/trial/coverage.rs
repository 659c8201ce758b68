//! What the tests reach: harnesses, tools, cells, gates and denial codes; and what they do not.

use std::collections::BTreeSet;

use harnessc_runtime::decide::{Bundle, Gate};
use harnessc_runtime::lock::{Lock, NO_HARNESS, Origin, split_deed};

use super::decision::Word;
use super::judge::{Outcome, all_deeds};

/// One decision that a test pins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The harness, `-` for runs without one.
    pub harness: String,
    /// The deed.
    pub deed: String,
    /// What came of it.
    pub word: Word,
    /// The closed gate.
    pub gate: Option<Gate>,
    /// Whether the test states the word itself: a call, no cell of a table.
    pub called: bool,
}

/// How much of something is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// What is reached.
    pub reached: BTreeSet<String>,
    /// What is not.
    pub missed: BTreeSet<String>,
}

impl Share {
    fn of(all: impl IntoIterator<Item = String>, reached: &BTreeSet<String>) -> Self {
        let (reached, missed) = all.into_iter().partition(|name| reached.contains(name));
        Self { reached, missed }
    }

    /// How many there are.
    pub fn total(&self) -> usize {
        self.reached.len() + self.missed.len()
    }
}

/// What the tests reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Harnesses, `-` for runs without one.
    pub harnesses: Share,
    /// Tools that some test sees granted.
    pub tools: Share,
    /// `harness tool` for every deed and harness, held or not.
    pub cells: Share,
    /// `harness tool` for every deed that a harness holds in some role.
    pub granted: Share,
    /// Gates that some test sees closed, of those that a test can close under this policy; by their own words, and not by the
    /// codes they deny with.
    pub gates: Share,
    /// Denial codes that some test states, of those that a test can state under this policy.
    pub codes: Share,
}

impl Coverage {
    /// What these outcomes reach.
    pub fn of(bundle: &Bundle, outcomes: &[Outcome<'_>]) -> Self {
        let lock = bundle.lock();
        let seen: Vec<&Reached> = outcomes.iter().flat_map(|outcome| &outcome.reached).collect();
        let cell = |harness: &str, deed: &str| format!("{harness} {deed}");
        let cells: BTreeSet<String> = seen.iter().map(|one| cell(&one.harness, &one.deed)).collect();
        let granted = |one: &&&Reached| one.word.is_granted();
        let tools = seen.iter().filter(granted).map(|one| split_deed(&one.deed).0.to_owned()).collect();
        let code = |one: &&Reached| match one.word {
            Word::Denied(code) if one.called => Some(code.to_owned()),
            _ => None,
        };
        let codes: BTreeSet<String> = seen.iter().filter_map(code).collect();
        let gates = seen.iter().filter_map(|one| one.gate).map(|gate| gate.word().to_owned()).collect();
        let deeds = all_deeds(lock);
        let all = lock.effective.keys().flat_map(|harness| deeds.iter().map(move |deed| cell(harness, deed)));
        let held = lock
            .effective
            .iter()
            .flat_map(|(harness, roles)| roles.values().flatten().map(move |own| cell(harness, &own.deed)));
        let statable = statable(lock);
        let usual = |gate: &Gate| gate.codes().iter().any(|code| statable.contains(code));
        Self {
            harnesses: Share::of(
                lock.effective.keys().cloned(),
                &seen.iter().map(|one| one.harness.clone()).collect(),
            ),
            tools: Share::of(lock.tools.keys().filter(|key| is_granted(lock, key)).cloned(), &tools),
            cells: Share::of(all, &cells),
            granted: Share::of(held.collect::<BTreeSet<_>>(), &cells),
            gates: Share::of(
                Gate::ALL.iter().filter(|gate| usual(gate)).map(|gate| gate.word().to_owned()),
                &gates,
            ),
            codes: Share::of(statable.iter().map(|code| (*code).to_owned()), &codes),
        }
    }
}

/// Whether some run may be granted some deed of the tool.
fn is_granted(lock: &Lock, tool: &str) -> bool {
    let cells = lock.effective.values().flat_map(|roles| roles.values()).flatten();
    cells.into_iter().any(|cell| split_deed(&cell.deed).0 == tool)
}

/// The denial codes that a test can state under this policy: what nothing in it can close, no test reaches.
pub(super) fn statable(lock: &Lock) -> BTreeSet<&'static str> {
    let run = lock.limits.as_ref().and_then(|limits| limits.run).unwrap_or_default();
    let scopes =
        || lock.surfaces.values().filter_map(|surface| surface.scopes.as_ref()).flat_map(|all| all.values());
    let counted = [run.tool_calls, run.result_bytes];
    let budgets = counted.into_iter().chain([lock.approvals.max_actions_per_run]);
    let per_tool = lock.limits.iter().flat_map(|limits| limits.per_tool.values());
    [
        ("run_ended", true),
        ("cancelled", true),
        ("deadline_exceeded", run.deadline_ms.is_some()),
        ("unknown_tool", true),
        ("tool_disabled", lock.tools.values().any(|tool| !tool.enabled)),
        ("policy_denied", true),
        ("harness_denied", true),
        ("permission_denied", !lock.personas.is_empty()),
        (
            "scope_denied",
            lock.tools.values().any(|tool| tool.surfaces.is_some()) || scopes().next().is_some(),
        ),
        ("read_only_run", writes(lock)),
        ("ai_disabled", outside(lock)),
        ("plan_violation", true),
        ("input_invalid", true),
        ("target_mismatch", lock.tools.values().any(|tool| !tool.bind.is_empty())),
        (
            "budget_exceeded",
            budgets.flatten().next().is_some() || per_tool.into_iter().any(|limit| limit.calls.is_some()),
        ),
        ("step_cap", run.steps.is_some() || scopes().any(|scope| scope.steps.is_some())),
    ]
    .into_iter()
    .filter(|(_, can)| *can)
    .map(|(code, _)| code)
    .collect()
}

/// Whether some harness holds what is no read.
fn writes(lock: &Lock) -> bool {
    let reads = |deed: &str| {
        let (tool, case) = split_deed(deed);
        lock.tools.get(tool).is_some_and(|own| {
            let of_case = case.and_then(|case| Some(own.cases.as_ref()?.by.get(case)?.effect));
            of_case.unwrap_or(own.effect) == harnessc_runtime::lock::Effect::Read
        })
    };
    let harnesses = lock.effective.iter().filter(|(key, _)| *key != NO_HARNESS);
    harnesses.flat_map(|(_, roles)| roles.values()).flatten().any(|cell| !reads(&cell.deed))
}

/// Whether a proposal can come from outside.
fn outside(lock: &Lock) -> bool {
    let outside: Vec<&String> = lock
        .surfaces
        .iter()
        .filter(|(_, own)| own.origin == Some(Origin::Outside))
        .map(|(key, _)| key)
        .collect();
    writes(lock)
        && lock.tools.values().any(|tool| {
            tool.surfaces
                .as_ref()
                .map_or(!outside.is_empty(), |own| own.iter().any(|key| outside.contains(&key)))
        })
}
