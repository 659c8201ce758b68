//! Lists of tools, in the three forms that every such list takes.

use std::sync::Arc;

use super::read::{Read, fields, wrong_type};
use super::scalars::SchemaText;
use super::words::Approval;
use crate::diagnostic::Sink;
use crate::model::keyed::Keyed;
use crate::source::{Span, Spanned};
use crate::syntax::{Kind, Node};

fields! {
    /// A tool held more tightly than its registry entry says.
    Mention = "a tool in a list" {
        /// The tool, or one case of it as `tool/case`.
        req tool: Spanned<String>,
        /// Tighter input: input name to the schema it must also meet. The inputs named become required.
        opt only: Keyed<SchemaText>,
        /// The cases held; unsaid: all.
        opt cases: Vec<Spanned<String>>,
        /// A stricter approval than the tool's own.
        opt approval: Spanned<Approval>,
    }
}

fields! {
    /// A list of tools by its name.
    ToolsetMention = "a toolset in a list" {
        /// A key of `toolsets:`.
        req toolset: Spanned<String>,
    }
}

/// One item of a list of tools.
#[derive(Clone, Debug, schemars::JsonSchema)]
#[schemars(untagged)]
pub enum ToolItem {
    /// A tool, or one case of it as `tool/case`.
    Tool(Spanned<String>),
    /// All that a toolset holds.
    Toolset(ToolsetMention),
    /// A tool with what is held of it.
    Held(Mention),
}

impl Read for ToolItem {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        match &node.kind {
            Kind::Text(text, _) => Some(Self::Tool(Spanned::new(text.clone(), node.span))),
            Kind::Map(_) if node.get("toolset").is_some() => {
                ToolsetMention::read(node, sink).map(Self::Toolset)
            }
            Kind::Map(_) => Mention::read(node, sink).map(Self::Held),
            _ => {
                wrong_type(node, "a tool's name, `{toolset: NAME}` or `{tool: NAME, …}`", sink);
                None
            }
        }
    }
}

/// A list of tools with the place of the whole.
pub type ToolList = Spanned<Vec<ToolItem>>;

/// What a harness holds.
#[derive(Clone, Debug, schemars::JsonSchema)]
#[schemars(untagged)]
pub enum Toolset {
    /// What all its personas hold today.
    PersonaBundle(PersonaBundle),
    /// The tools named.
    List(ToolList),
}

super::read::words! {
    /// The word for what all of a harness's personas hold.
    PersonaBundleWord = "the word `persona_bundle`" {
        /// The intersection of its personas' bundles.
        PersonaBundle = "persona_bundle",
    }
}

/// Where `persona_bundle` is written.
pub type PersonaBundle = Spanned<PersonaBundleWord>;

impl Toolset {
    /// Where it is written.
    pub fn span(&self) -> Span {
        match self {
            Self::PersonaBundle(word) => word.span,
            Self::List(list) => list.span,
        }
    }
}

impl Read for Toolset {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        word_or_list(node, "a list of tools", sink).map(|read| match read {
            Ok(word) => Self::PersonaBundle(word),
            Err(list) => Self::List(list),
        })
    }
}

/// Two ways to say what is meant: a word, or a list or a record in its place; `other` names the latter in a message.
pub(crate) fn word_or_list<W, L>(node: &Arc<Node>, other: &str, sink: &mut Sink) -> Option<Result<W, L>>
where
    W: Read,
    L: Read,
{
    match &node.kind {
        Kind::Text(..) => word_before_list(node, other, sink).map(Ok),
        _ => L::read(node, sink).map(Err),
    }
}

/// Reads the word; whoever wrote another one is told of both forms, since the other may be what was meant.
fn word_before_list<W: Read>(node: &Arc<Node>, other: &str, sink: &mut Sink) -> Option<W> {
    let mut found = sink.beside();
    let read = W::read(node, &mut found);
    for mut finding in found.into_found() {
        finding.message.push_str(&format!(" and not {other}"));
        finding.help = finding.help.map(|help| format!("{help}, or {other}"));
        sink.push(finding);
    }
    read
}
