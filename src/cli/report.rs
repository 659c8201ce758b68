//! `harnessc report`: the policy as pages for auditors.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use harnessc_runtime::prove;

use super::build::{sealed, shown};
use super::outcome::{Said, Trouble, counted};
use super::place::{put, unlinked};
use super::session::{Session, Under};
use crate::report::{Audited, is_own, single_page, site};
use crate::source::{Fault, disk};

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// As HTML, the one form there is
    #[arg(long, required = true)]
    html: bool,
    /// A file that ends in .html, or a folder for one page each; unsaid: one page is printed
    #[arg(short, long, value_name = "DIR|FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    under: Under,
}

pub(super) fn run(session: &Session, args: &ReportArgs) -> Result<Said, Trouble> {
    let lock = match session.lock_or_findings(&args.under, "reported")? {
        Ok(lock) => lock,
        Err(said) => return Ok(said),
    };
    let mut said = Said::default();
    let sealed = sealed(&lock)?;
    let failures = prove::failures(&lock);
    let why = |name: &str| {
        let failure = failures.iter().find(|failure| failure.proof == name);
        failure.map(|failure| format!("at {}: {}", failure.cell, failure.why))
    };
    let proofs = prove::names().map(|name| (name, why(name))).collect();
    let audited = Audited { lock: &lock, digest: &sealed.digest, proofs };
    match &args.output {
        None => said.out = single_page(&audited),
        Some(file) if file.extension().is_some_and(|end| end == "html") => {
            if !own_page(file)? {
                return Err(refused(file, "file"));
            }
            disk::write(file, single_page(&audited).as_bytes())
                .map_err(|error| Fault::new("cannot be written", file, Some(error)))?;
            said.line(format!("wrote {}", shown(file)));
        }
        Some(folder) => {
            let pages = pages(folder, &audited)?;
            said.line(format!("wrote {} below {}", counted(pages, "page"), shown(folder)));
        }
    }
    Ok(said)
}

/// Writes the pages into a folder that is new, empty or an earlier report's, and clears the pages of that one which are no
/// longer among them.
fn pages(folder: &Path, audited: &Audited<'_>) -> Result<usize, Trouble> {
    let pages = site(audited);
    let before = written_before(folder)?.ok_or_else(|| refused(folder, "folder"))?;
    let stale: Vec<&String> = before.iter().filter(|path| !pages.contains_key(*path)).collect();
    // Whatever stops this half-way, the next run knows each page as one of ours.
    put(folder, LIST, &list(before.iter().chain(pages.keys())))?;
    for (path, text) in &pages {
        put(folder, path, text)?;
    }
    for path in stale {
        let full = unlinked(folder, path)?;
        if disk::kind_of(&full).is_ok() && own_page(&full)? {
            disk::remove(&full).map_err(|error| Fault::new("cannot be taken away", &full, Some(error)))?;
        }
    }
    put(folder, LIST, &list(pages.keys()))?;
    Ok(pages.len())
}

/// The file beside the pages that names them, so that a later run knows them.
const LIST: &str = ".harnessc-report";
/// Its first line.
const LISTED: &str =
    "Pages that `harnessc report` wrote. It writes them anew, and clears those that are no longer needed.";

fn list<'a>(pages: impl Iterator<Item = &'a String>) -> String {
    let sorted: BTreeSet<&String> = pages.collect();
    sorted.into_iter().fold(format!("{LISTED}\n"), |text, page| text + page + "\n")
}

/// The pages of an earlier report in a folder; none where the folder is new or empty, nothing where it is somebody else's.
fn written_before(folder: &Path) -> Result<Option<BTreeSet<String>>, Trouble> {
    let unread = |error| Trouble::from(Fault::new("cannot be read", folder, Some(error)));
    match disk::is_empty(folder) {
        Ok(true) => return Ok(Some(BTreeSet::new())),
        Ok(false) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Some(BTreeSet::new())),
        Err(error) => return Err(unread(error)),
    }
    let marker = folder.join(LIST);
    if !matches!(disk::kind_of(&marker), Ok(disk::Kind::File)) {
        return Ok(None);
    }
    let Ok(bytes) = disk::read(&marker, disk::MAX_FILE_BYTES) else { return Ok(None) };
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines();
    Ok((lines.next() == Some(LISTED))
        .then(|| lines.filter(|path| is_page(path)).map(str::to_owned).collect()))
}

/// Whether a path is one that a report has: nothing that leads out of the folder.
fn is_page(path: &str) -> bool {
    let name = path.strip_prefix("harness/").or_else(|| path.strip_prefix("tool/")).unwrap_or(path);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '~');
    name.ends_with(".html") && name.chars().all(plain)
}

/// Whether nothing stands at the path, or a page of ours.
fn own_page(path: &Path) -> Result<bool, Trouble> {
    match disk::read(path, disk::MAX_FILE_BYTES) {
        Ok(bytes) => Ok(is_own(&bytes)),
        Err(disk::ReadError::TooLarge(_)) => Ok(false),
        Err(disk::ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(disk::ReadError::Io(error)) => Err(Fault::new("cannot be read", path, Some(error)).into()),
    }
}

fn refused(path: &Path, what: &str) -> Trouble {
    let holds = if what == "folder" { "holds files that" } else { "stands already, and" };
    let it = if what == "folder" { "" } else { " it" };
    Trouble::Usage(
        format!("{} {holds} `harnessc report` did not write{it}; nothing was written", shown(path)),
        format!("give another {what}, or take away what stands there if nobody needs it"),
    )
}
