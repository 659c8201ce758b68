//! The approver's own process. It reads and writes the terminal that controls it, and nothing else: no argument, variable
//! or pipe can say yes, and where there is no terminal nobody is asked.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;

use harnessc_runtime::foreign::is_hidden;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use serde_json::{Value, json};

use crate::options::Options;
use crate::system::Failed;

/// In this order on the screen: the model's own words come after everything that is fact.
const SHOWN: [&str; 11] = [
    "action",
    "tool",
    "person",
    "working_as",
    "approval",
    "state",
    "target",
    "input",
    "preview",
    "digest",
    "words_of_the_model",
];

pub(crate) fn approve(options: &Options) -> Result<(), Failed> {
    let tty = OpenOptions::new().read(true).write(true).open("/dev/tty");
    let tty = tty.map_err(|_| Failed::new("there is no terminal, and a yes is typed at one"))?;
    let mut typed = BufReader::new(tty.try_clone()?);
    let mut screen = tty.try_clone()?;
    let person = ask(&mut screen, &mut typed, "who are you: ")?;
    let secret = {
        let _silent = Silent::on(&tty)?;
        ask(&mut screen, &mut typed, "your secret: ")?
    };
    // The server does not wait long for a name and a secret.
    let stream = UnixStream::connect(options.one("approvals")?)?;
    let mut said = BufReader::new(stream.try_clone()?);
    let asked = json!({"action": options.one("action")?, "person": person, "secret": secret});
    let view = exchange(&stream, &mut said, &asked)?;
    writeln!(screen)?;
    for name in SHOWN {
        if let Some(value) = view.get(name).filter(|value| !value.is_null()) {
            writeln!(screen, "{name}: {}", visible(value))?;
        }
    }
    let word = ask(&mut screen, &mut typed, "type yes to have exactly this done, no to end it: ")?;
    if !matches!(word.as_str(), "yes" | "no") {
        return Err(Failed::new("neither yes nor no: nothing was answered"));
    }
    let answer =
        json!({"digest": view.get("digest"), "says": word, "subject": {"action": view.get("action")}});
    let outcome = exchange(&stream, &mut said, &answer)?;
    writeln!(screen, "{}", visible(outcome.get("outcome").unwrap_or(&Value::Null)))?;
    Ok(())
}

/// One line there and one back; a refusal ends it.
fn exchange(
    mut stream: &UnixStream,
    said: &mut impl std::io::BufRead,
    line: &Value,
) -> Result<Value, Failed> {
    writeln!(stream, "{line}")?;
    let mut reply = String::new();
    said.read_line(&mut reply)?;
    let reply: Value =
        serde_json::from_str(&reply).map_err(|_| Failed::new("the server hung up: nothing was answered"))?;
    match reply.get("refused").and_then(Value::as_str) {
        Some(code) => Err(Failed::new(format!("refused: {code}"))),
        None => Ok(reply),
    }
}

fn ask(screen: &mut File, typed: &mut BufReader<File>, question: &str) -> Result<String, Failed> {
    write!(screen, "{question}")?;
    screen.flush()?;
    let mut line = String::new();
    typed.read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// The whole text, with whatever would not be seen spelled out.
fn visible(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.chars().map(|c| if is_hidden(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// Echo off, and back as it was.
struct Silent<'t> {
    before: Termios,
    tty: &'t File,
}

impl<'t> Silent<'t> {
    fn on(tty: &'t File) -> Result<Self, Failed> {
        let before = tcgetattr(tty).map_err(std::io::Error::from)?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        tcsetattr(tty, OptionalActions::Flush, &quiet).map_err(std::io::Error::from)?;
        Ok(Self { before, tty })
    }
}

impl Drop for Silent<'_> {
    fn drop(&mut self) {
        // Nothing is left to be done about a terminal that has gone.
        let _ = tcsetattr(self.tty, OptionalActions::Flush, &self.before);
    }
}
