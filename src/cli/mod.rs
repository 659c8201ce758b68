//! The command line: one file per verb, each a function from arguments and files to what it says.
//!
//! A verb prints nothing itself: it hands back both streams and the exit code, which are written here. Findings exit 1, a
//! fault of the environment or the usage exits 2, an internal error 101.

mod build;
mod check;
mod diff;
mod explain;
mod generate;
mod graph;
mod import;
mod init;
mod known;
mod mend;
mod new;
mod outcome;
mod place;
mod platform;
mod release;
mod report;
mod schema;
mod session;
mod show;
mod sign;
mod simulate;
mod style;
mod terminal;
mod test;
mod verify;
mod why;

use std::io::Write;
use std::panic::{self, PanicHookInfo};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

use outcome::{Said, Trouble, code};
use session::Session;
use terminal::Terminal;

use crate::tree::parallel;

/// Compiles and proves what AI agents may do.
#[derive(Debug, Parser)]
#[command(name = "harnessc", version, subcommand_required = true, arg_required_else_help = true)]
struct Command {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    verb: Verb,
}

/// What every verb takes.
#[derive(Clone, Debug, Args)]
struct Global {
    /// How results are written
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Whether to use colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    color: Color,
    /// The manifest; unsaid: the nearest harness.toml here or in a folder above
    #[arg(long, global = true, value_name = "PATH")]
    manifest: Option<PathBuf>,
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a person at a terminal
    Human,
    /// One line for each thing
    Short,
    /// One line of JSON
    Json,
    /// SARIF 2.1.0, for code scanning; `check`, `build` and `test` write it
    Sarif,
    /// GitHub's workflow commands; `check`, `build` and `test` write them
    Github,
    /// JUnit XML; `check`, `build` and `test` write it
    Junit,
    /// A comment on a pull request; `diff` alone writes it
    Markdown,
    /// A page of its own; `diff` alone writes it
    Html,
}

/// Whether colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    /// At a terminal, unless NO_COLOR is set
    Auto,
    /// Wherever the output goes
    Always,
    /// Nowhere
    Never,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Run every rule over the tree
    Check(check::CheckArgs),
    /// Check the tree and write harness.lock
    Build(build::BuildArgs),
    /// Name the lock that this one follows, raise the revision and build
    Release(release::ReleaseArgs),
    /// Prove a lock as the runtime does
    Verify(verify::VerifyArgs),
    /// Decide an audit log again under another lock
    Simulate(simulate::SimulateArgs),
    /// Say what a change lets whom do that they could not do before
    Diff(diff::DiffArgs),
    /// Show what each harness sees and may do
    Show(show::ShowArgs),
    /// Ask the decision tests; with --mutate, whether they would notice a weaker policy
    Test(test::TestArgs),
    /// Say why a harness may or may not use a tool, gate by gate, and what would change it
    Why(why::WhyArgs),
    /// Draw what leads where: personas, harnesses, skills, plans, tools
    Graph(graph::GraphArgs),
    /// Write the policy as pages for auditors
    Report(report::ReportArgs),
    /// Generate keys and versions as typed constants
    Gen(generate::GenArgs),
    /// Say what a rule asks, why, and how to mend what it finds
    Explain(explain::ExplainArgs),
    /// Take in an outside server's list of tools: pin it, and write the overlay
    Import(import::ImportArgs),
    /// Print the JSON Schemas of the language and of the machine formats
    Schema(schema::SchemaArgs),
    /// Begin a tree: three short files that check clean
    Init(init::InitArgs),
    /// Begin a harness, a tool, a rubric or a persona
    New(new::NewArgs),
}

/// Runs the process's command line.
pub fn main() -> ExitCode {
    panic::set_hook(Box::new(bug_note));
    ExitCode::from(panic::catch_unwind(run).unwrap_or(code::INTERNAL))
}

fn run() -> u8 {
    parallel::make_room();
    let command = match Command::try_parse() {
        Ok(command) => command,
        Err(refusal) => {
            let code = u8::try_from(refusal.exit_code()).unwrap_or(code::FAULT);
            return match refusal.print().and_then(|()| std::io::stdout().flush()) {
                Err(error) => unwritten(&error, code),
                Ok(()) => code,
            };
        }
    };
    let terminal = Terminal::of_process(command.global.color);
    let session = Session { global: command.global, terminal };
    let format = session.global.format;
    let others = format.writers(&command.verb);
    let said = match command.verb {
        _ if let Some(writers) = others => Err(Trouble::Usage(
            format!("{writers} {}", format.word()),
            "take another `--format`: human, short or json".to_owned(),
        )),
        Verb::Check(args) => check::run(&session, &args),
        Verb::Build(args) => build::run(&session, &args),
        Verb::Release(args) => release::run(&session, &args),
        Verb::Verify(args) => verify::run(&session, &args),
        Verb::Simulate(args) => simulate::run(&session, &args),
        Verb::Diff(args) => diff::run(&session, &args),
        Verb::Show(args) => show::run(&session, &args),
        Verb::Test(args) => test::run(&session, &args),
        Verb::Why(args) => why::run(&session, &args),
        Verb::Graph(args) => graph::run(&session, &args),
        Verb::Report(args) => report::run(&session, &args),
        Verb::Gen(args) => generate::run(&session, &args),
        Verb::Explain(args) => explain::run(&session, &args),
        Verb::Import(args) => import::run(&session, &args),
        Verb::Schema(args) => schema::run(&session, &args),
        Verb::Init(args) => init::run(&session, &args),
        Verb::New(args) => new::run(&session, &args),
    };
    finish(&session, said)
}

/// Writes what was said.
fn finish(session: &Session, said: Result<Said, Trouble>) -> u8 {
    let said = said.unwrap_or_else(|trouble| trouble.said(session));
    let mut err = std::io::stderr().lock();
    let mut out = std::io::stdout().lock();
    let _ = err.write_all(said.err.as_bytes()).and_then(|()| err.flush());
    let written = out.write_all(said.out.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) => {
            drop(err);
            unwritten(&error, said.code)
        }
        Ok(()) => said.code,
    }
}

/// The exit code where the output could not be written. A reader that has gone away changes nothing about how the work ended.
fn unwritten(error: &std::io::Error, code: u8) -> u8 {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        return code;
    }
    // Nothing can be said where this stream is gone too.
    let _ = writeln!(std::io::stderr(), "error: the output could not be written ({error})");
    code.max(code::FAULT)
}

/// What stands in the place of a panic's own text.
fn bug_note(info: &PanicHookInfo<'_>) {
    let place = info.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
    let payload = info.payload();
    let text =
        payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let _ = writeln!(
        std::io::stderr(),
        "internal error: harnessc itself failed{place}: {}\nthis is a bug in harnessc and not in your files; \
         please report it with the command that you ran",
        text.unwrap_or("no reason given")
    );
}
