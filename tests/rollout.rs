//! Rollouts: their means are those of the games, the luck taken off costs nothing but noise, and they end when told to.

#[path = "support/engine.rs"]
mod engine;

use alea::eval::{Evaluated, Noise};
use alea::game::Step;
use alea::game::dice::{Position, Shape};
use alea::search::{Limits, Plan, Rollout, Searched, Searcher, Settings, Stop, roll_out};
use alea::{games, with_game};
use engine::answers;

fn rolled(position: &Position, eval: &str, games: u32, depth: u32) -> Rollout<alea::game::dice::Move> {
    let evaluator = position.evaluator(eval, None, Noise::NONE).unwrap();
    let mut searcher = Searcher::new(4).unwrap();
    let (settings, limits) = (Settings::default(), Limits::to_depth(depth));
    roll_out(position, &mut searcher, &evaluator, &settings, Plan { games, limits: &limits }, &Stop::new(), &mut |_| ())
}

/// Of a position that searches to its end: playing on by those searches brings the exact values, within the error.
#[test]
fn perfect_players_bring_the_exact_value() {
    let position = Position::from_dpn("4 3 b 1 b - - r - - - - - - - - r b - -").unwrap();
    let evaluator = position.best_evaluator();
    let settings = Settings { multi_pv: 99, ..Settings::default() };
    let mut searcher = Searcher::new(16).unwrap();
    let exact = position.search(&mut searcher, &evaluator, &settings, &Limits::default(), &Stop::new(), &mut |_| ());
    assert!(exact.is_exact());
    let found = rolled(&position, "zero", 400, 30);
    for line in exact.last.unwrap().lines {
        let branch = found.branches.iter().find(|branch| branch.step == Step::Move(*line.first().unwrap())).unwrap();
        let miss = (branch.value - line.value.to_f64()).abs();
        assert!(miss <= 4.0 * branch.error() + 1e-6, "{branch:?} {line:?}");
    }
}

#[test]
fn luck_taken_off_leaves_less_error() {
    let position = Position::new(Shape::default()).with_roll(2).unwrap();
    let with_net = rolled(&position, "net", 500, 1);
    // An evaluation that sees nothing takes nothing off.
    let blind = rolled(&position, "zero", 500, 1);
    let error = |rollout: &Rollout<_>| rollout.branches.iter().map(|branch| branch.error()).sum::<f64>();
    assert!(error(&with_net) < 0.75 * error(&blind), "{} {}", error(&with_net), error(&blind));
}

/// In every game, from decisions and from chance nodes, stopped and not.
fn every_game_is_rolled_out<G: Searched>() {
    let start = G::start(&[]).unwrap();
    let evaluator = start.best_evaluator();
    let mut searcher = Searcher::new(1).unwrap();
    let next = match start.outcomes().next() {
        Some(outcome) => start.child(Step::Outcome(outcome.id)),
        None => start.child(Step::Move(start.moves()[0])),
    };
    for position in [start, next] {
        let mut roll = |games, stop: &Stop| {
            let (settings, limits) = (Settings::default(), Limits::default());
            roll_out(
                &position,
                &mut searcher,
                &evaluator,
                &settings,
                Plan { games, limits: &limits },
                stop,
                &mut |_| (),
            )
        };
        let found = roll(2, &Stop::new());
        assert_eq!(found.played(), 2);
        assert!(found.branches.iter().all(|branch| branch.value.abs() < 3.0));
        assert_eq!(found, Rollout { time: found.time, ..roll(2, &Stop::new()) });
        let stop = Stop::new();
        stop.pull();
        assert_eq!(roll(1_000_000, &stop).played(), 0);
    }
}

#[test]
fn every_game_can_be_rolled_out() {
    for game in games::NAMES {
        with_game!(*game, G => every_game_is_rolled_out::<G>()).unwrap();
    }
}

#[test]
fn the_engine_tells_of_every_move_and_answers() {
    let lines = answers("position startpos 5 4 roll 2\ngo rollout 10\n");
    assert_eq!(lines.len(), 6, "{lines:#?}");
    assert!(
        lines[..5].iter().all(|line| line.starts_with("info rollout ") && line.ends_with(" games 10")),
        "{lines:#?}"
    );
    assert_eq!(lines[5], format!("bestmove {}", lines[0].split(' ').nth(2).unwrap()));
    let lines = answers("position startpos 5 4\ngo rollout 2 depth 2\n");
    assert_eq!(lines.len(), 7, "{lines:#?}");
    assert!(lines[5].starts_with("info rollout all value ") && lines[5].ends_with(" games 10"), "{lines:#?}");
    let lines = answers("position startpos 9 6 roll 2\ngo rollout 1000000 movetime 30 searchmoves a3\n");
    assert_eq!(lines.last().unwrap(), "bestmove a3", "{lines:#?}");
    assert_eq!(answers("go rollout 0\n").last().unwrap(), "bestmove (none)");
}

/// Also where no game has a decision to stop at.
#[test]
fn the_time_is_kept_where_every_branch_ends_the_game() {
    let over = "setoption name Game value darkchess\nposition fen K.../..../..../..../..../..../..../..pk r 49 -\n";
    let lines = answers(&format!("{over}go rollout 4294967295 movetime 50\n"));
    assert!(lines.last().unwrap().starts_with("bestmove a1"), "{lines:#?}");
}

#[test]
fn without_a_game_the_best_move_at_first_sight_is_the_answer() {
    let lines = answers("position startpos 5 4 roll 2\ngo rollout 9 movetime 0\ngo depth 1\n");
    assert_eq!(lines.iter().filter(|line| *line == "bestmove c3").count(), 2, "{lines:#?}");
}

/// However long a game takes.
#[test]
fn a_long_game_gives_a_sign_of_life() {
    let lines = answers("position startpos 17 8 roll 3\ngo rollout 5 depth 15 movetime 2500\n");
    assert!(lines.iter().any(|line| line == "info string rollout: 0 of 5 games each"), "{lines:#?}");
}
