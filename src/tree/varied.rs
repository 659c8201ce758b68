//! A tree with other texts in some places, all else shared: what is asked again and again in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Tree;
use crate::diagnostic::Sink;
use crate::source::{FileId, Sources};
use crate::syntax::{Document, toml, yaml};

impl Tree {
    /// Keeps every source's digest, so that a thousand variations digest the texts alone in which they differ.
    pub fn keep_digests(&mut self) {
        let digests = self.digests();
        for (file, kept) in &mut self.read {
            *kept = self.sources.get(*file).and_then(|source| digests.get(&source.path)).cloned();
        }
    }

    /// The same tree with these texts in the place of those of its manifest, its policy files and its prompts. Files keep
    /// their numbers. What is wrong with the new texts goes to the sink; what was found in the others is not found again.
    ///
    /// A text of any other file, or of a file that is not in the tree, changes nothing.
    pub fn varied(&self, texts: &BTreeMap<FileId, String>) -> (Self, Sink) {
        let mut sink = Sink::default();
        let mut sources = Sources::default();
        let mut read = self.read.clone();
        for (id, file) in self.sources.iter() {
            let text = texts.get(&id).map_or_else(|| Arc::clone(&file.text), |text| Arc::from(text.as_str()));
            if let (true, Some(kept)) = (texts.contains_key(&id), read.get_mut(&id)) {
                *kept = None;
            }
            sources.add(file.path.as_str(), text);
        }
        let document =
            |document: &Document, read: fn(FileId, &str, &mut Sink) -> Document, sink: &mut Sink| {
                texts
                    .get(&document.span.file)
                    .map_or_else(|| document.clone(), |text| read(document.span.file, text, sink))
            };
        let manifest = document(&self.manifest, toml::read, &mut sink);
        let documents = self.documents.iter().map(|kept| document(kept, yaml::read, &mut sink)).collect();
        let varied = Self {
            sources,
            manifest,
            documents,
            prompts: self.prompts.clone(),
            unread: self.unread.clone(),
            vendor: self.vendor.clone(),
            read,
            mirrors: self.mirrors.clone(),
            threads: self.threads,
            origin: self.origin.clone(),
        };
        (varied, sink)
    }
}
