//! A server that is started and asked for its list: the little of MCP over stdio that this takes.
//!
//! It asks for nothing but the list, answers no wish of the server's, and hands on the pages as they came.

use std::ffi::OsString;
use std::time::Duration;

use serde_json::json;

use super::refusal::Refusal;
use super::text;
use crate::diagnostic::Sink;
use crate::source::Sources;
use crate::source::disk::MAX_FILE_BYTES;
use crate::source::process::{Silence, Talk};
use crate::syntax::hidden::HIDDEN_CHARACTER;
use crate::syntax::{Kind, Node, json as reader};

/// The revision of MCP that is asked for; a server may answer with another, the list is the same.
const REVISION: &str = "2025-06-18";
/// How long the whole talk may last: a first start may fetch the server from a registry.
const TIME: Duration = Duration::from_secs(60);
/// No list comes on more pages.
const MAX_PAGES: usize = 1_000;
/// No cursor is longer, in bytes.
const MAX_CURSOR: usize = 16_384;
/// So many other messages may come before an answer.
const MAX_OTHERS: usize = 10_000;

/// Starts the server and asks it for its tools: the text of every page, one after another.
///
/// # Errors
/// It cannot be started, does not answer in time, or answers with something else.
pub fn ask(program: &OsString, arguments: &[OsString]) -> Result<Vec<u8>, Refusal> {
    ask_within(program, arguments, TIME)
}

fn ask_within(program: &OsString, arguments: &[OsString], time: Duration) -> Result<Vec<u8>, Refusal> {
    let talk = Talk::start(program, arguments, time, MAX_FILE_BYTES).map_err(|error| {
        let said = error.to_string().to_lowercase();
        let said = said.split(" (os error").next().unwrap_or_default();
        Refusal::new(format!("{} cannot be started: {said}", text::name(&program.to_string_lossy())))
            .help("write the command as you would type it, after `--`; nothing is expanded by a shell")
    })?;
    let mut asking = Asking { talk, time, asked: 0 };
    let about = json!({"protocolVersion": REVISION, "capabilities": {}, "clientInfo": {"name": "harnessc", "version": env!("CARGO_PKG_VERSION")}});
    asking.answer("initialize", &about)?;
    asking.talk.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    asking.pages()
}

struct Asking {
    talk: Talk,
    time: Duration,
    /// How many requests were sent; each bears its number.
    asked: u64,
}

/// A result and its text.
struct Answer {
    result: String,
    cursor: Option<String>,
}

impl Asking {
    fn pages(&mut self) -> Result<Vec<u8>, Refusal> {
        let (mut pages, mut cursor): (Vec<String>, Option<String>) = (Vec::new(), None);
        loop {
            let about = cursor.as_ref().map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
            let Answer { result, cursor: next } = self.answer("tools/list", &about)?;
            pages.push(result);
            let Some(next) = next else { break };
            if Some(&next) == cursor.as_ref() || pages.len() >= MAX_PAGES || next.len() > MAX_CURSOR {
                let why = match pages.len() {
                    MAX_PAGES.. => format!("its list has more than {MAX_PAGES} pages"),
                    _ if next.len() > MAX_CURSOR => format!("its `nextCursor` has {} bytes", next.len()),
                    count => format!("page {count} names itself as the next one"),
                };
                return Err(self
                    .refused(&format!("the server never comes to the end of its list: {why}"))
                    .help("that is the server's to mend: its last page has no `nextCursor`"));
            }
            cursor = Some(next);
        }
        Ok(pages.join("\n").into_bytes())
    }

    /// Sends a request and waits for its answer; whatever else comes is passed over, and the server's wishes are declined.
    fn answer(&mut self, method: &str, about: &serde_json::Value) -> Result<Answer, Refusal> {
        let number = self.asked;
        self.asked += 1;
        self.talk
            .say(&json!({"jsonrpc": "2.0", "id": number, "method": method, "params": about}).to_string());
        for _ in 0..MAX_OTHERS {
            let line = self.line(method)?;
            if line.trim().is_empty() {
                continue;
            }
            let mut sink = Sink::default();
            let document = reader::read(Sources::default().add("message", ""), &line, &mut sink);
            let readable = sink.iter().all(|finding| finding.rule == HIDDEN_CHARACTER);
            let root = document.root.filter(|root| readable && is_message(root));
            let Some(root) = root else { return Err(self.no_message(&line)) };
            if root.get("method").is_some() {
                self.decline(&root, &line);
            } else if root.get("id").is_some_and(|id| id.value.kind == Kind::Number(number.to_string())) {
                return self.taken(method, &root, &line);
            }
        }
        Err(self.refused(&format!(
            "the server wrote {MAX_OTHERS} messages, and no answer to `{method}` among them"
        )))
    }

