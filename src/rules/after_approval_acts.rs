//! See the page beside this file.

use super::engine::authority::names;
use super::engine::written;
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::people::{Scope, Surface};
use crate::model::words::Effect;
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("after-approval-acts");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for surface in cx.model.surfaces.sorted() {
        let Some(scopes) = &surface.scopes else { continue };
        let left = surface.after_approval.as_deref().unwrap_or_default();
        for (at, name) in left.iter().enumerate() {
            if let Some(scope) = scopes.0.get(name) {
                sink.extend(finding(cx, surface, (left, at, name), scope));
            }
        }
    }
}

fn finding(
    cx: &Cx<'_>,
    surface: &Def<Surface>,
    (left, at, name): (&[Spanned<String>], usize, &Spanned<String>),
    scope: &Def<Scope>,
) -> Option<Diagnostic> {
    let beyond: Vec<&Spanned<Effect>> =
        scope.effects.iter().flatten().filter(|effect| effect.value != Effect::Read).collect();
    let first = beyond.first()?;
    let effects = names(beyond.iter().map(|effect| effect.value.word()));
    let (key, name) = (&surface.key.value, &name.value);
    let message = format!("surface `{key}` leaves `{name}` to the turn after a yes, and that scope grants {effects}");
    let label = "this turn does nothing but read";
    let mut finding = Diagnostic::new(ID, left.get(at)?.span, message, label)
        .label(first.span, "more than a read")
        .note("the turn after a yes tells what came of it; the runtime drops a scope that does more, so the list would promise what no run gets")
        .help(format!("take `{name}` out; where that turn is to look things up, name a scope that grants `read` alone"));
    if let Some(edit) = written::without(cx, left, at) {
        finding = finding.fix_all(format!("take `{name}` out"), Applicability::Safe, vec![edit]);
    }
    Some(finding)
}
