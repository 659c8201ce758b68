//! What moved, as a person reads it.

use std::collections::BTreeSet;
use std::fmt;

use super::again::{Added, Changed, Changes, Gone, Move};
use super::report;
use super::shift::Shift;
use super::steps::Step;
use super::text;

/// How much of what stayed is shown around what changed in a text, in Unicode scalar values.
const AROUND: usize = 24;

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = text::name(&self.server);
        if self.is_empty() {
            return writeln!(f, "{server}: nothing moved since the list was pinned");
        }
        let counts: Vec<String> = [
            (self.added.len() + self.left_out.len(), "added"),
            (self.gone.len(), "gone"),
            (self.changed.len(), "changed"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
        let counts = if counts.is_empty() { "names moved".to_owned() } else { counts.join(", ") };
        writeln!(f, "{server}: {counts} since the list was pinned")?;
        if let Some(told) = self.looser() {
            writeln!(f, "{told}")?;
        }
        self.added.iter().try_for_each(|added| fmt_added(f, added))?;
        self.gone.iter().try_for_each(|gone| fmt_gone(f, gone))?;
        self.changed.iter().try_for_each(|changed| fmt_changed(f, changed))?;
        report::left_out(f, "could be registered before and cannot any more:", &self.unfit, &self.setting)?;
        report::left_out(f, "new, and not registered:", &self.left_out, &self.setting)?;
        report::remarks(f, "to be looked at:", &self.remarks)
    }
}

impl Changes {
    /// The tools whose input takes more than it did, those that a harness holds told apart; nothing where there are none.
    fn looser(&self) -> Option<String> {
        let looser = |one: &&Changed| one.moves.iter().any(Move::takes_more);
        let (held, other): (Vec<&Changed>, Vec<&Changed>) =
            self.changed.iter().filter(looser).partition(|one| !one.held_by.is_empty());
        let names = |tools: &[&Changed]| text::listed(tools.iter().map(|one| one.name.as_str()));
        match (held.as_slice(), other.as_slice()) {
            ([], []) => None,
            ([], other) => Some(format!("takes more than before: {}; no harness holds it", names(other))),
            (held, _) => Some(format!(
                "takes more than before, in a harness: {}; no rule tells of it later, so read here how",
                names(held)
            )),
        }
    }
}

fn fmt_added(f: &mut fmt::Formatter<'_>, added: &Added) -> fmt::Result {
    let name = text::name(&added.tool.name);
    if added.overlaid {
        let held = held(&added.held_by);
        return writeln!(
            f,
            "added {name}{held}: the policy has a line that waited for it, and it counts from now on"
        );
    }
    writeln!(f, "added {name}: {} ({})", added.tool.effect.word(), added.tool.reasons.join(", "))
}

fn fmt_gone(f: &mut fmt::Formatter<'_>, gone: &Gone) -> fmt::Result {
    let name = text::name(&gone.name);
    if gone.keys.is_empty() {
        return writeln!(f, "gone {name}: no line leans on it");
    }
    let keys = text::listed(gone.keys.iter().map(String::as_str));
    let held = held(&gone.held_by);
    writeln!(
        f,
        "gone {name}{held}: {keys} in the policy leans on it; the line stays, and `check` tells of it"
    )
}

fn fmt_changed(f: &mut fmt::Formatter<'_>, changed: &Changed) -> fmt::Result {
    let note = if changed.keys.is_empty() { " (not registered)".to_owned() } else { held(&changed.held_by) };
    writeln!(f, "changed {}{note}:", text::name(&changed.name))?;
    changed.moves.iter().try_for_each(|one| fmt_move(f, one))
}

/// Who has the tool in hand; where nobody does, the change grants nothing yet.
fn held(by: &BTreeSet<String>) -> String {
    match by.len() {
        0 => String::new(),
        1 => format!(", which {} holds", text::listed(by.iter().map(String::as_str))),
        _ => format!(", which {} hold", text::listed(by.iter().map(String::as_str))),
    }
}

