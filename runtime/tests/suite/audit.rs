//! The chain: every change, swap, deletion, insertion and truncation is found, and the first broken number named (S12).

use std::collections::BTreeSet;

use harnessc_runtime::audit::{
    Broken, Chain, Datum, Event, Fact, Field, Head, Memory, Record, Store, StoreFault, Unrecorded, Why,
    append, open, read_line, record, recorded, verify, verify_lines,
};
use proptest::prelude::*;

const ORG: &str = "org-1";

/// A chain with an event of each kind of fact, and its head.
fn chain(length: u64) -> (Vec<Record>, Head) {
    let (first, mut head) = open(Chain::Trail, ORG, 10).unwrap();
    let mut records = vec![first];
    for at in 1..length {
        let event = Event::new("agent_run.harness_denied")
            .with(Field::Code, Datum::Word("harness_denied"))
            .with(Field::Estimated, Datum::Flag(at % 2 == 0))
            .with(Field::Input, Datum::Digest(harnessc_runtime::lock::digest_of(&at.to_le_bytes())))
            .with(Field::Run, Datum::Id(format!("run-{at}")))
            .with(Field::Category, Datum::Keys(vec!["desk:read".to_owned(), format!("s{at}")]))
            .with(Field::Step, Datum::Number(at));
        let (record, next) = append(&head, &event, 10 + at).unwrap();
        records.push(record);
        head = next;
    }
    (records, head)
}

fn check(records: &[Record], anchored: Option<&Head>) -> Result<Head, Broken> {
    verify(Chain::Trail, ORG, records, anchored)
}

