//! The few styles of results and notes.

use clap::builder::styling::{AnsiColor, Effects, Style};

use crate::report::Look;

fn styled(look: Look, style: Style, text: &str) -> String {
    if look.color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

/// The word of a fault or a proof that fails.
pub(super) fn error(look: Look, text: &str) -> String {
    styled(look, AnsiColor::BrightRed.on_default().effects(Effects::BOLD), text)
}

/// What holds.
pub(super) fn good(look: Look, text: &str) -> String {
    styled(look, AnsiColor::BrightGreen.on_default(), text)
}

/// The word before a way to mend.
pub(super) fn help(look: Look, text: &str) -> String {
    styled(look, AnsiColor::BrightCyan.on_default().effects(Effects::BOLD), text)
}

/// A heading, or a name that a line is about.
pub(super) fn bold(look: Look, text: &str) -> String {
    styled(look, Style::new().effects(Effects::BOLD), text)
}

/// What stands beside the matter.
pub(super) fn dim(look: Look, text: &str) -> String {
    styled(look, Style::new().effects(Effects::DIMMED), text)
}
