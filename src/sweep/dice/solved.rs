//! A position with the true value of everything that can come of it, within a few moves or to the end.

use super::{DiceSweep, Setup};
use crate::game::dice::Side;
use crate::sweep::{Ended, Layered, Memory, Pace, Progress, WIN, sweep};

/// Moves ahead to which values are remembered: enough to show expected play.
const REMEMBERED: usize = 6;

/// What a sweep found.
pub struct Solved {
    sweep: DiceSweep,
    memory: Memory,
}

impl Solved {
    /// Sweep what can come of a position; `None` if it was told to stop.
    pub fn new(sweep_of: DiceSweep, pace: &mut Pace<'_>) -> Option<Solved> {
        Solved::to_layer(sweep_of, REMEMBERED, pace)
    }

    /// The same, with values remembered for so many moves ahead.
    fn to_layer(sweep_of: DiceSweep, remembered: usize, pace: &mut Pace<'_>) -> Option<Solved> {
        let mut memory = Memory::default();
        match sweep(&sweep_of, 0..sweep_of.layers(), remembered, &mut memory, pace) {
            Ok(()) => {
                memory.trim();
                Some(Solved { sweep: sweep_of, memory })
            }
            Err(Ended::Stopped) => None,
            Err(Ended::Store(never)) => match never {},
        }
    }

    /// The same on one thread, left to finish.
    pub fn in_peace(sweep_of: DiceSweep) -> Solved {
        Solved::to_layer_in_peace(sweep_of, REMEMBERED)
    }

    /// The same with the values of everything to the end: 30 MB for 17 empty cells.
    pub fn throughout(sweep_of: DiceSweep) -> Solved {
        let layers = sweep_of.layers();
        Solved::to_layer_in_peace(sweep_of, layers)
    }

    fn to_layer_in_peace(sweep_of: DiceSweep, remembered: usize) -> Solved {
        let (mut progress, stop) = (|_: Progress| (), || false);
        let mut pace = Pace { threads: 1, stop: &stop, progress: &mut progress };
        Solved::to_layer(sweep_of, remembered, &mut pace).expect("a sweep that nobody stops ends")
    }

    /// The value of a position before its roll, in blue's view and 2⁻²⁸ of a won game: `None` if it does not come of this one or
    /// too late to be remembered.
    pub fn number(&self, setup: &Setup) -> Option<i32> {
        let root = self.sweep.root();
        let comes = setup.shape == root.shape && (0..2).all(|side| root.checkers[side] & !setup.checkers[side] == 0);
        if !comes {
            return None;
        }
        // Only the side that has just moved can have won.
        for (side, number) in [(Side::Blue, WIN), (Side::Red, -WIN)] {
            if setup.has_won(side) {
                return Some(number);
            }
        }
        let (block, index) = self.sweep.locate(setup)?;
        Some(self.memory.block(block)?[index])
    }
}
