//! The author's words as the lock's. Each match is total, so the two vocabularies cannot drift apart.

use harnessc_runtime::lock;

use crate::model::words as model;

/// An effect.
pub fn effect(word: model::Effect) -> lock::Effect {
    match word {
        model::Effect::Read => lock::Effect::Read,
        model::Effect::Create => lock::Effect::Create,
        model::Effect::Write => lock::Effect::Write,
        model::Effect::Destructive => lock::Effect::Destructive,
    }
}

/// An approval.
pub fn approval(word: model::Approval) -> lock::Approval {
    match word {
        model::Approval::Auto => lock::Approval::Auto,
        model::Approval::Confirm => lock::Approval::Confirm,
        model::Approval::FourEyes => lock::Approval::FourEyes,
    }
}

/// What a tool gives back.
pub fn returns(word: model::Returns) -> lock::Returns {
    match word {
        model::Returns::Structured => lock::Returns::Structured,
        model::Returns::Prose => lock::Returns::Prose,
        model::Returns::None => lock::Returns::None,
    }
}

/// What an approver sees.
pub fn preview(word: model::Preview) -> lock::Preview {
    match word {
        model::Preview::Input => lock::Preview::Input,
        model::Preview::BeforeAfter => lock::Preview::BeforeAfter,
    }
}
