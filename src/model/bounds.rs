//! `limits:`, `engines:`, `evidence:`, `release:` and `audit:`: what a run may spend, and what of it is kept.

use std::sync::Arc;

use super::keyed::Keyed;
use super::keys::ByDeed;
use super::lists::word_or_list;
use super::read::{Read, fields, words};
use super::scalars::{Bytes, Duration, Money, Share, Zone};
use super::words::NeverWord;
use crate::diagnostic::Sink;
use crate::source::Spanned;
use crate::syntax::Node;

fields! {
    /// What runs and days may spend. Its fields may stand in several files.
    Limits = "`limits`" {
        /// For one run.
        opt run: RunLimits,
        /// For one day.
        opt day: DayLimits,
        /// For one tool within one run.
        opt per_tool: ByDeed<ToolLimits>,
        /// What is tried again after a failure.
        opt retry: Retry,
        /// Model to its prices per million tokens; `unknown` is the price of any other.
        opt prices: Keyed<Price>,
    }
}

fields! {
    /// What one run may spend.
    RunLimits = "`limits.run`" {
        /// Turns of the loop.
        opt steps: Spanned<u64>,
        /// Tool calls.
        opt tool_calls: Spanned<u64>,
        /// Model calls.
        opt model_calls: Spanned<u64>,
        /// Tokens, in and out.
        opt tokens: Spanned<u64>,
        /// Bytes of tool results.
        opt result_bytes: Spanned<Bytes>,
        /// Money.
        opt cost: Spanned<Money>,
        /// Time from start to end.
        opt deadline: Spanned<Duration>,
        /// Time of one model call.
        opt model_call: Spanned<Duration>,
    }
}

fields! {
    /// What one day may spend.
    DayLimits = "`limits.day`" {
        /// Money.
        opt cost: Spanned<Money>,
        /// Tokens.
        opt tokens: Spanned<u64>,
        /// Whose midnight ends the day; an IANA name.
        opt timezone: Spanned<Zone>,
    }
}

fields! {
    /// What one tool may spend within a run.
    ToolLimits = "the limits of a tool" {
        /// Calls.
        opt calls: Spanned<u64>,
        /// Bytes of results.
        opt result_bytes: Spanned<Bytes>,
        /// Time of one call.
        opt timeout: Spanned<Duration>,
    }
}

fields! {
    /// What is tried again after a failure.
    Retry = "`retry`" {
        /// Model calls.
        opt model: RetryPolicy,
        /// Tool calls: never.
        opt tools: RetryPolicy,
        /// The agent that diagnoses: never.
        opt diagnosing_agent: RetryPolicy,
    }
}

/// Whether and when something is tried again.
#[derive(Clone, Debug, schemars::JsonSchema)]
#[schemars(untagged)]
pub enum RetryPolicy {
    /// Not at all.
    Never(Spanned<NeverWord>),
    /// In these cases.
    Attempts(Spanned<Attempts>),
}

impl Read for RetryPolicy {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        word_or_list(node, "a mapping with the attempts", sink).map(|read| match read {
            Ok(word) => Self::Never(word),
            Err(attempts) => Self::Attempts(attempts),
        })
    }
}

fields! {
    /// When something is tried again.
    Attempts = "a retry" {
        /// How often in all.
        req attempts: Spanned<u64>,
        /// After which failures.
        opt on: Vec<Spanned<RetryCause>>,
    }
}

words! {
    /// A failure after which a model call may be tried again.
    RetryCause = "a cause for a retry" {
        /// No answer in time.
        Timeout = "timeout",
        /// The provider asked for patience.
        RateLimit = "rate_limit",
        /// The provider failed.
        ServerError = "server_error",
        /// The connection broke.
        Connection = "connection",
    }
}

fields! {
    /// A model's prices per million tokens.
    Price = "a price" {
        /// Input.
        req input: Spanned<Money>,
        /// Input that the provider had cached.
        opt cached: Spanned<Money>,
        /// Output.
        req output: Spanned<Money>,
    }
}

words! {
    /// What produces a run's answer.
    Engine = "an engine" {
        /// A model.
        Ai = "ai",
        /// Deterministic code.
        Rules = "rules",
    }
}

