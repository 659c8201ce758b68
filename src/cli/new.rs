//! `harnessc new`: one definition to begin with, in the file where it belongs, and what the check still asks for.

use clap::{Args, ValueEnum};

use super::Format;
use super::outcome::{Said, Trouble, counted};
use super::place::put;
use super::session::Session;
use super::style;
use crate::baseline::{Baseline, fingerprints};
use crate::check::check;
use crate::diagnostic::Finding;
use crate::model::words::Effect;
use crate::report;
use crate::scaffold::{self, KEYS, Kind, Refusal};
use crate::source::Sources;
use crate::tree::Tree;

#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// What it is
    #[arg(value_enum)]
    kind: Which,
    /// Its key
    key: String,
    /// What a new tool does to the world
    #[arg(long, value_enum, default_value_t = Does::Write)]
    effect: Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// What an agent wears for a run
    Harness,
    /// A tool of your own
    Tool,
    /// What is asked of a record, and the evidence it takes
    Rubric,
    /// A kind of person
    Persona,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Does {
    /// Nothing
    Read,
    /// It makes something new
    Create,
    /// It changes something
    Write,
    /// It takes something away
    Destructive,
}

impl From<Which> for Kind {
    fn from(which: Which) -> Self {
        match which {
            Which::Harness => Self::Harness,
            Which::Tool => Self::Tool,
            Which::Rubric => Self::Rubric,
            Which::Persona => Self::Persona,
        }
    }
}

impl From<Does> for Effect {
    fn from(does: Does) -> Self {
        match does {
            Does::Read => Self::Read,
            Does::Create => Self::Create,
            Does::Write => Self::Write,
            Does::Destructive => Self::Destructive,
        }
    }
}

pub(super) fn run(session: &Session, args: &NewArgs) -> Result<Said, Trouble> {
    let kind = Kind::from(args.kind);
    let manifest = session.manifest(None)?;
    let (tree, read) = Tree::open(&manifest)?;
    let (checked, planned) =
        check(&tree, read, |cx, _| scaffold::plan(cx, kind, &args.key, args.effect.into()));
    let files = planned.map_err(|refusal| trouble(&refusal, kind, &args.key, &tree.sources))?;
    let known: Baseline = fingerprints(&checked.findings, &tree).into_iter().collect();
    let after = session.examine_with(manifest, &files)?;
    if after.unparsed() > tree.documents.iter().filter(|document| document.broken).count() {
        return Err(Trouble::Internal(format!(
            "the file into which `{}` goes would no longer parse; nothing was written. This is a bug in harnessc",
            args.key
        )));
    }
    let root = after.folder().to_owned();
    let is_human = session.global.format == Format::Human;
    let mut said = Said::default();
    for (path, text) in &files {
        put(&root, path, text)?;
        let stood = tree.sources.iter().any(|(_, file)| file.path == *path);
        let verb = if stood { "added it to" } else { "wrote" };
        let line = format!("{verb} {}", report::visible(&root.join(path).display().to_string()));
        // A machine format has the results to itself.
        if is_human { said.line(line) } else { said.note(line) }
    }
    let entries = fingerprints(&after.checked.findings, &after.tree);
    let split = known.split(after.checked.findings.clone(), entries);
    let left: Vec<Finding> = split.new.into_iter().map(|(finding, _)| finding).collect();
    if !is_human || !left.is_empty() {
        session.findings(&left, &after.tree.sources, &mut said);
    }
    if is_human && !left.is_empty() {
        let look = session.terminal.err;
        said.note(format!(
            "{}: this is what `{}` still needs ({})",
            style::help(look, "help"),
            args.key,
            counted(left.len(), "thing")
        ));
    }
    Ok(said)
}

fn trouble(refusal: &Refusal, kind: Kind, key: &str, sources: &Sources) -> Trouble {
    let (noun, key) = (kind.noun(), report::visible(key));
    let (said, help) = match refusal {
        Refusal::BadKey => (format!("`{key}` cannot be a key"), format!("it is made of {KEYS}")),
        Refusal::Exists(span) => {
            let line = sources
                .get(span.file)
                .map_or(0, |file| file.lines().position(&file.text, span.start as usize).line);
            let place = format!("{}:{line}", report::visible(sources.path(span.file)));
            (format!("there is a {noun} `{key}` already"), format!("it stands at {place}"))
        }
        Refusal::Occupied(path) => (
            format!("`{}` is there, and no {noun} can be put into it", report::visible(path)),
            format!(
                "write `{}:` there with one entry a line, or mend what keeps the file from being read",
                kind.section()
            ),
        ),
        Refusal::NoTool => (
            format!("there is no read that a first {noun} could hold"),
            "`harnessc new tool KEY --effect read` begins one".to_owned(),
        ),
    };
    Trouble::Usage(said, help)
}
