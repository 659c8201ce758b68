//! From entries to the tree: numbers, texts, digests, documents.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::entry::{Entry, Found, Use};
use super::parallel::{self, Task};
use super::{Origin, Tree, digest, wording};
use crate::diagnostic::{Level, RuleId, Sink};
use crate::source::{FileId, Sources, Span};
use crate::syntax::decode::Decoded;
use crate::syntax::{Document, YAML_SYNTAX, hidden, json, toml};

/// Reads the entries, the manifest first, the others by path.
pub(super) fn take(mut entries: Vec<Entry>, origin: Origin) -> (Tree, Sink) {
    entries.sort_by(|a, b| (a.purpose != Use::Manifest, &a.path).cmp(&(b.purpose != Use::Manifest, &b.path)));
    let mut intake = Intake::default();
    for entry in entries {
        intake.entry(entry);
    }
    let threads = parallel::worth(intake.tasks.iter().map(|task| task.text.len()).sum());
    intake.read_policies(threads);
    let Intake { mut sources, sink, manifest, documents, prompts, unread, vendor, read, .. } = intake;
    let manifest = manifest.unwrap_or_else(|| nothing(sources.add(super::MANIFEST, ""), 0));
    let mirrors = BTreeMap::new();
    let mut tree =
        Tree { sources, manifest, documents, prompts, unread, vendor, read, mirrors, threads, origin };
    tree.take_mirrors();
    (tree, sink)
}

#[derive(Default)]
struct Intake {
    sources: Sources,
    sink: Sink,
    manifest: Option<Document>,
    documents: Vec<Document>,
    /// What is still to be read, each with its place among the documents.
    tasks: Vec<Task>,
    places: Vec<usize>,
    prompts: BTreeMap<String, FileId>,
    unread: BTreeSet<FileId>,
    vendor: BTreeMap<String, Document>,
    read: BTreeMap<FileId, Option<String>>,
}

impl Intake {
    fn entry(&mut self, entry: Entry) {
        let Entry { path, purpose, found } = entry;
        match found {
            Found::Text(decoded) => self.text(path, purpose, decoded),
            Found::TooLarge(size) => {
                let file = self.sources.add(path.as_str(), "");
                self.keep(&path, purpose, file, nothing(file, 0));
                self.unread.insert(file);
                self.sink.push(wording::too_large(Span::new(file, 0..0), size));
            }
            Found::Astray(folder) => {
                let span = Span::new(self.sources.add(path.as_str(), ""), 0..0);
                self.sink.push(wording::astray(span, &path, folder).level(Level::Warn));
            }
            found => {
                let file = self.sources.add(path.as_str(), "");
                let span = Span::new(file, 0..0);
                self.sink.push(match found {
                    Found::Link => wording::link(span, &path),
                    Found::Unnameable => wording::unnameable(span, &path),
                    Found::WrongExtension => wording::extension(span, &path, purpose.extension()),
                    Found::NoFolder => wording::no_folder(span, &path),
                    _ => wording::no_manifest(span),
                });
                if matches!(purpose, Use::Manifest | Use::Policy) {
                    self.keep(&path, purpose, file, nothing(file, 0));
                }
            }
        }
    }

    fn text(&mut self, path: String, purpose: Use, decoded: Decoded) {
        let text = decoded.text;
        let file = self.sources.add(path.as_str(), Arc::clone(&text));
        self.read.insert(file, decoded.lost.as_deref().map(digest));
        let document = match (decoded.fault, purpose) {
            (Some(fault), _) => {
                // A file that is no text has no reading that could be trusted, whatever the rule's usual level.
                self.sink.push(fault.finding(rule(purpose), file, &text).level(Level::Forbid));
                self.unread.insert(file);
                nothing(file, text.len())
            }
            (None, Use::Manifest) => toml::read(file, &text, &mut self.sink),
            (None, Use::Policy) => {
                let unread = nothing(file, text.len());
                self.places.push(self.documents.len());
                self.tasks.push(Task { file, text });
                unread
            }
            (None, Use::Vendor) => {
                let mut found = Sink::default();
                let document = json::read(file, &text, &mut found);
                self.sink.extend(found.into_found().into_iter().map(|mut finding| {
                    hidden::in_pinned(&mut finding);
                    finding
                }));
                document
            }
            (None, Use::Prompt) => {
                let found = hidden::runs(&text).take(hidden::SHOWN);
                self.sink.extend(found.map(|(range, found)| hidden::finding(Span::new(file, range), &found)));
                nothing(file, text.len())
            }
        };
        self.keep(&path, purpose, file, document);
    }

    /// Reads the policies' texts in place of what stands for them.
    fn read_policies(&mut self, threads: usize) {
        let read = parallel::read(&self.tasks, threads);
        for (place, (document, sink)) in self.places.iter().zip(read) {
            if let Some(standing) = self.documents.get_mut(*place) {
                *standing = document;
            }
            self.sink.extend(sink.into_found());
        }
    }

    fn keep(&mut self, path: &str, purpose: Use, file: FileId, document: Document) {
        match purpose {
            Use::Manifest => self.manifest = Some(document),
            Use::Policy => self.documents.push(document),
            Use::Vendor => {
                self.vendor.insert(path.to_owned(), document);
            }
            Use::Prompt => {
                let below = path.strip_prefix("prompts/").unwrap_or(path);
                self.prompts.insert(below.to_owned(), file);
            }
        }
    }
}

/// The rule under which it is told that a file is no text.
fn rule(purpose: Use) -> RuleId {
    match purpose {
        Use::Manifest => toml::BAD_MANIFEST,
        Use::Policy => YAML_SYNTAX,
        Use::Vendor => json::JSON_SYNTAX,
        Use::Prompt => hidden::HIDDEN_CHARACTER,
    }
}

fn nothing(file: FileId, length: usize) -> Document {
    Document { span: Span::new(file, 0..length), root: None, comments: Vec::new(), broken: true }
}
