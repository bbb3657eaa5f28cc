//! Backgammon across modules: sums that follow the game, the table of bearoffs, and every algorithm held to plain Expectimax
//! with networks as the evaluation.

#[path = "support/plain.rs"]
mod plain;

use alea::eval::backgammon::bearoff::{self, Bearoff};
use alea::eval::backgammon::features::race_layout;
use alea::eval::backgammon::network::BothWeights;
use alea::eval::backgammon::{BackgammonEvaluator, BackgammonNetwork, bearoff_table};
use alea::eval::nn::{Featured, Layout, Weights};
use alea::eval::{ChildEvaluator, Evaluated, Evaluator, Noise};
use alea::game::backgammon::{PLACES, Position};
use alea::game::{Game, Kind, Player, Shortcuts, Step};
use alea::search::{Algorithm, Limits, Searched, Searcher, Settings, Stop};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// The positions of a random game, both kinds of nodes, the end left out.
fn random_game(seed: u64) -> Vec<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Position::opening();
    let mut seen = Vec::new();
    while !matches!(game.kind(), Kind::Over(_)) {
        seen.push(game);
        match game.kind() {
            Kind::Chance => {
                let rolls: Vec<_> = game.outcomes().collect();
                game.resolve(rolls.choose_weighted(&mut rng, |roll| roll.weight).unwrap().id);
            }
            _ => game.play(*game.moves().choose(&mut rng).unwrap()),
        }
    }
    seen
}

fn random_weights(seed: u64, layout: &Layout, units: usize) -> Weights {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut draws = |count: usize, size: i16| (0..count).map(|_| rng.random_range(-size..=size)).collect::<Vec<i16>>();
    let (first, bias) = (draws(layout.features() * units, 60), draws(units, 60));
    let out = (0..5).map(|_| draws(units, 900)).collect();
    Weights { one: 300, shift: 18, first, bias, out, out_bias: vec![1234, -90_000, -200_000, -80_000, -210_000] }
}

/// Networks of random weights, not all units in use.
fn random_network(seed: u64) -> BackgammonNetwork {
    let units = 9 * seed as usize % 5;
    let weights = BothWeights {
        contact: random_weights(seed, &Position::layout(), 120 + units),
        race: random_weights(seed + 99, &race_layout(), 28 + units),
    };
    let network = BackgammonNetwork::new(weights.clone()).unwrap();
    let read = BackgammonNetwork::from_bytes(&weights.to_bytes()).unwrap();
    let start = Position::opening();
    assert_eq!(read.chances_afresh(&start), network.chances_afresh(&start));
    network
}

fn net(network: BackgammonNetwork) -> BackgammonEvaluator {
    BackgammonEvaluator::by_network(Arc::new(network), Noise::NONE)
}

#[test]
fn sums_that_follow_the_game_are_those_computed_afresh() {
    let (mut contact, mut races, mut breaks, mut tables) = (0, 0, 0, 0);
    for seed in 0..24 {
        let afresh = random_network(seed % 4);
        let evaluator = net(random_network(seed % 4));
        let games = random_game(seed);
        let mut state = evaluator.state(&games[0]);
        for (i, game) in games.iter().enumerate() {
            assert_eq!(evaluator.value(&state, game), afresh.chances_afresh(game).value(), "{game:?}");
            if game.kind() == Kind::Chance {
                continue;
            }
            let (children, before_roll) = (evaluator.children(&state, game), game.without_roll());
            let from_before = evaluator.children(&state, &before_roll);
            for mv in game.moves().into_iter().take(30) {
                let step = Step::Move(mv);
                let child = game.child(step);
                if child.kind() != Kind::Chance {
                    continue;
                }
                let value = -afresh.chances_afresh(&child).value();
                assert_eq!(children.value_after(mv), value, "{game:?} {mv:?}");
                assert_eq!(from_before.value_after(mv), value, "{game:?} {mv:?}");
                let mut last = state;
                evaluator.advance_before_last(&mut last, game, step, &child);
                let next = child.moves_after(7).next().unwrap();
                let leaf = child.child(Step::Move(next));
                if leaf.kind() == Kind::Chance {
                    let value = -afresh.chances_afresh(&leaf).value();
                    assert_eq!(evaluator.children(&last, &child).value_after(next), value, "{child:?}");
                }
                match (game.is_race(), child.is_race()) {
                    (false, false) => contact += 1,
                    (false, true) => breaks += 1,
                    _ if bearoff::covers(&child) => tables += 1,
                    _ => races += 1,
                }
            }
            if let Some(next) = games.get(i + 1) {
                let mv = game.moves().into_iter().find(|&mv| game.child(Step::Move(mv)) == *next).unwrap();
                evaluator.advance(&mut state, game, Step::Move(mv), next);
            }
        }
    }
    assert!(contact > 2000 && races > 200 && breaks > 10 && tables > 50, "{contact} {races} {breaks} {tables}");
}

