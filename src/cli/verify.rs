//! `harnessc verify`: what a runtime checks before it takes a lock, said proof by proof.

use std::path::{Path, PathBuf};

use clap::Args;
use harnessc_runtime::load::{self, LoadError, Loaded, Signer, Signers, Trust};
use harnessc_runtime::prove;
use schemars::JsonSchema;
use serde::Serialize;

use super::Format;
use super::outcome::{Said, Trouble, code, counted};
use super::session::Session;
use super::style;
use crate::lock;
use crate::report::{self, visible};
use crate::source::{Fault, disk};

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// The lock; unsaid: the harness.lock beside the tree's manifest
    lock: Option<PathBuf>,
    /// The policy that it must be
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// The environment that it must be for
    #[arg(long, value_name = "ENV")]
    environment: Option<String>,
    /// Whose signature it must bear: an allowed_signers file, as `ssh-keygen -Y verify -n harness-lock -f FILE -I WHO
    /// -s harness.lock.sig < harness.lock` reads it
    #[arg(long, value_name = "FILE", conflicts_with = "allow_unsigned")]
    allowed_signers: Option<PathBuf>,
    /// The signature; unsaid: the lock's name with .sig
    #[arg(long, value_name = "FILE", requires = "allowed_signers")]
    signature: Option<PathBuf>,
    /// Say that no signature is expected, and leave out the note on it
    #[arg(long)]
    allow_unsigned: bool,
}

/// What `verify --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct VerifyReport {
    /// The version of this format, 1.
    version: u32,
    /// The lock's file.
    lock: String,
    /// Whether everything holds.
    holds: bool,
    /// Its digest, where line 1 and the bytes agree on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    /// The policy that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
    /// Its revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<u64>,
    /// Each check in the order in which it runs; after one that fails before the proofs, none follows.
    checks: Vec<VerifyCheck>,
    /// Whether a signature was checked and holds.
    signed: bool,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    signer: Option<JsonSigner>,
}

/// Who signed.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonSigner {
    /// `SHA256:<base64>` of the key.
    fingerprint: String,
    /// The principals that the list names beside the key.
    principals: String,
}

/// One check.
#[derive(Debug, Serialize, JsonSchema)]
struct VerifyCheck {
    /// `form`, `signature`, `policy`, `environment`, or a proof's name.
    name: String,
    /// Whether it holds.
    holds: bool,
    /// A code that never changes, where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    /// The cell that breaks it: `harness/role/tool`, or as much of that as it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<String>,
    /// Why it does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl VerifyCheck {
    fn held(name: &str) -> Self {
        Self { name: name.to_owned(), holds: true, code: None, cell: None, why: None }
    }

    fn broken(name: &str, code: &str, cell: Option<String>, why: String) -> Self {
        Self { name: name.to_owned(), holds: false, code: Some(code.to_owned()), cell, why: Some(why) }
    }
}

pub(super) fn run(session: &Session, args: &VerifyArgs) -> Result<Said, Trouble> {
    let path = match &args.lock {
        Some(path) => path.clone(),
        None => session.manifest(None)?.with_file_name(lock::FILE),
    };
    let bytes = lock::load(&path)?;
    let signed = signed(&bytes, &path, args)?;
    let read = load::read(&bytes);
    let checks = match &read {
        Err(error) => vec![VerifyCheck::broken("form", error.code(), None, error.to_string())],
        Ok(loaded) => checks(loaded, &bytes, signed.as_ref(), args),
    };
    let signer = signed.and_then(Result::ok).filter(|_| read.is_ok());
    let loaded = read.ok();
    let report = VerifyReport {
        version: 1,
        lock: path.display().to_string(),
        holds: checks.iter().all(|check| check.holds),
        digest: loaded.as_ref().map(|loaded| loaded.digest.clone()),
        policy: loaded.as_ref().map(|loaded| loaded.lock.policy.name.clone()),
        revision: loaded.as_ref().map(|loaded| loaded.lock.revision),
        checks,
        signed: signer.is_some(),
        signer: signer.map(|Signer { fingerprint, principals, .. }| JsonSigner { fingerprint, principals }),
    };
    let code = if report.holds { code::CLEAN } else { code::FINDINGS };
    let mut said = Said { code, ..Said::default() };
    match session.global.format {
        Format::Json => said.json(&report),
        Format::Short => short(&report, &mut said),
        _ => human(session, &report, loaded.as_ref(), args.allow_unsigned, &mut said),
    }
    Ok(said)
}

type Signed = Result<Signer, LoadError>;

