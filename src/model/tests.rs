//! `tests:`: decisions that the policy must yield (`harnessc test`).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::keys::{ByDeed, free_key, name_key};
use super::read::{Keyed, Read, fields, read_entries, wrong_type};
use super::scalars::Raw;
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
        /// Tool to harness to the approval expected; a cell left out means denied.
        opt matrix: ByDeed<Matrix>,
        /// Approval to the tools that need it; these and no others.
        opt exactly: Exactly,
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
    /// Fields of `run:`.
    pub fields: BTreeMap<String, (Spanned<String>, Raw)>,
}

impl TestRun {
    /// The keys with a meaning of their own; every other is a field of `run:`.
    pub const OWN: [&'static str; 6] = ["harness", "role", "persona", "surface", "scopes", "read_only"];
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
