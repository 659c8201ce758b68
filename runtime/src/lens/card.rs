//! The scorecard: criteria in rows, lenses in columns, disagreements first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::Score;
use crate::lock::{Harness, LensReview, LensView, Lock};

/// The most lenses of one review.
pub const MAX_LENSES: usize = 4;
/// The sentence on every scorecard; `{role}` is the lens's role.
pub const PHRASE: &str = "A lens is not a review. Only a {role} reviews.";

const DISAGREE: &str = "Lenses disagree here";
const AGREE: &str = "Other criteria";
const BY_PROPOSER: &str = "Requested by the proposer";

/// Who asks for a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requester<'a> {
    /// A duty or any other schedule, which may not.
    Duty,
    /// A person.
    Person {
        /// The personas that the person holds.
        personas: &'a [&'a str],
        /// Whether the person proposed the record.
        is_proposer: bool,
    },
}

/// What is asked for: one record, through the lenses of a review of the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Review<'a> {
    /// The record's id.
    pub record: &'a str,
    /// The record's type, a key of `record_types`.
    pub record_type: &'a str,
    /// Who asks.
    pub requester: Requester<'a>,
    /// The review, a key of `lens_reviews`.
    pub review: &'a str,
}

macro_rules! errors {
    ($($(#[$doc:meta])* $kind:ident = $code:literal, $says:literal,)*) => {
        /// Why there is no scorecard, or why it stays where it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum LensError { $($(#[$doc])* $kind,)* }

        impl LensError {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The stable code.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Self::$kind => $code,)* }
            }
        }

        impl fmt::Display for LensError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$kind => $says,)* })
            }
        }
    };
}

errors! {
    /// A criterion of a lens's rubric states no evidence, so that no score of it could rest on any.
    NothingRequired = "lens_evidence", "a criterion of this review's rubrics does not state the evidence that it must rest on",
    /// The lock lays the scorecard out in another way than the one there is.
    OtherView = "lens_view", "the layout of lens reviews was changed: criteria in rows, lenses in columns, disagreements first",
    /// A gate reads the record, so a scorecard is not attached to it.
    GateRecord = "lens_gate_record", "a stage gate reads this record; a scorecard is no part of it",
    /// A check reads it.
    CheckInput = "lens_check_input", "checks read this record; a scorecard is no input of a check",
    /// Approvals carry it.
    Attachment = "lens_attachment", "approvals carry this record; a scorecard is not attached to an approval",
    /// The proposer's own decision record.
    OwnDecision = "lens_own_decision", "the proposer asked for this scorecard; it is not attached to the proposer's own decision record",
    /// A schedule asked.
    Scheduled = "lens_scheduled", "a lens review is asked for by a person, never by a duty",
    /// More lenses than one review has, or none.
    TooManyLenses = "lens_count", "a lens review has one to four lenses",
    /// Scores of a lens or criterion that the review does not have.
    UnknownColumn = "lens_unknown", "these scores belong to no lens or criterion of this review",
    /// The lock has no such review, harness or record type, or the review does not read such records.
    UnknownReview = "lens_review_unknown", "the policy has no such lens review of such a record",
    /// The lock's phrase is not the fixed one.
    WrongPhrase = "lens_phrase", "the fixed phrase of lens reviews was changed",
}

impl std::error::Error for LensError {}

/// A lens of the card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The heading: the role's title, and `(no <role> involved)` where the requester does not hold the role.
    pub heading: String,
    /// The harness.
    pub lens: String,
    /// The fixed phrase for this lens.
    pub phrase: String,
}

/// What one lens says of one criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The lens's rubric does not ask this.
    NotAsked,
    /// Its score. A criterion that was asked and not scored has no evidence.
    Scored(Score),
}

/// One criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// One cell for each column.
    pub cells: Vec<Cell>,
    /// The criterion.
    pub criterion: String,
}

impl Row {
    /// Whether two lenses that ask it say different things.
    #[must_use]
    pub fn is_disputed(&self) -> bool {
        let mut said = self.cells.iter().filter_map(|cell| match cell {
            Cell::NotAsked => None,
            Cell::Scored(score) => Some(score.level()),
        });
        said.next().is_some_and(|first| said.any(|other| other != first))
    }
}

/// A scorecard. It has no total, no best column and no conclusion, and nothing here computes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scorecard {
    pub(super) by_proposer: bool,
    pub(super) columns: Vec<Column>,
    pub(super) record: String,
    pub(super) rows: Vec<Row>,
}

/// Puts the lenses' scores side by side: lens → criterion → score. Each lens answers the rubric of its own harness.
pub fn review(
    lock: &Lock,
    asked: &Review<'_>,
    scores: &BTreeMap<String, BTreeMap<String, Score>>,
) -> Result<Scorecard, LensError> {
    let Requester::Person { personas, is_proposer } = asked.requester else {
        return Err(LensError::Scheduled);
    };
    let definition = defined(lock, asked)?;
    let lenses = definition.lenses.iter().map(|key| lock.harnesses.get_key_value(key));
    let lenses: Vec<(&String, &Harness)> = lenses.collect::<Option<_>>().ok_or(LensError::UnknownReview)?;
    let rubrics: Vec<BTreeSet<&str>> = lenses.iter().map(|(_, harness)| criteria(lock, harness)).collect();
    known(&lenses, &rubrics, scores)?;
    if !lenses.iter().all(|(_, harness)| states_evidence(lock, harness)) {
        return Err(LensError::NothingRequired);
    }
    let row = |criterion: &&str| {
        let cells = lenses.iter().zip(&rubrics).map(|((lens, _), rubric)| {
            if !rubric.contains(criterion) {
                return Cell::NotAsked;
            }
            let score = scores.get(*lens).and_then(|scores| scores.get(*criterion)).cloned();
            Cell::Scored(score.unwrap_or_else(|| Score::new("", &[], &BTreeSet::new())))
        });
        Row { cells: cells.collect(), criterion: (*criterion).to_owned() }
    };
    let criteria: BTreeSet<&str> = rubrics.iter().flatten().copied().collect();
    let mut rows: Vec<Row> = criteria.iter().map(row).collect();
    rows.sort_by_key(|row| !row.is_disputed());
    Ok(Scorecard {
        by_proposer: is_proposer,
        columns: lenses.iter().map(|(key, harness)| column(key, harness, personas)).collect(),
        record: asked.record.to_owned(),
        rows,
    })
}

