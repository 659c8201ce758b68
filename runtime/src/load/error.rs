//! Why a lock was refused, each kind with a code that never changes.

use std::fmt;

use super::{MAX_BYTES, ScanError};
use crate::lock::FORMAT;
use crate::lock::digest::OpenError;
use crate::prove::Failure;

/// Why a lock was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// A line of the list of signers cannot be read.
    BadSigners {
        /// The line, from 1.
        line: usize,
        /// What was met and expected.
        message: String,
    },
    /// Line 1, or the bytes after it.
    Digest(OpenError),
    /// It is meant for another environment.
    Environment {
        /// What the runtime trusts.
        expected: Option<String>,
        /// What the lock names.
        found: Option<String>,
    },
    /// It states a format that is not read here.
    Format {
        /// What it states.
        found: String,
        /// Whether that is a later number of the same format.
        newer: bool,
    },
    /// The signature was made for something else, or the signer is listed for something else.
    NamespaceMismatch {
        /// The signature's namespace, or those that the list grants.
        found: String,
        /// The line of the list, where that grants others.
        line: Option<usize>,
    },
    /// It is another policy.
    Policy {
        /// What the runtime trusts.
        expected: String,
        /// What the lock names.
        found: String,
    },
    /// It does not name the lock in force as its predecessor.
    Predecessor {
        /// The digest in force.
        held: String,
        /// What the lock names.
        found: Option<String>,
    },
    /// An invariant does not hold.
    Proof(Failure),
    /// The same revision as the lock in force, with another digest.
    RevisionFork {
        /// That revision.
        revision: u64,
    },
    /// It skips revisions.
    RevisionGap {
        /// The revision in force.
        held: u64,
        /// The lock's.
        found: u64,
    },
    /// It is older than the lock in force.
    RevisionLower {
        /// The revision in force.
        held: u64,
        /// The lock's.
        found: u64,
    },
    /// The text breaks the lock's form.
    Scan(ScanError),
    /// The text has the form, its content does not have the shape.
    Shape {
        /// `unknown_key`, `missing_key` or `wrong_type`.
        code: &'static str,
        /// The line in the file, from 1.
        line: usize,
        /// What was met and expected.
        message: String,
    },
    /// The signature cannot be read, or is none of these bytes.
    SignatureInvalid {
        /// Which of the two.
        why: String,
    },
    /// The list does not name who signed.
    SignerUnknown {
        /// `SHA256:<base64>` of the key.
        fingerprint: String,
        /// Why a line that names the key does not count.
        why: Option<String>,
    },
    /// It is larger than anything that is read.
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// A signature is demanded, and there is none or this build checks none.
    Unsigned,
}

