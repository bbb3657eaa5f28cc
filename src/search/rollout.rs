//! Rollouts: a position's branches judged by games played on from them, as backgammon programs do.
//!
//! Both sides choose by a shallow search. The first chance node of each branch is stratified: its outcomes come up in proportion to
//! their weights, not by luck; and all branches have the same dice after that. From each result the luck of its dice is taken
//! off, which is what the evaluation says of an outcome beyond what it says of all of them on average: that is zero in
//! expectation, so the mean stays what it is, and the better the evaluation, the less is left of the noise.

use std::time::{Duration, Instant};

use super::limits::{Algorithm, Limits, Settings, Stop};
use super::prune::Prune;
use super::searched::Searched;
use super::searcher::{PULSE, Searcher};
use crate::eval::{Evaluator, best_at_sight};
use crate::game::{Kind, Outcome, Player, Random, Step, Value, mix};

/// Steps after which a game that goes nowhere is judged as it stands.
const LONGEST: u64 = 2000;

/// A move, or an outcome of a chance root, and what came of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Branch<M> {
    /// Which.
    pub step: Step<M>,
    /// Of an outcome: its weight.
    pub weight: u32,
    /// Games played on from it.
    pub games: u32,
    /// The mean of their results, in the root's view.
    pub value: f64,
    /// The sum of the squares of their distances from the mean.
    squares: f64,
}

impl<M> Branch<M> {
    fn new(step: Step<M>, weight: u32) -> Branch<M> {
        Branch { step, weight, games: 0, value: 0.0, squares: 0.0 }
    }

    /// Take in a result (Welford 1962).
    fn add(&mut self, result: f64) {
        self.games += 1;
        let distance = result - self.value;
        self.value += distance / f64::from(self.games);
        self.squares += distance * (result - self.value);
    }

    /// The standard error of the mean; that of a single game is not known.
    pub fn error(&self) -> f64 {
        let games = f64::from(self.games);
        if self.games < 2 { f64::INFINITY } else { (self.squares / (games - 1.0) / games).sqrt() }
    }
}

/// How a rollout stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Rollout<M> {
    /// The branches: moves from the best to the worst, outcomes in their order.
    pub branches: Vec<Branch<M>>,
    /// Games to be played on from each.
    pub wanted: u32,
    /// Since it began.
    pub time: Duration,
}

impl<M: Copy> Rollout<M> {
    /// The move that came off best.
    pub fn best(&self) -> Option<M> {
        match self.branches.first()?.step {
            Step::Move(mv) => Some(mv),
            Step::Outcome(_) => None,
        }
    }

    /// The mean of all outcomes of a chance root with its standard error; `None` before each had a game, and at a decision.
    pub fn mean(&self) -> Option<(f64, f64)> {
        let chance = self.branches.iter().all(|branch| matches!(branch.step, Step::Outcome(_)));
        if !chance || self.played() == 0 {
            return None;
        }
        let total: f64 = self.branches.iter().map(|branch| f64::from(branch.weight)).sum();
        let share = |branch: &Branch<M>| f64::from(branch.weight) / total;
        let value = self.branches.iter().map(|branch| share(branch) * branch.value).sum();
        let variance: f64 = self.branches.iter().map(|branch| (share(branch) * branch.error()).powi(2)).sum();
        Some((value, variance.sqrt()))
    }

    /// Games played so far, on all branches.
    pub fn games(&self) -> u64 {
        self.branches.iter().map(|branch| u64::from(branch.games)).sum()
    }

    /// Games played so far on each branch.
    pub fn played(&self) -> u32 {
        self.branches.iter().map(|branch| branch.games).min().unwrap_or(0)
    }
}

/// What a rollout is asked to do.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a, M> {
    /// Games to be played on from each branch.
    pub games: u32,
    /// The depth of the searches that choose moves, 1 if there is none; the moment to answer by; the moves to look at.
    pub limits: &'a Limits<M>,
}

/// A rollout that is under way.
struct Roller<'a, G: Searched> {
    searcher: &'a mut Searcher,
    evaluator: &'a G::Evaluator,
    settings: Settings,
    depth: u32,
    deadline: Option<Instant>,
    stop: &'a Stop,
    viewer: Player,
}

