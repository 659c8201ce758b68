//! `harnessc import`: somebody else's tools into a tree, or onto the screen.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;

use super::Format;
use super::outcome::{Said, Trouble, code};
use super::place;
use super::session::Session;
use super::style;
use crate::check::check;
use crate::import::{self, Acceptance, Changes, Form, Import, Refusal, Report, Setting};
use crate::report;
use crate::scaffold;
use crate::source::Fault;
use crate::source::disk::{self, MAX_FILE_BYTES, ReadError};
use crate::tree::Tree;

/// So many changes that stand are written out as options.
const SHOWN_FLAGS: usize = 6;

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// How the tools are written
    #[arg(value_enum)]
    form: FormWord,
    /// The list; `-` reads standard input
    #[arg(required_unless_present = "command", conflicts_with = "command")]
    file: Option<PathBuf>,
    /// The server's key; unsaid: the file's name up to its first dot
    #[arg(long, value_name = "KEY")]
    server: Option<String>,
    /// The tree to write into; unsaid: the overlay is printed and nothing is written
    #[arg(short, long, alias = "out", value_name = "TREE")]
    output: Option<PathBuf>,
    /// Take a change of a tool since it was pinned: TOOL for all of them, TOOL:KIND for one (text, hint, input, output, other,
    /// awaited, gone, unfit), `all` for those of every tool
    #[arg(long, value_name = "TOOL[:KIND]", requires = "output")]
    accept: Vec<String>,
    /// Start this MCP server and ask it for its list over stdio: `import mcp --server KEY -- COMMAND ARGS…`
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
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
    /// The changes that nobody took, as `--accept` names them.
    standing: Vec<String>,
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
    /// Tools are gone or changed, and nothing was written, since nobody took a change.
    Moved,
    /// Some of the changes were taken and written; of the other tools the pinned entry stays.
    Partly,
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
            standing: Vec::new(),
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
    let bytes = match (&args.file, args.command.split_first()) {
        (Some(file), _) => bytes(file)?,
        (None, Some((program, arguments))) if form == Form::Mcp => import::ask(program, arguments)?,
        (None, _) => {
            return Err(Trouble::Usage(
                format!("`import {}` reads a file, and a command can only be an MCP server", form.word()),
                "write `harnessc import mcp --server KEY -- COMMAND ARGS…`".to_owned(),
            ));
        }
    };
    let list = import::read(&bytes, form)?;
    match &args.output {
        None => print(session, &list, &Setting::new(&server)?),
        Some(out) => into_tree(session, args, &list, &server, out),
    }
}

