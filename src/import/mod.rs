//! Somebody else's tools: a list as an MCP server or a model API writes it, to a pinned file and an overlay that asks.
//!
//! Careful by construction: a read is a read only where the server says so and nothing contradicts it, no name is
//! changed, nothing that is there already is rewritten, nothing is widened. Pure: bytes come in, texts go out; reading
//! and writing files is the caller's.

mod accept;
mod again;
mod changes_text;
mod foreign;
mod judge;
mod names;
mod overlay;
mod pages;
mod refusal;
mod report;
mod server;
mod setting;
mod shift;
mod speech;
mod steps;
mod taken;
mod text;
mod verbs;

use std::collections::BTreeMap;
use std::sync::Arc;

use harnessc_runtime::upstream::HEADER_KEY;
use schemars::JsonSchema;
use serde::Serialize;

pub use accept::{ALL, Acceptance};
pub use again::{Added, Changed, Changes, Gone, Move};
pub use judge::{Case, Cases, Proposal};
pub use names::{LeftOut, Why};
pub use refusal::{Place, Refusal};
pub use report::Report;
pub use server::ask;
pub use setting::{Setting, meant};
pub use shift::{InputShift, Shift};
pub use steps::Step;

use crate::diagnostic::Sink;
use crate::policy::schema::{self, Origin, Purpose, Shorts};
use crate::policy::{Pinned, Vendored};
use crate::source::{Sources, disk::MAX_FILE_BYTES};
use crate::syntax::decode::{EncodingFault, decode};
use crate::syntax::{Kind, Node, json};

/// So many stretches of a text that hide are told.
const HIDING: usize = 4;

/// How the tools are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// As an MCP server answers `tools/list`.
    Mcp,
    /// As OpenAI's APIs take them: `{type: function, function: {…, parameters}}`, or the same flat.
    OpenAi,
    /// As Anthropic's API takes them, with `input_schema`.
    Anthropic,
}

impl Form {
    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }
}

/// Something about a published text that a person should look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Remark {
    /// The tool's name as published.
    pub tool: String,
    /// The way to the text within the tool: `description`, `inputSchema.properties.path.description`.
    pub at: String,
    /// What it is.
    pub kind: RemarkKind,
    /// In one sentence: lower case, no full stop.
    pub text: String,
}

/// The kinds of [`Remark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RemarkKind {
    /// A text holds characters that nobody sees.
    HiddenCharacter,
    /// A text gives the model orders.
    SpeaksToModel,
    /// A hint is no boolean.
    OddHint,
    /// A published value of the input that tells a tool's cases apart has no case in the tree.
    UnlistedCase,
    /// Keys that have no place in the pinned form.
    DroppedKeys,
}

/// A list of tools, read.
#[derive(Clone, Debug)]
pub struct Import {
    /// How it was written.
    pub form: Form,
    /// The text of the pinned file.
    pub pin: String,
    /// Whether that is what was handed in, byte for byte.
    pub as_published: bool,
    /// How many pages the list came on.
    pub pages: usize,
    /// How many other answers and notices stood beside them.
    pub passed_over: usize,
    /// How many tools are in it.
    pub published: usize,
    /// The tools that get a line in the overlay, by name.
    pub tools: Vec<Proposal>,
    /// Those that do not, in the order of the list.
    pub left_out: Vec<LeftOut>,
    /// What a person should look at, by tool and place.
    pub remarks: Vec<Remark>,
    list: Vendored,
    /// Every entry of the list, in its order; the places are those of `pin`.
    nodes: Vec<Arc<Node>>,
    /// What a pinned file notes of changes that were taken.
    noted: Option<Arc<Node>>,
}

/// Reads a list of tools.
///
/// # Errors
/// The bytes are no such list, a part of it is missing, or it cannot be read in one way alone.
pub fn read(bytes: &[u8], form: Form) -> Result<Import, Refusal> {
    let text = text_of(bytes)?;
    let gathered = pages::gather(&text)?;
    right_form(&gathered.items, form)?;
    let (mut tools, mut left_out, mut remarks) = (Vec::new(), Vec::new(), Vec::new());
    for (item, number) in gathered.items.iter().zip(1..) {
        match foreign::tell(form, item, number) {
            foreign::Told::Tool(tool, dropped) => {
                remarks.extend(dropped_keys(&item.node, dropped));
                tools.push(tool);
            }
            foreign::Told::No(one) => left_out.push(one),
        }
    }
    let mut as_published = form == Form::Mcp && gathered.single;
    let pin = if as_published { text.clone() } else { normal(&tools) };
    let mut import = of_pin(pin)?;
    // What was taken is for the tree's owner to note: a server that notes it in its own list is not heard.
    if import.noted.is_some() {
        import = of_pin(normal(&tools))?;
        as_published = false;
    }
    import.form = form;
    import.as_published = as_published;
    import.pages = gathered.pages;
    import.passed_over = gathered.passed_over;
    import.published = gathered.items.len();
    import.left_out.extend(left_out);
    import.remarks.extend(remarks);
    import.remarks.sort();
    Ok(import)
}

