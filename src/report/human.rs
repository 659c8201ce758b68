//! Findings for a person at a terminal.
//!
//! One message: level, rule and what is wrong; the places, in as many files as it takes; why; the edit that mends it.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use annotate_snippets::renderer::{AnsiColor, DecorStyle, Effects, Style};
use annotate_snippets::{Level as Tone, Renderer};

use super::diff::{Diff, diff};
use super::refit::refit;
use super::snippet::Marks;
use super::summary::summary;
use super::visible::{columns, visible, visible_lines};
use super::window::Cutting;
use super::wrap::wrap;
use crate::diagnostic::{Applicability, Diagnostic, Finding, Level};
use crate::source::Sources;

/// No terminal is taken to be narrower.
const NARROWEST: usize = 24;
/// A finding shows at most so many ways to mend it.
const MAX_FIXES: usize = 3;

/// How a terminal wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether colours may be used.
    pub color: bool,
    /// Columns of the terminal; any number is fine, below 24 it is read as 24.
    pub width: usize,
    /// Whether lines are drawn with box characters instead of ASCII.
    pub unicode: bool,
}

impl Default for Look {
    /// As for a pipe or a file: plain, 80 columns, ASCII.
    fn default() -> Self {
        Self { color: false, width: 80, unicode: false }
    }
}

/// Writes every finding in the order given, then what `harnessc` can do about them, then the summary line.
///
/// # Errors
/// Those of `out`.
pub fn human(findings: &[Finding], sources: &Sources, look: &Look, out: &mut impl Write) -> fmt::Result {
    let page = Page::new(*look, sources);
    for finding in findings {
        page.finding(finding, out)?;
        out.write_char('\n')?;
    }
    page.advice(findings, out)?;
    for line in wrap(&summary(findings, sources), page.width, page.width) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Writes every finding in the order given, and nothing more: for what has no page of a rule.
///
/// # Errors
/// Those of `out`.
pub fn told(findings: &[Finding], sources: &Sources, look: &Look, out: &mut impl Write) -> fmt::Result {
    let page = Page::new(*look, sources);
    for finding in findings {
        page.finding(finding, out)?;
        out.write_char('\n')?;
    }
    Ok(())
}

struct Page<'a> {
    look: Look,
    width: usize,
    renderer: Renderer,
    sources: &'a Sources,
}

impl<'a> Page<'a> {
    fn new(look: Look, sources: &'a Sources) -> Self {
        let style = |color: AnsiColor| color.on_default().effects(Effects::BOLD);
        let frame = style(AnsiColor::BrightBlue);
        let renderer = if look.color { Renderer::styled() } else { Renderer::plain() };
        let renderer = if look.color {
            // Stated, because the crate's own colours differ between platforms.
            renderer
                .line_num(frame)
                .context(frame)
                .error(style(AnsiColor::BrightRed))
                .warning(style(AnsiColor::Yellow))
        } else {
            renderer
        };
        let decor = if look.unicode { DecorStyle::Unicode } else { DecorStyle::Ascii };
        // Lines come cut to size; the crate's own cutting would only do it again, less exactly.
        let renderer = renderer.decor_style(decor).term_width(usize::from(u16::MAX));
        Self { look, width: look.width.max(NARROWEST), renderer, sources }
    }

    fn finding(&self, finding: &Finding, out: &mut impl Write) -> fmt::Result {
        let diagnostic = &finding.diagnostic;
        self.heading(diagnostic, finding.level, out)?;
        let marks = Marks::of(diagnostic, self.sources);
        // The gutter is as wide as the largest line number, which is known only when the fixes are; cut for 8 digits there.
        let cutting = |gutter: usize| Cutting {
            columns: self.width.saturating_sub(gutter).max(8),
            mark: if self.look.unicode { "…" } else { "..." },
            skip_bom: true,
        };
        let fixes: Vec<_> = diagnostic
            .fixes
            .iter()
            .take(MAX_FIXES)
            .map(|fix| (fix, diff(fix, self.sources, cutting(11))))
            .collect();
        let shown = fixes.iter().filter_map(|(_, diff)| diff.as_ref());
        let digits = shown.map(Diff::last_line).max().unwrap_or(0).max(marks.last_line()).to_string().len();
        let any_diff = fixes.iter().any(|(_, diff)| diff.is_some());
        let notes = self.notes(diagnostic, marks.left_out, digits, any_diff);
        let tone = if finding.level >= Level::Deny { Tone::ERROR } else { Tone::WARNING };
        let (drawn, texts) = marks.draw(tone, &notes, &self.renderer, cutting(digits + 4));
        out.write_str(&refit(&drawn, &texts, self.width))?;
        let mut lead = diagnostic.help.as_deref().filter(|_| any_diff);
        for (fix, diff) in &fixes {
            let Some(diff) = diff else { continue };
            let title = lead.take().unwrap_or(&fix.title);
            self.mending(title, diff, diagnostic, digits, out)?;
        }
        Ok(())
    }

