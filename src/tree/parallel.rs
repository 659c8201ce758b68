//! Many YAML texts read side by side. What comes out is the same however many threads read.

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

/// More threads than this gain nothing: what follows the reading runs on one.
const MAX_THREADS: usize = 4;

/// Less text than this, in bytes, is read before another thread has begun.
const WORTH_A_THREAD: usize = 32 * 1024;

/// Every document with what was found in it, in the order of the tasks.
pub(super) fn read(tasks: &[Task]) -> Vec<(Document, Sink)> {
    let bytes: usize = tasks.iter().map(|task| task.text.len()).sum();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(MAX_THREADS).min(bytes / WORTH_A_THREAD);
    read_with(tasks, threads)
}

fn read_with(tasks: &[Task], threads: usize) -> Vec<(Document, Sink)> {
    let next = AtomicUsize::new(0);
    // The largest first, so that no thread begins a long text when the others are done.
    let mut order: Vec<(usize, &Task)> = tasks.iter().enumerate().collect();
    order.sort_by_key(|(at, task)| (Reverse(task.text.len()), *at));
    let order = order.as_slice();
    let mut read = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| some(order, &next))).collect();
        let mut read = some(order, &next);
        for other in others {
            read.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        read
    });
    read.sort_by_key(|(at, ..)| *at);
    read.into_iter().map(|(_, document, sink)| (document, sink)).collect()
}

/// Reads tasks that nobody has taken until none is left; each with its place in the list.
fn some(order: &[(usize, &Task)], next: &AtomicUsize) -> Vec<(usize, Document, Sink)> {
    let take = || order.get(next.fetch_add(1, Ordering::Relaxed)).copied();
    std::iter::from_fn(take)
        .map(|(at, task)| {
            let mut sink = Sink::default();
            let document = yaml::read(task.file, &task.text, &mut sink);
            (at, document, sink)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Task, read_with};
    use crate::source::Sources;

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let mut sources = Sources::default();
        let mut task = |at: usize| {
            let text = format!("tools:\n  a{at}: {{title: x}}\n  a{at}: !tag y\n");
            Task { file: sources.add(format!("{at}.yaml"), text.as_str()), text: text.into() }
        };
        let tasks: Vec<Task> = (0..40).map(&mut task).collect();
        let shown = |threads| format!("{:?}", read_with(&tasks, threads));
        let alone = shown(1);
        assert!(alone.contains("duplicate-key"));
        for threads in [0, 2, 3] {
            assert_eq!(shown(threads), alone, "{threads} threads");
        }
    }
}
