//! Work done side by side. What comes out is the same however many threads do it.
//!
//! It knows nothing of the work, save for the YAML texts of a tree, which it reads.

use std::cmp::Reverse;
use std::hint::black_box;
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

/// Fewer files than this are read before another thread has begun.
const FILES_WORTH_A_THREAD: usize = 24;

/// How much memory a thread asks the system for at once.
const ROOM: usize = 8 * 1024 * 1024;

/// How many threads are worth their start for policies of so many bytes; at least one.
pub(super) fn worth(bytes: usize) -> usize {
    within_reach(bytes / WORTH_A_THREAD)
}

/// How many threads are worth their start for the reading of so many files; at least one.
pub(super) fn worth_of_files(files: usize) -> usize {
    within_reach(files / FILES_WORTH_A_THREAD)
}

fn within_reach(most: usize) -> usize {
    match most {
        0 | 1 => 1,
        most => most.min(MAX_THREADS).min(thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// Has the allocator set memory aside for this thread in one piece. The common one of Linux asks the system for every page of
/// a thread's heap anew and hands each larger buffer back at once, which costs a check a quarter of its time. A large block
/// that is let go unused makes it keep such blocks; a second one makes it ask for them whole. No page of either is touched.
pub fn make_room() {
    for _ in 0..2 {
        drop(black_box(Vec::<u8>::with_capacity(ROOM)));
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
    let beside = || {
        make_room();
        some()
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(beside)).collect();
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
        let beside = scope.spawn(|| {
            make_room();
            beside()
        });
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
