//! `tests:`: decisions that the policy must yield (`harnessc test`).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::keyed::{Keyed, read_entries};
use super::keys::{ByDeed, free_key, name_key};
use super::read::{Read, fields, words, wrong_type};
use super::scalars::{Bytes, Duration, Money, Raw};
use crate::diagnostic::Sink;
use crate::source::Spanned;
use crate::syntax::{Kind, Node};

fields! {
    /// One test: a run, and what must come of it.
    Test = "a test" {
        /// The run that asks.
        req run: TestRun,
        /// The call it makes; `expect` says what comes of it.
        opt call: TestCall,
        /// An approval (`auto`, `confirm`, `four_eyes`) or a denial code.
        opt expect: Spanned<String>,
        /// The personas that may say yes to the call, these and no others.
        opt approvers: Spanned<Vec<Spanned<String>>>,
        /// How long the proposal stands before it is void.
        opt expires_after: Spanned<Duration>,
        /// Inputs of the call; without any one of them it is refused as `input_invalid`.
        opt needs: Vec<Spanned<String>>,
        /// Inputs that take the place of the call's; with each of these the call is refused, for its input or its target.
        opt refuses: Vec<Spanned<Raw>>,
        /// Tool to harness to the approval expected; a cell left out means denied.
        opt matrix: ByDeed<Matrix>,
        /// Approval to the tools that need it; these and no others.
        opt exactly: Exactly,
        /// Calls, answers of people and time, one after the other.
        opt sequence: Vec<Spanned<TestStep>>,
    }
}

fields! {
    /// One step of a sequence: a call, a batch of calls, an answer, time that passes, or a suspicion that comes up.
    TestStep = "a step" {
        /// A call. What it proposes waits for the answers behind it.
        opt call: TestCall,
        /// Calls that are proposed together, in their order, and answered with one yes or no. Each leans on the one before it.
        opt batch: Vec<Spanned<BatchStep>>,
        /// Of a call or a batch: the name of its proposal, for the steps behind it. The same name twice is the same proposal delivered twice.
        opt r#as: Spanned<String>,
        /// Of a call: proposals that it leans on, by name; it is not done before they are.
        opt depends_on: Vec<Spanned<String>>,
        /// Of a call: what it proposes is a replay's, which is there to be read.
        opt replay: Spanned<bool>,
        /// What a person answers.
        opt decide: Spanned<Says>,
        /// Of an answer: the proposal that it is about, by name; unsaid: the last.
        opt about: Spanned<String>,
        /// Who answers.
        opt by: Answerer,
        /// From here on the run is suspected of an injection: what waits is void, and nothing but this tool may still be proposed.
        opt suspect: Spanned<String>,
        /// Time that passes.
        opt after: Spanned<Duration>,
        /// Of a call: an approval or a denial code. Of an answer: `executed`, `waiting`, `already_counted`, `rejected`, or the code with which it is refused. Of a batch: the code with which it is refused as a whole; unsaid: it is taken in.
        opt expect: Spanned<String>,
    }
}

fields! {
    /// One step of a batch: a call that waits for a person.
    BatchStep = "a step of a batch" {
        /// The call.
        req call: TestCall,
        /// The name of its proposal, for the steps behind it.
        opt r#as: Spanned<String>,
        /// `confirm` or `four_eyes`.
        req expect: Spanned<String>,
    }
}

fields! {
    /// Who answers.
    Answerer = "who answers" {
        /// The person; `requester` is the one the run acts for.
        req person: Spanned<String>,
        /// A persona that the person has; unsaid: the requester's own, else none.
        opt persona: Spanned<String>,
    }
}

words! {
    /// An answer.
    Says = "an answer" {
        /// It may be done.
        Yes = "yes",
        /// It may not.
        No = "no",
    }
}

words! {
    /// What comes of an answer that is taken.
    Answered = "what comes of an answer" {
        /// It was the last yes that was needed; the action was started and done.
        Executed = "executed",
        /// It counts, and more are needed.
        Waiting = "waiting",
        /// This person has answered so before; it counts once, and nothing more came of it.
        AlreadyCounted = "already_counted",
        /// The action is off.
        Rejected = "rejected",
        /// There was nothing to answer.
        NothingProposed = "nothing_proposed",
    }
}

/// A row of a matrix: harness to approval; empty: denied to all.
#[derive(Clone, Debug, Default, schemars::JsonSchema)]
#[schemars(transparent)]
pub struct Matrix(pub Keyed<Spanned<super::words::Approval>>);

impl Read for Matrix {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        Keyed::read(node, sink).map(Self)
    }
}

fields! {
    /// The call of a test.
    TestCall = "a call" {
        /// The tool, without a case.
        req tool: Spanned<String>,
        /// Its input.
        opt input: Raw,
    }
}

fields! {
    /// The tools that a run holds, by the approval they need.
    Exactly = "`exactly`" {
        /// Those that need nobody.
        opt auto: Vec<Spanned<String>>,
        /// Those that one person confirms.
        opt confirm: Vec<Spanned<String>>,
        /// Those that need a second pair of eyes.
        opt four_eyes: Vec<Spanned<String>>,
    }
}

