//! Sparse sampling and Monte-Carlo *-minimax have one value, which is Expectimax's where every outcome is drawn, and nears it as
//! the width grows.

#[path = "support/piles.rs"]
mod piles;
#[path = "support/plain.rs"]
mod plain;

use alea::eval::dice::DiceEvaluator;
use alea::eval::{Plain, PositionValue};
use alea::game::Value;
use alea::game::dice::{Position, Shape};
use alea::search::{Algorithm, Limits, Searcher, Settings, Stop, Verdict};
use piles::Piles;

/// An evaluation without rhyme or reason.
#[derive(Debug)]
struct Hashed;

impl PositionValue<Piles> for Hashed {
    fn value(&self, piles: &Piles) -> Value {
        Value::from_raw((piles.image_hash() % (1 << 25)) as i64 - (1 << 24))
    }
    fn ignores_outcomes(&self) -> bool {
        true
    }
}

fn search(
    piles: &Piles,
    algorithm: Algorithm,
    width: u32,
    depth: u32,
    searcher: &mut Searcher,
) -> Verdict<piles::Take> {
    let settings = Settings { algorithm, width, ..Settings::default() };
    searcher.search(piles, &Plain(Hashed), &settings, &Limits::to_depth(depth), &Stop::new(), &mut |_| ())
}

#[test]
fn both_have_one_value() {
    let mut worn = Searcher::new(1).unwrap();
    for seed in 0..40 {
        let piles = Piles::new(seed, 6, seed % 2 == 0);
        for width in [1, 2, 3, 5] {
            let plain = search(&piles, Algorithm::SparseSampling, width, 5, &mut Searcher::new(0).unwrap());
            for searcher in [&mut Searcher::new(0).unwrap(), &mut Searcher::new(1).unwrap(), &mut worn] {
                let found = search(&piles, Algorithm::Mcms, width, 5, searcher);
                assert_eq!(found.value, plain.value, "{piles:?} {width}");
                assert!(!found.is_exact() && !plain.is_exact());
            }
            // What samples taught says nothing of the game.
            let whole = search(&piles, Algorithm::StarEtc, width, 5, &mut worn);
            assert_eq!(whole.value, plain::value(&piles, &Plain(Hashed), 5));
        }
    }
}

#[test]
fn pruning_saves_nodes() {
    let position = Position::new(Shape::new(7, 4).unwrap()).with_roll(3).unwrap();
    let evaluator = DiceEvaluator::for_shape(position.shape());
    let nodes = |algorithm| {
        let settings = Settings { algorithm, width: 4, ..Settings::default() };
        let mut searcher = Searcher::new(4).unwrap();
        let limits = Limits::to_depth(5);
        searcher.search_dice(&position, &evaluator, &settings, &limits, &Stop::new(), &mut |_| ()).counters.nodes
    };
    let (plain, pruned) = (nodes(Algorithm::SparseSampling), nodes(Algorithm::Mcms));
    assert!(pruned < plain / 2, "{pruned} of {plain}");
}

#[test]
fn with_every_outcome_drawn_the_value_is_expectimaxs() {
    for seed in 0..20 {
        let piles = Piles::new(seed, 5, seed % 2 == 0);
        let expected = plain::value(&piles, &Plain(Hashed), 4);
        for algorithm in [Algorithm::SparseSampling, Algorithm::Mcms] {
            let found = search(&piles, algorithm, 5, 4, &mut Searcher::new(1).unwrap());
            assert_eq!(found.value, expected, "{algorithm:?} {piles:?}");
            assert_eq!(found.outcomes.len(), if seed % 2 == 0 { 0 } else { 5 }, "each roll is told");
        }
    }
}

/// The promise of Kearns, Mansour and Ng: the error falls with the width.
#[test]
fn wider_samples_err_less() {
    let error = |width| {
        let miss = |seed| {
            let piles = Piles::new(seed, 8, true);
            let found = search(&piles, Algorithm::Mcms, width, 3, &mut Searcher::new(1).unwrap());
            (found.value.to_f64() - plain::value(&piles, &Plain(Hashed), 3).to_f64()).abs()
        };
        (0..200).map(miss).sum::<f64>() / 200.0
    };
    let errors = [1, 3, 7].map(error);
    assert!(errors[0] > 1.2 * errors[1] && errors[1] > 1.2 * errors[2], "{errors:?}");
}
