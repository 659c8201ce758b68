//! `personas:`, `roles:`, `toolsets:` and `surfaces:`: who may hold what, and where.

use std::sync::Arc;

use super::keyed::{Keyed, read_entries};
use super::keys::scope_key;
use super::lists::{ToolList, word_or_list};
use super::read::{Read, fields, words, wrong_type};
use super::words::{Effect, NoneWord};
use crate::diagnostic::Sink;
use crate::source::Spanned;
use crate::syntax::{Kind, Node};

fields! {
    /// A kind of person: what such a person may hold.
    Persona = "a persona" {
        /// What a person reads.
        req title: Spanned<String>,
        /// `none`: runs of such a person wear no harness and read only.
        opt harness: Spanned<NoneWord>,
        /// The tools such a person holds.
        req bundle: ToolList,
    }
}

fields! {
    /// A run role: which part of a harness a kind of run uses.
    Role = "a role" {
        /// What a person reads.
        opt title: Spanned<String>,
        /// `harness_toolset`, or a list of tools.
        req tools: RoleTools,
        /// The effects left; unsaid: all.
        opt effects: Spanned<Vec<Spanned<Effect>>>,
        /// Whether runs of this role read untrusted prose; such roles alone may hold a tool that returns it.
        opt reads_untrusted: Spanned<bool>,
    }
}

words! {
    /// The word for all that the run's harness holds.
    HarnessToolsetWord = "the word `harness_toolset`" {
        /// All that the run's harness holds.
        HarnessToolset = "harness_toolset",
    }
}

/// The tools of a role.
#[derive(Clone, Debug, schemars::JsonSchema)]
#[schemars(untagged)]
pub enum RoleTools {
    /// All that the run's harness holds.
    HarnessToolset(Spanned<HarnessToolsetWord>),
    /// Of what the run's harness holds, the tools named.
    List(ToolList),
}

impl Read for RoleTools {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        word_or_list(node, "a list of tools", sink).map(|read| match read {
            Ok(word) => Self::HarnessToolset(word),
            Err(list) => Self::List(list),
        })
    }
}

fields! {
    /// A door through which calls come.
    Surface = "a surface" {
        /// `outside`: its calls propose, and the kill switch refuses them.
        opt origin: Spanned<Origin>,
        /// What a caller may be granted here. Unsaid: whatever names this surface.
        opt scopes: Scopes,
        /// The scopes left to the turn that follows an approval.
        opt after_approval: Vec<Spanned<String>>,
    }
}

words! {
    /// Whose calls a surface carries.
    Origin = "an origin" {
        /// Our own agent's.
        Inside = "inside",
        /// An outside model's.
        Outside = "outside",
    }
}

fields! {
    /// What a scope lets its bearer do.
    Scope = "a scope" {
        /// The effects granted.
        req effects: Vec<Spanned<Effect>>,
        /// How many steps a run with this scope takes at most.
        opt steps: Spanned<u64>,
    }
}

/// Scopes by their names, which may hold colons.
#[derive(Clone, Debug, Default, schemars::JsonSchema)]
#[schemars(transparent)]
pub struct Scopes(pub Keyed<Scope>);

impl Read for Scopes {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        let Kind::Map(entries) = &node.kind else {
            wrong_type(node, "a mapping from scope to what it grants", sink);
            return None;
        };
        Some(Self(read_entries(entries, scope_key, sink)))
    }
}
