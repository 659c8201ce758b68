//! `harnessc import`: somebody else's tools into a tree, or onto the screen.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;

use super::Format;
use super::outcome::{Said, Trouble, code};
use super::session::Session;
use super::style;
use crate::check::check;
use crate::import::{self, Changes, Form, Import, Refusal, Report, Setting};
use crate::report;
use crate::source::Fault;
use crate::source::disk::{self, Kind, MAX_FILE_BYTES, ReadError};
use crate::tree::Tree;

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// How the tools are written
    #[arg(value_enum)]
    form: FormWord,
    /// The list; `-` reads standard input
    file: PathBuf,
    /// The server's key; unsaid: the file's name up to its first dot
    #[arg(long, value_name = "KEY")]
    server: Option<String>,
    /// The tree to write into; unsaid: the overlay is printed and nothing is written
    #[arg(long, value_name = "TREE")]
    out: Option<PathBuf>,
    /// Pin the list even where tools are gone or changed since it was pinned
    #[arg(long, requires = "out")]
    accept: bool,
}

/// How the tools are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormWord {
    /// As an MCP server answers tools/list
    Mcp,
    /// As OpenAI's APIs take them
    Openai,
    /// As Anthropic's API takes them
    Anthropic,
}

/// What `import --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ImportReport {
    /// The version of this format, 1.
    version: u32,
    /// How it ended.
    status: Status,
    /// The files that were written, relative to the manifest.
    written: Vec<String>,
    /// The lines that have to be put under `tools:` by hand.
    lines: Vec<String>,
    /// The overlay, where nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    overlay: Option<String>,
    /// What the list comes to; of a first import.
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Report>,
    /// What moved since the list was pinned.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Changes>,
}

/// How an import ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// Printed; nothing was to be written.
    Printed,
    /// Written into the tree.
    Written,
    /// The pinned list is this one.
    Unchanged,
    /// Tools are gone or changed, and nothing was written without `--accept`.
    Moved,
}

impl ImportReport {
    fn new(status: Status) -> Self {
        Self {
            version: 1,
            status,
            written: Vec::new(),
            lines: Vec::new(),
            overlay: None,
            report: None,
            changes: None,
        }
    }
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Self::Usage(refusal.said(), refusal.help.unwrap_or_default())
    }
}

pub(super) fn run(session: &Session, args: &ImportArgs) -> Result<Said, Trouble> {
    let form = match args.form {
        FormWord::Mcp => Form::Mcp,
        FormWord::Openai => Form::OpenAi,
        FormWord::Anthropic => Form::Anthropic,
    };
    let server = server(args)?;
    let list = import::read(&bytes(&args.file)?, form)?;
    match &args.out {
        None => print(session, &list, &Setting::new(&server)?),
        Some(out) => into_tree(session, args, &list, &server, out),
    }
}

/// The key that was given, or the file's name up to its first dot.
fn server(args: &ImportArgs) -> Result<String, Trouble> {
    if let Some(server) = &args.server {
        return Ok(server.clone());
    }
    let name = args.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match name.split('.').next().filter(|stem| !stem.is_empty() && *stem != "-") {
        Some(stem) => Ok(stem.to_owned()),
        None => Err(Trouble::Usage(
            "the list has no file's name, so the server has no key".to_owned(),
            "give it one with `--server KEY`".to_owned(),
        )),
    }
}

fn bytes(file: &Path) -> Result<Vec<u8>, Trouble> {
    if file.as_os_str() != "-" {
        return read(file);
    }
    let mut bytes = Vec::new();
    let taken = std::io::stdin().lock().take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes);
    taken.map_err(|error| Fault::new("standard input cannot be read", file, Some(error)))?;
    Ok(bytes)
}

fn read(file: &Path) -> Result<Vec<u8>, Trouble> {
    disk::read(file, MAX_FILE_BYTES).map_err(|error| match error {
        ReadError::Io(error) => Fault::new("cannot be read", file, Some(error)).into(),
        ReadError::TooLarge(size) => {
            Fault::new(format!("holds {size} bytes, and a list may have {MAX_FILE_BYTES}"), file, None).into()
        }
    })
}

fn print(session: &Session, list: &Import, setting: &Setting) -> Result<Said, Trouble> {
    let mut said = Said::default();
    if session.global.format == Format::Json {
        let mut report = ImportReport::new(Status::Printed);
        report.overlay = Some(list.overlay(setting));
        report.report = Some(list.report(setting));
        said.json(&report);
        return Ok(said);
    }
    said.out = list.overlay(setting);
    said.err = list.report(setting).to_string();
    said.note("nothing was written; `--out TREE` writes the pinned list and this overlay into a tree");
    Ok(said)
}

/// A tree that is written into.
struct Target {
    /// The manifest's folder.
    root: PathBuf,
    setting: Setting,
    /// Whether the manifest lets the server serve tools.
    listed: bool,
    /// Whether the list stands pinned.
    pinned: bool,
}

