//! See the page beside this file.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, Level, RuleId, Sink, nearest};
use crate::model::Def;
use crate::model::tools::Server;
use crate::policy::schema::{self, Reading, Tri};
use crate::policy::{Pinned, Tool, Vendored};
use crate::source::{Span, Spanned};
use crate::syntax::yaml::scalar;
use crate::syntax::{Entry, Kind, Node};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("vendored-drift");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for server in cx.model.servers.sorted() {
        sink.extend(file(cx, server));
    }
    let mut seen = BTreeSet::new();
    for tool in cx.policy.registry.tools() {
        let Some((server, name)) = tool.from else { continue };
        let Some(list) = cx.policy.registry.servers.get(server).filter(|list| list.readable) else { continue };
        let Some(pinned) = &tool.pinned else {
            sink.extend(gone(cx, tool, server, name, list));
            continue;
        };
        if seen.insert((server, name)) {
            sink.extend(twice(tool, pinned, list));
            sink.extend(inexact(tool, &pinned.node));
        }
        restated(tool, pinned, sink);
        sink.extend(uncased(cx, tool, pinned));
    }
}

/// The pinned list itself: there, read, and a list.
fn file(cx: &Cx<'_>, server: &Def<Server>) -> Option<Diagnostic> {
    let (key, path) = (&server.key.value, server.tools.as_ref()?);
    let Some(document) = cx.tree.vendor.get(&path.value) else { return missing(cx, key, path) };
    let readable = cx.policy.registry.servers.get(key.as_str()).is_some_and(|list| list.readable);
    if document.broken || readable {
        return None;
    }
    Some(
        Diagnostic::new(
            ID,
            path.span,
            format!("`{}`, the pinned list of server `{key}`, holds no list of tools", path.value),
            "no list of tools",
        )
        .level(Level::Forbid)
        .label(document.root.as_ref().map_or(document.span, |root| root.span), "what it holds")
        .note("a pinned list is `{\"tools\": [...]}`, as the server answers `tools/list`")
        .help("pin the answer to `tools/list` as it came"),
    )
}

fn missing(cx: &Cx<'_>, key: &str, path: &Spanned<String>) -> Option<Diagnostic> {
    let written = path.value.as_str();
    // A file that stands there and was not read (a link, a wrong extension) is a finding of its own.
    if cx.tree.sources.iter().any(|(_, file)| file.path == written) {
        return None;
    }
    let placed = written.starts_with("vendor/") && written.ends_with(".json");
    let finding = Diagnostic::new(
        ID,
        path.span,
        format!("there is no `{written}`, the pinned list of server `{key}`"),
        if placed { "no such file" } else { "a pinned list is a `.json` file below `vendor/`" },
    )
    .level(Level::Forbid)
    .note("tools of an outside server are checked against the list that was reviewed, so the list is part of the tree");
    let meant = nearest(written, cx.tree.vendor.keys().map(String::as_str));
    Some(match meant {
        Some(meant) => finding
            .help(format!("did you mean `{meant}`?"))
            .fix(format!("write `{meant}`"), Applicability::Unsafe, path.span, scalar(meant)),
        None => finding.help("save the server's answer to `tools/list` there, or correct the path"),
    })
}

/// An overlay over nothing.
fn gone(cx: &Cx<'_>, tool: &Tool<'_>, server: &str, name: &str, list: &Vendored) -> Option<Diagnostic> {
    let from = tool.def.from.as_ref()?;
    let by_key = !from.value.contains('/');
    let at = if by_key { tool.def.key.span } else { from.span };
    let mut finding = Diagnostic::new(
        ID,
        at,
        format!("server `{server}` publishes no tool `{name}`"),
        "not in the pinned list",
    )
    .level(Level::Forbid);
    if by_key {
        finding = finding.label(from.span, "looked up under the tool's own name");
    }
    if let Some(path) = cx.model.servers.get(server).and_then(|server| server.tools.as_ref()) {
        finding = finding.label(path.span, "the pinned list");
    }
    let finding = finding.note("what the policy says of a tool that is no longer there would quietly do nothing");
    Some(match nearest(name, list.tools.keys().map(String::as_str)) {
        Some(meant) => {
            let word = format!("{server}/{meant}");
            finding
                .help(format!("did you mean `from: {word}`? If the tool is gone, take `{}` out", tool.key()))
                .fix(format!("write `{word}`"), Applicability::Unsafe, from.span, scalar(&word))
        }
        None => finding.help(format!("correct the name, or take `{}` out and whatever names it", tool.key())),
    })
}

