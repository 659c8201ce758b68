//! A naive reading of whole trees beside the compiler and the runtime: every cell, the verdict and the list.
//!
//! The reading shares no code with what it checks: it takes YAML into plain values and applies the language's page in
//! the plainest way. Where the two differ, one of them is wrong.

#![cfg(test)]

mod cells;
pub(crate) mod compile;
mod policy;
mod read;
mod verdict;

use std::path::Path;

use cells::{Count, compare, list_and_call_agree};
use compile::compile;
use policy::Policy;

/// Compares a tree with the lock that is compiled from it.
pub(crate) fn holds(root: &Path) -> Count {
    let bytes = compile(root);
    let policy = Policy::of(root);
    let bundle = compile::load(root, &bytes);
    let count = compare(&policy, &bundle);
    println!("{}: {count:?}", root.display());
    count
}

#[test]
fn lists_and_calls_agree_whatever_either_says() {
    for root in [compile::console(), compile::own("desk"), compile::own("smallest"), compile::own("whole")] {
        let compared = list_and_call_agree(&Policy::of(&root), &compile::load(&root, &compile(&root)));
        println!("{}: {compared} cells", root.display());
        assert!(compared >= 24, "{compared}");
    }
}

#[test]
fn the_console_is_what_a_plain_reading_says() {
    let count = holds(&compile::console());
    assert!(count.calls > 1_000_000, "{count:?}");
    assert!(count.allowed > 10_000, "{count:?}");
    assert!(count.proposed > 5_000, "{count:?}");
}

#[test]
fn a_desk_is_what_a_plain_reading_says() {
    let count = holds(&compile::own("desk"));
    assert!(count.allowed > 0 && count.proposed > 0, "{count:?}");
}

#[test]
fn a_tree_of_everything_is_what_a_plain_reading_says() {
    let count = holds(&compile::own("whole"));
    assert!(count.allowed > 0 && count.proposed > 0, "{count:?}");
}

#[test]
fn the_smallest_tree_is_what_a_plain_reading_says() {
    let count = holds(&compile::own("smallest"));
    assert!(count.allowed > 0 && count.proposed > 0, "{count:?}");
}

/// One tree for each thing that is easily read two ways: approvals of cases, prose of tools that also read, output
/// schemas of outside servers, and their hints.
#[test]
fn what_is_easily_read_two_ways_is_what_a_plain_reading_says() {
    for (tree, allowed, proposed) in
        [("asks", false, true), ("mixed", true, true), ("published", true, true), ("hinted", false, true)]
    {
        let count = holds(&compile::own(tree));
        assert_eq!((count.allowed > 0, count.proposed > 0), (allowed, proposed), "{tree}: {count:?}");
    }
}

/// The lock that is committed beside the sources says the same as they do.
#[test]
fn the_committed_lock_is_what_a_plain_reading_says() {
    let root = compile::console();
    let bytes = std::fs::read(root.join("harness.lock")).unwrap();
    let count = compare(&Policy::of(&root), &compile::load(&root, &bytes));
    assert!(count.calls > 1_000_000, "{count:?}");
}

/// Every root input that the tree or the tool binds is bound in the lock, required, and to the field that is named.
#[test]
fn what_is_bound_is_required() {
    for root in [compile::console(), compile::own("desk"), compile::own("smallest"), compile::own("whole")] {
        let bundle = compile::load(&root, &compile(&root));
        let expected = policy::bound(&root);
        assert_eq!(expected.len(), bundle.lock().tools.len());
        for (name, tool) in &bundle.lock().tools {
            assert_eq!(tool.bind, expected[name], "{name}");
            let input: serde_json::Value = serde_json::from_str(tool.input.as_str()).unwrap();
            let cases = tool.cases.iter().map(|cases| &cases.input);
            for demanded in tool.bind.keys().chain(cases) {
                let required = input["required"]
                    .as_array()
                    .is_some_and(|names| names.contains(&demanded.as_str().into()));
                assert!(required, "{name}: {demanded}");
            }
        }
    }
}

/// The comparison notices: a lock that holds one deed less than its tree is not the same.
#[test]
#[should_panic(expected = "the list of")]
fn a_lock_that_differs_is_noticed() {
    let root = compile::own("smallest");
    let mut lock = compile::load(&root, &compile(&root)).lock().clone();
    lock.harnesses.get_mut("librarian").unwrap().toolset.retain(|mention| mention.tool != "shelf.lend");
    lock.effective = harnessc_runtime::prove::table::effective(&lock);
    let bytes = harnessc_runtime::lock::digest::write(&lock).unwrap();
    compare(&Policy::of(&root), &compile::load(&root, &bytes));
}