fn lines(records: &[Record]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// Every record that differs from this one in a single field.
fn changed(record: &Record) -> Vec<Record> {
    let digest = harnessc_runtime::lock::digest_of(b"other");
    let with = |change: &dyn Fn(&mut Record)| {
        let mut changed = record.clone();
        change(&mut changed);
        changed
    };
    let mut all = vec![
        with(&|r| r.at_ms += 1),
        with(&|r| r.at_ms -= 1),
        with(&|r| r.event.push('x')),
        with(&|r| r.hash.clone_from(&digest)),
        with(&|r| r.organization.push('2')),
        with(&|r| r.prev.clone_from(&digest)),
        with(&|r| r.seq += 1),
        with(&|r| r.seq = 0),
        with(&|r| drop(r.fields.insert(Field::Tool, Fact::Text("records.search".to_owned())))),
    ];
    for (field, fact) in &record.fields {
        let other = match fact {
            Fact::Flag(flag) => Fact::Flag(!flag),
            Fact::List(keys) => Fact::List([&keys[..], &["z".to_owned()]].concat()),
            Fact::Number(number) => Fact::Number(number + 1),
            Fact::Text(text) => Fact::Text(format!("{text}x")),
        };
        all.push(with(&|r| drop(r.fields.insert(*field, other.clone()))));
        all.push(with(&|r| drop(r.fields.remove(field))));
    }
    all
}

/// Writes a record's hash anew, as somebody does who knows how.
fn rehashed(mut record: Record) -> Record {
    record.hash = record.computed_hash();
    record
}

#[test]
fn a_whole_chain_holds_and_may_have_grown_past_its_anchor() {
    let (records, head) = chain(6);
    assert_eq!(check(&records, Some(&head)), Ok(head.clone()));
    assert_eq!(check(&records, None), Ok(head.clone()));
    let (_, earlier) = chain(3);
    assert_eq!(check(&records, Some(&earlier)), Ok(head.clone()));
    assert_eq!(verify_lines(Chain::Trail, ORG, &lines(&records), Some(&head)), Ok(head));
}

#[test]
fn every_change_of_a_single_field_is_found_where_it_is() {
    let (records, head) = chain(6);
    for at in 0..records.len() {
        for record in changed(&records[at]) {
            let mut forged = records.clone();
            forged[at] = record;
            let broken = check(&forged, Some(&head)).unwrap_err();
            assert_eq!(broken.seq, at as u64 + 1, "{broken} {:?}", forged[at]);
            assert_eq!(check(&forged, None).unwrap_err(), broken);
            let broken = verify_lines(Chain::Trail, ORG, &lines(&forged), Some(&head)).unwrap_err();
            assert_eq!(broken.seq, at as u64 + 1);
        }
    }
}

#[test]
fn a_change_with_its_hash_written_anew_breaks_the_next_link_or_the_anchor() {
    let (records, head) = chain(6);
    for at in 0..records.len() {
        for record in changed(&records[at]) {
            let mut forged = records.clone();
            forged[at] = rehashed(record);
            if forged[at] == records[at] {
                continue;
            }
            let seq = check(&forged, Some(&head)).unwrap_err().seq;
            assert!((at as u64 + 1..=at as u64 + 2).contains(&seq), "{at} {seq}");
        }
    }
}

// THREATS: an administrator rewrites the chain. With every later record written anew it is whole in itself; the head that
// left the host is what shows it.
#[test]
fn a_chain_written_anew_throughout_is_found_by_its_anchor_alone() {
    let (records, head) = chain(6);
    let mut forged = records.clone();
    forged[2].fields.insert(Field::Run, Fact::Text("run-0".to_owned()));
    for at in 2..forged.len() {
        forged[at].prev = forged[at - 1].hash.clone();
        forged[at] = rehashed(forged[at].clone());
    }
    assert!(check(&forged, None).is_ok());
    assert_eq!(check(&forged, Some(&head)), Err(Broken { seq: 6, why: Why::Anchor }));
    let (_, earlier) = chain(3);
    assert_eq!(check(&forged, Some(&earlier)), Err(Broken { seq: 3, why: Why::Anchor }));
}

#[test]
fn swaps_deletions_and_insertions_are_found_where_they_begin() {
    let (records, head) = chain(6);
    for at in 0..records.len() {
        let seq = at as u64 + 1;
        let mut without = records.clone();
        without.remove(at);
        let why = if at + 1 == records.len() { Why::Missing } else { Why::Sequence };
        assert_eq!(check(&without, Some(&head)), Err(Broken { seq, why }));
        for other in 0..records.len() {
            let mut more = records.clone();
            more.insert(at, records[other].clone());
            assert_eq!(check(&more, Some(&head)).unwrap_err().seq, if other == at { seq + 1 } else { seq });
            if at < other {
                let mut swapped = records.clone();
                swapped.swap(at, other);
                assert_eq!(check(&swapped, Some(&head)), Err(Broken { seq, why: Why::Sequence }));
            }
        }
    }
    // A record put in with a fitting number, link and hash breaks the one behind it.
    let (extra, _) = append(&chain(3).1, &Event::new("run.started"), 99).unwrap();
    let mut more = records.clone();
    more.insert(3, extra);
    assert_eq!(check(&more, Some(&head)), Err(Broken { seq: 5, why: Why::Sequence }));
}

// Elsewhere a cut tail still verified (agent-bom #3697).
#[test]
fn a_cut_tail_is_found_by_its_anchor_and_an_empty_chain_without_one() {
    let (records, head) = chain(6);
    for length in 0..records.len() {
        let cut = &records[..length];
        assert_eq!(check(cut, Some(&head)), Err(Broken { seq: length as u64 + 1, why: Why::Missing }));
        assert_eq!(check(cut, None).is_ok(), length > 0);
    }
}

#[test]
fn a_chain_of_another_organization_or_kind_is_no_chain_of_this_one() {
    let (records, head) = chain(3);
    let other = verify(Chain::Trail, "org-2", &records, None).unwrap_err();
    assert_eq!(other, Broken { seq: 1, why: Why::Organization });
    let other = verify(Chain::Reasoning, ORG, &records, None).unwrap_err();
    assert_eq!(other, Broken { seq: 1, why: Why::Genesis });
    for anchor in [
        Head { organization: "org-2".to_owned(), ..head.clone() },
        Head { chain: Chain::Reasoning, ..head.clone() },
        Head { seq: 0, ..head.clone() },
        Head { at_ms: 0, ..head },
    ] {
        assert_eq!(check(&records, Some(&anchor)).unwrap_err().why, Why::Anchor);
    }
    // A first record that opens nothing.
    let before = Head {
        at_ms: 0,
        chain: Chain::Trail,
        hash: Chain::Trail.genesis(ORG),
        organization: ORG.into(),
        seq: 0,
    };
    let (first, _) = append(&before, &Event::new("run.started"), 5).unwrap();
    assert_eq!(check(&[first], None), Err(Broken { seq: 1, why: Why::Genesis }));
}

#[test]
fn every_byte_of_the_text_counts() {
    let (records, head) = chain(2);
    let text = lines(&records);
    let check = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).ok()?;
        verify_lines(Chain::Trail, ORG, &text, Some(&head)).ok()
    };
    assert!(check(text.clone().into_bytes()).is_some());
    for at in 0..text.len() {
        let mut without = text.clone().into_bytes();
        let byte = without.remove(at);
        assert_eq!(check(without), None, "byte {at} taken out");
        for other in [byte ^ 1, byte ^ 0x20, b' '] {
            let mut bytes = text.clone().into_bytes();
            bytes.insert(at, other);
            assert_eq!(check(bytes), None, "a byte put in at {at}");
            let mut bytes = text.clone().into_bytes();
            bytes[at] = other;
            assert!(other == byte || check(bytes).is_none(), "byte {at} changed");
        }
    }
    let twice = text.replace("\"seq\":1}", "\"seq\":1,\"seq\":1}");
    let broken = verify_lines(Chain::Trail, ORG, &twice, None).unwrap_err();
    assert_eq!(broken, Broken { seq: 1, why: Why::Unreadable });
}

