//! The door for people: a socket in a folder that nobody else can enter, one question and one answer a connection.
//!
//! Two lines from the approver, each answered with one: who they are, what they answer. Nothing is shown before the
//! secret was right. Secrets are tried one after another, whoever hands them in, and a wrong one costs time: so many guesses in a
//! second, and the memory of one. Whoever guesses without end holds up the others, and is in the folder.

use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use harnessc_runtime::actions::{ActionId, Refusal};
use harnessc_runtime::json::Json;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::system::Failed;

/// So many connections are attended to at a time.
const MOST: usize = 16;

/// The longest line, in bytes.
const LINE: u64 = 64 * 1024;

/// So long a name and a secret are waited for, which the approver has typed before it connects; so long an answer.
const WAITS: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(30 * 60));

/// What a wrong secret costs everybody.
const WRONG: Duration = Duration::from_millis(500);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    action: String,
    person: String,
    secret: String,
}

/// The socket, which nobody else has. People are attended to once there is a desk.
pub(crate) struct Door(UnixListener);

impl Door {
    /// Takes the place of a socket that a server left behind. A door that somebody stands at stays theirs, and what is no
    /// socket stays what it is.
    pub(crate) fn open(path: &str) -> Result<Self, Failed> {
        let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder: PathBuf = folder.unwrap_or_else(|| Path::new(".")).to_owned();
        if std::fs::metadata(&folder)?.permissions().mode() & 0o077 != 0 {
            return Err(Failed::new(format!("{} can be entered by others: chmod 700 it", folder.display())));
        }
        // One at a time, or the other's new socket would be taken for an old one.
        let turn = File::open(&folder)?;
        turn.lock()?;
        let at = |why: &str| Failed::new(format!("{path} {why}"));
        match std::fs::symlink_metadata(path).map(|there| there.file_type().is_socket()) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
            Ok(false) => return Err(at("is no socket, and stays what it is: name another place")),
            Ok(true) => match UnixStream::connect(path) {
                Ok(_) => {
                    return Err(at("is attended to by another server: end it first, or name another place"));
                }
                Err(error) if error.kind() == ErrorKind::ConnectionRefused => std::fs::remove_file(path)?,
                Err(error) => return Err(error.into()),
            },
        }
        Ok(Self(UnixListener::bind(path)?))
    }

    /// Attends to whoever comes, from now on.
    pub(crate) fn attend(self, desk: Arc<Mutex<Desk>>) {
        let (inside, turn) = (Arc::new(()), Arc::new(Mutex::new(())));
        thread::spawn(move || {
            for stream in self.0.incoming().flatten() {
                if Arc::strong_count(&inside) > MOST {
                    let busy = json!({"message": "too many are here: come again", "refused": "busy"});
                    let _ = say(&mut &stream, &busy);
                    continue;
                }
                let (desk, inside, turn) = (Arc::clone(&desk), Arc::clone(&inside), Arc::clone(&turn));
                // Whoever hangs up has answered nothing.
                thread::spawn(move || {
                    drop(attend(&stream, &desk, &turn));
                    drop(inside);
                });
            }
        });
    }
}

fn attend(mut stream: &UnixStream, desk: &Mutex<Desk>, turn: &Mutex<()>) -> Result<(), Failed> {
    let broken = || Failed::new("the run is in an unknown state");
    let mut lines = BufReader::new(stream);
    stream.set_write_timeout(Some(WAITS.0))?;
    stream.set_read_timeout(Some(WAITS.0))?;
    let asked = Json::parse(next(&mut lines)?.as_bytes()).ok();
    let asked = asked.and_then(|json| serde_json::from_str::<Asked>(json.canonical()).ok());
    // The run does not wait for a guess.
    let people = desk.lock().map_err(|_| broken())?.people.clone();
    let one_at_a_time = turn.lock().map_err(|_| broken())?;
    let signed_in =
        asked.and_then(|asked| Some((people.signed_in(&asked.person, &asked.secret)?, asked.action)));
    let Some((voter, action)) = signed_in else {
        thread::sleep(WRONG);
        drop(one_at_a_time);
        return say(&mut stream, &refused(Refusal::NotAuthenticated));
    };
    drop(one_at_a_time);
    // The run goes on while the person reads.
    let view = desk.lock().map_err(|_| broken())?.view(&ActionId::new(action)).unwrap_or_else(refused);
    say(&mut stream, &view)?;
    stream.set_read_timeout(Some(WAITS.1))?;
    let answer = next(&mut lines)?;
    let outcome = desk.lock().map_err(|_| broken())?.answer(&voter, answer.as_bytes());
    say(&mut stream, &outcome.map_or_else(refused, |outcome| json!({"outcome": outcome})))
}

/// One line, whole; what is longer than any may be, or is cut off, is none.
fn next(lines: &mut BufReader<&UnixStream>) -> Result<String, Failed> {
    let mut line = String::new();
    lines.by_ref().take(LINE).read_line(&mut line)?;
    if line.ends_with('\n') { Ok(line) } else { Err(Failed::new("the line has no end")) }
}

fn refused(refusal: Refusal) -> Value {
    json!({"message": refusal.reason(), "refused": refusal.code()})
}

fn say(stream: &mut &UnixStream, value: &Value) -> Result<(), Failed> {
    writeln!(stream, "{value}")?;
    Ok(stream.flush()?)
}
