//! What a record of the chain costs: appending it, verifying it, reading it back from its line.
//!
//! `cargo bench -p harnessc-runtime --bench audit`

#![expect(clippy::expect_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use divan::Bencher;
use divan::counter::ItemsCount;
use harnessc_runtime::audit::{
    Chain, Datum, Event, Field, Head, Record, append, open, read_line, verify, verify_lines,
};
use harnessc_runtime::lock::digest_of;

const RECORDS: u64 = 1_000;

/// A denial as the boundary tells it.
fn event(at: u64) -> Event {
    Event::new("agent_run.harness_denied")
        .with(Field::ActingUser, Datum::Id("person-4711".to_owned()))
        .with(Field::Code, Datum::Word("harness_denied"))
        .with(Field::Gate, Datum::Word("harness"))
        .with(Field::Harness, Datum::Key("medicinal_chemist".to_owned()))
        .with(Field::Input, Datum::Digest(digest_of(&at.to_le_bytes())))
        .with(Field::Lock, Datum::Digest(digest_of(b"lock")))
        .with(Field::Personas, Datum::Keys(vec!["scientist".to_owned()]))
        .with(Field::Role, Datum::Key("console".to_owned()))
        .with(Field::Run, Datum::Id(format!("run-{at}")))
        .with(Field::Step, Datum::Number(at))
        .with(Field::Tool, Datum::Key("records.search".to_owned()))
}

fn chain() -> (Vec<Record>, Head) {
    let (first, mut head) = open(Chain::Trail, "org-1", 1).expect("it opens");
    let mut records = vec![first];
    for at in 1..RECORDS {
        let (record, next) = append(&head, &event(at), at).expect("it fits");
        records.push(record);
        head = next;
    }
    (records, head)
}

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 1000, sample_size = 32)]
fn append_one(bencher: Bencher<'_, '_>) {
    let (_, head) = chain();
    let told = event(RECORDS);
    bencher.bench_local(|| append(&head, &told, RECORDS));
}

#[divan::bench(sample_count = 1000, sample_size = 32)]
fn read_one_line(bencher: Bencher<'_, '_>) {
    let line = chain().0.last().expect("it is not empty").line();
    bencher.bench_local(|| read_line(&line));
}

#[divan::bench]
fn verify_a_thousand(bencher: Bencher<'_, '_>) {
    let (records, head) = chain();
    bencher
        .counter(ItemsCount::new(RECORDS))
        .bench_local(|| verify(Chain::Trail, "org-1", &records, Some(&head)));
}

#[divan::bench]
fn verify_a_thousand_lines(bencher: Bencher<'_, '_>) {
    let (records, head) = chain();
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    bencher
        .counter(ItemsCount::new(RECORDS))
        .bench_local(|| verify_lines(Chain::Trail, "org-1", &lines, Some(&head)));
}
