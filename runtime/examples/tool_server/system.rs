//! What the library leaves to its server: the clock, random bytes, and failures in words.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::time::{SystemTime, UNIX_EPOCH};

/// What went wrong, for whoever started the process.
#[derive(Debug)]
pub(crate) struct Failed(String);

impl Failed {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<std::io::Error> for Failed {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

/// Milliseconds since the epoch. A clock that cannot be read is a fact of its own, and denies.
pub(crate) fn now_ms() -> Option<u64> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok()
}

/// Bytes that nobody can guess.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], Failed> {
    let mut bytes = [0; N];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// An id of the server's own: a kind and 64 random bits.
pub(crate) fn id(kind: &str) -> Result<String, Failed> {
    let hex = random::<8>()?.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
    Ok(format!("{kind}-{hex}"))
}