/// Several pages, or another form, as one list; each tool's text is what it was.
fn normal(tools: &[String]) -> String {
    normal_with(tools, "")
}

/// The same with a member beside the tools, as text of JSON; empty: with none.
fn normal_with(tools: &[String], beside: &str) -> String {
    let beside = if beside.is_empty() { String::new() } else { format!(", {beside}") };
    if tools.is_empty() {
        return format!("{{\"tools\": []{beside}}}\n");
    }
    format!("{{\"tools\": [\n{}\n]{beside}}}\n", tools.join(",\n"))
}

fn text_of(bytes: &[u8]) -> Result<String, Refusal> {
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let message = format!(
            "the list has {} bytes, and no file of a tree may have more than {MAX_FILE_BYTES}",
            bytes.len()
        );
        return Err(
            Refusal::new(message).help("ask the server for fewer tools: most can be told which to offer")
        );
    }
    let decoded = decode(bytes);
    match decoded.fault {
        None => Ok(decoded.text.to_string()),
        Some(EncodingFault::Wide) => {
            Err(Refusal::new("the list is UTF-16 or UTF-32, and pinned lists are UTF-8")
                .help("save it as UTF-8; some shells write UTF-16 with `>`"))
        }
        Some(EncodingFault::Byte { at, byte }) => {
            Err(Refusal::new(format!("byte {at} of the list (0x{byte:02X}) is not UTF-8"))
                .help("save it as UTF-8"))
        }
    }
}

