//! `harnessc build`: check, lower, write the lock; or, with `--locked`, say what the one that stands differs in.

use std::path::{Path, PathBuf};

use clap::Args;
use harnessc_runtime::load::{self, Signers, Trust};
use harnessc_runtime::lock::Lock;
use schemars::JsonSchema;
use serde::Serialize;

use super::Format;
use super::known::{self, Known};
use super::outcome::{Said, Trouble, code, counted};
use super::session::{Examined, Session};
use super::sign::{self, Signing};
use super::style;
use crate::baseline::Split;
use crate::lock::{self, CellChange, Class, Difference, Sealed, SourceChange};
use crate::report::{self, JsonReport};
use crate::source::disk;

#[derive(Debug, Args)]
pub(super) struct BuildArgs {
    /// Write nothing; fail where the lock that stands is not what the sources give
    #[arg(long)]
    locked: bool,
    /// The lock; unsaid: harness.lock beside the manifest
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Sign the lock with this private SSH key, and write harness.lock.sig beside it; stock tools check it with
    /// `ssh-keygen -Y verify -n harness-lock -f SIGNERS -I WHO -s harness.lock.sig < harness.lock`
    #[arg(long, value_name = "KEY", conflicts_with = "locked")]
    sign: Option<PathBuf>,
    /// Exit 1 and write nothing on warnings too
    #[arg(long)]
    deny_warnings: bool,
    /// Build over the findings that this file knows, those apart that are forbidden; the lock says so
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
}

/// What `build --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BuildReport {
    /// The version of this format, 1.
    version: u32,
    /// How it ended.
    status: Status,
    /// The lock's file.
    lock: String,
    /// The digest of what the sources give; absent where findings deny.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    /// With `--locked`, what the lock that stands differs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<JsonDifference>,
    /// With `--sign`, the file of the signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// What was found, as `check` prints it.
    check: JsonReport,
}

/// How a build ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// The lock was written.
    Written,
    /// The lock holds these bytes already.
    Unchanged,
    /// With `--locked`: the lock is not what the sources give.
    Differs,
    /// Findings deny; nothing was built.
    Refused,
}

/// What the lock that stands differs in.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonDifference {
    /// Whether what a run may do differs.
    authority: bool,
    /// Sources whose digests differ.
    sources: Vec<JsonSource>,
    /// Parts of the lock that differ.
    parts: Vec<JsonPart>,
    /// The first changed cells of the effective table.
    cells: Vec<CellChange>,
    /// How many cells changed in all.
    cell_count: usize,
    /// Why the lock that stands could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<String>,
}

/// One source whose digest differs.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonSource {
    file: String,
    change: SourceChange,
}

/// One part of the lock that differs.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonPart {
    name: String,
    class: Class,
}

pub(super) fn run(session: &Session, args: &BuildArgs) -> Result<Said, Trouble> {
    let signing = args.sign.as_deref().map(Signing::with).transpose()?;
    let known = args.baseline.as_deref().map(|path| Known::read(path, false)).transpose()?;
    let (examined, split) = match &known {
        Some(known) => session.examine_under(known).map(|(examined, split)| (examined, Some(split)))?,
        None => (session.examine(None)?, None),
    };
    let path = args.output.clone().unwrap_or_else(|| examined.folder().join(lock::FILE));
    let mut said = Said { code: examined.code(args.deny_warnings), ..Said::default() };
    let is_json = session.global.format == Format::Json;
    let is_document = session.global.format.is_document();
    if is_document || !is_json && !examined.checked.findings.is_empty() {
        session.found(&examined.found(args.deny_warnings), &mut said);
    }
    if let (Some(known), Some(split), false) = (&known, &split, is_json) {
        known.tell(session, split, false, &mut said);
    }
    let built = examined.lock.as_ref().filter(|_| said.code == code::CLEAN);
    let Some(built) = built else {
        if is_json {
            said.json(&report(&examined, split.as_ref(), &path, Status::Refused, None));
        } else {
            said.note(format!("{} is not built while findings deny", shown(&path)));
        }
        return Ok(said);
    };
    let sealed = sealed(built)?;
    let difference = if args.locked { standing(&path, built, &sealed)? } else { None };
    let status = match (&difference, args.locked) {
        (Some(_), _) => Status::Differs,
        (None, true) => Status::Unchanged,
        (None, false) if lock::store(&path, &sealed)? => Status::Written,
        (None, false) => Status::Unchanged,
    };
    if status == Status::Differs {
        said.code = code::FINDINGS;
    }
    let signature = signing.as_ref().map(|signing| signing.sign(&path, &sealed)).transpose()?;
    if is_json {
        let mut report =
            report(&examined, split.as_ref(), &path, status, Some((&sealed, difference.as_ref())));
        report.signature = signature.map(|path| path.display().to_string());
        said.json(&report);
        return Ok(said);
    }
    // What is said of the lock stands beside a document, never in it.
    let mut beside = Said::default();
    told(session, &path, built, &sealed, (status, difference.as_ref()), &mut beside);
    match signing.zip(signature) {
        Some((signing, path)) => {
            beside.line(format!("wrote {} (by {})", shown(&path), signing.fingerprint()))
        }
        None if status == Status::Written => sign::note_outdated(session, &path, &mut beside),
        None => {}
    }
    if status == Status::Differs && session.global.format == Format::Github {
        beside.out.push_str(&annotation(&examined));
    }
    said.take(&beside, is_document);
    Ok(said)
}

