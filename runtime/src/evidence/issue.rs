//! What is wrong with a draft: a code and a place, and nothing of the draft itself.

/// What the guards find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IssueCode {
    /// The draft names another analysis than this run's.
    AnalysisId,
    /// It names a category that the triage did not find.
    Category,
    /// It is no draft: no JSON, an unknown, missing or duplicate member, a wrong type, too long.
    DraftSchema,
    /// A conclusion rests on one that does not stand before it.
    Dangling,
    /// The tool call that is cited did not end well, or its result was cut.
    EvidenceStatus,
    /// What is cited was in none of the states that the policy takes as ready.
    NotReady,
    /// The tool call that is cited belongs to another run.
    Ownership,
    /// The plan lacks a deed that its root cause requires.
    PlanIncomplete,
    /// The quote does not stand in what is cited.
    Quote,
    /// The reply addresses the reader in a way that the rules forbid.
    ReplyAddress,
    /// The reply is empty or too long.
    ReplyLength,
    /// The reply names another practice. Final: it is not corrected.
    ReplyOtherPractice,
    /// The root cause is none of the category's.
    RootCause,
    /// A conclusion cites nothing and rests on nothing.
    Uncited,
    /// What is cited is no tool call that is known.
    UnknownCitation,
    /// The judge says that the evidence does not carry it.
    Unsupported,
}

impl IssueCode {
    /// Every code.
    pub const ALL: [Self; 16] = [
        Self::AnalysisId,
        Self::Category,
        Self::DraftSchema,
        Self::Dangling,
        Self::EvidenceStatus,
        Self::NotReady,
        Self::Ownership,
        Self::PlanIncomplete,
        Self::Quote,
        Self::ReplyAddress,
        Self::ReplyLength,
        Self::ReplyOtherPractice,
        Self::RootCause,
        Self::Uncited,
        Self::UnknownCitation,
        Self::Unsupported,
    ];

    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::AnalysisId => "analysis_id",
            Self::Category => "category",
            Self::DraftSchema => "draft_schema",
            Self::Dangling => "dangling_reference",
            Self::EvidenceStatus => "evidence_status",
            Self::NotReady => "not_ready",
            Self::Ownership => "not_of_this_run",
            Self::PlanIncomplete => "plan_incomplete",
            Self::Quote => "quote_not_verbatim",
            Self::ReplyAddress => "reply_address",
            Self::ReplyLength => "reply_length",
            Self::ReplyOtherPractice => "reply_other_practice",
            Self::RootCause => "root_cause",
            Self::Uncited => "uncited",
            Self::UnknownCitation => "unknown_citation",
            Self::Unsupported => "unsupported",
        }
    }

    /// Whether no correction is asked for: a model that named another practice once is not asked again (row S2).
    #[must_use]
    pub fn is_final(self) -> bool {
        matches!(self, Self::ReplyOtherPractice)
    }
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Issue {
    /// A JSON pointer into the draft, of its own members' names and indices alone.
    pub at: String,
    /// What.
    pub code: IssueCode,
}

impl Issue {
    pub(super) fn new(code: IssueCode, at: impl Into<String>) -> Self {
        Self { at: at.into(), code }
    }
}
