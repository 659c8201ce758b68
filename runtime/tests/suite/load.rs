//! What loads, and everything that does not.

use crate::common::{seal, small, trust};
use harnessc_runtime::Bundle;
use harnessc_runtime::load::{LoadError, Signers, load, read};
use harnessc_runtime::lock::{Lock, RawJson, digest};
use proptest::prelude::*;

fn code(bytes: &[u8]) -> &'static str {
    load(bytes, &trust(), None).map_or_else(|error| error.code(), |_| "loads")
}

/// The small lock's body with one change in its text, sealed again.
fn forged(from: &str, to: &str) -> Vec<u8> {
    let sealed = String::from_utf8(seal(&small())).unwrap();
    let body = format!("{{\n{}", sealed.split_once('\n').unwrap().1);
    assert!(body.contains(from), "the small lock holds {from}");
    digest::seal(&body.replacen(from, to, 1))
}

#[test]
fn the_small_lock_loads_and_is_written_as_it_was_read() {
    let bytes = seal(&small());
    let loaded = load(&bytes, &trust(), None).unwrap();
    assert_eq!(loaded.lock, small());
    assert_eq!(seal(&loaded.lock), bytes);
    assert!(bytes.starts_with(b"{\"digest\":\"sha256:"));
    assert!(!bytes.contains(&b'\r') && bytes.ends_with(b"\n}\n"));
}

#[test]
fn every_section_is_written_with_sorted_keys() {
    // Every optional field filled in, so that the scanner's order check sees each struct whole.
    let full: Lock = serde_json::from_str(include_str!("common/full.json")).unwrap();
    let read = read(&seal(&full)).unwrap();
    assert_eq!(read.lock, full);
}

#[test]
fn raw_numbers_stay_as_written() {
    let mut lock = small();
    lock.run.insert("x".to_owned(), RawJson::new("{\"maximum\":1.50e1,\"a\":null}").unwrap());
    let loaded = load(&seal(&lock), &trust(), None).unwrap();
    assert_eq!(loaded.lock.run["x"].compact(), "{\"maximum\":1.50e1,\"a\":null}");
}

#[test]
fn each_kind_of_change_has_its_code() {
    assert_eq!(code(&seal(&small())), "loads");
    for (from, to, expected) in [
        ("\"revision\": 7", "\"revision\": 7,\n  \"revision\": 8", "duplicate_key"),
        ("\"type\": \"object\"", "\"type\": \"object\",\n        \"type\": \"array\"", "duplicate_key"),
        ("\"edition\": 1,", "\"environment\": 1,\n    \"edition\": 1,", "unsorted_key"),
        ("\"revision\": 7", "\"revisiom\": 7,\n  \"revision\": 7", "unknown_key"),
        ("\"edition\": 1,", "\"edition\": 1,\n    \"eg\": 1,", "unknown_key"),
        ("  \"revision\": 7,\n", "", "missing_key"),
        ("\"revision\": 7", "\"revision\": \"7\"", "wrong_type"),
        ("\"effect\": \"read\"", "\"effect\": \"reads\"", "wrong_type"),
        ("\"revision\": 7", "\"revision\": 7.0", "odd_number"),
        ("\"revision\": 7", "\"revision\": 9007199254740993", "integer_too_large"),
        ("\"maximum\": 50", "\"maximum\": 9007199254740993", "integer_too_large"),
        ("\"revision\": 7", "\"revision\": null", "null_value"),
        ("\"revision\": 7", "\"revision\":  7", "syntax"),
        ("\"Lead\"", "\"L\\u0065ad\"", "odd_string"),
        ("harness-lock/1", "harness-lock/2", "format_newer"),
        ("harness-lock/1", "other/1", "format_unknown"),
        ("\"environment\": \"test\"", "\"environment\": \"live\"", "environment_mismatch"),
        ("    \"environment\": \"test\",\n", "", "environment_mismatch"),
        ("\"name\": \"small\"", "\"name\": \"large\"", "policy_mismatch"),
    ] {
        assert_eq!(code(&forged(from, to)), expected, "{from} → {to}");
    }
}

