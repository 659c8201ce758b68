//! A tree's files as plain values. Nothing of the compiler is used here, not even its YAML reader.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_yaml::Value;

/// The folders whose YAML belongs to a tree.
const FOLDERS: [&str; 4] = ["harnesses", "policies", "rubrics", "tools"];

/// Where the effect stands that a server's hints leave at least; no field of the language has this name.
pub(crate) const LEAST: &str = "(least effect)";

/// Section → key → definition, from all files together.
pub(crate) struct Sections(BTreeMap<String, BTreeMap<String, Value>>);

impl Sections {
    pub(crate) fn of(root: &Path) -> Self {
        let mut sections: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
        for file in FOLDERS.iter().flat_map(|folder| yaml_below(&root.join(folder))) {
            let text = fs::read_to_string(&file).unwrap();
            let document: Value = serde_yaml::from_str(&text).unwrap();
            for (section, definitions) in entries(&document) {
                if let Value::Mapping(_) = definitions {
                    sections.entry(section).or_default().extend(entries(&definitions));
                }
            }
        }
        let mut sections = Self(sections);
        sections.take_pinned(root);
        sections
    }

    /// Puts what an outside server published under what the policy says of its tool.
    fn take_pinned(&mut self, root: &Path) {
        let servers = self.get("servers");
        for (name, stated) in self.0.entry("tools".to_owned()).or_default() {
            let Some(from) = word(stated, "from") else { continue };
            let (server, upstream) = from.split_once('/').unwrap_or((&from, name));
            let file = word(&servers[server], "tools").unwrap();
            let published: Value =
                serde_yaml::from_str(&fs::read_to_string(root.join(file)).unwrap()).unwrap();
            let mut tools = items(&published["tools"]).into_iter();
            let tool = tools.find(|tool| tool["name"].as_str() == Some(upstream)).unwrap();
            let hint = |key: &str| said(&tool, "annotations").and_then(|hints| said(hints, key)?.as_bool());
            let stated = stated.as_mapping_mut().unwrap();
            if let Some(schema) = said(&tool, "inputSchema").filter(|_| !stated.contains_key("input")) {
                stated.insert("input".into(), schema.clone());
            }
            let least = match (hint("destructiveHint"), hint("readOnlyHint")) {
                (Some(true), _) => "destructive",
                (_, Some(false)) => "create",
                _ => "read",
            };
            stated.insert(LEAST.into(), least.into());
        }
    }

    /// A section's definitions; none where the tree does not state it.
    pub(crate) fn get(&self, section: &str) -> BTreeMap<String, Value> {
        self.0.get(section).cloned().unwrap_or_default()
    }

    pub(crate) fn states(&self, section: &str) -> bool {
        self.0.contains_key(section)
    }
}

/// The manifest's `[policy]`.
pub(crate) fn manifest(root: &Path) -> toml::Table {
    let text = fs::read_to_string(root.join("harness.toml")).unwrap();
    let whole: toml::Table = toml::from_str(&text).unwrap();
    whole["policy"].as_table().unwrap().clone()
}

fn yaml_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(listing) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = listing.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(yaml_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            found.push(path);
        }
    }
    found
}

/// A mapping's entries.
pub(crate) fn entries(value: &Value) -> Vec<(String, Value)> {
    let mapping = value.as_mapping().unwrap_or_else(|| panic!("a mapping, not {value:?}"));
    mapping.iter().map(|(key, value)| (key.as_str().unwrap().to_owned(), value.clone())).collect()
}

/// A list's items.
pub(crate) fn items(value: &Value) -> Vec<Value> {
    value.as_sequence().unwrap_or_else(|| panic!("a list, not {value:?}")).clone()
}

/// A list's words.
pub(crate) fn words(value: &Value) -> Vec<String> {
    items(value).iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

/// What a mapping says under a key.
pub(crate) fn said<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    value.as_mapping().and_then(|mapping| mapping.get(key))
}

/// The word that a mapping says under a key.
pub(crate) fn word(value: &Value, key: &str) -> Option<String> {
    said(value, key).map(|word| word.as_str().unwrap().to_owned())
}
