//! `harnessc gen`: keys and versions of the policy as typed constants.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::Format;
use super::outcome::{Said, Trouble, code};
use super::session::Session;
use super::style;
use crate::generate::{Constants, python, rust, typescript};
use crate::report;
use crate::source::{Fault, disk};

#[derive(Debug, Args)]
pub(super) struct GenArgs {
    /// The language
    #[arg(value_enum)]
    language: Language,
    /// Write this file; unsaid: print it
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write nothing; exit 1 where the file is not what the policy gives
    #[arg(long, requires = "out")]
    check: bool,
}

/// The languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// Enums
    Rust,
    /// Enumerations of strings, for Python 3.11 and later
    Python,
    /// Objects `as const` with the unions of their values
    Typescript,
}

pub(super) fn run(session: &Session, args: &GenArgs) -> Result<Said, Trouble> {
    let examined = session.examine(None)?;
    let mut said = Said { code: code::CLEAN, ..Said::default() };
    let Some(lock) = &examined.lock else {
        said.code = code::FINDINGS;
        session.findings(&examined.checked.findings, &examined.tree.sources, &mut said);
        if session.global.format == Format::Human {
            said.note("nothing is generated while findings deny: what the tree comes to is not settled");
        }
        return Ok(said);
    };
    let constants = Constants::of(lock);
    let text = match args.language {
        Language::Rust => rust(&constants),
        Language::Python => python(&constants),
        Language::Typescript => typescript(&constants),
    };
    match &args.out {
        None => said.out = text,
        Some(path) if args.check => check(session, args, path, &text, &mut said)?,
        Some(path) => {
            disk::write(path, text.as_bytes())
                .map_err(|error| Fault::new("cannot be written", path, Some(error)))?;
            said.line(format!("wrote {}", shown(path)));
        }
    }
    Ok(said)
}

fn check(session: &Session, args: &GenArgs, path: &Path, text: &str, said: &mut Said) -> Result<(), Trouble> {
    let what = match disk::read(path, disk::MAX_FILE_BYTES) {
        Ok(bytes) if bytes == text.as_bytes() => {
            said.line(format!("{} is what the policy gives", shown(path)));
            return Ok(());
        }
        Ok(_) | Err(disk::ReadError::TooLarge(_)) => "is not what the policy gives",
        Err(disk::ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => "is missing",
        Err(disk::ReadError::Io(error)) => {
            return Err(Fault::new("cannot be read", path, Some(error)).into());
        }
    };
    let look = session.terminal.err;
    let word =
        args.language.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    said.code = code::FINDINGS;
    said.note(format!("{}: {} {what}", style::error(look, "error"), shown(path)));
    let command = format!("`harnessc gen {word} --out {}` writes it anew", shown(path));
    said.note(format!("{}: {command}", style::help(look, "help")));
    Ok(())
}

fn shown(path: &Path) -> String {
    report::visible(&path.display().to_string()).into_owned()
}
