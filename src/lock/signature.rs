//! Signing a lock's bytes as `ssh-keygen -Y sign -n harness-lock` does. Checking a signature is the runtime's.

use std::fmt;
use std::path::{Path, PathBuf};

use harnessc_runtime::load::{MAX_SIGNATURE_BYTES, NAMESPACE};
use ssh_key::{HashAlg, LineEnding, PrivateKey};

use crate::source::{Fault, disk};

/// No file of a key is larger.
const MAX_KEY_BYTES: u64 = 64 * 1024;

/// Why a key does not sign here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// A passphrase protects it, and none is asked for here.
    Encrypted,
    /// It is the public half.
    Public,
    /// It is no private key in OpenSSH's format.
    Unreadable,
    /// A kind of key that does not sign here, such as one on a token.
    Unsupported(String),
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encrypted => f.write_str("a passphrase protects this key, and harnessc asks for none"),
            Self::Public => f.write_str("this is the public half of a key, and the private one signs"),
            Self::Unreadable => f.write_str("this is no private key in OpenSSH's format"),
            Self::Unsupported(kind) => write!(f, "harnessc cannot sign with a key of the kind `{kind}`"),
        }
    }
}

impl std::error::Error for KeyError {}

/// A private key that signs.
pub struct SigningKey(PrivateKey);

impl SigningKey {
    /// Reads a key file's text.
    ///
    /// # Errors
    /// [`KeyError`]; the text itself is never repeated.
    pub fn read(text: &[u8]) -> Result<Self, KeyError> {
        if ["ssh-", "ecdsa-", "sk-"].iter().any(|kind| text.starts_with(kind.as_bytes())) {
            return Err(KeyError::Public);
        }
        let key = PrivateKey::from_openssh(text).map_err(|_| KeyError::Unreadable)?;
        if key.is_encrypted() {
            return Err(KeyError::Encrypted);
        }
        // Which kinds sign is ssh-key's to know, and must be known before anything is written. RSA keys are not among
        // them: 0.6 takes their first prime twice. Their signatures are read all the same.
        let key = Self(key);
        key.sign(&[]).map(|_| key)
    }

    /// Reads a key file; the inner error is about the key.
    ///
    /// # Errors
    /// The system refuses the file, or it is larger than any key.
    pub fn load(path: &Path) -> Result<Result<Self, KeyError>, Fault> {
        match disk::read(path, MAX_KEY_BYTES) {
            Ok(text) => Ok(Self::read(&text)),
            Err(disk::ReadError::TooLarge(_)) => Ok(Err(KeyError::Unreadable)),
            Err(disk::ReadError::Io(error)) => Err(Fault::new("cannot be read", path, Some(error))),
        }
    }

    /// The armored signature of a whole lock.
    ///
    /// # Errors
    /// [`KeyError::Unsupported`].
    pub fn sign(&self, lock: &[u8]) -> Result<String, KeyError> {
        self.sign_for(NAMESPACE, lock)
    }

    /// The armored signature of what is signed under another namespace.
    ///
    /// # Errors
    /// [`KeyError::Unsupported`].
    pub fn sign_for(&self, namespace: &str, bytes: &[u8]) -> Result<String, KeyError> {
        let unsupported = |_| KeyError::Unsupported(self.0.algorithm().to_string());
        let signature = self.0.sign(namespace, HashAlg::Sha512, bytes).map_err(unsupported)?;
        signature.to_pem(LineEnding::LF).map_err(unsupported)
    }

    /// `SHA256:<base64>` of its public half.
    pub fn fingerprint(&self) -> String {
        self.0.fingerprint(HashAlg::Sha256).to_string()
    }
}

/// Where the signature of the lock at `path` stands: `harness.lock.sig`, as ssh-keygen names it.
pub fn signature_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".sig");
    PathBuf::from(name)
}

/// The text of a signature; nothing where there is no such file.
///
/// # Errors
/// The system refuses it. One that is too large is handed on cut, and holds for nothing.
pub fn load_signature(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    match disk::read(path, MAX_SIGNATURE_BYTES as u64) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(disk::ReadError::TooLarge(_)) => Ok(Some(Vec::new())),
        Err(disk::ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(disk::ReadError::Io(error)) => Err(Fault::new("cannot be read", path, Some(error))),
    }
}

/// Writes a signature beside its lock.
///
/// # Errors
/// The system refuses it; the old file then stands.
pub fn store_signature(path: &Path, signature: &str) -> Result<(), Fault> {
    disk::write(path, signature.as_bytes())
        .map_err(|error| Fault::new("cannot be written", path, Some(error)))
}