#[test]
fn rolls_change_no_value() {
    let noisy = |name| Position::opening().evaluator(name, None, Noise::new(0.1, 7).unwrap()).unwrap();
    let evaluators = [net(random_network(1)), noisy("net"), noisy("pips"), noisy("zero")];
    for game in (0..4).flat_map(random_game).filter(|game| game.kind() == Kind::Chance) {
        for evaluator in &evaluators {
            let value = |game: &Position| evaluator.value(&evaluator.state(game), game);
            let rolled = game.child(Step::Outcome(game.outcomes().last().unwrap().id));
            assert_eq!(value(&game), value(&rolled), "{game:?}");
        }
    }
}

/// What the game says of itself sooner is what its rules say.
#[test]
fn shortcuts_are_sound() {
    let ends = |game: &Position, mv| matches!(game.child(Step::Move(mv)).kind(), Kind::Over(_));
    let mut quiet = 0;
    for game in (0..40).flat_map(random_game).filter(|game| game.kind() == Kind::Chance) {
        for outcome in game.outcomes() {
            let rolled = game.child(Step::Outcome(outcome.id));
            let moves: Vec<_> = game.moves_after(outcome.id).collect();
            assert_eq!(moves, rolled.moves().to_vec(), "{rolled:?}");
            if game.is_quiet() {
                assert!(rolled.is_quiet() && !moves.iter().any(|&mv| ends(&rolled, mv)), "{rolled:?}");
                quiet += 1;
            }
            if game.is_quiet_beyond() {
                assert!(
                    game.is_quiet() && moves.iter().all(|&mv| rolled.child(Step::Move(mv)).is_quiet()),
                    "{rolled:?}"
                );
            }
        }
    }
    assert!(quiet > 10_000, "{quiet}");
}

/// Late positions of random games, which are small enough for plain search.
fn positions(seeds: std::ops::Range<u64>) -> Vec<Position> {
    let late = |seed| {
        let game = random_game(seed);
        let at = [game.len() / 3, game.len() / 2, game.len() - game.len() / 5][seed as usize % 3];
        game[at]
    };
    seeds.map(late).collect()
}

#[test]
fn every_exact_algorithm_finds_the_value_of_plain_search() {
    let evaluators = [Position::opening().best_evaluator(), net(random_network(2))];
    for (i, game) in positions(0..12).into_iter().enumerate() {
        let evaluator = &evaluators[i % 2];
        let depth = if game.kind() == Kind::Decision { 3 } else { 2 };
        let expected = plain::value(&game, evaluator, depth);
        for algorithm in Algorithm::EXACT {
            let mut searcher = Searcher::new(1).unwrap();
            let settings = Settings { algorithm, ..Settings::default() };
            let limits = Limits::to_depth(depth);
            let verdict = game.search(&mut searcher, evaluator, &settings, &limits, &Stop::new(), &mut |_| ());
            let found = verdict.value.to_f64();
            assert!((found - expected.to_f64()).abs() < 1e-6, "{algorithm:?} {game:?}: {found} for {expected:?}");
        }
    }
}

/// The value of a position by the rules alone, to its end.
fn exact(game: &Position) -> f64 {
    let mut searcher = Searcher::new(16).unwrap();
    let evaluator = game.evaluator("zero", None, Noise::NONE).unwrap();
    let limits = Limits::to_depth(60);
    let verdict = game.search(&mut searcher, &evaluator, &Settings::default(), &limits, &Stop::new(), &mut |_| ());
    verdict.value.to_f64() * 3.0
}

#[test]
fn the_table_of_bearoffs_is_next_to_exact() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut worst: f64 = 0.0;
    for _ in 0..40 {
        let checkers = [(); 2].map(|()| {
            let mut side = [0; PLACES];
            (0..rng.random_range(1..=3)).for_each(|_| side[rng.random_range(1..=6)] += 1);
            side
        });
        let game = Position::set_up(checkers, Player::First, None).unwrap();
        assert!(bearoff::covers(&game));
        let win = f64::from(bearoff_table().win(&checkers[0], &checkers[1])) / f64::from(1 << 24);
        worst = worst.max((2.0 * win - 1.0 - exact(&game)).abs());
    }
    assert!(worst < 0.01, "{worst}");
}

#[test]
fn the_table_that_comes_with_the_engine_is_what_the_command_makes() {
    let table = Bearoff::compute(|| ());
    assert_eq!(&table, bearoff_table());
    let bytes = table.to_bytes();
    assert_eq!(Bearoff::from_bytes(&bytes).unwrap(), table);
    for bad in [&bytes[..bytes.len() - 1], &bytes[..9], &bytes[..10], &[&bytes[..], &[0]].concat(), b""] {
        assert!(Bearoff::from_bytes(bad).is_err());
    }
    let mut flipped = bytes.clone();
    flipped[5000] ^= 1;
    assert!(Bearoff::from_bytes(&flipped).is_err());
}
