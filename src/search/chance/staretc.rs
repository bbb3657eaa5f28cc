//! StarETC (Veness 2006): Star2 that first asks the transposition table, for the chance node itself and then for every
//! outcome, and that stores what it proves of chance nodes: a lower and an upper bound, each with its depth.
//!
//! The published pseudo-code stores bounds as exact values, stores under the wrong position, and lets an exact entry set
//! the lower bound only; here everything known of an outcome goes through one [`Expectation`](super::Expectation), so a
//! value is exact only where both its bounds meet.

use super::{Chance, Method, Plan};
use crate::eval::Evaluator;
use crate::game::{ArrayVec, Bounds, Game, MAX_BRANCHES, Turn, Value};
use crate::search::spot::Spot;
use crate::search::table::{Entry, Known};
use crate::search::worker::{Found, Worker};

/// The table, a probing phase, then narrowed windows.
pub(in crate::search) struct StarEtc;

/// Decisions this close to the leaves are not in the table.
const SHALLOWEST_ENTRY: u32 = 2;

impl Method for StarEtc {
    const STORES_CHANCE: bool = true;

    fn chance<G: Game, E: Evaluator<G>>(worker: &mut Worker<'_, G, E>, spot: Spot<'_, G, E>) -> Found {
        let judged = worker.judgements;
        let Spot { window, depth, .. } = spot;
        let key = spot.key(worker.images);
        let entry = worker.table.probe(key.hash).unwrap_or(Entry::NONE);
        worker.counters.table_hits += u64::from(entry != Entry::NONE);
        let told = entry.known(depth);
        if told.bounds != Bounds::UNKNOWN {
            worker.rely_on(told);
        }
        if let Some(value) = window.settled(told.bounds) {
            worker.counters.table_cuts += 1;
            return Ok(value);
        }
        let mut node = Chance::new(spot.within(window.within(told.bounds)));
        let value = node.settle(worker, entry)?;
        let proven = Known { bounds: node.outcomes.bounds(), solved: worker.judgements == judged };
        worker.table.learn(key.hash, depth, proven, None);
        Ok(value.clamp(told.bounds.lo, told.bounds.hi))
    }
}

impl<G: Game, E: Evaluator<G>> Chance<'_, G, E> {
    /// Phase after phase, until the node is settled.
    fn settle(&mut self, worker: &mut Worker<'_, G, E>, entry: Entry) -> Found {
        let plan = if self.will_fail_low(entry) { Plan::UntilSettled } else { Plan::ProbeFirst };
        if let Some(value) = self.open(worker, plan)? {
            return Ok(value);
        }
        if self.spot.depth > SHALLOWEST_ENTRY
            && let Some(value) = self.ask_table(worker)
        {
            return Ok(value);
        }
        if plan == Plan::ProbeFirst
            && let Some(value) = self.probe_all::<StarEtc>(worker)?
        {
            return Ok(value);
        }
        self.search_in_windows::<StarEtc>(worker)
    }

    /// Take in what the table knows of every outcome, until that settles the node.
    fn ask_table(&mut self, worker: &mut Worker<'_, G, E>) -> Option<Value> {
        let mut turns: ArrayVec<Turn, MAX_BRANCHES> = ArrayVec::new();
        for i in 0..self.outcomes.len() {
            let (child, turn) = self.spot.game.rolled(self.outcomes.part(i).outcome.id);
            self.keys.push(worker.call_up(&child));
            turns.push(turn);
        }
        for (i, turn) in turns.into_iter().enumerate() {
            if !self.is_open(i) {
                continue;
            }
            let Some(entry) = worker.table.probe(self.keys[i].hash) else { continue };
            worker.counters.table_hits += 1;
            let told = entry.known(self.spot.depth - 1);
            if told.bounds == Bounds::UNKNOWN {
                continue;
            }
            worker.rely_on(told);
            self.outcomes.learn(i, told.bounds.before(turn));
            if let Some(value) = self.settled_unsearched(worker) {
                return Some(value);
            }
        }
        None
    }

    /// Whether the last iteration's value says that probing, which can only fail high, would be wasted.
    fn will_fail_low(&self, entry: Entry) -> bool {
        entry.guess(self.spot.depth.saturating_sub(2)).hi <= self.spot.window.alpha
    }
}