#[test]
fn every_reason_has_a_code_of_its_own() {
    let codes: BTreeSet<&str> = Why::ALL.into_iter().map(Why::code).collect();
    assert_eq!(codes.len(), Why::ALL.len());
    let said = Broken { seq: 4, why: Why::Missing }.to_string();
    assert_eq!(said, "the chain breaks at seq 4: the chain ends before it: its tail was cut");
}

#[test]
fn a_line_is_read_back_as_what_was_written() {
    for record in chain(4).0 {
        assert_eq!(read_line(&record.line()), Some(record));
    }
    let line = chain(2).0[1].line();
    for other in [
        line.replace("\"code\":", "\"prompt\":"),
        line.replace("\"harness_denied\"", "\"two\\nlines\""),
        line.replace("\"step\":1", "\"step\":1.5"),
        line.replace("\"step\":1", "\"step\":null"),
        line.replace("\"step\":1", "\"step\":{\"a\":1}"),
        format!(" {line}"),
    ] {
        assert_ne!(other, line);
        assert_eq!(read_line(&other), None, "{other}");
    }
}

#[test]
fn what_is_not_recorded_does_not_happen() {
    let mut store = Memory::default();
    let event = [Event::new("action.started")];
    let mut done = 0;
    recorded(&mut store, ORG, &event, 5, || done += 1).unwrap();
    store.unavailable = true;
    let refused = recorded(&mut store, ORG, &event, 6, || done += 1).unwrap_err();
    assert_eq!((refused.code(), done), ("audit_unavailable", 1));
    store.unavailable = false;
    // The clock went back; a fact is none.
    recorded(&mut store, ORG, &event, 5_000, || done += 1).unwrap();
    assert_eq!(
        recorded(&mut store, ORG, &event, 3_999, || done += 1).unwrap_err().code(),
        "audit_clock_back"
    );
    // Another writer read the clock a moment later and was first: the record bears the later time.
    recorded(&mut store, ORG, &event, 4_000, || done += 1).unwrap();
    assert_eq!(store.records(Chain::Trail, ORG).last().unwrap().at_ms, 5_000);
    let prose = [event[0].clone(), Event::new("x").with(Field::Tool, Datum::Key("a\nb".to_owned()))];
    assert_eq!(recorded(&mut store, ORG, &prose, 5_007, || done += 1).unwrap_err().code(), "audit_unfit");
    assert_eq!((done, store.records(Chain::Trail, ORG).len()), (3, 4), "all stand or none");
    assert!(verify(Chain::Trail, ORG, store.records(Chain::Trail, ORG), None).is_ok());
    assert!(store.records(Chain::Trail, "org-2").is_empty());
}

/// A store to which another writer is always first.
struct Raced(Memory);

impl Store for Raced {
    fn head(&self, chain: Chain, organization: &str) -> Result<Option<Head>, StoreFault> {
        self.0.head(chain, organization)
    }

    fn append(
        &mut self,
        expected: Option<&Head>,
        chain: Chain,
        records: &[Record],
    ) -> Result<(), StoreFault> {
        record(&mut self.0, chain, ORG, &[Event::new("run.started")], 1).unwrap();
        self.0.append(expected, chain, records)
    }
}

#[test]
fn two_writers_never_take_one_number() {
    let mut store = Raced(Memory::default());
    let refused = record(&mut store, Chain::Trail, ORG, &[Event::new("run.ended")], 1).unwrap_err();
    assert_eq!(refused, Unrecorded::Store(StoreFault::Conflict));
    assert!(verify(Chain::Trail, ORG, store.0.records(Chain::Trail, ORG), None).is_ok());
}

