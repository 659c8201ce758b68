//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::Effect;

use super::engine::text::some;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::schema::{Problem, ProblemKind};
use crate::policy::{NO_HARNESS, Tool};
use crate::source::Span;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("open-output-schema");

const WHY: &str = "a role that does not read untrusted text gets closed data alone; under such a name the text of a document or a record comes with it, and with the text whatever it asks the model to do";

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let mut said = BTreeSet::new();
    for (key, holder) in holders(cx) {
        let Some(tool) = cx.policy.registry.tool(key) else { continue };
        let problems = tool.output.iter().flat_map(|reading| &reading.problems);
        let found: Vec<&Problem> = problems.filter(|problem| problem.kind == ProblemKind::ProseKey).collect();
        if tool.def.output.is_some() {
            for problem in found {
                if said.insert(problem.span) {
                    sink.push(stated(tool, problem, &holder));
                }
            }
        } else {
            sink.extend(published(tool, &found, &holder));
        }
    }
}

/// Who holds a read: a harness, or a persona's run without one.
struct Holder<'a> {
    role: &'a str,
    harness: &'a str,
    at: Option<Span>,
}

impl Holder<'_> {
    fn said(&self) -> String {
        match self.harness {
            NO_HARNESS => format!("role `{}`, in a run without a harness", self.role),
            harness => format!("role `{}`, in harness `{harness}`", self.role),
        }
    }
}

/// The structured reads that a role which reads no untrusted text is granted, each with the first that is.
fn holders<'a>(cx: &'a Cx<'_>) -> BTreeMap<&'a str, Holder<'a>> {
    let mut found = BTreeMap::new();
    for (harness, roles) in &cx.policy.effective {
        let at = cx.policy.harnesses.get(harness.as_str());
        for (role, cells) in roles {
            if cx.policy.roles.get(role.as_str()).is_none_or(|role| role.reads_untrusted) {
                continue;
            }
            for cell in cells {
                let Some(deed) = cx.policy.registry.deed(cell.deed) else { continue };
                if deed.effect == Effect::Read {
                    found.entry(deed.tool).or_insert_with(|| {
                        let at = at.map(|harness| harness.points_at(cell.deed));
                        Holder { role, harness, at }
                    });
                }
            }
        }
    }
    found
}

fn key_of(problem: &Problem) -> &str {
    problem.pointer.rsplit('/').next().unwrap_or("")
}

fn stated(tool: &Tool<'_>, problem: &Problem, holder: &Holder<'_>) -> Diagnostic {
    let (key, field) = (tool.key(), key_of(problem));
    let message = format!("`{key}` hands `{field}`, a name for prose, to {}", holder.said());
    let mut finding = Diagnostic::new(ID, problem.span, message, "announces prose");
    if let Some(at) = holder.at {
        finding = finding.label(at, "held here");
    }
    finding.note(WHY).help(format!(
        "leave `{field}` out, name it for what it is where it is no prose, or leave `{key}` to a role that reads untrusted text"
    ))
}

/// A published output is not the author's to edit: one finding, at the tree's own line.
fn published(tool: &Tool<'_>, found: &[&Problem], holder: &Holder<'_>) -> Option<Diagnostic> {
    let first = found.first()?;
    let key = tool.key();
    let names: BTreeSet<&str> = found.iter().map(|problem| key_of(problem)).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let message = format!("the published output of `{key}` hands {} to {}", some(&names), holder.said());
    let at = tool.def.from.as_ref().map_or(tool.def.key.span, |from| from.span);
    let mut finding = Diagnostic::new(ID, at, message, "from this server").label(first.span, "announces prose");
    if let Some(at) = holder.at {
        finding = finding.label(at, "held here");
    }
    Some(finding.note(WHY).help(format!(
        "state a closed `output` for `{key}` without such names, or write `returns: prose` and leave it to a role that reads untrusted text"
    )))
}
