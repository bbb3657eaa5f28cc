//! Monte-Carlo tree search proves what small games are worth, comes nearer the truth with more simulations, keeps to its
//! limits, and does the same twice.

#[path = "support/piles.rs"]
mod piles;

use alea::eval::{Evaluated, Plain, PositionValue};
use alea::game::dice::{Board, Position, Shape, Width, rolls};
use alea::game::{Game, Kind, Step, Value, backgammon, einstein};
use alea::search::{Algorithm, Limits, Report, Sampling, Searched, Searcher, Settings, Stop, Verdict};
use alea::{games, with_game};
use piles::Piles;

/// An evaluation that knows nothing.
struct Blank;

impl<B: Width> PositionValue<Board<B>> for Blank {
    fn value(&self, _: &Board<B>) -> Value {
        Value::DRAW
    }
}

impl PositionValue<Piles> for Blank {
    fn value(&self, piles: &Piles) -> Value {
        Value::from_raw((piles.image_hash() % 1001) as i64)
    }
}

const SAMPLINGS: [Sampling; 4] = [
    Sampling::PLAIN,
    Sampling { rave: 300, ..Sampling::PLAIN },
    Sampling { playouts: 0, prior: 5, ..Sampling::PLAIN },
    Sampling { exploration: 20, rave: 50, prior: 3, playouts: 50, candidates: 4 },
];

fn mcts(sampling: Sampling, threads: usize) -> Settings {
    Settings { algorithm: Algorithm::Mcts, sampling, threads, ..Settings::default() }
}

/// A position some plies into a game of Dice.
fn midgame(size: usize, win: usize, seed: u64, plies: u32, rolled: bool) -> Position {
    let mut board = Position::new(Shape::new(size, win).unwrap());
    for ply in 0..plies {
        let Some(roll) = rolls::roll(seed, ply, &board) else { break };
        let choice = board.with_roll(roll.into()).unwrap();
        let moves = choice.moves();
        board = choice.child(Step::Move(moves[(seed as usize + ply as usize) % moves.len()]));
    }
    match rolls::roll(seed, plies, &board) {
        Some(roll) if rolled => board.with_roll(roll.into()).unwrap(),
        _ => board,
    }
}

fn search(
    position: &Position,
    settings: &Settings,
    limits: &Limits<alea::game::dice::Move>,
) -> Verdict<alea::game::dice::Move> {
    let mut searcher = Searcher::new(16).unwrap();
    searcher.search_dice(position, &Plain(Blank), settings, limits, &Stop::new(), &mut |_| ())
}

#[test]
fn small_games_are_solved_to_their_value() {
    for seed in 0..12 {
        for rolled in [false, true] {
            let position = midgame(3, 3, seed, (seed % 4) as u32 + 1, rolled);
            let exact = search(&position, &Settings::default(), &Limits::default());
            if matches!(position.kind(), Kind::Over(_)) {
                continue;
            }
            assert!(exact.is_exact());
            for sampling in SAMPLINGS {
                for threads in [1, 2] {
                    let found = search(&position, &mcts(sampling, threads), &Limits::default());
                    let miss = found.value.raw().abs_diff(exact.value.raw());
                    // Each mean on the way up is rounded to the grid.
                    assert!(found.is_exact() && miss <= 8, "{position:?} {sampling:?}: {found:?}, not {exact:?}");
                    assert_eq!(found.best.is_some(), exact.best.is_some());
                }
            }
        }
    }
}

#[test]
fn uneven_weights_are_averaged_by_weight() {
    for seed in 0..20 {
        let piles = Piles::new(seed, 3, seed % 2 == 0);
        let (all, stop) = (Limits::default(), Stop::new());
        let exact =
            Searcher::new(16).unwrap().search(&piles, &Plain(Blank), &Settings::default(), &all, &stop, &mut |_| ());
        assert!(exact.is_exact());
        let expected = exact.value.to_f64();
        for sampling in SAMPLINGS {
            let mut searcher = Searcher::new(64).unwrap();
            let limits = Limits { nodes: Some(400_000), ..Limits::default() };
            let found = searcher.search(&piles, &Plain(Blank), &mcts(sampling, 1), &limits, &Stop::new(), &mut |_| ());
            let miss = (found.value.to_f64() - expected).abs();
            assert!(miss < 0.05, "{piles:?} {sampling:?}: {} for {expected}", found.value);
        }
    }
}

/// The mean error over some positions falls as simulations are added.
#[test]
fn more_simulations_bring_less_error() {
    let positions: Vec<Position> = (0..20).map(|seed| midgame(4, 3, seed, 6, true)).collect();
    let error = |nodes| {
        let miss = |position: &Position| {
            let exact = search(position, &Settings::default(), &Limits::default()).value.to_f64();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            (search(position, &mcts(Sampling::PLAIN, 1), &limits).value.to_f64() - exact).abs()
        };
        positions.iter().map(miss).sum::<f64>() / positions.len() as f64
    };
    let errors = [200, 2_000, 40_000].map(error);
    assert!(errors[0] > errors[1] && errors[1] > errors[2] && errors[2] < 0.02, "{errors:?}");
}