/// What GitHub shows at a lock that is not what the sources give.
fn annotation(examined: &Examined) -> String {
    let text = "it is not what the sources give: run `harnessc build`, read what it changes, and commit both";
    report::github_error(&format!("{}{}", disk::from_repository(examined.folder()), lock::FILE), text)
}

/// The bytes, loaded and proved as a runtime would: what does not load is never written.
pub(super) fn sealed(built: &Lock) -> Result<Sealed, Trouble> {
    let sealed = lock::seal(built).map_err(|error| Trouble::Internal(error.to_string()))?;
    let trust = Trust {
        allow_gap: false,
        environment: built.policy.environment.clone(),
        policy: built.policy.name.clone(),
        signers: Signers::Unsigned,
    };
    load::load(&sealed.bytes, &trust, None).map_err(|error| {
        Trouble::Internal(format!(
            "the tree passes every rule, but the lock that it comes to does not load: {error}. Nothing was written; \
             this is a bug in harnessc"
        ))
    })?;
    Ok(sealed)
}

/// What the lock at `path` differs in; one that is not there differs in everything.
fn standing(path: &Path, built: &Lock, sealed: &Sealed) -> Result<Option<Difference>, Trouble> {
    if disk::kind_of(path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        return Ok(Some(lock::compare_unreadable("there is no such file".to_owned())));
    }
    Ok(lock::compare(&lock::load(path)?, built, &sealed.bytes))
}

fn report(
    examined: &Examined,
    split: Option<&Split>,
    path: &Path,
    status: Status,
    built: Option<(&Sealed, Option<&Difference>)>,
) -> BuildReport {
    let mut check = report::json_report(&examined.checked.findings, &examined.tree.sources);
    check.baseline = split.map(known::json);
    let difference = built.and_then(|(_, difference)| difference);
    BuildReport {
        version: 1,
        status,
        lock: path.display().to_string(),
        digest: built.map(|(sealed, _)| sealed.digest.clone()),
        difference: difference.map(|difference| JsonDifference {
            authority: difference.authority(),
            sources: difference
                .sources
                .iter()
                .map(|(file, change)| JsonSource { file: file.clone(), change: *change })
                .collect(),
            parts: difference
                .parts
                .iter()
                .map(|(name, class)| JsonPart { name: (*name).to_owned(), class: *class })
                .collect(),
            cells: difference.cells.clone(),
            cell_count: difference.cell_count,
            unreadable: difference.unreadable.clone(),
        }),
        signature: None,
        check,
    }
}

pub(super) fn shown(path: &Path) -> String {
    report::visible(&path.display().to_string()).into_owned()
}

fn told(
    session: &Session,
    path: &Path,
    built: &Lock,
    sealed: &Sealed,
    (status, difference): (Status, Option<&Difference>),
    said: &mut Said,
) {
    let cells: usize = built.effective.values().flat_map(|roles| roles.values()).map(Vec::len).sum();
    let content = format!(
        "{}, {}, {}; {}",
        match built.harnesses.len() {
            1 => "1 harness".to_owned(),
            count => format!("{count} harnesses"),
        },
        counted(built.tools.len(), "tool"),
        counted(cells, "cell"),
        sealed.digest
    );
    let path = shown(path);
    match (status, difference) {
        (Status::Written, _) => said.line(format!("wrote {path} ({content})")),
        (_, Some(difference)) => differs(session, &path, built, difference, said),
        _ => said.line(format!("{path} is what the sources give ({content})")),
    }
}

fn differs(session: &Session, path: &str, built: &Lock, difference: &Difference, said: &mut Said) {
    let look = session.terminal.err;
    said.note(format!("{}: {path} is not what the sources give", style::error(look, "error")));
    let mut lines: Vec<String> = Vec::new();
    if let Some(why) = &difference.unreadable {
        lines.push(why.clone());
    }
    for (file, change) in &difference.sources {
        let word = match change {
            SourceChange::Added => "added",
            SourceChange::Changed => "changed",
            SourceChange::Removed => "removed",
        };
        lines.push(format!("source {word}: {}", report::visible(file)));
    }
    for class in [Class::Authority, Class::Guard, Class::Text] {
        let names: Vec<&str> =
            difference.parts.iter().filter(|(_, own)| *own == class).map(|(name, _)| *name).collect();
        match class {
            _ if !names.is_empty() => {
                lines.push(format!("{} differs in: {}", class.word(), names.join(", ")))
            }
            Class::Authority if difference.unreadable.is_none() => {
                lines.push("authority does not differ".to_owned());
            }
            _ => {}
        }
    }
    for cell in &difference.cells {
        let grant = |grant: &Option<String>| grant.clone().unwrap_or_else(|| "nothing".to_owned());
        let CellChange { harness, role, deed, before, after } = cell;
        lines.push(format!("  {harness} / {role} / {deed}: {} -> {}", grant(before), grant(after)));
    }
    if difference.cell_count > difference.cells.len() {
        lines.push(format!("  and {} more", counted(difference.cell_count - difference.cells.len(), "cell")));
    }
    for line in lines {
        for (at, part) in
            report::wrap(&report::visible(&line), look.width.saturating_sub(2), look.width.saturating_sub(6))
                .iter()
                .enumerate()
        {
            said.note(format!("{}{part}", if at == 0 { "  " } else { "    " }));
        }
    }
    said.note(format!(
        "{}: run `harnessc build`, read what it changes in {path}, and commit both",
        style::help(look, "help")
    ));
    if built.revision > 1 {
        // A lock of the same revision is in force somewhere, and a second one would be refused there as a fork.
        said.note(format!(
            "{}: after a merge, or over a released lock, `harnessc release --base REV` instead: the revision moves on",
            style::help(look, "help")
        ));
    }
}
