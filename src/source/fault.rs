//! What is wrong with the environment, not with the author's text.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// The second of three kinds of failure: the environment or the usage; exit 2.
#[derive(Debug)]
pub struct Fault {
    /// What could not be done, in one sentence; lower case, no full stop.
    pub message: String,
    /// The file or folder it was about.
    pub path: PathBuf,
    /// What the system said.
    pub source: Option<std::io::Error>,
}

impl Fault {
    /// A fault about `path`.
    pub fn new(message: impl Into<String>, path: &Path, source: Option<std::io::Error>) -> Self {
        Self { message: message.into(), path: path.to_owned(), source }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.message)?;
        match &self.source {
            Some(source) => write!(f, " ({source})"),
            None => Ok(()),
        }
    }
}

impl Error for Fault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source as &(dyn Error + 'static))
    }
}
