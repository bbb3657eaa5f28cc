//! A few at a time: engines that all start at once on a busy machine would all be late.

use parking_lot::{Condvar, Mutex};

/// Lets so many through at the same time.
pub struct Gate {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Gate {
    /// A gate as wide as the machine has processors.
    pub fn of_cores() -> Gate {
        Gate::new(std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn new(width: usize) -> Gate {
        Gate { free: Mutex::new(width), freed: Condvar::new() }
    }

    /// Do something when there is room.
    pub fn pass<T>(&self, what: impl FnOnce() -> T) -> T {
        let mut free = self.free.lock();
        while *free == 0 {
            self.freed.wait(&mut free);
        }
        *free -= 1;
        drop(free);
        let _room = Room(self);
        what()
    }
}

/// A place in the gate, given back whatever happens.
struct Room<'a>(&'a Gate);

impl Drop for Room<'_> {
    fn drop(&mut self) {
        *self.0.free.lock() += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn never_more_than_its_width() {
        let gate = Gate::new(3);
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    gate.pass(|| {
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::sleep(Duration::from_millis(2));
                        inside.fetch_sub(1, Ordering::SeqCst);
                    });
                });
            }
        });
        assert_eq!(most.into_inner(), 3);
    }
}