/// A list that is wholly in another form is better imported as that.
fn right_form(items: &[pages::Item<'_>], form: Form) -> Result<(), Refusal> {
    let mut forms = items.iter().map(|item| foreign::form_of(&item.node));
    let Some(Some(first)) = forms.next() else { return Ok(()) };
    if first == form || !forms.all(|other| other == Some(first)) {
        return Ok(());
    }
    let whose = match first {
        Form::Mcp => "an MCP server's",
        Form::OpenAi => "OpenAI's",
        Form::Anthropic => "Anthropic's",
    };
    Err(Refusal::new(format!(
        "these tools are written in {whose} form, and `import {}` was asked for",
        form.word()
    ))
    .help(format!("run `harnessc import {}` on the same file", first.word())))
}

fn dropped_keys(node: &Node, keys: Vec<String>) -> Option<Remark> {
    let holder = node.get("function").map_or(node, |function| &function.value);
    let tool = holder.get("name").and_then(|name| name.value.text()).unwrap_or("").to_owned();
    let text = format!(
        "{} {} no place in a pinned list and {} left out",
        text::listed(keys.iter().map(String::as_str)),
        if keys.len() == 1 { "has" } else { "have" },
        if keys.len() == 1 { "was" } else { "were" }
    );
    (!keys.is_empty()).then(|| Remark { tool, at: String::new(), kind: RemarkKind::DroppedKeys, text })
}

/// Reads the text of a pinned file, and judges each tool.
fn of_pin(pin: String) -> Result<Import, Refusal> {
    let mut sink = Sink::default();
    let document = json::read(Sources::default().add("tools/list", ""), &pin, &mut sink);
    let refused =
        |finding: &&crate::diagnostic::Diagnostic| finding.rule != crate::syntax::hidden::HIDDEN_CHARACTER;
    if let Some(finding) = sink.iter().find(refused) {
        return Err(Refusal::of(finding, &pin, 0));
    }
    let list = Vendored::read(&document);
    if !list.readable {
        return Err(Refusal::new("there is no list of tools in it"));
    }
    let nodes = document.root.as_deref().map(Vendored::items).unwrap_or_default();
    let mut import = Import {
        form: Form::Mcp,
        as_published: true,
        pages: 1,
        passed_over: 0,
        published: nodes.len(),
        tools: Vec::new(),
        left_out: Vec::new(),
        remarks: Vec::new(),
        list,
        nodes: nodes.to_vec(),
        noted: document.root.as_deref().and_then(taken::noted),
        pin: String::new(),
    };
    import.judge(nodes);
    import.pin = pin;
    Ok(import)
}

impl Import {
    fn judge(&mut self, nodes: &[Arc<Node>]) {
        let named = || nodes.iter().filter_map(|node| node.get("name")?.value.text());
        let looks = names::Looks::of(named());
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        named().for_each(|name| *counts.entry(name).or_default() += 1);
        for (node, item) in nodes.iter().zip(1..) {
            let name = node.get("name").and_then(|name| name.value.text());
            self.remark(name.unwrap_or(""), node);
            let Some((name, tool)) = name.and_then(|name| Some((name, self.list.tools.get(name)?))) else {
                self.left_out.push(nameless(node, item));
                continue;
            };
            let first = tool.node.span == node.span;
            let count = counts.get(name).copied().unwrap_or(1);
            match fault(tool, count, &looks) {
                Some((why, text, key)) if first => {
                    self.left_out.push(LeftOut { name: name.to_owned(), item, why, text, key });
                }
                Some(_) => {}
                None => self.tools.push(Proposal::of(tool)),
            }
        }
        self.tools.sort_by(|a, b| a.name.cmp(&b.name));
        self.remarks.sort();
    }

    /// Notes what of a tool's texts a person should look at.
    fn remark(&mut self, name: &str, node: &Node) {
        let mut found = Vec::new();
        let mut note = |at: &str, kind, text: String| {
            found.push(Remark { tool: name.to_owned(), at: at.to_owned(), kind, text });
        };
        speech::texts(node, "", &mut |at, told| {
            if speech::hidden(told).is_some() {
                let refused = if speech::is_refused(told) {
                    "; `check` refuses the pinned list while it stands"
                } else {
                    ""
                };
                let what = text::hiding(told);
                let more = what.len().saturating_sub(HIDING);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let what = what.iter().take(HIDING).map(String::as_str).collect::<Vec<_>>().join(", ");
                note(
                    at,
                    RemarkKind::HiddenCharacter,
                    format!("holds what is not to be seen: {what}{more}{refused}"),
                );
            }
            if let Some(phrase) = speech::order(told).filter(|_| speech::is_prose(at)) {
                note(at, RemarkKind::SpeaksToModel, format!("speaks to the model: {}", text::name(phrase)));
            }
        });
        for key in self.list.tools.get(name).map(judge::odd_hints).unwrap_or_default() {
            note(
                &format!("annotations.{key}"),
                RemarkKind::OddHint,
                "is no boolean, and counts as not said".to_owned(),
            );
        }
        found.dedup();
        self.remarks.extend(found);
    }
}

fn nameless(node: &Node, item: usize) -> LeftOut {
    let text = match (&node.kind, node.get("name")) {
        (Kind::Map(_), None) => "it has no name".to_owned(),
        (Kind::Map(_), Some(name)) => format!("its name is {}", name.value.what()),
        _ => format!("it is {}, and a tool is a mapping", node.what()),
    };
    LeftOut { name: String::new(), item, why: Why::NoName, text, key: None }
}

/// Why a tool cannot have a line of its own.
fn fault(tool: &Pinned, count: usize, looks: &names::Looks<'_>) -> Option<(Why, String, Option<String>)> {
    if count > 1 {
        let text = format!(
            "its name stands {count} times in the list, so that no one can say which a call would reach"
        );
        return Some((Why::Duplicate, text, None));
    }
    let by_name = names::fault(&tool.name, looks);
    let by_schema = schema_fault(tool);
    match (by_name, by_schema) {
        (Some((why, text, _)), Some((_, also))) => Some((why, format!("{text}; and {also}"), None)),
        (Some(by_name), None) => Some(by_name),
        (None, Some((why, text))) => Some((why, text, None)),
        (None, None) => None,
    }
}

fn schema_fault(tool: &Pinned) -> Option<(Why, String)> {
    let input = match &tool.input {
        Some(input) if input.kind != Kind::Null => input,
        _ => {
            return Some((
                Why::NoSchema,
                "it has no input schema, so that a call could hold anything".to_owned(),
            ));
        }
    };
    if tool.header().is_some() {
        let text = format!("its input schema has an input sent as a header (`{HEADER_KEY}`)");
        return Some((Why::BadSchema, text));
    }
    let reading = schema::read(input, Origin::Pinned, Purpose::Input, &Shorts::none());
    if reading.closed.is_some() {
        return None;
    }
    let problem = reading.problems.iter().find(|problem| !problem.is_soft());
    let detail = problem.map_or("it is not understood", |problem| problem.detail.as_str());
    let at = problem.map(|problem| problem.pointer.as_str()).filter(|pointer| !pointer.is_empty());
    let at = at.map(|pointer| format!(" at {}", text::name(pointer))).unwrap_or_default();
    Some((Why::BadSchema, format!("its input schema cannot be closed{at}: {}", text::visible(detail))))
}
