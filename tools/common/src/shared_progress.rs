//! Progress of work that several threads share.

use crate::progress::{Progress, at_this_pace};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Counts what is done, whoever does it, and shows it.
pub struct SharedProgress {
    progress: Mutex<Progress>,
    done: AtomicUsize,
    total: usize,
    started: Instant,
}

impl SharedProgress {
    /// Progress towards `total` of what `noun` names.
    pub fn new(noun: &'static str, total: usize) -> SharedProgress {
        let progress = Mutex::new(Progress::new(noun, total));
        SharedProgress { progress, done: AtomicUsize::new(0), total, started: Instant::now() }
    }

    /// One more is done.
    pub fn count(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        // Whoever holds the lock is showing progress already.
        if let Ok(mut progress) = self.progress.try_lock() {
            progress.show(done, || at_this_pace(self.started, done, self.total));
        }
    }

    /// Take the bar away.
    pub fn finish(self) {
        self.progress.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    }
}
