//! The outside server behind a tool was looked at just now, and lists the tool as it was pinned (THREATS, rug pull).

use crate::boundary::Conditions;
use crate::decide::Code;
use crate::lock::Tool;

/// A tool of our own passes. The look is one under the lock in force, of this digest: what an older one pinned otherwise is a
/// `lock_conflict`.
pub(in crate::boundary) fn ask(
    lock: &str,
    conditions: &Conditions<'_>,
    name: &str,
    tool: &Tool,
) -> Result<(), Code> {
    let Some(pinned) = &tool.server else { return Ok(()) };
    let now_ms = conditions.now_ms.map_err(|_| Code::UpstreamUnseen)?;
    let shown = conditions.upstreams.shows(lock, &pinned.name, name, now_ms);
    shown.map_err(|withheld| Code::from(&withheld))
}
