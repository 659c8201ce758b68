//! Whether someone whose word counts signed the whole file: SSH signatures, as `ssh-keygen -Y sign -n harness-lock` makes
//! them. It opens no key file and knows no clock; both texts come in with [`Trust`](super::Trust).

use ssh_key::{Algorithm, HashAlg, LineEnding, PublicKey, SshSig};

use super::LoadError;
use super::signers::{self, Entry};

/// What every signature of a lock is made for: one made for a commit or a mail is none of a lock.
pub const NAMESPACE: &str = "harness-lock";
/// The largest signature that is read, in bytes; the largest of a usual key has a thousand.
pub const MAX_SIGNATURE_BYTES: usize = 16 * 1024;

/// Who signed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signer {
    /// `SHA256:<base64>`, as `ssh-keygen -l` prints it.
    pub fingerprint: String,
    /// The first field of the line that lists the key.
    pub principals: String,
    /// The same of every further line with this key, whatever it may sign: they name the same holder.
    pub also: Vec<String>,
}

impl Signer {
    /// Whether a line lists its key for this name: principals are patterns as OpenSSH reads them, here without regard to
    /// case, so that nobody is somebody else by a capital letter.
    pub fn is_listed_as(&self, name: &str) -> bool {
        self.lines().any(|principals| signers::is_among(principals, name))
    }

    /// The principals of each line with this key, the one that permits it first.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.principals).chain(&self.also).map(String::as_str)
    }
}

/// Who signed these bytes, where `allowed` lists them.
///
/// `bytes` is the whole lock, `allowed` the text of an `allowed_signers` file (see ssh-keygen(1)), `signature` the armored
/// text of `harness.lock.sig`.
///
/// # Errors
/// `unsigned` without a signature, `bad_signers`, `namespace_mismatch`, `signer_unknown` and `signature_invalid`.
pub fn signer(bytes: &[u8], allowed: &str, signature: Option<&[u8]>) -> Result<Signer, LoadError> {
    signer_for(NAMESPACE, bytes, allowed, signature)
}

/// As [`signer`], for signatures of another namespace: a checkpoint of the audit trail, an acknowledgement of a change.
///
/// # Errors
/// As [`signer`].
pub fn signer_for(
    namespace: &str,
    bytes: &[u8],
    allowed: &str,
    signature: Option<&[u8]>,
) -> Result<Signer, LoadError> {
    let signature = signature.ok_or(LoadError::Unsigned)?;
    let signature = parsed(signature)?;
    let listed = signers::read(allowed)?;
    if signature.namespace() != namespace {
        return Err(LoadError::NamespaceMismatch { found: signature.namespace().to_owned(), line: None });
    }
    let key = PublicKey::from(signature.public_key().clone());
    let fingerprint = key.fingerprint(HashAlg::Sha256).to_string();
    let entry = permitted(namespace, &listed, &key, &fingerprint)?;
    entry
        .key
        .verify(namespace, bytes, &signature)
        .map_err(|_| invalid("it was made over other bytes than these, or by another key"))?;
    let others =
        listed.iter().filter(|other| other.key.key_data() == key.key_data() && other.line != entry.line);
    let also = others.map(|other| other.principals.clone()).collect();
    Ok(Signer { fingerprint, principals: entry.principals.clone(), also })
}

/// The armored text as a signature of a kind that still counts.
fn parsed(text: &[u8]) -> Result<SshSig, LoadError> {
    if text.len() > MAX_SIGNATURE_BYTES {
        return Err(invalid(&format!(
            "it has {} bytes, and at most {MAX_SIGNATURE_BYTES} are read",
            text.len()
        )));
    }
    let signature = SshSig::from_pem(text)
        .map_err(|_| invalid("it is no SSH signature, or something stands before or behind it"))?;
    // What the reader forgives would leave bytes free: other lengths, an older version. Line ends alone may differ.
    let bare = |text: &[u8]| text.iter().copied().filter(|c| !c.is_ascii_whitespace()).collect::<Vec<_>>();
    let written = signature.to_pem(LineEnding::LF).map(|text| bare(text.as_bytes()));
    if signature.version() != SshSig::VERSION || written.ok() != Some(bare(text)) {
        return Err(invalid("it is not written as SSH signatures are"));
    }
    // What SHA-1 vouches for, anyone can bring about.
    if matches!(signature.algorithm(), Algorithm::Dsa | Algorithm::Rsa { hash: None }) {
        return Err(invalid(&format!("`{}` rests on SHA-1", signature.algorithm())));
    }
    Ok(signature)
}

/// The first line that lists the key for the namespace; where there is none, why.
fn permitted<'a>(
    namespace: &str,
    listed: &'a [Entry],
    key: &PublicKey,
    fingerprint: &str,
) -> Result<&'a Entry, LoadError> {
    let mut why = None;
    let mut elsewhere = None;
    for entry in listed.iter().filter(|entry| entry.key.key_data() == key.key_data()) {
        match &entry.unusable {
            Some(reason) => why = why.or(Some(format!("line {} lists it, and {reason}", entry.line))),
            None if !entry.covers(namespace) => elsewhere = elsewhere.or(Some(entry)),
            None => return Ok(entry),
        }
    }
    Err(match elsewhere {
        Some(Entry { namespaces, line, .. }) => {
            LoadError::NamespaceMismatch { found: namespaces.clone().unwrap_or_default(), line: Some(*line) }
        }
        None => LoadError::SignerUnknown { fingerprint: fingerprint.to_owned(), why },
    })
}

fn invalid(why: &str) -> LoadError {
    LoadError::SignatureInvalid { why: why.to_owned() }
}
