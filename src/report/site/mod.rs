//! A policy for auditors: pages that need no script, no network and no tool to be read.
//!
//! What stands on them is what the lock says, so that they can be held against it. Every text of an author's or a vendor's is
//! escaped, and the pages forbid the browser to load or run anything.

mod approvals;
mod cells;
mod harness;
mod index;
mod proved;
mod tool;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use harnessc_runtime::lock::{Lock, NO_HARNESS};

use super::graph::{Graph, SVG_CSS};
use super::html::{Text, page};

/// A lock with what is known of it besides.
pub struct Audited<'a> {
    /// The lock.
    pub lock: &'a Lock,
    /// Its digest.
    pub digest: &'a str,
    /// Each proof by name, in the order in which they run, and why it does not hold.
    pub proofs: Vec<(&'static str, Option<String>)>,
}

/// One page of the site.
struct Part {
    /// Its file below the folder; also its place within a single page.
    name: String,
    title: String,
    body: String,
}

/// Where links lead: to files beside each other, or to places of one page.
#[derive(Clone, Copy)]
struct Links {
    single: bool,
    /// What leads from this page's folder to the site's.
    up: &'static str,
}

impl Links {
    fn to(self, name: &str) -> String {
        match self.single {
            true => format!("#{}", anchor(name)),
            false => format!("{}{name}", self.up),
        }
    }

    fn harness(self, key: &str) -> String {
        let shown = if key == NO_HARNESS { "(no harness)" } else { key };
        format!("<a href=\"{}\"><code>{}</code></a>", Text(&self.to(&harness_page(key))), Text(shown))
    }

    /// A deed, linked to its tool.
    fn deed(self, deed: &str) -> String {
        let (tool, _) = harnessc_runtime::lock::split_deed(deed);
        format!("<a href=\"{}\"><code>{}</code></a>", Text(&self.to(&tool_page(tool))), Text(deed))
    }
}

fn anchor(name: &str) -> String {
    name.trim_end_matches(".html").replace('/', "-")
}

fn harness_page(key: &str) -> String {
    format!("harness/{}.html", file(if key == NO_HARNESS { "none-" } else { key }))
}

fn tool_page(name: &str) -> String {
    format!("tool/{}.html", file(name))
}

/// A key as a file's name: keys are ASCII by rule, and what is no letter, digit, dot, dash or underline is written in hex.
fn file(key: &str) -> String {
    let mut out = String::new();
    for byte in key.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => out.push(byte.into()),
            _ => {
                let _ = write!(out, "~{byte:02x}");
            }
        }
    }
    out
}

/// The site as files: path below its folder to text. It begins at `index.html`.
pub fn site(audited: &Audited<'_>) -> BTreeMap<String, String> {
    let css = SVG_CSS;
    let parts = parts(audited, false);
    let shown = |part: Part| {
        let up = if part.name.contains('/') { "../" } else { "" };
        let body = format!(
            "<nav><a href=\"{up}index.html\">{}</a><a href=\"{up}approvals.html\">approvals</a></nav>\n<main>\n{}</main>\n",
            Text(&audited.lock.policy.name),
            part.body
        );
        let title = format!("{} · {}", part.title, audited.lock.policy.name);
        (part.name, page(&title, css, &body))
    };
    parts.into_iter().map(shown).collect()
}

/// The same as one page.
pub fn single_page(audited: &Audited<'_>) -> String {
    let mut body =
        "<nav><a href=\"#index\">overview</a><a href=\"#approvals\">approvals</a></nav>\n<main>\n".to_owned();
    for part in parts(audited, true) {
        let _ = writeln!(
            body,
            "<section class=\"page\" id=\"{}\">\n{}</section>",
            Text(&anchor(&part.name)),
            part.body
        );
    }
    body.push_str("</main>\n");
    page(&audited.lock.policy.name, SVG_CSS, &body)
}

fn parts(audited: &Audited<'_>, single: bool) -> Vec<Part> {
    let top = Links { single, up: "" };
    let below = Links { single, up: "../" };
    let lock = audited.lock;
    let graph = Graph::of(lock);
    let held = cells::by_tool(lock);
    let mut parts = vec![
        Part { name: "index.html".to_owned(), title: "overview".to_owned(), body: index::body(audited, top) },
        Part {
            name: "approvals.html".to_owned(),
            title: "approvals".to_owned(),
            body: approvals::body(lock, top),
        },
    ];
    parts.extend(lock.effective.keys().map(|key| Part {
        name: harness_page(key),
        title: key.clone(),
        body: harness::body(lock, key, &graph, below),
    }));
    parts.extend(lock.tools.iter().map(|(name, tool)| Part {
        name: tool_page(name),
        title: name.clone(),
        body: tool::body(lock, (name, tool), held.get(name.as_str()).map_or(&[], Vec::as_slice), below),
    }));
    parts
}

/// A table; headers are ours, cells are markup. An empty one is a sentence.
fn table(headers: &[&str], rows: &[Vec<String>], none: &str) -> String {
    if rows.is_empty() {
        return format!("<p class=\"dim\">{none}</p>\n");
    }
    let mut out = "<div class=\"wide\"><table><thead><tr>".to_owned();
    headers.iter().for_each(|header| out.push_str(&format!("<th>{header}</th>")));
    out.push_str("</tr></thead><tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        row.iter().for_each(|cell| out.push_str(&format!("<td>{cell}</td>")));
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

/// Terms and what they are; what is empty is left out. Values are markup.
fn list(rows: &[(&str, String)]) -> String {
    let mut out = "<dl>\n".to_owned();
    for (term, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = writeln!(out, "<dt>{term}</dt><dd>{value}</dd>");
    }
    out.push_str("</dl>\n");
    out
}

/// Names, each as code.
fn names<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let all = names.into_iter().map(|name| format!("<code>{}</code>", Text(name.as_ref())));
    all.collect::<Vec<_>>().join(", ")
}
