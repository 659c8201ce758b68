//! `harnessc show`: what each harness sees and may do.

mod asks;
mod detail;
mod disabled;
mod hidden;
mod overview;
mod report;
mod surfaces;

use clap::Args;
use harnessc_runtime::lock::{Lock, NO_HARNESS};

use super::Format;
use super::outcome::{Said, Trouble, code};
use super::session::{Session, Under};
pub(super) use report::ShowReport;

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The harness; unsaid: all of them in one table. `none` or `-`: runs without one
    harness: Option<String>,
    /// Only what this run role holds
    #[arg(long)]
    role: Option<String>,
    /// Only what this persona holds too
    #[arg(long)]
    persona: Option<String>,
    #[command(flatten)]
    under: Under,
}

/// What is shown of a lock.
#[derive(Clone, Copy)]
struct View<'a> {
    lock: &'a Lock,
    role: Option<&'a str>,
    persona: Option<&'a str>,
    /// Where the tools that are switched off are.
    off: &'a disabled::Off,
}

impl View<'_> {
    /// Whether the persona in view, if any, holds a deed.
    fn personally(&self, deed: &str) -> bool {
        let Some(persona) = self.persona.and_then(|key| self.lock.personas.get(key)) else { return true };
        persona.bundle.iter().any(|held| held == deed)
    }

    /// Whether a role is in view.
    fn of_role(&self, role: &str) -> bool {
        self.role.is_none_or(|wanted| wanted == role)
    }

    /// Whether the persona in view, if any, runs under this row of the table.
    fn wears(&self, harness: &str) -> bool {
        let Some(key) = self.persona else { return true };
        if harness == NO_HARNESS {
            return self.lock.personas.get(key).is_some_and(|persona| !persona.harness);
        }
        self.lock.harnesses.get(harness).is_some_and(|harness| harness.personas.iter().any(|own| own == key))
    }
}

pub(super) fn run(session: &Session, args: &ShowArgs) -> Result<Said, Trouble> {
    let (examined, off) = session.examine_and(&args.under, disabled::off)?;
    let mut said = Said { code: code::CLEAN, ..Said::default() };
    let Some(lock) = &examined.lock else {
        said.code = code::FINDINGS;
        session.findings(&examined.checked.findings, &examined.tree.sources, &mut said);
        if session.global.format == Format::Human {
            said.note("nothing is shown while findings deny: what the tree comes to is not settled");
        }
        return Ok(said);
    };
    let view = View { lock, role: args.role.as_deref(), persona: args.persona.as_deref(), off: &off };
    // A test and `why` say `none`, the lock says `-`.
    let harness = args.harness.as_deref().map(|key| if key == "none" { NO_HARNESS } else { key });
    known(&view, harness)?;
    match (session.global.format, harness) {
        (Format::Json, harness) => said.json(&report::report(&view, harness)),
        (Format::Short, harness) => report::short(&report::report(&view, harness), &mut said),
        (_, None) => said.out.push_str(&overview::table(&view, session.terminal.out)),
        (_, Some(harness)) => detail::page(&view, harness, session.terminal.out, &mut said.out),
    }
    Ok(said)
}

/// Whether every name on the command line is one of the tree's.
fn known(view: &View<'_>, harness: Option<&str>) -> Result<(), Trouble> {
    let lock = view.lock;
    let keys = |what: &str| format!("`harnessc show` lists the {what}");
    let none = |harness: &&str| *harness == NO_HARNESS || lock.effective.contains_key(*harness);
    if let Some(harness) = harness.filter(|harness| !none(harness)) {
        let known = lock.harnesses.keys().map(String::as_str);
        return Err(Trouble::unknown("harness", harness, known, &keys("harnesses")));
    }
    if let Some(role) = view.role.filter(|role| !lock.roles.contains_key(*role)) {
        let known: Vec<&str> = lock.roles.keys().map(String::as_str).collect();
        let help = format!("the roles are {}", known.join(", "));
        return Err(Trouble::unknown("role", role, known, &help));
    }
    if let Some(persona) = view.persona.filter(|persona| !lock.personas.contains_key(*persona)) {
        let known: Vec<&str> = lock.personas.keys().map(String::as_str).collect();
        let help = format!("the personas are {}", known.join(", "));
        return Err(Trouble::unknown("persona", persona, known, &help));
    }
    match (harness, view.persona) {
        (Some(harness), Some(persona)) if !view.wears(harness) => {
            let worn = lock.harnesses.get(harness).map_or_else(String::new, |own| own.personas.join(", "));
            let message = match harness {
                NO_HARNESS => format!("a run of `{persona}` wears a harness"),
                key => format!("the persona `{persona}` does not wear `{key}`"),
            };
            Err(Trouble::Usage(
                message,
                if worn.is_empty() { String::new() } else { format!("it is worn by {worn}") },
            ))
        }
        _ => Ok(()),
    }
}
