//! The token is for this server, and claims what the run's row says (C5).

use crate::boundary::{Claims, RunState};
use crate::decide::Code;

pub(in crate::boundary) fn ask(run: &RunState<'_>, claims: &Claims<'_>, audience: &str) -> Result<(), Code> {
    let same = claims.audience == audience
        && claims.harness == run.harness
        && claims.organization == run.organization
        && claims.role == run.role
        && claims.run == run.id;
    if same { Ok(()) } else { Err(Code::HarnessMismatch) }
}
