//! From what was handed in to one list: which JSON values stand in the text, which of them are pages of a list of tools,
//! and whether the list is whole.

use std::ops::Range;
use std::sync::Arc;

use super::refusal::Refusal;
use super::text;
use crate::diagnostic::Sink;
use crate::source::Sources;
use crate::syntax::hidden::HIDDEN_CHARACTER;
use crate::syntax::{Kind, Node, json};

/// One tool as it was written, and its text.
pub(super) struct Item<'t> {
    pub(super) node: Arc<Node>,
    pub(super) raw: &'t str,
}

/// The items of all pages, in their order.
pub(super) struct Gathered<'t> {
    pub(super) items: Vec<Item<'t>>,
    /// How many pages they came on.
    pub(super) pages: usize,
    /// Answers and notices that are no page and were passed over.
    pub(super) passed_over: usize,
    /// Whether the text is a single list in a form that a pinned file may have.
    pub(super) single: bool,
}

/// A page and what it says of a next one.
struct Page<'t> {
    items: Vec<Item<'t>>,
    cursor: Option<Cursor>,
}

struct Cursor {
    text: String,
    byte: usize,
}

/// What a value turned out to be.
enum Value<'t> {
    Page(Page<'t>),
    Pages(Vec<Page<'t>>),
    /// An answer to something else, a request, a notice.
    Other,
}

/// Gathers the tools of every page.
///
/// # Errors
/// The text is no JSON, holds no list, or holds a list of which a part is missing; a key stands twice.
pub(super) fn gather(text: &str) -> Result<Gathered<'_>, Refusal> {
    let ranges = values(text);
    if ranges.is_empty() {
        return Err(Refusal::new("there is nothing in it")
            .help("hand in what the server answered to `tools/list`, as JSON"));
    }
    let (mut pages, mut passed_over, mut nested) = (Vec::new(), 0, false);
    for range in &ranges {
        match value(text, range.clone())? {
            Value::Page(page) => pages.push(page),
            Value::Pages(more) => {
                nested = true;
                pages.extend(more);
            }
            Value::Other => passed_over += 1,
        }
    }
    complete(text, &pages)?;
    let single = pages.len() == 1 && passed_over == 0 && !nested;
    let count = pages.len();
    let items = pages.into_iter().flat_map(|page| page.items).collect();
    Ok(Gathered { items, pages: count, passed_over, single })
}

/// The ranges of the JSON values of a text, by their brackets alone. What begins with no bracket reaches to the end of
/// the text, for the reader to tell of.
fn values(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut start, mut depth) = (Vec::new(), None, 0_usize);
    let (mut in_text, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        let blank = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0xef | 0xbb | 0xbf);
        if start.is_none() && blank {
            continue;
        }
        let begin = *start.get_or_insert(at);
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(begin..at + 1);
                    start = None;
                }
            }
            _ if depth == 0 => break,
            _ => {}
        }
    }
    found.extend(start.map(|begin| begin..text.len()));
    found
}

fn value(text: &str, range: Range<usize>) -> Result<Value<'_>, Refusal> {
    let start = range.start;
    let slice = text.get(range).unwrap_or("");
    let mut sink = Sink::default();
    let file = Sources::default().add("tools/list", "");
    let document = json::read(file, slice, &mut sink);
    if let Some(finding) = sink.iter().find(|finding| finding.rule != HIDDEN_CHARACTER) {
        let mut refusal = Refusal::of(finding, text, start);
        if let Some(tool) = around(slice, finding.primary.span.start as usize) {
            refusal.message = format!("{} (within {})", refusal.message, text::name(tool));
        }
        return Err(refusal);
    }
    let Some(root) = document.root else { return Err(Refusal::new("this is no JSON").at(text, start)) };
    Reader { text, slice, start }.value(&root)
}

/// The last `"name": "…"` before a place: which tool it lies in, as a hint for a person.
fn around(slice: &str, place: usize) -> Option<&str> {
    let before = slice.get(..place)?;
    let (_, after) = before.rsplit_once("\"name\"")?;
    after.split_once('"')?.1.split_once('"').map(|(name, _)| name)
}

struct Reader<'t> {
    text: &'t str,
    slice: &'t str,
    start: usize,
}

