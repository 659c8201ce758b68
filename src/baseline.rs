//! Known findings: an existing tree is adopted as it is, and what is new in it is found all the same.
//!
//! A finding is known by its fingerprint, which holds what it says and what it is about and not where: moved lines change
//! nothing, another text under it or another message makes another finding. Nothing here reads a file or grades anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::diagnostic::{Diagnostic, Finding, Level};
use crate::source::Span;
use crate::syntax::{Kind, Node};
use crate::tree::Tree;

/// One known finding. The order of fields is the order in which a baseline lists them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The file it is in, relative to the manifest's folder.
    pub file: String,
    /// The rule.
    pub rule: String,
    /// What is wrong.
    pub message: String,
    /// `sha256:<64 hex>` over what it says and what it is about.
    pub fingerprint: String,
}

/// A set of known findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeSet<Entry>,
}

/// The file's shape.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    findings: Vec<Entry>,
}

impl Baseline {
    /// Reads a baseline file.
    ///
    /// # Errors
    /// Why it is none, in words.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|first| *first != b'{') {
            return Err("it is no mapping, and a baseline is what `--write-baseline` wrote".to_owned());
        }
        let file: File = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if file.version != 1 {
            return Err(format!("its version is {}, and this harnessc reads version 1", file.version));
        }
        Ok(file.findings.into_iter().collect())
    }

    /// The file: indented JSON, sorted, one LF at the end.
    pub fn text(&self) -> String {
        let file = File { version: 1, findings: self.entries.iter().cloned().collect() };
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        text
    }

    /// How many findings it knows.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Parts what was found into what is new and what is known. `fingerprints` are those of `findings`, in their order.
    pub fn split(&self, findings: Vec<Finding>, fingerprints: Vec<Entry>) -> Split {
        let known: BTreeSet<&str> = self.entries.iter().map(|entry| entry.fingerprint.as_str()).collect();
        let mut split = Split::default();
        let mut met = BTreeSet::new();
        for (finding, entry) in findings.into_iter().zip(fingerprints) {
            if known.contains(entry.fingerprint.as_str()) {
                met.insert(entry.fingerprint.clone());
                split.known.push((finding, entry));
            } else {
                split.new.push((finding, entry));
            }
        }
        split.gone = self.entries.iter().filter(|entry| !met.contains(&entry.fingerprint)).count();
        split
    }
}

impl FromIterator<Entry> for Baseline {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        Self { entries: entries.into_iter().collect() }
    }
}

/// What was found, held against a baseline. Each finding stands with its entry, in the order of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// What the baseline does not know.
    pub new: Vec<(Finding, Entry)>,
    /// What it knows.
    pub known: Vec<(Finding, Entry)>,
    /// How many of its entries are found no more.
    pub gone: usize,
}

impl Split {
    /// Takes what is forbidden back among the new: no lock is built over it, however long it has been known.
    pub fn keep_forbidden(&mut self) {
        let known = std::mem::take(&mut self.known);
        let (forbidden, known): (Vec<_>, Vec<_>) =
            known.into_iter().partition(|(finding, _)| finding.level == Level::Forbid);
        self.known = known;
        if forbidden.is_empty() {
            return;
        }
        self.new.extend(forbidden);
        self.new.sort_by(|(a, _), (b, _)| place(a).cmp(&place(b)));
    }

    /// How many known findings are forbidden.
    pub fn forbidden(&self) -> usize {
        self.known.iter().filter(|(finding, _)| finding.level == Level::Forbid).count()
    }
}

/// The order of findings, as the sink has it.
fn place(finding: &Finding) -> (Span, &'static str, &str) {
    let Diagnostic { primary, rule, message, .. } = &finding.diagnostic;
    (primary.span, rule.0, message)
}

/// The entry of each finding, in their order. Of findings that are alike in all, each has its number in its fingerprint.
pub fn fingerprints(findings: &[Finding], tree: &Tree) -> Vec<Entry> {
    let mut alike: BTreeMap<[u8; 32], u64> = BTreeMap::new();
    let entry = |finding: &Finding| {
        let own = about(&finding.diagnostic, tree);
        let number = alike.entry(own).or_default();
        let numbered = Sha256::new().chain_update(own).chain_update(number.to_be_bytes()).finalize();
        *number += 1;
        let mut fingerprint = "sha256:".to_owned();
        for byte in numbered {
            // Writing into memory does not fail.
            let _ = write!(fingerprint, "{byte:02x}");
        }
        Entry {
            file: tree.sources.path(finding.diagnostic.primary.span.file).to_owned(),
            rule: finding.diagnostic.rule.0.to_owned(),
            message: finding.diagnostic.message.clone(),
            fingerprint,
        }
    };
    findings.iter().map(entry).collect()
}

/// The digest of rule, file, message, the text underlined and the keys that lead to it.
fn about(diagnostic: &Diagnostic, tree: &Tree) -> [u8; 32] {
    let span = diagnostic.primary.span;
    // A text's line ends are the checkout's, not the author's.
    let text = tree.sources.slice(span).replace("\r\n", "\n");
    let mut parts = vec![diagnostic.rule.0, tree.sources.path(span.file), &diagnostic.message, text.as_str()];
    let mut documents = std::iter::once(&tree.manifest).chain(&tree.documents);
    let root = documents.find(|document| document.span.file == span.file).and_then(|it| it.root.as_deref());
    parts.extend(keys(root, span));
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    digest.finalize().into()
}

/// The keys of the mappings around `span`, outermost first; places in lists do not count, since they move.
fn keys(root: Option<&Node>, span: Span) -> Vec<&str> {
    let holds = |outer: Span| outer.file == span.file && outer.start <= span.start && span.end <= outer.end;
    let mut keys = Vec::new();
    let mut at = root;
    while let Some(node) = at {
        at = match &node.kind {
            Kind::Map(entries) => {
                let mut entries = entries.iter();
                let entry = entries.find(|entry| holds(entry.key.span) || holds(entry.value.span));
                keys.extend(entry.map(|entry| entry.key.value.as_str()));
                entry.filter(|entry| holds(entry.value.span)).map(|entry| entry.value.as_ref())
            }
            Kind::List(items) => items.iter().find(|item| holds(item.span)).map(AsRef::as_ref),
            _ => None,
        };
    }
    keys
}