fn into_tree(
    session: &Session,
    args: &ImportArgs,
    list: &Import,
    server: &str,
    out: &Path,
) -> Result<Said, Trouble> {
    let target = target(session, server, out)?;
    let mut report;
    if target.pinned {
        let pinned = read(&target.root.join(target.setting.pin_path()))?;
        let changes = list.again(&pinned, &target.setting)?;
        report = ImportReport::new(match (changes.is_empty(), changes.only_adds() || args.accept) {
            (true, _) => Status::Unchanged,
            (_, true) => Status::Written,
            (_, false) => Status::Moved,
        });
        if report.status == Status::Written {
            put_again(&target, list, &changes, &mut report)?;
        }
        report.changes = Some(changes);
    } else {
        report = ImportReport::new(Status::Written);
        put_first(&target, list, &mut report)?;
        report.report = Some(list.report(&target.setting));
    }
    Ok(told(session, &target, &report))
}

fn target(session: &Session, server: &str, out: &Path) -> Result<Target, Trouble> {
    let manifest = session.manifest(Some(out))?;
    let (tree, read) = Tree::open(&manifest)?;
    let (_, (setting, listed)) = check(&tree, read, |cx, _| {
        let listed = cx.model.manifest.policy.as_ref().and_then(|policy| policy.external_servers.as_ref());
        let listed = listed.is_some_and(|servers| servers.0.iter().any(|name| name.value == server));
        (Setting::of(server, cx.model), listed)
    });
    let setting = setting?;
    let root = manifest.parent().unwrap_or(Path::new("")).to_owned();
    let pinned = disk::kind_of(&root.join(setting.pin_path())).is_ok();
    Ok(Target { root, setting, listed, pinned })
}

fn put_first(target: &Target, list: &Import, report: &mut ImportReport) -> Result<(), Trouble> {
    let overlay = target.setting.overlay_path();
    if disk::kind_of(&target.root.join(&overlay)).is_ok() {
        return Err(Trouble::Usage(
            format!(
                "`{overlay}` stands already, and its list is not pinned at `{}`",
                target.setting.pin_path()
            ),
            "move that file away, or give the server another key with `--server KEY`".to_owned(),
        ));
    }
    put(target, &target.setting.pin_path(), &list.pin, report)?;
    put(target, &overlay, &list.overlay(&target.setting), report)
}

/// Pins the list anew and adds the lines of new tools; the author's lines stay byte for byte.
fn put_again(
    target: &Target,
    list: &Import,
    changes: &Changes,
    report: &mut ImportReport,
) -> Result<(), Trouble> {
    put(target, &target.setting.pin_path(), &list.pin, report)?;
    let lines = changes.lines();
    if lines.is_empty() {
        return Ok(());
    }
    let overlay = target.setting.overlay_path();
    let path = target.root.join(&overlay);
    let text = if disk::kind_of(&path).is_err() {
        changes.appended("tools:\n")
    } else {
        changes.appended(&String::from_utf8_lossy(&read(&path)?))
    };
    match text {
        Some(text) => put(target, &overlay, &text, report),
        None => {
            report.lines = lines;
            Ok(())
        }
    }
}

/// Writes a file of the tree; a link on the way is not followed.
fn put(target: &Target, path: &str, text: &str, report: &mut ImportReport) -> Result<(), Trouble> {
    let mut reached = target.root.clone();
    for part in path.split('/') {
        reached.push(part);
        if disk::kind_of(&reached).is_ok_and(|kind| kind == Kind::Other) {
            return Err(Fault::new("is a link, and a tree follows none", &reached, None).into());
        }
    }
    let folder = reached.parent().unwrap_or(Path::new(""));
    disk::make_folder(folder).map_err(|error| Fault::new("cannot be made", folder, Some(error)))?;
    disk::write(&reached, text.as_bytes())
        .map_err(|error| Fault::new("cannot be written", &reached, Some(error)))?;
    report.written.push(path.to_owned());
    Ok(())
}

fn told(session: &Session, target: &Target, report: &ImportReport) -> Said {
    let mut said = Said::default();
    if report.status == Status::Moved {
        said.code = code::FINDINGS;
    }
    if session.global.format == Format::Json {
        said.json(report);
        return said;
    }
    said.err.extend(report.report.as_ref().map(Report::to_string));
    said.err.extend(report.changes.as_ref().map(Changes::to_string));
    for path in &report.written {
        said.line(format!("wrote {}", report::visible(&target.root.join(path).display().to_string())));
    }
    let look = session.terminal.err;
    let mut help = |text: &str| said.note(format!("{}: {text}", style::help(look, "help")));
    if !report.lines.is_empty() {
        help("put these lines of the new tools under a `tools:` section:");
    }
    if report.status == Status::Moved {
        help(
            "nothing was written; with `--accept` the list is pinned as it is now, and your lines stay as they are",
        );
    } else if !target.listed {
        let server = report::visible(target.setting.server()).into_owned();
        help(&format!(
            "add \"{server}\" to `external_servers` under `[policy]` in harness.toml: only then may it serve tools"
        ));
    }
    for line in &report.lines {
        said.line(format!("  {line}"));
    }
    said
}
