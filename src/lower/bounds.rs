//! Limits, engines, evidence, release and audit.

use harnessc_runtime::lock::{
    Audit, DayLimits, Engines, Evidence, Limits, Phase, Price, Providers, ReasoningStore, Release, Retry,
    RetryModel, RunLimits, Semantic, ToolLimit, Unsupported,
};

use super::values::{flag, map, names, sorted, text, value};
use crate::model::bounds as stated;
use crate::model::bounds::{Reasoning, RetryPolicy};
use crate::model::scalars::{Bytes, Duration, Money};
use crate::source::Spanned;

pub(super) fn limits(stated: &stated::Limits) -> Limits {
    Limits {
        day: stated.day.as_ref().map(|day| DayLimits {
            cost_micro_usd: money(day.cost.as_ref()),
            timezone: day.timezone.as_ref().map(|zone| zone.value.0.clone()),
            tokens: value(day.tokens.as_ref()),
        }),
        per_tool: stated.per_tool.as_ref().map(|tools| map(tools, tool_limit)).unwrap_or_default(),
        prices: stated.prices.as_ref().map(|prices| map(prices, price)).unwrap_or_default(),
        retry: stated.retry.as_ref().map(|retry| Retry { model: retry.model.as_ref().and_then(retries) }),
        run: stated.run.as_ref().map(run_limits),
    }
}

fn tool_limit(stated: &stated::ToolLimits) -> ToolLimit {
    ToolLimit {
        calls: value(stated.calls.as_ref()),
        result_bytes: bytes(stated.result_bytes.as_ref()),
        timeout_ms: time(stated.timeout.as_ref()),
    }
}

/// A price that could not be read is the highest there is, so that no budget holds too long.
fn price(stated: &stated::Price) -> Price {
    let dearest = harnessc_runtime::load::MAX_INTEGER;
    Price {
        cached_micro_usd: money(stated.cached.as_ref()),
        input_micro_usd: money(stated.input.as_ref()).unwrap_or(dearest),
        output_micro_usd: money(stated.output.as_ref()).unwrap_or(dearest),
    }
}

fn retries(stated: &RetryPolicy) -> Option<RetryModel> {
    match stated {
        RetryPolicy::Never(_) => None,
        RetryPolicy::Attempts(attempts) => Some(RetryModel {
            attempts: value(attempts.attempts.as_ref()).unwrap_or(1),
            on: sorted(attempts.on.iter().flatten().map(|cause| cause.word().to_owned()).collect()),
        }),
    }
}

fn run_limits(stated: &stated::RunLimits) -> RunLimits {
    RunLimits {
        cost_micro_usd: money(stated.cost.as_ref()),
        deadline_ms: time(stated.deadline.as_ref()),
        model_call_ms: time(stated.model_call.as_ref()),
        model_calls: value(stated.model_calls.as_ref()),
        result_bytes: bytes(stated.result_bytes.as_ref()),
        steps: value(stated.steps.as_ref()),
        tokens: value(stated.tokens.as_ref()),
        tool_calls: value(stated.tool_calls.as_ref()),
    }
}

pub(super) fn engines(stated: &stated::Engines) -> Engines {
    let phases = stated.phases.iter().flat_map(|phases| {
        let stated::Phases { triage, diagnose, plan, command } = phases;
        [("triage", triage), ("diagnose", diagnose), ("plan", plan), ("command", command)]
    });
    Engines {
        model: text(stated.model.as_ref()),
        order: stated.order.iter().flat_map(|list| list.iter()).map(|word| word.word().to_owned()).collect(),
        phases: phases.filter_map(|(key, one)| Some((key.to_owned(), phase(one.as_ref()?)))).collect(),
        providers: stated.providers.as_ref().map(|providers| Providers {
            cooldown_ms: time(providers.cooldown.as_ref()),
            order: names(providers.order.iter().flatten()),
        }),
        unsure_below_millionths: stated
            .unsure_below
            .as_ref()
            .map(|share| share.value.0.saturating_mul(1_000)),
    }
}

fn phase(stated: &stated::Phase) -> Phase {
    Phase {
        corrections: value(stated.corrections.as_ref()),
        fallback: stated.fallback.as_ref().map(|word| word.word().to_owned()),
    }
}

pub(super) fn evidence(stated: &stated::Evidence) -> Evidence {
    Evidence {
        quotes: stated.quotes.as_ref().map(|word| word.word().to_owned()),
        ready_states: names(stated.ready_states.iter().flatten()),
        repairs: value(stated.repairs.as_ref()),
        semantic: stated
            .semantic
            .as_ref()
            .map(|judge| Semantic { attempts: value(judge.attempts.as_ref()).unwrap_or(1) }),
    }
}

pub(super) fn release(stated: &stated::Release) -> Release {
    Release {
        unsupported: stated.unsupported.as_ref().map(|left| Unsupported {
            fields: names(left.fields.iter().flatten()),
            max_bytes: bytes(left.max_bytes.as_ref()),
        }),
    }
}

pub(super) fn audit(stated: &stated::Audit) -> Audit {
    Audit {
        action: names(stated.action.iter().flatten()),
        reasoning: stated.reasoning.as_ref().map(|_| "separate".to_owned()),
        reasoning_store: match &stated.reasoning {
            Some(Reasoning::Store(store)) => Some(ReasoningStore {
                access: sorted(names(store.access.iter().flatten())),
                encrypted: flag(store.encrypted.as_ref()),
                retention_ms: time(store.retention.as_ref()),
            }),
            Some(Reasoning::Separate(_)) | None => None,
        },
        tool_call: names(stated.tool_call.iter().flatten()),
        trace: names(stated.trace.iter().flatten()),
    }
}

fn money(stated: Option<&Spanned<Money>>) -> Option<u64> {
    stated.map(|amount| amount.value.0)
}

fn time(stated: Option<&Spanned<Duration>>) -> Option<u64> {
    stated.map(|time| time.value.0)
}

fn bytes(stated: Option<&Spanned<Bytes>>) -> Option<u64> {
    stated.map(|size| size.value.0)
}