/// Play on from each branch of an undecided position until all games are played, the deadline, or a stop. `handler` is told about
/// once a second how it goes.
pub fn roll_out<G: Searched>(
    position: &G,
    searcher: &mut Searcher,
    evaluator: &G::Evaluator,
    settings: &Settings,
    plan: Plan<'_, G::Move>,
    stop: &Stop,
    handler: &mut dyn FnMut(&Rollout<G::Move>),
) -> Rollout<G::Move> {
    let start = Instant::now();
    let mut pulsed = start;
    let Plan { games, limits } = plan;
    let algorithm = if settings.algorithm.is_exact() { settings.algorithm } else { Algorithm::default() };
    let settings = Settings { algorithm, threads: 1, multi_pv: 1, perfect: false, prune: Prune::None, ..*settings };
    let mut roller = Roller::<G> {
        searcher,
        evaluator,
        settings,
        depth: limits.depth.unwrap_or(1),
        deadline: limits.deadline,
        stop,
        viewer: position.mover(),
    };
    let branches = branches(position, roller.evaluator, &limits.search_moves);
    let mut rollout = Rollout { branches, wanted: games, time: Duration::ZERO };
    'games: for number in 0..games {
        for at in 0..rollout.branches.len() {
            let child = position.child(rollout.branches[at].step);
            let mut pulse = || {
                if pulsed.elapsed() >= PULSE {
                    pulsed = Instant::now();
                    handler(&Rollout { time: start.elapsed(), ..rollout.clone() });
                }
            };
            let Some(result) = roller.play_on(child, number, &mut pulse) else { break 'games };
            rollout.branches[at].add(result);
        }
    }
    rollout.time = start.elapsed();
    if position.kind() == Kind::Decision {
        rollout.branches.sort_by(|a, b| (b.games > 0).cmp(&(a.games > 0)).then(b.value.total_cmp(&a.value)));
    }
    rollout
}

/// The branches of a position; of moves, the best at first sight comes before the others, for there may be no time to play.
fn branches<G: Searched>(position: &G, evaluator: &G::Evaluator, only: &[G::Move]) -> Vec<Branch<G::Move>> {
    match position.kind() {
        Kind::Over(_) => Vec::new(),
        Kind::Chance => position.outcomes().map(|o| Branch::new(Step::Outcome(o.id), o.weight)).collect(),
        Kind::Decision => {
            let mut moves: Vec<G::Move> = position.moves().into_iter().collect();
            moves.retain(|mv| only.is_empty() || only.contains(mv));
            let best = best_at_sight(evaluator, position, &evaluator.state(position), &moves);
            moves.sort_by_key(|&mv| mv != best);
            moves.into_iter().map(|mv| Branch::new(Step::Move(mv), 1)).collect()
        }
    }
}

