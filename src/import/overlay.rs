//! The overlay: one line a tool, each with the reason for what it says.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use harnessc_runtime::lock::Effect;

use super::judge::{Case, Proposal};
use super::names::{LeftOut, Looks, Why};
use super::{Import, Remark, RemarkKind, Setting, text};
use crate::diagnostic::Sink;
use crate::policy::{UNSAID, VAGUE};
use crate::source::Sources;
use crate::syntax::{Kind, Node, Style, yaml};

/// So many tools must require an input before the overlay suggests to bind it.
const WORTH_BINDING: usize = 3;

impl Import {
    /// The overlay file for `tools/<server>.yaml`, with the `servers:` entry where the tree has none.
    pub fn overlay(&self, setting: &Setting) -> String {
        let (tools, left_out) = self.settle(setting);
        let mut out = self.heading(setting, &tools);
        if !setting.known {
            let pin = text::scalar(&setting.pin_path());
            let _ = write!(out, "\nservers:\n  {}: {{tools: {pin}}}\n", text::scalar(&setting.server));
        }
        if !tools.is_empty() {
            out.push_str("\ntools:\n");
        }
        for tool in &tools {
            let _ = writeln!(out, "  {}", line(tool, setting, &self.remarks));
        }
        out + &set_aside(&left_out, setting)
    }

    /// The tools that get a line beside what the tree has, and all that do not.
    pub(super) fn settle(&self, setting: &Setting) -> (Vec<&Proposal>, Vec<LeftOut>) {
        let own = |key: &&String| !setting.overlaid.values().any(|keys| keys.contains(*key));
        let others: Vec<&str> = setting.keys.iter().filter(own).map(String::as_str).collect();
        let looks = Looks::of(others.iter().copied());
        let mut left_out = self.left_out.clone();
        let mut tools = Vec::new();
        for tool in &self.tools {
            let other =
                others.iter().copied().find(|key| *key == tool.name).or_else(|| looks.like(&tool.name));
            match other {
                None => tools.push(tool),
                Some(other) => left_out.push(taken(tool, other, setting, self.place(&tool.name))),
            }
        }
        left_out.sort_by(|a, b| (a.item, &a.name).cmp(&(b.item, &b.name)));
        (tools, left_out)
    }

    fn place(&self, name: &str) -> usize {
        let span = self.list.tools.get(name).map(|tool| tool.node.span.start);
        1 + self.list.tools.values().filter(|tool| Some(tool.node.span.start) < span).count()
    }

    fn heading(&self, setting: &Setting, tools: &[&Proposal]) -> String {
        let server = text::name(&setting.server);
        let mut out =
            format!("# The tools of {server}: {} published, {} here.\n", self.published, tools.len());
        out += "# A tool is a read where its server says so and nothing about it says otherwise; every other one asks a person\n";
        out += "# first. No harness holds any of them before it names it. What a line says is yours to change from here on.\n";
        out + &bind_hint(tools, setting)
    }
}

/// What a run could be about, where many tools require the same input.
fn bind_hint(tools: &[&Proposal], setting: &Setting) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (input, _) in tools.iter().flat_map(|tool| &tool.inputs).filter(|(_, required)| *required) {
        *counts.entry(input).or_default() += 1;
    }
    let worth = |(input, count): &(&str, usize)| {
        *count >= WORTH_BINDING
            && count * 4 >= tools.len()
            && super::names::is_name(input)
            && !VAGUE.contains(input)
            && !setting.bound.contains(*input)
    };
    let mut found: Vec<(&str, usize)> = counts.into_iter().filter(worth).collect();
    found.sort_by(|a, b| (b.1, a.0).cmp(&(a.1, b.0)));
    found.truncate(3);
    if found.is_empty() {
        return String::new();
    }
    let names: Vec<String> =
        found.iter().map(|(input, count)| format!("{} ({count} tools)", text::name(input))).collect();
    let binds: Vec<String> =
        found.iter().map(|(input, _)| format!("{}: run.{input}", text::scalar(input))).collect();
    format!(
        "#\n# Many of them require {}. Where a run is about one such thing, state it under `run:`,\n\
         #   bind: {{{}}}\n# and take `unbound` off those tools.\n",
        names.join(" and "),
        binds.join(", ")
    )
}

/// One tool's line, without indentation and line end.
pub(super) fn line(tool: &Proposal, setting: &Setting, remarks: &[Remark]) -> String {
    let (name, why) = (text::scalar(&tool.name), why(tool, remarks));
    format!("{name}: {}  # {why}", body(tool, &tool.name, setting))
}

/// What the comment behind a line says.
pub(super) fn why(tool: &Proposal, remarks: &[Remark]) -> String {
    let mut why = tool.reasons.join(", ");
    for (kind, said) in [
        (RemarkKind::HiddenCharacter, "holds hidden characters"),
        (RemarkKind::SpeaksToModel, "its text speaks to the model"),
    ] {
        if remarks.iter().any(|remark| remark.kind == kind && remark.tool == tool.name) {
            why += ", ";
            why += said;
        }
    }
    why
}

