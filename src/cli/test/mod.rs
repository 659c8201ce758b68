//! `harnessc test`: the decision tests, what they reach, and whether they would notice a weaker policy.

mod failure;
mod first;
mod mutation;
mod report;

use std::path::Path;

use clap::Args;
use harnessc_runtime::decide::Bundle;

use super::Format;
use super::outcome::{Said, Trouble, code, counted};
use super::platform::InTree;
use super::session::{Session, Under};
use super::style;
use crate::check::check;
use crate::diagnostic::{Finding, Level, nearest};
use crate::lower;
use crate::report as shown;
use crate::rules::Cx;
use crate::source::disk;
use crate::tree::{MANIFEST, Tree};
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
    #[arg(long, value_parser = mutation::Which::parser(), value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "all", conflicts_with = "filter")]
    mutate: Option<mutation::Which>,
    /// With --mutate: try at most so many, spread evenly; 0: all
    #[arg(long, value_name = "COUNT", default_value_t = BOUND, requires = "mutate")]
    sample: usize,
    /// With --mutate: exit 1 where less than this share of the weakenings that change the policy is noticed
    #[arg(long, value_name = "PERCENT", requires = "mutate")]
    min_score: Option<mutation::Share>,
    #[command(flatten)]
    under: Under,
}

/// So many weakenings are tried where nothing else is said.
const BOUND: usize = 5_000;

pub(super) fn run(session: &Session, args: &TestArgs) -> Result<Said, Trouble> {
    let known = args.under.known()?;
    if known.is_some() && args.mutate.is_some() {
        return Err(Trouble::Usage(
            "a tree is weakened as it stands, and not under a baseline".to_owned(),
            "mend what the baseline knows first; without `--mutate` the tests are asked under it".to_owned(),
        ));
    }
    let manifest = session.manifest(None)?;
    let (tree, read) = Tree::open(&manifest)?;
    let original = Original::new(tree, &read);
    let (mut checked, (asked, left)) = check(&original.tree, read, |cx, checked| {
        let under = known.as_ref().map(|known| known.left(checked.findings.clone(), &original.tree));
        let findings = under.as_ref().map_or(&checked.findings, |(left, _)| left);
        let denies = findings.iter().any(|finding| finding.level >= Level::Deny);
        let asked = (!denies).then(|| {
            unmatched(args.filter.as_deref(), cx)?;
            let mut lock = lower::lower(cx, &checked.grading);
            lock.baseline = under.as_ref().map(|(_, record)| record.clone());
            let unproved = |said| Trouble::Internal(format!("the lock of this tree does not prove: {said}"));
            variant::bundle(&lock).map(|bundle| asked(args, cx, &original, &bundle)).map_err(unproved)
        });
        (asked, under.map(|(left, _)| left))
    });
    if let Some(left) = left {
        checked.findings = left;
    }
    let mut said = Said::default();
    match asked.transpose()? {
        Some(asked) => {
            let folder = manifest.parent().unwrap_or(Path::new(""));
            asked.tell(session, args, (&original.tree, folder), &mut said);
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

/// A filter that no test's name holds is a slip: nothing would be asked, and that looks like success.
fn unmatched(filter: Option<&str>, cx: &Cx<'_>) -> Result<(), Trouble> {
    let Some(filter) = filter else { return Ok(()) };
    let names = || cx.model.tests.0.iter().map(|test| test.key.value.as_str());
    if names().next().is_none() || names().any(|name| name.contains(filter)) {
        return Ok(());
    }
    let written = shown::visible(filter);
    let folded = names().find(|name| name.to_lowercase().contains(&filter.to_lowercase()));
    let near = || nearest(filter, names());
    // A filter is a part of a name, so parts of as many words are what it may have meant.
    let parts = || {
        let count = filter.split_whitespace().count().max(1);
        let parts = names().flat_map(|name| {
            let words: Vec<&str> = name.split_whitespace().collect();
            words.windows(count).map(|part| part.join(" ")).collect::<Vec<_>>()
        });
        let parts: Vec<String> =
            parts.map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()).collect();
        nearest(filter, parts.iter().map(String::as_str)).map(str::to_owned)
    };
    let meant = folded.or_else(near).map(str::to_owned).or_else(parts);
    let help = match meant {
        Some(meant) => format!("did you mean `{}`?", shown::visible(&meant)),
        None => "`harnessc test --format json` lists the tests by name".to_owned(),
    };
    Err(Trouble::Usage(format!("no test's name holds `{written}`, so none was asked"), help))
}

/// What the tests came to.
struct Asked {
    report: TestReport,
    failures: Vec<Finding>,
    coverage: Coverage,
    mutation: Option<Mutation>,
    passed: usize,
    failed: usize,
    /// Where the tree has no test: one to begin with.
    first: Option<String>,
}

fn asked(args: &TestArgs, cx: &Cx<'_>, original: &Original, bundle: &Bundle) -> Asked {
    let stand = Stand::new(bundle, &Schemas::default());
    let outcomes = trial::run(&stand, &cx.model.tests, args.filter.as_deref());
    let coverage = Coverage::of(bundle, &outcomes);
    let failures = failure::findings(cx, bundle, &outcomes);
    let failed = outcomes.iter().filter(|outcome| !outcome.failures.is_empty()).count();
    let mutation =
        args.mutate.filter(|_| failed == 0).map(|which| mutated(args, which, cx, original, &stand));
    let mut report = report::report(cx, &outcomes, &coverage);
    report.mutation = mutation.as_ref().map(|mutation| mutation.json(&cx.tree.sources));
    let first = cx.model.tests.0.iter().next().is_none().then(|| first::test(&stand));
    Asked { report, failures, coverage, mutation, passed: outcomes.len() - failed, failed, first }
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
        let short = self.falls_short(args);
        tell_short(session, &short, said);
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
            Format::Junit => {
                let mut cases = self.report.cases(folder);
                cases.extend(short.iter().map(|lack| lack.case(folder)));
                said.out.push_str(&shown::junit("harnessc test", &cases));
            }
            Format::Github => {
                short.iter().for_each(|lack| said.out.push_str(&lack.error(folder)));
                session.found(&found, said);
            }
            Format::Sarif => session.found(&found, said),
            Format::Human | Format::Markdown | Format::Html => {
                let _ = shown::told(&self.failures, sources, &session.terminal.err, &mut said.err);
                if args.coverage {
                    report::coverage(&self.coverage, session.terminal.out, said);
                }
                if let Some(mutation) = &self.mutation {
                    mutation.human(sources, session.terminal.out, said);
                } else if args.mutate.is_some() {
                    said.note("nothing is weakened while a test fails: a test that fails already notices nothing more");
                }
                if self.passed + self.failed > 0 {
                    said.line(summary(session, self.passed, self.failed));
                }
            }
        }
    }

    /// A tree without a test, and a score below what is asked for: what no single test says.
    fn falls_short(&self, args: &TestArgs) -> Vec<Lack> {
        let untested = self.first.as_ref().map(|first| Lack {
            text: "the tree states no test, so nothing was asked".to_owned(),
            help: Some(format!(
                "begin with `tests/policy/first.yaml`; these lines say what is so today, so read them before you keep them\n\n{first}"
            )),
        });
        let score = args.min_score.zip(self.mutation.as_ref());
        let score = score.and_then(|(least, mutation)| mutation.short_of(least));
        untested.into_iter().chain(score.map(|text| Lack { text, help: None })).collect()
    }
}