impl<G: Searched> Roller<'_, G> {
    fn over(&self) -> bool {
        self.stop.pulled() || self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// The result of a game, less its luck; `None` if there was no time to end it. Calls `pulse` now and then.
    fn play_on(&mut self, mut game: G, number: u32, pulse: &mut dyn FnMut()) -> Option<f64> {
        let (mut luck, mut rolled) = (0.0, false);
        for ply in 0..LONGEST {
            if self.over() {
                return None;
            }
            pulse();
            match game.kind() {
                Kind::Over(value) => return Some(self.seen(&game, value) - luck),
                Kind::Chance => {
                    let outcomes: Vec<Outcome> = game.outcomes().collect();
                    let mut random = Random::new(mix(u64::from(number)) ^ ply);
                    let drawn =
                        if rolled { random.outcome(outcomes.iter().copied()) } else { stratum(&outcomes, number) };
                    rolled = true;
                    let drawn = drawn.unwrap_or(outcomes[0].id);
                    luck += self.luck(&game, &outcomes, drawn);
                    game = game.child(Step::Outcome(drawn));
                }
                Kind::Decision => game = game.child(Step::Move(self.choose(&game, pulse))),
            }
        }
        let state = self.evaluator.state(&game);
        Some(self.seen(&game, self.evaluator.value(&state, &game)) - luck)
    }

    fn seen(&self, game: &G, value: Value) -> f64 {
        let value = value.to_f64();
        if game.mover() == self.viewer { value } else { -value }
    }

    /// How much better an outcome is than all of them on average, by the evaluation.
    fn luck(&self, game: &G, outcomes: &[Outcome], drawn: u8) -> f64 {
        let (mut sum, mut total, mut own) = (0.0, 0.0, 0.0);
        for outcome in outcomes {
            let child = game.child(Step::Outcome(outcome.id));
            let value = self.seen(&child, self.value_at_sight(&child));
            sum += f64::from(outcome.weight) * value;
            total += f64::from(outcome.weight);
            if outcome.id == drawn {
                own = value;
            }
        }
        own - sum / total
    }

    /// The value of a position after its best move at first sight.
    fn value_at_sight(&self, game: &G) -> Value {
        let state = self.evaluator.state(game);
        match game.kind() {
            Kind::Over(value) => value,
            Kind::Chance => self.evaluator.value(&state, game),
            Kind::Decision => {
                let step = Step::Move(best_at_sight(self.evaluator, game, &state, &game.moves()));
                let child = game.child(step);
                let value = match child.kind() {
                    Kind::Over(value) => value,
                    _ => self.evaluator.value(&self.evaluator.advanced(&state, game, step, &child), &child),
                };
                if child.mover() == game.mover() { value } else { -value }
            }
        }
    }

    fn choose(&mut self, game: &G, pulse: &mut dyn FnMut()) -> G::Move {
        let moves = game.moves();
        if let [only] = moves[..] {
            return only;
        }
        if self.depth == 1 {
            return best_at_sight(self.evaluator, game, &self.evaluator.state(game), &moves);
        }
        let limits = Limits { deadline: self.deadline, ..Limits::to_depth(self.depth) };
        let Roller { searcher, evaluator, settings, stop, .. } = self;
        let verdict = game.search(searcher, evaluator, settings, &limits, stop, &mut |_| pulse());
        verdict.best.unwrap_or(moves[0])
    }
}

/// The outcome that game `number` begins with: of as many games as all weights together, each outcome has as many as its own
/// weight, spread evenly over them.
fn stratum(outcomes: &[Outcome], number: u32) -> Option<u8> {
    let total: u64 = outcomes.iter().map(|outcome| u64::from(outcome.weight)).sum();
    let spread = |stride: &u64| gcd(*stride, total) == 1;
    let stride = (total * 5 / 8..).find(spread).unwrap_or(1);
    let mut place = (u64::from(number) * stride + total / 2) % total;
    outcomes.iter().find_map(|outcome| {
        let found = place < u64::from(outcome.weight);
        place = place.wrapping_sub(outcome.weight.into());
        found.then_some(outcome.id)
    })
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_outcomes_come_as_often_as_they_weigh() {
        for weights in [vec![1, 1, 1, 1, 1], vec![2, 1, 5], vec![1], vec![36, 2, 2, 7], vec![1, 1]] {
            let outcomes: Vec<Outcome> = (0..).zip(&weights).map(|(id, &weight)| Outcome { id, weight }).collect();
            let total: u32 = weights.iter().sum();
            let mut counts = vec![0; weights.len()];
            for number in 0..3 * total {
                counts[usize::from(stratum(&outcomes, number).unwrap())] += 1;
            }
            assert_eq!(counts, weights.iter().map(|weight| 3 * weight).collect::<Vec<_>>());
        }
    }

    #[test]
    fn means_and_errors_are_those_of_the_results() {
        let mut branch = Branch::new(Step::Outcome::<()>(0), 1);
        assert_eq!(branch.error(), f64::INFINITY);
        [1.0, -1.0, 1.0, 0.0].into_iter().for_each(|result| branch.add(result));
        assert!((branch.value - 0.25).abs() < 1e-12);
        let mut rollout =
            Rollout { branches: vec![branch, Branch::new(Step::Outcome(1), 3)], wanted: 9, time: Duration::ZERO };
        assert_eq!(rollout.mean(), None, "an outcome without a game says nothing");
        rollout.branches[1].add(-1.0);
        assert_eq!(rollout.mean(), Some((-0.6875, f64::INFINITY)));
        assert!((branch.error() - (11.0_f64 / 12.0 / 4.0).sqrt()).abs() < 1e-12, "{}", branch.error());
    }
}
