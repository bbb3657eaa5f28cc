//! Matches on fixed dice and start positions: every game is played twice, with the seats swapped.

use super::draws::{Draws, Purpose};
use super::game::Taught;
use super::selfplay::best;
pub use crate::arena::Dice;
use crate::arena::Score;
use crate::shares;
use alea::eval::Evaluator;
use alea::game::{Kind, Player, Step};
use alea::search::{Limits, Searcher, Settings, Stop, TableError};

/// Memory of one searcher, in megabytes.
const HASH_MB: usize = 1;

/// One who plays: an evaluation, looked ahead with to a depth.
pub struct Contestant<'a, G: Taught> {
    /// The evaluation.
    pub evaluator: &'a G::Evaluator,
    /// How far.
    pub depth: u32,
}

/// The same with memory to search in.
struct Seat<'a, G: Taught> {
    contestant: &'a Contestant<'a, G>,
    searcher: Searcher,
}

impl<'a, G: Taught> Seat<'a, G> {
    fn new(contestant: &'a Contestant<'a, G>) -> Result<Seat<'a, G>, TableError> {
        Ok(Seat { contestant, searcher: Searcher::new(HASH_MB)? })
    }

    fn choice(&mut self, game: &G) -> G::Move {
        let Contestant { evaluator, depth } = *self.contestant;
        let greedy = || best(evaluator, &evaluator.state(game), game).0;
        // Elsewhere flips at depth 1 are evaluated before they come up.
        if depth == 1 && evaluator.ignores_outcomes() {
            return greedy();
        }
        let (settings, limits) = (Settings::default(), Limits::to_depth(depth));
        let verdict = game.search(&mut self.searcher, evaluator, &settings, &limits, &Stop::new(), &mut |_| ());
        verdict.best.unwrap_or_else(greedy)
    }
}

/// What the player of the first seat of `seats` scores as `one`, on the dice of `seed`.
fn play_game<G: Taught>(seats: [&mut Seat<'_, G>; 2], one: Player, start: &G, seed: u64) -> f64 {
    let mut game = start.clone();
    let [first, second] = seats;
    first.searcher.forget();
    second.searcher.forget();
    for ply in 0.. {
        let step = match game.kind() {
            Kind::Over(value) if game.mover() == one => return (1.0 + value.to_f64()) / 2.0,
            Kind::Over(value) => return (1.0 - value.to_f64()) / 2.0,
            Kind::Chance => {
                let face = game.chance(seed, ply).expect("a chance node has outcomes");
                Step::Outcome(game.outcome_of(face))
            }
            Kind::Decision if game.mover() == one => Step::Move(first.choice(&game)),
            Kind::Decision => Step::Move(second.choice(&game)),
        };
        game = game.child(step);
    }
    0.5
}

/// The score of `one` against `other` on some dice; the same whatever the number of threads. `done` is called after each pair.
pub fn play<G: Taught>(
    one: &Contestant<'_, G>,
    other: &Contestant<'_, G>,
    dice: Dice,
    threads: usize,
    done: &(dyn Fn() + Sync),
) -> Result<Score, TableError> {
    let play_share = |mine: &[u64]| {
        let (mut one, mut other) = (Seat::new(one)?, Seat::new(other)?);
        let mut pair = |&seed: &u64| {
            let start = G::random_start(&mut Draws::new(seed, Purpose::Starts, 0));
            let both = Player::BOTH.map(|seat| play_game([&mut one, &mut other], seat, &start, seed));
            done();
            (both[0] + both[1]) / 2.0
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
    use alea::eval::{Evaluated, Noise};
    use alea::game::einstein::Position;

    fn evaluator(name: &str, noise: Noise) -> <Position as Evaluated>::Evaluator {
        Position::default().evaluator(name, None, noise).unwrap()
    }

    #[test]
    fn a_player_splits_every_pair_with_itself() {
        let race = evaluator("race", Noise::NONE);
        for depth in [1, 3] {
            let [one, other] = [(); 2].map(|()| Contestant::<Position> { evaluator: &race, depth });
            let score = play(&one, &other, Dice { series: 0, pairs: 10 }, 2, &|| ()).unwrap();
            assert_eq!(score, Score { mean: 0.5, margin: 0.0, pairs: 10 });
        }
    }

    #[test]
    fn better_players_win() {
        let race = evaluator("race", Noise::NONE);
        let blind = evaluator("zero", Noise::new(0.1, 1).unwrap());
        let contestant = |evaluator, depth| Contestant::<Position> { evaluator, depth };
        for (one, other) in [((&race, 1), (&blind, 1)), ((&race, 3), (&race, 1))] {
            let (one, other) = (contestant(one.0, one.1), contestant(other.0, other.1));
            let score = play(&one, &other, Dice { series: 0, pairs: 200 }, 1, &|| ()).unwrap();
            assert_eq!(score, play(&one, &other, Dice { series: 0, pairs: 200 }, 3, &|| ()).unwrap());
            assert!(score.mean - score.margin > 0.5, "{score}");
        }
    }
}