words! {
    /// How a run came to its end.
    Stopped = "how a run stopped" {
        /// It ran to its end.
        Ended = "ended",
        /// A person stopped it.
        Cancelled = "cancelled",
    }
}

words! {
    /// The word for a plan that nobody has approved yet.
    ProposedWord = "the word `proposed`" {
        /// Proposed, and not approved.
        Proposed = "proposed",
    }
}

fields! {
    /// A plan that was approved.
    ApprovedPlan = "an approved plan" {
        /// Its steps: tools, or single cases as `tool/case`.
        req approved: Vec<Spanned<String>>,
    }
}

/// Where the plan of a run stands.
#[derive(Clone, Debug, schemars::JsonSchema)]
#[schemars(untagged)]
pub enum TestPlan {
    /// It waits for a person.
    Proposed(Spanned<ProposedWord>),
    /// A person approved these steps.
    Approved(ApprovedPlan),
}

impl Read for TestPlan {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        match &node.kind {
            Kind::Map(_) => ApprovedPlan::read(node, sink).map(Self::Approved),
            _ => Spanned::read(node, sink).map(Self::Proposed),
        }
    }
}

fields! {
    /// What a run and its tools have used before the call. What is not named here is nothing. Where what models may spend is
    /// used up, no model is asked again, and no call comes of it.
    Spent = "what is spent" {
        /// Turns of the loop.
        opt steps: Spanned<u64>,
        /// Tool calls.
        opt tool_calls: Spanned<u64>,
        /// Bytes of tool results.
        opt result_bytes: Spanned<Bytes>,
        /// Time since the run began.
        opt time: Spanned<Duration>,
        /// Changes proposed.
        opt actions: Spanned<u64>,
        /// Calls of models.
        opt model_calls: Spanned<u64>,
        /// Tokens of models, in and out.
        opt tokens: Spanned<u64>,
        /// What models cost.
        opt cost: Spanned<Money>,
        /// Tool to its calls in this run.
        opt calls: ByDeed<Spanned<u64>>,
        /// Tool to the bytes of its results in this run.
        opt bytes: ByDeed<Spanned<Bytes>>,
    }
}

/// The run of a test: who asks from where, and the fields of `run:` that its row carries.
#[derive(Clone, Debug, Default)]
pub struct TestRun {
    /// A key of `harnesses:`, or `none`. Unsaid: each harness that a matrix names.
    pub harness: Option<Spanned<String>>,
    /// A key of `roles:`.
    pub role: Option<Spanned<String>>,
    /// A key of `personas:`.
    pub persona: Option<Spanned<String>>,
    /// A key of `surfaces:`.
    pub surface: Option<Spanned<String>>,
    /// Scopes of that surface.
    pub scopes: Option<Vec<Spanned<String>>>,
    /// Whether the run may read alone.
    pub read_only: Option<Spanned<bool>>,
    /// Where its plan stands; unsaid: it has none.
    pub plan: Option<TestPlan>,
    /// What was used before the call; unsaid: nothing.
    pub spent: Option<Spent>,
    /// How it stopped; unsaid: it runs.
    pub stopped: Option<Spanned<Stopped>>,
    /// Whether the switch is thrown that ends proposals from outside.
    pub kill_switch: Option<Spanned<bool>>,
    /// Fields of `run:`.
    pub fields: BTreeMap<String, (Spanned<String>, Raw)>,
}

impl TestRun {
    /// The keys with a meaning of their own; every other is a field of `run:`.
    pub const OWN: [&'static str; 10] = [
        "harness",
        "role",
        "persona",
        "surface",
        "scopes",
        "read_only",
        "plan",
        "spent",
        "stopped",
        "kill_switch",
    ];
}

impl Read for TestRun {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        let Kind::Map(entries) = &node.kind else {
            wrong_type(node, "a mapping that says who asks from where", sink);
            return None;
        };
        let mut run = Self::default();
        for entry in entries {
            match entry.key.as_str() {
                "harness" => run.harness = Read::read(&entry.value, sink),
                "role" => run.role = Read::read(&entry.value, sink),
                "persona" => run.persona = Read::read(&entry.value, sink),
                "surface" => run.surface = Read::read(&entry.value, sink),
                "scopes" => run.scopes = Read::read(&entry.value, sink),
                "read_only" => run.read_only = Read::read(&entry.value, sink),
                "plan" => run.plan = Read::read(&entry.value, sink),
                "spent" => run.spent = Read::read(&entry.value, sink),
                "stopped" => run.stopped = Read::read(&entry.value, sink),
                "kill_switch" => run.kill_switch = Read::read(&entry.value, sink),
                _ => {
                    name_key(&entry.key, sink);
                    let value = Raw(Arc::clone(&entry.value));
                    run.fields.insert(entry.key.value.clone(), (entry.key.clone(), value));
                }
            }
        }
        Some(run)
    }
}

/// Tests by their names, which are sentences.
#[derive(Clone, Debug, Default, schemars::JsonSchema)]
#[schemars(transparent)]
pub struct Tests(pub Keyed<Test>);

impl Read for Tests {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        let Kind::Map(entries) = &node.kind else {
            wrong_type(node, "a mapping from a test's name to the test", sink);
            return None;
        };
        Some(Self(read_entries(entries, free_key, sink)))
    }
}
