//! What survives the process: the run, its pending actions, its budget, the records and the lock that was held, in a file that is
//! only appended to, and the key of keyed digests in a file beside it, `FILE.key`.
//!
//! Each line is a whole state, chained to the line before under that key, and names the head that the audit had. A state that
//! was changed, cut out of or put into by whoever has no key, and an audit that was cut behind it, are found before anything is
//! served. States that were cut off the end are found where the audit says that something was carried out in them
//! ([`Trail`](crate::trail::Trail)).
//!
//! What is not found: whoever reads the key writes the state anew, records and all, and what was consumed is still not
//! consumed again, since the audit says so. Whoever writes the audit besides does what they like. Other answers, budgets and
//! proposals that were cut off the end are gone without a word.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use harnessc_runtime::actions::{Ledger as Actions, PreImage};
use harnessc_runtime::boundary::{Ledger as Budget, NameKey};
use harnessc_runtime::json::Json;
use serde::{Deserialize, Serialize};

use crate::appended::Appended;
use crate::records::Records;
use crate::system::{Failed, random};

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
    /// The digest and revision of the lock that the last run began under: none that is older is taken from here on.
    pub(crate) held: Option<(String, u64)>,
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
    file: Appended,
    hash: String,
    pub(crate) key: NameKey,
    pub(crate) state: State,
}

impl Kept {
    /// The file's last state, recomputed from its first line on; a fresh one where there is none.
    pub(crate) fn open(path: &str) -> Result<Self, Failed> {
        let (file, text) = Appended::open(path)?;
        let key = key(&format!("{path}.key"), text.is_empty())?;
        let (mut hash, mut state) = (String::new(), State::default());
        for (line, number) in text.lines().zip(1_u64..) {
            let broken =
                || Failed::new(format!("{path} is broken at line {number}: it is not as it was written"));
            let read = Json::parse(line.as_bytes()).map_err(|_| broken())?;
            let read: Line = serde_json::from_str(read.canonical()).map_err(|_| broken())?;
            if read.prev != hash || read.hash != chained(&key, &hash, &read.state) {
                return Err(broken());
            }
            state = serde_json::from_str(&read.state).map_err(|_| broken())?;
            hash = read.hash;
        }
        Ok(Self { file, hash, key, state })
    }

    /// Writes a state down. Where that fails the one before stands.
    pub(crate) fn keep(&mut self, state: State) -> Result<(), Failed> {
        let text = serde_json::to_string(&state).map_err(|error| Failed::new(error.to_string()))?;
        let hash = chained(&self.key, &self.hash, &text);
        let line = serde_json::json!({"hash": hash, "prev": self.hash, "state": text});
        self.file.append(&format!("{line}\n"))?;
        (self.hash, self.state) = (hash, state);
        Ok(())
    }
}

fn chained(key: &NameKey, prev: &str, state: &str) -> String {
    key.digest("state", format!("{prev}\n{state}").as_bytes())
}

/// The key beside a state: made with its first line, and no other one's from there on.
fn key(path: &str, fresh: bool) -> Result<NameKey, Failed> {
    let at = |error: std::io::Error| Failed::new(format!("{path}: {error}"));
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound && fresh => Vec::new(),
        Err(error) => return Err(at(error)),
    };
    if let Ok(bytes) = <[u8; 32]>::try_from(bytes.as_slice()) {
        if std::fs::metadata(path).map_err(at)?.permissions().mode() & 0o077 != 0 {
            return Err(Failed::new(format!("{path} can be read by others: chmod 600 it")));
        }
        return Ok(NameKey::new(bytes));
    }
    if !fresh {
        return Err(Failed::new(format!(
            "{path} holds no key of 32 bytes, and the state was written under one"
        )));
    }
    let bytes = random::<32>()?;
    let file = OpenOptions::new().create(true).mode(0o600).truncate(true).write(true).open(path);
    file.and_then(|mut file| file.write_all(&bytes).and_then(|()| file.sync_all())).map_err(at)?;
    let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or_else(|| Path::new("."))).and_then(|folder| folder.sync_all()).map_err(at)?;
    Ok(NameKey::new(bytes))
}
