//! `tools:` and `servers:`: the registry.

use std::sync::Arc;

use super::keyed::Keyed;
use super::read::{Read, fields, wrong_type};
use super::scalars::{Raw, SchemaText};
use super::words::{Approval, Effect, NoneWord, Preview, Returns};
use crate::diagnostic::Sink;
use crate::source::Spanned;
use crate::syntax::{Kind, Node};

fields! {
    /// One tool of the registry: of our own, or, with `from`, what the policy adds to a pinned tool of an outside server.
    Tool = "a tool" {
        /// What a person reads; at most 120 characters.
        own title: Spanned<String>,
        /// What the model reads: what comes back and what it is for.
        own description: Spanned<String>,
        /// What it does to the world. Unsaid: destructive.
        deed effect: Spanned<Effect>,
        /// Who must agree; unsaid: what its tier says.
        opt approval: Spanned<Approval>,
        /// What an approver sees; unsaid: the exact input and its target.
        opt preview: Spanned<Preview>,
        /// How it is taken back: a list of `snapshot` and `{by: TOOL}`, or `none`.
        opt undo: Spanned<Undo>,
        /// Whether it may be used at all; unsaid: true.
        opt enabled: Spanned<bool>,
        /// The surfaces that show it; unsaid: all.
        opt surfaces: Vec<Spanned<String>>,
        /// The schema of its input.
        own input: SchemaText,
        /// Input name to `run.FIELD`: the call's value must equal the run's.
        opt bind: Keyed<Spanned<String>>,
        /// Why the tool has no target to bind.
        opt unbound: Spanned<String>,
        /// What it gives back. Unsaid: structured where `output` stands, else prose for a read and none otherwise.
        opt returns: Spanned<Returns>,
        /// The schema of what it gives back; closed when compiled.
        opt output: SchemaText,
        /// The outside server it comes from, as `server` or `server/name-there`.
        opt from: Spanned<String>,
        /// Several deeds told apart by one input: the input's name to its values, each with an effect.
        opt cases: Spanned<Keyed<Keyed<Case>>>,
        /// Never allowed: a harness names its tools, a tool never its harnesses.
        hid harnesses: Raw,
    }
}

fields! {
    /// A case that says more than its effect.
    CaseFields = "a case" {
        /// What this deed does to the world.
        req effect: Spanned<Effect>,
        /// Who must agree.
        opt approval: Spanned<Approval>,
        /// How it is taken back.
        opt undo: Spanned<Undo>,
        /// What an approver sees.
        opt preview: Spanned<Preview>,
    }
}

/// One deed of a tool that does several.
#[derive(Clone, Debug, schemars::JsonSchema)]
#[schemars(untagged)]
pub enum Case {
    /// Its effect alone.
    Effect(Spanned<Effect>),
    /// Its effect and more.
    Fields(CaseFields),
}

impl Read for Case {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        match &node.kind {
            Kind::Map(_) => CaseFields::read(node, sink).map(Self::Fields),
            _ => Spanned::read(node, sink).map(Self::Effect),
        }
    }
}

impl Case {
    /// Its effect, where it could be read.
    pub fn effect(&self) -> Option<&Spanned<Effect>> {
        match self {
            Self::Effect(effect) => Some(effect),
            Self::Fields(fields) => fields.effect.as_ref(),
        }
    }

    /// What it says beside its effect.
    pub fn fields(&self) -> Option<&CaseFields> {
        match self {
            Self::Effect(_) => None,
            Self::Fields(fields) => Some(fields),
        }
    }
}

/// How a deed is taken back.
#[derive(Clone, Debug, schemars::JsonSchema)]
#[schemars(untagged)]
pub enum Undo {
    /// It is not.
    None(NoneWord),
    /// In each of these ways.
    Ways(Vec<Spanned<UndoWay>>),
}

/// One way of taking a deed back.
#[derive(Clone, Debug, schemars::JsonSchema)]
#[schemars(untagged)]
pub enum UndoWay {
    /// A pre-image is kept before the deed (seed 000).
    Snapshot(SnapshotWord),
    /// Another tool takes it back.
    By(UndoBy),
}

super::read::words! {
    /// The word for a pre-image.
    SnapshotWord = "a way of undoing" {
        /// A pre-image is kept.
        Snapshot = "snapshot",
    }
}

fields! {
    /// A tool that takes a deed back.
    UndoBy = "a way of undoing" {
        /// The tool, or one case of it.
        req by: Spanned<String>,
    }
}

impl Read for Undo {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        match &node.kind {
            Kind::Text(text, _) if text == "none" => Some(Self::None(NoneWord::None)),
            Kind::List(_) => Vec::read(node, sink).map(Self::Ways),
            _ => {
                wrong_type(node, "a list of `snapshot` and `{by: TOOL}`, or the word `none`", sink);
                None
            }
        }
    }
}

impl Read for UndoWay {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        match &node.kind {
            Kind::Map(_) => UndoBy::read(node, sink).map(Self::By),
            _ => SnapshotWord::read(node, sink).map(Self::Snapshot),
        }
    }
}

impl Undo {
    /// The tools or cases that take the deed back.
    pub fn by(&self) -> impl Iterator<Item = &Spanned<String>> {
        let ways: &[Spanned<UndoWay>] = match self {
            Self::None(_) => &[],
            Self::Ways(ways) => ways,
        };
        ways.iter().filter_map(|way| match &way.value {
            UndoWay::By(undo) => undo.by.as_ref(),
            UndoWay::Snapshot(_) => None,
        })
    }

    /// Whether a pre-image is kept.
    pub fn snapshot(&self) -> bool {
        matches!(self, Self::Ways(ways) if ways.iter().any(|way| matches!(way.value, UndoWay::Snapshot(_))))
    }
}

fields! {
    /// An outside server whose list of tools is pinned as it was published.
    Server = "a server" {
        /// The pinned list, a file under `vendor/`.
        req tools: Spanned<String>,
        /// Where it is reached.
        opt url: Spanned<String>,
        /// How it is started.
        opt command: Vec<Spanned<String>>,
    }
}
