//! `harnessc verify`: a lock of ours holds, a forged one is named by what catches it.

use crate::cli_common::Scratch;

use harnessc_runtime::load;
use harnessc_runtime::lock::{Approval, Lock, digest};

fn built() -> Scratch {
    let scratch = Scratch::small();
    assert_eq!(scratch.run(&["build"]).status.code(), Some(0));
    scratch
}

/// The lock with a change, its digest made to fit.
fn forge(scratch: &Scratch, change: impl FnOnce(&mut Lock)) {
    let mut lock = load::read(&scratch.read("harness.lock")).unwrap().lock;
    change(&mut lock);
    std::fs::write(scratch.at("forged.lock"), digest::write(&lock).unwrap()).unwrap();
}

#[test]
fn every_check_that_holds_is_said() {
    let scratch = built();
    insta::assert_snapshot!(scratch.transcript(&[
        "verify",
        "harness.lock",
        "--policy",
        "desk",
        "--environment",
        "test"
    ]));
}

#[test]
fn a_signature_that_nobody_expects_is_not_spoken_of() {
    let scratch = built();
    assert!(!scratch.run(&["verify", "harness.lock"]).stderr.is_empty());
    assert!(scratch.run(&["verify", "harness.lock", "--allow-unsigned"]).stderr.is_empty());
}

// As the verbs over a tree do: from a folder within it, too.
#[test]
fn without_a_name_it_is_the_lock_beside_the_manifest() {
    let scratch = built();
    let named = scratch.run(&["verify", "harness.lock", "--format", "short"]);
    let unnamed = scratch.run(&["verify", "--format", "short"]);
    assert_eq!((named.status.code(), &named.stdout), (Some(0), &unnamed.stdout));
    let json = scratch.run(&["verify", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["lock"], "harness.lock");
    std::fs::remove_file(scratch.at("harness.lock")).unwrap();
    assert_eq!(scratch.run(&["verify"]).status.code(), Some(2));
    assert_eq!(Scratch::empty().run(&["verify"]).status.code(), Some(2));
}

#[test]
fn another_policy_or_environment_does_not_verify() {
    let scratch = built();
    for (flag, name) in [("--policy", "office"), ("--environment", "production")] {
        let output = scratch.run(&["verify", "harness.lock", flag, name, "--format", "short"]);
        assert_eq!(output.status.code(), Some(1));
        let check = flag.trim_start_matches('-');
        assert!(String::from_utf8(output.stdout).unwrap().contains(&format!("\nfailed {check}: ")));
    }
}

#[test]
fn a_forged_cell_is_named() {
    let scratch = built();
    forge(&scratch, |lock| {
        let cells = lock.effective.get_mut("closer").unwrap().get_mut("desk").unwrap();
        cells.iter_mut().find(|cell| cell.deed == "tickets.close").unwrap().approval = Approval::Auto;
    });
    insta::assert_snapshot!("cell", scratch.transcript(&["verify", "forged.lock"]));
    let output = scratch.run(&["verify", "forged.lock", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let failed = report["checks"].as_array().unwrap().iter().find(|check| check["holds"] == false).unwrap();
    assert_eq!((&report["holds"], &failed["cell"]), (&false.into(), &"closer/desk/tickets.close".into()));
}

#[test]
fn a_changed_byte_is_named_by_line_1() {
    let scratch = built();
    let lock = String::from_utf8(scratch.read("harness.lock")).unwrap();
    scratch.write("forged.lock", &lock.replacen("confirm", "conform", 1));
    insta::assert_snapshot!("byte", scratch.transcript(&["verify", "forged.lock"]));
    scratch.write("forged.lock", "{}\n");
    insta::assert_snapshot!("no_lock", scratch.transcript(&["verify", "forged.lock", "--format", "json"]));
}

#[test]
fn a_lock_that_is_not_there_is_a_fault() {
    insta::assert_snapshot!(Scratch::empty().transcript(&["verify", "harness.lock"]));
}
