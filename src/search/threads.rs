//! Several threads on one search: all deepen from the same root and share what they prove through the table.
//!
//! Where all branches of a node must be searched, in no particular order, a second thread that takes them from the other
//! end wastes nothing: the two meet in the middle and find the rest in the table. So it is with the outcomes of most
//! chance nodes, and with the moves at the root once the first has set the mark. Where some branches are likely to
//! be cut off, what a second thread searches may be needless; there the threads keep together and part further below.
//! Every bound in the table is sound for its depth, so the value found does not depend on who found what.

use super::report::Counters;
use super::worker::Control;

/// Recursion is as deep as the tree; this is address space, not memory.
const STACK: usize = 16 << 20;

/// Run `lead` here and `help` on other threads until `lead` is done. A thread that cannot be had is done without.
pub(super) fn together<T>(
    helpers: usize,
    control: &Control<'_>,
    lead: impl FnOnce() -> T,
    help: impl Fn(usize) -> Counters + Sync,
) -> (T, Counters) {
    std::thread::scope(|scope| {
        let help = &help;
        let spawn = |number| {
            let builder = std::thread::Builder::new().name(format!("search {number}")).stack_size(STACK);
            builder.spawn_scoped(scope, move || help(number)).ok()
        };
        let helpers: Vec<_> = (1..=helpers).map_while(spawn).collect();
        let result = lead();
        control.finish();
        let mut counters = Counters::default();
        for helper in helpers {
            counters += helper.join().unwrap_or_default();
        }
        (result, counters)
    })
}

/// The order in which a thread takes the branches of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tour {
    backwards: bool,
    skip: usize,
}

impl Tour {
    /// First to last, for threads that are to keep together.
    pub const FORWARDS: Tour = Tour { backwards: false, skip: 0 };

    /// The first thread goes forwards, the second backwards, and so on from other starting points.
    pub fn of_thread(number: usize) -> Tour {
        Tour { backwards: number % 2 == 1, skip: number / 2 }
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

    #[test]
    fn tours_visit_everything_once() {
        let tours = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 3, 0], [2, 1, 0, 3]];
        for (thread, order) in tours.into_iter().enumerate() {
            assert_eq!(Tour::of_thread(thread).over(4).collect::<Vec<_>>(), order);
        }
        assert_eq!(Tour::of_thread(16).over(3).count(), 3);
        let tours = [[0, 1, 2, 3], [0, 3, 2, 1], [0, 2, 3, 1], [0, 2, 1, 3]];
        for (thread, order) in tours.into_iter().enumerate() {
            assert_eq!(Tour::of_thread(thread).after(1, 4).collect::<Vec<_>>(), order);
        }
        assert_eq!(Tour::of_thread(1).after(2, 4).collect::<Vec<_>>(), [0, 1, 3, 2]);
        assert_eq!(Tour::of_thread(1).after(2, 1).collect::<Vec<_>>(), [0]);
    }
}
