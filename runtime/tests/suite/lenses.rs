//! Lens reviews: SYSTEMS C14, C16.

use std::collections::BTreeMap;

use harnessc_runtime::lens::{
    Cell, LensError, Level, Place, Requester, Review, Score, Scorecard, Stored, may_attach, reads, review,
};
use harnessc_runtime::lock::{LensView, Lock};

use crate::world::world;

type Scores = BTreeMap<String, BTreeMap<String, Score>>;

fn asked(is_proposer: bool) -> Review<'static> {
    let requester = Requester::Person { personas: &["scientist"], is_proposer };
    Review { record: "R-1", record_type: "summary", requester, review: "design" }
}

fn scores(said: &[(&str, &str, &str)]) -> Scores {
    let read = ["R-1".to_owned()].into();
    let mut scores = Scores::new();
    for (lens, criterion, word) in said {
        let score = Score::new(word, &["R-1"], &read);
        scores.entry((*lens).to_owned()).or_default().insert((*criterion).to_owned(), score);
    }
    scores
}

fn card(lock: &Lock, is_proposer: bool, said: &[(&str, &str, &str)]) -> Scorecard {
    review(lock, &asked(is_proposer), &scores(said)).unwrap()
}

const SAID: [(&str, &str, &str); 3] = [
    ("chemist", "potency", "strong"),
    ("toxicologist", "potency", "weak"),
    ("chemist", "purity", "moderate"),
];

#[test]
fn criteria_stand_in_rows_lenses_in_columns_and_disagreements_first() {
    assert_eq!(
        card(&world(), true, &SAID).to_string(),
        "Requested by the proposer\n\
         A lens is not a review. Only a Chemist reviews.\n\
         A lens is not a review. Only a Toxicologist reviews.\n\
         \n\
         Lenses disagree here\n\
         - potency\n\
         \x20 Chemist rubric: strong (R-1)\n\
         \x20 Toxicologist rubric (no Toxicologist involved): weak (R-1)\n\
         \n\
         Other criteria\n\
         - margin\n\
         \x20 Chemist rubric: not asked\n\
         \x20 Toxicologist rubric (no Toxicologist involved): no_evidence (assumption)\n\
         - purity\n\
         \x20 Chemist rubric: moderate (R-1)\n\
         \x20 Toxicologist rubric (no Toxicologist involved): not asked\n"
    );
    let agreed =
        card(&world(), false, &[("chemist", "potency", "weak"), ("toxicologist", "potency", "weak")]);
    assert!(!agreed.to_string().contains("disagree") && agreed.label().is_none());
}

#[test]
fn no_word_of_a_card_adds_up_ranks_or_concludes() {
    // Every combination of levels in the two lenses.
    let lock = world();
    for first in Level::ALL {
        for second in Level::ALL {
            let text = card(
                &lock,
                false,
                &[("chemist", "potency", first.word()), ("toxicologist", "potency", second.word())],
            )
            .to_string()
            .to_lowercase();
            for word in
                ["total", "average", "overall", "rank", "best", "worst", "pass", "fail", "verdict", "score"]
            {
                assert!(!text.contains(word), "{word}: {text}");
            }
            assert_eq!(text.contains("lenses disagree here"), first != second);
        }
    }
}

#[test]
fn what_is_not_scored_has_no_evidence_and_what_is_not_asked_is_no_score() {
    let card = card(&world(), false, &[]);
    assert_eq!(card.columns().len(), 2);
    for row in card.rows() {
        let scored = row.cells.iter().filter_map(|cell| match cell {
            Cell::Scored(score) => Some(score.level()),
            Cell::NotAsked => None,
        });
        assert!(scored.into_iter().all(|level| level == Level::NO_EVIDENCE));
        assert_eq!(row.cells.contains(&Cell::NotAsked), row.criterion != "potency");
    }
}

