//! The two sides of a comparison: a lock's file, a tree, or either under a revision of git.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use harnessc_runtime::Bundle;
use harnessc_runtime::load::{self, Signers, Trust};

use crate::baseline::Split;
use crate::cli::known::Known;
use crate::cli::outcome::Trouble;
use crate::cli::session::{Examined, Session};
use crate::diff::acknowledge::{FOLDER, MAX_BYTES, SIGNERS};
use crate::diff::{Beside, Named, Unreal};
use crate::lock;
use crate::report::visible;
use crate::source::{Fault, disk, git};
use crate::syntax::Kind;
use crate::tree::{self, MANIFEST};

/// Files of the folder `acknowledged/`: path relative to the manifest, and bytes.
pub(super) type Papers = Vec<(String, Vec<u8>)>;

/// One side, loaded and proved.
pub(super) struct Side {
    pub(super) named: Named,
    pub(super) bundle: Bundle,
    /// Nothing where only a lock is at hand.
    pub(super) tree: Option<OfTree>,
    pub(super) notes: Vec<String>,
}

/// What is known of a side whose tree is at hand.
pub(super) struct OfTree {
    pub(super) beside: Beside,
    pub(super) papers: Papers,
    /// The folder on the disk; nothing under a revision.
    pub(super) folder: Option<PathBuf>,
}

impl OfTree {
    /// The text of the list of signers.
    pub(super) fn signers(&self) -> Option<String> {
        signers(&self.papers)
    }
}

fn signers(papers: &Papers) -> Option<String> {
    let path = format!("{FOLDER}/{SIGNERS}");
    let (_, bytes) = papers.iter().find(|(own, _)| *own == path)?;
    // A list that is no text lists nobody that could be read: every signature is refused under it.
    Some(String::from_utf8(bytes.clone()).unwrap_or_else(|_| "unreadable".to_owned()))
}

/// Whether the folder's files are what they seem: in the place of the folder there is no file, and in the place of the list no
/// folder, either of which would read as though nobody were listed.
fn sound(papers: Papers, name: &Path) -> Result<Papers, Trouble> {
    let list = format!("{FOLDER}/{SIGNERS}/");
    let wrong = papers.iter().find_map(|(path, _)| match path.as_str() {
        FOLDER => Some(format!("`{FOLDER}` is a file, and acknowledgements stand in a folder of that name")),
        path if path.starts_with(&list) => {
            Some(format!("`{FOLDER}/{SIGNERS}` is a folder, and the list of signers is a file"))
        }
        _ => None,
    });
    match wrong {
        Some(message) => Err(Fault::new(message, name, None).into()),
        None => Ok(papers),
    }
}

/// Why there is no side to compare.
pub(super) enum Missing {
    /// The environment or the usage.
    Trouble(Trouble),
    /// Its tree does not compile.
    Uncompiled(Box<Examined>),
    /// Its lock does not load.
    Refused(String),
}

