//! The trail as evidence: whatever happens, in whatever order, it tells the same as the ledger, and no payload.

use harnessc_runtime::actions::{Ended, Refusal, Says, Switch, reconstruct};
use harnessc_runtime::audit::{Chain, Datum, Event, Field, Memory, Record, read_line, record, verify_lines};
use proptest::prelude::*;

use super::{Desk, desk, id};

const PEOPLE: [&str; 5] = ["ada", "kim", "lee", "root", "sam"];
const ACTIONS: [&str; 3] = ["a1", "a2", "a3"];

fn act(desk: &mut Desk, what: u8, who: usize, which: usize) -> Result<(), Refusal> {
    let action = id(ACTIONS[which]);
    match what {
        0 => desk.take(desk.draft(ACTIONS[which], "records.propose", None)).map(|_| ()),
        1 => desk.take(desk.draft(ACTIONS[which], "labels.edit", Some("update"))).map(|_| ()),
        2..=4 => desk.yes(PEOPLE[who], &action).map(|_| ()),
        5 => desk.says(PEOPLE[who], Says::No, &action).map(|_| ()),
        6 | 7 => desk.run(&action).and_then(|(_, receipt)| {
            let ends = [Ended::Done { result: None }, Ended::Failed, Ended::Lost];
            desk.settle(&receipt, ends[who % 3].clone())
        }),
        8 => {
            desk.kill_switch = if who == 0 { Switch::On } else { Switch::Off };
            Ok(())
        }
        9 => {
            if let Some(standing) = desk.standing.get_mut(&action) {
                standing.preview.push('.');
            }
            Ok(())
        }
        10 => {
            if desk.standing.contains_key(&action) {
                let cell = desk.ledger().action(&action).unwrap().proposal().cell.clone();
                desk.raise(&action, &cell);
            }
            Ok(())
        }
        _ => {
            desk.now_ms += 100_000_000;
            let now = desk.now_ms;
            desk.keep(|ledger| ledger.sweep(now))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn the_trail_tells_what_the_ledger_holds(
        steps in proptest::collection::vec((0_u8..12, 0_usize..5, 0_usize..3), 1..40)
    ) {
        let mut desk = desk();
        for (what, who, which) in steps {
            // What is refused leaves its trace like what is not.
            let _ = act(&mut desk, what, who, which);
        }
        let stories = reconstruct(desk.store.trail()).unwrap();
        let ledger = desk.ledger();
        prop_assert_eq!(stories.len(), ledger.actions().count());
        for action in ledger.actions() {
            let story = &stories[action.id().as_str()];
            prop_assert_eq!(story.state, action.state());
            prop_assert_eq!(&story.digest, action.digest());
            let yeses: Vec<&str> = story.yeses.iter().map(String::as_str).collect();
            let held: Vec<&str> = ledger.said_yes(action.id()).iter().map(|p| p.as_str()).collect();
            prop_assert_eq!(yeses, held);
        }
        let told = format!("{:?}", desk.store.trail());
        prop_assert!(!told.contains("P-1") && !told.contains("before:"), "no payload in {}", told);
    }
}

#[test]
fn a_trail_that_does_not_follow_names_its_first_gap() {
    let event = |name| Event::new(name).with(Field::Action, Datum::Id("a1".to_owned()));
    assert_eq!(reconstruct(&[event("action.started")]).unwrap_err().what, "the proposal");
    let mut desk = desk();
    let action = desk.confirm("a1");
    let mut trail = desk.store.trail().to_vec();
    for (forged, what) in [
        ("action.approved", "everybody's yes"),
        ("action.rejected", "a no"),
        ("action.started", "a state that this can follow on"),
        ("action.consumed", "an approval that nobody had consumed"),
        ("action.executed", "a state that this can follow on"),
    ] {
        let mut forgery = trail.clone();
        forgery.push(event(forged));
        let gap = reconstruct(&forgery).unwrap_err();
        assert_eq!((gap.at, gap.what), (trail.len(), what));
    }
    desk.yes("sam", &action).unwrap();
    desk.done(&action);
    trail = desk.store.trail().to_vec();
    trail.push(event("action.consumed"));
    assert_eq!(reconstruct(&trail).unwrap_err().what, "an approval that nobody had consumed");
}

// APPROVALS 9: the stored chain alone tells it, read back from its lines years later.
#[test]
fn a_chain_that_was_read_back_tells_the_same_story() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    desk.yes("sam", &action).unwrap();
    desk.done(&action);
    let mut store = Memory::default();
    let head = record(&mut store, Chain::Trail, "org-1", desk.store.trail(), desk.now_ms).unwrap();
    let lines: String =
        store.records(Chain::Trail, "org-1").iter().map(|record| format!("{record}\n")).collect();
    assert!(verify_lines(Chain::Trail, "org-1", &lines, Some(&head)).is_ok());
    let read: Vec<Record> = lines.lines().map(|line| read_line(line).unwrap()).collect();
    let told = reconstruct(&read).unwrap();
    assert_eq!(told, reconstruct(desk.store.trail()).unwrap());
    assert_eq!((told.len(), told["a1"].consumed), (1, 1));
}
