//! `build --sign` and `verify --allowed-signers`: each takes what the stock tool made, and the other way round.

use std::process::Output;

use crate::cli_common::Scratch;
use crate::keys::{Key, ssh_keygen};

/// The small tree with a key and a list that names it.
fn desk() -> Scratch {
    let scratch = Scratch::small();
    scratch.write("key", &Key::of(1).file());
    scratch.write("signers", &Key::of(1).listed(""));
    scratch
}

fn signed() -> Scratch {
    let scratch = desk();
    assert_eq!(scratch.run(&["build", "--sign", "key"]).status.code(), Some(0));
    scratch
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

const VERIFY: &[&str] = &["verify", "harness.lock", "--allowed-signers", "signers"];

/// The code of the check that fails.
fn refused(scratch: &Scratch, arguments: &[&str]) -> String {
    let output = scratch.run(&[arguments, &["--format", "json"]].concat());
    assert_eq!(code(&output), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["signed"], false);
    let checks = report["checks"].as_array().unwrap();
    let failed: Vec<_> = checks.iter().filter(|check| check["holds"] == false).collect();
    assert_eq!((failed.len(), &failed[0]["name"]), (1, &"signature".into()));
    failed[0]["code"].as_str().unwrap().to_owned()
}

#[test]
fn a_lock_is_signed_and_verified() {
    let scratch = desk();
    insta::assert_snapshot!("built", scratch.transcript(&["build", "--sign", "key"]));
    insta::assert_snapshot!("verified", scratch.transcript(VERIFY));
    let short = scratch.run(&[VERIFY, &["--format", "short"]].concat());
    assert!(String::from_utf8(short.stdout).unwrap().contains("\nsigned lead@desk (SHA256:"));
    let output = scratch.run(&[VERIFY, &["--format", "json"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["signed"], &report["signer"]["principals"]), (&true.into(), &"lead@desk".into()));
    // The same bytes again: signing anew changes nothing.
    let before = scratch.read("harness.lock.sig");
    let output = scratch.run(&["build", "--sign", "key", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["status"], &report["signature"]), (&"unchanged".into(), &"harness.lock.sig".into()));
    assert_eq!(scratch.read("harness.lock.sig"), before);
}

#[test]
fn what_does_not_verify_is_named() {
    let scratch = signed();
    insta::assert_snapshot!("stranger", {
        scratch.write("signers", &Key::of(2).listed(""));
        scratch.transcript(VERIFY)
    });
    assert_eq!(refused(&scratch, VERIFY), "signer_unknown");
    scratch.write("signers", &Key::of(1).listed("namespaces=\"git\" "));
    assert_eq!(refused(&scratch, VERIFY), "namespace_mismatch");
    scratch.write("signers", "lead@desk\n");
    assert_eq!(refused(&scratch, VERIFY), "bad_signers");
    scratch.write("signers", &Key::of(1).listed(""));
    scratch.write("harness.lock.sig", "no signature\n");
    assert_eq!(refused(&scratch, VERIFY), "signature_invalid");
    std::fs::remove_file(scratch.at("harness.lock.sig")).unwrap();
    assert_eq!(refused(&scratch, VERIFY), "unsigned");
    assert_eq!(code(&scratch.run(&["verify", "harness.lock", "--allowed-signers", "nowhere"])), Some(2));
}

#[test]
fn a_signature_of_an_earlier_lock_is_spoken_of_and_refused() {
    let scratch = signed();
    scratch.edit("harnesses/closer.yaml", "Ticket closer", "Closer of tickets");
    insta::assert_snapshot!("outdated", scratch.transcript(&["build"]));
    assert_eq!(refused(&scratch, VERIFY), "signature_invalid");
    assert_eq!(code(&scratch.run(&["build", "--sign", "key"])), Some(0));
    assert_eq!(code(&scratch.run(VERIFY)), Some(0));
}

#[test]
fn a_key_that_cannot_sign_leaves_nothing_behind() {
    let scratch = desk();
    scratch.write("key.pub", Key::of(1).listed("").trim_start_matches("lead@desk "));
    scratch.write("pem", "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
    insta::assert_snapshot!("public", scratch.transcript(&["build", "--sign", "key.pub"]));
    insta::assert_snapshot!("old_format", scratch.transcript(&["build", "--sign", "pem"]));
    assert_eq!(code(&scratch.run(&["build", "--sign", "nowhere"])), Some(2));
    assert_eq!(code(&scratch.run(&["build", "--sign", "key", "--locked"])), Some(2));
    if ssh_keygen(scratch.path(), &["-q", "-t", "ed25519", "-N", "secret", "-C", "", "-f", "locked"], None)
        .is_some()
    {
        insta::assert_snapshot!("passphrase", scratch.transcript(&["build", "--sign", "locked"]));
    }
    assert!(!scratch.at("harness.lock").exists() && !scratch.at("harness.lock.sig").exists());
}

#[test]
fn the_stock_tool_takes_our_signatures_and_we_take_its() {
    for kind in [&["ed25519"][..], &["ecdsa", "-b", "256"], &["ecdsa", "-b", "384"], &["rsa", "-b", "2048"]] {
        let scratch = Scratch::small();
        let folder = scratch.path();
        let made = [&["-q", "-N", "", "-C", "a comment", "-f", "key", "-t"], kind].concat();
        let Some(made) = ssh_keygen(folder, &made, None) else { return };
        assert!(made.status.success(), "{kind:?}");
        let public = String::from_utf8(scratch.read("key.pub")).unwrap();
        scratch.write("signers", &format!("lead@desk namespaces=\"harness-lock\" {public}"));

        let built = scratch.run(&["build", "--sign", "key"]);
        let verify = [
            "-Y",
            "verify",
            "-n",
            "harness-lock",
            "-f",
            "signers",
            "-I",
            "lead@desk",
            "-s",
            "harness.lock.sig",
        ];
        if kind[0] == "rsa" {
            // Read, and not made here.
            assert_eq!((code(&built), scratch.at("harness.lock").exists()), (Some(2), false));
            assert_eq!(code(&scratch.run(&["build"])), Some(0));
        } else {
            assert_eq!(code(&built), Some(0), "{kind:?}");
            let output = ssh_keygen(folder, &verify, Some("harness.lock")).unwrap();
            assert!(output.status.success(), "{kind:?}: {}", String::from_utf8_lossy(&output.stderr));
            std::fs::remove_file(scratch.at("harness.lock.sig")).unwrap();
        }

        let sign = ["-q", "-Y", "sign", "-n", "harness-lock", "-f", "key", "harness.lock"];
        assert!(ssh_keygen(folder, &sign, None).unwrap().status.success(), "{kind:?}");
        assert_eq!(code(&scratch.run(VERIFY)), Some(0), "{kind:?}");

        // Made for something else, it is none of a lock, for either.
        std::fs::remove_file(scratch.at("harness.lock.sig")).unwrap();
        let sign = ["-q", "-Y", "sign", "-n", "git", "-f", "key", "harness.lock"];
        assert!(ssh_keygen(folder, &sign, None).unwrap().status.success(), "{kind:?}");
        assert!(!ssh_keygen(folder, &verify, Some("harness.lock")).unwrap().status.success(), "{kind:?}");
        assert_eq!(refused(&scratch, VERIFY), "namespace_mismatch", "{kind:?}");
    }
}
