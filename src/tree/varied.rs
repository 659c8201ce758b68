//! A tree with other texts in some places, all else shared: what is asked again and again in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Tree, digest};
use crate::diagnostic::Sink;
use crate::source::{FileId, Sources};
use crate::syntax::{Document, toml, yaml};

impl Tree {
    /// The same tree with these texts in the place of those of its manifest, its policy files and its prompts. Files keep
    /// their numbers. What is wrong with the new texts goes to the sink; what was found in the others is not found again.
    ///
    /// A text of any other file, or of a file that is not in the tree, changes nothing.
    pub fn varied(&self, texts: &BTreeMap<FileId, String>) -> (Self, Sink) {
        let mut sink = Sink::default();
        let mut sources = Sources::default();
        let mut digests = self.digests.clone();
        for (id, file) in self.sources.iter() {
            let text = texts.get(&id).map_or_else(|| Arc::clone(&file.text), |text| Arc::from(text.as_str()));
            if let (true, Some(kept)) = (texts.contains_key(&id), digests.get_mut(&file.path)) {
                *kept = digest(text.as_bytes());
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
            digests,
            mirrors: self.mirrors.clone(),
            origin: self.origin.clone(),
        };
        (varied, sink)
    }
}
