//! `prompt:`: how a prompt is put together.

use super::read::{fields, words};
use super::scalars::Bytes;
use super::words::Effect;
use crate::source::Spanned;

words! {
    /// A part of an assembled prompt.
    Part = "a part of the prompt" {
        /// The refusal lines.
        Refusals = "refusals",
        /// The lens instructions.
        Lenses = "lenses",
        /// The harness's own text.
        Harness = "harness",
        /// The status line.
        Status = "status",
        /// The memory brief, wrapped as data.
        Memory = "memory",
        /// The advice to plan first.
        Planning = "planning",
        /// The conversation's last messages.
        Window = "window",
        /// The instructions of the harness's skills.
        Skills = "skills",
    }
}

/// The parts that change from turn to turn where `volatile` says nothing.
const VOLATILE: [Part; 3] = [Part::Status, Part::Memory, Part::Window];

impl Prompt {
    /// Whether a part changes from turn to turn: as `volatile` says, and where it says nothing, as it usually is.
    pub fn is_volatile(&self, part: Part) -> bool {
        match &self.volatile {
            Some(stated) => stated.iter().any(|volatile| volatile.value == part),
            None => VOLATILE.contains(&part),
        }
    }
}

fields! {
    /// How prompts are put together. Its fields may stand in several files.
    Prompt = "`prompt`" {
        /// The parts in their order, stable ones first, so that a provider's prefix cache holds.
        opt order: Spanned<Vec<Spanned<Part>>>,
        /// The parts that change from turn to turn.
        opt volatile: Vec<Spanned<Part>>,
        /// What stands around recalled memory; `{text}` is the memory.
        opt memory_wrap: Spanned<String>,
        /// How much of a conversation is kept.
        opt window: Window,
        /// How long tool results are shortened.
        opt compaction: Compaction,
        /// When the model is told to plan first; guidance, never a gate (seed 000).
        opt planning: Planning,
    }
}

fields! {
    /// How much of a conversation is kept.
    Window = "`window`" {
        /// At most so many messages.
        opt messages: Spanned<u64>,
        /// At most so many tokens.
        opt tokens: Spanned<u64>,
    }
}

fields! {
    /// How long tool results are shortened.
    Compaction = "`compaction`" {
        /// Results above this size are.
        opt above: Spanned<Bytes>,
        /// The last so many stay whole.
        opt keep_last: Spanned<u64>,
        /// The tool that brings one back in full.
        opt resolve_with: Spanned<String>,
    }
}

fields! {
    /// When the model is told to plan first.
    Planning = "`planning`" {
        /// The case in which it is.
        req when: PlanningWhen,
    }
}

fields! {
    /// The case in which the model is told to plan first.
    PlanningWhen = "`when`" {
        /// Some such effect is granted.
        opt effects: Vec<Spanned<Effect>>,
        /// And the person's intent is of this kind.
        opt intent: Spanned<Intent>,
    }
}

words! {
    /// What a person seems to want.
    Intent = "an intent" {
        /// To take something away or overwrite it.
        Destructive = "destructive",
    }
}