fn events() -> impl Strategy<Value = Vec<(Event, u64)>> {
    let datum = prop_oneof![
        any::<bool>().prop_map(Datum::Flag),
        (0..1_u64 << 53).prop_map(Datum::Number),
        "[^\\p{Cc}]{1,40}".prop_map(Datum::Id),
        proptest::collection::vec("[ -~]{1,9}", 0..3).prop_map(Datum::Keys),
    ];
    let field = proptest::sample::select(Field::ALL.to_vec());
    let fields = proptest::collection::btree_map(field, datum, 0..5);
    let event = (fields, 0..50_u64).prop_map(|(fields, later)| {
        (Event { name: "run.step", fields: fields.into_iter().collect() }, later)
    });
    proptest::collection::vec(event, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_chain_holds_and_no_tampering_with_it_does(
        events in events(),
        at in any::<proptest::sample::Index>(),
        other in any::<proptest::sample::Index>(),
        pick in any::<proptest::sample::Index>(),
    ) {
        let (first, mut head) = open(Chain::Trail, ORG, 1).unwrap();
        let mut records = vec![first];
        for (event, later) in &events {
            let (record, next) = append(&head, event, head.at_ms + later).unwrap();
            records.push(record);
            head = next;
        }
        let text = lines(&records);
        prop_assert_eq!(verify_lines(Chain::Trail, ORG, &text, Some(&head)), Ok(head.clone()));
        let (at, other) = (at.index(records.len()), other.index(records.len()));
        let changes = changed(&records[at]);
        let mut forged = records.clone();
        forged[at] = changes[pick.index(changes.len())].clone();
        prop_assert_eq!(check(&forged, Some(&head)).unwrap_err().seq, at as u64 + 1);
        let mut without = records.clone();
        without.remove(at);
        prop_assert_eq!(check(&without, Some(&head)).unwrap_err().seq, at as u64 + 1);
        prop_assert!(check(&records[..at], Some(&head)).is_err());
        let mut more = records.clone();
        more.insert(at, records[other].clone());
        prop_assert!(check(&more, Some(&head)).is_err());
        if at != other {
            let mut swapped = records.clone();
            swapped.swap(at, other);
            prop_assert_eq!(check(&swapped, Some(&head)).unwrap_err().seq, at.min(other) as u64 + 1);
        }
    }
}

// THREATS: signed checkpoints leave the host.
#[cfg(feature = "sign")]
#[test]
fn a_checkpoint_counts_where_a_listed_key_signed_it_for_checkpoints() {
    use harnessc_runtime::audit::{Checkpoint, NAMESPACE, verify_checkpoint};
    use ssh_key::private::{Ed25519Keypair, KeypairData};
    use ssh_key::{HashAlg, LineEnding, PrivateKey};

    let key = PrivateKey::new(KeypairData::Ed25519(Ed25519Keypair::from_seed(&[7; 32])), "").unwrap();
    let allowed = format!("notary namespaces=\"{NAMESPACE}\" {}", key.public_key().to_openssh().unwrap());
    let (records, head) = chain(6);
    let checkpoint = Checkpoint::of(&head).unwrap();
    let statement = checkpoint.statement();
    let sign = |namespace: &str, bytes: &str| {
        let signature = key.sign(namespace, HashAlg::Sha512, bytes.as_bytes()).unwrap();
        signature.to_pem(LineEnding::LF).unwrap()
    };
    let good = sign(NAMESPACE, &statement);
    let (read, signer) = verify_checkpoint(statement.as_bytes(), &allowed, good.as_bytes()).unwrap();
    assert_eq!((read.head(), signer.principals.as_str()), (&head, "notary"));
    assert!(check(&records, Some(read.head())).is_ok());

    let other = sign("harness-lock", &statement);
    let refused = verify_checkpoint(statement.as_bytes(), &allowed, other.as_bytes()).unwrap_err();
    assert_eq!(refused.code(), "namespace_mismatch");
    let cut = Checkpoint::of(&chain(3).1).unwrap().statement();
    let refused = verify_checkpoint(cut.as_bytes(), &allowed, good.as_bytes()).unwrap_err();
    assert_eq!(refused.code(), "signature_invalid");
    let for_locks = allowed.replace(NAMESPACE, "harness-lock");
    let refused = verify_checkpoint(statement.as_bytes(), &for_locks, good.as_bytes()).unwrap_err();
    assert_eq!(refused.code(), "namespace_mismatch");
    let refused = verify_checkpoint(b"{}", &allowed, sign(NAMESPACE, "{}").as_bytes()).unwrap_err();
    assert_eq!(refused.code(), "checkpoint_unreadable");
}
