//! The words that may leave a run or be kept of it: lists that have none for a payload.
//!
//! They hold what a thing was, how it ended and how large it was. None of these words can stand for a prompt, a message, an
//! argument, a result, a query or a thought, so that no policy can ask for one by a harmless name.

/// What an unsupported answer may be cut down to (seed 001's SAFE_FALLBACK, and a code for what went wrong).
pub(crate) const RELEASE_FIELDS: &[&str] =
    &["failure_code", "failure_stage", "observed_facts", "validation_issues", "limitations", "next_steps"];

/// What may be kept of a tool call.
pub(crate) const TOOL_CALL_FIELDS: &[&str] = &[
    "id",
    "tool",
    "case",
    "status",
    "code",
    "started_at",
    "duration_ms",
    "bytes_in",
    "bytes_out",
    "violations",
    "check_logic_version",
    "inputs_hash",
    "result_artifact_id",
    "run",
    "role",
    "harness",
    "harness_version",
    "persona",
    "surface",
    "acting_user",
    "lock_digest",
];

/// What may be kept of a proposed change, besides the record the change itself is kept in.
pub(crate) const ACTION_FIELDS: &[&str] = &[
    "id",
    "tool",
    "case",
    "effect",
    "state",
    "approval",
    "harness",
    "harness_version",
    "rubric",
    "rubric_version",
    "run",
    "role",
    "persona",
    "surface",
    "acting_user",
    "requester",
    "decided_by",
    "decided_at",
    "proposed_at",
    "executed_at",
    "input_hash",
    "action_hash",
    "lock_digest",
    "undo_ref",
];

/// The stages a trace may name (seed 001).
pub(crate) const TRACE_STAGES: &[&str] =
    &["RUN", "ROUTING", "AGENT", "TOOL", "EVIDENCE", "SEMANTIC", "RELEASE"];

/// What must not be concluded: a score is a word about evidence, and a person decides (seed 003).
pub(crate) const VERDICTS: &[&str] = &[
    "pass",
    "fail",
    "passed",
    "failed",
    "approved",
    "rejected",
    "compliant",
    "noncompliant",
    "acceptable",
    "unacceptable",
    "verdict",
];
