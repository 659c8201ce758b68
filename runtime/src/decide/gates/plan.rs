//! Without a plan all passes; a proposed plan lets only the exempt pass, an approved one its steps besides.

use super::Facts;
use crate::decide::bundle::Covered;

pub(super) fn open(facts: &Facts<'_, '_>) -> bool {
    let exempt = || facts.run.harness.is_some_and(|harness| harness.exempt.contains(facts.deed.number));
    match facts.run.plan {
        Covered::All => true,
        Covered::Exempt => exempt(),
        Covered::Steps(steps) => steps.bits.contains(facts.deed.number) || exempt(),
    }
}
