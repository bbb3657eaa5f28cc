//! StarETC (Veness 2006): Star2 that first asks the transposition table, for the chance node itself and then for every
//! outcome, and that stores what it proves of chance nodes: a lower and an upper bound, each with its depth. Before the
//! moves below a node are searched they are all evaluated, to put them in order, and what is remembered of the nodes
//! they lead to is called up.
//!
//! The published pseudo-code stores bounds as exact values, stores under the wrong position, and lets an exact entry set
//! the lower bound only; here everything known of an outcome goes through one [`Expectation`](super::Expectation), so a
//! value is exact only where both its bounds meet.

use super::{
    Chance, FEW, FRONTIER, Method, Plan, Sight, Trace, is_frontier, is_small_frontier, look_everywhere, sees_beyond,
};
use crate::eval::{Evaluator, Outlook};
use crate::game::{Bounds, Game, Value};
use crate::search::spot::Spot;
use crate::search::table::Known;
use crate::search::threads::Tour;
use crate::search::window::Window;
use crate::search::worker::{Found, Glance, Worker};

/// The table, a probing phase, then narrowed windows.
pub(in crate::search) struct StarEtc;

/// Decisions this close to the leaves have no place in the table. After few outcomes, nor have those before them: searching
/// what little is below takes less time than a look-up or a probe.
const UNKEPT: u32 = 1;
const UNKEPT_AFTER_FEW: u32 = 3;

/// What the table said of a chance node.
pub(in crate::search) struct Note {
    hash: u64,
    known: Bounds,
    /// What the last iteration said of it; everything is possible if it said nothing.
    guess: Bounds,
    /// The thread's count of judgements when the node was entered.
    judged: u64,
}

impl Method for StarEtc {
    type Note = Note;

    fn keeps_decisions<G: Game>(game: &G, depth: u32) -> bool {
        depth > if game.most_outcomes() <= FEW { UNKEPT_AFTER_FEW } else { UNKEPT }
    }

    fn recall<G: Game, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        trace: impl FnOnce(&Worker<'_, G, E>) -> Trace,
        window: Window,
        depth: u32,
    ) -> Glance<Note> {
        let judged = worker.judgements;
        let Trace { hash, frontier } = trace(worker);
        let found = match frontier {
            true => worker.rely_on(worker.recent.known(hash)).map(|known| (Bounds::UNKNOWN, known)),
            false => worker.ask_table(hash, depth).map(|(entry, told)| (entry.guess(depth.saturating_sub(2)), told)),
        };
        let (guess, known) = found.unwrap_or((Bounds::UNKNOWN, Bounds::UNKNOWN));
        match window.settled(known) {
            Some(value) => {
                worker.counters.table_cuts += 1;
                Glance::Value(value)
            }
            None => Glance::Chance(Note { hash, known, guess, judged }),
        }
    }

    fn chance<G: Game, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        spot: &Spot<'_, G, E>,
        window: Window,
        note: &Note,
    ) -> Found {
        let Note { hash, known, guess, judged } = *note;
        if is_small_frontier(worker, spot.game, spot.depth) {
            let value = look_everywhere(worker, spot)?;
            if worker.judgements != judged {
                worker.recent.learn(hash, Bounds::exactly(value));
            }
            return Ok(value);
        }
        let mut node = Chance::new(spot, window.within(known));
        node.ask_rules();
        let sights = worker.sights.len();
        let value = node.settle(worker, guess);
        worker.sights.truncate(sights);
        let value = value?;
        let proven = Known { bounds: node.outcomes.bounds(), solved: worker.judgements == judged };
        if !is_frontier(worker, spot.game, spot.depth) {
            worker.table.learn(hash, spot.depth, proven, None);
        } else if !proven.solved {
            worker.recent.learn(hash, proven.bounds.meet(known));
        }
        Ok(value.clamp(known.lo, known.hi))
    }
}

