//! The timeline of a run (E9): gap-free, seven kinds, and a failed write that changes nothing.

use harnessc_runtime::audit::{Datum, Event, Field};
use harnessc_runtime::lock::Audit;
use harnessc_runtime::lock::closed_words::TRACE_STAGES;
use harnessc_runtime::timeline::{Entry, Kind, Noted, Recorder, Sink, SinkFault, Warning, gap};

use super::common::small;

#[derive(Default)]
struct Kept {
    entries: Vec<Entry>,
    failing: bool,
    /// Writes, and says that it did not.
    lost_answer: bool,
}

impl Sink for Kept {
    fn append(&mut self, entry: &Entry) -> Result<(), SinkFault> {
        if self.failing {
            return Err(SinkFault::Unavailable);
        }
        let next = self.entries.last().map_or(1, |last| last.sequence_no + 1);
        if entry.sequence_no != next {
            return Err(SinkFault::Next(next));
        }
        self.entries.push(entry.clone());
        if self.lost_answer { Err(SinkFault::Unavailable) } else { Ok(()) }
    }
}

fn event() -> Event {
    Event::new("tool.called").with(Field::Status, Datum::Word("ok"))
}

#[test]
fn the_kinds_are_the_seven_that_a_policy_can_name() {
    let mut codes: Vec<&str> = Kind::ALL.into_iter().map(Kind::code).collect();
    let mut stages = TRACE_STAGES.to_vec();
    codes.sort_unstable();
    stages.sort_unstable();
    assert_eq!((codes, Kind::ALL.len()), (stages, 7));
}

#[test]
fn numbers_run_without_gaps_over_every_kind() {
    let (mut kept, mut recorder) = (Kept::default(), Recorder::new(&small(), "run-1"));
    for (at, kind) in Kind::ALL.into_iter().enumerate() {
        assert_eq!(recorder.note(&mut kept, kind, &event(), 5), Noted::Written(at as u64 + 1));
    }
    assert_eq!(gap(&kept.entries), None);
    assert!(kept.entries.iter().all(|entry| entry.run == "run-1"));
    kept.entries.remove(3);
    assert_eq!(gap(&kept.entries), Some(4));
    kept.entries.reverse();
    assert_eq!(gap(&kept.entries), Some(4));
}

#[test]
fn a_failed_write_warns_and_leaves_no_gap() {
    let (mut kept, mut recorder) = (Kept::default(), Recorder::new(&small(), "run-1"));
    recorder.note(&mut kept, Kind::Run, &event(), 5);
    kept.failing = true;
    let warning = Warning { code: "timeline_unavailable", kind: Kind::Tool, sequence_no: 2 };
    assert_eq!(recorder.note(&mut kept, Kind::Tool, &event(), 6), Noted::Warned(warning));
    kept.failing = false;
    assert_eq!(recorder.note(&mut kept, Kind::Tool, &event(), 7), Noted::Written(2));
    // A write whose answer was lost: the next one goes on behind it.
    kept.lost_answer = true;
    assert!(matches!(recorder.note(&mut kept, Kind::Agent, &event(), 8), Noted::Warned(_)));
    kept.lost_answer = false;
    assert_eq!(recorder.note(&mut kept, Kind::Agent, &event(), 9), Noted::Written(4));
    assert_eq!((gap(&kept.entries), recorder.warnings()), (None, 2));
}

#[test]
fn a_policy_names_the_kinds_and_cannot_silence_a_run() {
    let mut lock = small();
    lock.audit = Some(Audit { trace: vec!["TOOL".to_owned()], ..Audit::default() });
    let (mut kept, mut recorder) = (Kept::default(), Recorder::new(&lock, "run-1"));
    for kind in Kind::ALL {
        recorder.note(&mut kept, kind, &event(), 5);
    }
    let kinds: Vec<Kind> = kept.entries.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [Kind::Release, Kind::Run, Kind::Tool]);
    assert_eq!(recorder.note(&mut kept, Kind::Agent, &event(), 5), Noted::NotKept);
}

// E10: nothing that is no name enters, and the run does not stop for it.
#[test]
fn prose_is_no_detail() {
    let (mut kept, mut recorder) = (Kept::default(), Recorder::new(&small(), "run-1"));
    let prose = Event::new("tool.called").with(Field::Tool, Datum::Key("a thought,\nand another".to_owned()));
    let warning = Warning { code: "timeline_unfit", kind: Kind::Tool, sequence_no: 1 };
    assert_eq!(recorder.note(&mut kept, Kind::Tool, &prose, 5), Noted::Warned(warning));
    assert!(kept.entries.is_empty());
}
