//! The manifest, the files that belong to a tree, and every text read once.
//!
//! Reads no meaning: what a section says is `model`'s.

use std::collections::BTreeMap;

use crate::source::{FileId, Sources};
use crate::syntax::Document;

/// A policy tree as it was read.
#[derive(Debug)]
pub struct Tree {
    /// Every file's text.
    pub sources: Sources,
    /// `harness.toml`.
    pub manifest: Document,
    /// The `*.yaml` below `harnesses tools policies rubrics tests/policy`, by path; `document.span.file` is the file.
    pub documents: Vec<Document>,
    /// The texts below `prompts/`: path relative to `prompts/` (as `console_v2/refusals.txt`) to file.
    pub prompts: BTreeMap<String, FileId>,
    /// The pinned lists: path relative to the manifest (as `vendor/github.tools.json`) to document.
    pub vendor: BTreeMap<String, Document>,
    /// Path to sha256 (64 lowercase hex digits) of each source, line ends read as LF.
    pub digests: BTreeMap<String, String>,
}

impl Tree {
    /// Reads a tree from memory: paths relative to the manifest, in any order. What is wrong with the texts is in the sink.
    pub fn from_files(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> (Self, crate::diagnostic::Sink) {
        let mut sink = crate::diagnostic::Sink::default();
        let mut files: Vec<(String, Vec<u8>)> = files.into_iter().collect();
        files.sort();
        let mut sources = Sources::default();
        let nothing = Document {
            span: crate::source::Span::new(sources.add("", ""), 0..0),
            root: None,
            comments: Vec::new(),
            broken: false,
        };
        let mut tree = Self {
            sources,
            manifest: nothing,
            documents: Vec::new(),
            prompts: BTreeMap::new(),
            vendor: BTreeMap::new(),
            digests: BTreeMap::new(),
        };
        for (path, bytes) in files {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let file = tree.sources.add(path.clone(), text.clone());
            if path.ends_with(".yaml") {
                tree.documents.push(crate::syntax::yaml::read(file, &text, &mut sink));
            }
        }
        (tree, sink)
    }
}
