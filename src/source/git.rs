//! What git has under a revision.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use super::Fault;

/// The bytes that `file`, relative to `folder`, has under `revision`, as they were committed: no filter, no line ends
/// changed.
///
/// # Errors
/// There is no git, `folder` is in no repository of it, or the revision holds no such file. The message is git's own.
pub fn show(folder: &Path, revision: &str, file: &str) -> Result<Vec<u8>, Fault> {
    let name = format!("{revision}:./{file}");
    // What begins with a dash would be an option.
    if revision.is_empty() || revision.starts_with('-') {
        return Err(Fault::new(format!("`{revision}` is no revision of git"), Path::new(&name), None));
    }
    let said = asked(folder, &["cat-file", "blob", &name], Vec::new(), &name)?;
    Ok(said.stdout)
}

/// No more bytes than these are read of one revision.
const MAX_TREE_BYTES: u64 = 256 * 1024 * 1024;

/// The files under `revision` that `wanted` names, with their bytes as they were committed, by path. `below` is a folder
/// from the repository's root; nothing: `folder` itself. Paths are relative to it.
///
/// # Errors
/// As [`show`]; and where a wanted file is a link, or all of them together are too large.
pub fn files(
    folder: &Path,
    revision: &str,
    below: Option<&str>,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<(String, Vec<u8>)>, Fault> {
    let name = object(revision, below)?;
    let fault = |message: String| Fault::new(message, Path::new(&name), None);
    known(folder, revision)?;
    let listed = asked(folder, &["ls-tree", "--full-tree", "-r", "-z", "-l", &name], Vec::new(), &name)
        .map_err(|_| {
            let place = below.filter(|below| !below.is_empty());
            let place =
                place.map_or_else(|| "this folder".to_owned(), |below| format!("the folder `{below}`"));
            fault(format!(
                "{place} is not there at `{revision}`; name where the tree stands with `git:{revision}:PATH`"
            ))
        })?
        .stdout;
    let mut paths = Vec::new();
    let mut objects = Vec::new();
    let mut size = 0_u64;
    for line in listed.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        let line = String::from_utf8_lossy(line);
        let Some((facts, path)) = line.split_once('\t') else { continue };
        let mut facts = facts.split_ascii_whitespace();
        let (mode, kind, id) = (facts.next(), facts.next(), facts.next());
        let (Some(mode), Some(kind), Some(id)) = (mode, kind, id) else { continue };
        let is_link = mode == "120000";
        // On the disk there may be a folder of wanted files in its place.
        let wanted = wanted(path) || ((is_link || kind != "blob") && may_hold(path, &wanted));
        if !wanted {
            continue;
        }
        if is_link {
            return Err(fault(format!("holds the link `{path}`, and links are not followed")));
        }
        if kind != "blob" {
            return Err(fault(format!(
                "holds `{path}` as a repository of its own, which is not looked into"
            )));
        }
        size = size.saturating_add(facts.next().and_then(|size| size.parse().ok()).unwrap_or(0));
        paths.push(path.to_owned());
        objects.extend(format!("{id}\n").into_bytes());
    }
    if size > MAX_TREE_BYTES {
        return Err(fault(format!("has {size} bytes of policy, and no more than {MAX_TREE_BYTES} are read")));
    }
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let batch = asked(folder, &["cat-file", "--batch"], objects, &name)?.stdout;
    blobs(&batch, paths).ok_or_else(|| fault("git gave other files than were asked for".to_owned()))
}

/// Whether some file below `path` would be wanted.
fn may_hold(path: &str, wanted: impl Fn(&str) -> bool) -> bool {
    let below = ["yaml", "txt", "json", "toml"];
    below.iter().any(|extension| wanted(&format!("{path}/x.{extension}")))
}

/// Takes apart what `cat-file --batch` writes: for each a line `<id> blob <size>`, its bytes and a line feed.
fn blobs(mut rest: &[u8], paths: Vec<String>) -> Option<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let head = std::str::from_utf8(rest.get(..end)?).ok()?;
        let size: usize = head.rsplit(' ').next()?.parse().ok()?;
        let bytes = rest.get(end + 1..)?.get(..size)?;
        files.push((path, bytes.to_vec()));
        rest = rest.get(end + 2 + size..)?;
    }
    Some(files)
}

/// Whether a revision is one here.
///
/// # Errors
/// As [`show`]; and where there is no such revision, which may be since the clone is shallow.
fn known(folder: &Path, revision: &str) -> Result<(), Fault> {
    let is_here = |revision: &str| {
        let name = format!("{revision}^{{tree}}");
        asked(folder, &["rev-parse", "--verify", "--quiet", &name], Vec::new(), revision)
    };
    let Err(refused) = is_here(plain(revision)?) else { return Ok(()) };
    // What git itself has to say of the place comes first: no repository, no git.
    asked(folder, &["rev-parse", "--git-dir"], Vec::new(), revision)?;
    let why = match is_here("HEAD") {
        Err(_) => "this repository has no commit yet".to_owned(),
        Ok(_) if revision.starts_with("origin/") => {
            format!("`{revision}` is no revision here; was it fetched?")
        }
        Ok(_) => format!("`{revision}` is no revision here; is the clone shallow, or the name mistyped?"),
    };
    Err(Fault::new(why, &refused.path, None))
}

