//! `why`: the lines behind each gate, and edits that hold.

use std::fmt::Write as _;

use harnessc::diagnostic::Edit;
use harnessc::model::tests::TestRun;
use harnessc::rules::Cx;
use harnessc::source::Spanned;
use harnessc::trial::{Schemas, Stand, ask, rows};
use harnessc::variant::Compiled;
use harnessc::why::{Mending, lines, mendings};
use harnessc_runtime::decide::Gate;

use super::{console, within};

/// The run of a test with this harness and role, over the console.
fn asked(cx: &Cx<'_>, harness: &str, role: &str) -> TestRun {
    let spanned = |text: &str| Some(Spanned::new(text.to_owned(), cx.tree.manifest.span));
    let harness = if harness == "-" { "none" } else { harness };
    TestRun {
        harness: spanned(harness),
        role: spanned(role),
        surface: spanned("console"),
        ..TestRun::default()
    }
}

/// Every deed of a lock.
fn deeds(stand: &Stand) -> Vec<String> {
    let tools = stand.bundle().lock().tools.iter();
    let cases = tools.flat_map(|(name, tool)| match &tool.cases {
        Some(cases) => cases.by.keys().map(|case| format!("{name}/{case}")).collect(),
        None => vec![name.clone()],
    });
    cases.collect()
}

/// No pair stops it, and a closed gate points somewhere wherever the policy and not the run closes it.
#[test]
fn every_harness_and_tool_of_the_console_is_answered() {
    within(&console(), |cx, stand| {
        let (mut asked_for, lock) = (0, stand.bundle().lock());
        for harness in lock.effective.keys() {
            for role in ["console", "reader"] {
                let run = asked(cx, harness, role);
                for row in rows(lock, &run, None) {
                    for deed in deeds(stand) {
                        let found = lines(cx, stand.bundle(), &row, &deed);
                        let decision = ask(stand, &row, &deed, None);
                        let closed =
                            found.iter().find(|line| line.open == Some(false) && line.gate != Gate::Approval);
                        assert_eq!(closed.map(|line| line.gate), decision.gate, "{deed} for {}", row.said());
                        for line in found.iter().filter(|line| line.open == Some(false)) {
                            assert!(!line.at.is_empty(), "{:?} of {deed} for {}", line.gate, row.said());
                        }
                        asked_for += 1;
                    }
                }
            }
        }
        assert!(asked_for > 3_000, "{asked_for}");
    });
}

/// A small generator of numbers, the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// Fifty questions drawn once; each answer in `why_sample.txt` was checked by hand against the files of the tree.
/// `UPDATE_SAMPLE=1` writes the file anew, to be checked by hand again.
#[test]
fn the_deciding_line_is_the_right_one() {
    let said = within(&console(), |cx, stand| {
        let lock = stand.bundle().lock();
        let (harnesses, all): (Vec<&String>, _) = (lock.effective.keys().collect(), deeds(stand));
        let roles: Vec<&String> = lock.roles.keys().collect();
        let (mut dice, mut text) = (Dice(5), String::new());
        for _ in 0..50 {
            let harness = harnesses[dice.below(harnesses.len())];
            let role = roles[dice.below(roles.len())];
            let deed = &all[dice.below(all.len())];
            let run = asked(cx, harness, role);
            let row = &rows(lock, &run, None)[0];
            let decision = ask(stand, row, deed, None);
            let gate = decision.gate.unwrap_or(Gate::Approval);
            let line =
                lines(cx, stand.bundle(), row, deed).into_iter().find(|line| line.gate == gate).unwrap();
            writeln!(text, "{harness} {role} {deed}: {}", decision.word).unwrap();
            for label in &line.at {
                let place =
                    cx.tree.sources.slice(label.span).split_whitespace().collect::<Vec<_>>().join(" ");
                let place: String = place.chars().take(60).collect();
                writeln!(text, "  {}: `{place}`: {}", cx.tree.sources.path(label.span.file), label.text)
                    .unwrap();
            }
        }
        text
    });
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/decisions/why_sample.txt");
    if std::env::var_os("UPDATE_SAMPLE").is_some() {
        std::fs::write(path, &said).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), said);
}

/// What is offered as enough is enough, tried here a second time and apart from the room that offers it.
#[test]
fn every_edit_that_is_offered_holds() {
    let original = console();
    within(&original, |cx, stand| {
        let lock = stand.bundle().lock();
        let (mut held, mut refused) = (0, 0);
        for (harness, role, deed) in [
            ("toxicologist", "console", "assays.results"),
            ("toxicologist", "console", "records.retire"),
            ("patent_analyst", "evidence", "records.propose_draft"),
            ("process_chemist", "console", "batches.propose_disposition/quarantine"),
            ("medicinal_chemist", "console", "documents.fetch"),
            ("program_owner", "console", "studies.propose"),
            ("-", "console", "assays.results"),
            // Without a harness a run reads, whatever is edited.
            ("-", "console", "studies.propose"),
            ("-", "console", "records.retire"),
        ] {
            let run = asked(cx, harness, role);
            for row in rows(lock, &run, None) {
                let found = lines(cx, stand.bundle(), &row, deed);
                for mending in mendings(cx, &original, &row, deed, &found) {
                    let Mending::Holds(changes) = mending else {
                        refused += 1;
                        continue;
                    };
                    let edits: Vec<Edit> = changes.iter().map(|change| change.edit.clone()).collect();
                    let Compiled::Stands(bundle) = original.with(&edits) else {
                        panic!("{deed}: {changes:#?}")
                    };
                    let stand = Stand::new(&bundle, &Schemas::default());
                    assert!(ask(&stand, &row, deed, None).word.is_granted(), "{deed}: {changes:#?}");
                    held += 1;
                }
            }
        }
        assert!(held >= 3 && refused >= 2, "{held} held, {refused} did not");
    });
}