fn twice(tool: &Tool<'_>, pinned: &Pinned, list: &Vendored) -> Option<Diagnostic> {
    let again = list.duplicates.get(&pinned.name)?.first()?;
    let first = pinned.node.get("name").map_or(pinned.node.span, |entry| entry.value.span);
    Some(
        Diagnostic::new(ID, *again, format!("the pinned list holds `{}` twice", pinned.name), "again")
            .label(first, "first here")
            .label(tool.def.key.span, "registered here")
            .note("a name that means two tools means whichever the reader takes; what was reviewed may not be what is called")
            .help("ask the server's authors which one is meant, and pin the list again"),
    )
}

/// A number of the entry that JSON readers do not keep: what is pinned would not be what was published.
fn inexact(tool: &Tool<'_>, entry: &Node) -> Option<Diagnostic> {
    let (at, written, why) = odd_number(entry)?;
    Some(
        Diagnostic::new(ID, at, format!("`{written}`, in what the server published of `{}`, {why}", tool.key()), "this number")
            .level(Level::Forbid)
            .label(tool.def.key.span, "registered here")
            .note("the lock holds an outside tool as it was published, and such a number could not be kept as it is")
            .help("ask the server's authors for a bound below 2^53, or do not register the tool"),
    )
}

fn odd_number(node: &Node) -> Option<(Span, &str, &'static str)> {
    match &node.kind {
        Kind::Number(written) => Some((node.span, written.as_str(), schema::number(written).err()?)),
        Kind::List(items) => items.iter().find_map(|item| odd_number(item)),
        Kind::Map(entries) => entries.iter().find_map(|entry| odd_number(&entry.value)),
        Kind::Null | Kind::Bool(_) | Kind::Text(..) => None,
    }
}

/// A published value of the input that tells cases apart, for which there is no case: calls with it are refused.
fn uncased(cx: &Cx<'_>, tool: &Tool<'_>, pinned: &Pinned) -> Option<Diagnostic> {
    let (input, published) = (tool.discriminator?, tool.input.as_ref()?);
    // Whoever restates the input has said which values there are.
    if tool.restated.contains_key(input.as_str()) || tool.closed_input.is_none() {
        return None;
    }
    let cases: BTreeSet<&str> =
        tool.def.cases.iter().flat_map(|cases| cases.value.iter()).flat_map(|def| def.value.iter()).map(|case| case.key.as_str()).collect();
    let values = schema::string_enum(&published.original(), input)?;
    // A case that is not published is `bad-schema`'s to tell.
    if !cases.iter().all(|case| values.iter().any(|value| value == case)) {
        return None;
    }
    let left: Vec<String> =
        values.iter().filter(|value| !cases.contains(value.as_str())).map(|value| format!("`{value}`")).collect();
    let (first, key) = (left.first()?, tool.key());
    let which = match left.as_slice() {
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [one, .., last] => format!("{one} to {last}, {} values,", left.len()),
        [] => return None,
    };
    let mut finding = Diagnostic::new(
        ID,
        input.span,
        format!("`{}` publishes {which} for `{}`, and no case of `{key}` is for {}", pinned.name, input.value, if left.len() == 1 { "it" } else { "them" }),
        "these cases alone are known",
    )
    .level(Level::Warn)
    .label(published.key_span(&pointer(input)), "published");
    if let Some(path) = tool.from.and_then(|(server, _)| cx.model.servers.get(server)?.tools.as_ref()) {
        finding = finding.label(path.span, "the pinned list");
    }
    Some(
        finding
            .note("a call with such a value is refused with `input_invalid`, and no review has said what it does")
            .help(format!(
                "add a case for {first} with the effect that it has; to leave it out on purpose, restate `{}` below `input.properties` with the values that stay",
                input.value
            )),
    )
}