#[test]
fn whatever_is_not_a_review_of_the_policy_is_refused() {
    let lock = world();
    let refused = |lock: &Lock, asked: &Review<'_>| review(lock, asked, &Scores::new()).unwrap_err();
    let scheduled = Review { requester: Requester::Duty, ..asked(false) };
    assert_eq!(refused(&lock, &scheduled), LensError::Scheduled);
    for other in [
        Review { review: "none", ..asked(false) },
        Review { record_type: "decision", ..asked(false) },
        Review { record_type: "none", ..asked(false) },
    ] {
        assert_eq!(refused(&lock, &other), LensError::UnknownReview);
    }
    let mut other = world();
    other.lens_reviews.get_mut("design").unwrap().phrase = "A lens is a review.".to_owned();
    assert_eq!(refused(&other, &asked(false)), LensError::WrongPhrase);
    for (rows, columns, first, said) in [
        ("criteria", "lenses", Some("Lenses disagree here"), None),
        ("criteria", "lenses", None, None),
        ("lenses", "criteria", None, Some(LensError::OtherView)),
        ("criteria", "criteria", None, Some(LensError::OtherView)),
        ("criteria", "lenses", Some("Best first"), Some(LensError::OtherView)),
    ] {
        let mut other = world();
        let view =
            LensView { columns: columns.to_owned(), first: first.map(str::to_owned), rows: rows.to_owned() };
        other.lens_reviews.get_mut("design").unwrap().view = Some(view);
        assert_eq!(review(&other, &asked(false), &Scores::new()).err(), said, "{rows} {columns} {first:?}");
    }
    // A criterion that demands nothing lets any score stand.
    let mut other = world();
    let rubric = other.rubrics.values_mut().next().unwrap();
    rubric.criteria.values_mut().next().unwrap().evidence_required = " ".to_owned();
    assert_eq!(refused(&other, &asked(false)), LensError::NothingRequired);
    for count in [0, 5] {
        let mut other = world();
        other.lens_reviews.get_mut("design").unwrap().lenses = vec!["chemist".to_owned(); count];
        assert_eq!(refused(&other, &asked(false)), LensError::TooManyLenses);
    }
    for said in
        [("scientist", "potency", "weak"), ("chemist", "margin", "weak"), ("chemist", "approve", "weak")]
    {
        assert_eq!(review(&lock, &asked(false), &scores(&[said])).unwrap_err(), LensError::UnknownColumn);
    }
}

#[test]
fn a_card_is_attached_to_nothing_that_decides() {
    let lock = world();
    for is_proposer in [false, true] {
        let card = card(&lock, is_proposer, &SAID);
        for (record_type, is_requesters_decision, expected) in [
            ("summary", false, Ok(())),
            ("summary", true, if is_proposer { Err(LensError::OwnDecision) } else { Ok(()) }),
            ("decision", false, Err(LensError::GateRecord)),
            ("check", false, Err(LensError::CheckInput)),
            ("annex", false, Err(LensError::Attachment)),
            ("unknown", false, Err(LensError::GateRecord)),
        ] {
            let place = Place { is_requesters_decision, record_type };
            assert_eq!(may_attach(&lock, &card, place), expected, "{record_type}");
        }
    }
    assert_eq!(LensError::ALL.len(), 11);
}

#[test]
fn stored_numbers_tell_what_changed_since_and_nothing_else() {
    let lock = world();
    let stored = Stored::of(&card(&lock, false, &SAID));
    let text = serde_json::to_string(&stored).unwrap();
    assert_eq!(text, r#"{"chemist":{"potency":3,"purity":2},"toxicologist":{"margin":0,"potency":1}}"#);
    let read: Stored = serde_json::from_str(&text).unwrap();
    assert!(read.changed_since(&card(&lock, false, &SAID)).is_empty());
    let now = card(&lock, false, &[SAID[0], SAID[2], ("toxicologist", "potency", "strong")]);
    let changes = read.changed_since(&now);
    assert_eq!(changes.len(), 1);
    assert_eq!((changes[0].was, changes[0].now), (Some(Level::WEAK), Some(Level::STRONG)));
    assert!(serde_json::from_str::<Stored>(r#"{"a":{"b":4}}"#).is_err());
}

#[test]
fn a_lens_reads_what_its_harness_reads_and_the_review_names_and_changes_nothing() {
    let mut lock = world();
    // Of the chemist's nine deeds: no create, no write, nothing that is switched off.
    let all = ["documents.fetch", "evidence.lint", "memory.recall", "records.search"];
    assert_eq!(reads(&lock, "design", "chemist").unwrap(), all);
    assert_eq!(reads(&lock, "design", "toxicologist").unwrap(), ["memory.recall", "records.search"]);
    assert_eq!(reads(&lock, "design", "lead"), Err(LensError::UnknownColumn));
    assert_eq!(reads(&lock, "none", "chemist"), Err(LensError::UnknownReview));
    let tools = ["records.erase", "records.propose", "records.search"].map(str::to_owned).to_vec();
    lock.lens_reviews.get_mut("design").unwrap().tools = Some(tools);
    assert_eq!(reads(&lock, "design", "chemist").unwrap(), ["records.search"]);
}
