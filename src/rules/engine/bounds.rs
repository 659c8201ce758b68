//! How many steps a run may take.

use crate::model::Model;
use crate::source::{Span, Spanned};

/// Each scope that states how many steps a run with it takes, in the order of surfaces and scopes.
pub(crate) fn steps_of_scopes(model: &Model) -> impl Iterator<Item = (&str, &Spanned<u64>)> {
    let scopes = model.surfaces.iter().filter_map(|surface| surface.scopes.as_ref());
    let scopes = scopes.flat_map(|scopes| scopes.0.iter());
    scopes.filter_map(|scope| Some((scope.key.value.as_str(), scope.steps.as_ref()?)))
}

/// The most steps that any run may take, and where that is stated: the largest scope's, within those of every run. Nothing
/// where a run's steps are not limited.
pub(crate) fn step_cap(model: &Model) -> Option<(u64, Span)> {
    let run = model.limits.run.as_ref().and_then(|run| run.steps.as_ref());
    let run = run.map(|steps| (steps.value, steps.span));
    let scopes = largest_scope(model);
    match (run, scopes) {
        (Some(run), Some(scope)) => Some(if scope.0 < run.0 { scope } else { run }),
        (one, other) => one.or(other),
    }
}

/// The largest scope's steps, where every surface grants by scopes and each of them states its steps.
fn largest_scope(model: &Model) -> Option<(u64, Span)> {
    let mut largest: Option<(u64, Span)> = None;
    for surface in &model.surfaces {
        for scope in &surface.scopes.as_ref()?.0 {
            let steps = scope.steps.as_ref()?;
            if largest.is_none_or(|(most, _)| steps.value > most) {
                largest = Some((steps.value, steps.span));
            }
        }
    }
    largest
}