fields! {
    /// What produces answers, and what stands in for it. Its fields may stand in several files.
    Engines = "`engines`" {
        /// In which order they are tried.
        opt order: Spanned<Vec<Spanned<Engine>>>,
        /// The providers of models.
        opt providers: Providers,
        /// The default model.
        opt model: Spanned<String>,
        /// Below this confidence a run escalates.
        opt unsure_below: Spanned<Share>,
        /// Phase to what happens when its answer does not hold.
        opt phases: Phases,
    }
}

fields! {
    /// The providers of models.
    Providers = "`providers`" {
        /// In which order they are tried.
        req order: Vec<Spanned<String>>,
        /// How long a provider that failed is left alone.
        opt cooldown: Spanned<Duration>,
    }
}

fields! {
    /// The phases of a run (seed 004).
    Phases = "`phases`" {
        /// Which trouble it is.
        opt triage: Phase,
        /// Its root cause.
        opt diagnose: Phase,
        /// What to do.
        opt plan: Phase,
        /// A person's command.
        opt command: Phase,
    }
}

fields! {
    /// What happens when a phase's answer does not hold.
    Phase = "a phase" {
        /// What the rules engine does again: the phase, or the whole run.
        req fallback: Spanned<Fallback>,
        /// How often the model may correct its answer.
        opt corrections: Spanned<u64>,
    }
}

words! {
    /// How much falls back.
    Fallback = "a fallback" {
        /// The whole run.
        Run = "run",
        /// This phase.
        Phase = "phase",
    }
}

fields! {
    /// What an answer's evidence must meet (seed 001).
    Evidence = "`evidence`" {
        /// The states of a source in which it may be cited.
        opt ready_states: Vec<Spanned<String>>,
        /// How quotes are held against their source.
        opt quotes: Spanned<Quotes>,
        /// How often a draft may be repaired.
        opt repairs: Spanned<u64>,
        /// The isolated judge.
        opt semantic: Semantic,
    }
}

words! {
    /// How quotes are held against their source.
    Quotes = "a check of quotes" {
        /// Letter by letter.
        Verbatim = "verbatim",
    }
}

fields! {
    /// The isolated judge of a draft.
    Semantic = "`semantic`" {
        /// How often the same input is judged.
        req attempts: Spanned<u64>,
    }
}

fields! {
    /// What leaves when an answer is not supported (seed 001).
    Release = "`release`" {
        /// What an unsupported answer is cut down to.
        opt unsupported: Unsupported,
    }
}

fields! {
    /// What an unsupported answer is cut down to.
    Unsupported = "`unsupported`" {
        /// The fields left; words of a closed list that has none for a payload.
        req fields: Vec<Spanned<String>>,
        /// How large they may be together.
        opt max_bytes: Spanned<Bytes>,
    }
}

fields! {
    /// What the audit trail keeps; words of closed lists that have none for a payload.
    Audit = "`audit`" {
        /// Of each tool call.
        opt tool_call: Vec<Spanned<String>>,
        /// Of each proposed change.
        opt action: Vec<Spanned<String>>,
        /// The stages of the trace.
        opt trace: Vec<Spanned<String>>,
        /// Where the model's reasoning goes.
        opt reasoning: Reasoning,
    }
}

words! {
    /// The word for a store apart.
    SeparateWord = "the word `separate`" {
        /// Apart, with its own access rule.
        Separate = "separate",
    }
}

/// Where the model's reasoning goes: apart from the trail, always.
#[derive(Clone, Debug, schemars::JsonSchema)]
#[schemars(untagged)]
pub enum Reasoning {
    /// Apart.
    Separate(Spanned<SeparateWord>),
    /// Apart, with what is declared of the store.
    Store(ReasoningStore),
}

impl Read for Reasoning {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        word_or_list(node, "a mapping with its store", sink).map(|read| match read {
            Ok(word) => Self::Separate(word),
            Err(store) => Self::Store(store),
        })
    }
}

fields! {
    /// The store of the model's reasoning (seed 001).
    ReasoningStore = "`reasoning`" {
        /// The personas that may read it.
        req access: Vec<Spanned<String>>,
        /// How long it is kept.
        req retention: Spanned<Duration>,
        /// Whether it is encrypted at rest.
        req encrypted: Spanned<bool>,
    }
}