fn defined<'l>(lock: &'l Lock, asked: &Review<'_>) -> Result<&'l LensReview, LensError> {
    let review = lock.lens_reviews.get(asked.review).ok_or(LensError::UnknownReview)?;
    let reads = review.records.is_empty() || review.records.iter().any(|kind| kind == asked.record_type);
    if !reads || !lock.record_types.contains_key(asked.record_type) {
        return Err(LensError::UnknownReview);
    }
    if !(1..=MAX_LENSES).contains(&review.lenses.len()) {
        return Err(LensError::TooManyLenses);
    }
    if !review.view.as_ref().is_none_or(is_laid_out) {
        return Err(LensError::OtherView);
    }
    if review.phrase == PHRASE { Ok(review) } else { Err(LensError::WrongPhrase) }
}

/// Whether a view is the card that [`Scorecard`] is. Another one would be believed in force and is not.
fn is_laid_out(view: &LensView) -> bool {
    let first = view.first.as_ref().is_none_or(|first| first == DISAGREE);
    view.rows == "criteria" && view.columns == "lenses" && first
}

/// Whether each criterion of a harness's rubric states what a score of it must cite.
fn states_evidence(lock: &Lock, harness: &Harness) -> bool {
    let rubric = harness.rubric_key.as_ref().and_then(|key| lock.rubrics.get(key));
    let mut criteria = rubric.iter().flat_map(|rubric| rubric.criteria.values());
    criteria.all(|criterion| !criterion.evidence_required.trim().is_empty())
}

fn criteria<'l>(lock: &'l Lock, harness: &Harness) -> BTreeSet<&'l str> {
    let rubric = harness.rubric_key.as_ref().and_then(|key| lock.rubrics.get(key));
    rubric.iter().flat_map(|rubric| rubric.criteria.keys()).map(String::as_str).collect()
}

/// Refuses scores that no cell shows: what a lens says outside its rubric is no part of the card.
fn known(
    lenses: &[(&String, &Harness)],
    rubrics: &[BTreeSet<&str>],
    scores: &BTreeMap<String, BTreeMap<String, Score>>,
) -> Result<(), LensError> {
    for (lens, scores) in scores {
        let rubric = lenses.iter().zip(rubrics).find(|((key, _), _)| *key == lens).map(|(_, rubric)| rubric);
        let rubric = rubric.ok_or(LensError::UnknownColumn)?;
        if scores.keys().any(|criterion| !rubric.contains(criterion.as_str())) {
            return Err(LensError::UnknownColumn);
        }
    }
    Ok(())
}

fn column(key: &str, harness: &Harness, personas: &[&str]) -> Column {
    let role = &harness.title;
    let held = harness.personas.iter().any(|persona| personas.contains(&persona.as_str()));
    Column {
        heading: if held { format!("{role} rubric") } else { format!("{role} rubric (no {role} involved)") },
        lens: key.to_owned(),
        phrase: PHRASE.replace("{role}", role),
    }
}

impl Scorecard {
    /// The lenses, in the policy's order.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The label of a card that the record's proposer asked for.
    #[must_use]
    pub fn label(&self) -> Option<&'static str> {
        self.by_proposer.then_some(BY_PROPOSER)
    }

    /// The record's id.
    #[must_use]
    pub fn record(&self) -> &str {
        &self.record
    }

    /// The criteria, the disputed ones first, each group by key.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}

/// The card as people read it.
impl fmt::Display for Scorecard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(label) = self.label() {
            writeln!(f, "{label}")?;
        }
        for column in &self.columns {
            writeln!(f, "{}", column.phrase)?;
        }
        for (heading, disputed) in [(DISAGREE, true), (AGREE, false)] {
            let mut rows = self.rows.iter().filter(|row| row.is_disputed() == disputed).peekable();
            if rows.peek().is_some() {
                writeln!(f, "\n{heading}")?;
            }
            rows.try_for_each(|row| self.line(f, row))?;
        }
        Ok(())
    }
}

impl Scorecard {
    fn line(&self, f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
        writeln!(f, "- {}", row.criterion)?;
        for (column, cell) in self.columns.iter().zip(&row.cells) {
            match cell {
                Cell::NotAsked => writeln!(f, "  {}: not asked", column.heading)?,
                Cell::Scored(score) if score.citations().is_empty() => {
                    let (level, kind) = (score.level().word(), score.kind().word());
                    writeln!(f, "  {}: {level} ({kind})", column.heading)?;
                }
                Cell::Scored(score) => {
                    let (level, cited) = (score.level().word(), score.citations().join(", "));
                    writeln!(f, "  {}: {level} ({cited})", column.heading)?;
                }
            }
        }
        Ok(())
    }
}
