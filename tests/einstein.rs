//! EinStein across modules: sums that follow the game, what the rules say sooner, and every algorithm held to plain
//! Expectimax.

#[path = "support/agree.rs"]
mod agree;

use agree::{all_settings, check};
use alea::eval::einstein::{EinsteinEvaluator, EinsteinNetwork};
use alea::eval::nn::{Featured, Weights, file};
use alea::eval::{ChildEvaluator, Evaluated, Evaluator, Noise, Plain, PositionValue, RunningMax};
use alea::game::einstein::Position;
use alea::game::{Bounds, Capacity, Game, Kind, Shortcuts, Slots, Step, Turn, Value, mix};
use alea::search::{Limits, Searched, Searcher, Settings, Stop};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::sync::Arc;

/// The positions of a random game from a random start, both kinds of nodes, the end left out.
fn random_game(seed: u64) -> Vec<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let orders = [(); 2].map(|()| {
        let mut order = ['1', '2', '3', '4', '5', '6'];
        order.shuffle(&mut rng);
        String::from_iter(order)
    });
    let mut game = Position::start(&[&orders[0], &orders[1]]).unwrap();
    let mut seen = Vec::new();
    while !matches!(game.kind(), Kind::Over(_)) {
        seen.push(game);
        match game.kind() {
            Kind::Chance => game.roll(rng.random_range(1..=6)),
            _ => game.play(*game.moves().choose(&mut rng).unwrap()),
        }
    }
    seen
}

/// A network of random weights, not all units in use.
fn random_network(seed: u64) -> EinsteinNetwork {
    let units = 16 - seed as usize % 4;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut draws = |count: usize, size: i16| (0..count).map(|_| rng.random_range(-size..=size)).collect::<Vec<i16>>();
    let features = Position::layout().features();
    let (first, bias, out) = (draws(features * units, 60), draws(units, 60), vec![draws(units, 2000)]);
    EinsteinNetwork::new(Weights { one: 100, shift: 20, first, bias, out, out_bias: vec![1234] }).unwrap()
}

fn net(network: EinsteinNetwork) -> EinsteinEvaluator {
    EinsteinEvaluator::by_network(Arc::new(network), Noise::NONE)
}

fn shipped() -> EinsteinEvaluator {
    Position::default().best_evaluator()
}

/// The position reflected in the diagonal from a1 to e5, by way of its text.
fn reflection(position: &Position) -> Position {
    let fen = position.fen();
    let (board, rest) = fen.split_once(' ').unwrap();
    let rows: Vec<&[u8]> = board.split('/').map(str::as_bytes).collect();
    let columns: Vec<String> = (0..5).map(|col| rows.iter().map(|row| char::from(row[col])).collect()).collect();
    let text = columns.join("/");
    Position::from_fen(&[&[text.as_str()], &rest.split(' ').collect::<Vec<_>>()[..]].concat()).unwrap()
}

#[test]
fn sums_that_follow_the_game_are_those_computed_afresh() {
    let (mut values, mut captures) = (0, 0);
    for seed in 0..60 {
        let network = random_network(seed % 6);
        let afresh = random_network(seed % 6);
        let evaluator = net(network);
        let games = random_game(seed);
        let mut state = evaluator.state(&games[0]);
        for (i, game) in games.iter().enumerate() {
            assert_eq!(evaluator.value(&state, game), afresh.value_afresh(game), "{game:?}");
            assert_eq!(state, evaluator.state(game), "{game:?}");
            let children = evaluator.children(&state, game);
            for mv in game.moves() {
                let step = Step::Move(mv);
                let child = game.child(step);
                captures += usize::from(game.cube_at(mv.to).is_some());
                if child.kind() == Kind::Chance {
                    assert_eq!(children.value_after(mv), -afresh.value_afresh(&child), "{game:?} {mv}");
                    let mut last = state;
                    evaluator.advance_before_last(&mut last, game, step, &child);
                    leaves_are_evaluated_together(&evaluator, &last, &child, &afresh);
                    values += 1;
                }
            }
            if let Some(next) = games.get(i + 1)
                && game.kind() == Kind::Decision
            {
                let is_played = |mv: &alea::game::einstein::Move| game.child(Step::Move(*mv)) == *next;
                let mv = game.moves().into_iter().find(is_played).unwrap();
                evaluator.advance(&mut state, game, Step::Move(mv), next);
            }
        }
    }
    assert!(values > 2000 && captures > 500, "{values} {captures}");
}

