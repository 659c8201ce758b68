//! A harness's prompt from the lock's parts, stable ones first.

use std::fmt;

use super::{Attribution, DEFAULT_WRAP, NUDGE, should_require_plan, status, wrap};
use crate::lock::closed_words::PROMPT_TEXTS;
use crate::lock::{Effect, Lock, Prompt as Parts, digest_of};
use crate::words::without_bullet;

/// What is put in at run time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inserts<'a> {
    /// The effects that the run was granted, for the planning nudge.
    pub granted: &'a [Effect],
    /// What the request means to do, as far as the server can tell, for the planning nudge.
    pub intent: Option<Effect>,
    /// Notes from memory. They are data.
    pub memory: &'a [&'a str],
    /// Who the run acts for, and who decided.
    pub who: Option<Attribution<'a>>,
}

/// An assembled prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What does not change from turn to turn.
    pub stable: String,
    /// `sha256:<64 hex>` of `stable`: two runs with the same digest share a cached prefix.
    pub stable_digest: String,
    /// What does.
    pub volatile: String,
}

impl Prompt {
    /// The whole.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}", self.stable, self.volatile)
    }
}

macro_rules! errors {
    ($($(#[$doc:meta])* $kind:ident = $code:literal, $says:literal,)*) => {
        /// Why no prompt was put together. The run does not start.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum PromptError { $($(#[$doc])* $kind,)* }

        impl PromptError {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The stable code.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Self::$kind => $code,)* }
            }
        }

        impl fmt::Display for PromptError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$kind => $says,)* })
            }
        }
    };
}

errors! {
    /// A part or template that the harness names is not in the lock.
    MissingPart = "prompt_part_missing", "a part of the prompt is not in the lock",
    /// The memory wrap has no end that a note could be kept from writing.
    OpenWrap = "memory_wrap_open", "the memory wrap does not enclose what is put into it",
    /// A refusal that the harness bears does not stand in the assembled text.
    RefusalMissing = "prompt_refusal_missing", "a refusal that the harness bears is not in its prompt",
    /// A stable part stands behind a volatile one.
    StableAfterVolatile = "prompt_order", "a part that never changes stands behind one that does",
    /// The lock knows no such harness.
    UnknownHarness = "prompt_harness_unknown", "the lock has no such harness",
    /// A status template has a place that nothing fills.
    UnknownPlace = "status_place_unknown", "a status template has a place that nothing fills",
}

impl std::error::Error for PromptError {}

/// Puts a harness's prompt together: the parts in the lock's order, each ended by one line end, what is put in at run
/// time behind them. Every refusal that the harness bears must be among the parts.
pub fn assemble(lock: &Lock, harness: &str, inserts: &Inserts<'_>) -> Result<Prompt, PromptError> {
    let definition = lock.harnesses.get(harness).ok_or(PromptError::UnknownHarness)?;
    let (mut stable, mut volatile) = (String::new(), String::new());
    let mut own: Vec<&str> = Vec::new();
    let mut is_volatile = false;
    for name in &definition.prompt {
        let part = lock.prompt.as_ref().and_then(|prompt| prompt.parts.get(name));
        let changes = lock.prompt.as_ref().is_some_and(|prompt| may_change(prompt, name, is_volatile));
        if is_volatile && part.is_some() && !changes {
            return Err(PromptError::StableAfterVolatile);
        }
        own.extend(part.iter().flat_map(|part| part.text.lines()).map(without_bullet));
        let text = match part {
            Some(part) => Some(part.text.clone()),
            None => insert(lock, harness, name, inserts)?,
        };
        // What is put in at run time changes, whatever the policy says of it.
        is_volatile |= part.is_none() || changes;
        if let Some(text) = text {
            let target = if is_volatile { &mut volatile } else { &mut stable };
            target.push_str(text.trim_end_matches('\n'));
            target.push('\n');
        }
    }
    // Looked for in the lock's own parts: a note that repeats a refusal does not stand for it.
    for key in &definition.refusal_rules {
        let refusal = lock.refusals.get(key).ok_or(PromptError::MissingPart)?;
        if !own.contains(&refusal.line.trim()) {
            return Err(PromptError::RefusalMissing);
        }
    }
    Ok(Prompt { stable_digest: digest_of(stable.as_bytes()), stable, volatile })
}

/// Whether a part with text may change from turn to turn. A part does not say of which kind it is where its path does not;
/// behind a volatile part it is taken at the policy's word that some kind with text is volatile.
fn may_change(prompt: &Parts, name: &str, behind_volatile: bool) -> bool {
    let volatile = |kind: &str| prompt.volatile.iter().any(|volatile| volatile == kind);
    let kind = name.split_once('/').map_or(name, |(kind, _)| kind);
    volatile(kind) || behind_volatile && PROMPT_TEXTS.iter().any(|kind| volatile(kind))
}

/// The text of a part that is put in at run time; `None`: there is nothing to say this time.
fn insert(
    lock: &Lock,
    harness: &str,
    kind: &str,
    inserts: &Inserts<'_>,
) -> Result<Option<String>, PromptError> {
    let prompt = lock.prompt.as_ref();
    match kind {
        "status" => inserts.who.map_or(Ok(None), |who| status(lock, harness, who)),
        "memory" if inserts.memory.is_empty() => Ok(None),
        "memory" => {
            let template = prompt.and_then(|prompt| prompt.memory_wrap.as_deref()).unwrap_or(DEFAULT_WRAP);
            wrap(template, inserts.memory).map(Some)
        }
        "planning" => {
            let planning = prompt.and_then(|prompt| prompt.planning.as_ref());
            let asked = should_require_plan(planning, inserts.granted, inserts.intent);
            Ok(asked.then(|| NUDGE.to_owned()))
        }
        // The conversation itself, which the server sends behind the prompt within `window`'s bounds.
        "window" => Ok(None),
        _ => Err(PromptError::MissingPart),
    }
}
