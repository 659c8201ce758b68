//! Reading and writing files. Nothing outside this file opens one.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// No file of a tree may be larger; 8 MiB is a hundred times the largest we have seen.
pub const MAX_FILE_BYTES: u64 = 8 * 1024 * 1024;

/// What stands at a path inside a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, or something that is neither: never followed.
    Other,
}

/// One entry of a folder, found by [`walk`].
#[derive(Clone, Debug)]
pub struct Entry {
    /// Relative to the root that was walked, `/` between parts.
    pub path: String,
    /// What it is; links are not followed. Nothing where its name is not UTF-8, so that no path of ours leads to it.
    pub kind: Option<Kind>,
}

/// How reading one file ended.
#[derive(Debug)]
pub enum ReadError {
    /// The file holds more than the limit, in bytes.
    TooLarge(u64),
    /// The system refused.
    Io(io::Error),
}

/// The regular files that stand in a folder itself, by path, of those whose name `wanted` takes. What is larger than `limit`
/// bytes is passed over.
///
/// # Errors
/// The system's own.
pub fn beside(
    folder: &Path,
    limit: u64,
    wanted: impl Fn(&str) -> bool,
) -> io::Result<Vec<(String, Vec<u8>)>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Some(name) = entry.file_name().to_str().filter(|name| wanted(name)).map(str::to_owned) else {
            continue;
        };
        if kind(entry.file_type()?) != Kind::File {
            continue;
        }
        match read(&entry.path(), limit) {
            Ok(bytes) => found.push((name, bytes)),
            Err(ReadError::TooLarge(_)) => {}
            Err(ReadError::Io(error)) => return Err(error),
        }
    }
    found.sort();
    Ok(found)
}

/// Everything below `root/folder`, files and links, sorted by path. An absent folder is empty.
///
/// # Errors
/// The system's error with the path where it occurred.
pub fn walk(root: &Path, folder: &str) -> Result<Vec<Entry>, (PathBuf, io::Error)> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let full = root.join(&folder);
        let listing = match fs::read_dir(&full) {
            Ok(listing) => listing,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err((full, error)),
        };
        for entry in listing {
            let entry = entry.map_err(|error| (full.clone(), error))?;
            let name = entry.file_name();
            let path = format!("{folder}/{}", name.to_string_lossy());
            if name.to_str().is_none() {
                found.push(Entry { path, kind: None });
                continue;
            }
            match entry.file_type().map(kind).map_err(|error| (entry.path(), error))? {
                Kind::Folder => waiting.push(path),
                kind => found.push(Entry { path, kind: Some(kind) }),
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// The names of the folders that stand in a folder itself, sorted; links and names that are not UTF-8 are passed over. An absent
/// folder has none.
///
/// # Errors
/// The system's own.
pub fn folders(folder: &Path) -> io::Result<Vec<String>> {
    let listing = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        listing => listing?,
    };
    let mut found = Vec::new();
    for entry in listing {
        let entry = entry?;
        if kind(entry.file_type()?) == Kind::Folder {
            found.extend(entry.file_name().to_str().map(str::to_owned));
        }
    }
    found.sort();
    Ok(found)
}

/// What stands at `path`; links are not followed.
///
/// # Errors
/// The system's own.
pub fn kind_of(path: &Path) -> io::Result<Kind> {
    Ok(kind(fs::symlink_metadata(path)?.file_type()))
}

/// What stands at `path`, links followed: for paths that a person names, never for those that a tree names.
///
/// # Errors
/// The system's own.
pub fn kind_behind(path: &Path) -> io::Result<Kind> {
    Ok(kind(fs::metadata(path)?.file_type()))
}

fn kind(found: fs::FileType) -> Kind {
    if found.is_file() {
        Kind::File
    } else if found.is_dir() {
        Kind::Folder
    } else {
        Kind::Other
    }
}

/// The path of what stands at `path`, from the system's root, links and `..` followed.
///
/// # Errors
/// The system's own.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

/// The way to `folder` from the root of the repository that it lies in, `/` between parts and at the end; empty where it is
/// the root, or lies in none.
pub fn from_repository(folder: &Path) -> String {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(whole) = fs::canonicalize(here) else { return String::new() };
    let Some(root) = whole.ancestors().find(|above| above.join(".git").exists()) else {
        return String::new();
    };
    let below = whole.strip_prefix(root).unwrap_or(Path::new(""));
    below.components().map(|part| format!("{}/", part.as_os_str().to_string_lossy())).collect()
}

/// The bytes of `path`, at most `limit` of them.
///
/// # Errors
/// [`ReadError::TooLarge`] where the file holds more; nothing of it is kept. A named pipe is refused, since nobody may ever
/// write into it; what a shell hands over as `/dev/fd/N` is read.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    if is_named_pipe(path) {
        let why = "this is a named pipe, and reading it may never end; name a file";
        return Err(ReadError::Io(io::Error::new(io::ErrorKind::InvalidInput, why)));
    }
    let file = fs::File::open(path).map_err(ReadError::Io)?;
    let size = file.metadata().map_err(ReadError::Io)?.len();
    if size > limit {
        return Err(ReadError::TooLarge(size));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    file.take(limit + 1).read_to_end(&mut bytes).map_err(ReadError::Io)?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge(bytes.len() as u64));
    }
    Ok(bytes)
}

