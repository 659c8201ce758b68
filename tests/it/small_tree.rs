//! Small trees in memory, and what one rule finds in them.

use harnessc::check::check;
use harnessc::diagnostic::{Diagnostic, Finding};
use harnessc::tree::Tree;

/// A manifest that names a prompt version.
pub(crate) const MANIFEST: &str = "[policy]\nname = \"notebook\"\nprompt_version = \"v1\"\n";

/// A tool that finds notes and one that changes them.
pub(crate) const TOOLS: &str = "tools:
  notes.find: {title: Find notes, description: Find notes., effect: read, unbound: a notebook, input: {properties: {words: {type: string, maxLength: 9}}}, returns: none}
  notes.change: {title: Change a note, description: Change it., effect: write, unbound: a notebook, input: {properties: {words: {type: string, maxLength: 9}}}, returns: none}
";

/// What a rule found in a tree.
pub(crate) struct Found {
    tree: Tree,
    findings: Vec<Finding>,
}

/// Checks a tree of `files` (path, text); a manifest is added where there is none. Keeps what `rule` found.
pub(crate) fn found(rule: &str, files: &[(&str, &str)]) -> Found {
    let mut all: Vec<(String, Vec<u8>)> =
        files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    if !files.iter().any(|(path, _)| *path == "harness.toml") {
        all.push(("harness.toml".to_owned(), MANIFEST.as_bytes().to_vec()));
    }
    let (tree, sink) = Tree::from_files(all);
    let (checked, ()) = check(&tree, sink, |_, _| ());
    let findings = checked.findings.into_iter().filter(|finding| finding.diagnostic.rule.0 == rule).collect();
    Found { tree, findings }
}

impl Found {
    /// The text under each finding.
    pub(crate) fn texts(&self) -> Vec<&str> {
        self.diagnostics().map(|d| self.tree.sources.slice(d.primary.span)).collect()
    }

    /// What each finding says.
    pub(crate) fn messages(&self) -> Vec<&str> {
        self.diagnostics().map(|found| found.message.as_str()).collect()
    }

    /// The level of each finding.
    pub(crate) fn levels(&self) -> Vec<&'static str> {
        self.findings.iter().map(|finding| finding.level.word()).collect()
    }

    /// The only finding.
    pub(crate) fn only(&self) -> &Diagnostic {
        assert_eq!(self.findings.len(), 1, "{:#?}", self.findings);
        &self.findings[0].diagnostic
    }

    /// The labels of the only finding, each with its text and what stands there.
    pub(crate) fn labels(&self) -> Vec<(&str, &str)> {
        let labels = self.only().labels.iter();
        labels.map(|label| (label.text.as_str(), self.tree.sources.slice(label.span))).collect()
    }

    /// The file of the first finding once its fix is applied.
    pub(crate) fn fixed(&self) -> String {
        let edit = &self.diagnostics().next().unwrap().fixes[0].edits[0];
        let mut text = self.tree.sources.get(edit.span.file).unwrap().text.to_string();
        text.replace_range(edit.span.range(), &edit.replacement);
        text
    }

    fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.findings.iter().map(|finding| &finding.diagnostic)
    }
}