/// What the tests of a tree lack, where no single one of them fails.
struct Lack {
    text: String,
    help: Option<String>,
}

impl Lack {
    /// A case that fails, for those who read the document alone.
    fn case(&self, folder: &Path) -> shown::Case {
        let manifest = manifest_in(folder);
        let full =
            self.help.as_ref().map_or_else(|| self.text.clone(), |help| format!("{}\n{help}", self.text));
        shown::Case {
            class: manifest.clone(),
            name: "the tests of the tree".to_owned(),
            at: Some((manifest, 1)),
            failure: Some((self.text.clone(), full)),
            note: None,
        }
    }

    /// An annotation of the manifest.
    fn error(&self, folder: &Path) -> String {
        shown::github_error(&manifest_in(folder), &self.text)
    }
}

/// The manifest, from the repository's root.
fn manifest_in(folder: &Path) -> String {
    format!("{}{MANIFEST}", disk::from_repository(folder))
}

fn tell_short(session: &Session, short: &[Lack], said: &mut Said) {
    let look = session.terminal.err;
    for lack in short {
        said.code = code::FINDINGS;
        said.note(format!("{}: {}", style::error(look, "error"), lack.text));
        if let Some(help) = &lack.help {
            said.note(format!("{}: {help}", style::help(look, "help")));
        }
    }
}

fn summary(session: &Session, passed: usize, failed: usize) -> String {
    let look = session.terminal.out;
    let all = counted(passed + failed, "test");
    if failed == 0 {
        format!("{all}: {}", style::good(look, "all as expected"))
    } else {
        format!("{all}: {passed} as expected, {}", style::error(look, &format!("{failed} not")))
    }
}
