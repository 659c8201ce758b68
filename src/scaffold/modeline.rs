//! The line by which an editor finds the schema of a policy file: how a tree writes it, and where it is missing or leads
//! elsewhere.

use std::collections::BTreeMap;

use crate::diagnostic::{Applicability, Diagnostic, Edit, Finding, Level, RuleId};
use crate::source::Span;
use crate::syntax::Document;
use crate::tree::Tree;

const MARK: &str = "# yaml-language-server: $schema=";
/// Under this name a fix of such a line is told. It is no rule: a file without the line has no fault.
const MODELINE: RuleId = RuleId("modeline");

/// The line as the tree's other files write it, for a file at `path`; empty where none does.
pub fn modeline(tree: &Tree, path: &str) -> String {
    schema(tree).map_or_else(String::new, |schema| format!("{MARK}{}\n", schema.seen_from(path)))
}

/// Each policy file that has no such line, or one that leads elsewhere than most, with the edit; none where no file has one.
pub fn astray(tree: &Tree) -> Vec<Finding> {
    let Some(schema) = schema(tree) else { return Vec::new() };
    let whole = tree.documents.iter().filter(|document| !document.broken && document.root.is_some());
    whole.filter_map(|document| of_file(tree, document, &schema)).collect()
}

fn of_file(tree: &Tree, document: &Document, schema: &Schema) -> Option<Finding> {
    let file = document.span.file;
    let path = tree.sources.path(file);
    let wanted = schema.seen_from(path);
    let (title, edit) = match stated(tree, document) {
        None => {
            let feed = if tree.sources.slice(document.span).contains("\r\n") { "\r\n" } else { "\n" };
            let edit = Edit { span: Span::new(file, 0..0), replacement: format!("{MARK}{wanted}{feed}") };
            ("write the line by which an editor finds the schema", edit)
        }
        Some((span, word)) => {
            let same_name = word.rsplit('/').next() == wanted.rsplit('/').next();
            if word == wanted || !same_name || !schema.is_path || is_address(word) {
                return None;
            }
            let edit = Edit { span, replacement: wanted };
            ("lead the editor to the schema that the other files name", edit)
        }
    };
    let finding = Diagnostic::new(MODELINE, edit.span, "no line names the schema", "");
    Some(Finding { diagnostic: finding.fix_all(title, Applicability::Safe, vec![edit]), level: Level::Allow })
}

/// What the line of a file names, and where.
fn stated<'a>(tree: &'a Tree, document: &Document) -> Option<(Span, &'a str)> {
    document.comments.iter().filter(|comment| comment.alone).find_map(|comment| {
        let text = tree.sources.slice(comment.span);
        let word = text.strip_prefix(MARK)?.trim_end();
        let start = comment.span.start as usize + MARK.len();
        Some((Span::new(comment.span.file, start..start + word.len()), word))
    })
}

/// The schema that most files name.
struct Schema {
    /// Relative to the manifest's folder, or as it is written everywhere.
    named: String,
    is_path: bool,
}

impl Schema {
    fn seen_from(&self, path: &str) -> String {
        if self.is_path { format!("{}{}", up(path), self.named) } else { self.named.clone() }
    }
}

fn up(path: &str) -> String {
    "../".repeat(path.matches('/').count())
}

fn is_address(word: &str) -> bool {
    word.contains("://") || word.starts_with('/')
}

fn schema(tree: &Tree) -> Option<Schema> {
    let mut counts: BTreeMap<(bool, String), usize> = BTreeMap::new();
    for document in &tree.documents {
        let Some((_, word)) = stated(tree, document) else { continue };
        let below = up(tree.sources.path(document.span.file));
        let relative = word.strip_prefix(&below).filter(|rest| !is_address(word) && !rest.starts_with("../"));
        let named = relative.map_or_else(|| (false, word.to_owned()), |rest| (true, rest.to_owned()));
        *counts.entry(named).or_default() += 1;
    }
    // Of two that are named as often, the path goes before the address, and then the alphabet.
    let best = counts.into_iter().max_by(|(a, m), (b, n)| (m, a.0, &b.1).cmp(&(n, b.0, &a.1)))?;
    let ((is_path, named), _) = best;
    Some(Schema { named, is_path })
}
