//! What git has under a revision.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use super::Fault;

/// The bytes that `file`, relative to `folder`, has under `revision`, as they were committed: no filter, no line ends
/// changed.
///
/// # Errors
/// There is no git, `folder` is in no repository of it, or the revision holds no such file. The message is git's own.
pub fn show(folder: &Path, revision: &str, file: &str) -> Result<Vec<u8>, Fault> {
    let name = format!("{revision}:./{file}");
    let fault = |message: String, error| Fault::new(message, Path::new(&name), error);
    // What begins with a dash would be an option.
    if revision.is_empty() || revision.starts_with('-') {
        return Err(fault(format!("`{revision}` is no revision of git"), None));
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["cat-file", "blob", &name])
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => fault("git is not installed".to_owned(), None),
            _ => fault("git cannot be started".to_owned(), Some(error)),
        })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().find_map(|line| line.strip_prefix("fatal: ")).unwrap_or("git refuses it");
    Err(fault(said.to_owned(), None))
}
