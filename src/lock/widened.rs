//! Whether one lock grants more than another.

use harnessc_runtime::lock::{Approval, Cell, Lock};

use super::compare::table;

/// The first cell, by harness, role and deed, in which `after` grants what `before` does not: `harness / role / deed`.
///
/// A cell grants more where it is new, asks for less, may be agreed to by more people, or leaves out a narrowing. Whether a
/// schema that is written in another way accepts more is not asked here.
pub fn widened(before: &Lock, after: &Lock) -> Option<String> {
    let old = table(before);
    let grown =
        table(after).into_iter().find(|(key, cell)| old.get(key).is_none_or(|old| is_wider(old, cell)));
    grown.map(|((harness, role, deed), _)| format!("{harness} / {role} / {deed}"))
}

fn is_wider(old: &Cell, new: &Cell) -> bool {
    let more_people = match (&old.approvers, &new.approvers) {
        (Some(old), Some(new)) => new.iter().any(|person| !old.contains(person)),
        (Some(_), None) => new.approval > Approval::Auto,
        (None, _) => false,
    };
    new.approval < old.approval || more_people || old.only.keys().any(|input| !new.only.contains_key(input))
}
