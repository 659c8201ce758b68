//! Fixes applied to texts: which of them go together, and the texts they make.
//!
//! It changes the bytes that the edits name and no other: comments, order and line ends stay. It reads no file, writes
//! none, and does not know what an edit means.

mod text;

use std::collections::BTreeMap;

use crate::diagnostic::{Applicability, Edit, Finding, Fix};
use crate::source::{FileId, Sources};
pub use text::edited;

/// One fix that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The rule that asked for it.
    pub rule: &'static str,
    /// The file that the finding was in.
    pub file: String,
    /// What the fix did: "write `approval`".
    pub title: String,
}

/// The texts that some fixes make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// Path to the whole new text, for the files that change or come into being.
    pub files: BTreeMap<String, String>,
    /// The fixes in it, in the order of the findings.
    pub applied: Vec<Applied>,
}

/// Applies a fix of each finding, where one reaches no further than `reach`: every edit of a fix or none.
///
/// Of two fixes that touch the same bytes, the one of the earlier finding is taken; the other is left for the next round.
/// `may_edit` says of a path whether the file is the author's to edit.
pub fn patch(
    findings: &[Finding],
    sources: &Sources,
    reach: Applicability,
    may_edit: &dyn Fn(&str) -> bool,
) -> Patch {
    let mut plan = Plan { sources, may_edit, edits: BTreeMap::new(), creates: BTreeMap::new() };
    let mut applied = Vec::new();
    for finding in findings {
        let fixes = finding.diagnostic.fixes.iter().filter(|fix| fix.applicability <= reach);
        let Some(fix) = fixes.min_by_key(|fix| fix.applicability) else { continue };
        if plan.take(fix) {
            applied.push(Applied {
                rule: finding.diagnostic.rule.0,
                file: sources.path(finding.diagnostic.primary.span.file).to_owned(),
                title: fix.title.clone(),
            });
        }
    }
    Patch { files: plan.texts(), applied }
}

/// The edits taken so far.
struct Plan<'a> {
    sources: &'a Sources,
    may_edit: &'a dyn Fn(&str) -> bool,
    edits: BTreeMap<FileId, Vec<&'a Edit>>,
    creates: BTreeMap<&'a str, &'a str>,
}

impl<'a> Plan<'a> {
    /// Takes a fix as a whole, where it stands in nothing's way. One that is taken already is not taken twice.
    fn take(&mut self, fix: &'a Fix) -> bool {
        let changes = fix.edits.iter().any(|edit| self.sources.slice(edit.span) != edit.replacement);
        let fits = fix.edits.iter().all(|edit| self.fits(edit, &fix.edits))
            && fix.creates.iter().all(|new| self.is_free(&new.path));
        let does_nothing = !changes && fix.creates.is_empty();
        if !fits || does_nothing {
            return false;
        }
        for edit in &fix.edits {
            self.edits.entry(edit.span.file).or_default().push(edit);
        }
        for new in &fix.creates {
            self.creates.insert(&new.path, &new.text);
        }
        true
    }

    /// Whether an edit lies in a text that may be edited, and meets neither an edit of its own fix nor one taken before.
    fn fits(&self, edit: &Edit, own: &[Edit]) -> bool {
        let Some(file) = self.sources.get(edit.span.file) else { return false };
        let taken = self.edits.get(&edit.span.file).into_iter().flatten();
        let others = own.iter().filter(|other| !std::ptr::eq(*other, edit));
        (self.may_edit)(&file.path)
            && file.text.get(edit.span.range()).is_some()
            && taken.copied().chain(others).all(|other| !meet(edit, other))
    }

    /// Whether a file can be written at `path`: a way down from the manifest's folder, where no file stands yet.
    fn is_free(&self, path: &str) -> bool {
        let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
        path.split('/').all(plain)
            && (self.may_edit)(path)
            && !self.creates.contains_key(path)
            && !self.sources.iter().any(|(_, file)| file.path == path)
    }

    fn texts(&self) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        for (file, edits) in &self.edits {
            if let Some(file) = self.sources.get(*file) {
                texts.insert(file.path.clone(), text::edited(&file.text, edits));
            }
        }
        texts.extend(self.creates.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
        texts
    }
}

/// Whether two edits want the same bytes. An insertion meets whatever touches it: which comes first is nobody's to say.
fn meet(a: &Edit, b: &Edit) -> bool {
    let touch = a.span.start <= b.span.end && b.span.start <= a.span.end;
    let inserts = a.span.start == a.span.end || b.span.start == b.span.end;
    let overlap = a.span.start < b.span.end && b.span.start < a.span.end;
    a.span.file == b.span.file && (overlap || inserts && touch)
}
