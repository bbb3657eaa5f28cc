//! Several threads on one search: all deepen from the same root and share what they prove through the table.
//!
//! Chance nodes make this work well. Nearly all outcomes of a chance node must be searched, and in no particular order,
//! so a second thread that takes them from the other end wastes little: the two meet in the middle and find the rest in
//! the table. Every bound in the table is sound for its depth, so the value found does not depend on who found what.

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

/// The order in which a thread takes the outcomes of a chance node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tour {
    backwards: bool,
    skip: usize,
}

impl Tour {
    /// The first thread goes forwards, the second backwards, and so on from other starting points.
    pub fn of_thread(number: usize) -> Tour {
        Tour { backwards: number % 2 == 1, skip: number / 2 }
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
    }
}