    fn heading(&self, diagnostic: &Diagnostic, level: Level, out: &mut impl Write) -> fmt::Result {
        let grave = if level >= Level::Deny { AnsiColor::BrightRed } else { AnsiColor::Yellow };
        let tag = format!("{}[{}]", level.word(), diagnostic.rule);
        let message = visible(&diagnostic.message);
        let first = self.width.saturating_sub(columns(&tag) + 2);
        let mut lines = wrap(&message, first, self.width.saturating_sub(2));
        // A first word that does not fit beside the tag starts the next line.
        if lines.first().is_some_and(|line| columns(line) > first) {
            lines = wrap(&message, self.width.saturating_sub(2), self.width.saturating_sub(2));
            lines.insert(0, String::new());
        }
        let bold = Style::new().effects(Effects::BOLD);
        let body: Vec<String> = lines.iter().map(|line| self.styled(bold, line)).collect();
        let tag = self.styled(grave.on_default().effects(Effects::BOLD), &tag);
        let head = [tag, ": ".to_owned(), body.join("\n  ")].concat();
        writeln!(out, "{}", head.replacen(": \n", ":\n", 1).trim_end())
    }

    /// What stands below the snippets, wrapped: each reason, then the help where no diff will show it.
    fn notes(
        &self,
        diagnostic: &Diagnostic,
        left_out: usize,
        digits: usize,
        any_diff: bool,
    ) -> Vec<(&'static str, String)> {
        let mut notes: Vec<(&'static str, String)> =
            diagnostic.notes.iter().map(|note| ("why", visible_lines(note))).collect();
        notes.retain(|(_, note)| !note.trim().is_empty());
        if left_out > 0 {
            notes.insert(0, ("note", format!("{left_out} more places are not shown")));
        }
        let help = diagnostic.help.as_deref().or(diagnostic.fixes.first().map(|fix| fix.title.as_str()));
        if let Some(help) = help.filter(|_| !any_diff) {
            notes.push(("help", visible_lines(help)));
        }
        for (name, note) in &mut notes {
            let room = self.width.saturating_sub(digits + 5 + name.len());
            *note = wrap(note, room, room).join("\n");
        }
        notes
    }

    /// A way to mend it: its title over the lines it changes.
    fn mending(
        &self,
        title: &str,
        diff: &Diff<'_>,
        diagnostic: &Diagnostic,
        digits: usize,
        out: &mut impl Write,
    ) -> fmt::Result {
        let frame = AnsiColor::BrightBlue.on_default().effects(Effects::BOLD);
        let room = self.width.saturating_sub(6);
        let title = wrap(&visible_lines(title), room, room).join("\n      ");
        let help = self.styled(AnsiColor::BrightCyan.on_default().effects(Effects::BOLD), "help");
        writeln!(out, "{help}: {title}")?;
        let bar = if self.look.unicode { "│" } else { "|" };
        let blank = " ".repeat(digits);
        if diff.place.id != diagnostic.primary.span.file {
            let arrow =
                self.styled(frame, &format!("{blank}{}", if self.look.unicode { "╭▸" } else { "-->" }));
            writeln!(out, "{arrow} {}:{}", visible(&diff.place.file.path), diff.line)?;
        }
        writeln!(out, "{}", self.styled(frame, &format!("{blank} {bar}")))?;
        let rows = [("-", AnsiColor::BrightRed, &diff.old), ("+", AnsiColor::BrightGreen, &diff.new)];
        for (sign, color, lines) in rows {
            for (number, line) in (diff.line..).zip(lines) {
                let number = self.styled(frame, &format!("{number:>digits$}"));
                let row = self.styled(color.on_default(), format!("{sign} {line}").trim_end());
                writeln!(out, "{number} {row}")?;
            }
        }
        Ok(())
    }

    /// Where to read more, and what can be mended without a hand.
    fn advice(&self, findings: &[Finding], out: &mut impl Write) -> fmt::Result {
        let rules: BTreeSet<&str> = findings.iter().map(|finding| finding.diagnostic.rule.0).collect();
        let mut lines = Vec::new();
        match rules.first() {
            Some(rule) if rules.len() == 1 => lines.push(format!("`harnessc explain {rule}` says more")),
            Some(_) => lines.push("`harnessc explain RULE` says more about each".to_owned()),
            None => {}
        }
        let fixable = |wanted: Applicability| {
            let has = |finding: &&Finding| {
                finding.diagnostic.fixes.first().is_some_and(|fix| fix.applicability == wanted)
            };
            findings.iter().filter(has).count()
        };
        match fixable(Applicability::Safe) {
            0 => {}
            count => lines.push(format!("`harnessc check --fix` mends {count} of them")),
        }
        match fixable(Applicability::Unsafe) {
            0 => {}
            count => lines.push(format!(
                "`harnessc check --fix --unsafe` offers an edit for {count}; look at it after"
            )),
        }
        for line in &lines {
            for line in wrap(line, self.width, self.width) {
                writeln!(out, "{line}")?;
            }
        }
        Ok(())
    }

    fn styled(&self, style: Style, text: &str) -> String {
        if !self.look.color || text.is_empty() {
            return text.to_owned();
        }
        format!("{style}{text}{style:#}")
    }
}
