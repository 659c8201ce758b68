//! See the page beside this file.

use super::engine::prompts::{self, REFUSALS, Use, file, lines, uses, version};
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink, nearest};

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("prompt-missing");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    // What is wrong with refusals.txt, refusal-line-missing says.
    for wanted in uses(cx).into_iter().filter(|wanted| wanted.needed && wanted.path != REFUSALS) {
        let Some(version) = version(cx) else {
            sink.push(no_version(cx, &wanted));
            continue;
        };
        match file(cx, wanted.path) {
            None => sink.push(no_file(cx, &wanted, version)),
            Some(found) if lines(cx, found).is_empty() && !cx.tree.unread.contains(&found) => sink.push(empty(&wanted, version)),
            Some(_) => {}
        }
    }
}

fn no_version(cx: &Cx<'_>, wanted: &Use<'_>) -> Diagnostic {
    Diagnostic::new(
        ID,
        wanted.at,
        format!("{} asks for the prompt `{}`, and the manifest names no prompt version", wanted.by, wanted.path),
        "below which folder?",
    )
    .label(prompts::manifest_at(cx), "`prompt_version` is missing in `[policy]`")
    .note("prompts lie below `prompts/<prompt_version>/`, so that an older wording can be kept and a run says which one it had")
    .help("add `prompt_version = \"v1\"` to `[policy]` in `harness.toml`, and put the text into `prompts/v1/`")
}

fn no_file(cx: &Cx<'_>, wanted: &Use<'_>, version: &str) -> Diagnostic {
    let folder = format!("{version}/");
    let there = cx.tree.prompts.keys().filter_map(|path| path.strip_prefix(&folder));
    let meant = [format!("prompts/{folder}"), folder.clone()]
        .iter()
        .find_map(|prefix| wanted.path.strip_prefix(prefix.as_str()))
        .filter(|path| file(cx, path).is_some())
        .or_else(|| nearest(wanted.path, there));
    let label = meant.map_or_else(|| "no such file".to_owned(), |path| format!("did you mean `{path}`?"));
    let finding = Diagnostic::new(
        ID,
        wanted.at,
        format!("{} asks for `prompts/{version}/{}`, which does not exist", wanted.by, wanted.path),
        label,
    )
    .note("without its prompt an agent would start with the tools and none of the instructions");
    match meant {
        // The place of the lenses' file is a word of its own, and not a path to be replaced.
        Some(path) if wanted.path != prompts::LENSES => finding.help(format!("write `{path}`")).fix(
            format!("write `{path}`"),
            Applicability::Unsafe,
            wanted.at,
            path,
        ),
        _ => finding.help(format!("write the text into `prompts/{version}/{}`", wanted.path)),
    }
}

fn empty(wanted: &Use<'_>, version: &str) -> Diagnostic {
    Diagnostic::new(
        ID,
        wanted.at,
        format!("{} asks for `prompts/{version}/{}`, which is empty", wanted.by, wanted.path),
        "nothing in it",
    )
    .note("an agent without instructions makes up its own")
    .help("write the instructions into it")
}
