//! `harnessc gen`: keys and versions of the policy as typed constants.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::outcome::{Said, Trouble, code};
use super::session::{Session, Under};
use super::style;
use crate::generate::{Clash, Constants, may_replace, python, rust, typescript};
use crate::report;
use crate::source::{Fault, disk};

#[derive(Debug, Args)]
pub(super) struct GenArgs {
    /// The language
    #[arg(value_enum)]
    language: Language,
    /// Write this file, over nothing but one that was generated before; unsaid: print it
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write nothing; exit 1 where the file is not what the policy gives
    #[arg(long, requires = "output")]
    check: bool,
    #[command(flatten)]
    under: Under,
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

impl Language {
    /// Its word on the command line, as headers of generated files have it too.
    fn word(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Python => "python",
            Self::Typescript => "typescript",
        }
    }

    fn text(self, constants: &Constants) -> Result<String, Vec<Clash>> {
        match self {
            Self::Rust => rust(constants),
            Self::Python => python(constants),
            Self::Typescript => typescript(constants),
        }
    }
}

pub(super) fn run(session: &Session, args: &GenArgs) -> Result<Said, Trouble> {
    let lock = match session.lock_or_findings(&args.under, "generated")? {
        Ok(lock) => lock,
        Err(said) => return Ok(said),
    };
    let text = match args.language.text(&Constants::of(&lock)) {
        Ok(text) => text,
        Err(clashes) => return Ok(refused(session, &clashes)),
    };
    let mut said = Said::default();
    match &args.output {
        None => said.out = text,
        Some(path) if args.check => check(session, args, path, &text, &mut said)?,
        Some(path) => {
            if !ours(path, args.language)? {
                return Err(Trouble::Usage(
                    format!(
                        "{} stands already, and `harnessc gen {}` did not write it; nothing was written",
                        shown(path),
                        args.language.word()
                    ),
                    "give another file, or take that one away if nobody needs it".to_owned(),
                ));
            }
            disk::write(path, text.as_bytes())
                .map_err(|error| Fault::new("cannot be written", path, Some(error)))?;
            said.line(format!("wrote {}", shown(path)));
        }
    }
    Ok(said)
}

/// Keys that come to one identifier: nothing is written, and each is named.
fn refused(session: &Session, clashes: &[Clash]) -> Said {
    let look = session.terminal.err;
    let mut said = Said { code: code::FINDINGS, ..Said::default() };
    for clash in clashes {
        let Clash { section, first, second, name } = clash;
        said.note(format!(
            "{}: the {section} `{}` and `{}` both come to the name `{name}`",
            style::error(look, "error"),
            report::visible(first),
            report::visible(second)
        ));
    }
    said.note(format!(
        "{}: rename one of the two in the policy, so that they differ in more than case, dots, dashes and underscores; \
         nothing was generated",
        style::help(look, "help")
    ));
    said
}

/// Whether nothing stands at the path, or what stands there may be written over.
fn ours(path: &Path, language: Language) -> Result<bool, Trouble> {
    match disk::read(path, disk::MAX_FILE_BYTES) {
        Ok(bytes) => Ok(may_replace(&bytes, language.word())),
        Err(disk::ReadError::TooLarge(_)) => Ok(false),
        Err(disk::ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(disk::ReadError::Io(error)) => Err(Fault::new("cannot be read", path, Some(error)).into()),
    }
}

fn check(session: &Session, args: &GenArgs, path: &Path, text: &str, said: &mut Said) -> Result<(), Trouble> {
    let (what, ours) = match disk::read(path, disk::MAX_FILE_BYTES) {
        Ok(bytes) if bytes == text.as_bytes() => {
            said.line(format!("{} is what the policy gives", shown(path)));
            return Ok(());
        }
        Ok(bytes) => ("is not what the policy gives", may_replace(&bytes, args.language.word())),
        Err(disk::ReadError::TooLarge(_)) => ("is not what the policy gives", false),
        Err(disk::ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            ("is missing", true)
        }
        Err(disk::ReadError::Io(error)) => {
            return Err(Fault::new("cannot be read", path, Some(error)).into());
        }
    };
    let look = session.terminal.err;
    let word = args.language.word();
    said.code = code::FINDINGS;
    said.note(format!("{}: {} {what}", style::error(look, "error"), shown(path)));
    let help = if ours {
        format!("`harnessc gen {word} -o {}` writes it anew", shown(path))
    } else {
        format!(
            "`harnessc gen {word}` did not write that file, and does not write over it; name the one that it wrote"
        )
    };
    said.note(format!("{}: {help}", style::help(look, "help")));
    Ok(())
}

fn shown(path: &Path) -> String {
    report::visible(&path.display().to_string()).into_owned()
}
