//! See the page beside this file.

use std::collections::BTreeMap;

use super::engine::authority::names;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::tools::Server;
use crate::policy::Tool;
use crate::source::Spanned;
use harnessc_runtime::lock;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("external-server");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let policy = cx.model.manifest.policy.as_ref();
    let allowed = policy.and_then(|policy| policy.external_servers.as_ref()).map_or(&[][..], |names| &names.0);
    let mut serving: BTreeMap<&str, Vec<&Tool<'_>>> = BTreeMap::new();
    for tool in cx.policy.registry.tools() {
        if let Some((server, _)) = tool.from.filter(|(server, _)| cx.model.servers.get(server).is_some()) {
            serving.entry(server).or_default().push(tool);
        }
    }
    for (server, mut tools) in serving {
        if allowed.iter().all(|name| name.value != server) {
            tools.sort_by_key(|tool| tool.def.from.as_ref().map(|from| from.span));
            sink.extend(finding(cx, server, &tools));
        }
    }
    for server in cx.model.servers.sorted() {
        sink.extend(told(server));
    }
}

/// An address with a name or a password in it: everybody who reads the tree or the lock would have them. And one that may
/// have them to some readers and not to others.
fn told(server: &Def<Server>) -> Option<Diagnostic> {
    let url = server.url.as_ref()?;
    if !lock::Server::holds_credentials(&url.value) {
        return (!lock::Server::is_plain(&url.value)).then(|| odd(server, url));
    }
    let said = format!("the address of server `{}` holds a name or a password", server.key.value);
    Some(
        Diagnostic::new(ID, url.span, said, "what stands before the `@`")
            .note("the tree and its lock are read by everyone who reviews them, and the lock pins the address word for word")
            .help("write the address without it, and hand the secret to the tool server where it is run"),
    )
}

fn odd(server: &Def<Server>, url: &Spanned<String>) -> Diagnostic {
    let said = format!("the address of server `{}` can be taken apart in more ways than one", server.key.value);
    Diagnostic::new(ID, url.span, said, "not of the form `scheme://host…`")
        .note("the lock pins the address word for word, and what a reviewer reads in it has to be where the tool server goes")
        .help("write a scheme, `://` and a host, as in `https://desk.example/mcp`: no `\\`, no white space, no third slash")
}

/// One missing name is one finding, however many tools the server serves.
fn finding(cx: &Cx<'_>, server: &str, tools: &[&Tool<'_>]) -> Option<Diagnostic> {
    let from = tools.first()?.def.from.as_ref()?;
    let mut finding = Diagnostic::new(
        ID,
        from.span,
        format!("server `{server}` serves {}, and the manifest does not let it", names(tools.iter().map(|tool| tool.key()))),
        format!("served by `{server}`"),
    );
    if let Some(def) = cx.model.servers.get(server) {
        finding = finding.label(def.key.span, "the server");
    }
    if let Some(policy) = &cx.model.manifest.policy {
        let listed = policy.external_servers.as_ref().map_or(&[][..], |names| &names.0);
        finding = match (listed.first(), listed.last(), &policy.name) {
            (Some(first), Some(last), _) => finding.label(first.span.to(last.span), "the servers that may serve tools"),
            (_, _, Some(name)) => finding.label(name.span, "this policy lets no outside server serve tools"),
            _ => finding,
        };
    }
    Some(
        finding
            .note("what an outside server returns, and what it does with an input, is under somebody else's control; letting one in is a decision of its own")
            .help(format!("if that is decided, write \"{server}\" into `external_servers` of harness.toml; else take these tools out")),
    )
}
