//! Names by number, in a table that is laid out once, when a lock loads, and never grows.
//!
//! Open addressing over one array. A slot says where the name's text stands and holds all that a decision wants of it, so that
//! one line of memory answers, and the text beside it is read to compare and for nothing else: the processor goes on with the
//! slot meanwhile. The hash has no key: names come from a lock that was proved, and a caller's name is looked up, never put in.

/// What a table says of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// What the owner of the table made of it: flags.
    pub(super) marks: u16,
    /// What the name stands for.
    pub(super) number: u32,
}

/// Sixteen bytes, so that no slot lies across two lines.
#[derive(Clone, Copy, Debug)]
struct Slot {
    at: u32,
    length: u32,
    /// Bits of the hash that did not choose the slot: another name's text is hardly ever read.
    tag: u16,
    marks: u16,
    /// [`FREE`] where the slot holds no name.
    number: u32,
}

const FREE: u32 = u32::MAX;

/// Names and what they stand for.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// A power of two, at least twice as many as there are names.
    slots: Vec<Slot>,
    /// Every name's bytes, one behind the other.
    text: Vec<u8>,
}

impl Names {
    /// Takes each name with its number and marks; of a name that comes twice, the first. What has no place among 2^32 numbers
    /// or bytes is left out, and so unknown.
    pub(super) fn new<'n>(names: impl IntoIterator<Item = (&'n str, Found)>) -> Self {
        let names: Vec<(&str, Found)> = names.into_iter().collect();
        let free = Slot { at: 0, length: 0, tag: 0, marks: 0, number: FREE };
        let mut table = Self {
            slots: vec![free; names.len().saturating_mul(2).next_power_of_two()],
            text: Vec::with_capacity(names.iter().map(|(name, _)| name.len()).sum()),
        };
        for (name, found) in names {
            if found.number != FREE && table.get(name).is_none() {
                table.put(name, found);
            }
        }
        table
    }

    fn put(&mut self, name: &str, Found { marks, number }: Found) {
        let (Ok(at), Ok(length)) = (u32::try_from(self.text.len()), u32::try_from(name.len())) else {
            return;
        };
        let hash = hash(name.as_bytes());
        let place =
            self.places(hash).find(|place| self.slots.get(*place).is_none_or(|slot| slot.number == FREE));
        if let Some(slot) = place.and_then(|place| self.slots.get_mut(place)) {
            *slot = Slot { at, length, tag: tag(hash), marks, number };
            self.text.extend_from_slice(name.as_bytes());
        }
    }

    /// What stands behind a name, compared exactly.
    pub(super) fn get(&self, name: &str) -> Option<Found> {
        let hash = hash(name.as_bytes());
        for place in self.places(hash) {
            let slot = self.slots.get(place).filter(|slot| slot.number != FREE)?;
            if slot.tag == tag(hash) && self.is(slot, name) {
                return Some(Found { marks: slot.marks, number: slot.number });
            }
        }
        None
    }

    fn is(&self, slot: &Slot, name: &str) -> bool {
        let at = slot.at as usize;
        name.len() == slot.length as usize && self.text.get(at..at + name.len()) == Some(name.as_bytes())
    }

    /// Where a name of this hash may stand, the first choice first; each slot once.
    fn places(&self, hash: u64) -> impl Iterator<Item = usize> + use<> {
        let mask = self.slots.len().wrapping_sub(1);
        (0..=mask).map(move |step| (hash as usize).wrapping_add(step) & mask)
    }
}

fn tag(hash: u64) -> u16 {
    (hash >> 48) as u16
}

/// Eight bytes at a time, each folded in by a multiplication whose halves are put together.
fn hash(name: &[u8]) -> u64 {
    let mut sum = name.len() as u64 ^ 0x9e37_79b9_7f4a_7c15;
    for word in name.as_chunks::<8>().0 {
        sum = folded(sum ^ u64::from_le_bytes(*word));
    }
    let last = name.last_chunk::<8>().copied().unwrap_or_else(|| {
        let mut short = [0; 8];
        short.iter_mut().zip(name).for_each(|(own, byte)| *own = *byte);
        short
    });
    folded(sum.rotate_left(32) ^ u64::from_le_bytes(last))
}

fn folded(word: u64) -> u64 {
    let product = u128::from(word) * u128::from(0xd6e8_feb8_6659_fd93_u64);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::{Found, Names};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn table(names: &[String]) -> Names {
        let found = |number| Found { marks: number as u16 % 7, number };
        Names::new(names.iter().map(String::as_str).zip((0..).map(found)))
    }

    #[test]
    fn an_empty_table_knows_nothing() {
        assert_eq!(table(&[]).get(""), None);
        assert_eq!(table(&[]).get("records.read"), None);
        assert_eq!(table(&[String::new()]).get("").unwrap().number, 0);
    }

    #[test]
    fn a_hundred_thousand_names_that_differ_in_few_letters_lie_apart() {
        let names: Vec<String> = (0..100_000).map(|at| format!("records.read_{at:06}")).collect();
        let table = table(&names);
        let steps = |name: &String| {
            let hash = super::hash(name.as_bytes());
            let slots = table.places(hash).map(|place| &table.slots[place]);
            slots.take_while(|slot| !table.is(slot, name)).count()
        };
        let steps: Vec<usize> = names.iter().map(steps).collect();
        assert!(steps.iter().sum::<usize>() < names.len() / 2, "on average");
        assert!(steps.iter().all(|steps| *steps < 64), "{:?}", steps.iter().max());
    }

    proptest! {
        #[test]
        fn it_answers_as_a_map_does(names in proptest::collection::vec("[ab.é]{0,20}", 0..60), other in "[ab.é]{0,20}") {
            let mut map: BTreeMap<&str, u32> = BTreeMap::new();
            for (name, number) in names.iter().zip(0..) {
                map.entry(name).or_insert(number);
            }
            let table = table(&names);
            for name in names.iter().chain([&other]) {
                let found = table.get(name).map(|found| found.number);
                prop_assert_eq!(found, map.get(name.as_str()).copied());
            }
        }
    }
}
