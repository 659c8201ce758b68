//! `harnessc test`: the decision tests, what they reach, and whether they would notice a weaker policy.

mod failure;
mod mutation;
mod report;

use std::path::Path;

use clap::Args;
use harnessc_runtime::decide::Bundle;

use super::Format;
use super::outcome::{Said, Trouble, code, counted};
use super::platform::InTree;
use super::session::Session;
use super::style;
use crate::check::check;
use crate::diagnostic::{Finding, Level};
use crate::lower;
use crate::report as shown;
use crate::rules::Cx;
use crate::tree::Tree;
use crate::trial::{self, Coverage, Schemas, Stand, mutate};
use crate::variant::{self, Original};

use mutation::Mutation;
pub(super) use report::TestReport;

#[derive(Debug, Args)]
pub(super) struct TestArgs {
    /// Only the tests whose name holds this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Say what no test reaches
    #[arg(long)]
    coverage: bool,
    /// Weaken the policy fact by fact in memory, and say what neither a rule nor a test notices
    #[arg(long, value_enum, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "all", conflicts_with = "filter")]
    mutate: Option<mutation::Which>,
    /// With --mutate: try at most so many, spread evenly; 0: all
    #[arg(long, value_name = "COUNT", default_value_t = BOUND, requires = "mutate")]
    sample: usize,
}

/// So many weakenings are tried where nothing else is said.
const BOUND: usize = 5_000;

pub(super) fn run(session: &Session, args: &TestArgs) -> Result<Said, Trouble> {
    let manifest = session.manifest(None)?;
    let (tree, read) = Tree::open(&manifest)?;
    let original = Original::new(tree, &read);
    let (checked, asked) = check(&original.tree, read, |cx, checked| {
        let denies = checked.findings.iter().any(|finding| finding.level >= Level::Deny);
        (!denies).then(|| {
            let lock = lower::lower(cx, &checked.grading);
            variant::bundle(&lock).map(|bundle| asked(args, cx, &original, &bundle))
        })
    });
    let mut said = Said::default();
    match asked {
        Some(Ok(asked)) => {
            let folder = manifest.parent().unwrap_or(Path::new(""));
            asked.tell(session, args, (&original.tree, folder), &mut said);
        }
        Some(Err(unproved)) => {
            return Err(Trouble::Internal(format!("the lock of this tree does not prove: {unproved}")));
        }
        None => {
            said.code = code::FINDINGS;
            let folder = manifest.parent().unwrap_or(Path::new(""));
            let found = InTree {
                findings: &checked.findings,
                tree: &original.tree,
                folder,
                deny_warnings: false,
                summary: None,
            };
            session.found(&found, &mut said);
            if session.global.format == Format::Human {
                said.note("no test is asked while findings deny: what the tree comes to is not settled");
            }
        }
    }
    Ok(said)
}

/// What the tests came to.
struct Asked {
    report: TestReport,
    failures: Vec<Finding>,
    coverage: Coverage,
    mutation: Option<Mutation>,
    passed: usize,
    failed: usize,
}

fn asked(args: &TestArgs, cx: &Cx<'_>, original: &Original, bundle: &Bundle) -> Asked {
    let stand = Stand::new(bundle, &Schemas::default());
    let outcomes = trial::run(&stand, &cx.model.tests, args.filter.as_deref());
    let coverage = Coverage::of(bundle, &outcomes);
    let failures = failure::findings(cx, bundle, &outcomes);
    let failed = outcomes.iter().filter(|outcome| !outcome.failures.is_empty()).count();
    let mutation =
        args.mutate.filter(|_| failed == 0).map(|which| mutated(args, which, cx, original, &stand));
    let mut report = report::report(&cx.tree.sources, &outcomes, &coverage);
    report.mutation = mutation.as_ref().map(|mutation| mutation.json(&cx.tree.sources));
    Asked { report, failures, coverage, mutation, passed: outcomes.len() - failed, failed }
}

fn mutated(
    args: &TestArgs,
    which: mutation::Which,
    cx: &Cx<'_>,
    original: &Original,
    stand: &Stand,
) -> Mutation {
    let mut mutants = mutate::mutants(cx);
    mutants.retain(|mutant| which.takes(mutant.kind));
    let all = mutants.len();
    let chosen = mutate::sample(mutants, args.sample);
    Mutation { mutants: all, tried: mutate::survive(original, stand, &cx.model.tests, &chosen) }
}

impl Asked {
    fn tell(self, session: &Session, args: &TestArgs, (tree, folder): (&Tree, &Path), said: &mut Said) {
        if self.failed > 0 {
            said.code = code::FINDINGS;
        }
        let sources = &tree.sources;
        let ending =
            format!("{}: {} not as expected", counted(self.passed + self.failed, "test"), self.failed);
        let found =
            InTree { findings: &self.failures, tree, folder, deny_warnings: false, summary: Some(ending) };
        match session.global.format {
            Format::Json => said.json(&self.report),
            Format::Short => {
                let _ = shown::short(&self.failures, sources, &mut said.out);
                if let Some(mutation) = &self.mutation {
                    mutation.short(sources, said);
                }
            }
            Format::Junit => said.out.push_str(&shown::junit("harnessc test", &self.report.cases(folder))),
            Format::Sarif | Format::Github => session.found(&found, said),
            Format::Human | Format::Markdown | Format::Html => {
                let _ = shown::told(&self.failures, sources, &session.terminal.err, &mut said.err);
                if args.coverage {
                    report::coverage(&self.coverage, session.terminal.out, said);
                }
                if let Some(mutation) = &self.mutation {
                    mutation.human(sources, session.terminal.out, said);
                } else if args.mutate.is_some() {
                    said.note("nothing is weakened while a test fails: whatever is noticed would be noticed already");
                }
                said.line(summary(session, self.passed, self.failed, args.filter.is_some()));
            }
        }
    }
}

fn summary(session: &Session, passed: usize, failed: usize, filtered: bool) -> String {
    let look = session.terminal.out;
    if passed + failed == 0 {
        let why = if filtered { "no test's name holds that text" } else { "the tree states no test" };
        return why.to_owned();
    }
    let all = counted(passed + failed, "test");
    if failed == 0 {
        format!("{all}: {}", style::good(look, "all as expected"))
    } else {
        format!("{all}: {passed} as expected, {}", style::error(look, &format!("{failed} not")))
    }
}