impl<G: Game, E: Evaluator<G>> Chance<'_, G, E> {
    /// Phase after phase, until the node is settled.
    fn settle(&mut self, worker: &mut Worker<'_, G, E>, guess: Bounds) -> Found {
        let keeps = StarEtc::keeps_decisions(self.spot.game, self.spot.depth - 1);
        if keeps {
            self.call_up_outcomes(worker);
        }
        let plan = match self.spot.depth {
            FRONTIER => Plan::ProbeFirst,
            _ if keeps && !self.will_fail_low(worker, guess) => Plan::ProbeFirst,
            _ => Plan::UntilSettled,
        };
        if let Some(value) = self.open(worker, plan)? {
            return Ok(value);
        }
        if keeps && let Some(value) = self.ask_outcomes(worker) {
            return Ok(value);
        }
        if self.spot.depth > FRONTIER + 1 && sees_beyond(worker, self.spot.game) && self.spot.game.is_quiet_beyond() {
            self.look_ahead(worker);
        }
        // Where a few outcomes are likely to suffice, the others are not worth another thread's time.
        let tour = if guess.lo >= self.window.beta { Tour::FORWARDS } else { worker.tour };
        if plan == Plan::ProbeFirst
            && let Some(value) = self.probe_all::<StarEtc>(worker, tour)?
        {
            return Ok(value);
        }
        self.search_in_windows::<StarEtc>(worker, tour)
    }

    /// Have what the table knows of the outcomes fetched, while there is other work to do.
    fn call_up_outcomes(&mut self, worker: &Worker<'_, G, E>) {
        for i in 0..self.outcomes.len() {
            let (ref child, turn) = self.spot.game.rolled(self.outcomes.part(i).outcome.id);
            let key = child.key(worker.images);
            worker.table.prefetch(key.hash);
            self.keys.push((key, turn));
        }
    }

    /// Look at every move after an open outcome, and have what is remembered of the nodes they lead to fetched.
    fn look_ahead(&mut self, worker: &mut Worker<'_, G, E>) {
        let &Spot { game, state, depth, .. } = self.spot;
        let outlook = worker.evaluator.outlook(state, game);
        for i in 0..self.outcomes.len() {
            if !self.is_open(i) {
                self.foresight.skip();
                continue;
            }
            self.foresight.begin(&worker.sights);
            let outcome = self.outcomes.part(i).outcome.id;
            for mv in game.moves_after(outcome) {
                let (key, turn) = game.key_after(outcome, mv, worker.images);
                worker.sights.push(Sight { value: outlook.after(mv), turn, hash: key.hash });
                match depth - 2 {
                    FRONTIER => worker.recent.prefetch(key.hash),
                    _ => worker.table.prefetch(key.hash),
                }
                worker.counters.guiding_evaluations += 1;
            }
        }
    }

    /// Take in what the table knows of every outcome, until that settles the node.
    fn ask_outcomes(&mut self, worker: &mut Worker<'_, G, E>) -> Option<Value> {
        for i in 0..self.outcomes.len() {
            if !self.is_open(i) {
                continue;
            }
            let (key, turn) = self.keys[i];
            let Some((_, told)) = worker.ask_table(key.hash, self.spot.depth - 1) else { continue };
            self.outcomes.learn(i, told.before(turn));
            if let Some(value) = self.settled_unsearched(worker) {
                return Some(value);
            }
        }
        None
    }

    /// Whether probing, which can only fail high, would be wasted: so says the last iteration's value, or, where there is
    /// none, the evaluation.
    fn will_fail_low(&self, worker: &mut Worker<'_, G, E>, guess: Bounds) -> bool {
        let &Spot { game, state, .. } = self.spot;
        match guess {
            Bounds::UNKNOWN => {
                worker.counters.guiding_evaluations += 1;
                worker.evaluator.value(state, game) <= self.window.alpha
            }
            guess => guess.hi <= self.window.alpha,
        }
    }
}
