//! The model check of pending actions: two workers, three people and two actions, one leaning on the other, through every
//! order of answers, starts, crashes, expiry, changes of policy and of the world, the kill switch and duplicate delivery.
//!
//! It runs the same pure functions as a server does and asks an oracle of its own, which knows who was asked what and
//! never looks at what the ledger concluded. Then each guard is blinded in turn, by showing it only what it would be
//! content with, and the check must find the harm that this guard prevents.
//!
//! A second search has both writes done by an outside server. Somebody looks at its list at any step, and finds it as it was pinned,
//! one tool changed, or nothing at all; the look grows old, is forgotten, was taken under another lock, or is of the other tool; an
//! answer never comes. What our own records do beside it, and who is nobody, is left to the first search.

#[cfg(test)]
mod blind;
#[cfg(test)]
#[path = "../suite/common/mod.rs"]
mod common;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod outside;
#[cfg(test)]
mod search;
#[cfg(test)]
mod steps;
#[cfg(test)]
mod world;

#[cfg(test)]
mod check {
    use harnessc_runtime::actions::Refusal;

    use crate::blind::Blind;
    use crate::outside::Place;
    use crate::search::{Found, search};

    /// Searches and tells how far it came.
    fn searched(place: Place) -> Found {
        let found = search(place, None);
        println!(
            "{place:?}: {} states, {} transitions, {} ledgers, {} executions, depth {}, {} returns",
            found.states, found.transitions, found.ledgers, found.executions, found.depth, found.returns
        );
        assert_eq!(found.violation, None);
        found
    }

    fn blinded(place: Place, guards: &[Blind]) {
        for blind in guards.iter().copied() {
            let found = search(place, Some(blind));
            let Some(violation) = found.violation else {
                panic!("{blind:?} is blind and nothing happened in {} states", found.states);
            };
            println!("{blind:?}: {}\n    {}", violation.what, violation.trace.join("\n    "));
            assert_eq!(violation.what, blind.harm(), "{blind:?}: {:#?}", violation.trace);
        }
    }

    #[test]
    fn no_order_of_events_executes_what_was_not_approved_or_executes_it_twice_or_loses_it() {
        let found = searched(Place::Inside);
        // The check looks at something: both actions are executed, in more than one way.
        assert!(found.executions > 100 && found.states > 9_000);
    }

    #[test]
    fn with_any_guard_blinded_the_check_finds_the_harm() {
        blinded(Place::Inside, &Blind::EVERYWHERE);
    }

    #[test]
    fn an_outside_server_executes_on_a_fresh_list_as_pinned_alone_and_nothing_approved_is_lost() {
        let found = searched(Place::Outside);
        assert!(found.executions > 100 && found.states > 9_000);
        assert_eq!(found.withheld, [Refusal::UpstreamDrift, Refusal::UpstreamUnseen].into());
        assert!(found.returns > 1_000, "hardly anything approved waited for a list");
    }

    #[test]
    fn with_any_guard_before_an_outside_server_blinded_the_check_finds_the_harm() {
        blinded(Place::Outside, &Blind::OUTSIDE);
        blinded(Place::Outside, &Blind::EXECUTION);
    }
}
