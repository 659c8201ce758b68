//! `harnessc check`: every rule over the tree.

use std::path::PathBuf;

use clap::Args;

use super::outcome::{Said, Trouble};
use super::session::Session;

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The tree: its manifest, or a folder in it
    path: Option<PathBuf>,
    /// Exit 1 on warnings too
    #[arg(long)]
    deny_warnings: bool,
}

pub(super) fn run(session: &Session, args: &CheckArgs) -> Result<Said, Trouble> {
    let examined = session.examine_only(args.path.as_deref())?;
    let mut said = Said { code: examined.code(args.deny_warnings), ..Said::default() };
    session.findings(&examined.checked.findings, &examined.tree.sources, &mut said);
    Ok(said)
}
