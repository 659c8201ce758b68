//! `harnessc release`: the next revision, behind the lock that it follows; then the lock anew.

use std::path::{Path, PathBuf};

use clap::Args;
use harnessc_runtime::load::{self, Loaded, Signers, Trust};
use schemars::JsonSchema;
use serde::Serialize;

use super::Format;
use super::build;
use super::outcome::{Said, Trouble, code};
use super::session::{Examined, Session};
use super::{sign, style};
use crate::lock::{self, ReleaseLine, Sealed};
use crate::report::{self, JsonReport};
use crate::source::{Fault, disk, git};

#[derive(Debug, Args)]
pub(super) struct ReleaseArgs {
    /// The lock that this one follows: a revision of git that holds it, or the lock's file. Twice after a merge: the
    /// larger revision is followed, of two equal ones the first
    #[arg(long, value_name = "REV|FILE", required = true)]
    base: Vec<String>,
}

/// What `release --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ReleaseReport {
    /// The version of this format, 1.
    version: u32,
    /// Whether the manifest and the lock are now those of that revision.
    released: bool,
    /// The lock's file.
    lock: String,
    /// The revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<u64>,
    /// The digest of the lock that it follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    predecessor: Option<String>,
    /// The digest of the lock that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    /// Why nothing was written, where no finding says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// What was found, as `check` prints it.
    check: JsonReport,
}

/// What was refused, and what to do.
struct Refusal(String, String);

pub(super) fn run(session: &Session, args: &ReleaseArgs) -> Result<Said, Trouble> {
    let examined = session.examine(None)?;
    let path = examined.folder().join(lock::FILE);
    let Some(own) = &examined.lock else { return Ok(denied(session, &examined, &path)) };
    let texts = args.base.iter().map(|name| Ok((name, base(examined.folder(), name)?)));
    let texts = texts.collect::<Result<Vec<_>, Trouble>>()?;
    let loaded = texts.iter().map(|(name, bytes)| proved(name, bytes, &own.policy.name));
    let line = loaded.collect::<Result<Vec<_>, _>>().and_then(|bases| follow(&bases, own.revision));
    match line {
        Ok(line) => released(session, &examined, &path, &line),
        Err(refusal) => Ok(refused(session, &examined, &path, &refusal)),
    }
}

/// The bytes that a `--base` names. A file that stands there is that file; `git:` says that a revision is meant.
fn base(folder: &Path, name: &str) -> Result<Vec<u8>, Trouble> {
    let revision = name.strip_prefix("git:");
    let path = Path::new(name);
    if revision.is_none() && disk::kind_behind(path).is_ok_and(|kind| kind == disk::Kind::Other) {
        return Err(Fault::new("is a device or a pipe, and no lock", path, None).into());
    }
    if revision.is_none() && disk::kind_behind(path).is_ok_and(|kind| kind == disk::Kind::File) {
        return Ok(lock::load(path)?);
    }
    Ok(git::show(folder, revision.unwrap_or(name), lock::FILE)?)
}

/// The base, loaded and proved as a runtime would, and of the same policy.
fn proved(name: &str, bytes: &[u8], policy: &str) -> Result<Loaded, Refusal> {
    let own = load::read(bytes).map(|loaded| loaded.lock.policy);
    let loaded = own.and_then(|own| {
        let trust = Trust {
            allow_gap: false,
            environment: own.environment,
            policy: own.name,
            signers: Signers::Unsigned,
        };
        load::load(bytes, &trust, None)
    });
    let help = "name a base whose lock was in force; `harnessc verify` says what holds in a lock's file";
    match loaded {
        Ok(loaded) if loaded.lock.policy.name == policy => Ok(loaded),
        Ok(loaded) => Err(Refusal(
            format!("the lock of `{name}` is the policy `{}`, and this tree is `{policy}`", loaded.lock.policy.name),
            "a runtime takes no other policy than the one it trusts: name a lock of this policy, or give the manifest \
             its old name back"
                .to_owned(),
        )),
        Err(error) => Err(Refusal(format!("the lock of `{name}` does not load: {error}"), help.to_owned())),
    }
}

