//! One outside server, started as a process and asked over its stdin and stdout: JSON-RPC, a message a line, one question at
//! a time. Its answers are bytes, weighed before they are read; whatever else it says goes nowhere.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use harnessc_runtime::result::{Message, Treatment, treat};
use harnessc_runtime::upstream::{Bounds, Unfit};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// What is spoken, which an answer to `initialize` may name otherwise: two methods have been the same since.
const PROTOCOL: &str = "2025-06-18";

/// What a message of the server says. Its content stays as it came.
#[derive(Deserialize)]
struct Said<'a> {
    id: Option<Value>,
    method: Option<String>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

/// A process that answers. Whoever fails once is ended: a late answer is never taken for the next one.
#[derive(Debug)]
pub(crate) struct Line {
    asked: u64,
    child: Child,
    heard: Receiver<Vec<u8>>,
    to: ChildStdin,
}

impl Line {
    /// Starts the server and greets it. No capability is declared, so that it has nothing to ask for.
    pub(crate) fn open(command: &[String], bounds: &Bounds) -> Result<Self, Unfit> {
        let (program, arguments) = command.split_first().ok_or(Unfit::Unreadable)?;
        let child =
            Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|_| Unfit::Timeout)?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Unfit::Unreadable);
        };
        let (told, heard) = sync_channel(16);
        let most = u64::try_from(bounds.max_bytes).unwrap_or(u64::MAX).saturating_add(1);
        thread::spawn(move || {
            let mut from = BufReader::new(from);
            loop {
                let mut line = Vec::new();
                let read = from.by_ref().take(most).read_until(b'\n', &mut line);
                let whole = read.is_ok() && line.last() == Some(&b'\n');
                // A line that does not end within its bounds is handed on as it is, too large, and is the last one.
                if line.is_empty() || told.send(line).is_err() || !whole {
                    return;
                }
            }
        });
        let mut line = Self { asked: 0, child, heard, to };
        let client = json!({"name": "tool_server", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"capabilities": {}, "clientInfo": client, "protocolVersion": PROTOCOL});
        line.ask("initialize", &hello, bounds)?;
        line.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(line)
    }

    /// One question and the bytes of its `result`, within the bounds.
    pub(crate) fn ask(&mut self, method: &str, params: &Value, bounds: &Bounds) -> Result<Vec<u8>, Unfit> {
        self.asked = self.asked.checked_add(1).ok_or(Unfit::Unreadable)?;
        let (asked, began) = (self.asked, Instant::now());
        self.say(&json!({"id": asked, "jsonrpc": "2.0", "method": method, "params": params}))?;
        loop {
            let left = Duration::from_millis(bounds.timeout_ms).saturating_sub(began.elapsed());
            let line = self.heard.recv_timeout(left).map_err(|_| Unfit::Timeout)?;
            let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            bounds.weigh(&line, took_ms)?;
            let said: Said<'_> = serde_json::from_slice(&line).map_err(|_| Unfit::Unreadable)?;
            if let Some(method) = &said.method {
                self.heed(method, said.id.as_ref())?;
            } else if said.id == Some(asked.into()) {
                let result = said.result.ok_or(Unfit::Unreadable)?;
                return Ok(result.get().as_bytes().to_vec());
            }
        }
    }

    /// Nothing of what a server says of its own accord is used.
    fn heed(&mut self, method: &str, id: Option<&Value>) -> Result<(), Unfit> {
        let Some(id) = id else { return Ok(()) };
        match treat(Message::Request(method)) {
            Treatment::Answer => self.say(&json!({"id": id, "jsonrpc": "2.0", "result": {}})),
            _ => {
                let error = json!({"code": Treatment::REFUSED, "message": "there is nothing to ask here"});
                self.say(&json!({"error": error, "id": id, "jsonrpc": "2.0"}))
            }
        }
    }

    fn say(&mut self, message: &Value) -> Result<(), Unfit> {
        let said = writeln!(self.to, "{message}").and_then(|()| self.to.flush());
        said.map_err(|_| Unfit::Timeout)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        // It may have gone by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