#[test]
fn one_thread_does_the_same_twice_and_keeps_to_the_node() {
    for sampling in SAMPLINGS {
        let position = midgame(5, 4, 3, 4, true);
        for nodes in [1, 2, 7, 100, 5_000] {
            let run = || {
                let mut searcher = Searcher::new(1).unwrap();
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let evaluator = position.best_evaluator();
                let mut search = || {
                    let mut said = Vec::new();
                    let mut hear = |report| {
                        if let Report::Iteration(iteration) = report {
                            said.push((iteration.depth, iteration.lines, iteration.nodes, iteration.hashfull));
                        }
                    };
                    let settings = mcts(sampling, 1);
                    let verdict =
                        position.search(&mut searcher, &evaluator, &settings, &limits, &Stop::new(), &mut hear);
                    assert_eq!(verdict.counters.nodes, nodes);
                    assert!(position.moves().contains(&verdict.best.unwrap()));
                    (verdict.best, verdict.value, said)
                };
                // The second search goes on with the tree of the first.
                (search(), search())
            };
            assert_eq!(run(), run(), "{nodes} {sampling:?}");
        }
    }
}

/// In every game, from decisions and from chance nodes, with little memory, on one thread and on two.
fn every_root_is_answered<G: Searched>() {
    let start = G::start(&[]).unwrap();
    let evaluator = start.best_evaluator();
    let mut position = start;
    let mut searcher = Searcher::new(1).unwrap();
    for ply in 0..8 {
        for (sampling, threads) in SAMPLINGS.into_iter().zip([1, 2, 1, 2]) {
            let limits = Limits { nodes: Some(3_000), depth: Some(30), ..Limits::default() };
            let verdict = position.search(
                &mut searcher,
                &evaluator,
                &mcts(sampling, threads),
                &limits,
                &Stop::new(),
                &mut |_| (),
            );
            match position.kind() {
                Kind::Decision => {
                    assert!(position.moves().contains(&verdict.best.unwrap()));
                    let last = verdict.last.unwrap();
                    assert_eq!(last.lines[0].first().copied(), verdict.best, "{}", position.fen());
                }
                Kind::Chance => assert_eq!(verdict.outcomes.len(), position.outcomes().count()),
                Kind::Over(_) => assert_eq!(verdict.best, None),
            }
        }
        let step = match position.kind() {
            Kind::Over(_) => break,
            Kind::Decision => Step::Move(position.moves()[ply % position.moves().len()]),
            Kind::Chance => Step::Outcome(position.outcomes().last().unwrap().id),
        };
        position = position.child(step);
    }
}

#[test]
fn every_game_is_searched() {
    for game in games::NAMES {
        with_game!(*game, G => every_root_is_answered::<G>()).unwrap();
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let position = midgame(5, 4, 1, 2, true);
    let moves = position.moves();
    let mut searcher = Searcher::new(1).unwrap();
    for &mv in &moves {
        let limits = Limits { nodes: Some(500), search_moves: vec![mv], ..Limits::default() };
        let settings = mcts(Sampling::PLAIN, 1);
        let verdict = searcher.search_dice(&position, &Plain(Blank), &settings, &limits, &Stop::new(), &mut |_| ());
        assert_eq!(verdict.best, Some(mv));
    }
}

/// A tree is kept from search to search: what it knows is not lost where there is no time for a simulation more.
#[test]
fn the_tree_of_the_last_search_answers() {
    let position = midgame(5, 4, 1, 2, true);
    let mut searcher = Searcher::new(4).unwrap();
    let mut search = |position: &Position, limits| {
        let settings = mcts(Sampling::PLAIN, 1);
        searcher.search_dice(position, &Plain(Blank), &settings, &limits, &Stop::new(), &mut |_| ())
    };
    let first = search(&position, Limits { nodes: Some(40_000), ..Limits::default() });
    let at_once = || Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
    let again = search(&position, at_once());
    assert_eq!((again.best, again.value), (first.best, first.value));
    let pv = first.last.unwrap().lines.remove(0).pv;
    let next = pv[..2].iter().fold(position, |position, &step| position.child(step));
    assert_eq!(next.kind(), Kind::Decision);
    assert_eq!(search(&next, at_once()).best.map(Step::Move), Some(pv[2]), "a subtree too");
}

/// Endings of games beside Dice come to the value that a search to the end has.
fn an_ending_is_solved<G: Searched>(fen: &[&str]) {
    let position = G::read("fen", fen).unwrap_or_else(|fault| panic!("{fault:?}"));
    let evaluator = position.best_evaluator();
    let found = |settings: &Settings, nodes| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut searcher = Searcher::new(64).unwrap();
        position.search(&mut searcher, &evaluator, settings, &limits, &Stop::new(), &mut |_| ())
    };
    let exact = found(&Settings::default(), u64::MAX);
    assert!(exact.is_exact());
    let found = found(&mcts(Sampling::PLAIN, 1), 4_000_000);
    assert_eq!(found.best, exact.best);
    assert!((found.value.to_f64() - exact.value.to_f64()).abs() < 0.002, "{found:?}, not {exact:?}");
}

#[test]
fn endings_of_other_games_are_solved() {
    an_ending_is_solved::<einstein::Position>(&["...../.2.../..1../.3.E./..F..", "b", "2"]);
    an_ending_is_solved::<backgammon::Position>(&["XGID=-BB--------------------bb-:0:0:1:21:0:0:0:0:10"]);
}