impl From<Trouble> for Missing {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl From<Fault> for Missing {
    fn from(fault: Fault) -> Self {
        Self::Trouble(fault.into())
    }
}

impl From<Unreal> for Trouble {
    fn from(Unreal(why): Unreal) -> Self {
        Self::Internal(why)
    }
}

/// A revision and what stands under it: `REV` or `REV:PATH`.
pub(super) fn revision(name: &str) -> Option<(&str, Option<&str>)> {
    let rest = name.strip_prefix("git:")?;
    Some(rest.split_once(':').map_or((rest, None), |(revision, path)| (revision, Some(path))))
}

/// The side that `name` stands for; unsaid, the tree here.
pub(super) fn side(session: &Session, name: Option<&str>) -> Result<Side, Missing> {
    let Some(name) = name else { return on_disk(session, None) };
    if let Some((revision, path)) = revision(name) {
        return under(session, name, revision, path);
    }
    let path = Path::new(name);
    match disk::kind_behind(path) {
        Ok(disk::Kind::File) if path.file_name().is_none_or(|file| file != MANIFEST) => {
            of_lock(name, &lock::load(path)?)
        }
        Ok(_) => on_disk(session, Some(path)),
        Err(error) => Err(Trouble::Fault(Fault::new("cannot be read", path, Some(error))).into()),
    }
}

/// Where the tree here stands, for revisions that name no path.
fn here(session: &Session) -> Result<PathBuf, Trouble> {
    Ok(session.manifest(None)?.parent().unwrap_or(Path::new("")).to_owned())
}

fn on_disk(session: &Session, path: Option<&Path>) -> Result<Side, Missing> {
    let examined = match path {
        None => session.examine(None)?,
        // `--manifest` names the tree here; one that is named is found as it is.
        Some(path) => {
            let manifest = tree::discover(path)?;
            session.examine_with(manifest, &std::collections::BTreeMap::new())?
        }
    };
    let folder = examined.folder().to_owned();
    let papers = papers_on_disk(&folder)?;
    let standing = lock::load(&folder.join(lock::FILE)).ok();
    let name = path.map_or_else(|| "the tree here".to_owned(), |path| path.display().to_string());
    let under = |digest: &str| {
        let limit = load::MAX_BYTES as u64;
        let files = disk::beside(&folder, limit, is_baseline)
            .map_err(|error| Fault::new("the folder cannot be read", &folder, Some(error)))?;
        let known = Known::among(&files, digest);
        known.map(|known| Session::examine_at_under(examined.manifest.clone(), &known)).transpose()
    };
    let rebuilt = rebuilt(&examined, standing.as_deref(), under)?;
    compiled(&name, (examined, rebuilt), papers, Some(folder.clone()), standing.as_deref())
}

/// Whether a file in the manifest's folder may be the baseline that a lock was built under. The digest tells which one is.
fn is_baseline(name: &str) -> bool {
    name.ends_with(".json") && !name.contains('/')
}

/// What a tree comes to under the baseline that its standing lock names; nothing where it names none or is not needed, or
/// where no file with the baseline's digest stands beside the manifest.
fn rebuilt(
    examined: &Examined,
    standing: Option<&[u8]>,
    under: impl FnOnce(&str) -> Result<Option<(Examined, Split)>, Trouble>,
) -> Result<Option<Examined>, Trouble> {
    if examined.lock.is_some() {
        return Ok(None);
    }
    match standing.and_then(|bytes| load::read(bytes).ok()?.lock.baseline) {
        Some(baseline) => Ok(under(&baseline.digest)?.map(|(examined, _)| examined)),
        None => Ok(None),
    }
}

fn papers_on_disk(folder: &Path) -> Result<Papers, Trouble> {
    let full = folder.join(FOLDER);
    if matches!(disk::kind_of(&full), Ok(kind) if kind != disk::Kind::Folder) {
        return Err(
            Fault::new("is a link or no folder, and acknowledgements stand in one", &full, None).into()
        );
    }
    let walked = disk::walk(folder, FOLDER)
        .map_err(|(path, error)| Fault::new("the folder cannot be read", &path, Some(error)))?;
    let mut papers = Papers::new();
    for entry in walked {
        let path = folder.join(&entry.path);
        if entry.kind != Some(disk::Kind::File) {
            return Err(
                Fault::new("is a link or no file, and acknowledgements are files", &path, None).into()
            );
        }
        match disk::read(&path, MAX_BYTES) {
            Ok(bytes) => papers.push((entry.path, bytes)),
            Err(disk::ReadError::TooLarge(size)) => {
                return Err(Fault::new(
                    format!("has {size} bytes, and no acknowledgement is so large"),
                    &path,
                    None,
                )
                .into());
            }
            Err(disk::ReadError::Io(error)) => {
                return Err(Fault::new("cannot be read", &path, Some(error)).into());
            }
        }
    }
    sound(papers, folder)
}

/// What stands under a revision of git: a lock where the path is a file, else a tree, compiled in memory.
fn under(session: &Session, name: &str, revision: &str, path: Option<&str>) -> Result<Side, Missing> {
    if revision.is_empty() {
        return Err(unnamed(format!("`{}` names no revision", visible(name))).into());
    }
    let folder = match path {
        Some(_) => here(session).unwrap_or_default(),
        None => here(session)?,
    };
    let path = path.map(|path| from_root(name, path)).transpose()?;
    let path = path.as_deref();
    if let Some(path) = path.filter(|path| !path.is_empty())
        && git::is_file(&folder, revision, path).map_err(|fault| unnamed(fault.to_string()))?
    {
        return of_lock(name, &git::blob(&folder, revision, path)?);
    }
    let is_paper =
        |path: &str| path.strip_prefix(FOLDER).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let mut files = git::files(&folder, revision, path, |path| {
        tree::belongs(path) || path == lock::FILE || is_paper(path) || is_baseline(path)
    })?;
    if !files.iter().any(|(path, _)| path == MANIFEST) {
        return Err(unnamed(format!("`{}` holds no `{MANIFEST}`", visible(name))).into());
    }
    let papers = files.iter().filter(|(path, _)| is_paper(path)).cloned().collect();
    let papers = sound(papers, Path::new(name))?;
    let standing = files.iter().find(|(path, _)| path == lock::FILE).map(|(_, bytes)| bytes.clone());
    let mirrored = mirrored(&files);
    if !mirrored.is_empty() {
        files.extend(git::files(&folder, revision, path, |path| mirrored.contains(path))?);
    }
    let folder = path.map_or_else(|| name.to_owned(), |path| format!("git:{revision}:{path}"));
    let manifest = PathBuf::from(format!("{}/{MANIFEST}", folder.trim_end_matches('/')));
    let examined = Session::examine_files(manifest.clone(), files.clone())?;
    let under = |digest: &str| {
        let known = Known::among(&files, digest);
        known.map(|known| Session::examine_files_under(manifest, files.clone(), &known)).transpose()
    };
    let rebuilt = rebuilt(&examined, standing.as_deref(), under)?;
    compiled(name, (examined, rebuilt), papers, None, standing.as_deref())
}

/// What a revision may be followed by.
fn unnamed(message: String) -> Trouble {
    let help = format!(
        "write `git:REV` for the tree here, or `git:REV:PATH` with the path of a tree's folder, of its `{MANIFEST}` or of a \
         lock, from the repository's root (`git:REV:` is the root itself)"
    );
    Trouble::Usage(message, help)
}

/// A path from the repository's root without what says nothing; a manifest stands for the folder that it is in.
fn from_root(name: &str, path: &str) -> Result<String, Trouble> {
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        let message = format!(
            "`{}` goes up from a folder, and its path begins at the repository's root",
            visible(name)
        );
        return Err(unnamed(message));
    }
    if parts.last() == Some(&MANIFEST) {
        parts.pop();
    }
    Ok(parts.join("/"))
}