#[test]
fn what_is_not_sealed_does_not_load() {
    let bytes = seal(&small());
    assert_eq!(code(b""), "bad_first_line");
    assert_eq!(code(b"{}"), "bad_first_line");
    let crlf = String::from_utf8(bytes.clone()).unwrap().replace('\n', "\r\n");
    assert_eq!(code(crlf.as_bytes()), "bad_first_line");
    let trailing = [bytes.as_slice(), b"\n"].concat();
    assert_eq!(code(&trailing), "digest_mismatch");
    let upper = String::from_utf8(bytes).unwrap().replacen("sha256:", "SHA256:", 1);
    assert_eq!(code(upper.as_bytes()), "bad_first_line");
}

#[test]
fn signatures_that_nobody_can_check_refuse() {
    let mut demanding = trust();
    demanding.signers = Signers::Listed { allowed: "lead ssh-ed25519 AAAA".to_owned(), signature: None };
    assert_eq!(load(&seal(&small()), &demanding, None).unwrap_err().code(), "unsigned");
}

#[test]
fn a_lock_never_goes_back_and_names_the_one_before() {
    let first = small();
    let held = Bundle::load(&seal(&first), &trust(), None).unwrap().held();
    let with = |revision, predecessor: Option<&str>, allow_gap| {
        let mut next = small();
        (next.revision, next.predecessor) = (revision, predecessor.map(str::to_owned));
        let mut trust = trust();
        trust.allow_gap = allow_gap;
        load(&seal(&next), &trust, Some(&held)).map_or_else(|error| error.code(), |_| "loads")
    };
    assert_eq!(load(&seal(&first), &trust(), Some(&held)).map(|loaded| loaded.lock.revision), Ok(7));
    assert_eq!(with(6, first.predecessor.as_deref(), true), "revision_lower");
    assert_eq!(with(7, None, true), "revision_fork");
    assert_eq!(with(8, Some(&held.digest), false), "loads");
    assert_eq!(with(8, first.predecessor.as_deref(), true), "predecessor_mismatch");
    assert_eq!(with(8, None, false), "predecessor_mismatch");
    assert_eq!(with(9, Some(&held.digest), false), "revision_gap");
    assert_eq!(with(9, None, true), "loads");
}

#[test]
fn messages_name_both_sides() {
    let error = load(&forged("harness-lock/1", "harness-lock/3"), &trust(), None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the lock's format is `harness-lock/3`, and this runtime reads `harness-lock/1`: use the runtime of the \
         version that wrote it"
    );
    let error = load(&forged("\"revision\": 7", "\"revisiom\": 7"), &trust(), None).unwrap_err();
    assert!(error.to_string().starts_with("line "), "{error}");
    assert!(error.to_string().contains("unknown field `revisiom`"), "{error}");
    let LoadError::Shape { line, .. } = error else { panic!("a shape error") };
    let bytes = forged("\"revision\": 7", "\"revisiom\": 7");
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.lines().nth(line - 1).unwrap().contains("revisiom"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]
    #[test]
    fn no_single_byte_is_free(at in any::<prop::sample::Index>(), change in 1_u8..=255) {
        let mut bytes = SMALL.with(Clone::clone);
        let at = at.index(bytes.len());
        bytes[at] ^= change;
        prop_assert!(load(&bytes, &trust(), None).is_err());
    }

    #[test]
    fn no_byte_can_be_left_out_or_put_in(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let bytes = SMALL.with(Clone::clone);
        let at = at.index(bytes.len());
        let mut shorter = bytes.clone();
        shorter.remove(at);
        prop_assert!(load(&shorter, &trust(), None).is_err());
        let mut longer = bytes;
        longer.insert(at, byte);
        prop_assert!(load(&longer, &trust(), None).is_err());
    }
}

thread_local! {
    static SMALL: Vec<u8> = seal(&small());
}
