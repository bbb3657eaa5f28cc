//! Several threads on one search: all deepen from the same root and share what they prove through the table.
//!
//! Where all branches of a node must be searched, in no particular order, a second thread that takes them from the other
//! end wastes nothing: the two meet in the middle and find the rest in the table. So it is with the outcomes of most
//! chance nodes, and with the moves at the root once the first has set the mark. Where some branches are likely to
//! be cut off, what a second thread searches may be needless; there the threads keep together and part further below.
//! Every bound in the table is sound for its depth, so the value found does not depend on who found what.

use super::report::Counters;
use super::worker::Control;
use parking_lot::Mutex;
use rayon_core::{ThreadPool, ThreadPoolBuilder};

/// Recursion is as deep as the tree; this is address space, not memory.
pub const STACK: usize = 256 << 20;

/// Threads that help with one search after another and sleep in between.
#[derive(Default)]
pub(super) struct Helpers {
    threads: Option<ThreadPool>,
}

impl Helpers {
    /// Be this many from now on. Where they cannot be had, searches do without.
    pub fn resize(&mut self, size: usize) {
        if size == self.size() {
            return;
        }
        let name = |i| format!("search {}", i + 1);
        let threads = ThreadPoolBuilder::new().num_threads(size).stack_size(STACK).thread_name(name);
        // A pool of none would be as large as the machine.
        self.threads = if size > 0 { threads.build().ok() } else { None };
    }

    pub fn size(&self) -> usize {
        self.threads.as_ref().map_or(0, ThreadPool::current_num_threads)
    }

    /// Run `lead` here and `help` on every other thread, with its number, until `lead` is done.
    pub fn together<T>(
        &self,
        control: &Control<'_>,
        lead: impl FnOnce() -> T,
        help: impl Fn(usize) -> Counters + Sync,
    ) -> (T, Counters) {
        let Some(threads) = &self.threads else { return (lead(), Counters::default()) };
        let counters = Mutex::new(Counters::default());
        let result = threads.in_place_scope(|scope| {
            for number in 1..=self.size() {
                let (help, counters) = (&help, &counters);
                scope.spawn(move |_| {
                    let own = help(number);
                    *counters.lock() += own;
                });
            }
            let result = lead();
            control.finish();
            result
        });
        (result, counters.into_inner())
    }
}

/// The order in which a thread takes the branches of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct BranchOrder {
    backwards: bool,
    skip: usize,
}

impl BranchOrder {
    /// First to last, for threads that are to keep together.
    pub const FORWARDS: BranchOrder = BranchOrder { backwards: false, skip: 0 };

    /// The first thread goes forwards, the second backwards, and so on from other starting points.
    pub fn of_thread(number: usize) -> BranchOrder {
        BranchOrder { backwards: number % 2 == 1, skip: number / 2 }
    }

    /// All of `0..len`: the first ones as they come, the others in this thread's order.
    pub fn after(self, first: usize, len: usize) -> impl Iterator<Item = usize> {
        let first = first.min(len);
        (0..first).chain(self.over(len - first).map(move |i| first + i))
    }

    /// All of `0..len`, in this thread's order.
    pub fn over(self, len: usize) -> impl Iterator<Item = usize> {
        let start = if self.skip < len { self.skip } else { self.skip % len.max(1) };
        (0..len).map(move |i| {
            let i = if i + start < len { i + start } else { i + start - len };
            if self.backwards { len - 1 - i } else { i }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::{Limits, Stop};

    #[test]
    fn everybody_helps_until_the_lead_is_done() {
        let mut helpers = Helpers::default();
        for size in [0, 2, 2, 1, 0] {
            helpers.resize(size);
            let stop = Stop::new();
            let control = Control::new(&stop, &Limits::<()>::default());
            let began = Mutex::new(Vec::new());
            let lead = || {
                while began.lock().len() < size {
                    std::thread::yield_now();
                }
                "done"
            };
            let help = |number| {
                began.lock().push(number);
                while !control.over() {
                    std::thread::yield_now();
                }
                Counters { nodes: 10, ..Counters::default() }
            };
            let (result, counters) = helpers.together(&control, lead, help);
            began.lock().sort();
            assert_eq!((result, counters.nodes), ("done", 10 * size as u64));
            assert!(began.into_inner().into_iter().eq(1..=size));
        }
    }

    #[test]
    fn tours_visit_everything_once() {
        let tours = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 3, 0], [2, 1, 0, 3]];
        for (thread, order) in tours.into_iter().enumerate() {
            assert_eq!(BranchOrder::of_thread(thread).over(4).collect::<Vec<_>>(), order);
        }
        assert_eq!(BranchOrder::of_thread(16).over(3).count(), 3);
        let tours = [[0, 1, 2, 3], [0, 3, 2, 1], [0, 2, 3, 1], [0, 2, 1, 3]];
        for (thread, order) in tours.into_iter().enumerate() {
            assert_eq!(BranchOrder::of_thread(thread).after(1, 4).collect::<Vec<_>>(), order);
        }
        assert_eq!(BranchOrder::of_thread(1).after(2, 4).collect::<Vec<_>>(), [0, 1, 3, 2]);
        assert_eq!(BranchOrder::of_thread(1).after(2, 1).collect::<Vec<_>>(), [0]);
    }
}
