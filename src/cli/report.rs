//! `harnessc report`: the policy as pages for auditors.

use std::path::{Path, PathBuf};

use clap::Args;
use harnessc_runtime::prove;

use super::Format;
use super::build::{sealed, shown};
use super::outcome::{Said, Trouble, code, counted};
use super::place::put;
use super::session::Session;
use crate::report::{Audited, single_page, site};
use crate::source::{Fault, disk};

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// As HTML, the one form there is
    #[arg(long, required = true)]
    html: bool,
    /// A file that ends in .html, or a folder for one page each; unsaid: one page is printed
    #[arg(short, long, value_name = "DIR|FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(session: &Session, args: &ReportArgs) -> Result<Said, Trouble> {
    let examined = session.examine(None)?;
    let mut said = Said { code: code::CLEAN, ..Said::default() };
    let Some(lock) = &examined.lock else {
        said.code = code::FINDINGS;
        session.findings(&examined.checked.findings, &examined.tree.sources, &mut said);
        if session.global.format == Format::Human {
            said.note("nothing is reported while findings deny: what the tree comes to is not settled");
        }
        return Ok(said);
    };
    let sealed = sealed(lock)?;
    let failures = prove::failures(lock);
    let why = |name: &str| {
        let failure = failures.iter().find(|failure| failure.proof == name);
        failure.map(|failure| format!("at {}: {}", failure.cell, failure.why))
    };
    let proofs = prove::names().map(|name| (name, why(name))).collect();
    let audited = Audited { lock, digest: &sealed.digest, proofs };
    match &args.output {
        None => said.out = single_page(&audited),
        Some(file) if file.extension().is_some_and(|end| end == "html") => {
            disk::write(file, single_page(&audited).as_bytes())
                .map_err(|error| Fault::new("cannot be written", file, Some(error)))?;
            said.line(format!("wrote {}", shown(file)));
        }
        Some(folder) => {
            let pages = pages(folder, &audited)?;
            said.line(format!("wrote {} below {}", counted(pages, "page"), shown(folder)));
        }
    }
    Ok(said)
}

fn pages(folder: &Path, audited: &Audited<'_>) -> Result<usize, Trouble> {
    let pages = site(audited);
    for (path, text) in &pages {
        put(folder, path, text)?;
    }
    Ok(pages.len())
}
