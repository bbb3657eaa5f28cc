//! From the last layer to the first, block by block.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use parking_lot::Mutex;

use super::{Block, Extent, Layered, Store};

/// Values that a thread works out between two looks at whether it should stop: well under a millisecond's work.
const PART: usize = 1 << 16;

/// Why a sweep ended early. What has been worked out is in the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended<E> {
    /// It was told to.
    Stopped,
    /// The store failed.
    Store(E),
}

impl<E> From<E> for Ended<E> {
    fn from(error: E) -> Ended<E> {
        Ended::Store(error)
    }
}

/// How far a sweep is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The layer that is worked on.
    pub layer: usize,
    /// Values worked out so far.
    pub done: u64,
    /// Values that will have been worked out at the end.
    pub total: u64,
}

/// How a sweep is done, and who hears of it.
pub struct Pace<'a> {
    /// Threads; at least 1.
    pub threads: usize,
    /// Asked by every thread about once a millisecond: whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told about as often how far it is.
    pub progress: &'a mut dyn FnMut(Progress),
}

/// Work out layers `layers`, the last first. The layer after them, if there is one, must be in the store; so may blocks of
/// these layers, which are then not worked out again. At the end the store has the layers that begin before `kept`, and the first one.
pub fn sweep<L: Layered, S: Store>(
    game: &L,
    layers: Range<usize>,
    kept: usize,
    store: &mut S,
    pace: &mut Pace<'_>,
) -> Result<(), Ended<S::Error>> {
    let plan: Vec<Vec<Block>> = layers.clone().map(|layer| game.blocks(layer)).collect();
    let total = plan.iter().flatten().map(|&block| game.extent(block).len() as u64).sum();
    let mut progress = Progress { layer: layers.end, done: 0, total };
    for (layer, blocks) in layers.clone().zip(&plan).rev() {
        progress.layer = layer;
        let mut users: HashMap<Block, usize> = HashMap::new();
        for child in blocks.iter().flat_map(|&block| game.children(block)) {
            *users.entry(child).or_default() += 1;
        }
        for &block in blocks {
            let children = game.children(block);
            if !store.has(block) {
                solve_block(game, block, &children, store, pace, progress)?;
            }
            progress.done += game.extent(block).len() as u64;
            (pace.progress)(progress);
            for child in children {
                let left = users.entry(child).or_default();
                *left -= 1;
                if *left == 0 && child.layer >= kept.max(layers.start + 1) {
                    store.release(child)?;
                }
            }
        }
    }
    Ok(())
}

fn solve_block<L: Layered, S: Store>(
    game: &L,
    block: Block,
    children: &[Block],
    store: &mut S,
    pace: &mut Pace<'_>,
    progress: Progress,
) -> Result<(), Ended<S::Error>> {
    let extent = game.extent(block);
    let below: Vec<Arc<Vec<i32>>> = children.iter().map(|&child| store.get(child)).collect::<Result<_, _>>()?;
    let below: Vec<&[i32]> = below.iter().map(|values| values.as_slice()).collect();
    let mut out = store.room(extent.len())?;
    let finished = fill(game, block, extent, &below, &mut out, pace, progress);
    if !finished {
        return Err(Ended::Stopped);
    }
    Ok(store.put(block, out)?)
}

/// Work out a whole block, part by part; whether it was left to finish.
fn fill<L: Layered>(
    game: &L,
    block: Block,
    extent: Extent,
    below: &[&[i32]],
    out: &mut [i32],
    pace: &mut Pace<'_>,
    progress: Progress,
) -> bool {
    let rows = (PART / extent.width).max(1);
    let parts = extent.rows.div_ceil(rows);
    let queue = Mutex::new(out.chunks_mut(rows * extent.width).enumerate());
    let stopped = AtomicBool::new(false);
    let stop = pace.stop;
    let work = |tell: &mut dyn FnMut(usize)| {
        let mut scratch = L::Scratch::default();
        while !stopped.load(Relaxed) {
            let Some((part, out)) = queue.lock().next() else { return };
            if stop() {
                stopped.store(true, Relaxed);
                return;
            }
            let first = part * rows;
            game.solve(block, first..first + out.len() / extent.width, below, &mut scratch, out);
            tell(part);
        }
    };
    thread::scope(|scope| {
        // Starting a thread costs about as much as one part.
        for _ in 1..pace.threads.min(parts / 2) {
            scope.spawn(|| work(&mut |_| ()));
        }
        work(&mut |part| {
            let done = progress.done + ((part + 1) * rows).min(extent.rows) as u64 * extent.width as u64;
            (pace.progress)(Progress { done, ..progress });
        });
    });
    !stopped.into_inner()
}
