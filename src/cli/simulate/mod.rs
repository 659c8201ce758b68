//! `harnessc simulate`: an audit log, decided again under another lock, and what would have ended otherwise.

mod broken;

use std::path::{Path, PathBuf};

use clap::Args;
use harnessc_runtime::Bundle;
use harnessc_runtime::audit::{Broken, Checkpoint};
use harnessc_runtime::load::{self, LoadError, Signers, Trust};
use schemars::JsonSchema;
use serde::Serialize;

use super::Format;
use super::outcome::{self, Trouble, code, counted};
use super::session::Session;
use super::style;
use crate::lock;
use crate::report::{self, visible};
use crate::simulate::{self, Group, Outcome, Said, Simulation, Turn};
use crate::source::{Fault, disk};

/// The largest log that is read, in bytes.
const MAX_LOG_BYTES: u64 = 1 << 30;

#[derive(Debug, Args)]
pub(super) struct SimulateArgs {
    /// The lock under which the decisions are made again
    lock: PathBuf,
    /// The audit log: a record a line, as the tool server wrote it
    #[arg(long, value_name = "FILE")]
    audit: PathBuf,
    /// A lock that decisions were made under; with it, more can be told
    #[arg(long, value_name = "LOCK")]
    held: Vec<PathBuf>,
    /// A checkpoint that was kept elsewhere; with it, a tail that was cut is seen
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

/// What `simulate --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SimulateReport {
    /// The version of this format, 1.
    version: u32,
    /// The lock's file.
    lock: String,
    /// The lock's digest.
    digest: String,
    /// The log.
    audit: JsonAudit,
    /// How many decisions were made again.
    decisions: usize,
    /// How many stay as they were.
    same: usize,
    /// How many would have ended otherwise.
    flips: usize,
    /// Of how many nobody can tell.
    cannot_tell: usize,
    /// The locks that were in force while the log was written, by digest.
    locks: Vec<JsonLock>,
    /// What does not stay as it was, by kind, harness, role and deed.
    groups: Vec<JsonGroup>,
}

/// The log.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonAudit {
    /// Its file.
    file: String,
    /// Whether its chain is whole. Where it is not, nothing was decided again.
    whole: bool,
    /// Whether a checkpoint was held against it.
    anchored: bool,
    /// How many records it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    organization: Option<String>,
    /// The first sequence number that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken_at: Option<u64>,
    /// A code that never changes for why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<String>,
}

/// A lock that was in force.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonLock {
    /// Its digest.
    digest: String,
    /// How many decisions were made under it.
    decisions: usize,
    /// Whether it is at hand: the lock that is asked, or one given with `--held`.
    at_hand: bool,
}

/// Decisions that turn out alike.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonGroup {
    /// `widened`, `narrowed` or `cannot_tell`.
    kind: String,
    /// The harness; absent: none, or a name that the lock of that time did not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    harness: Option<String>,
    /// The run role.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    /// The tool, or `tool/case`.
    #[serde(skip_serializing_if = "Option::is_none")]
    deed: Option<String>,
    /// How it ended: `allow`, `propose:<approval>` or `deny:<code>`; absent: in a word that this version does not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    /// How it would have ended; absent where nobody can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    /// Whether the input, the limits or the time, of which the log does not hold enough, might still refuse it.
    #[serde(skip_serializing_if = "Option::is_none")]
    if_input_fits: Option<bool>,
    /// What the log lacks: `budget`, `case`, `deadline`, `input`, `name`, `overlay`, `permissions`, `plan`, `runs_own_lock`,
    /// `scopes`, `upstream` or `word`.
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<String>,
    /// The records' sequence numbers.
    seqs: Vec<u64>,
}

pub(super) fn run(session: &Session, args: &SimulateArgs) -> Result<outcome::Said, Trouble> {
    let bundle = bundle(&args.lock)?;
    let held = args.held.iter().map(|path| self::bundle(path)).collect::<Result<Vec<_>, _>>()?;
    let checkpoint = args.checkpoint.as_deref().map(checkpoint).transpose()?;
    let bytes = read(&args.audit, MAX_LOG_BYTES)?;
    // Bytes that are no UTF-8 become a record that is not written as records are.
    let log = String::from_utf8_lossy(&bytes);
    let anchored = checkpoint.as_ref().map(Checkpoint::head);
    let simulated = simulate::simulate(&log, anchored, &bundle, &held);
    let flips = simulated.as_ref().map_or(1, Simulation::flips);
    let mut said =
        outcome::Said { code: if flips > 0 { code::FINDINGS } else { code::CLEAN }, ..Default::default() };
    match session.global.format {
        Format::Json => said.json(&report(args, &bundle, &simulated)),
        _ => match &simulated {
            Err(broken) => {
                broken_chain(session, args, *broken, broken::cause(&bytes, *broken, anchored), &mut said);
            }
            Ok(simulation) if session.global.format == Format::Short => short(simulation, &mut said),
            Ok(simulation) => human(session, args, simulation, &bundle, &mut said),
        },
    }
    Ok(said)
}

