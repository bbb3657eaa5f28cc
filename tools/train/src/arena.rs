//! Matches at depth 1 on fixed dice: every game of dice is played twice, with the seats swapped.

use crate::shares;
use alea::eval::Evaluator;
use alea::eval::dice::{DiceEvaluator, Incremental};
use alea::game::dice::{Board, Side, Status, rolls};
use alea::game::{Game, Kind, Step};
use alea_tools::greedy::best;

/// A score out of pairs of games; the pair, not the game, is the independent sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Score {
    /// The share of the points, from 0 to 1.
    pub mean: f64,
    /// Half the width of the 95 % interval.
    pub margin: f64,
    /// How many pairs.
    pub pairs: usize,
}

impl Score {
    /// The score of a list of pairs, each from 0 to 1.
    pub fn of(pairs: &[f64]) -> Score {
        let n = pairs.len().max(1) as f64;
        let mean = pairs.iter().sum::<f64>() / n;
        let variance = pairs.iter().map(|pair| (pair - mean) * (pair - mean)).sum::<f64>() / n;
        Score { mean, margin: 1.96 * (variance / n).sqrt(), pairs: pairs.len() }
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [mean, low, high] = [self.mean, self.mean - self.margin, self.mean + self.margin].map(|x| 100.0 * x);
        write!(f, "{mean:.1} % of {} pairs of games (95 %: {low:.1} to {high:.1})", self.pairs)
    }
}

/// What `one` scores against `other` in one game on the dice of `seed`.
fn game<B: Incremental>(one: &DiceEvaluator, other: &DiceEvaluator, seat: Side, seed: u64) -> f64 {
    let mut board = Board::<B>::new(one.shape());
    let mut states = [one.state(&board), other.state(&board)];
    let mut ply = 0;
    while let (Kind::Chance, Some(roll)) = (board.kind(), rolls::roll(seed, ply, &board)) {
        let rolled = board.child(Step::Outcome(roll));
        let turn = usize::from(board.side() != seat);
        let (mv, _) = best([one, other][turn], &states[turn], &rolled);
        board = rolled.child(Step::Move(mv));
        let step = Step::Move(mv);
        states = [one.advanced(&states[0], &rolled, step, &board), other.advanced(&states[1], &rolled, step, &board)];
        ply += 1;
    }
    match board.status() {
        Status::Won(winner) if winner == seat => 1.0,
        Status::Won(_) => 0.0,
        _ => 0.5,
    }
}

/// Which dice, and how many sequences of them.
#[derive(Clone, Copy, Debug)]
pub struct Dice {
    /// Other numbers have other sequences.
    pub series: u32,
    /// Pairs of games, one sequence each.
    pub pairs: u32,
}

impl Dice {
    /// The seeds of the sequences.
    pub fn seeds(self) -> Vec<u64> {
        (0..self.pairs).map(|i| u64::from(self.series) << 32 | u64::from(i)).collect()
    }
}

/// The score of `one` against `other`; the same whatever the number of threads. `done` is called after each pair.
pub fn play<B: Incremental>(
    one: &DiceEvaluator,
    other: &DiceEvaluator,
    dice: Dice,
    threads: usize,
    done: &(dyn Fn() + Sync),
) -> Score {
    let pair = |&seed: &u64| {
        let both = [Side::Blue, Side::Red].map(|seat| game::<B>(one, other, seat, seed));
        done();
        (both[0] + both[1]) / 2.0
    };
    Score::of(&shares::each(&dice.seeds(), threads, pair))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alea::eval::Noise;
    use alea::eval::dice::EvalKind;
    use alea::game::dice::Shape;

    #[test]
    fn a_judge_splits_every_pair_with_itself() {
        let judge = DiceEvaluator::new(EvalKind::Pairs, Shape::default(), Noise::NONE).unwrap();
        let score = play::<u64>(&judge, &judge, Dice { series: 0, pairs: 20 }, 2, &|| ());
        assert_eq!(score, Score { mean: 0.5, margin: 0.0, pairs: 20 });
    }

    #[test]
    fn intervals_are_of_pairs() {
        let score = Score::of(&[0.0, 0.5, 1.0, 0.5]);
        assert_eq!(score.mean, 0.5);
        assert!((score.margin - 1.96 * (0.125_f64 / 4.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn pairs_beat_chance_moves() {
        let shape = Shape::default();
        let pairs = DiceEvaluator::new(EvalKind::Pairs, shape, Noise::NONE).unwrap();
        let blind = DiceEvaluator::new(EvalKind::Zero, shape, Noise::new(0.1, 1).unwrap()).unwrap();
        let score = play::<u64>(&pairs, &blind, Dice { series: 0, pairs: 1000 }, 2, &|| ());
        assert!(score.mean - score.margin > 0.5, "{score}");
    }
}
