//! Changes of the kinds that are seen in the wild, each with its grade and a report of one screen.

use std::collections::BTreeMap;

use harnessc::diff::{Change, Grade};

use super::brute;
use super::table::{BOOKS, BOUNDS, EVENING, PAIRS, PEOPLE, Pair};
use super::trees::{compile, diff, edited, library, page, try_compile};

/// The lines that a terminal shows without a scroll.
const SCREEN: usize = 45;

fn mirrored(changes: &[Change], back: &[Change]) {
    type Place<'a> =
        (&'a Option<String>, &'a Option<String>, &'a Option<String>, &'a Option<String>, &'a Option<String>);
    let place = |change: &'_ Change| -> String {
        let place: Place<'_> = (&change.harness, &change.role, &change.persona, &change.tool, &change.field);
        format!("{place:?}")
    };
    let both = |all: &[Change], turned: bool| {
        let of = |change: &Change| {
            let delta = if turned { change.delta.mirrored() } else { change.delta };
            let (before, after) = (change.before.clone(), change.after.clone());
            (place(change), (delta, if turned { (after, before) } else { (before, after) }))
        };
        // The revision goes one way: a step back is a change, and a step on is none.
        let all = all.iter().filter(|change| change.field.as_deref() != Some("revision"));
        all.map(of).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(both(changes, false), both(back, true));
}

#[test]
fn each_pair_has_its_grade_and_fits_a_screen() {
    let base = compile(&library());
    assert!(diff(&base, &base).is_empty());
    let mut wrong = Vec::new();
    for Pair(name, edits, grade, holds) in PAIRS {
        let after = match try_compile(&edited(library(), edits)) {
            Ok(after) => after,
            Err(said) => {
                wrong.push(format!("{name}: {said}"));
                continue;
            }
        };
        let changes = diff(&base, &after);
        let held = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            brute::agree(&base.bundle, &after.bundle, &changes, 7);
            mirrored(&changes, &diff(&after, &base));
        }));
        if held.is_err() {
            wrong.push(format!("{name}: brute force or the mirror disagrees"));
        }
        let own = harnessc::diff::grade(&changes);
        let page = page(changes);
        let text = page.split_whitespace().collect::<Vec<_>>().join(" ");
        if own != *grade || !text.contains(holds) || page.lines().count() > SCREEN {
            wrong.push(format!("{name}: {own:?}, expected {grade:?} and `{holds}`\n{page}"));
        }
    }
    assert!(PAIRS.len() >= 20);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_step_is_graded_by_what_it_is_a_multiple_of() {
    let step = |step: &str| {
        let stated = format!("limit: {{type: integer, minimum: 100, maximum: 500, multipleOf: {step}}}");
        compile(&edited(library(), &[(BOOKS, "limit: {type: integer, minimum: 1, maximum: 50}", &stated)]))
    };
    let (two, four, six, half) = (step("2"), step("4"), step("6"), step("0.5"));
    for (before, after, grade, back) in [
        (&two, &four, Grade::Narrowed, Grade::Widened),
        (&half, &two, Grade::Narrowed, Grade::Widened),
        (&four, &six, Grade::Widened, Grade::Widened),
    ] {
        let changes = diff(before, after);
        brute::agree(&before.bundle, &after.bundle, &changes, 5);
        assert_eq!(harnessc::diff::grade(&changes), grade, "{changes:?}");
        assert_eq!(harnessc::diff::grade(&diff(after, before)), back);
    }
}

#[test]
fn the_order_of_what_is_a_set_says_nothing() {
    let order = |list: &str| compile(&edited(library(), &[(BOUNDS, "confirm: [librarian, head]", list)]));
    let (one, other) = (order("confirm: [librarian, head]"), order("confirm: [head, librarian]"));
    assert!(diff(&one, &other).is_empty());
}

#[test]
fn a_file_that_moves_changes_nothing() {
    let mut files = library();
    let text = files.remove(EVENING).unwrap();
    files.insert("harnesses/shifts/evening.yaml".to_owned(), text);
    let text = files.remove("tests/policy/lending.yaml").unwrap();
    files.insert("tests/policy/loans.yaml".to_owned(), text);
    let (before, after) = (compile(&library()), compile(&files));
    assert!(diff(&before, &after).is_empty());
    // Of two locks without their trees, the digests of the test files say the same.
    let side = |own: &'_ super::trees::Compiled| own.bundle.clone();
    let (old, new) = (side(&before), side(&after));
    let of = |bundle| harnessc::diff::Side { bundle, beside: None };
    assert!(harnessc::diff::diff(of(&old), of(&new)).unwrap().is_empty());
}