/// Whether a path under a revision is a file and not a folder.
///
/// # Errors
/// As [`show`].
pub fn is_file(folder: &Path, revision: &str, path: &str) -> Result<bool, Fault> {
    let name = object(revision, Some(path))?;
    known(folder, revision)?;
    Ok(asked(folder, &["cat-file", "-t", &name], Vec::new(), &name)?.stdout == b"blob\n")
}

/// The bytes of a file from the repository's root.
///
/// # Errors
/// As [`show`].
pub fn blob(folder: &Path, revision: &str, path: &str) -> Result<Vec<u8>, Fault> {
    let name = object(revision, Some(path))?;
    Ok(asked(folder, &["cat-file", "blob", &name], Vec::new(), &name)?.stdout)
}

/// The mail addresses of those who wrote the commits between a revision and another, those whom they name as co-authors among
/// them, sorted, each once; but for commits that touch nothing but files of `folder` that `except` matches. Nothing where the clone is shallow and ends within those commits: what is behind is not known.
///
/// # Errors
/// As [`show`].
pub fn authors(folder: &Path, base: &str, head: &str, except: &[&str]) -> Result<Option<Vec<String>>, Fault> {
    let range = format!("{}..{}", plain(base)?, plain(head)?);
    let log = |format: &str, paths: &[String]| {
        let mut arguments = vec!["log", "--full-history", format, &range, "--"];
        arguments.extend(paths.iter().map(String::as_str));
        let said = asked(folder, &arguments, Vec::new(), &range)?.stdout;
        Ok::<_, Fault>(String::from_utf8_lossy(&said).into_owned())
    };
    let paths: Vec<String> = std::iter::once(":(top)".to_owned())
        .chain(except.iter().map(|pattern| format!(":(exclude,glob){pattern}")))
        .collect();
    let shallow = asked(folder, &["rev-parse", "--is-shallow-repository"], Vec::new(), &range)?.stdout;
    // Where the history is cut off, a commit seems to have no parent.
    if shallow != b"false\n" && log("--format=:%P", &[])?.lines().any(|parents| parents == ":") {
        return Ok(None);
    }
    let written = log("--format=%ae%n%ce%n%(trailers:key=Co-authored-by,valueonly,unfold)", &paths)?;
    let mut authors: Vec<String> =
        written.lines().map(address).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    authors.sort();
    authors.dedup();
    Ok(Some(authors))
}

/// The mail address of `Name <address>`; a bare one is itself.
fn address(line: &str) -> &str {
    let inner = line.rsplit_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inner.map_or(line, |(address, _)| address).trim()
}

/// A revision that git does not take for an option or a range.
fn plain(revision: &str) -> Result<&str, Fault> {
    if revision.is_empty() || revision.starts_with('-') || revision.contains("..") {
        return Err(Fault::new(format!("`{revision}` is no revision of git"), Path::new(revision), None));
    }
    Ok(revision)
}

/// Git's name for what stands under a revision.
fn object(revision: &str, path: Option<&str>) -> Result<String, Fault> {
    Ok(format!("{}:{}", plain(revision)?, path.unwrap_or("./")))
}

/// Runs git with bytes on its standard input; `name` is what a fault is about.
fn asked(folder: &Path, arguments: &[&str], input: Vec<u8>, name: &str) -> Result<Output, Fault> {
    let fault = |message: String, error| Fault::new(message, Path::new(name), error);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).args(arguments).env("LC_ALL", "C");
    // What a local reference puts in a commit's place is not what was committed.
    git.env("GIT_NO_REPLACE_OBJECTS", "1");
    git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut started = git.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => fault("git is not installed".to_owned(), None),
        _ => fault("git cannot be started".to_owned(), Some(error)),
    })?;
    let stdin = started.stdin.take();
    let output = thread::scope(|scope| {
        // Written beside the reading: neither side waits for the other's full pipe.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
        started.wait_with_output()
    });
    let output = output.map_err(|error| fault("git cannot be heard".to_owned(), Some(error)))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().find_map(|line| line.strip_prefix("fatal: ")).unwrap_or("git refuses it");
    Err(fault(said.to_owned(), None))
}

#[cfg(test)]
mod tests {
    use super::{address, blobs};

    #[test]
    fn an_author_is_a_mail_address_with_a_name_or_without() {
        for (line, found) in [
            ("dana@desk.example", "dana@desk.example"),
            ("Dana Ito <dana@desk.example>", "dana@desk.example"),
            ("Dana <d> Ito <dana@desk.example> ", "dana@desk.example"),
            ("", ""),
        ] {
            assert_eq!(address(line), found);
        }
    }

    #[test]
    fn what_git_hands_over_is_taken_apart_by_its_sizes() {
        let batch = b"aa blob 3\na\nb\nbb blob 0\n\n";
        let paths = || vec!["x".to_owned(), "y".to_owned()];
        let files = blobs(batch, paths()).unwrap();
        assert_eq!(files, [("x".to_owned(), b"a\nb".to_vec()), ("y".to_owned(), Vec::new())]);
        assert!(blobs(b"aa missing\n", paths()).is_none());
        assert!(blobs(b"aa blob 9\nab\n", paths()).is_none());
    }
}