/// What the signature comes to, where one is asked for.
fn signed(bytes: &[u8], lock: &Path, args: &VerifyArgs) -> Result<Option<Signed>, Trouble> {
    let Some(list) = &args.allowed_signers else { return Ok(None) };
    let fault = |message: &str, error| Fault::new(message, list, error);
    let allowed = match disk::read(list, disk::MAX_FILE_BYTES) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| fault("is no UTF-8", None))?,
        Err(disk::ReadError::TooLarge(_)) => {
            return Err(fault("is too large for a list of signers", None).into());
        }
        Err(disk::ReadError::Io(error)) => return Err(fault("cannot be read", Some(error)).into()),
    };
    let path = args.signature.clone().unwrap_or_else(|| crate::lock::signature_path(lock));
    let signature = crate::lock::load_signature(&path)?;
    Ok(Some(load::signer(bytes, &allowed, signature.as_deref())))
}

fn checks(loaded: &Loaded, bytes: &[u8], signed: Option<&Signed>, args: &VerifyArgs) -> Vec<VerifyCheck> {
    let mut checks = vec![VerifyCheck::held("form")];
    checks.extend(signed.map(|signed| match signed {
        Ok(_) => VerifyCheck::held("signature"),
        Err(error) => VerifyCheck::broken("signature", error.code(), None, error.to_string()),
    }));
    let own = &loaded.lock.policy;
    let trust = |policy: Option<&String>, environment: Option<&String>| Trust {
        allow_gap: false,
        environment: environment.or(own.environment.as_ref()).cloned(),
        policy: policy.unwrap_or(&own.name).clone(),
        signers: Signers::Unsigned,
    };
    for (name, trust) in [
        ("policy", args.policy.as_ref().map(|policy| trust(Some(policy), None))),
        ("environment", args.environment.as_ref().map(|environment| trust(None, Some(environment)))),
    ] {
        let Some(trust) = trust else { continue };
        checks.push(match load::load(bytes, &trust, None) {
            Err(error @ (LoadError::Policy { .. } | LoadError::Environment { .. })) => {
                VerifyCheck::broken(name, error.code(), None, error.to_string())
            }
            _ => VerifyCheck::held(name),
        });
    }
    let failures = prove::failures(&loaded.lock);
    checks.extend(prove::names().map(|name| {
        let failure = failures.iter().find(|failure| failure.proof == name);
        failure.map_or_else(
            || VerifyCheck::held(name),
            |failure| {
                VerifyCheck::broken(name, "proof_failed", Some(failure.cell.clone()), failure.why.clone())
            },
        )
    }));
    checks
}

fn short(report: &VerifyReport, said: &mut Said) {
    for check in &report.checks {
        let broken = check.why.as_deref().unwrap_or_default();
        let cell = check.cell.as_deref().map_or_else(String::new, |cell| format!(" {cell}:"));
        said.line(match check.holds {
            true => format!("held {}", check.name),
            false => visible(&format!("failed {}:{cell} {broken}", check.name)).into_owned(),
        });
    }
    if let Some(JsonSigner { fingerprint, principals }) = &report.signer {
        said.line(visible(&format!("signed {principals} ({fingerprint})")));
    }
}

fn human(
    session: &Session,
    report: &VerifyReport,
    loaded: Option<&Loaded>,
    allow_unsigned: bool,
    said: &mut Said,
) {
    let look = session.terminal.out;
    said.line(style::bold(look, &visible(&report.lock)));
    if let Some(loaded) = loaded {
        let policy = &loaded.lock.policy;
        let environment = policy.environment.as_deref().map_or("no environment", |name| name);
        let name = format!("{}, revision {}, {environment}", policy.name, loaded.lock.revision);
        said.line(visible(&name));
        said.line(&loaded.digest);
    }
    if let Some(JsonSigner { fingerprint, principals }) = &report.signer {
        said.line(visible(&format!("signed by {principals} ({fingerprint})")));
    }
    said.line("");
    for check in &report.checks {
        let word = if check.holds { style::good(look, "  held  ") } else { style::error(look, "  FAILED") };
        said.line(format!("{word}  {}", check.name));
        if let Some(why) = &check.why {
            let at = check.cell.as_deref().map_or_else(String::new, |cell| format!("at {cell}: "));
            let room = look.width.saturating_sub(10);
            for line in report::wrap(&visible(&format!("{at}{why}")), room, room) {
                said.line(format!("          {line}"));
            }
        }
    }
    said.line("");
    let failed = report.checks.iter().filter(|check| !check.holds).count();
    let total = report.checks.len();
    said.line(match failed {
        0 => format!("verified: all {total} checks hold"),
        1 => format!("not verified: 1 of {} fails", counted(total, "check")),
        _ => format!("not verified: {failed} of {} fail", counted(total, "check")),
    });
    if failed == 0 && !allow_unsigned && !report.signed {
        let note = "note: no signature was checked. This shows that the lock is whole and keeps its own rules, not who \
                    wrote it.";
        for line in report::wrap(note, session.terminal.err.width, session.terminal.err.width) {
            said.note(line);
        }
    }
}