#[test]
fn a_baseline_is_a_weaker_guard() {
    let before = compile(&library());
    let mut lock = before.bundle.lock().clone();
    lock.baseline =
        Some(harnessc_runtime::lock::Baseline { digest: format!("sha256:{}", "0".repeat(64)), findings: 2 });
    let after = under(&lock, &before);
    let changes = diff(&before, &after);
    assert_eq!(harnessc::diff::grade(&changes), Grade::Widened);
    assert!(page(changes).contains("guard: baseline: unstated -> 2 findings set aside"));
    assert_eq!(harnessc::diff::grade(&diff(&after, &before)), Grade::Narrowed);
    // Another one may set aside anything.
    lock.baseline.as_mut().unwrap().findings = 1;
    assert_eq!(harnessc::diff::grade(&diff(&after, &under(&lock, &before))), Grade::Widened);
}

#[test]
fn what_nobody_can_tell_counts_as_widened() {
    let pattern = |pattern: &str| -> super::trees::Files {
        let mut files = library();
        let text = files[PEOPLE].replace("^B-[0-9]{1,6}$", pattern);
        files.insert(PEOPLE.to_owned(), text);
        files
    };
    // Both accept the same; that they do is beyond a look at their structure.
    let changes = diff(&compile(&library()), &compile(&pattern("^B-[0-9][0-9]{0,5}$")));
    assert_eq!(harnessc::diff::grade(&changes), Grade::Widened);
    let page = page(changes);
    assert!(page.contains("cannot tell whether it accepts more") && !page.contains("shown by"), "{page}");
}

#[test]
fn a_section_that_is_absent_grants_the_most() {
    let mut files = library();
    let people = files[PEOPLE].clone();
    let without = |from: &str, to: &str, text: &str| {
        let (start, end) = (text.find(from).unwrap(), text.find(to).unwrap());
        format!("{}{}", &text[..start], &text[end..])
    };
    files.insert(PEOPLE.to_owned(), without("surfaces:\n", "skills:\n", &people));
    let text = files[BOOKS].replace("    surfaces: [counter]\n", "");
    files.insert(BOOKS.to_owned(), text);
    let text = files[BOUNDS].clone();
    files.insert(BOUNDS.to_owned(), without("limits:\n", "engines: {", &text));
    let (before, after) = (compile(&library()), compile(&files));
    let changes = diff(&before, &after);
    brute::agree(&before.bundle, &after.bundle, &changes, 3);
    assert_eq!(harnessc::diff::grade(&changes), Grade::Widened);
    let fields: Vec<&str> = changes
        .iter()
        .filter(|change| change.grade == Grade::Widened)
        .filter_map(|change| change.field.as_deref())
        .collect();
    assert!(
        fields.contains(&"limits.run.cost_micro_usd") && fields.contains(&"limits.day.cost_micro_usd"),
        "{fields:?}"
    );
    assert!(changes.iter().any(|change| change.tool.is_some() && change.delta.wider));
}

/// The same tree's guards beside another lock.
fn under(lock: &harnessc_runtime::lock::Lock, own: &super::trees::Compiled) -> super::trees::Compiled {
    let trust = harnessc_runtime::load::Trust {
        allow_gap: false,
        environment: lock.policy.environment.clone(),
        policy: lock.policy.name.clone(),
        signers: harnessc_runtime::load::Signers::Unsigned,
    };
    let bytes = harnessc_runtime::lock::digest::write(lock).unwrap();
    let bundle = harnessc_runtime::Bundle::load(&bytes, &trust, None).unwrap();
    super::trees::Compiled { bundle, beside: own.beside.clone() }
}

#[test]
fn the_reports_of_a_few_pairs_read_well() {
    let base = compile(&library());
    for name in [
        "four_eyes_lost_within_a_reorder",
        "a_narrowing_moves",
        "the_target_is_let_go",
        "a_servers_schema_grew",
    ] {
        let Pair(_, edits, ..) = PAIRS.iter().find(|pair| pair.0 == name).unwrap();
        let after = compile(&edited(library(), edits));
        insta::assert_snapshot!(format!("pair_{name}"), page(diff(&base, &after)));
    }
}