    /// A request of the server's is answered, so that it does not wait: a ping as asked, all else with a no.
    fn decline(&self, root: &Node, line: &str) {
        let Some(id) = root.get("id").and_then(|id| line.get(id.value.span.range())) else { return };
        let ping = root.get("method").and_then(|method| method.value.text()) == Some("ping");
        let rest = if ping {
            r#""result":{}"#
        } else {
            r#""error":{"code":-32601,"message":"this client only lists tools"}"#
        };
        self.talk.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},{rest}}}"#));
    }

    fn taken(&self, method: &str, root: &Node, line: &str) -> Result<Answer, Refusal> {
        if let Some(error) = root.get("error") {
            let said = error.value.get("message").and_then(|message| message.value.text()).unwrap_or("");
            return Err(self
                .refused(&format!("the server answered `{method}` with an error: {}", text::name(said)))
                .help("mend what it complains of: a key it needs, an argument; it gets the environment of this command"));
        }
        let Some(result) = root.get("result").filter(|result| matches!(result.value.kind, Kind::Map(_)))
        else {
            return Err(
                self.refused(&format!("the server answered `{method}` with neither a result nor an error"))
            );
        };
        let cursor = match result.value.get("nextCursor").map(|cursor| &cursor.value.kind) {
            Some(Kind::Text(cursor, _)) => Some(cursor.clone()),
            _ => None,
        };
        let result = line.get(result.value.span.range()).unwrap_or("").to_owned();
        Ok(Answer { result, cursor })
    }

    fn line(&self, method: &str) -> Result<String, Refusal> {
        let bytes = self.talk.hear().map_err(|silence| match silence {
            Silence::Ended => self.refused(&format!("the program ended before it answered `{method}`")).help(
                "start it by hand: it has to stay and wait for messages. What it needs, an argument or a key in the environment, \
                 it says itself",
            ),
            Silence::Late => self
                .refused(&format!("the server did not answer `{method}` within {} seconds", self.time.as_secs()))
                .help("start it by hand once, so that what it fetches is there; or save its answer to `tools/list` and import the file"),
            Silence::TooMuch => self
                .refused(&format!("the server wrote more than {MAX_FILE_BYTES} bytes, and a pinned list may have no more"))
                .help("ask the server for fewer tools: most can be told which to offer"),
            Silence::Broken(error) => self.refused(&format!("the server cannot be read: {error}")),
        })?;
        String::from_utf8(bytes).map_err(|error| self.no_message(&String::from_utf8_lossy(error.as_bytes())))
    }

    fn no_message(&self, line: &str) -> Refusal {
        self.refused(&format!("the program wrote a line that is no JSON-RPC message: {}", text::name(line))).help(
            "an MCP server keeps its standard output for messages and logs to standard error. Is this the server, and does it \
             speak over stdio? Else save its answer to `tools/list` and import the file",
        )
    }

    /// With the end of what the program said elsewhere, as its words and not ours.
    fn refused(&self, message: &str) -> Refusal {
        let said = self.talk.last_words();
        let last = said.lines().rev().find(|line| !line.trim().is_empty());
        let quoted =
            last.map(|line| format!("; the last line of its error stream: {}", text::name(line.trim())));
        Refusal::new(format!("{message}{}", quoted.unwrap_or_default()))
    }
}

fn is_message(root: &Node) -> bool {
    matches!(root.kind, Kind::Map(_)) && root.get("jsonrpc").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_server_that_says_nothing_is_not_waited_for() {
        let arguments = ["-c".into(), "cat > /dev/null; sleep 600".into()];
        let refusal = ask_within(&"sh".into(), &arguments, Duration::from_millis(50)).unwrap_err();
        assert!(refusal.message.starts_with("the server did not answer `initialize` within"), "{refusal}");
    }

    #[test]
    #[cfg(unix)]
    fn a_server_that_writes_without_end_is_cut_off() {
        let endless = "while read line; do while printf '\\n'; do :; done; done";
        let refusal =
            ask_within(&"sh".into(), &["-c".into(), endless.into()], Duration::from_secs(20)).unwrap_err();
        assert!(refusal.message.contains("no answer to `initialize` among them"), "{refusal}");
    }
}
