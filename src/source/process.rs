//! A program that is started, spoken to line by line, and ended: bounded in time and in bytes, whatever it does.
//!
//! Knows nothing of what is said. Its error stream is kept back, the end of it, for whoever has to say why it failed.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a program may take to end once its input is closed.
const TO_END: Duration = Duration::from_secs(2);
/// How often it is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(10);
/// How much of the end of its error stream is kept, in bytes.
const LAST_WORDS: usize = 2_000;

/// Why there is no further line.
#[derive(Debug)]
pub enum Silence {
    /// It closed its output.
    Ended,
    /// The time is over.
    Late,
    /// It wrote more bytes than it may.
    TooMuch,
    /// The pipe broke.
    Broken(io::Error),
}

/// A running program and both ends of the talk with it.
pub struct Talk {
    child: Child,
    to_it: Option<Sender<String>>,
    from_it: Receiver<Result<Vec<u8>, Silence>>,
    last_words: Arc<Mutex<Vec<u8>>>,
    deadline: Instant,
}

impl Talk {
    /// Starts `program`. All its lines together may have `bytes`, and the talk may last for `time`.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(program: &OsString, arguments: &[OsString], time: Duration, bytes: u64) -> io::Result<Self> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (to_it, said) = mpsc::channel::<String>();
        let (heard, from_it) = mpsc::channel();
        let last_words = Arc::new(Mutex::new(Vec::new()));
        // A program that does not read must not hold us up, and one that does not write either: each pipe has its thread.
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                for line in said {
                    if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || listen(stdout, bytes, &heard));
        }
        if let Some(stderr) = child.stderr.take() {
            let kept = Arc::clone(&last_words);
            thread::spawn(move || keep_end(stderr, &kept));
        }
        Ok(Self { child, to_it: Some(to_it), from_it, last_words, deadline: Instant::now() + time })
    }

    /// Sends a line. Where the program no longer reads, what it says next tells of it.
    pub fn say(&self, line: &str) {
        if let Some(to_it) = &self.to_it {
            let _ = to_it.send(format!("{line}\n"));
        }
    }

    /// The next line, without its end.
    ///
    /// # Errors
    /// There is none, or not in time.
    pub fn hear(&self) -> Result<Vec<u8>, Silence> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match self.from_it.recv_timeout(left) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => Err(Silence::Late),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Ended),
        }
    }

    /// The end of what it wrote to its error stream so far.
    pub fn last_words(&self) -> String {
        // Its last line may still be on the way when its output has ended.
        thread::sleep(LOOK);
        let kept = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).trim().to_owned()
    }

    /// Closes its input, waits a little and then ends it.
    fn end(&mut self) {
        self.to_it = None;
        let until = Instant::now() + TO_END;
        while Instant::now() < until {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(LOOK);
        }
        // It may have ended in between; then there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        self.end();
    }
}

fn listen(stdout: impl io::Read, bytes: u64, heard: &Sender<Result<Vec<u8>, Silence>>) {
    let mut left = bytes.saturating_add(1);
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let told = match (&mut reader).take(left).read_until(b'\n', &mut line) {
            Ok(0) if left > 0 => Err(Silence::Ended),
            Ok(read) => {
                left = left.saturating_sub(read as u64);
                if left == 0 { Err(Silence::TooMuch) } else { Ok(line) }
            }
            Err(error) => Err(Silence::Broken(error)),
        };
        let last = told.is_err();
        let line = told.map(|mut line| {
            while line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
                line.pop();
            }
            line
        });
        if heard.send(line).is_err() || last {
            return;
        }
    }
}

fn keep_end(mut stderr: impl io::Read, kept: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 1_024];
    while let Ok(read @ 1..) = stderr.read(&mut chunk) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(chunk.iter().take(read));
        let over = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..over);
    }
}
