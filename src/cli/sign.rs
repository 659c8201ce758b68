//! Signing what was built, for the verbs that build.

use std::path::{Path, PathBuf};

use super::outcome::{Said, Trouble};
use super::session::Session;
use super::style;
use crate::lock::{self, KeyError, Sealed, SigningKey};
use crate::report;
use crate::source::disk;

/// A key that was read before anything is written, so that a wrong one leaves nothing half done.
pub(super) struct Signing<'a> {
    key: SigningKey,
    file: &'a Path,
}

impl<'a> Signing<'a> {
    pub(super) fn with(file: &'a Path) -> Result<Self, Trouble> {
        match SigningKey::load(file)? {
            Ok(key) => Ok(Self { key, file }),
            Err(error) => Err(refused(file, &error)),
        }
    }

    /// Writes the signature beside the lock.
    pub(super) fn sign(&self, path: &Path, sealed: &Sealed) -> Result<PathBuf, Trouble> {
        let signature = self.key.sign(&sealed.bytes).map_err(|error| refused(self.file, &error))?;
        let beside = lock::signature_path(path);
        lock::store_signature(&beside, &signature)?;
        Ok(beside)
    }

    /// `SHA256:<base64>` of the key.
    pub(super) fn fingerprint(&self) -> String {
        self.key.fingerprint()
    }
}

fn refused(file: &Path, error: &KeyError) -> Trouble {
    let shown = report::visible(&file.display().to_string()).into_owned();
    let help = match error {
        KeyError::Public => {
            format!("name the file without `.pub`, or sign with the agent that holds it: {}", by_hand(&shown))
        }
        _ => format!("build without `--sign`, then {}", by_hand(&shown)),
    };
    Trouble::Usage(format!("{shown}: {error}"), help)
}

/// What signs with a passphrase, an agent or a token.
fn by_hand(key: &str) -> String {
    format!("`ssh-keygen -Y sign -n harness-lock -f {key} harness.lock`")
}

/// Says that a signature of an earlier lock still stands beside the one that was just written.
pub(super) fn note_outdated(session: &Session, path: &Path, said: &mut Said) {
    let beside = lock::signature_path(path);
    if disk::kind_of(&beside).is_ok() {
        let shown = report::visible(&beside.display().to_string()).into_owned();
        let look = session.terminal.err;
        let text = format!(
            "{shown} signs the lock that stood here before; sign this one, with `harnessc build --sign KEY` or {}",
            by_hand("KEY")
        );
        let wrapped = report::wrap(&text, look.width.saturating_sub(6), look.width);
        said.note(format!("{}: {}", style::help(look, "note"), wrapped.join("\n")));
    }
}
