//! A forged lock for every invariant: consistent in form, its digest right, and refused by the proof that names it.

mod approvals;
mod servers;
mod texts;
mod tools;
mod work;

use crate::common::{bundle, raw, seal, small, trust};
use harnessc_runtime::load::{LoadError, load};
use harnessc_runtime::lock::{Cell, Effect, Level, Lock, Mention, Preview, digest_of};
use harnessc_runtime::prove::{self, Failure};

/// What refuses a change of the declared sets alone, and of the table with them.
fn refused(forge: impl Fn(&mut Lock)) -> (&'static str, String) {
    let mut lock = small();
    forge(&mut lock);
    let error = load(&seal(&lock), &trust(), None).expect_err("a forged lock is refused");
    assert_eq!(error.code(), "proof_failed", "{error}");
    let LoadError::Proof(Failure { proof, cell, .. }) = error else { panic!("a proof") };
    (proof, cell)
}

/// As [`refused`], the table recomputed to fit the forged sets.
fn refused_consistent(forge: impl Fn(&mut Lock)) -> (&'static str, String) {
    refused(|lock| {
        forge(lock);
        lock.effective = prove::table::effective(lock);
    })
}

fn cell<'a>(lock: &'a mut Lock, harness: &str, role: &str, deed: &str) -> &'a mut Cell {
    let cells = lock.effective.get_mut(harness).unwrap().get_mut(role).unwrap();
    cells.iter_mut().find(|cell| cell.deed == deed).unwrap()
}

fn mention(tool: &str) -> Mention {
    Mention { approval: None, case: None, only: [].into(), tool: tool.to_owned() }
}

fn hold(lock: &mut Lock, harness: &str, tool: &str) {
    let toolset = &mut lock.harnesses.get_mut(harness).unwrap().toolset;
    toolset.push(mention(tool));
    toolset.sort_by(|a, b| (&a.tool, &a.case).cmp(&(&b.tool, &b.case)));
}

fn part(lock: &mut Lock, name: &str, text: &str) {
    let part = lock.prompt.as_mut().unwrap().parts.get_mut(name).unwrap();
    text.clone_into(&mut part.text);
    part.digest = digest_of(text.as_bytes());
}

/// What a proof refuses loads where the author lowered the rule behind it.
fn loads_where_lowered(forge: impl Fn(&mut Lock), rule: &str) {
    let mut lock = small();
    forge(&mut lock);
    lock.rules.insert(rule.to_owned(), Level::Warn);
    lock.effective = prove::table::effective(&lock);
    bundle(&lock);
}

/// A waiver takes its rule from the definition it is about and from no other.
fn loads_where_waived(forge: impl Fn(&mut Lock), rule: &str, subject: &str) {
    let mut lock = small();
    forge(&mut lock);
    lock.effective = prove::table::effective(&lock);
    let mut waived = lock.waivers[0].clone();
    rule.clone_into(&mut waived.rule);
    "tools/other".clone_into(&mut waived.subject);
    lock.waivers = vec![waived];
    assert!(load(&seal(&lock), &trust(), None).is_err(), "{rule}: a waiver for another definition");
    subject.clone_into(&mut lock.waivers[0].subject);
    bundle(&lock);
}

fn at(proof: &'static str, cell: &str) -> (&'static str, String) {
    (proof, cell.to_owned())
}

#[test]
fn the_small_lock_breaks_nothing() {
    assert_eq!(prove::failures(&small()), []);
    bundle(&small());
}

#[test]
fn the_table_is_what_a_reader_would_work_out() {
    let lock = small();
    let row = |harness: &str, role: &str| -> Vec<String> {
        let cells = &lock.effective[harness][role];
        cells.iter().map(|cell| format!("{} {}", cell.deed, cell.approval.word())).collect()
    };
    assert_eq!(
        row("chemist", "console"),
        [
            "evidence.lint auto",
            "labels.edit/create auto",
            "labels.edit/update four_eyes",
            "memory.recall auto",
            "records.draft auto",
            "records.propose confirm",
            "records.search auto"
        ]
    );
    assert_eq!(row("chemist", "reader"), ["documents.fetch auto"]);
    assert_eq!(row("chemist", "review"), ["evidence.lint auto", "memory.recall auto", "records.search auto"]);
    assert_eq!(row("lead", "reader"), [""; 0]);
    assert_eq!(row("lead", "review"), ["memory.recall auto", "records.search auto", "tickets.list auto"]);
    assert_eq!(row("-", "console"), ["memory.recall auto", "records.search auto"]);
    let cells = &lock.effective["lead"]["console"];
    let approvers = |deed: &str| cells.iter().find(|cell| cell.deed == deed).unwrap().approvers.clone();
    assert_eq!(approvers("labels.edit/delete"), Some(vec!["lead".to_owned()]));
    assert_eq!(approvers("labels.edit/update"), Some(vec!["lead".to_owned(), "scientist".to_owned()]));
    assert_eq!(approvers("records.search"), None);
    assert_eq!(lock.effective["chemist"]["reader"][0].only["kind"], raw("{\"enum\": [\"report\"]}"));
}

#[test]
fn a_consistent_forgery_is_for_the_signature_alone() {
    let mut lock = small();
    let tool = lock.tools.get_mut("records.propose").unwrap();
    (tool.effect, tool.approval, tool.preview) = (Effect::Read, None, Preview::Input);
    lock.effective = prove::table::effective(&lock);
    bundle(&lock);
}