/// `existing` with the comments that an import wrote, and nobody changed since, as it would write them now: behind the line
/// of a key, from one of the old texts to the new one. Everything else stays byte for byte.
pub(super) fn restated(existing: &str, comments: &[Comment]) -> String {
    let mut text = String::with_capacity(existing.len());
    for line in existing.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let end = line.get(bare.len()..).unwrap_or("");
        let told = comments.iter().find_map(|comment| {
            let mine = bare.trim_start().starts_with(&format!("{}: {{", text::scalar(&comment.key)));
            let old = comment.old.iter().find_map(|old| bare.strip_suffix(&format!("}}  # {old}")));
            old.filter(|_| mine).map(|body| format!("{body}}}  # {}{end}", comment.new))
        });
        text.push_str(told.as_deref().unwrap_or(line));
    }
    text
}

/// What stands behind a key's line, before and after a change of the published tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comment {
    pub(super) key: String,
    /// As a first import wrote it, and as a later one did where the tool was new.
    pub(super) old: [String; 2],
    pub(super) new: String,
}

/// `{from: …, effect: …}` for a tool that stands under `key`.
fn body(tool: &Proposal, key: &str, setting: &Setting) -> String {
    let server = &setting.server;
    let from = if key == tool.name { server.clone() } else { format!("{server}/{}", tool.name) };
    let mut parts = vec![format!("from: {}", text::scalar(&from))];
    match &tool.cases {
        None => parts.push(format!("effect: {}", tool.effect.word())),
        Some(cases) => {
            let told = |case: &Case| format!("{}: {}", text::scalar(&case.value), case.effect.word());
            let values: Vec<String> = cases.values.iter().map(told).collect();
            parts.push(format!("cases: {{{}: {{{}}}}}", text::scalar(&cases.input), values.join(", ")));
        }
    }
    if tool.effect == Effect::Destructive {
        parts.push("undo: none".to_owned());
    }
    let is_bound = tool.inputs.iter().any(|(input, _)| setting.bound.contains(input));
    if tool.effect != Effect::Read && !is_bound {
        let reason = format!("imported from {server}; {UNSAID}");
        parts.push(format!("unbound: {}", text::quoted(&reason)));
    }
    format!("{{{}}}", parts.join(", "))
}

fn taken(tool: &Proposal, other: &str, setting: &Setting, item: usize) -> LeftOut {
    let key = format!("{}.{}", setting.server, tool.name);
    let free = super::names::is_name(&key) && !setting.keys.contains(&key);
    let text = if other == tool.name {
        "the tree has a tool of that key already".to_owned()
    } else {
        format!("it is taken for {}, which the tree has already", text::name(other))
    };
    LeftOut { name: tool.name.clone(), item, why: Why::Taken, text, key: free.then_some(key) }
}

/// What is left out, as comments.
fn set_aside(left_out: &[LeftOut], setting: &Setting) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let mut out = String::from("\n# Pinned, and not registered:\n");
    for one in left_out {
        let _ = writeln!(out, "#   {}: {}", one.called(), one.text);
        if let Some(instead) = one.instead(setting) {
            let _ = writeln!(out, "#     {instead}");
        }
    }
    out
}

impl LeftOut {
    /// Its name in backticks, or its place in the list.
    pub(super) fn called(&self) -> String {
        if self.name.is_empty() { format!("item {} of the list", self.item) } else { text::name(&self.name) }
    }

    /// The line under which it could stand.
    pub(super) fn instead(&self, setting: &Setting) -> Option<String> {
        let key = self.key.as_ref()?;
        let from = text::scalar(&format!("{}/{}", setting.server, self.name));
        Some(format!("{}: {{from: {from}, effect: destructive, undo: none}}", text::scalar(key)))
    }
}

/// `existing` with further lines at the end of its `tools:` section, where that is the last one and written a line a key;
/// nothing where a person had better put them there.
pub(super) fn appended(existing: &str, lines: &[String]) -> Option<String> {
    let mut sink = Sink::default();
    let file = Sources::default().add("overlay", "");
    let document = yaml::read(file, existing, &mut sink);
    let Kind::Map(sections) = &document.root.as_ref()?.kind else { return None };
    let last = sections.last().filter(|section| section.key.value == "tools" && sink.is_empty())?;
    let column = match last.value.kind {
        Kind::Null => 2,
        _ => block_column(existing, &last.value)?,
    };
    let end = if existing.contains("\r\n") { "\r\n" } else { "\n" };
    let mut text = existing.to_owned();
    if !text.ends_with('\n') {
        text.push_str(end);
    }
    for line in lines {
        text.push_str(&" ".repeat(column));
        text.push_str(line);
        text.push_str(end);
    }
    let before = keys(&last.value).map_or(0, <[_]>::len);
    let again = yaml::read(file, &text, &mut sink);
    let tools = &again.root.as_ref()?.get("tools")?.value;
    (sink.is_empty() && keys(tools)?.len() == before + lines.len()).then_some(text)
}

/// The indentation of a mapping that is written a line a key.
fn block_column(text: &str, node: &Node) -> Option<usize> {
    let first = keys(node)?.first()?.key.span.start as usize;
    let before = text.get(..first)?;
    let indent = before.rsplit('\n').next()?;
    (!indent.is_empty() && indent.chars().all(|c| c == ' ')).then_some(indent.len())
}

fn keys(node: &Node) -> Option<&[crate::syntax::Entry]> {
    match &node.kind {
        Kind::Map(entries) => Some(entries),
        Kind::Text(_, Style::Plain | Style::Quoted | Style::Block) | Kind::Null | Kind::Bool(_) => None,
        Kind::Number(_) | Kind::List(_) => None,
    }
}