/// A lock, proved as a runtime proves it. Whose signature it bears is `verify`'s to say.
fn bundle(path: &Path) -> Result<Bundle, Trouble> {
    let bytes = lock::load(path)?;
    let loaded = load::read(&bytes).and_then(|loaded| {
        let trust = Trust {
            allow_gap: false,
            environment: loaded.lock.policy.environment.clone(),
            policy: loaded.lock.policy.name.clone(),
            signers: Signers::Unsigned,
        };
        Bundle::load(&bytes, &trust, None)
    });
    loaded.map_err(|error: LoadError| {
        let text = format!("`{}` is no lock that a runtime takes: {error}", path.display());
        Trouble::Usage(visible(&text).into_owned(), "`harnessc verify` says which checks hold".to_owned())
    })
}

fn checkpoint(path: &Path) -> Result<Checkpoint, Trouble> {
    let bytes = read(path, disk::MAX_FILE_BYTES)?;
    Checkpoint::read(bytes.strip_suffix(b"\n").unwrap_or(&bytes)).map_err(|error| {
        let text = format!("`{}` is no checkpoint: {error}", path.display());
        Trouble::Usage(visible(&text).into_owned(), "a checkpoint is the one line that was signed".to_owned())
    })
}

fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Trouble> {
    disk::read(path, limit).map_err(|error| match error {
        disk::ReadError::TooLarge(_) => Fault::new("is too large", path, None).into(),
        disk::ReadError::Io(error) => Fault::new("cannot be read", path, Some(error)).into(),
    })
}

fn word(said: Said) -> String {
    match said {
        Said::Allow => "allow".to_owned(),
        Said::Propose(approval) => format!("propose:{}", approval.word()),
        Said::Deny(code) => format!("deny:{}", code.code()),
    }
}

fn report(args: &SimulateArgs, bundle: &Bundle, simulated: &Result<Simulation, Broken>) -> SimulateReport {
    let simulation = simulated.as_ref().ok();
    let broken = simulated.as_ref().err();
    let count = |of: fn(&Simulation) -> usize| simulation.map_or(0, of);
    SimulateReport {
        version: 1,
        lock: args.lock.display().to_string(),
        digest: bundle.digest().to_owned(),
        audit: JsonAudit {
            file: args.audit.display().to_string(),
            whole: simulation.is_some(),
            anchored: args.checkpoint.is_some(),
            records: simulation.map(|simulation| simulation.head.seq),
            organization: simulation.map(|simulation| simulation.head.organization.clone()),
            broken_at: broken.map(|broken| broken.seq),
            broken: broken.map(|broken| broken.why.code().to_owned()),
        },
        decisions: count(|simulation| simulation.decisions),
        same: count(Simulation::same),
        flips: count(Simulation::flips),
        cannot_tell: count(Simulation::untold),
        locks: simulation.map_or_else(Vec::new, locks),
        groups: simulation.map_or_else(Vec::new, |simulation| simulation.groups.iter().map(group).collect()),
    }
}

fn locks(simulation: &Simulation) -> Vec<JsonLock> {
    let lock = |(digest, own): (&String, &simulate::InForce)| JsonLock {
        digest: digest.clone(),
        decisions: own.decisions,
        at_hand: own.at_hand,
    };
    simulation.locks.iter().map(lock).collect()
}

fn group(group: &Group) -> JsonGroup {
    let (kind, before, after, if_input_fits, doubt) = match group.outcome {
        Outcome::CannotTell { doubt, was } => {
            ("cannot_tell", was.map(word), None, None, Some(doubt.word().to_owned()))
        }
        Outcome::Flip { turn, was, would_be, if_input_fits } => {
            (turn.word(), Some(word(was)), Some(word(would_be)), Some(if_input_fits), None)
        }
        Outcome::Same => ("same", None, None, None, None),
    };
    JsonGroup {
        kind: kind.to_owned(),
        harness: group.harness.clone(),
        role: group.role.clone(),
        deed: group.deed.clone(),
        before,
        after,
        if_input_fits,
        doubt,
        seqs: group.seqs.clone(),
    }
}

fn broken_chain(
    session: &Session,
    args: &SimulateArgs,
    broken: Broken,
    cause: Option<String>,
    said: &mut outcome::Said,
) {
    let look = session.terminal.err;
    let text = format!("{}: {broken}. Nothing was decided again.", args.audit.display());
    for line in report::wrap(&visible(&text), look.width.saturating_sub(7), look.width) {
        let word =
            if said.err.is_empty() { format!("{}: ", style::error(look, "error")) } else { String::new() };
        said.note(format!("{word}{line}"));
    }
    let Some(cause) = cause else { return };
    let lines = report::wrap(&visible(&cause), look.width.saturating_sub(6), look.width);
    said.note(format!("{}: {}", style::help(look, "help"), lines.join("\n")));
}

fn place(group: &Group) -> String {
    let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "-".to_owned());
    format!("{}/{}/{}", name(&group.harness), name(&group.role), name(&group.deed))
}

