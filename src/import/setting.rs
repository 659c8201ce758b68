//! What a tree has already: under which names an import may put its tools there.

use std::collections::{BTreeMap, BTreeSet};

use super::Import;
use super::names;
use super::refusal::Refusal;
use super::text;
use crate::model::tools::Tool;
use crate::model::{Def, Model};
use crate::policy::{Policy, Vendored};
use crate::tree::Tree;

/// The server's key and what stands in the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    pub(super) server: String,
    /// Whether `servers:` names it already.
    pub(super) known: bool,
    /// Where its list is pinned, where `servers:` says so.
    pin: Option<String>,
    /// Tool keys of the tree.
    pub(super) keys: BTreeSet<String>,
    /// The server's tools that have a line, by published name, with the keys of the lines.
    pub(super) overlaid: BTreeMap<String, BTreeSet<String>>,
    /// The server's tools that some harness holds, by published name, with the harnesses.
    pub(super) held: BTreeMap<String, BTreeSet<String>>,
    /// By published name, the lines that split a tool into cases.
    pub(super) cases: BTreeMap<String, Vec<Split>>,
    /// The inputs that the tree's `bind:` names.
    pub(super) bound: BTreeSet<String>,
}

/// A line of the tree that splits a tool into cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// The tool's key.
    pub(super) key: String,
    /// The input that tells the cases apart.
    pub(super) input: String,
    /// The values that have a case.
    pub(super) values: BTreeSet<String>,
}

impl Split {
    /// Of a line that does not restate that input: whoever does has said which values there are.
    fn of(tool: &Def<Tool>) -> Option<Self> {
        let cases = tool.cases.as_ref()?.value.iter().next()?;
        let input = &cases.key.value;
        let stated = tool.input.as_ref().and_then(|own| own.0.get("properties"));
        let restated = stated.is_some_and(|properties| properties.value.get(input).is_some());
        let values = cases.value.iter().map(|case| case.key.value.clone()).collect();
        (!restated).then(|| Self { key: tool.key.value.clone(), input: input.clone(), values })
    }
}

impl Setting {
    /// An empty tree.
    ///
    /// # Errors
    /// `server` cannot be a key and a file's name.
    pub fn new(server: &str) -> Result<Self, Refusal> {
        if !names::is_name(server) || server.starts_with(['.', '-']) {
            return Err(Refusal::new(format!("{} cannot be a server's key", text::name(server)))
                .help("take a short name of `A-Z a-z 0-9 _ . -`, such as `github`"));
        }
        Ok(Self { server: server.to_owned(), ..Self::default() })
    }

    /// What a tree has.
    ///
    /// # Errors
    /// `server` cannot be a key and a file's name.
    pub fn of(server: &str, model: &Model) -> Result<Self, Refusal> {
        let mut setting = Self::new(server)?;
        if let Some(def) = model.servers.iter().find(|def| def.key.value == server) {
            setting.known = true;
            setting.pin =
                def.tools.as_ref().map(|tools| tools.value.clone()).filter(|path| may_be_pinned(path));
        }
        setting.bound = model.bind.iter().map(|def| def.key.value.clone()).collect();
        for tool in &model.tools {
            let key = &tool.key.value;
            setting.keys.insert(key.clone());
            let Some(from) = &tool.from else { continue };
            let (whose, name) = from.value.split_once('/').unwrap_or((&from.value, key));
            if whose == server {
                setting.overlaid.entry(name.to_owned()).or_default().insert(key.clone());
                if let Some(split) = Split::of(tool) {
                    setting.cases.entry(name.to_owned()).or_default().push(split);
                }
            }
        }
        Ok(setting)
    }

    /// With the harnesses that hold the server's tools.
    #[must_use]
    pub fn beside(mut self, policy: &Policy<'_>) -> Self {
        for (key, harness) in &policy.harnesses {
            let tools = harness.holds.keys().filter_map(|id| {
                let deed = policy.registry.deed(*id)?;
                policy.registry.tool(deed.tool)?.from
            });
            for (_, name) in tools.filter(|(server, _)| *server == self.server) {
                self.held.entry(name.to_owned()).or_default().insert((*key).to_owned());
            }
        }
        self
    }

    /// The server's key.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Where the list is pinned, relative to the manifest.
    pub fn pin_path(&self) -> String {
        self.pin.clone().unwrap_or_else(|| format!("vendor/{}.tools.json", self.server))
    }

    /// Where the overlay stands, relative to the manifest.
    pub fn overlay_path(&self) -> String {
        format!("tools/{}.yaml", self.server)
    }
}

/// The server of the tree whose pinned list has mostly the same tools, where `server` is none of the tree's, and how many
/// they share: a list that comes again under another file's name.
pub fn meant(list: &Import, server: &str, model: &Model, tree: &Tree) -> Option<(String, usize)> {
    if model.servers.get(server).is_some() {
        return None;
    }
    let shares = model.servers.iter().filter_map(|def| {
        let pinned = Vendored::read(tree.vendor.get(&def.tools.as_ref()?.value)?);
        let shared = pinned.tools.keys().filter(|name| list.list.tools.contains_key(*name)).count();
        let most = pinned.tools.len().max(list.list.tools.len());
        (shared > 0 && shared * 2 >= most).then(|| (def.key.value.clone(), shared))
    });
    shares.max_by(|a, b| (a.1, &b.0).cmp(&(b.1, &a.0)))
}

/// Whether a path that the tree states lies where pinned lists do.
fn may_be_pinned(path: &str) -> bool {
    let inside = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains('\\');
    path.starts_with("vendor/") && path.ends_with(".json") && path.split('/').all(inside)
}
