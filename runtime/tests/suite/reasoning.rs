//! A model's reasoning (E10): apart, sealed, read by its own rule, `unavailable` where there is none.

use std::collections::BTreeSet;

use harnessc_runtime::audit::reasoning::{Declared, Given, Reading, Refused, Step, keep, read};
use harnessc_runtime::audit::{Chain, Datum, Field, Memory, record, verify};
use harnessc_runtime::lock::{Audit, ReasoningStore, digest_of};

use super::common::small;

const STEP: Step<'_> = Step { run: "run-1", step: 2 };

fn declared(encrypted: bool, retention_ms: Option<u64>) -> Declared {
    Declared { access: vec!["auditor".to_owned()], encrypted, retention_ms }
}

#[test]
fn the_lock_declares_the_store() {
    let mut lock = small();
    lock.audit = None;
    assert_eq!(Declared::of(&lock), None);
    lock.audit = Some(Audit { reasoning: Some("separate".to_owned()), ..Audit::default() });
    let plain = Declared { access: Vec::new(), encrypted: false, retention_ms: None };
    assert_eq!(Declared::of(&lock), Some(plain));
    let store = ReasoningStore { access: vec!["auditor".to_owned()], encrypted: true, retention_ms: Some(9) };
    lock.audit.as_mut().unwrap().reasoning_store = Some(store);
    assert_eq!(Declared::of(&lock), Some(declared(true, Some(9))));
}

#[test]
fn what_is_kept_is_sealed_where_the_lock_says_so_and_never_invented() {
    let keyed = digest_of(b"keyed");
    let sealed = declared(true, Some(100));
    let (event, kept) = keep(Some(&sealed), STEP, Given::Sealed(b"xyz"), &keyed, 7).unwrap();
    let kept = kept.unwrap();
    assert_eq!((event.name, kept.bytes(), kept.until_ms), ("reasoning.recorded", &b"xyz"[..], Some(107)));
    assert_eq!(event.fields.get(&Field::Bytes), Some(&Datum::Number(3)));
    assert!(!format!("{kept:?}").contains("xyz"));
    assert_eq!(keep(Some(&sealed), STEP, Given::Clear("xyz"), &keyed, 7), Err(Refused::Unsealed));
    assert_eq!(keep(None, STEP, Given::Sealed(b"xyz"), &keyed, 7), Err(Refused::Undeclared));
    for nothing in [Given::Unavailable, Given::Clear(""), Given::Sealed(b"")] {
        let (event, kept) = keep(Some(&sealed), STEP, nothing, &keyed, 7).unwrap();
        assert_eq!((event.name, kept), ("reasoning.unavailable", None));
        assert!(!event.fields.contains_key(&Field::Content));
    }
}

#[test]
fn only_those_whom_the_lock_names_read_and_only_in_time() {
    let (named, nobody) =
        (declared(true, Some(100)), Declared { access: Vec::new(), ..declared(true, None) });
    let reading = |personas| Reading { kept_ms: 50, personas, reader: "ana", running: true };
    for (declared, personas, now, refused) in [
        (Some(&named), &["auditor"][..], 149, None),
        (Some(&named), &["auditor"], 150, Some(Refused::Expired)),
        (Some(&named), &["auditor"], 49, Some(Refused::Expired)),
        (Some(&named), &["admin", "owner"], 60, Some(Refused::Access)),
        (Some(&nobody), &["auditor"], 60, Some(Refused::Access)),
        (None, &["auditor"], 60, Some(Refused::Undeclared)),
    ] {
        let (event, verdict) = read(declared, STEP, reading(personas), now);
        assert_eq!(verdict.err(), refused);
        let name = if refused.is_none() { "reasoning.read" } else { "reasoning.refused" };
        assert_eq!(event.name, name);
        assert_eq!(event.fields.get(&Field::Code), refused.map(|r| Datum::Word(r.code())).as_ref());
    }
    // Without a stated time it is kept no longer than its run.
    let run_long = declared(true, None);
    assert!(read(Some(&run_long), STEP, reading(&["auditor"]), u64::MAX).1.is_ok());
    let over = Reading { running: false, ..reading(&["auditor"]) };
    assert_eq!(read(Some(&run_long), STEP, over, 60).1, Err(Refused::Expired));
}

#[test]
fn it_has_a_chain_of_its_own() {
    let mut store = Memory::default();
    let (event, _) = keep(Some(&declared(true, None)), STEP, Given::Unavailable, "", 7).unwrap();
    let head = record(&mut store, Chain::Reasoning, "org-1", &[event], 7).unwrap();
    assert!(store.records(Chain::Trail, "org-1").is_empty());
    let records = store.records(Chain::Reasoning, "org-1");
    assert_eq!(verify(Chain::Reasoning, "org-1", records, Some(&head)), Ok(head.clone()));
    assert!(verify(Chain::Trail, "org-1", records, None).is_err());
    let codes: BTreeSet<&str> = Refused::ALL.into_iter().map(Refused::code).collect();
    assert_eq!(codes.len(), Refused::ALL.len());
}
