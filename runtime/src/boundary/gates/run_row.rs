//! The run exists, and the lock that it was created under is held. There is no fall-back to what a token claims (C5).

use crate::boundary::locks::{Held, Locks};
use crate::boundary::{Fact, RunState};
use crate::decide::Code;

pub(in crate::boundary) fn ask<'a>(
    run: Fact<Option<&'a RunState<'a>>>,
    locks: &'a Locks,
) -> Result<(&'a RunState<'a>, &'a Held), Code> {
    let run = run.map_err(|_| Code::RunUnreadable)?.ok_or(Code::RunNotFound)?;
    let created = locks.held(run.lock).ok_or(Code::LockMissing)?;
    Ok((run, created))
}
