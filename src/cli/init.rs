//! `harnessc init`: three short files to begin with, and the schemas that their editor reads.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::outcome::{Said, Trouble};
use super::place::put;
use super::session::Session;
use super::style;
use crate::scaffold::{self, GIT_ATTRIBUTES, HARNESS_SCHEMA, KEYS, MANIFEST_SCHEMA};
use crate::source::disk;
use crate::tree::{MANIFEST, Tree};
use crate::{model, report};

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// The folder; unsaid: this one
    dir: Option<PathBuf>,
    /// The policy's name; unsaid: the folder's
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Ask nothing
    #[arg(long)]
    yes: bool,
}

pub(super) fn run(session: &Session, args: &InitArgs) -> Result<Said, Trouble> {
    let dir = args.dir.clone().unwrap_or_else(|| PathBuf::from("."));
    let name = name(args, &dir)?;
    let mut files = scaffold::start(&name);
    checked(&files)?;
    files.push((HARNESS_SCHEMA, format!("{:#}\n", model::file_schema())));
    files.push((MANIFEST_SCHEMA, format!("{:#}\n", model::manifest_schema())));
    vacant(&dir, &files)?;
    let mut said = Said::default();
    for (path, text) in &files {
        put(&dir, path, text)?;
        said.line(format!("wrote {}", shown(&dir.join(path))));
    }
    attributes(&dir, &mut said)?;
    let look = session.terminal.err;
    let there = args.dir.as_ref().map_or_else(String::new, |dir| format!("in {}, ", shown(dir)));
    said.note(format!(
        "{}: {there}`harnessc show assistant` says what a run may do, and `harnessc build` writes the lock",
        style::help(look, "help")
    ));
    Ok(said)
}

/// The name that is given, asked for at a terminal, or that of the folder.
fn name(args: &InitArgs, dir: &Path) -> Result<String, Trouble> {
    let whole = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    let folder = whole.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let usual = scaffold::policy_name(&folder);
    let name = match &args.name {
        Some(name) => name.clone(),
        None if args.yes => return Ok(usual),
        None => asked(&usual).unwrap_or(usual),
    };
    if scaffold::is_key(&name) {
        return Ok(name);
    }
    let said = format!("`{}` cannot be the name of a policy", report::visible(&name));
    Err(Trouble::Usage(said, format!("it is made of {KEYS}")))
}

/// What a person answers; nothing where there is none to ask.
fn asked(usual: &str) -> Option<String> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return None;
    }
    let mut err = std::io::stderr();
    write!(err, "name of the policy [{usual}]: ").and_then(|()| err.flush()).ok()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).ok()?;
    Some(line.trim().to_owned()).filter(|line| !line.is_empty())
}

/// A folder that holds a tree, or a file of the same name, stays as it is.
fn vacant(dir: &Path, files: &[(&str, String)]) -> Result<(), Trouble> {
    // The schemas are ours to write anew.
    for (path, _) in files.iter().filter(|(path, _)| !path.starts_with("schema/")) {
        if disk::kind_of(&dir.join(path)).is_err() {
            continue;
        }
        let said = if *path == MANIFEST {
            format!("`{}` is there already", shown(&dir.join(path)))
        } else {
            format!("`{}` is there already, and init overwrites nothing", shown(&dir.join(path)))
        };
        let help = "`harnessc new` adds definitions to a tree; to begin another, name an empty folder: `harnessc init DIR`";
        return Err(Trouble::Usage(said, help.to_owned()));
    }
    Ok(())
}

/// Tells git what the lock is; a file that is there stays as it is, and what it lacks is said.
fn attributes(dir: &Path, said: &mut Said) -> Result<(), Trouble> {
    let path = dir.join(GIT_ATTRIBUTES);
    if disk::kind_of(&path).is_err() {
        put(dir, GIT_ATTRIBUTES, &scaffold::git_attributes())?;
        said.line(format!("wrote {}", shown(&path)));
        return Ok(());
    }
    let bytes = disk::read(&path, disk::MAX_FILE_BYTES).unwrap_or_default();
    let missing = scaffold::missing(&String::from_utf8_lossy(&bytes));
    if !missing.is_empty() {
        said.note(format!("{} is there already; add what it lacks, or git will merge locks:", shown(&path)));
        missing.iter().for_each(|line| said.note(format!("  {line}")));
    }
    Ok(())
}

/// What we hand out has no finding.
fn checked(files: &[(&str, String)]) -> Result<(), Trouble> {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.clone().into_bytes()));
    let (tree, read) = Tree::from_files(files);
    let (checked, ()) = crate::check::check(&tree, read, |_, _| ());
    match checked.findings.first() {
        None => Ok(()),
        Some(finding) => Err(Trouble::Internal(format!(
            "the tree that init would write has a finding: {}. This is a bug in harnessc",
            finding.diagnostic.message
        ))),
    }
}

fn shown(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    report::visible(&path.display().to_string()).into_owned()
}
