//! An MCP server of the program console: a dozen tools over a small store of records, held to a `harness.lock`.
//!
//! `serve` speaks MCP over stdio. Whatever arrives is asked of the boundary, whatever is answered was projected, and no
//! write runs from a call: it becomes a pending action. `approve` is a process of its own, on a terminal of its own, in
//! which a person types a secret and answers. `verify` recomputes the audit file.
//!
//! The kill switch is a file that is read at every call, answer and start. While it says `off` nothing is held back; any
//! other word, or no file, counts as on.
//!
//! Tools of an outside server (`from:` in the policy) are passed on to it. The server is started as the lock says and asked for its
//! list before each use: a tool that is not what was pinned is neither shown nor called, and what was approved waits for it.
//! Whoever said yes says it again once the server is what it was, and it is done, once.
//!
//! A server that is killed leaves its run, pending actions, budget and records in a file; started again with the same words it
//! goes on with them, and does what was approved and not started. The next run begins with the records as they stand, and under no
//! lock that is older than the last one's: the next revision follows it, a later one with `--allow_gap yes`. A second server with
//! one of the files or the socket of a running one ends before it has written anything.
//!
//! What it leaves out, so that it stays an example: there is one run at a time; what a run leaves pending ends with it; the file is
//! a whole state a line, and `state.rs` says what it can and cannot show of what was done to it; its permissions are the persona's
//! bundle; and arguments reach it as rmcp has read them, so that a key that stood twice on the wire is not seen. A server in
//! production reads the raw bytes, and keeps state and audit in one transaction.
//!
//! Whom it does not stop: an agent that holds a shell as the same user can read the approver's terminal and the socket.
//! Run the server as another user than the agent.

mod appended;
mod approvals;
mod desk;
mod facts;
mod line;
mod mcp;
mod office;
mod options;
mod outside;
mod people;
mod reads;
mod records;
mod reply;
mod state;
mod system;
mod terminal;
mod trail;
mod writes;

use std::process::ExitCode;

use harnessc_runtime::audit::{Chain, verify_lines};

use options::Options;
use system::Failed;

const USAGE: &str = "\
tool_server serve --lock FILE --policy NAME [--environment ENV] --organization ID --program ID --harness KEY
                  --role KEY --surface KEY --person ID --persona KEY --people FILE --kill_switch FILE
                  --approvals SOCKET --audit FILE --state FILE [--allow_gap yes]
tool_server approve --approvals SOCKET --action ID
tool_server verify --audit FILE --organization ID";

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let verb = words.next().unwrap_or_default();
    let done = Options::read(words).and_then(|options| match verb.as_str() {
        "approve" => terminal::approve(&options),
        "serve" => mcp::serve(&options),
        "verify" => verify(&options),
        _ => Err(Failed::new(USAGE)),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("{failed}");
            ExitCode::from(2)
        }
    }
}

fn verify(options: &Options) -> Result<(), Failed> {
    let lines = std::fs::read_to_string(options.one("audit")?)?;
    let head = verify_lines(Chain::Trail, options.one("organization")?, &lines, None)
        .map_err(|broken| Failed::new(broken.to_string()))?;
    println!("the chain is whole: {} records, {}", head.seq, head.hash);
    Ok(())
}
