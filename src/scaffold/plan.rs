//! Which file a new definition goes into, and what the file then says.

use std::collections::BTreeMap;

use harnessc_runtime::lock;

use super::definition::{self, indented};
use super::insert::behind;
use super::modeline::modeline;
use super::names::is_key;
use crate::model::words::Effect;
use crate::rules::Cx;
use crate::source::Span;

/// What can be begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What an agent wears.
    Harness,
    /// A tool of our own.
    Tool,
    /// What is asked of a record.
    Rubric,
    /// A kind of person.
    Persona,
}

impl Kind {
    /// The section that holds such definitions.
    pub fn section(self) -> &'static str {
        match self {
            Self::Harness => "harnesses",
            Self::Tool => "tools",
            Self::Rubric => "rubrics",
            Self::Persona => "personas",
        }
    }

    /// "tool".
    pub fn noun(self) -> &'static str {
        match self {
            Self::Harness => "harness",
            Self::Tool => "tool",
            Self::Rubric => "rubric",
            Self::Persona => "persona",
        }
    }
}

/// Files and their whole new texts, by path relative to the manifest.
pub type Scaffold = BTreeMap<String, String>;

/// Why nothing is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The key is none.
    BadKey,
    /// There is such a definition already.
    Exists(Span),
    /// The file that it would go into is there and holds something else, or is not written one entry a line.
    Occupied(String),
    /// There is no tool yet that it could hold.
    NoTool,
}

/// The files that a new definition changes or brings.
///
/// # Errors
/// The key cannot stand, or there is no place for it.
pub fn plan(cx: &Cx<'_>, kind: Kind, key: &str, effect: Effect) -> Result<Scaffold, Refusal> {
    if !is_key(key) {
        return Err(Refusal::BadKey);
    }
    if let Some(span) = defined(cx, kind, key) {
        return Err(Refusal::Exists(span));
    }
    let (entry, home, mut files) = match kind {
        Kind::Tool => (definition::tool(key, effect), tool_file(cx, key), Scaffold::new()),
        Kind::Rubric => (definition::rubric(key), own_file(kind, key), Scaffold::new()),
        Kind::Persona => (definition::persona(key, &least(cx, None)?), persona_file(cx), Scaffold::new()),
        Kind::Harness => {
            let (harness, prompt) = harness(cx, key)?;
            (definition::harness(&harness), own_file(kind, key), prompt)
        }
    };
    let text = match text_at(cx, &home) {
        Some(text) => inserted(cx, &home, &text, kind, &entry).ok_or(Refusal::Occupied(home.clone()))?,
        None => whole(cx, &home, kind, key, &entry),
    };
    files.insert(home, text);
    Ok(files)
}

fn defined(cx: &Cx<'_>, kind: Kind, key: &str) -> Option<Span> {
    match kind {
        Kind::Harness => cx.model.harnesses.get(key).map(|def| def.key.span),
        Kind::Tool => cx.model.tools.get(key).map(|def| def.key.span),
        Kind::Rubric => cx.model.rubrics.get(key).map(|def| def.key.span),
        Kind::Persona => cx.model.personas.get(key).map(|def| def.key.span),
    }
}

/// One definition, one file, named by its key.
fn own_file(kind: Kind, key: &str) -> String {
    format!("{}/{key}.yaml", kind.section())
}

/// Where tools of the same subject stand, else a file of the subject's own.
fn tool_file(cx: &Cx<'_>, key: &str) -> String {
    let subject = subject(key);
    let own = cx.model.tools.iter().filter(|tool| tool.from.is_none());
    let alike = own.rev().find(|tool| self::subject(&tool.key.value) == subject);
    alike.map_or_else(|| format!("tools/{subject}.yaml"), |tool| path(cx, tool.key.span))
}

/// `tickets` of `tickets.close`, `ticket` of `ticket_resolve`.
fn subject(key: &str) -> &str {
    key.split(['.', '_', '-']).find(|part| !part.is_empty()).unwrap_or("tools")
}

fn persona_file(cx: &Cx<'_>) -> String {
    let last = cx.model.personas.iter().next_back();
    last.map_or_else(|| "policies/personas.yaml".to_owned(), |persona| path(cx, persona.key.span))
}

fn path(cx: &Cx<'_>, span: Span) -> String {
    cx.tree.sources.path(span.file).to_owned()
}

fn text_at(cx: &Cx<'_>, path: &str) -> Option<String> {
    cx.tree.sources.iter().find(|(_, file)| file.path == path).map(|(_, file)| file.text.to_string())
}

fn inserted(cx: &Cx<'_>, path: &str, text: &str, kind: Kind, entry: &str) -> Option<String> {
    let document =
        cx.tree.documents.iter().find(|document| cx.tree.sources.path(document.span.file) == path)?;
    behind(text, document, kind.section(), entry)
}

/// A new file: what the editor checks it by, what it holds, the definition.
fn whole(cx: &Cx<'_>, path: &str, kind: Kind, key: &str, entry: &str) -> String {
    let holds = match kind {
        Kind::Harness => format!("What an agent wears as `{key}`: the tools it may call, and no others."),
        Kind::Tool => format!("Tools: {}.", subject(key)),
        Kind::Rubric => {
            format!("What `{key}` asks of a record. No answer stands without the evidence it names.")
        }
        Kind::Persona => "Kinds of person, and the most that each may hold.".to_owned(),
    };
    format!("{}# {holds}\n\n{}:\n{}", modeline(cx.tree, path), kind.section(), indented(entry))
}

/// The new harness, and its prompt where the tree has prompts.
fn harness<'a>(cx: &Cx<'_>, key: &'a str) -> Result<(definition::Harness<'a>, Scaffold), Refusal> {
    let personas = &cx.model.personas;
    let worn = |persona: &&crate::model::Def<crate::model::people::Persona>| persona.harness.is_none();
    let wearer =
        personas.get(key).or_else(|| personas.iter().find(worn)).map(|persona| persona.key.value.as_str());
    let neutral = wearer == Some(key);
    let tools = if neutral { None } else { Some(least(cx, wearer)?) };
    let version = cx.model.manifest.policy.as_ref().and_then(|policy| policy.prompt_version.as_ref());
    let prompt = version.map(|_| format!("harness/{key}.txt"));
    let mut files = Scaffold::new();
    if let (Some(version), Some(prompt)) = (version, &prompt) {
        let path = format!("prompts/{}/{prompt}", version.value);
        if text_at(cx, &path).is_none() {
            files.insert(path, definition::prompt(key));
        }
    }
    let personas = wearer.map(str::to_owned).into_iter().collect();
    Ok((definition::Harness { key, personas, prompt, tools }, files))
}

/// The least that a list of tools can name: what every harness holds, else one read, within the persona's bundle.
fn least(cx: &Cx<'_>, persona: Option<&str>) -> Result<Vec<String>, Refusal> {
    let always = cx.model.approvals.always_allowed.iter().flat_map(|list| list.iter());
    let always: Vec<String> = always.map(|name| name.value.clone()).collect();
    if !always.is_empty() {
        return Ok(always);
    }
    let bundle = persona.and_then(|persona| cx.policy.personas.get(persona));
    let reads = cx.policy.registry.deeds().filter(|(id, deed)| {
        let tool = cx.policy.registry.tool(deed.tool);
        deed.effect == lock::Effect::Read
            && tool.is_some_and(|tool| tool.enabled && !tool.is_prose())
            && bundle.is_none_or(|bundle| bundle.deeds.contains(id))
    });
    let read = reads.map(|(_, deed)| deed.name.clone()).next();
    read.map(|name| vec![name]).ok_or(Refusal::NoTool)
}
