//! `harnessc simulate` in a stranger's hands: a log of several hundred records with two locks, overlays, denials, approvals and
//! executions, and then everything that happens to files on their way.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use harnessc_runtime::Bundle;
use harnessc_runtime::audit::{Chain, Checkpoint, Datum, Event, Field, Memory, Store as _, record};
use harnessc_runtime::boundary::validate::JsonSchema;
use harnessc_runtime::boundary::{
    Boundary, Bounds, Call, Claims, Conditions, DeedNames, Ledger, Lifecycle, Locks, Mode, NameKey, Overlay,
    PlanState, RunState,
};
use harnessc_runtime::json::Json;
use harnessc_runtime::load::{Signers, Trust};
use harnessc_runtime::upstream::Upstreams;
use serde_json::Value;

use crate::cli_common::Scratch;

const NOW: u64 = 1_700_000_000_000;
const ADD: &str = r#"{"label":"urgent","method":"add","ticket_id":"T-1"}"#;
const DROP: &str = r#"{"label":"urgent","method":"drop","ticket_id":"T-1"}"#;
const SEARCH: &str = r#"{"kind":"bug","ticket_id":"T-1"}"#;
const CLOSE: &str = r#"{"reply":"Done.","ticket_id":"T-1"}"#;

/// Harness, persona, tool, input.
const CALLS: [(&str, &str, &str, &str); 6] = [
    ("triager", "agent", "tickets.search", SEARCH),
    ("triager", "agent", "tickets.label", ADD),
    ("triager", "agent", "tickets.label", DROP),
    ("closer", "lead", "tickets.close", CLOSE),
    ("closer", "lead", "tickets.read_mail", r#"{"ticket_id":"T-1"}"#),
    ("closer", "lead", "tickets.search", r#"{"kind":"odd","ticket_id":"T-1"}"#),
];

fn bundle(scratch: &Scratch, path: &str) -> Bundle {
    let trust = Trust {
        allow_gap: false,
        environment: Some("test".to_owned()),
        policy: "desk".to_owned(),
        signers: Signers::Unsigned,
    };
    Bundle::load(&scratch.read(path), &trust, None).unwrap()
}

/// `first.lock`, and `second.lock` under which less may be done.
fn locks(scratch: &Scratch) {
    assert_eq!(scratch.run(&["build", "-o", "first.lock"]).status.code(), Some(0));
    scratch.edit(
        "policies/people.yaml",
        "  review: {tools",
        "  audit: {tools: harness_toolset, effects: [read]}\n  review: {tools",
    );
    assert_eq!(scratch.run(&["build", "-o", "second.lock"]).status.code(), Some(0));
}

/// A log of a day: half of it under each lock, a part of it under an overlay, and after each proposal what came of it.
fn day(scratch: &Scratch, rounds: u64) -> Memory {
    let (first, second) = (bundle(scratch, "first.lock"), bundle(scratch, "second.lock"));
    let locks = [Locks::new(first.clone(), Arc::new(JsonSchema)), Locks::new(second, Arc::new(JsonSchema))];
    let mut store = Memory::default();
    let mut at = NOW;
    for round in 0..rounds {
        let locks = &locks[usize::from(round * 2 >= rounds)];
        let raised = r#"{"raised":{"tickets.label":"four_eyes"}}"#;
        let overlay = if round % 5 == 4 { raised } else { "{}" };
        if round % 5 == 4 {
            let changed = Event::new("overlay.changed").with(Field::Change, Datum::Word("raise"));
            record(&mut store, Chain::Trail, "org-1", &[changed], at).unwrap();
        }
        for asked in CALLS {
            at += 1;
            let event = decided(locks, asked, overlay, at);
            let is_proposed = event.name == "agent_run.tool_proposed";
            let mut events = vec![event];
            if is_proposed {
                let state = |name, word| Event::new(name).with(Field::State, Datum::Word(word));
                events.push(state("action.proposed", "proposed"));
                events.push(state("action.approved", "approved"));
                events.push(state("action.executed", "executed"));
            }
            record(&mut store, Chain::Trail, "org-1", &events, at).unwrap();
        }
    }
    store
}

fn decided(locks: &Locks, asked: (&str, &str, &str, &str), overlay: &str, at: u64) -> Event {
    let (harness, persona, tool, input) = asked;
    let names = &locks.in_force().lock().personas[persona].bundle;
    let permissions = DeedNames::of(names.iter().map(String::as_str), locks);
    let values = BTreeMap::from([("ticket_id".to_owned(), Json::parse(b"\"T-1\"").unwrap())]);
    let run = RunState {
        acting_user: "u-1",
        harness: Some(harness),
        id: "run-1",
        lifecycle: Lifecycle::begun(NOW),
        lock: locks.in_force().digest(),
        mode: Mode::Work,
        organization: "org-1",
        permissions: Ok(&permissions),
        personas: &[persona],
        plan: Ok(PlanState::None),
        requester: "u-1",
        role: "desk",
        values: &values,
    };
    let claims = Claims {
        audience: "server",
        harness: Some(harness),
        organization: "org-1",
        role: "desk",
        run: "run-1",
        scopes: &[],
    };
    let overlay = Overlay::parse(overlay.as_bytes()).unwrap();
    let conditions = Conditions {
        high_water_ms: NOW,
        kill_switch: Ok(false),
        now_ms: Ok(at),
        overlay: Ok(&overlay),
        upstreams: Upstreams::UNSEEN,
    };
    let boundary =
        Boundary { audience: "server", bounds: Bounds::default(), key: &NameKey::new([7; 32]), locks };
    let call = Call { input: input.as_bytes(), surface: None, tool };
    boundary.check(Ok(Some(&run)), &claims, &call, &conditions, Ok(&mut Ledger::default())).event
}

fn text(store: &Memory) -> String {
    store.records(Chain::Trail, "org-1").iter().fold(String::new(), |mut lines, record| {
        writeln!(lines, "{record}").unwrap();
        lines
    })
}

/// The tree with `audit.jsonl` of 20 rounds, `first.lock` and `second.lock`.
fn logged() -> (Scratch, String) {
    let scratch = Scratch::small();
    locks(&scratch);
    let store = day(&scratch, 20);
    let lines = text(&store);
    assert!(lines.lines().count() > 220, "{}", lines.lines().count());
    scratch.write("audit.jsonl", &lines);
    let head = store.head(Chain::Trail, "org-1").unwrap().unwrap();
    scratch.write("checkpoint.json", &Checkpoint::of(&head).unwrap().statement());
    (scratch, lines)
}

fn simulated(scratch: &Scratch, lock: &str, more: &[&str]) -> String {
    scratch.transcript(&[&["simulate", "--audit", "audit.jsonl", lock][..], more].concat())
}

#[test]
fn what_happens_to_a_file_on_its_way_is_told() {
    let (scratch, lines) = logged();
    let all: Vec<&str> = lines.split_inclusive('\n').collect();
    let mut swapped = all.clone();
    swapped.swap(40, 41);
    let spaced = |line: &str| line.replacen(",\"event\"", ", \"event\"", 1);
    let later = |line: &str| line.replacen("\"fields\":{", "\"fields\":{\"zeta\":1,", 1);
    let with = |at: usize, line: String| {
        let mut lines: Vec<String> = all.iter().map(|line| (*line).to_owned()).collect();
        lines[at] = line;
        lines.concat()
    };
    let mut said = String::new();
    for (what, log) in [
        ("cut in the middle of a record", lines[..lines.len() - 100].to_owned()),
        ("a line edited", lines.replacen("\"verdict\":\"deny\"", "\"verdict\":\"allow\"", 1)),
        ("two lines swapped", swapped.concat()),
        (
            "a line left out",
            all.iter().enumerate().filter(|(at, _)| *at != 40).map(|(_, line)| *line).collect(),
        ),
        ("without its beginning", all[40..].concat()),
        ("with CR LF", lines.replace('\n', "\r\n")),
        ("another organization's line", with(40, all[40].replace("org-1", "org-2"))),
        ("with another spacing", with(40, spaced(all[40]))),
        ("a fact of a later version", with(40, later(all[40]))),
        ("no JSON within", with(40, "oops\n".to_owned())),
        ("no log at all", "a,b,c\n1,2,3\n".to_owned()),
        ("another kind of JSON", "{\"level\":\"info\"}\n".to_owned()),
        ("empty", String::new()),
    ] {
        scratch.write("audit.jsonl", &log);
        writeln!(said, "# {what}\n{}", simulated(&scratch, "second.lock", &[])).unwrap();
        let json = scratch.run(&["simulate", "--audit", "audit.jsonl", "second.lock", "--format", "json"]);
        let report: Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!((json.status.code(), &report["audit"]["whole"]), (Some(1), &Value::from(false)), "{what}");
        let short = scratch.run(&["simulate", "--audit", "audit.jsonl", "second.lock", "--format", "short"]);
        assert_eq!((short.status.code(), short.stdout.len()), (Some(1), 0), "{what}");
    }
    insta::assert_snapshot!("strange_files", said);
}

#[test]
fn a_head_that_does_not_fit_is_told() {
    let (scratch, lines) = logged();
    let cut: String = lines.split_inclusive('\n').take(100).collect();
    let mut said = String::new();
    let anchored = ["--checkpoint", "checkpoint.json"];
    scratch.write("audit.jsonl", &cut);
    said += &simulated(&scratch, "second.lock", &anchored);
    scratch.write("audit.jsonl", &lines);
    let whole =
        scratch.run(&[&["simulate", "--audit", "audit.jsonl", "second.lock"][..], &anchored].concat());
    assert!(!String::from_utf8_lossy(&whole.stderr).contains("no checkpoint"));
    // The same calls, written anew a moment later.
    let again = text(&day(&scratch, 20)).replace("org-1", "org-2");
    scratch.write("audit.jsonl", &again);
    said += &simulated(&scratch, "second.lock", &anchored);
    scratch.write("audit.jsonl", &text(&day(&scratch, 26)));
    said += &simulated(&scratch, "second.lock", &anchored);
    insta::assert_snapshot!("strange_heads", said);
}

/// Under either lock of that time nothing flips: what they differ in, nobody asked for.
#[test]
fn two_locks_and_an_overlay_flip_nothing_by_themselves() {
    let (scratch, _) = logged();
    for (lock, held) in [("first.lock", "second.lock"), ("second.lock", "first.lock")] {
        let said = simulated(&scratch, lock, &["--held", held]);
        // Whatever the overlay had its part in cannot be told.
        assert!(said.contains("of 120 decisions, none ends otherwise, "), "{said}");
        let alone = simulated(&scratch, lock, &[]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(alone.contains("60 decisions came about under the lock sha256:<digest>"), "{alone}");
    }
}

#[test]
fn a_lock_that_lacks_what_the_log_names_says_so() {
    let (scratch, _) = logged();
    // The closer is gone, and the role has another name.
    scratch.edit("harnesses/triager.yaml", "cases: [add]", "cases: [add, drop]");
    scratch.edit("harness.toml", "harnesses = 2", "harnesses = 1");
    std::fs::remove_file(scratch.at("harnesses/closer.yaml")).unwrap();
    std::fs::remove_file(scratch.at("prompts/v1/harness/closer.txt")).unwrap();
    let built = scratch.run(&["build", "-o", "third.lock"]);
    assert_eq!(built.status.code(), Some(0), "{}", String::from_utf8_lossy(&built.stderr));
    let mut said = simulated(&scratch, "third.lock", &["--held", "first.lock", "--held", "second.lock"]);
    said += &simulated(&scratch, "third.lock", &["--format", "short"]);
    insta::assert_snapshot!("lacking", said);
    // The lock of another policy altogether.
    for path in ["tools/tickets.yaml", "policies/people.yaml", "harnesses/triager.yaml"] {
        let text = String::from_utf8(scratch.read(path)).unwrap();
        scratch.write(path, &text.replace("tickets.", "cases."));
    }
    assert_eq!(scratch.run(&["build", "-o", "fourth.lock"]).status.code(), Some(0));
    let said = simulated(&scratch, "fourth.lock", &[]);
    assert!(said.contains("`fourth.lock` has none of the tools that the log names"), "{said}");
}

/// A quarter of a minute in a debug build: `cargo test -- --ignored` where it is of interest.
#[test]
#[ignore = "slow in a debug build"]
fn a_hundred_thousand_records_are_decided_again() {
    let scratch = Scratch::small();
    locks(&scratch);
    let lines = text(&day(&scratch, 8_400));
    assert!(lines.lines().count() > 100_000, "{}", lines.lines().count());
    scratch.write("audit.jsonl", &lines);
    let said = simulated(&scratch, "second.lock", &["--held", "first.lock"]);
    assert!(said.contains("none ends otherwise"), "{said}");
}