/// The files that the manifest mirrors and that do not belong to the tree anyway.
fn mirrored(files: &[(String, Vec<u8>)]) -> BTreeSet<String> {
    let manifest = files.iter().filter(|(path, _)| path == MANIFEST).cloned();
    let (tree, _) = tree::Tree::from_files(manifest);
    let root = tree.manifest.root.as_deref();
    let mirrors = match root.and_then(|root| root.get("mirror")).map(|entry| &entry.value.kind) {
        Some(Kind::List(mirrors)) => mirrors.as_slice(),
        _ => &[],
    };
    let named = mirrors.iter().filter_map(|mirror| Some(mirror.get("file")?.value.text()?.to_owned()));
    named.filter(|path| files.iter().all(|(own, _)| own != path)).collect()
}

fn of_lock(name: &str, bytes: &[u8]) -> Result<Side, Missing> {
    loaded(name, bytes, None, Vec::new())
}

/// The side that a tree compiles to. `standing` is the lock that was committed beside it.
fn compiled(
    name: &str,
    (examined, rebuilt): (Examined, Option<Examined>),
    papers: Papers,
    folder: Option<PathBuf>,
    standing: Option<&[u8]>,
) -> Result<Side, Missing> {
    let signers = signers(&papers);
    let beside = Beside::of(&examined.tree, signers.as_deref());
    let of_tree = OfTree { beside, papers, folder };
    let Some(built) = &examined.lock else {
        // Under a baseline a tree does not build by itself; its lock says that it was built so, and is held against it.
        let own = standing.and_then(|bytes| Some((bytes, load::read(bytes).ok()?.lock.baseline?)));
        return match own {
            Some((bytes, _)) => under_baseline(name, bytes, rebuilt, of_tree),
            None => Err(Missing::Uncompiled(Box::new(examined))),
        };
    };
    let sealed = lock::seal(built).map_err(|error| Trouble::Internal(error.to_string()))?;
    let notes = match standing {
        Some(bytes) if bytes != sealed.bytes => {
            vec![format!(
                "the harness.lock of {name} is not what its sources give; the sources were compared"
            )]
        }
        _ => Vec::new(),
    };
    loaded(name, &sealed.bytes, Some(of_tree), notes)
}

/// The side whose standing lock was built under a baseline: the lock counts where the tree comes to it under that baseline.
fn under_baseline(
    name: &str,
    standing: &[u8],
    rebuilt: Option<Examined>,
    of_tree: OfTree,
) -> Result<Side, Missing> {
    let Some(rebuilt) = rebuilt else {
        return Err(Missing::Refused(format!(
            "{name} does not compile by itself, and no `.json` file beside its `{MANIFEST}` is the baseline that its \
             harness.lock was built under: it was moved, or has changed since. Build it again with `harnessc build --baseline FILE`"
        )));
    };
    let Some(built) = &rebuilt.lock else { return Err(Missing::Uncompiled(Box::new(rebuilt))) };
    let sealed = lock::seal(built).map_err(|error| Trouble::Internal(error.to_string()))?;
    if sealed.bytes != standing {
        return Err(Missing::Refused(format!(
            "the harness.lock of {name} is not what its sources give under its baseline; build it again with \
             `harnessc build --baseline FILE`"
        )));
    }
    let note = format!("{name} compiles under its baseline alone, and was compared so");
    loaded(name, standing, Some(of_tree), vec![note])
}

fn loaded(name: &str, bytes: &[u8], tree: Option<OfTree>, notes: Vec<String>) -> Result<Side, Missing> {
    let refused =
        |error: load::LoadError| Missing::Refused(format!("the lock of `{name}` does not load: {error}"));
    let own = load::read(bytes).map_err(refused)?.lock.policy;
    let trust = Trust {
        allow_gap: false,
        environment: own.environment,
        policy: own.name.clone(),
        signers: Signers::Unsigned,
    };
    let bundle = Bundle::load(bytes, &trust, None).map_err(refused)?;
    let named = Named {
        name: name.to_owned(),
        policy: own.name,
        digest: bundle.digest().to_owned(),
        revision: bundle.lock().revision,
    };
    Ok(Side { named, bundle, tree, notes })
}