fn short(simulation: &Simulation, said: &mut outcome::Said) {
    for found in &simulation.groups {
        let JsonGroup { kind, before, after, doubt, .. } = group(found);
        let before = before.unwrap_or_default();
        let seqs: Vec<String> = found.seqs.iter().map(u64::to_string).collect();
        let end = after.map_or_else(String::new, |after| format!(" -> {after}"));
        let end = doubt.map_or(end, |doubt| format!(" ({doubt})"));
        said.line(visible(&format!("{kind} {}: {before}{end} seq {}", place(found), seqs.join(","))));
    }
}

fn human(
    session: &Session,
    args: &SimulateArgs,
    simulation: &Simulation,
    bundle: &Bundle,
    said: &mut outcome::Said,
) {
    let look = session.terminal.out;
    let policy = &bundle.lock().policy.name;
    let (file, revision) = (args.audit.display(), bundle.lock().revision);
    let records = counted(usize::try_from(simulation.head.seq).unwrap_or(usize::MAX), "record");
    said.line(visible(&format!("{file}: {records} of {}, the chain is whole", simulation.head.organization)));
    said.line(visible(&format!("{}: {policy}, revision {revision}", args.lock.display())));
    type Is = fn(&Outcome) -> bool;
    let kinds: [(&str, Is); 3] = [
        ("now let through", |outcome| matches!(outcome, Outcome::Flip { turn: Turn::Widened, .. })),
        ("now held back", |outcome| matches!(outcome, Outcome::Flip { turn: Turn::Narrowed, .. })),
        ("cannot be told", |outcome| matches!(outcome, Outcome::CannotTell { .. })),
    ];
    for (title, is) in kinds {
        let groups: Vec<&Group> = simulation.groups.iter().filter(|group| is(&group.outcome)).collect();
        if groups.is_empty() {
            continue;
        }
        said.line("");
        said.line(style::bold(look, title));
        for group in groups {
            let seq = group.seqs.first().copied().unwrap_or_default();
            let times = counted(group.seqs.len(), "time");
            said.line(visible(&format!("  {}  {times}, first seq {seq}", place(group))));
            for line in
                report::wrap(&sentence(group), look.width.saturating_sub(6), look.width.saturating_sub(6))
            {
                said.line(format!("      {line}"));
            }
        }
    }
    said.line("");
    let (flips, untold) = (simulation.flips(), simulation.untold());
    let otherwise =
        if flips == 0 { "none ends otherwise".to_owned() } else { format!("{} otherwise", ends(flips)) };
    let told = if untold == 0 { String::new() } else { format!(", {untold} cannot be told") };
    said.line(format!("of {}, {otherwise}{told}", counted(simulation.decisions, "decision")));
    for note in notes(args, simulation) {
        for line in report::wrap(&visible(&note), session.terminal.err.width, session.terminal.err.width) {
            said.note(line);
        }
    }
}

/// What a person should know about the answer before they lean on it.
fn notes(args: &SimulateArgs, simulation: &Simulation) -> Vec<String> {
    let mut notes = Vec::new();
    let lock = args.lock.display();
    if simulation.decisions == 0 {
        notes.push("note: the log holds no decision: no call came in while it was written.".to_owned());
    }
    if simulation.knows_a_tool == Some(false) {
        notes.push(format!(
            "note: `{lock}` has none of the tools that the log names. Is it the lock of another policy?"
        ));
    }
    let away: Vec<_> = simulation.locks.iter().filter(|(_, own)| !own.at_hand).collect();
    if let Some((digest, _)) = away.first().filter(|_| simulation.untold() > 0) {
        let made: usize = away.iter().map(|(_, own)| own.decisions).sum();
        let which = match away.len() {
            1 => format!("the lock {digest}, which is not at hand"),
            more => format!("{more} locks that are not at hand, {digest} the first"),
        };
        let made = counted(made, "decision");
        notes.push(format!("note: {made} came about under {which}. With `--held LOCK` more can be told."));
    }
    if args.checkpoint.is_none() {
        notes.push(
            "note: no checkpoint was given. A log whose end was cut, or that was written anew throughout, looks whole."
                .to_owned(),
        );
    }
    notes
}

fn ends(count: usize) -> String {
    if count == 1 { "1 ends".to_owned() } else { format!("{count} end") }
}

fn sentence(group: &Group) -> String {
    match group.outcome {
        Outcome::CannotTell { doubt, was } => {
            let was = was.map_or_else(|| "ended somehow".to_owned(), told);
            format!("{was}: {}", doubt.sentence())
        }
        Outcome::Flip { was, would_be, if_input_fits, .. } => {
            let fits = if if_input_fits { ", if its input fits and its limits last" } else { "" };
            format!("{} before, {} now{fits}", told(was), told(would_be))
        }
        Outcome::Same => String::new(),
    }
}

fn told(said: Said) -> String {
    match said {
        Said::Allow => "allowed".to_owned(),
        Said::Propose(approval) => format!("proposed ({})", approval.word()),
        Said::Deny(code) => format!("refused with `{}`", code.code()),
    }
}