impl LoadError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadSigners { .. } => "bad_signers",
            Self::Digest(OpenError::Digest { .. }) => "digest_mismatch",
            Self::Digest(OpenError::FirstLine) => "bad_first_line",
            Self::Environment { .. } => "environment_mismatch",
            Self::Format { newer: true, .. } => "format_newer",
            Self::Format { newer: false, .. } => "format_unknown",
            Self::NamespaceMismatch { .. } => "namespace_mismatch",
            Self::Policy { .. } => "policy_mismatch",
            Self::Predecessor { .. } => "predecessor_mismatch",
            Self::Proof(_) => "proof_failed",
            Self::RevisionFork { .. } => "revision_fork",
            Self::RevisionGap { .. } => "revision_gap",
            Self::RevisionLower { .. } => "revision_lower",
            Self::Scan(error) => error.code,
            Self::Shape { code, .. } => code,
            Self::SignatureInvalid { .. } => "signature_invalid",
            Self::SignerUnknown { .. } => "signer_unknown",
            Self::TooLarge { .. } => "too_large",
            Self::Unsigned => "unsigned",
        }
    }

    /// For a `format` that is not ours.
    pub(super) fn format(found: Option<String>) -> Self {
        let found = found.unwrap_or_default();
        let number = |text: &str| text.strip_prefix("harness-lock/").and_then(|n| n.parse::<u64>().ok());
        let newer = number(&found) > number(FORMAT);
        Self::Format { found, newer }
    }

    /// For what serde refused.
    pub(super) fn shape(error: &serde_json::Error) -> Self {
        let message = error.to_string();
        let code = if message.starts_with("unknown field") {
            "unknown_key"
        } else if message.starts_with("missing field") {
            "missing_key"
        } else {
            "wrong_type"
        };
        // serde_json ends its messages with the place in the body, whose lines are the file's.
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        Self::Shape { code, line: error.line(), message }
    }

    /// What is wrong with the signature or the list that it is held against.
    fn about_signature(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadSigners { line, message } => write!(f, "line {line} of the allowed signers: {message}"),
            Self::NamespaceMismatch { found, line: None } => write!(
                f,
                "the signature was made for `{found}`, and a lock takes those made for `harness-lock`: sign with \
                 `ssh-keygen -Y sign -n harness-lock`"
            ),
            Self::NamespaceMismatch { found, line: Some(line) } => write!(
                f,
                "line {line} of the allowed signers lets this key sign for `{found}`, which `harness-lock` is not \
                 among"
            ),
            Self::SignatureInvalid { why } => write!(f, "the signature does not hold: {why}"),
            Self::SignerUnknown { fingerprint, why: None } => {
                write!(f, "the key that signed, {fingerprint}, is not among the allowed signers")
            }
            Self::SignerUnknown { fingerprint, why: Some(why) } => {
                write!(f, "the key that signed, {fingerprint}, does not count among the allowed signers: {why}")
            }
            Self::Unsigned if cfg!(feature = "sign") => {
                f.write_str("a signature is demanded, and none came with the lock")
            }
            Self::Unsigned => f.write_str(
                "a signature is demanded, and none was checked: this build was made without the feature `sign`",
            ),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digest(error) => error.fmt(f),
            Self::Environment { expected, found } => write!(
                f,
                "the lock is for {}, and this runtime trusts {}",
                environment(found.as_deref()),
                environment(expected.as_deref())
            ),
            Self::Format { found, newer: true } => write!(
                f,
                "the lock's format is `{found}`, and this runtime reads `{FORMAT}`: use the runtime of the version \
                 that wrote it"
            ),
            Self::Format { found, newer: false } => {
                write!(f, "the lock's format is `{found}`, and this runtime reads `{FORMAT}`")
            }
            Self::Policy { expected, found } => {
                write!(f, "the lock is the policy `{found}`, and this runtime trusts `{expected}`")
            }
            Self::Predecessor { held, found } => write!(
                f,
                "the lock must name the one in force, `{held}`, as its predecessor, and names {}",
                found.as_ref().map_or("none".to_owned(), |found| format!("`{found}`"))
            ),
            Self::Proof(failure) => failure.fmt(f),
            Self::RevisionFork { revision } => write!(
                f,
                "the lock is another revision {revision} than the one in force: two locks of one revision exist"
            ),
            Self::RevisionGap { held, found } => write!(
                f,
                "the lock is revision {found}, and revision {held} is in force: what lies between was never loaded"
            ),
            Self::RevisionLower { held, found } => {
                write!(
                    f,
                    "the lock is revision {found}, and revision {held} is in force: a lock never goes back"
                )
            }
            Self::Scan(error) => {
                write!(f, "line {}, column {} of the lock: {}", error.line, error.column, error.message)
            }
            Self::Shape { line, message, .. } => write!(f, "line {line} of the lock: {message}"),
            Self::TooLarge { bytes } => {
                write!(f, "the lock has {bytes} bytes, and at most {MAX_BYTES} are read")
            }
            Self::BadSigners { .. }
            | Self::NamespaceMismatch { .. }
            | Self::SignatureInvalid { .. }
            | Self::SignerUnknown { .. }
            | Self::Unsigned => self.about_signature(f),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<OpenError> for LoadError {
    fn from(error: OpenError) -> Self {
        Self::Digest(error)
    }
}

impl From<ScanError> for LoadError {
    fn from(error: ScanError) -> Self {
        Self::Scan(error)
    }
}

impl From<Failure> for LoadError {
    fn from(failure: Failure) -> Self {
        Self::Proof(failure)
    }
}

fn environment(name: Option<&str>) -> String {
    name.map_or("no environment".to_owned(), |name| format!("the environment `{name}`"))
}
