//! From diagnostics to findings: levels in force, waivers taken into account.

use std::collections::BTreeMap;

use harnessc_runtime::lock;

use super::levels::Levels;
use super::waivers::Waivers;
use crate::diagnostic::{Diagnostic, Finding, Level, Sink};
use crate::rules::Cx;

/// The levels and waivers in force, as the lock records them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grading {
    /// Rule to the level that the manifest sets, where it says other than the rule's page.
    pub levels: BTreeMap<String, lock::Level>,
    /// What was set aside, by file, rule and what it excuses.
    pub waivers: Vec<lock::Waiver>,
}

/// Grades everything that was found, sets aside what is waived, and reports levels and waivers that are themselves at fault.
pub fn grade(cx: &Cx<'_>, mut sink: Sink) -> (Vec<Finding>, Grading) {
    let levels = Levels::read(cx.model, &mut sink);
    let mut waivers = Waivers::read(cx, &mut sink);
    let found = sink.into_sorted();
    let (mut kept, mut set_aside) = (Vec::new(), Vec::new());
    for diagnostic in found {
        let level = levels.of(&diagnostic);
        if level == Level::Allow {
            continue;
        }
        match waivers.excuse(cx, &diagnostic, level) {
            Some(waiver) => set_aside.push(waiver),
            None => kept.push(Finding { diagnostic, level }),
        }
    }
    let mut faults = Sink::default();
    waivers.finish(cx, &levels, &mut faults);
    let faults: Vec<Diagnostic> = faults.into_sorted();
    if !faults.is_empty() {
        kept.extend(faults.into_iter().map(|diagnostic| Finding { level: Level::Forbid, diagnostic }));
        kept.sort_by(|a, b| place(a).cmp(&place(b)));
    }
    set_aside.sort_by(|a, b| (&a.file, &a.rule, &a.excuses).cmp(&(&b.file, &b.rule, &b.excuses)));
    set_aside.dedup();
    (kept, Grading { levels: levels.differing(), waivers: set_aside })
}

/// The order of findings, as the sink has it.
fn place(finding: &Finding) -> (crate::source::Span, &'static str, &str) {
    let Diagnostic { primary, rule, message, .. } = &finding.diagnostic;
    (primary.span, rule.0, message)
}