/// The key that was given, or the file's name up to its first dot.
fn server(args: &ImportArgs) -> Result<String, Trouble> {
    if let Some(server) = &args.server {
        return Ok(server.clone());
    }
    let name = args.file.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    match name.split('.').next().filter(|stem| !stem.is_empty() && *stem != "-") {
        Some(stem) => Ok(stem.to_owned()),
        None => Err(Trouble::Usage(
            "the list comes from no file, so the server has no key".to_owned(),
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
    said.note("nothing was written; `-o TREE` writes the pinned list and this overlay into a tree");
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
    /// The line by which the tree's files name their schema.
    modeline: String,
}

fn into_tree(
    session: &Session,
    args: &ImportArgs,
    list: &Import,
    server: &str,
    out: &Path,
) -> Result<Said, Trouble> {
    let target = target(session, args, list, server, out)?;
    let mut report;
    if target.pinned {
        let pinned = read(&target.root.join(target.setting.pin_path()))?;
        let changes = list.again(&pinned, &target.setting)?;
        let acceptance = Acceptance::read(&args.accept, &changes)?;
        report = ImportReport::new(Status::Written);
        report.standing = changes.standing(&acceptance);
        report.status = match report.standing.is_empty() {
            _ if changes.is_empty() => Status::Unchanged,
            true => Status::Written,
            false if acceptance.is_empty() => Status::Moved,
            false => Status::Partly,
        };
        if matches!(report.status, Status::Written | Status::Partly) {
            let pin = list.pin_of(&pinned, &changes, &acceptance);
            put_again(&target, &pin, &changes, &acceptance, &mut report)?;
        }
        report.changes = Some(changes);
    } else if let Some(word) = args.accept.first() {
        let said = format!("`--accept {}` takes a change, and no list is pinned yet", report::visible(word));
        return Err(Trouble::Usage(said, "leave it out: the first import pins the whole list".to_owned()));
    } else {
        report = ImportReport::new(Status::Written);
        put_first(&target, list, &mut report)?;
        report.report = Some(list.report(&target.setting));
    }
    Ok(told(session, &target, &report))
}

fn target(
    session: &Session,
    args: &ImportArgs,
    list: &Import,
    server: &str,
    out: &Path,
) -> Result<Target, Trouble> {
    let manifest = session.manifest(Some(out))?;
    let (tree, read) = Tree::open(&manifest)?;
    let (_, (setting, listed, meant)) = check(&tree, read, |cx, _| {
        let listed = cx.model.manifest.policy.as_ref().and_then(|policy| policy.external_servers.as_ref());
        let listed = listed.is_some_and(|servers| servers.0.iter().any(|name| name.value == server));
        (
            Setting::of(server, cx.model).map(|setting| setting.beside(cx.policy)),
            listed,
            import::meant(list, server, cx.model, cx.tree),
        )
    });
    let setting = setting?;
    if let (None, Some((known, shared))) = (&args.server, meant) {
        let (server, known) = (report::visible(server), report::visible(&known).into_owned());
        return Err(Trouble::Usage(
            format!(
                "`{server}` is no server of this tree, and {shared} of the list's tools are those of server `{known}`"
            ),
            format!(
                "did you mean `--server {known}`? To begin a second server with them, write `--server {server}`"
            ),
        ));
    }
    let modeline = scaffold::modeline(&tree, &setting.overlay_path());
    let root = manifest.parent().unwrap_or(Path::new("")).to_owned();
    let pinned = disk::kind_of(&root.join(setting.pin_path())).is_ok();
    Ok(Target { root, setting, listed, pinned, modeline })
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
    put(target, &overlay, &(target.modeline.clone() + &list.overlay(&target.setting)), report)
}

/// Pins the list anew and adds the lines of new tools; the author's lines stay byte for byte.
fn put_again(
    target: &Target,
    pin: &str,
    changes: &Changes,
    acceptance: &Acceptance,
    report: &mut ImportReport,
) -> Result<(), Trouble> {
    put(target, &target.setting.pin_path(), pin, report)?;
    if !changes.can_pin(acceptance) {
        return Ok(());
    }
    let overlay = target.setting.overlay_path();
    let path = target.root.join(&overlay);
    let there = match disk::kind_of(&path) {
        Ok(_) => Some(String::from_utf8_lossy(&read(&path)?).into_owned()),
        Err(_) => None,
    };
    let told = there.as_ref().map(|text| changes.restated(text, acceptance));
    let lines = changes.lines();
    let text = if lines.is_empty() {
        told
    } else {
        let grown = changes.appended(told.as_deref().unwrap_or("tools:\n"));
        report.lines = if grown.is_none() { lines } else { Vec::new() };
        grown.or(told)
    };
    match text.filter(|text| there.as_ref() != Some(text)) {
        Some(text) => put(target, &overlay, &text, report),
        None => Ok(()),
    }
}

/// What to do about changes that nobody took.
fn standing(report: &ImportReport, first: &str) -> String {
    let all = report.standing.iter().map(|one| format!("--accept {}", shell(one))).collect::<Vec<_>>();
    let shown = all.get(..SHOWN_FLAGS).unwrap_or(&all).join(" ");
    let more = all.len().saturating_sub(SHOWN_FLAGS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let unfit = report.standing.iter().any(|one| one.ends_with(":unfit"));
    if report.status == Status::Partly && unfit {
        return format!(
            "what you took is noted, and no entry is pinned before what cannot be told apart any more is taken too: {shown}{more}"
        );
    }
    if report.status == Status::Partly {
        return format!(
            "what you took is noted. Of what is not taken, the pinned entry stays: {shown}{more}"
        );
    }
    let tool = first.rsplit_once(':').map_or(first, |(tool, _)| tool);
    format!(
        "nothing was written. Take what you have read, change by change: {shown}{more}; `--accept {}` takes all of that \
         tool, `--accept all` everything. Your lines stay as they are",
        shell(tool)
    )
}

/// A word as a shell takes it for itself.
fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | ':' | '/');
    let shown = report::visible(word);
    if shown.chars().all(plain) { shown.into_owned() } else { format!("'{}'", shown.replace('\'', "'\\''")) }
}

/// Writes a file of the tree and says so.
fn put(target: &Target, path: &str, text: &str, report: &mut ImportReport) -> Result<(), Trouble> {
    place::put(&target.root, path, text)?;
    report.written.push(path.to_owned());
    Ok(())
}

fn told(session: &Session, target: &Target, report: &ImportReport) -> Said {
    let mut said = Said::default();
    if matches!(report.status, Status::Moved | Status::Partly) {
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
    if let Some(first) = report.standing.first() {
        help(&standing(report, first));
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
