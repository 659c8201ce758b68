//! See the page beside this file.

use super::engine::prompts::{self, REFUSALS, Use, file, lines, uses, version};
use super::engine::text::{and, count};
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink, nearest};
use crate::model::prompt::Part;
use crate::syntax::yaml::scalar;
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("prompt-missing");

/// The parts whose name is no path of a file that a harness or a skill may ask for.
const KEPT: [Part; 6] = [Part::Refusals, Part::Lenses, Part::Status, Part::Memory, Part::Planning, Part::Window];

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    left_out(cx, sink);
    if let Some(version) = prompts::lost_version(cx) {
        sink.push(lost(cx, version));
        return;
    }
    // What is wrong with refusals.txt itself, refusal-line-missing says.
    for wanted in uses(cx).into_iter().filter(|wanted| wanted.needed && (wanted.path != REFUSALS || wanted.named)) {
        if wanted.named && kept_for_the_prompt(wanted.path) {
            sink.push(kept(&wanted));
            continue;
        }
        let Some(version) = version(cx) else {
            sink.push(no_version(cx, &wanted));
            continue;
        };
        match file(cx, wanted.path) {
            None if !prompts::is_plain(wanted.path) => sink.push(no_path(&wanted, version)),
            None => sink.push(no_file(cx, &wanted, version)),
            Some(found) if lines(cx, found).is_empty() && !cx.tree.unread.contains(&found) => sink.push(empty(&wanted, version)),
            Some(_) => {}
        }
    }
}

/// Where an order is stated, the harnesses' own prompts are part of it.
fn left_out(cx: &Cx<'_>, sink: &mut Sink) {
    let Some(order) = &cx.model.prompt.order else { return };
    let mut prompts = cx.policy.harnesses.values().filter_map(|harness| Some((harness, harness.def.prompt_ref.as_ref()?)));
    if order.iter().any(|part| part.value == Part::Harness) {
        return;
    }
    let Some((harness, path)) = prompts.next() else { return };
    let others = match prompts.count() {
        0 => String::new(),
        more => format!(" and {}", count(more, "more prompt")),
    };
    sink.push(
        Diagnostic::new(
            ID,
            order.span,
            format!("the prompt's order leaves out `harness`, so that `{}`{others} reaches no agent", path.value),
            "no `harness` here",
        )
        .label(path.span, format!("the prompt of `{}`", harness.key()))
        .note("without its prompt an agent would start with the tools and none of the instructions")
        .help("put `harness` into `order`, behind the shared parts and before what changes from turn to turn"),
    );
}

/// Whether a path has the name of a part that the prompt itself puts together or puts in.
fn kept_for_the_prompt(path: &str) -> bool {
    let name = path.strip_suffix(".txt").unwrap_or(path);
    let first = name.split('/').next().unwrap_or(name);
    KEPT.iter().any(|part| part.word() == name) || first == Part::Refusals.word()
}

fn kept(wanted: &Use<'_>) -> Diagnostic {
    let words: Vec<&str> = KEPT.iter().map(|part| part.word()).collect();
    Diagnostic::new(
        ID,
        wanted.at,
        format!("{} asks for `{}`, a name that the prompt keeps for a part of its own", wanted.by, wanted.path),
        "another text stands under this name",
    )
    .note("each part of a prompt is known by its path alone; of two under one name an agent would get one")
    .help(format!(
        "put the text elsewhere, as in `harness/<key>.txt`; kept are {} and all below `refusals/`",
        and(words)
    ))
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

fn lost(cx: &Cx<'_>, version: &Spanned<String>) -> Diagnostic {
    let name = &version.value;
    let folders = cx.tree.prompts.keys().filter_map(|path| Some(path.split_once('/')?.0));
    let meant = nearest(name, folders);
    let label = meant.map_or_else(|| "nothing there".to_owned(), |folder| format!("did you mean `{folder}`?"));
    let message = if prompts::is_plain(name) && !name.contains('/') {
        format!("`prompts/{name}/` holds no prompt")
    } else {
        format!("the prompt version `{name}` is no plain name of a folder below `prompts/`")
    };
    let finding = Diagnostic::new(ID, version.span, message, label)
        .note("every prompt is read below that folder, so none of them is found");
    match meant {
        Some(folder) => finding.help(format!("write `prompt_version = \"{folder}\"`")).fix(
            format!("write `{folder}`"),
            Applicability::Unsafe,
            version.span,
            format!("\"{folder}\""),
        ),
        None => finding.help("name the folder that holds the prompts, or write them there"),
    }
}

fn no_path(wanted: &Use<'_>, version: &str) -> Diagnostic {
    Diagnostic::new(
        ID,
        wanted.at,
        format!("{} asks for the prompt `{}`, which is no plain path", wanted.by, wanted.path),
        "leads elsewhere",
    )
    .note(format!("prompts are read below `prompts/{version}/` and nowhere else, so that a review sees every one"))
    .help("write a path such as `harness/name.txt`, without `..` and without a slash in front")
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
            scalar(path),
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
