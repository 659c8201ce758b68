//! What an import came to, for people and for machines.

use std::fmt;

use harnessc_runtime::lock::Effect;
use schemars::JsonSchema;
use serde::Serialize;

use super::judge::Proposal;
use super::names::LeftOut;
use super::{Form, Import, Remark, Setting, text};

/// What an import came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Report {
    /// The server's key.
    pub server: String,
    /// How the list was written.
    pub form: Form,
    /// How many pages it came on.
    pub pages: usize,
    /// How many other answers and notices stood beside them; they are not pinned.
    pub passed_over: usize,
    /// Whether the pinned file is what was handed in, byte for byte.
    pub as_published: bool,
    /// How many tools the list holds.
    pub published: usize,
    /// The tools that have a line in the overlay, by name.
    pub tools: Vec<Proposal>,
    /// Those that have none, in the order of the list.
    pub left_out: Vec<LeftOut>,
    /// What a person should look at.
    pub remarks: Vec<Remark>,
    #[serde(skip)]
    setting: Setting,
}

impl Import {
    /// What the import comes to beside what the tree has.
    pub fn report(&self, setting: &Setting) -> Report {
        let (tools, left_out) = self.settle(setting);
        Report {
            server: setting.server.clone(),
            form: self.form,
            pages: self.pages,
            passed_over: self.passed_over,
            as_published: self.as_published,
            published: self.published,
            tools: tools.into_iter().cloned().collect(),
            left_out,
            remarks: self.remarks.iter().cloned().chain(self.unlisted(setting, None)).collect(),
            setting: setting.clone(),
        }
    }
}

impl Report {
    fn counts(&self) -> String {
        let count = |wanted: Effect| self.tools.iter().filter(|tool| tool.effect == wanted).count();
        [Effect::Read, Effect::Write, Effect::Destructive]
            .into_iter()
            .map(|effect| (count(effect), effect.word()))
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn pinned(&self) -> &'static str {
        match (self.as_published, self.form, self.pages) {
            (true, ..) => "pinned as published",
            (_, Form::Mcp, 1) => "pinned as a plain list, each tool's text as it came",
            (_, Form::Mcp, _) => "pinned as one list, each tool's text as it came",
            _ => "pinned as an MCP server would publish it, each name, description and schema as it came",
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = text::name(&self.server);
        if self.published == 0 {
            return writeln!(f, "{server} publishes no tools; the empty list is {}", self.pinned());
        }
        let published = text::counted(self.published, "tool");
        writeln!(f, "{server} publishes {published}; the list is {}", self.pinned())?;
        if self.passed_over > 0 {
            let others = text::counted(self.passed_over, "other message");
            writeln!(f, "passed over: {others} in the same text")?;
        }
        match self.tools.len() {
            0 => writeln!(f, "none of them is registered")?,
            count => writeln!(f, "{} registered: {}", count, self.counts())?,
        }
        left_out(f, "not registered, for a person to settle:", &self.left_out, &self.setting)?;
        remarks(f, "to be looked at:", &self.remarks)
    }
}

/// Tools without a line, each with its reason and what could be written instead.
pub(super) fn left_out(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    list: &[LeftOut],
    setting: &Setting,
) -> fmt::Result {
    if !list.is_empty() {
        writeln!(f, "{title}")?;
    }
    for one in list {
        writeln!(f, "  {}: {}", one.called(), one.text)?;
        if let Some(instead) = one.instead(setting) {
            writeln!(f, "    under another key: {instead}")?;
        }
    }
    Ok(())
}

/// Remarks, one a line.
pub(super) fn remarks(f: &mut fmt::Formatter<'_>, title: &str, list: &[Remark]) -> fmt::Result {
    if !list.is_empty() {
        writeln!(f, "{title}")?;
    }
    for remark in list {
        let at = if remark.at.is_empty() { String::new() } else { format!(" {}", text::name(&remark.at)) };
        writeln!(f, "  {}{at}: {}", text::name(&remark.tool), remark.text)?;
    }
    Ok(())
}
