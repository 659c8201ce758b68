//! What one lock lets whom do that another does not: decisions are compared, not texts.
//!
//! Every cell of both effective tables is held against its counterpart and graded; what is no cell is compared field by field
//! in one total table. Each widened cell carries a call that shows it, replayed under both locks. Nothing here reads a file,
//! renders or exits; what cannot be told counts as wider.

pub mod acknowledge;
mod beside;
mod cells;
mod change;
#[cfg(test)]
mod directions;
mod fields;
mod grade;
pub mod group;
mod guard;
mod latent;
mod latent_deeds;
mod pair;
mod pattern;
mod report;
mod sample;
mod schema;
mod shown;
mod unstated;
mod view;
mod ways_of_fields;
mod witness;

use harnessc_runtime::Bundle;

use crate::lock::Class;

pub use change::{Aspect, Change, Form, Witness};
pub use grade::{Delta, Grade};
pub use guard::Beside;
pub use report::{Counts, Named, Report};
pub use schema::Standing;
pub use witness::Unreal;

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The lock, loaded and proved.
    pub bundle: &'a Bundle,
    /// What stands beside it in its tree; nothing where only the lock is at hand.
    pub beside: Option<&'a Beside>,
}

/// Everything that differs, the graver first, in one order. Empty where no decision, no guard and no word differs.
///
/// # Errors
/// [`Unreal`] where a widening has no call that shows it under both runtimes: our bug.
pub fn diff(before: Side<'_>, after: Side<'_>) -> Result<Vec<Change>, Unreal> {
    let pair = pair::Pair::of(before.bundle, after.bundle);
    let inputs = witness::Inputs::default();
    let mut changes = Vec::new();
    let found = cells::compare(&pair);
    for found in &found {
        let witness = witness::witness(&pair, found, &inputs)?;
        changes.push(of_cell(found, witness));
    }
    let shown = shown::Shown::of(&pair, &found);
    let mut fields = fields::differing(before.bundle.lock(), after.bundle.lock());
    latent::mark(&mut fields, after.bundle.lock(), &shown);
    fields.extend(latent::compare(&pair, &shown));
    if let (Some(old), Some(new)) = (before.beside, after.beside) {
        fields.retain(|change| !guard::is_of_test_files(change));
        fields.extend(guard::beside(old, new));
    }
    changes.extend(fields);
    changes.sort_by(|a, b| a.place().cmp(&b.place()));
    Ok(changes)
}

/// The gravest grade of all.
pub fn grade(changes: &[Change]) -> Grade {
    changes.iter().map(|change| change.grade).max().unwrap_or_default()
}

fn of_cell(found: &cells::Found, witness: Option<Witness>) -> Change {
    let side = |text: fn(&pair::Differing) -> &String| {
        let texts = found.differing.iter().map(text).filter(|text| !text.is_empty());
        Some(texts.cloned().collect::<Vec<_>>().join("; "))
            .filter(|text| !text.is_empty() && text != "nothing")
    };
    Change {
        grade: found.delta.grade(),
        class: Class::Authority,
        harness: Some(found.harness.clone()),
        role: Some(found.role.clone()),
        persona: found.persona.clone(),
        tool: Some(found.deed.clone()),
        field: None,
        aspects: found.differing.iter().map(|one| one.aspect).collect(),
        before: side(|one| &one.before),
        after: side(|one| &one.after),
        schema: found.differing.iter().find_map(|one| one.standing),
        lost: found.differing.iter().find_map(|one| one.lost.clone()),
        witness,
        latent: false,
        why: None,
        delta: found.delta,
        form: Form::Value,
        is_of_key: false,
    }
}
