//! `harnessc explain`: a rule's page.

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::Format;
use super::outcome::{Said, Trouble, code};
use super::session::Session;
use super::style;
use crate::report::{Look, Table, wrap};
use crate::rules::{self, RULES, Rule};

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// The rule, as a finding names it
    #[arg(required_unless_present = "all")]
    rule: Option<String>,
    /// Every rule in one line
    #[arg(long, conflicts_with = "rule")]
    all: bool,
}

/// What `explain --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ExplainReport {
    /// The version of this format, 1.
    version: u32,
    /// The rules, by name.
    rules: Vec<ExplainRule>,
}

/// One rule.
#[derive(Debug, Serialize, JsonSchema)]
struct ExplainRule {
    /// Its name.
    id: String,
    /// `forbid`, `deny` or `warn`; of several, the one that holds where a finding states none.
    level: String,
    /// All of its levels.
    levels: Vec<String>,
    /// When it holds, in one sentence.
    summary: String,
    /// Whether some of its findings bring an edit that mends them.
    fixable: bool,
    /// Where the rule comes from.
    source: String,
    /// The whole page in Markdown, where one rule was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
}

pub(super) fn run(session: &Session, args: &ExplainArgs) -> Result<Said, Trouble> {
    let mut said = Said { code: code::CLEAN, ..Said::default() };
    let rule = match &args.rule {
        None => None,
        Some(id) => Some(rules::rule(id).ok_or_else(|| {
            let known = RULES.iter().map(|rule| rule.id.0);
            Trouble::unknown("rule", id, known, "`harnessc explain --all` lists them")
        })?),
    };
    match (session.global.format, rule) {
        (Format::Json, rule) => {
            let rules = rule.map_or_else(
                || RULES.iter().map(|rule| entry(rule, false)).collect(),
                |rule| vec![entry(rule, true)],
            );
            said.json(&ExplainReport { version: 1, rules });
        }
        (Format::Short, rule) => {
            for rule in RULES.iter().filter(|one| rule.is_none_or(|rule| rule.id == one.id)) {
                said.line(format!("{}: {}: {}", rule.id, levels(rule).join(", "), rule.page().summary));
            }
        }
        (_, Some(rule)) => said.out.push_str(&page(rule.text(), session.terminal.out)),
        (_, None) => {
            let mut table = Table::new(["rule", "level", "it holds when"]);
            for rule in RULES {
                let page = rule.page();
                table.push([rule.id.0, &levels(rule).join(", "), &page.summary]);
            }
            said.out.push_str(&table.render(session.terminal.out.width));
        }
    }
    Ok(said)
}

fn levels(rule: &Rule) -> Vec<&'static str> {
    rule.page().levels.into_iter().map(crate::diagnostic::Level::word).collect()
}

fn entry(rule: &Rule, whole: bool) -> ExplainRule {
    let page = rule.page();
    let levels: Vec<String> = levels(rule).into_iter().map(str::to_owned).collect();
    ExplainRule {
        id: rule.id.0.to_owned(),
        level: levels.first().cloned().unwrap_or_default(),
        levels,
        summary: page.summary,
        fixable: page.fixable,
        source: page.source.to_owned(),
        page: whole.then(|| rule.text().to_owned()),
    }
}

/// Markdown as a terminal shows it: headings stand out, prose is wrapped, examples are indented under their file's name.
fn page(text: &str, look: Look) -> String {
    let mut out = String::new();
    let mut prose = String::new();
    let mut fence = false;
    for line in text.lines() {
        if let Some(info) = line.strip_prefix("```") {
            flush(&mut prose, &mut out, look);
            fence = !fence;
            if fence {
                let name = info.split_once("file=").map_or(info, |(_, file)| file);
                let name = if name == "finding" { "harnessc finds" } else { name };
                push(&mut out, &style::dim(look, &format!("  {name}:")));
            }
        } else if fence {
            push(&mut out, format!("    {line}").trim_end());
        } else if let Some(heading) = line.strip_prefix('#') {
            flush(&mut prose, &mut out, look);
            push(&mut out, &style::bold(look, heading.trim_start_matches('#').trim()));
        } else if line.trim().is_empty() {
            flush(&mut prose, &mut out, look);
            if !out.ends_with("\n\n") {
                out.push('\n');
            }
        } else if is_own_line(line) {
            flush(&mut prose, &mut out, look);
            prose.push_str(line);
        } else {
            if !prose.is_empty() {
                prose.push(' ');
            }
            prose.push_str(line.trim());
        }
    }
    flush(&mut prose, &mut out, look);
    out
}

/// Whether a line of prose starts anew: a field of the page's head, or an item of a list.
fn is_own_line(line: &str) -> bool {
    ["level:", "fixable:", "source:", "- ", "* ", "|"]
        .iter()
        .any(|start| line.trim_start().starts_with(start))
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

fn flush(prose: &mut String, out: &mut String, look: Look) {
    if !prose.is_empty() {
        let indent = if prose.starts_with("- ") || prose.starts_with("* ") { "  " } else { "" };
        let lines = wrap(prose, look.width, look.width.saturating_sub(indent.len()));
        push(out, &lines.join(&format!("\n{indent}")));
        prose.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_wrapped_and_examples_are_not() {
        let text = "# some-rule\n\nlevel: deny\nfixable: no\n\nAll is\nwell.\n\n- one\n  item\n\n```yaml file=a.yaml\nlong: but left as it is, however long\n```\n";
        let look = Look { width: 12, ..Look::default() };
        assert_eq!(
            page(text, look),
            "some-rule\n\nlevel: deny\nfixable: no\n\nAll is well.\n\n- one item\n\n  a.yaml:\n    long: but left as it is, however long\n"
        );
    }
}
