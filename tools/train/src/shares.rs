//! Work shared out among threads. Its results are in the order of the work, whatever the number of threads.

use std::thread;

/// Cut `items` into a run for each thread; what `work` makes of each run.
pub fn runs<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let share = items.len().div_ceil(threads.max(1)).max(1);
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> = items.chunks(share).map(|mine| scope.spawn(move || work(mine))).collect();
        threads.into_iter().map(|thread| thread.join().expect("work that cannot panic")).collect()
    })
}

/// What `work` makes of each of `items`.
pub fn each<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let parts = runs(items, threads, |mine| mine.iter().map(&work).collect::<Vec<R>>());
    parts.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_work() {
        let items: Vec<u32> = (0..10).collect();
        let squares: Vec<u32> = items.iter().map(|x| x * x).collect();
        for threads in [0, 1, 3, 4, 10, 99] {
            assert_eq!(each(&items, threads, |x| x * x), squares, "{threads}");
            let runs = runs(&items, threads, <[u32]>::to_vec);
            assert!(runs.len() <= threads.max(1) && runs.concat() == items, "{threads}: {runs:?}");
        }
        assert!(each(&[], 4, |x: &u32| *x).is_empty());
    }
}
