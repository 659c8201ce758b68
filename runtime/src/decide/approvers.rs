//! Who may say yes to a deed where an outside origin or the overlay asks for more than its cell.

use crate::deeds::{Deed, Deeds};
use crate::lock::{Approval, Lock};

/// The lists of approvers by deed number.
#[derive(Clone, Debug)]
pub(super) struct Approvers {
    /// The policy's own lists, and then those of the deeds that have others.
    lists: Vec<Lists>,
    /// By deed number: which of them.
    of: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Lists {
    confirm: Option<Vec<String>>,
    four_eyes: Option<Vec<String>>,
    /// Of those of `four_eyes`, whoever may also confirm: what a cell asks for still holds where more is asked for.
    raised: Option<Vec<String>>,
}

impl Approvers {
    pub(super) fn new(lock: &Lock, deeds: &Deeds<'_>) -> Self {
        let stated = lock.approvals.approvers.as_ref();
        let usual = [stated.map(|stated| &*stated.confirm), stated.map(|stated| &*stated.four_eyes)];
        let mut lists = vec![Lists::new(usual)];
        let of = deeds.iter().map(|deed| {
            let own = of_deed(lock, deed);
            if own == usual {
                return 0;
            }
            lists.push(Lists::new(own));
            lists.len() - 1
        });
        let of = of.collect();
        Self { lists, of }
    }

    /// The personas that may say yes to a deed whose cell has one approval and which needs a stricter one; `None`: nobody
    /// needs to, or anyone may.
    pub(super) fn get(&self, deed: usize, cell: Approval, raised: Approval) -> Option<&[String]> {
        let lists = self.lists.get(*self.of.get(deed)?)?;
        match (cell, raised) {
            (_, Approval::Auto) => None,
            (_, Approval::Confirm) => lists.confirm.as_deref(),
            (Approval::Confirm, Approval::FourEyes) => lists.raised.as_deref(),
            (_, Approval::FourEyes) => lists.four_eyes.as_deref(),
        }
    }
}

impl Lists {
    fn new([confirm, four_eyes]: [Option<&[String]>; 2]) -> Self {
        Self {
            confirm: confirm.map(<[String]>::to_vec),
            four_eyes: four_eyes.map(<[String]>::to_vec),
            raised: both(confirm, four_eyes),
        }
    }
}

fn of_deed<'a>(lock: &'a Lock, deed: &Deed<'a>) -> [Option<&'a [String]>; 2] {
    [Approval::Confirm, Approval::FourEyes].map(|approval| deed.approvers(&lock.approvals, approval))
}

/// The personas of both lists; no list is every authenticated person.
fn both(one: Option<&[String]>, other: Option<&[String]>) -> Option<Vec<String>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.iter().filter(|key| other.contains(key)).cloned().collect()),
        (one, other) => one.or(other).map(<[String]>::to_vec),
    }
}
