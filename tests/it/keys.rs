//! Keys for tests, the same in every run, and the stock tool where it is installed.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use ssh_key::private::Ed25519Keypair;
use ssh_key::{HashAlg, LineEnding, PrivateKey};

/// An ed25519 key that no one uses.
pub(crate) struct Key(PrivateKey);

impl Key {
    pub(crate) fn of(seed: u8) -> Self {
        Self(PrivateKey::from(Ed25519Keypair::from_seed(&[seed; 32])))
    }

    /// Its file, as ssh-keygen writes it without a passphrase.
    pub(crate) fn file(&self) -> String {
        self.0.to_openssh(LineEnding::LF).unwrap().to_string()
    }

    /// Its line in a list of signers.
    pub(crate) fn listed(&self, options: &str) -> String {
        format!("lead@desk {options}{}\n", self.0.public_key().to_openssh().unwrap())
    }

    pub(crate) fn sign(&self, bytes: &[u8], namespace: &str) -> String {
        self.0.sign(namespace, HashAlg::Sha512, bytes).unwrap().to_pem(LineEnding::LF).unwrap()
    }
}

/// Runs ssh-keygen in a folder; `stdin` is a file there. Nothing, said aloud, where it is not installed.
pub(crate) fn ssh_keygen(folder: &Path, arguments: &[&str], stdin: Option<&str>) -> Option<Output> {
    let stdin = stdin.map_or_else(Stdio::null, |file| std::fs::File::open(folder.join(file)).unwrap().into());
    match Command::new("ssh-keygen").args(arguments).current_dir(folder).stdin(stdin).output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skipped: ssh-keygen is not installed");
            None
        }
        Err(error) => panic!("ssh-keygen: {error}"),
    }
}