/// What the overlay says of inputs: single ones, that exist, and never looser than published.
fn restated(tool: &Tool<'_>, pinned: &Pinned, sink: &mut Sink) {
    let (Some(stated), Some(published)) = (&tool.def.input, &tool.input) else { return };
    let Kind::Map(entries) = &stated.0.kind else {
        sink.push(whole(tool, &stated.0));
        return;
    };
    // A published input that is refused is a finding of its own; nothing is compared with it.
    let Some(original) = tool.closed_input.is_some().then(|| published.original()) else { return };
    for entry in entries {
        match (entry.key.as_str(), &entry.value.kind) {
            ("properties", Kind::Map(inputs)) => {
                for input in inputs {
                    sink.extend(one(tool, pinned, published, &original, input));
                }
            }
            ("properties", _) => {}
            _ => sink.push(beside(tool, entry)),
        }
    }
}

fn whole(tool: &Tool<'_>, node: &Arc<Node>) -> Diagnostic {
    Diagnostic::new(
        ID,
        node.span,
        format!("`{}` restates its whole input, and an overlay restates single inputs", tool.key()),
        "the published input stands",
    )
    .note("what the policy does not restate stays as it was published, so that a new pin shows what has changed")
    .help("write `input: {properties: {NAME: …}}` with the inputs that are to be tighter")
}

fn beside(tool: &Tool<'_>, entry: &Entry) -> Diagnostic {
    let key = &entry.key.value;
    Diagnostic::new(
        ID,
        entry.key.span,
        format!("`{key}` of `{}` has no force: an overlay restates single inputs", tool.key()),
        "the published input stands",
    )
    .note("what the policy does not restate stays as it was published, so that a new pin shows what has changed")
    .help(if key == "required" {
        "take it out; an input becomes required where it is bound, tells cases apart or is narrowed with `only`".to_owned()
    } else {
        "take it out, and restate single inputs below `properties`".to_owned()
    })
}

fn one(
    tool: &Tool<'_>,
    pinned: &Pinned,
    published: &Reading,
    original: &serde_json::Value,
    input: &Entry,
) -> Option<Diagnostic> {
    let (key, name) = (tool.key(), input.key.value.as_str());
    let Some(place) = schema::root_property(original, name) else {
        return Some(no_such_input(key, pinned, original, &input.key));
    };
    let restated = tool.restated.get(name)?.closed.as_ref()?;
    let said = match schema::tighter_or_equal(place, original, restated) {
        Tri::Yes => return None,
        Tri::No => "is looser than its server publishes it",
        Tri::CannotTell => "cannot be shown to be as tight as its server publishes it",
    };
    Some(
        Diagnostic::new(ID, input.value.span, format!("input `{name}` of `{key}` {said}"), "restated")
            .label(published.key_span(&pointer(name)), "published")
            .note("the server checks by what it published; an overlay can only ask for more, or calls would pass here and fail there")
            .help("keep every bound of the published input and add yours, or list the values as an enum"),
    )
}

fn pointer(name: &str) -> String {
    format!("/properties/{}", name.replace('~', "~0").replace('/', "~1"))
}

fn no_such_input(key: &str, pinned: &Pinned, original: &serde_json::Value, name: &Spanned<String>) -> Diagnostic {
    let finding = Diagnostic::new(
        ID,
        name.span,
        format!("`{key}` restates input `{}`, which `{}` does not have", name.value, pinned.name),
        "no such input",
    )
    .note("a restatement of nothing tightens nothing");
    let at = pinned.node.get("inputSchema").map_or(pinned.node.span, |entry| entry.key.span);
    let finding = finding.label(at, "the published inputs");
    match nearest(&name.value, schema::root_properties(original)) {
        Some(meant) => finding
            .help(format!("did you mean `{meant}`?"))
            .fix(format!("write `{meant}`"), Applicability::Unsafe, name.span, scalar(meant)),
        None => finding.help("take it out, or correct the name"),
    }
}
