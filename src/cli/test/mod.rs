//! `harnessc test`: the decision tests, what they reach, and whether they would notice a weaker policy.

mod failure;
mod report;

use clap::Args;

use super::Format;
use super::outcome::{Said, Trouble, code, counted};
use super::session::Session;
use super::style;
use crate::check::check;
use crate::diagnostic::{Finding, Level};
use crate::report as shown;
use crate::rules::Cx;
use crate::tree::Tree;
use crate::trial::{self, Coverage, Schemas};
use crate::variant::{self, Original};
use crate::lower;

pub(super) use report::TestReport;

#[derive(Debug, Args)]
pub(super) struct TestArgs {
    /// Only the tests whose name holds this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Say what no test reaches
    #[arg(long)]
    coverage: bool,
}

pub(super) fn run(session: &Session, args: &TestArgs) -> Result<Said, Trouble> {
    let manifest = session.manifest(None)?;
    let (tree, read) = Tree::open(&manifest)?;
    let original = Original::new(tree, &read);
    let (checked, asked) = check(&original.tree, read, |cx, checked| {
        let denies = checked.findings.iter().any(|finding| finding.level >= Level::Deny);
        (!denies).then(|| {
            let lock = lower::lower(cx, &checked.grading);
            variant::bundle(&lock).map(|bundle| asked(args, cx, &bundle))
        })
    });
    let mut said = Said::default();
    match asked {
        Some(Ok(asked)) => {
            asked.tell(session, args, &original, &mut said);
        }
        Some(Err(unproved)) => {
            return Err(Trouble::Internal(format!("the lock of this tree does not prove: {unproved}")));
        }
        None => {
            said.code = code::FINDINGS;
            session.findings(&checked.findings, &original.tree.sources, &mut said);
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
    passed: usize,
    failed: usize,
}

fn asked(args: &TestArgs, cx: &Cx<'_>, bundle: &harnessc_runtime::decide::Bundle) -> Asked {
    let outcomes = trial::run(bundle, &Schemas::default(), &cx.model.tests, args.filter.as_deref());
    let coverage = Coverage::of(bundle, &outcomes);
    let failures = failure::findings(cx, bundle, &outcomes);
    let failed = outcomes.iter().filter(|outcome| !outcome.failures.is_empty()).count();
    let report = report::report(&cx.tree.sources, &outcomes, &coverage);
    Asked { report, failures, coverage, passed: outcomes.len() - failed, failed }
}

impl Asked {
    fn tell(self, session: &Session, args: &TestArgs, original: &Original, said: &mut Said) {
        if self.failed > 0 {
            said.code = code::FINDINGS;
        }
        let sources = &original.tree.sources;
        match session.global.format {
            Format::Json => said.json(&self.report),
            Format::Short => {
                let _ = shown::short(&self.failures, sources, &mut said.out);
            }
            Format::Human => {
                let _ = shown::told(&self.failures, sources, &session.terminal.err, &mut said.err);
                if args.coverage {
                    report::coverage(&self.coverage, session.terminal.out, said);
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
