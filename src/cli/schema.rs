//! `harnessc schema`: the editor's schemas of the language, and the schemas of the machine formats.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::Value;

use super::outcome::{Said, Trouble, code};
use super::session::Session;
use super::style;
use super::{build, diff, explain, import, release, show, simulate, test, verify, why};
use crate::model;
use crate::report::{Graph, JsonReport};
use crate::source::{Fault, disk};

#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// Which one
    #[arg(value_enum, default_value_t = Which::Harness)]
    which: Which,
    /// Write all of them below this folder
    #[arg(
        short,
        long,
        alias = "out",
        value_name = "DIR",
        num_args = 0..=1,
        default_missing_value = "schema",
        conflicts_with = "which"
    )]
    output: Option<PathBuf>,
    /// Exit 1 where those below this folder are not these
    #[arg(
        long,
        value_name = "DIR",
        num_args = 0..=1,
        default_missing_value = "schema",
        conflicts_with_all = ["which", "output"]
    )]
    check: Option<PathBuf>,
}

/// The schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// Every *.yaml of a tree
    Harness,
    /// harness.toml
    Manifest,
    /// check --format json
    Findings,
    /// build --format json
    Build,
    /// release --format json
    Release,
    /// verify --format json
    Verify,
    /// diff --format json
    Diff,
    /// show --format json
    Show,
    /// test --format json
    Test,
    /// why --format json
    Why,
    /// graph --format json
    Graph,
    /// explain --format json
    Explain,
    /// import --format json
    Import,
    /// simulate --format json
    Simulate,
}

impl Which {
    fn file(self) -> &'static str {
        match self {
            Self::Harness => "harness.schema.json",
            Self::Manifest => "manifest.schema.json",
            Self::Findings => "findings.schema.json",
            Self::Build => "build.schema.json",
            Self::Release => "release.schema.json",
            Self::Verify => "verify.schema.json",
            Self::Diff => "diff.schema.json",
            Self::Show => "show.schema.json",
            Self::Test => "test.schema.json",
            Self::Why => "why.schema.json",
            Self::Graph => "graph.schema.json",
            Self::Explain => "explain.schema.json",
            Self::Import => "import.schema.json",
            Self::Simulate => "simulate.schema.json",
        }
    }

    fn schema(self) -> Value {
        match self {
            Self::Harness => model::file_schema(),
            Self::Manifest => model::manifest_schema(),
            Self::Findings => schemars::schema_for!(JsonReport).to_value(),
            Self::Build => schemars::schema_for!(build::BuildReport).to_value(),
            Self::Release => schemars::schema_for!(release::ReleaseReport).to_value(),
            Self::Verify => schemars::schema_for!(verify::VerifyReport).to_value(),
            Self::Diff => schemars::schema_for!(diff::DiffOutput).to_value(),
            Self::Show => schemars::schema_for!(show::ShowReport).to_value(),
            Self::Test => schemars::schema_for!(test::TestReport).to_value(),
            Self::Why => schemars::schema_for!(why::WhyReport).to_value(),
            Self::Graph => schemars::schema_for!(Graph).to_value(),
            Self::Explain => schemars::schema_for!(explain::ExplainReport).to_value(),
            Self::Import => schemars::schema_for!(import::ImportReport).to_value(),
            Self::Simulate => schemars::schema_for!(simulate::SimulateReport).to_value(),
        }
    }

    /// Its file's text: indented, one LF at the end.
    fn text(self) -> String {
        format!("{:#}\n", self.schema())
    }
}

pub(super) fn run(session: &Session, args: &SchemaArgs) -> Result<Said, Trouble> {
    match (&args.output, &args.check) {
        (Some(folder), _) => write(folder),
        (None, Some(folder)) => check(session, folder),
        (None, None) => Ok(Said { out: args.which.text(), ..Said::default() }),
    }
}

fn write(folder: &Path) -> Result<Said, Trouble> {
    let mut said = Said::default();
    disk::make_folder(folder).map_err(|error| Fault::new("cannot be made", folder, Some(error)))?;
    for which in Which::value_variants() {
        let path = folder.join(which.file());
        disk::write(&path, which.text().as_bytes())
            .map_err(|error| Fault::new("cannot be written", &path, Some(error)))?;
        said.line(format!("wrote {}", path.display()));
    }
    Ok(said)
}

fn check(session: &Session, folder: &Path) -> Result<Said, Trouble> {
    let mut said = Said::default();
    let look = session.terminal.err;
    for which in Which::value_variants() {
        let path = folder.join(which.file());
        let what = match disk::read(&path, disk::MAX_FILE_BYTES) {
            Ok(bytes) if bytes == which.text().as_bytes() => continue,
            Ok(_) | Err(disk::ReadError::TooLarge(_)) => "is not what this harnessc writes",
            Err(disk::ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => "is missing",
            Err(disk::ReadError::Io(error)) => {
                return Err(Fault::new("cannot be read", &path, Some(error)).into());
            }
        };
        said.code = code::FINDINGS;
        said.note(format!("{}: {} {what}", style::error(look, "error"), path.display()));
    }
    if said.code == code::FINDINGS {
        let command = format!("`harnessc schema -o {}` writes them anew", folder.display());
        said.note(format!("{}: {command}", style::help(look, "help")));
    } else {
        said.line(format!("the schemas below {} are those of this harnessc", folder.display()));
    }
    Ok(said)
}
