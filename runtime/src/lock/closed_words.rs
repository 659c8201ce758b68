//! The closed lists: the words that a field of the lock may hold where it is text and not free.
//!
//! The compiler's rules and the proofs both ask here, so that neither lets through what the other refuses. The lists of
//! audit and release hold what a thing was, how it ended and how large it was. None of their words can stand for a prompt,
//! a message, an argument, a result, a query or a thought, so that no policy can ask for one by a harmless name.

/// `release.unsupported.fields`: what an unsupported answer may be cut down to (seed 001's SAFE_FALLBACK, and a code for
/// what went wrong).
pub const RELEASE_FIELDS: &[&str] =
    &["failure_code", "failure_stage", "observed_facts", "validation_issues", "limitations", "next_steps"];

/// `audit.tool_call`: what may be kept of a tool call.
pub const TOOL_CALL_FIELDS: &[&str] = &[
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

/// `audit.action`: what may be kept of a proposed change, besides the record the change itself is kept in.
pub const ACTION_FIELDS: &[&str] = &[
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

/// `audit.trace`: the stages a trace may name (seed 001).
pub const TRACE_STAGES: &[&str] = &["RUN", "ROUTING", "AGENT", "TOOL", "EVIDENCE", "SEMANTIC", "RELEASE"];

/// `audit.reasoning`: the model's reasoning is kept apart from the trail, or not at all.
pub const REASONING: &[&str] = &["separate"];

/// `approvals.treatments` and `approvals.batch.treatment`: how a change is shown to a person.
pub const TREATMENTS: &[&str] = &["silent", "notify", "plan_card", "one_plan_card"];

/// Of these, the cards: what waits for a person is shown as one, since nothing else asks.
pub const CARDS: &[&str] = &["plan_card", "one_plan_card"];

/// `approvals.batch.on_failure`: what a failed step does to those behind it.
pub const ON_FAILURE: &[&str] = &["stop"];

/// `engines.order`: what produces a run's answer.
pub const ENGINES: &[&str] = &["ai", "rules"];

/// The keys of `engines.phases` (seed 004).
pub const PHASES: &[&str] = &["triage", "diagnose", "plan", "command"];

/// `engines.phases.*.fallback`: how much falls back.
pub const FALLBACKS: &[&str] = &["run", "phase"];

/// `evidence.quotes`: how quotes are held against their source.
pub const QUOTES: &[&str] = &["verbatim"];

/// `limits.retry.model.on`: the failures after which a model call may be tried again.
pub const RETRY_CAUSES: &[&str] = &["timeout", "rate_limit", "server_error", "connection"];

/// `context_sources.*.pii`: how much a source says about identifiable persons.
pub const PII: &[&str] = &["none", "low", "high"];

/// `lens_reviews.*.view.rows` and `columns`: the axes of a scorecard.
pub const VIEW_AXES: &[&str] = &["criteria", "lenses"];

/// `primitives.*.state`.
pub const PRIMITIVE_STATES: &[&str] = &["load_bearing", "stub"];

/// The kinds of prompt part whose text is in the lock (`prompt.order`, `prompt.volatile`).
pub const PROMPT_TEXTS: &[&str] = &["refusals", "lenses", "harness", "skills"];

/// The kinds of prompt part that are put in at run time and have no text in the lock (`prompt.order`, `prompt.volatile`).
pub const PROMPT_INSERTS: &[&str] = &["status", "memory", "planning", "window"];
