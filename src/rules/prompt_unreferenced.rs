//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use super::engine::prompts::{self, Use, uses, version};
use super::engine::text::count;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink, nearest};
use crate::source::{FileId, Span};

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("prompt-unreferenced");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    // Which prompts are of use is not known then; prompt-missing says what is wrong.
    if prompts::lost_version(cx).is_some() {
        return;
    }
    let uses = uses(cx);
    let used: BTreeSet<&str> = uses.iter().map(|used| used.path).collect();
    let missing: Vec<&Use<'_>> =
        uses.iter().filter(|used| used.needed && prompts::file(cx, used.path).is_none()).collect();
    let mut others: BTreeMap<&str, Vec<(&str, FileId)>> = BTreeMap::new();
    for (path, file) in &cx.tree.prompts {
        let (folder, below) = path.split_once('/').unwrap_or(("", path));
        if version(cx) != Some(folder) {
            others.entry(folder).or_default().push((path, *file));
        } else if !used.contains(below) {
            sink.push(unused(cx, path, below, *file, &missing));
        }
    }
    for (folder, files) in others {
        if let Some((path, file)) = files.first() {
            sink.push(other_version(cx, folder, path, *file, files.len()));
        }
    }
}

/// The first line, for a file is too much to underline.
fn first_line(cx: &Cx<'_>, file: FileId) -> Span {
    let text = cx.tree.sources.get(file).map_or("", |file| &*file.text);
    Span::new(file, 0..text.lines().next().map_or(0, str::len))
}

fn unused(cx: &Cx<'_>, path: &str, below: &str, file: FileId, missing: &[&Use<'_>]) -> Diagnostic {
    let finding = Diagnostic::new(
        ID,
        first_line(cx, file),
        format!("nothing uses the prompt `prompts/{path}`"),
        "no harness, skill or part of the prompt names it",
    )
    .note("an instruction that reaches no agent is one that somebody believes to be in force");
    let near = nearest(below, missing.iter().map(|used| used.path));
    match missing.iter().find(|used| Some(used.path) == near) {
        Some(used) => finding
            .label(used.at, format!("{} asks for `{}`; is this the file that was meant?", used.by, used.path))
            .help("give the two the same name"),
        None => finding.help(format!("name it as `prompt_ref: {below}` in the harness it was written for, or delete it")),
    }
}

fn other_version(cx: &Cx<'_>, folder: &str, path: &str, file: FileId, files: usize) -> Diagnostic {
    let others = match files {
        1 => String::new(),
        more => format!(" (and {} beside it)", count(more - 1, "file")),
    };
    let message = match folder {
        "" => format!("the prompt `prompts/{path}`{others} lies in no version's folder"),
        _ => format!("the prompt `prompts/{path}`{others} belongs to no version that is in use"),
    };
    let finding = Diagnostic::new(ID, first_line(cx, file), message, "never read");
    let stated = cx.model.manifest.policy.as_ref().and_then(|policy| policy.prompt_version.as_ref());
    let finding = match stated {
        Some(version) => finding.label(version.span, "the version in use"),
        None => finding,
    };
    finding
        .note("the history of the tree keeps what a prompt once said; a second copy beside it is edited by mistake")
        .help("delete what is no longer in use, or name its folder as `prompt_version`")
}
