//! The prompt files that a tree uses, and who uses them.

use harnessc_runtime::words::without_bullet;

use crate::model::prompt::Part;
use crate::policy::Harness;
use crate::rules::Cx;
use crate::source::{FileId, Span, Spanned};

/// The file of all refusal lines, below the prompt version's folder.
pub(crate) const REFUSALS: &str = "refusals.txt";
/// The file of the lens instructions.
pub(crate) const LENSES: &str = "lenses.txt";

/// One use of a prompt file.
pub(crate) struct Use<'a> {
    /// Below the prompt version's folder, as it is written.
    pub(crate) path: &'a str,
    /// Where it is asked for.
    pub(crate) at: Span,
    /// What asks for it, as a person would say it.
    pub(crate) by: String,
    /// Whether it must exist; an optional one is used where it does.
    pub(crate) needed: bool,
    /// Whether a harness or a skill names it by its path.
    pub(crate) named: bool,
    /// The harness whose own prompt it is.
    pub(crate) harness: Option<&'a Harness<'a>>,
}

/// Every use of a prompt file: the refusals', the lenses', each harness's and each skill's, by name.
pub(crate) fn uses<'a>(cx: &'a Cx<'_>) -> Vec<Use<'a>> {
    let mut uses = Vec::new();
    if let Some(first) = cx.model.refusals.iter().next() {
        uses.push(Use {
            path: REFUSALS,
            at: first.key.span,
            by: "the refusals".to_owned(),
            needed: true,
            named: false,
            harness: None,
        });
    }
    let ordered = cx.model.prompt.order.iter().flat_map(|order| order.iter());
    let part = ordered.filter(|part| part.value == Part::Lenses).map(|part| part.span).next();
    let review = cx.model.lens_reviews.iter().next().map(|review| review.key.span);
    if let Some(at) = part.or(review) {
        let by = "the prompt's order".to_owned();
        uses.push(Use { path: LENSES, at, by, needed: part.is_some(), named: false, harness: None });
    }
    for harness in cx.policy.harnesses.values() {
        if let Some(path) = &harness.def.prompt_ref {
            let by = format!("harness `{}`", harness.key());
            uses.push(Use { path, at: path.span, by, needed: true, named: true, harness: Some(harness) });
        }
    }
    for skill in cx.model.skills.sorted() {
        if let Some(path) = &skill.instructions {
            let by = format!("skill `{}`", skill.key.value);
            uses.push(Use { path, at: path.span, by, needed: true, named: true, harness: None });
        }
    }
    uses
}

/// The file at `path` below the prompt version's folder.
pub(crate) fn file(cx: &Cx<'_>, path: &str) -> Option<FileId> {
    cx.tree.prompts.get(&format!("{}/{path}", version(cx)?)).copied()
}

/// The prompt version that the manifest names.
pub(crate) fn version<'a>(cx: &'a Cx<'_>) -> Option<&'a str> {
    let policy = cx.model.manifest.policy.as_ref()?;
    policy.prompt_version.as_ref().map(|version| version.value.as_str())
}

/// Whether `path` leads below the folder it is read in: no step up, no root, no empty part.
pub(crate) fn is_plain(path: &str) -> bool {
    !path.contains('\\') && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// The prompt version where nothing can be found below it: no plain name of a folder, or a folder without a file. That is one
/// fault, at the version, however many prompts are missed.
pub(crate) fn lost_version<'a>(cx: &'a Cx<'_>) -> Option<&'a Spanned<String>> {
    let version = cx.model.manifest.policy.as_ref()?.prompt_version.as_ref()?;
    let folder = format!("{}/", version.value);
    let plain = is_plain(version) && !version.contains('/');
    let empty = || !cx.tree.prompts.keys().any(|path| path.starts_with(&folder));
    let lost = !plain || (!cx.tree.prompts.is_empty() && empty());
    (lost && uses(cx).iter().any(|used| used.needed)).then_some(version)
}

/// Where to point for a prompt version that is missing: the policy's name, else the manifest.
pub(crate) fn manifest_at(cx: &Cx<'_>) -> Span {
    let named = cx.model.manifest.policy.as_ref().and_then(|policy| policy.name.as_ref());
    named.map_or(cx.tree.manifest.span, |name| name.span)
}

/// Every line that says something: its bytes without bullet and white space around it.
pub(crate) fn lines<'a>(cx: &'a Cx<'_>, file: FileId) -> Vec<(Span, &'a str)> {
    let text = cx.tree.sources.get(file).map_or("", |file| &*file.text);
    let mut start = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        let said = without_bullet(line);
        if !said.is_empty() {
            let at = start + line.trim_end().len() - said.len();
            lines.push((Span::new(file, at..at + said.len()), said));
        }
        start += line.len();
    }
    lines
}
