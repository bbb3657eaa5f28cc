//! Matches on fixed dice: every game is played twice, with the seats swapped.

pub use crate::arena::Dice;
use crate::arena::Score;
use crate::shares;
use alea::eval::Evaluator;
use alea::eval::backgammon::BackgammonEvaluator;
use alea::eval::best_at_sight;
use alea::game::backgammon::{Move, Position, Win};
use alea::game::{Game, Kind, Notation, Player, Step};
use alea::search::{Limits, Searched, Searcher, Settings, Stop, TableError};

/// Memory of one searcher, in megabytes.
const HASH_MB: usize = 4;

/// One who plays: an evaluation, looked ahead with to a depth.
#[derive(Clone, Copy)]
pub struct Contestant<'a> {
    /// The evaluation.
    pub evaluator: &'a BackgammonEvaluator,
    /// How far.
    pub depth: u32,
}

/// The same with memory to search in.
struct Seat<'a> {
    contestant: Contestant<'a>,
    searcher: Searcher,
}

impl<'a> Seat<'a> {
    fn new(contestant: Contestant<'a>) -> Result<Seat<'a>, TableError> {
        Ok(Seat { contestant, searcher: Searcher::new(HASH_MB)? })
    }

    fn choice(&mut self, game: &Position) -> Move {
        let Contestant { evaluator, depth } = self.contestant;
        let greedy = || best_at_sight(evaluator, game, &evaluator.state(game), &game.moves());
        if depth == 1 {
            return greedy();
        }
        let (settings, limits) = (Settings::default(), Limits::to_depth(depth));
        let verdict = game.search(&mut self.searcher, evaluator, &settings, &limits, &Stop::new(), &mut |_| ());
        verdict.best.unwrap_or_else(greedy)
    }
}

/// What the player of the first seat of `seats` wins as `one`, in points, on the dice of `seed`.
fn play_game(seats: [&mut Seat<'_>; 2], one: Player, seed: u64) -> f64 {
    let mut game = Position::opening();
    let [first, second] = seats;
    first.searcher.forget();
    second.searcher.forget();
    let mut ply = 0;
    loop {
        let step = match game.kind() {
            Kind::Over(_) => {
                let won = game.win().map_or(0.0, |win| f64::from(win.points));
                return if game.win().is_some_and(|win| win.winner == one) { won } else { -won };
            }
            Kind::Chance => Step::Outcome(game.chance(seed, ply).expect("a chance node has outcomes")),
            Kind::Decision if game.mover() == one => Step::Move(first.choice(&game)),
            Kind::Decision => Step::Move(second.choice(&game)),
        };
        game = game.child(step);
        ply += 1;
    }
}

/// A share of all that could be won, as points a game.
pub fn points(share: f64) -> f64 {
    (2.0 * share - 1.0) * f64::from(Win::MOST)
}

/// The score of `one` against `other` on some dice, as a share of what could be won; the same whatever the number of
/// threads. `done` is called after each pair.
pub fn play(
    one: Contestant<'_>,
    other: Contestant<'_>,
    dice: Dice,
    threads: usize,
    done: &(dyn Fn() + Sync),
) -> Result<Score, TableError> {
    let play_share = |mine: &[u64]| {
        let (mut one, mut other) = (Seat::new(one)?, Seat::new(other)?);
        let mut pair = |&seed: &u64| {
            let both = Player::BOTH.map(|seat| play_game([&mut one, &mut other], seat, seed));
            done();
            0.5 + (both[0] + both[1]) / (4.0 * f64::from(Win::MOST))
        };
        Ok(mine.iter().map(&mut pair).collect::<Vec<f64>>())
    };
    let parts: Result<Vec<Vec<f64>>, TableError> =
        shares::runs(&dice.seeds(), threads, play_share).into_iter().collect();
    Ok(Score::of(&parts?.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alea::eval::Noise;
    use alea::eval::backgammon::pips;
    use alea::eval::zero;

    #[test]
    fn a_player_splits_every_pair_with_itself() {
        let pips = BackgammonEvaluator::by_formula(pips::value, Noise::NONE);
        let contestant = Contestant { evaluator: &pips, depth: 1 };
        let score = play(contestant, contestant, Dice { series: 0, pairs: 10 }, 2, &|| ()).unwrap();
        assert_eq!(score, Score { mean: 0.5, margin: 0.0, pairs: 10 });
    }

    #[test]
    fn better_players_win() {
        let pips = BackgammonEvaluator::by_formula(pips::value, Noise::NONE);
        let blind = BackgammonEvaluator::by_formula(zero, Noise::new(0.1, 1).unwrap());
        let [one, other] = [&pips, &blind].map(|evaluator| Contestant { evaluator, depth: 1 });
        let dice = Dice { series: 0, pairs: 100 };
        let score = play(one, other, dice, 1, &|| ()).unwrap();
        assert_eq!(score, play(one, other, dice, 3, &|| ()).unwrap());
        assert!(points(score.mean - score.margin) > 0.0, "{score}");
    }
}
