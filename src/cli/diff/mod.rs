//! `harnessc diff`: what a change lets whom do, and whether somebody who may has said that it may.

mod ratchet;
mod side;

use clap::{Args, ValueEnum};
use harnessc_runtime::lock::Lock;
use schemars::JsonSchema;
use serde::Serialize;

use super::Format;
use super::outcome::{Said, Trouble, code};
use super::session::{Examined, Session};
use super::style;
use crate::diff::acknowledge::Accepted;
use crate::diff::{self, Counts, Grade, Report};
use crate::report::{self, JsonReport, Tone};
use side::{Missing, Side, side};

#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// What to compare against: a lock, a tree's folder or manifest, or git:REV[:PATH]
    base: String,
    /// What to compare; unsaid: the tree here
    head: Option<String>,
    /// Which changes exit 1 unless they are acknowledged; `widened` means altered ones too
    #[arg(long, value_enum, default_value_t = FailOn::Widened)]
    fail_on: FailOn,
    /// Write an acknowledgement of this change, with the reason
    #[arg(long, value_name = "WHY", requires = "who", requires = "until")]
    acknowledge: Option<String>,
    /// Who acknowledges it
    #[arg(long, value_name = "NAME", requires = "acknowledge")]
    who: Option<String>,
    /// The last day on which the acknowledgement counts
    #[arg(long, value_name = "YYYY-MM-DD", requires = "acknowledge")]
    until: Option<String>,
    /// Sign the acknowledgement with this private SSH key
    #[arg(long, value_name = "KEY", requires = "acknowledge")]
    sign: Option<std::path::PathBuf>,
    /// Who wrote the change, as the base's list of signers names people; with git:REV the authors of its commits are known
    #[arg(long, value_name = "NAME")]
    author: Vec<String>,
    /// The day that it is; unsaid: the system's clock in UTC
    #[arg(long, value_name = "YYYY-MM-DD")]
    today: Option<String>,
}

/// Which changes exit 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Those that grant more, and those that read differently
    Widened,
    /// All
    Any,
    /// None
    Never,
}

/// What `diff --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct DiffOutput {
    /// The version of this format, 1.
    version: u32,
    /// The comparison; absent where a side does not compile or load.
    #[serde(flatten)]
    report: Option<Report>,
    /// The side that stands in the way of a comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<Unread>,
}

/// A side that does not compile or load.
#[derive(Debug, Serialize, JsonSchema)]
struct Unread {
    /// `base` or `head`.
    side: &'static str,
    /// Why its lock does not load.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// What was found in its tree, as `check` prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<JsonReport>,
}

pub(super) fn run(session: &Session, args: &DiffArgs) -> Result<Said, Trouble> {
    let today = ratchet::today(args)?;
    let base = match side(session, Some(&args.base)) {
        Ok(base) => base,
        Err(missing) => return missed(session, "base", missing),
    };
    let head = match side(session, args.head.as_deref()) {
        Ok(head) => head,
        Err(missing) => return missed(session, "head", missing),
    };
    let (mut report, change) = compared(&base, &head, args.fail_on)?;
    if let (Some(why), Some(who), Some(until)) = (&args.acknowledge, &args.who, &args.until) {
        return ratchet::write(args, &report, &head, (why, who, until), &today);
    }
    ratchet::judge(session, args, (&base, &head), (&today, &change), &mut report)?;
    let is_never = args.fail_on == FailOn::Never;
    let is_met = is_never || report.change.is_none() || report.acknowledged.is_some();
    report.passes = is_met && (is_never || report.faults.is_empty());
    Ok(told(session, report, (base.bundle.lock(), head.bundle.lock())))
}

/// The comparison, and the digest that an acknowledgement of it names. It stands in the report where the level asks for one.
fn compared(base: &Side, head: &Side, fail_on: FailOn) -> Result<(Report, String), Trouble> {
    let of = |side: &'_ Side| side.tree.as_ref().map(|tree| tree.beside.clone());
    let (old, new) = (of(base), of(head));
    let before = diff::Side { bundle: &base.bundle, beside: old.as_ref() };
    let after = diff::Side { bundle: &head.bundle, beside: new.as_ref() };
    let changes = diff::diff(before, after)?;
    let mut notes: Vec<String> = base.notes.iter().chain(&head.notes).cloned().collect();
    if old.is_none() || new.is_none() {
        notes.push(
            "a lock does not hold tests, [expect] and mirrors; name trees to have them compared, and to have \
             acknowledgements count"
                .to_owned(),
        );
    }
    notes.extend(out_of_line(base, head));
    let grade = diff::grade(&changes);
    let (base, head) = (base.named.clone(), head.named.clone());
    let change = diff::acknowledge::change_digest(&base.digest, &head.digest, &changes);
    let is_asked = match fail_on {
        FailOn::Never | FailOn::Widened => grade >= Grade::Altered,
        FailOn::Any => grade > Grade::Equal,
    };
    let report = Report {
        grade,
        counts: Counts::of(&changes),
        passes: true,
        changes,
        change: is_asked.then(|| change.clone()),
        acknowledged: None,
        faults: Vec::new(),
        notes,
        base,
        head,
    };
    Ok((report, change))
}

