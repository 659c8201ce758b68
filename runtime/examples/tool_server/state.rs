//! What survives the process: the run, its pending actions, its budget and the records, in a file that is only appended to.
//!
//! Each line is a whole state, chained to the line before as the audit's records are, and names the head that the audit had:
//! a state that was changed, cut out or put in, and an audit that was cut behind it, are found before anything is served. A
//! last line without its end was never acknowledged, and is dropped.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;

use harnessc_runtime::actions::{Ledger as Actions, PreImage};
use harnessc_runtime::boundary::Ledger as Budget;
use harnessc_runtime::json::Json;
use harnessc_runtime::lock::digest_of;
use serde::{Deserialize, Serialize};

use crate::records::Records;
use crate::system::Failed;

/// One state, whole.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct State {
    pub(crate) actions: Option<Actions>,
    /// The audit's last record then: its hash, its number and its time.
    pub(crate) audit: (String, u64, u64),
    pub(crate) begun: Begun,
    pub(crate) budget: Budget,
    pub(crate) ended: bool,
    pub(crate) pre_images: Vec<PreImage>,
    pub(crate) records: Records,
}

/// What the run was created from, so that its row comes out the same.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Begun {
    pub(crate) harness: String,
    pub(crate) lock: String,
    pub(crate) now_ms: u64,
    pub(crate) organization: String,
    pub(crate) person: String,
    pub(crate) persona: String,
    pub(crate) program: String,
    pub(crate) run: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    hash: String,
    prev: String,
    /// The state's own bytes, as a text: what is hashed is what is read.
    state: String,
}

/// The file, open at its end.
#[derive(Debug)]
pub(crate) struct Kept {
    file: File,
    hash: String,
    pub(crate) state: State,
}

impl Kept {
    /// The file's last state, recomputed from its first line on; a fresh one where there is none.
    pub(crate) fn open(path: &str) -> Result<Self, Failed> {
        let file = OpenOptions::new().append(true).create(true).read(true).mode(0o600).open(path)?;
        let text = std::fs::read_to_string(path)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(u64::try_from(whole).unwrap_or(0))?;
        let (mut hash, mut state) = (String::new(), State::default());
        for (line, number) in text.get(..whole).unwrap_or_default().lines().zip(1_u64..) {
            let broken =
                || Failed::new(format!("{path} is broken at line {number}: it is not as it was written"));
            let read = Json::parse(line.as_bytes()).map_err(|_| broken())?;
            let read: Line = serde_json::from_str(read.canonical()).map_err(|_| broken())?;
            if read.prev != hash || read.hash != chained(&hash, &read.state) {
                return Err(broken());
            }
            state = serde_json::from_str(&read.state).map_err(|_| broken())?;
            hash = read.hash;
        }
        Ok(Self { file, hash, state })
    }

    /// Writes a state down. Where that fails the one before stands.
    pub(crate) fn keep(&mut self, state: State) -> Result<(), Failed> {
        let text = serde_json::to_string(&state).map_err(|error| Failed::new(error.to_string()))?;
        let hash = chained(&self.hash, &text);
        let line = serde_json::json!({"hash": hash, "prev": self.hash, "state": text});
        self.file.write_all(format!("{line}\n").as_bytes())?;
        self.file.sync_data()?;
        (self.hash, self.state) = (hash, state);
        Ok(())
    }
}

fn chained(prev: &str, state: &str) -> String {
    digest_of(format!("{prev}\n{state}").as_bytes())
}
