//! The last roll before the leaves, where nearly all of a search is spent.
//!
//! If no move can end the game and the evaluation ignores outcomes, the children of every decision here are leaves, and
//! they are evaluated straight from the chance node, many at once: a processor that need not know one value before it
//! begins with the next is twice as fast. That is worth more than the leaves that a look at the bounds in between would
//! save: after a few outcomes all leaves are evaluated together, after many the probes of all decisions, and then decision
//! by decision.

use super::{Chance, MAX_LEAVES, mean};
use crate::eval::{Evaluator, Outlook, Peak};
use crate::game::{ArrayVec, Bounds, Game, MAX_BRANCHES, Move, Moves, Outcome, Value};
use crate::search::spot::Spot;
use crate::search::worker::{Found, Stopped, Worker};

/// How far from the leaves the frontier is.
pub(in crate::search) const FRONTIER: u32 = 2;

/// What an algorithm does at the frontier, where it does not evaluate every leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// Take outcome by outcome, until the node is settled.
    UntilSettled,
    /// Probe every outcome; then the same.
    ProbeFirst,
}

/// The best of some moves: a value, and below it the move, so that the better of two is found without a branch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Best(i64);

impl Best {
    const NONE: Best = Best(i64::MIN);

    #[inline(always)]
    fn new(value: Value, mv: Move) -> Best {
        Best(i64::from(value.raw()) << u16::BITS | i64::from(mv.0))
    }

    #[inline(always)]
    fn value(self) -> Value {
        Value::from_legal((self.0 >> u16::BITS) as i32)
    }

    #[inline(always)]
    fn mv(self) -> Move {
        Move(self.0 as u16)
    }
}

/// By outcome: the best of the moves evaluated so far.
type Bests = ArrayVec<Best, MAX_BRANCHES>;

/// Leaves to be evaluated together: each a move, and after which of the outcomes it is made.
type Leaves = ArrayVec<(Move, u16), MAX_LEAVES>;

/// Whether the leaves are two steps away from a chance node and can be evaluated together.
pub(in crate::search) fn is_frontier<G: Game, E: Evaluator<G>>(
    worker: &Worker<'_, G, E>,
    game: &G,
    depth: u32,
) -> bool {
    depth == FRONTIER && sees_beyond(worker, game)
}

/// Whether all positions after the next decisions of a chance node can be evaluated from there.
pub(super) fn sees_beyond<G: Game, E: Evaluator<G>>(worker: &Worker<'_, G, E>, game: &G) -> bool {
    worker.evaluator.ignores_outcomes() && game.is_quiet()
}

/// With no more outcomes than this, evaluating all leaves takes less time than finding out which can be spared.
pub(super) const FEW: usize = 6;

/// Whether that is so after a chance node at the frontier.
pub(super) fn is_small_frontier<G: Game, E: Evaluator<G>>(worker: &Worker<'_, G, E>, game: &G, depth: u32) -> bool {
    is_frontier(worker, game, depth) && game.most_outcomes() <= FEW
}

/// The exact value of a chance node at the frontier, from all its leaves. Nothing in the loop over them waits for a value.
pub(super) fn look_everywhere<G: Game, E: Evaluator<G>>(worker: &mut Worker<'_, G, E>, spot: &Spot<'_, G, E>) -> Found {
    let &Spot { game, state, depth, ply, .. } = spot;
    let (mut sum, mut weight) = (0, 0);
    let mut open: ArrayVec<Outcome, MAX_BRANCHES> = ArrayVec::new();
    for (outcome, told) in game.ruled_outcomes(depth - 1) {
        weight += i64::from(outcome.weight);
        if told.is_exact() {
            sum += i64::from(outcome.weight) * i64::from(told.lo.raw());
        } else {
            open.push(outcome);
        }
    }
    if !open.is_empty() {
        let outlook = worker.evaluator.outlook(state, game);
        let mut peaks = [Peak::NONE; MAX_BRANCHES];
        let decisions = (0..).zip(&open).map(|(i, outcome)| (outcome.id, i));
        let leaves = outlook.climb_all(game, decisions, &mut peaks);
        worker.enter(open.len() + leaves, ply + 2)?;
        worker.counters.evaluations += leaves as u64;
        worker.judgements += 1;
        for (outcome, &peak) in open.iter().zip(&peaks) {
            sum += i64::from(outcome.weight) * i64::from(outlook.height(peak).raw());
        }
    }
    Ok(mean(sum, weight))
}