impl<'t> Reader<'t> {
    fn value(&self, root: &Arc<Node>) -> Result<Value<'t>, Refusal> {
        let Kind::List(items) = &root.kind else {
            return Ok(self.page(root)?.map_or(Value::Other, Value::Page));
        };
        let is_page = |node: &Arc<Node>| {
            ["tools", "result", "jsonrpc"].iter().any(|key| node.get(key).is_some())
                && node.get("name").is_none()
        };
        if items.is_empty() || !items.iter().all(is_page) {
            return Ok(Value::Page(Page { items: self.items(items), cursor: None }));
        }
        let mut pages = Vec::new();
        for item in items {
            pages.extend(self.page(item)?);
        }
        Ok(Value::Pages(pages))
    }

    /// The page that a mapping is; nothing where it is an answer or a notice about something else.
    fn page(&self, node: &Arc<Node>) -> Result<Option<Page<'t>>, Refusal> {
        if let Some(error) = node.get("error").filter(|error| error.value.kind != Kind::Null) {
            return Err(self.error(&error.value));
        }
        let result = node.get("result").map(|result| &result.value);
        let holder = result.unwrap_or(node);
        if let Some(kind) = holder.get("resultType").filter(|kind| kind.value.text() != Some("complete")) {
            let byte = self.byte(&kind.value);
            return Err(Refusal::new("this answer says itself that it is not a complete result")
                .at(self.text, byte)
                .help("answer what the server asked for, then hand in the complete list"));
        }
        match holder.get("tools").map(|tools| &tools.value) {
            Some(tools) => match &tools.kind {
                Kind::List(items) => Ok(Some(Page { items: self.items(items), cursor: self.cursor(holder) })),
                _ => Err(self
                    .refuse(tools, format!("`tools` is {}, and a list is expected", tools.what()))
                    .help("hand in what the server answered to `tools/list`")),
            },
            None if result.is_some() || node.get("method").is_some() => Ok(None),
            None if node.get("name").is_some() => Err(self
                .refuse(node, "this is one tool, and a list of tools is expected")
                .help("put it in brackets, `[…]`, where it is the server's only tool")),
            None => Err(self.refuse(node, format!("{} without a list of `tools`", node.what())).help(
                "hand in the answer to `tools/list`: `[…]`, `{\"tools\": […]}` or the whole JSON-RPC answer",
            )),
        }
    }

    fn error(&self, error: &Node) -> Refusal {
        let said = error.get("message").and_then(|message| message.value.text()).or(error.text());
        let code = match error.get("code").map(|code| &code.value.kind) {
            Some(Kind::Number(code)) => format!(" {code}"),
            _ => String::new(),
        };
        let message = match said {
            Some(said) => format!("the server answered with error{code}: {}", text::name(said)),
            None => format!("the server answered with error{code}"),
        };
        self.refuse(error, message).help("mend what it complains of and ask for `tools/list` again")
    }

    fn cursor(&self, holder: &Node) -> Option<Cursor> {
        let cursor = &holder.get("nextCursor")?.value;
        let text = match &cursor.kind {
            Kind::Null => return None,
            Kind::Text(text, _) | Kind::Number(text) => text.clone(),
            _ => cursor.what().to_owned(),
        };
        Some(Cursor { text, byte: self.byte(cursor) })
    }

    fn items(&self, nodes: &[Arc<Node>]) -> Vec<Item<'t>> {
        nodes
            .iter()
            .map(|node| Item { node: Arc::clone(node), raw: self.slice.get(node.span.range()).unwrap_or("") })
            .collect()
    }

    fn refuse(&self, node: &Node, message: impl Into<String>) -> Refusal {
        Refusal::new(message).at(self.text, self.byte(node))
    }

    fn byte(&self, node: &Node) -> usize {
        self.start + node.span.start as usize
    }
}

/// Every page but the last names a next one, and the last does not.
fn complete(text: &str, pages: &[Page<'_>]) -> Result<(), Refusal> {
    let Some((last, before)) = pages.split_last() else {
        return Err(Refusal::new("there is no list of tools in it")
            .help("hand in what the server answered to `tools/list`"));
    };
    if let Some(cursor) = &last.cursor {
        let said = text::name(&cursor.text);
        let message =
            format!("the list is incomplete: its last page says `nextCursor`: {said}, and no page follows");
        return Err(Refusal::new(message).at(text, cursor.byte).help(
            "ask for `tools/list` again with that `cursor` until no `nextCursor` comes, and hand in all pages, one after another",
        ));
    }
    match before.iter().position(|page| page.cursor.is_none()) {
        None => Ok(()),
        Some(at) => Err(Refusal::new(format!(
            "page {} of {} says that no page follows it, and one does",
            at + 1,
            pages.len()
        ))
        .help("hand in the pages of one list, in their order; import another server's list by itself")),
    }
}
