//! A head as a statement that leaves the host, signed, so that whoever owns the store cannot write the chain anew.

use std::fmt;

use super::record::{is_exact, is_name};
use super::{Chain, Head};
use crate::json::Json;
use crate::lock::{digest::is_digest, digest_of};

/// The format of the statement.
const FORMAT: &str = "harness-checkpoint/1";

/// The namespace of a checkpoint's signature: one made for a lock or a commit is none of a checkpoint.
#[cfg(feature = "sign")]
pub const NAMESPACE: &str = "harness-checkpoint";

/// A head that is to be signed and kept elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint(Head);

impl Checkpoint {
    /// The checkpoint of a chain's head; nothing where nothing was appended yet.
    #[must_use]
    pub fn of(head: &Head) -> Option<Self> {
        let fits = (1..=u64::MAX).contains(&head.seq)
            && is_exact(head.seq)
            && is_exact(head.at_ms)
            && is_digest(&head.hash)
            && is_name(&head.organization);
        fits.then(|| Self(head.clone()))
    }

    /// The head that it vouches for: what [`verify`](super::verify) takes as its anchor.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.0
    }

    /// The bytes to be signed: one line of RFC 8785 JSON without a LF.
    #[must_use]
    pub fn statement(&self) -> String {
        let Head { at_ms, chain, hash, organization, seq } = &self.0;
        let (chain, organization) = (chain.code(), serde_json::Value::from(organization.as_str()));
        format!(
            "{{\"at_ms\":{at_ms},\"chain\":\"{chain}\",\"format\":\"{FORMAT}\",\"hash\":\"{hash}\",\
             \"organization\":{organization},\"seq\":{seq}}}"
        )
    }

    /// `sha256:<64 hex>` of the [`statement`](Self::statement).
    #[must_use]
    pub fn digest(&self) -> String {
        digest_of(self.statement().as_bytes())
    }

    /// Reads a statement. It is the only bytes that say what it says.
    ///
    /// # Errors
    /// [`CheckpointError::Unreadable`].
    pub fn read(statement: &[u8]) -> Result<Self, CheckpointError> {
        Self::parse(statement).ok_or(CheckpointError::Unreadable)
    }

    fn parse(statement: &[u8]) -> Option<Self> {
        let json = Json::parse(statement).ok()?;
        let value = json.value();
        let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
        let number = |name: &str| value.get(name)?.as_u64();
        let chain = text("chain")?;
        let checkpoint = Self::of(&Head {
            at_ms: number("at_ms")?,
            chain: Chain::ALL.into_iter().find(|known| known.code() == chain)?,
            hash: text("hash")?,
            organization: text("organization")?,
            seq: number("seq")?,
        })?;
        (checkpoint.statement().as_bytes() == statement).then_some(checkpoint)
    }
}

/// Why a checkpoint vouches for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointError {
    /// The signature does not count.
    Signature {
        /// The code that a lock's signature would be refused with.
        code: &'static str,
        /// Why, for whoever keeps the checkpoints.
        why: String,
    },
    /// It is not written as statements are.
    Unreadable,
}

impl CheckpointError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Signature { code, .. } => code,
            Self::Unreadable => "checkpoint_unreadable",
        }
    }
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signature { why, .. } => write!(f, "the checkpoint's signature does not count: {why}"),
            Self::Unreadable => f.write_str("this is no checkpoint: it is not written as checkpoints are"),
        }
    }
}

impl std::error::Error for CheckpointError {}

/// The checkpoint that someone among `allowed` signed, with who it was.
///
/// `statement` is the file that was signed with `ssh-keygen -Y sign -n harness-checkpoint`, `allowed` the text of an
/// `allowed_signers` file, `signature` the armored text.
///
/// # Errors
/// Where it is no statement, or the signature does not count.
#[cfg(feature = "sign")]
pub fn verify_checkpoint(
    statement: &[u8],
    allowed: &str,
    signature: &[u8],
) -> Result<(Checkpoint, crate::load::Signer), CheckpointError> {
    use crate::load::{LoadError, signer_for};

    let signer = signer_for(NAMESPACE, statement, allowed, Some(signature)).map_err(|error| {
        let why = match &error {
            LoadError::NamespaceMismatch { found, .. } => {
                format!("it was made, or its key is listed, for `{found}` and not for `{NAMESPACE}`")
            }
            error => error.to_string(),
        };
        CheckpointError::Signature { code: error.code(), why }
    })?;
    Ok((Checkpoint::read(statement)?, signer))
}

#[cfg(test)]
mod tests {
    use super::{Checkpoint, CheckpointError};
    use crate::audit::{Chain, Head, open};

    #[test]
    fn a_checkpoint_is_read_back_from_its_bytes_alone() {
        let (_, head) = open(Chain::Trail, "org \"1\"", 5).unwrap();
        let checkpoint = Checkpoint::of(&head).unwrap();
        let statement = checkpoint.statement();
        assert_eq!(Checkpoint::read(statement.as_bytes()), Ok(checkpoint));
        for other in [
            format!("{statement}\n"),
            statement.replace("trail", "trial"),
            statement.replace("\"seq\":1", "\"seq\":0"),
            statement.replace("sha256:", "sha256:0"),
            statement.replace("\"seq\":1", "\"seq\":1,\"x\":1"),
        ] {
            assert_eq!(Checkpoint::read(other.as_bytes()), Err(CheckpointError::Unreadable), "{other}");
        }
        assert_eq!(Checkpoint::of(&Head { seq: 0, ..head }), None);
    }
}