/// Whether a runtime that holds the base would refuse the head for its release line, whatever else it says.
fn out_of_line(base: &Side, head: &Side) -> Option<String> {
    let (held, next) = (&base.named, &head.named);
    let names = |side: &Side| side.bundle.lock().predecessor.clone();
    let follows = match next.revision.checked_sub(held.revision) {
        // Not released yet, or the very same.
        Some(0) => names(head) == names(base),
        Some(1) => names(head).as_ref() == Some(&held.digest),
        _ => false,
    };
    if follows || held.policy != next.policy {
        return None;
    }
    let named = names(head).unwrap_or_else(|| "none".to_owned());
    Some(format!(
        "the release line does not follow the base's: revision {} names {named} before it, and the base is revision {}, {}; a \
         runtime that holds the base refuses it, and `harnessc release --base REV` writes the line that follows",
        next.revision, held.revision, held.digest
    ))
}

fn told(session: &Session, report: Report, (before, after): (&Lock, &Lock)) -> Said {
    let code = if report.passes { code::CLEAN } else { code::FINDINGS };
    let mut said = Said { code, ..Said::default() };
    match session.global.format {
        Format::Json => said.json(&DiffOutput { version: 1, report: Some(report), unread: None }),
        Format::Markdown => said.out.push_str(&report::markdown(&report)),
        Format::Html => said.out.push_str(&report::authority_page(&report, before, after)),
        Format::Short => short(&report, &mut said),
        _ => human(session, &report, &mut said),
    }
    said
}

fn short(report: &Report, said: &mut Said) {
    for change in &report.changes {
        let cell = [&change.harness, &change.role, &change.persona, &change.tool];
        let cell: Vec<&str> = cell.into_iter().flatten().map(String::as_str).collect();
        let place =
            if change.field.is_some() { report::field_name(change).to_owned() } else { cell.join(" / ") };
        let latent = if change.latent { " (latent)" } else { "" };
        let line = format!("{} {place}: {}{latent}", change.grade.word(), report::turned(change));
        said.line(report::visible(&line));
    }
    if let Some(own) = &report.acknowledged {
        said.line(report::visible(&format!("acknowledged {}: {}", own.file, acknowledged(own))));
    }
    for fault in &report.faults {
        said.line(report::visible(&format!("error {}: {}", fault.file, fault.message)));
    }
    if let (false, None, Some(change)) = (report.passes, &report.acknowledged, &report.change) {
        said.line(format!("unacknowledged {change}: the change needs an acknowledgement"));
    }
    for note in &report.notes {
        said.line(report::visible(&format!("note {note}")));
    }
}

/// "dana@desk acknowledges it (unsigned) until 2026-12-31: the desk asked for it".
fn acknowledged(own: &Accepted) -> String {
    let signed = own.signer.as_ref().map_or_else(|| "unsigned".to_owned(), |who| format!("signed by {who}"));
    format!("{} acknowledges it ({signed}) until {}: {}", own.who, own.until, own.why)
}

fn human(session: &Session, report: &Report, said: &mut Said) {
    let look = session.terminal.out;
    for line in report::authority(report, look.width) {
        said.line(match line.tone {
            Tone::Wider => style::error(look, &line.text),
            Tone::Narrower => style::good(look, &line.text),
            Tone::Name => style::bold(look, &line.text),
            Tone::Beside => style::dim(look, &line.text),
            Tone::Plain => line.text,
        });
    }
    let look = session.terminal.err;
    let mut paragraph = |word: String, taken: usize, text: &str| {
        let room = look.width.saturating_sub(taken);
        said.note(format!("{word}: {}", report::wrap(&report::visible(text), room, look.width).join("\n")));
    };
    if let Some(own) = &report.acknowledged {
        paragraph(style::good(look, "acknowledged"), 14, &acknowledged(own));
    }
    for fault in &report.faults {
        paragraph(style::error(look, "error"), 7, &format!("{}: {}", fault.file, fault.message));
        paragraph(style::help(look, "help"), 6, &fault.help);
    }
    if !report.passes && report.acknowledged.is_none() && report.change.is_some() {
        let text = "whoever may allow it runs `harnessc diff BASE --acknowledge WHY --who NAME --until DATE` and commits the file";
        paragraph(style::help(look, "help"), 6, text);
    }
}

/// A side that cannot be compared.
fn missed(session: &Session, which: &'static str, missing: Missing) -> Result<Said, Trouble> {
    let mut said = Said { code: code::FINDINGS, ..Said::default() };
    let is_json = session.global.format == Format::Json;
    let look = session.terminal.err;
    let unread = match missing {
        Missing::Trouble(trouble) => return Err(trouble),
        Missing::Refused(why) => {
            if !is_json {
                said.note(format!("{}: {}", style::error(look, "error"), report::visible(&why)));
            }
            Unread { side: which, why: Some(why), check: None }
        }
        Missing::Uncompiled(examined) => {
            let Examined { checked, tree, .. } = *examined;
            if !is_json {
                session.findings(&checked.findings, &tree.sources, &mut said);
                said.note(format!("the {which} does not compile, so there is nothing to compare"));
            }
            let check = report::json_report(&checked.findings, &tree.sources);
            Unread { side: which, why: None, check: Some(check) }
        }
    };
    if is_json {
        said.json(&DiffOutput { version: 1, report: None, unread: Some(unread) });
    }
    Ok(said)
}
