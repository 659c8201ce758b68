//! `harnessc check`: every rule over the tree, mended and held against a baseline where that is asked for.

use std::path::PathBuf;

use clap::Args;

use super::Format;
use super::known::{self, Known};
use super::mend::{Mended, mend};
use super::outcome::{Said, Trouble};
use super::session::{Examined, Session};
use super::style;
use crate::baseline::Split;
use crate::diagnostic::Applicability;
use crate::report::{self, JsonFixed};

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The tree: its manifest, or a folder in it
    path: Option<PathBuf>,
    /// Exit 1 on warnings too
    #[arg(long)]
    deny_warnings: bool,
    /// Apply the fixes that keep what was meant, and check again
    #[arg(long)]
    fix: bool,
    /// With --fix: apply those too that a person should look at
    #[arg(long, requires = "fix")]
    r#unsafe: bool,
    /// Set the findings aside that this file knows
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the baseline: what is mended goes out of it, and where there is none it is made
    #[arg(long, requires = "baseline")]
    write_baseline: bool,
    /// With --write-baseline: take new findings into it too
    #[arg(long, requires = "write_baseline")]
    grow_baseline: bool,
}

pub(super) fn run(session: &Session, args: &CheckArgs) -> Result<Said, Trouble> {
    // What cannot be read is said before anything is written.
    let known = args.baseline.as_deref().map(|path| Known::read(path, args.write_baseline)).transpose()?;
    let mut mended = None;
    let mut examined = if args.fix {
        let reach = if args.r#unsafe { Applicability::Unsafe } else { Applicability::Safe };
        let done = mend(session, args.path.as_deref(), reach)?;
        let Mended { examined, told } = done;
        mended = Some(told);
        examined
    } else {
        session.examine_only(args.path.as_deref())?
    };
    let mut said = Said::default();
    let is_machine = session.global.format != Format::Human;
    if let Some(told) = mended.as_ref().filter(|_| !is_machine) {
        told.tell(session, &mut said);
    }
    let split = match &known {
        Some(known) => Some(set_aside(session, args, known, &mut examined, &mut said)?),
        None => None,
    };
    said.code = examined.code(args.deny_warnings);
    let findings = &examined.checked.findings;
    if session.global.format == Format::Json {
        let mut report = report::json_report(findings, &examined.tree.sources);
        report.baseline = split.as_ref().map(known::json);
        report.fixed = mended.iter().flat_map(|told| &told.applied).map(JsonFixed::from).collect();
        said.json(&report);
    } else {
        session.found(&examined.found(args.deny_warnings), &mut said);
    }
    if let (Some(known), Some(split), false) = (&known, &split, is_machine) {
        known.tell(session, split, args.write_baseline, &mut said);
    }
    // The process ends here, which lets go of a large tree faster than we could.
    std::mem::forget(examined);
    Ok(said)
}

/// Leaves what is new, and writes the baseline where that is asked for.
fn set_aside(
    session: &Session,
    args: &CheckArgs,
    known: &Known,
    examined: &mut Examined,
    said: &mut Said,
) -> Result<Split, Trouble> {
    let mut split = known.split(std::mem::take(&mut examined.checked.findings), &examined.tree);
    let is_broken = |document: &crate::syntax::Document| document.broken;
    if examined.tree.documents.iter().chain([&examined.tree.manifest]).any(is_broken) {
        // Rules about the whole tree did not run: what they would find is not gone.
        split.gone = 0;
        if args.write_baseline {
            said.note(format!(
                "{}: {} is not written while a file does not parse, since not every rule has run",
                style::bold(session.terminal.err, "note"),
                report::visible(&known.path.display().to_string())
            ));
        }
    } else if args.write_baseline {
        known.write(&mut split, args.grow_baseline, said)?;
    }
    examined.checked.findings = known::new_findings(&split);
    Ok(split)
}
