//! Work done side by side. What comes out is the same however many threads do it.
//!
//! It knows nothing of the work, save for the YAML texts of a tree, which it reads.

use std::cmp::Reverse;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::diagnostic::Sink;
use crate::source::FileId;
use crate::syntax::{Document, yaml};

/// A file to read.
pub(super) struct Task {
    /// Its number.
    pub(super) file: FileId,
    /// Its text.
    pub(super) text: Arc<str>,
}

/// More threads than this gain nothing.
const MAX_THREADS: usize = 4;

/// Less text than this, in bytes, is read before another thread has begun.
const WORTH_A_THREAD: usize = 32 * 1024;

/// How many threads are worth their start for policies of so many bytes; at least one.
pub(super) fn worth(bytes: usize) -> usize {
    match bytes / WORTH_A_THREAD {
        0 | 1 => 1,
        most => most.min(MAX_THREADS).min(thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// Every document with what was found in it, in the order of the tasks.
pub(super) fn read(tasks: &[Task], threads: usize) -> Vec<(Document, Sink)> {
    // The largest first, so that no thread begins a long text when the others are done.
    let mut order: Vec<(usize, &Task)> = tasks.iter().enumerate().collect();
    order.sort_by_key(|(at, task)| (Reverse(task.text.len()), *at));
    let mut read = map(&order, threads, |(at, task)| {
        let mut sink = Sink::default();
        let document = yaml::read(task.file, &task.text, &mut sink);
        (*at, document, sink)
    });
    read.sort_by_key(|(at, ..)| *at);
    read.into_iter().map(|(_, document, sink)| (document, sink)).collect()
}

/// What `work` makes of each item, in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if threads < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let at = next.fetch_add(1, Ordering::Relaxed);
        items.get(at).map(|item| (at, work(item)))
    };
    let some = || std::iter::from_fn(take).collect::<Vec<_>>();
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(some)).collect();
        let mut done = some();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, made)| made).collect()
}

/// What two pieces of work that need nothing of each other come to.
pub fn both<A: Send, B>(
    threads: usize,
    beside: impl FnOnce() -> A + Send,
    here: impl FnOnce() -> B,
) -> (A, B) {
    if threads < 2 {
        return (beside(), here());
    }
    thread::scope(|scope| {
        let beside = scope.spawn(beside);
        let here = here();
        (beside.join().unwrap_or_else(|panic| resume_unwind(panic)), here)
    })
}

#[cfg(test)]
mod tests {
    use super::{Task, both, map, read};
    use crate::source::Sources;

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let mut sources = Sources::default();
        let mut task = |at: usize| {
            let text = format!("tools:\n  a{at}: {{title: x}}\n  a{at}: !tag y\n");
            Task { file: sources.add(format!("{at}.yaml"), text.as_str()), text: text.into() }
        };
        let tasks: Vec<Task> = (0..40).map(&mut task).collect();
        let shown = |threads| format!("{:?}", read(&tasks, threads));
        let alone = shown(1);
        assert!(alone.contains("duplicate-key"));
        for threads in [0, 2, 3] {
            assert_eq!(shown(threads), alone, "{threads} threads");
        }
    }

    #[test]
    fn what_is_made_stands_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..100).collect();
        let wanted: Vec<usize> = items.iter().map(|item| item * 2).collect();
        for threads in [0, 1, 2, 5] {
            assert_eq!(map(&items, threads, |item| item * 2), wanted, "{threads} threads");
            assert_eq!(both(threads, || 1, || 2), (1, 2));
        }
        assert!(map(&[] as &[u8], 3, |item| *item).is_empty());
    }
}