#[cfg(unix)]
fn is_named_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    !path.starts_with("/dev") && fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_named_pipe(_: &Path) -> bool {
    false
}

/// Writes `bytes` to `path` whole or not at all: beside it first, then renamed.
///
/// # Errors
/// The system's own; the old content then stands. A link, a device, a pipe or a socket is refused: it would be replaced by a
/// file.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    can_be_replaced(path)?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let beside = folder.join(format!(".{name}.{}.partial", std::process::id()));
    let mut file = create_new(&beside)?;
    let written =
        file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Whether nothing but a file would be lost where `path` is written.
///
/// # Errors
/// A link, a device, a pipe or a socket stands there.
pub fn can_be_replaced(path: &Path) -> io::Result<()> {
    let why = match fs::symlink_metadata(path).map(|meta| meta.file_type()) {
        Ok(kind) if kind.is_symlink() => "this is a link; name the file that it leads to",
        Ok(kind) if !kind.is_file() && !kind.is_dir() => "this is a device or a pipe, and no file",
        _ => return Ok(()),
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}

/// A file that was not there before: whatever stands at `path`, a link above all, is taken away and never written through.
fn create_new(path: &Path) -> io::Result<fs::File> {
    let create = || fs::File::options().write(true).create_new(true).open(path);
    match create() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // A run with our number was ended while it wrote.
            fs::remove_file(path)?;
            create()
        }
        created => created,
    }
}

/// Makes a folder and those above it, where they are not there yet.
///
/// # Errors
/// The system's own.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Whether a folder that a person names holds nothing.
///
/// # Errors
/// The system's own; there is no such folder.
pub fn is_empty(folder: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(folder)?.next().is_none())
}

/// Takes a file away; a link itself, and not what it leads to.
///
/// # Errors
/// The system's own.
pub fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::{ReadError, fs, read, write};

    #[test]
    fn a_socket_is_not_replaced_by_a_file() {
        let folder = std::env::temp_dir().join(format!("harnessc-socket-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let socket = folder.join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(write(&socket, b"new").is_err());
        assert!(!fs::symlink_metadata(&socket).unwrap().is_file());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_link_is_neither_replaced_nor_written_through() {
        let folder = std::env::temp_dir().join(format!("harnessc-link-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, link) = (folder.join("file"), folder.join("link"));
        fs::write(&file, "kept").unwrap();
        symlink(&file, &link).unwrap();
        assert!(write(&link, b"new").unwrap_err().to_string().contains("name the file"));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_named_pipe_is_not_waited_for() {
        let folder = std::env::temp_dir().join(format!("harnessc-pipe-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let pipe = folder.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let Err(ReadError::Io(error)) = read(&pipe, 10) else { panic!("a pipe was read") };
        assert!(error.to_string().contains("named pipe"), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_link_in_the_way_is_not_written_through() {
        let folder = std::env::temp_dir().join(format!("harnessc-disk-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (other, beside) =
            (folder.join("other"), folder.join(format!(".lock.{}.partial", std::process::id())));
        fs::write(&other, "kept").unwrap();
        symlink(&other, &beside).unwrap();
        write(&folder.join("lock"), b"new").unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "kept");
        assert_eq!(fs::read_to_string(folder.join("lock")).unwrap(), "new");
        assert!(!fs::symlink_metadata(folder.join("lock")).unwrap().is_symlink());
        fs::remove_dir_all(&folder).unwrap();
    }
}