/// The line behind these bases, unless the tree has been past it already.
fn follow(bases: &[Loaded], own: u64) -> Result<ReleaseLine, Refusal> {
    match lock::after(bases) {
        Some(line) if line.revision >= own => Ok(line),
        Some(line) => Err(Refusal(
            format!(
                "the base would make this revision {}, and the manifest already states revision {own}",
                line.revision
            ),
            format!(
                "a revision never goes back: name the lock of revision {own} as well, with a second `--base`; where no \
                 runtime ever held it, set `revision` in harness.toml back by hand and run this again"
            ),
        )),
        None => Err(Refusal("no revision can follow the base's".to_owned(), String::new())),
    }
}

/// Writes the manifest, then the lock that the tree now comes to.
fn released(
    session: &Session,
    examined: &Examined,
    path: &Path,
    line: &ReleaseLine,
) -> Result<Said, Trouble> {
    let manifest = &examined.manifest;
    let old = examined.tree.sources.iter().next().map(|(_, file)| file.text.to_string()).unwrap_or_default();
    let text = lock::with_release_line(&old, line)
        .map_err(|why| Trouble::Internal(format!("the manifest was read and cannot be edited: {why}")))?;
    let fault = |error| Fault::new("cannot be written", manifest, Some(error));
    if text != old {
        disk::write(manifest, text.as_bytes()).map_err(fault)?;
    }
    let after = session.examine(None)?;
    let sealed = after.lock.as_ref().map(build::sealed).transpose()?;
    let Some(sealed) =
        sealed.filter(|_| after.lock.as_ref().is_some_and(|lock| lock.revision == line.revision))
    else {
        disk::write(manifest, old.as_bytes()).map_err(fault)?;
        return Err(Trouble::Internal(
            "the tree passed every rule and does not with its new release line".to_owned(),
        ));
    };
    let is_new = lock::store(path, &sealed)?;
    Ok(told(session, &after, path, line, &sealed, (text != old, is_new)))
}

fn told(
    session: &Session,
    examined: &Examined,
    path: &Path,
    line: &ReleaseLine,
    sealed: &Sealed,
    (is_line_new, is_lock_new): (bool, bool),
) -> Said {
    let mut said = Said::default();
    if session.global.format == Format::Json {
        said.json(&ReleaseReport {
            released: true,
            revision: Some(line.revision),
            predecessor: Some(line.predecessor.clone()),
            digest: Some(sealed.digest.clone()),
            ..report(examined, path)
        });
        return said;
    }
    if !examined.checked.findings.is_empty() {
        session.findings(&examined.checked.findings, &examined.tree.sources, &mut said);
    }
    said.line(format!("revision {} follows {}", line.revision, line.predecessor));
    let wrote = |is_new, path: &PathBuf| {
        format!("{} {}", if is_new { "wrote" } else { "stands already:" }, build::shown(path))
    };
    said.line(wrote(is_line_new, &examined.manifest));
    said.line(format!("{} ({})", wrote(is_lock_new, &path.to_owned()), sealed.digest));
    if is_lock_new {
        sign::note_outdated(session, path, &mut said);
    }
    said
}

fn report(examined: &Examined, path: &Path) -> ReleaseReport {
    ReleaseReport {
        version: 1,
        released: false,
        lock: path.display().to_string(),
        revision: None,
        predecessor: None,
        digest: None,
        why: None,
        check: report::json_report(&examined.checked.findings, &examined.tree.sources),
    }
}

/// Findings deny.
fn denied(session: &Session, examined: &Examined, path: &Path) -> Said {
    let mut said = Said { code: code::FINDINGS, ..Said::default() };
    if session.global.format == Format::Json {
        said.json(&report(examined, path));
    } else {
        session.findings(&examined.checked.findings, &examined.tree.sources, &mut said);
        said.note("nothing is released while findings deny");
    }
    said
}

fn refused(session: &Session, examined: &Examined, path: &Path, Refusal(why, help): &Refusal) -> Said {
    let mut said = Said { code: code::FINDINGS, ..Said::default() };
    if session.global.format == Format::Json {
        said.json(&ReleaseReport { why: Some(why.clone()), ..report(examined, path) });
        return said;
    }
    let look = session.terminal.err;
    let mut paragraph = |word: String, text: &str, taken: usize| {
        let wrapped = report::wrap(&report::visible(text), look.width.saturating_sub(taken), look.width);
        said.note(format!("{word}: {}", wrapped.join("\n")));
    };
    paragraph(style::error(look, "error"), why, 7);
    if !help.is_empty() {
        paragraph(style::help(look, "help"), help, 6);
    }
    said
}