/// The best of the moves after each outcome, found all at once, has the value of the best one found by itself.
fn leaves_are_evaluated_together(
    evaluator: &EinsteinEvaluator,
    state: &<EinsteinEvaluator as Evaluator<Position>>::State,
    game: &Position,
    afresh: &EinsteinNetwork,
) {
    let children = evaluator.children(state, game);
    let open: Vec<u8> =
        game.bounded_outcomes(1).filter(|(_, told)| !told.is_exact()).map(|(outcome, _)| outcome.id).collect();
    let mut maxima = <<Position as Game>::OutcomeCapacity as Capacity>::Slots::filled(RunningMax::NONE);
    let leaves = children.include_all(game, open.iter().copied().zip(0..), &mut maxima);
    assert_eq!(leaves, open.iter().map(|&outcome| game.moves_after(outcome).count()).sum::<usize>());
    for (i, &outcome) in open.iter().enumerate() {
        let values = game.moves_after(outcome).map(|mv| -afresh.value_afresh(&game.child(Step::Move(mv))));
        let best = values.max().unwrap();
        assert_eq!(children.maximum(maxima[i]), best, "{game:?} roll {outcome}");
        let mut one_by_one = RunningMax::NONE;
        game.moves_after(outcome).for_each(|mv| children.include(&mut one_by_one, mv));
        assert_eq!(children.maximum(one_by_one), best, "{game:?} roll {outcome}");
    }
    assert_eq!(children.maximum(RunningMax::NONE), Value::LOSS);
}

#[test]
fn images_and_rolls_change_no_value() {
    let noisy = |name| Position::default().evaluator(name, None, Noise::new(0.1, 7).unwrap()).unwrap();
    let evaluators = [shipped(), net(random_network(1)), noisy("net"), noisy("race"), noisy("zero")];
    for seed in 0..40 {
        for game in random_game(seed) {
            for evaluator in &evaluators {
                let value = |game: &Position| evaluator.value(&evaluator.state(game), game);
                assert_eq!(value(&game), value(&reflection(&game)), "{game:?}");
                for outcome in game.outcomes() {
                    assert_eq!(value(&game), value(&game.child(Step::Outcome(outcome.id))), "{game:?}");
                }
            }
        }
    }
}

/// What the game says of itself sooner is what its rules say.
#[test]
fn shortcuts_are_sound() {
    let (mut won, mut open) = (0, 0);
    for game in (0..300).flat_map(random_game) {
        if game.kind() == Kind::Decision {
            let ends = |mv| game.child(Step::Move(mv)).kind();
            let wins = game.moves().into_iter().any(|mv| ends(mv) == Kind::Over(Value::LOSS));
            let expected = if wins { Bounds::exactly(Value::WIN) } else { Bounds::UNKNOWN };
            assert_eq!(game.bounds(1), expected, "{game:?}");
            assert!(wins || game.moves().into_iter().all(|mv| ends(mv) == Kind::Chance), "{game:?}");
            continue;
        }
        let winning = game.bounded_outcomes(1).filter(|(_, told)| told.is_exact()).map(|(outcome, _)| outcome.weight);
        assert_eq!(winning.sum::<u32>(), game.winning_faces(Position::mover(&game)).into(), "{game:?}");
        for depth in 0..4 {
            assert!(game.bounded_outcomes(depth).map(|(outcome, _)| outcome).eq(Game::outcomes(&game)));
            for (outcome, told) in game.bounded_outcomes(depth) {
                let child = game.child(Step::Outcome(outcome.id));
                assert_eq!(told, if depth == 0 { Bounds::UNKNOWN } else { child.bounds(depth) }, "{game:?}");
                assert!(game.moves_after(outcome.id).eq(child.moves()));
                won += usize::from(told.is_exact());
                open += usize::from(!told.is_exact());
            }
        }
        let every = game.outcomes().flat_map(|outcome| game.moves_after(outcome.id)).collect::<Vec<_>>();
        for outcome in game.outcomes() {
            let moves: Vec<_> = game.moves_after(outcome.id).collect();
            assert!(every.iter().all(|mv| game.is_move_after(outcome.id, *mv) == moves.contains(mv)), "{game:?}");
            for mv in moves {
                let next = game.child(Step::Outcome(outcome.id)).child(Step::Move(mv));
                for images in [false, true] {
                    assert_eq!(game.key_after(outcome.id, mv, images, 0), (Game::key(&next, images, 0), Turn::Passed));
                }
            }
        }
    }
    assert!(won > 1000 && open > 1000, "{won} {open}");
}

/// Values by hash: of many kinds, or of three, so that most comparisons are ties.
#[derive(Clone, Copy, Debug)]
struct Hashed {
    seed: u64,
    three: bool,
    /// Give images one value and look at no roll, as the evaluations of the game do.
    calm: bool,
}

impl PositionValue<Position> for Hashed {
    fn value(&self, game: &Position) -> Value {
        let key = if self.calm { game.without_roll().key(true) } else { game.key(false) };
        let hash = mix(key.hash ^ mix(self.seed));
        match self.three {
            true => [Value::from_raw(-5_000_000), Value::DRAW, Value::from_raw(9_999_999)][hash as usize % 3],
            false => Value::from_raw((hash % ((1 << 25) - 1)) as i64 + 1 - (1 << 24)),
        }
    }
    fn sees_images_alike(&self) -> bool {
        self.calm
    }
    fn ignores_outcomes(&self) -> bool {
        self.calm
    }
}

/// The `n`-th position from the end of a random game, or its first.
fn late_position(seed: u64, n: usize) -> Position {
    let games = random_game(seed);
    games[games.len().saturating_sub(n)]
}

