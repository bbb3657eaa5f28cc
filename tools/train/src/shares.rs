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

/// Let `work` change each of `items`; without threads where one is enough.
pub fn each_mut<T: Send>(items: &mut [T], threads: usize, work: impl Fn(&mut T) + Sync) {
    let share = items.len().div_ceil(threads.max(1)).max(1);
    if share >= items.len() {
        return items.iter_mut().for_each(work);
    }
    let work = &work;
    thread::scope(|scope| {
        for mine in items.chunks_mut(share) {
            scope.spawn(move || mine.iter_mut().for_each(work));
        }
    });
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

    #[test]
    fn every_item_is_changed_once() {
        for threads in [0, 1, 3, 10, 99] {
            let mut items: Vec<u32> = (0..10).collect();
            each_mut(&mut items, threads, |x| *x += 100);
            assert_eq!(items, (100..110).collect::<Vec<_>>(), "{threads}");
        }
        each_mut(&mut [], 4, |_: &mut u32| ());
    }
}
