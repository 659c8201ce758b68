//! The door for people: a socket in a folder that nobody else can enter, one question and one answer a connection.
//!
//! Three lines from the approver, each answered with one: who they are, what they answer. Nothing is shown before the
//! secret was right, and a wrong one costs time.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use harnessc_runtime::actions::{ActionId, Refusal};
use harnessc_runtime::json::Json;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::system::Failed;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    action: String,
    person: String,
    secret: String,
}

pub(crate) fn listen(path: &str, desk: Arc<Mutex<Desk>>) -> Result<(), Failed> {
    let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    if std::fs::metadata(folder)?.permissions().mode() & 0o077 != 0 {
        return Err(Failed::new(format!("{} can be entered by others: chmod 700 it", folder.display())));
    }
    // What a server that was killed left behind; a door that somebody stands at stays theirs.
    if UnixStream::connect(path).is_err() && std::fs::symlink_metadata(path).is_ok() {
        std::fs::remove_file(path)?;
    }
    let listener = UnixListener::bind(path)?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let desk = Arc::clone(&desk);
            // Whoever hangs up has answered nothing.
            thread::spawn(move || drop(attend(&stream, &desk)));
        }
    });
    Ok(())
}

fn attend(mut stream: &UnixStream, desk: &Mutex<Desk>) -> Result<(), Failed> {
    let mut lines = BufReader::new(stream).lines();
    let mut next = || lines.next().unwrap_or_else(|| Ok(String::new()));
    let asked = Json::parse(next()?.as_bytes()).ok();
    let asked = asked.and_then(|json| serde_json::from_str::<Asked>(json.canonical()).ok());
    // Guessing is slow, and the run does not wait for it.
    let people = desk.lock().ok().map(|desk| desk.people.clone());
    let signed_in = asked.as_ref().and_then(|asked| people.as_ref()?.signed_in(&asked.person, &asked.secret));
    let (Some(asked), Some(voter)) = (asked, signed_in) else {
        thread::sleep(Duration::from_millis(500));
        return say(&mut stream, &refused(Refusal::NotAuthenticated));
    };
    let held = || desk.lock().map_err(|_| Failed::new("the run is in an unknown state"));
    // The run goes on while the person reads.
    let view = held()?.view(&ActionId::new(asked.action)).unwrap_or_else(refused);
    say(&mut stream, &view)?;
    let answer = next()?;
    let outcome = held()?.answer(&voter, answer.as_bytes());
    say(&mut stream, &outcome.map_or_else(refused, |outcome| json!({"outcome": outcome})))
}

fn refused(refusal: Refusal) -> Value {
    json!({"message": refusal.reason(), "refused": refusal.code()})
}

fn say(stream: &mut &UnixStream, value: &Value) -> Result<(), Failed> {
    writeln!(stream, "{value}")?;
    Ok(stream.flush()?)
}