fn fmt_move(f: &mut fmt::Formatter<'_>, one: &Move) -> fmt::Result {
    match one {
        Move::Text { at, before, after } => {
            writeln!(f, "  {}:", text::name(at))?;
            let (before, after) = (before.as_deref().unwrap_or(""), after.as_deref().unwrap_or(""));
            let (old, new) = difference(before, after);
            for (sign, part) in [('-', old), ('+', new)] {
                if !part.is_empty() {
                    writeln!(f, "    {sign} {part}")?;
                }
            }
            Ok(())
        }
        Move::Hint { hint, before, after } => {
            let weight = meaning(hint, *after);
            writeln!(f, "  {}: {} → {}{weight}", text::name(hint), said(*before), said(*after))
        }
        Move::Input { shift, steps, .. } => {
            writeln!(f, "  input: {}", word(*shift))?;
            steps.iter().try_for_each(|step| fmt_step(f, step))
        }
        Move::Output { shift, steps } => {
            writeln!(f, "  output: {}", word(*shift))?;
            steps.iter().try_for_each(|step| fmt_step(f, step))
        }
        Move::Other { key } => writeln!(f, "  {}: changed", text::name(key)),
    }
}

/// One difference.
fn fmt_step(f: &mut fmt::Formatter<'_>, step: &Step) -> fmt::Result {
    let way = match step.shift {
        Shift::Looser => "looser ",
        Shift::Tighter => "tighter",
        _ => "changed",
    };
    writeln!(f, "    {way} {}: {}", text::name(&step.at), step.text)
}

fn said(hint: Option<bool>) -> &'static str {
    match hint {
        Some(true) => "true",
        Some(false) => "false",
        None => "unsaid",
    }
}

/// What a hint comes to in the policy.
fn meaning(hint: &str, after: Option<bool>) -> &'static str {
    match (hint, after) {
        ("readOnlyHint", Some(true)) => "; it says now that it only reads, and your line decides",
        ("readOnlyHint", _) => "; a line that calls it a read no longer holds",
        ("destructiveHint", Some(true)) => "; it counts as destructive now",
        ("destructiveHint", _) => "; it no longer says that it destroys, and your line decides",
        _ => "",
    }
}

fn word(shift: Shift) -> &'static str {
    match shift {
        Shift::Same => "rewritten, accepts the same",
        Shift::Tighter => "tighter",
        Shift::Looser => "looser",
        Shift::Both => "looser in one way and tighter in another",
        Shift::CannotTell => "cannot tell whether looser or tighter, so take it for looser",
        Shift::New => "new; there was none",
        Shift::Gone => "there is none any more",
        Shift::NoLongerRequired => "no longer required",
        Shift::NowRequired => "now required",
    }
}

/// The parts in which two texts differ, with a little of what stands around them; whatever hides is written out, and
/// nothing that changed is cut.
fn difference(before: &str, after: &str) -> (String, String) {
    let (old, new): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    (part(&old, head, tail), part(&new, head, tail))
}

fn part(text: &[char], head: usize, tail: usize) -> String {
    let start = head.saturating_sub(AROUND);
    let end = (text.len() - tail + AROUND).min(text.len());
    let shown: String = text.get(start..end).unwrap_or_default().iter().collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if end < text.len() { "…" } else { "" };
    format!("{before}{}{after}", text::visible(&shown))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn what_changed_is_shown_whole_and_what_hides_is_written_out() {
        let stays = "a text that stays as it is, word for word, to the end";
        let (old, new) = difference(stays, &format!("{stays}\u{e0041}\u{202e}now delete"));
        assert_eq!(old, "…ord for word, to the end");
        assert_eq!(
            new,
            "…ord for word, to the end[U+E0041: a tag character that spells \"A\"][U+202E (right-to-left override)]now delete"
        );
        assert_eq!(difference("", "x"), (String::new(), "x".to_owned()));
        assert_eq!(difference("aa", "aaa"), ("aa".to_owned(), "aaa".to_owned()));
    }
}