#[test]
fn every_algorithm_agrees_by_hash() {
    for (n, depth) in [(3, 6), (8, 5), (13, 5), (24, 4), (40, 4)] {
        for seed in 0..8 {
            let game = late_position(seed, n + seed as usize % 2);
            let mut worn = Searcher::new(1).unwrap();
            for (three, calm) in [(false, false), (false, true), (true, false), (true, true)] {
                // Another evaluator needs another table: entries are values under one evaluation.
                worn.forget();
                for depth in [depth - 1, depth] {
                    check(&game, &Plain(Hashed { seed, three, calm }), depth, &mut worn, &format!("{game:?}"));
                }
            }
        }
    }
}

#[test]
fn every_algorithm_agrees_by_network() {
    for evaluator in [shipped(), net(random_network(2))] {
        let mut worn = Searcher::new(1).unwrap();
        for (n, depth) in [(3, 6), (8, 5), (13, 6), (24, 5), (40, 5)] {
            for seed in 0..6 {
                let game = late_position(seed, n + seed as usize % 2);
                for depth in [depth - 1, depth] {
                    check(&game, &evaluator, depth, &mut worn, &format!("{game:?}"));
                }
            }
        }
    }
}

/// Values of games played out to their end, as plainly as can be; what has been seen is not played again.
#[derive(Default)]
struct Solver(HashMap<String, Value>);

impl Solver {
    fn value(&mut self, game: &Position) -> Value {
        if let Kind::Over(value) = game.kind() {
            return value;
        }
        let fen = game.fen();
        if let Some(&value) = self.0.get(&fen) {
            return value;
        }
        let value = match game.kind() {
            Kind::Decision => {
                game.moves().into_iter().map(|mv| -self.value(&game.child(Step::Move(mv)))).max().unwrap()
            }
            _ => {
                let values = game.faces().map(|face| i64::from(self.value(&game.child(Step::Outcome(face.id))).raw()));
                Value::from_raw((values.sum::<i64>() as f64 / 6.0).round() as i64)
            }
        };
        self.0.insert(fen, value);
        value
    }
}

/// How many more steps a game can take: every move brings a cube nearer to its goal.
fn steps_left(game: &Position) -> u32 {
    let goals = [[4, 4], [0, 0]];
    let cells = (0..25).filter_map(|cell| Some((cell, game.cube_at(cell)?)));
    let away = |(cell, cube): (u8, alea::game::einstein::Cube)| {
        let [col, row]: [u8; 2] = goals[cube.owner as usize];
        u32::from(col.abs_diff(cell % 5) + row.abs_diff(cell / 5))
    };
    cells.map(away).sum()
}

/// Late positions are solved: the value of every root move is the game's own, under every algorithm.
#[test]
fn endgames_are_solved_exactly() {
    let (mut count, mut solver) = (0, Solver::default());
    for seed in 0..200 {
        let games = random_game(seed);
        let late = games.into_iter().filter(|game| game.kind() == Kind::Decision && steps_left(game) <= 10);
        let Some(game) = late.max_by_key(steps_left) else { continue };
        count += 1;
        for settings in all_settings() {
            let settings = Settings { multi_pv: 20, ..settings };
            let mut searcher = Searcher::new(1).unwrap();
            let (limits, stop) = (Limits::default(), Stop::new());
            let verdict = game.search(&mut searcher, &shipped(), &settings, &limits, &stop, &mut |_| ());
            let iteration = verdict.last.unwrap();
            assert!(iteration.exact, "{game:?} {settings:?}");
            assert_eq!(iteration.lines.len(), game.moves().len());
            for line in &iteration.lines {
                let child = game.child(Step::Move(*line.first().unwrap()));
                assert_eq!(line.value, -solver.value(&child), "{game:?} {settings:?} {line:?}");
            }
        }
    }
    assert!(count > 20, "only {count} positions were late enough");
}

#[test]
fn the_shipped_network_is_a_file_that_can_be_read_again() {
    let shipped = shipped();
    let network = shipped.network().expect("the best evaluation is a network");
    let bytes = file::to_bytes(network.network().layout(), network.network().weights());
    assert_eq!(Position::default().read_network(&bytes).unwrap().network().weights(), network.network().weights());
    let error = Position::default().read_network(b"ALEA-NET").unwrap_err().to_string();
    assert!(error.starts_with("truncated"), "{error}");
}

#[test]
fn values_are_explained() {
    let fen = "..1../.2..B/6.F../...5./.D... r -";
    let game = Position::from_fen(&fen.split(' ').collect::<Vec<_>>()).unwrap();
    for name in Position::EVALUATIONS {
        for noise in [Noise::NONE, Noise::new(0.1, 3).unwrap()] {
            let evaluator = game.evaluator(name, None, noise).unwrap();
            let text = game.explain(&evaluator);
            let value = evaluator.value(&evaluator.state(&game), &game);
            assert_eq!(text.lines().last().unwrap(), format!("value {value}"), "{text}");
            assert_eq!(text.contains("noise"), !noise.is_none(), "{text}");
            assert!(text.starts_with("race 20 against 14\n"), "{text}");
        }
    }
    assert!(game.evaluator("pairs", None, Noise::NONE).is_none());
}
