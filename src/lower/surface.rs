//! Where calls come from.

use harnessc_runtime::lock::{Origin, Scope, Surface};

use super::values::{map, names, value};
use crate::model::people;

pub(super) fn surface(stated: &people::Surface) -> Surface {
    Surface {
        after_approval: stated.after_approval.as_ref().map(names),
        origin: stated.origin.as_ref().map(|origin| match origin.value {
            people::Origin::Inside => Origin::Inside,
            people::Origin::Outside => Origin::Outside,
        }),
        scopes: stated.scopes.as_ref().map(|scopes| map(&scopes.0, scope)),
    }
}

fn scope(stated: &people::Scope) -> Scope {
    let effects = stated.effects.iter().flatten().map(|effect| crate::policy::effect(effect.value));
    let mut effects: Vec<_> = effects.collect();
    effects.sort_unstable();
    effects.dedup();
    Scope { effects, steps: value(stated.steps.as_ref()) }
}
