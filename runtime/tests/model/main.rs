//! The model check of pending actions: two workers, three people and two actions, one leaning on the other, through every
//! order of answers, starts, crashes, expiry, changes of policy and of the world, the kill switch and duplicate delivery.
//!
//! It runs the same pure functions as a server does and asks an oracle of its own, which knows who was asked what and
//! never looks at what the ledger concluded. Then each guard is blinded in turn, by showing it only what it would be
//! content with, and the check must find the harm that this guard prevents.

#[cfg(test)]
mod blind;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod search;
#[cfg(test)]
mod steps;
#[cfg(test)]
mod world;

#[cfg(test)]
mod check {
    use crate::blind::Blind;
    use crate::search::search;

    #[test]
    fn no_order_of_events_executes_what_was_not_approved_or_executes_it_twice_or_loses_it() {
        let found = search(None);
        println!(
            "{} states, {} transitions, {} ledgers, {} executions, depth {}",
            found.states, found.transitions, found.ledgers, found.executions, found.depth
        );
        assert_eq!(found.violation, None);
        // The check looks at something: both actions are executed, in more than one way.
        assert!(found.executions > 100 && found.states > 9_000);
    }

    #[test]
    fn with_any_guard_blinded_the_check_finds_the_harm() {
        for blind in Blind::ALL {
            let found = search(Some(blind));
            let Some(violation) = found.violation else {
                panic!("{blind:?} is blind and nothing happened in {} states", found.states);
            };
            println!("{blind:?}: {}\n    {}", violation.what, violation.trace.join("\n    "));
            assert_eq!(violation.what, blind.harm(), "{blind:?}: {:#?}", violation.trace);
        }
    }
}