impl<G: Game, E: Evaluator<G>> Chance<'_, G, E> {
    /// The value of a node at the frontier, as far as its window asks for it. (Its lists of leaves need room that a node
    /// elsewhere should not have to make.)
    #[inline(never)]
    pub(super) fn search_frontier(&mut self, worker: &mut Worker<'_, G, E>, plan: Plan) -> Found {
        let outlook = worker.evaluator.outlook(self.spot.state, self.spot.game);
        let mut bests: Bests = (0..self.outcomes.len()).map(|_| Best::NONE).collect();
        let mut firsts = Moves::new();
        if plan == Plan::ProbeFirst {
            worker.counters.probes += 1;
            firsts = self.probe_all_leaves(worker, &outlook, &mut bests)?;
            if let Some(value) = self.outcomes.settled(self.window) {
                worker.counters.probe_cuts += 1;
                return Ok(value);
            }
        }
        self.look_until_settled(worker, &outlook, &mut bests, &firsts)
    }

    /// Evaluate `ProbingFactor` moves of each open decision, and take in what that proves. Returns the first of them for
    /// each outcome.
    fn probe_all_leaves(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        outlook: &E::Outlook<'_>,
        bests: &mut Bests,
    ) -> Result<Moves, Stopped> {
        let firsts: Moves = (0..bests.len()).map(|i| self.first(worker, i)).collect();
        let mut leaves = Leaves::new();
        let mut entered = 0;
        for (i, &first) in firsts.iter().enumerate() {
            if self.is_open(i) {
                entered += 1;
                leaves.push((first, i as u16));
                leaves.extend(self.moves_but(i, Some(first)).take(worker.probing.factor - 1));
            }
        }
        self.weigh(worker, outlook, bests, &leaves, entered)?;
        for (i, best) in bests.iter().enumerate() {
            if self.is_open(i) {
                self.outcomes.learn(i, Bounds { lo: best.value(), ..Bounds::UNKNOWN });
            }
        }
        Ok(firsts)
    }

    /// Evaluate the moves of one open decision after another, but for those that have been probed, until the node is
    /// settled. `firsts` is empty, or has the first move probed of each.
    fn look_until_settled(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        outlook: &E::Outlook<'_>,
        bests: &mut Bests,
        firsts: &[Move],
    ) -> Found {
        let (probed, unentered) = if firsts.is_empty() { (0, 1) } else { (worker.probing.factor, 0) };
        for i in worker.tour.over(bests.len()) {
            if !self.is_open(i) {
                continue;
            }
            let mut leaves = Leaves::new();
            leaves.extend(self.moves_but(i, firsts.get(i).copied()).skip(probed.saturating_sub(1)));
            self.weigh(worker, outlook, bests, &leaves, unentered)?;
            self.outcomes.learn(i, Bounds::exactly(bests[i].value()));
            worker.ordering.prefer(bests[i].mv(), self.outcomes.part(i).outcome.id, self.spot.ply);
            if let Some(value) = self.outcomes.settled(self.window) {
                worker.counters.search_cuts += u64::from(!self.outcomes.bounds().is_exact());
                return Ok(value);
            }
        }
        Ok(self.outcomes.bounds().lo)
    }

    /// The move after the `i`-th outcome that is to be probed before all others.
    fn first(&self, worker: &Worker<'_, G, E>, i: usize) -> Move {
        let &Spot { game, ply, .. } = self.spot;
        let outcome = self.outcomes.part(i).outcome.id;
        let favourite = worker.ordering.favourite(outcome, ply).filter(|&mv| game.follows(outcome, mv));
        favourite.or_else(|| game.moves_after(outcome).next()).expect("every decision has a move")
    }

    /// The moves after the `i`-th outcome, as leaves, but for one.
    fn moves_but(&self, i: usize, but: Option<Move>) -> impl Iterator<Item = (Move, u16)> {
        let moves = self.spot.game.moves_after(self.outcomes.part(i).outcome.id);
        moves.filter(move |&mv| Some(mv) != but).map(move |mv| (mv, i as u16))
    }

    /// Evaluate leaves, and enter them and some decisions. Nothing in the loop waits for a value.
    #[inline(never)]
    fn weigh(
        &self,
        worker: &mut Worker<'_, G, E>,
        outlook: &E::Outlook<'_>,
        bests: &mut [Best],
        leaves: &Leaves,
        decisions: usize,
    ) -> Result<(), Stopped> {
        worker.enter(decisions + leaves.len(), self.spot.ply + 2)?;
        worker.counters.evaluations += leaves.len() as u64;
        worker.judgements += 1;
        for &(mv, i) in leaves {
            let best = &mut bests[usize::from(i)];
            *best = (*best).max(Best::new(outlook.after(mv), mv));
        }
        Ok(())
    }
}
