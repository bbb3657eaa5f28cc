//! The sweep against known values, against search, against itself; and perfect play as a client sees it.

#[path = "support/engine.rs"]
mod engine;

use std::time::{Duration, Instant};

use alea::eval::Evaluated;
use alea::game::dice::{Position, Shape, Side, Status};
use alea::game::{Game, Kind, Notation, Step, mix};
use alea::search::{Limits, Searched, Searcher, Settings, Stop};
use alea::sweep::dice::book::{Book, shipped_book};
use alea::sweep::dice::{DiceSweep, Setup, Solved};
use alea::sweep::{Layered, Memory, Pace, Progress, WIN, sweep, value};
use engine::{Engine, answers};

fn shape(size: usize, win: usize) -> Shape {
    Shape::new(size, win).unwrap()
}

/// A position with so many empty cells that is not over, by random play, before its roll.
fn random_position(shape: Shape, empty: usize, seed: u64) -> Position {
    let mut seed = mix(seed ^ 0x5eed);
    let mut draw = |count: usize| {
        seed = mix(seed.wrapping_add(1));
        (seed >> 33) as usize % count
    };
    loop {
        let mut position = Position::new(shape);
        while position.status() == Status::Playing && position.empty_count() > empty {
            let rolls = position.open_lines();
            position = position.child(Step::Outcome(rolls[draw(rolls.len())]));
            let moves = position.moves();
            position = position.child(Step::Move(moves[draw(moves.len())]));
        }
        if position.status() == Status::Playing {
            return position;
        }
    }
}

fn solved(position: &Position) -> Solved {
    Solved::in_peace(DiceSweep::new(Setup::of(position).unwrap()))
}

#[test]
fn whole_games_have_their_known_values() {
    let cases = [((3, 3), 6079.0 / 17496.0), ((4, 3), 0.238_879), ((4, 4), 0.084_454)];
    for ((size, win), expected) in cases {
        let start = Setup::start(shape(size, win)).unwrap();
        let found = Solved::in_peace(DiceSweep::new(start)).number(&start).unwrap();
        let found = f64::from(found) / f64::from(WIN);
        let tolerance = if size == 3 { 1e-8 } else { 5.1e-7 };
        assert!((found - expected).abs() < tolerance, "{size}/{win}: {found}");
    }
}

/// Every root move of positions of several shapes, against the search that all others are held to.
#[test]
fn search_agrees_on_every_move() {
    let mut searcher = Searcher::new(64).unwrap();
    let cases =
        [((3, 3), 8, 40), ((4, 3), 9, 60), ((4, 4), 10, 60), ((5, 3), 9, 60), ((5, 4), 10, 80), ((5, 5), 10, 60)];
    for ((size, win), empty, count) in cases {
        for seed in 0..count {
            let position = random_position(shape(size, win), empty - (seed % 3) as usize, seed);
            let truth = solved(&position);
            let setup = Setup::of(&position).unwrap();
            let evaluator = position.best_evaluator();
            searcher.forget();
            let settings = Settings { multi_pv: 20, ..Settings::default() };
            let side = |number: i32| value(if setup.side == Side::Blue { number } else { -number }).to_f64();
            let rolls = position.open_lines();
            let roll = rolls[seed as usize % rolls.len()];
            let rolled = position.child(Step::Outcome(roll));
            let verdict =
                rolled.search(&mut searcher, &evaluator, &settings, &Limits::default(), &Stop::new(), &mut |_| ());
            assert!(verdict.is_exact());
            for line in &verdict.last.unwrap().lines {
                let cell = rolled.move_cell(*line.first().unwrap());
                let after = setup.after(usize::from(cell.row) * size + usize::from(cell.col));
                let found = side(truth.number(&after).unwrap());
                assert!((found - line.value.to_f64()).abs() < 1e-6, "{} {cell}: {found}", position.fen());
            }
            let settings = Settings::default();
            let verdict =
                position.search(&mut searcher, &evaluator, &settings, &Limits::default(), &Stop::new(), &mut |_| ());
            let found = side(truth.number(&setup).unwrap());
            assert!((found - verdict.value.to_f64()).abs() < 1e-6, "{}: {found}", position.fen());
        }
    }
}

/// From the empty board with mirror images as one, and from positions without.
#[test]
fn images_change_nothing() {
    for (size, win) in [(3, 3), (4, 3), (4, 4)] {
        let start = Setup::start(shape(size, win)).unwrap();
        let whole = Solved::in_peace(DiceSweep::new(start));
        for seed in 0..20 {
            let position = random_position(shape(size, win), size * size - 1 - (seed % 5) as usize, seed);
            let setup = Setup::of(&position).unwrap();
            let numbers: Vec<i32> = (0..4).map(|frame| whole.number(&setup.image(frame)).unwrap()).collect();
            assert!(numbers.iter().all(|&number| number == numbers[0]), "{}", position.fen());
            let alone = solved(&position).number(&setup).unwrap();
            assert!(alone.abs_diff(numbers[0]) <= 16, "{}: {alone} {}", position.fen(), numbers[0]);
        }
    }
}

#[test]
fn vectors_and_threads_change_nothing() {
    for (seed, empty) in (0..6).zip([14, 13, 15, 12, 16, 16]) {
        let position = random_position(shape(5, 3 + seed as usize % 3), empty, seed);
        let setup = Setup::of(&position).unwrap();
        let plain = Solved::in_peace(DiceSweep::portable(setup));
        let vectors = solved(&position);
        let stop = || false;
        let pace = &mut Pace { threads: 3, stop: &stop, progress: &mut |_| () };
        let threads = Solved::new(DiceSweep::new(setup), pace).unwrap();
        for cell in (0..25).filter(|cell| setup.empty() >> cell & 1 != 0) {
            let after = setup.after(cell);
            assert_eq!(plain.number(&after), vectors.number(&after));
            assert_eq!(plain.number(&after), threads.number(&after));
        }
    }
}

#[test]
fn a_sweep_stops_when_it_is_told_to() {
    let setup = Setup::of(&random_position(shape(5, 4), 19, 3)).unwrap();
    let told = Instant::now() + Duration::from_millis(60);
    let stop = || Instant::now() >= told;
    let mut last = None;
    let mut progress = |progress: Progress| last = Some(progress);
    let sweep_of = DiceSweep::new(setup);
    let ended = Solved::new(sweep_of, &mut Pace { threads: 2, stop: &stop, progress: &mut progress });
    let late = told.elapsed();
    assert!(ended.is_none());
    assert!(late < Duration::from_millis(200), "{late:?} late");
    assert!(last.is_some_and(|last| last.done < last.total));
}

/// Blocks that are in the store are not worked out again, and those that nothing needs are let go of.
#[test]
fn a_sweep_goes_on_where_another_ended() {
    let setup = Setup::of(&random_position(shape(5, 4), 12, 5)).unwrap();
    let game = DiceSweep::new(setup);
    let stop = || false;
    let mut store = Memory::default();
    let mut counted = 0;
    for layers in [7..13, 3..7, 0..3] {
        let mut progress = |progress: Progress| counted = progress.done;
        let pace = &mut Pace { threads: 1, stop: &stop, progress: &mut progress };
        assert!(sweep(&game, layers.clone(), 0, &mut store, pace).is_ok());
        let total: u64 = layers.clone().map(|layer| game.layer_len(layer)).sum();
        assert_eq!(counted, total);
        for layer in 0..game.layers() {
            let kept = game.blocks(layer).iter().filter(|&&block| store.block(block).is_some()).count();
            assert_eq!(kept, if layer == layers.start { game.blocks(layer).len() } else { 0 }, "{layers:?} {layer}");
        }
    }
    let (block, index) = game.locate(&setup).unwrap();
    let whole = solved(&random_position(shape(5, 4), 12, 5));
    assert_eq!(store.block(block).unwrap()[index], whole.number(&setup).unwrap());
}

/// The book, whose last layer is in steps of 2⁻¹⁴, against the sweep.
#[test]
fn the_book_agrees_with_the_sweep() {
    let book = shipped_book().expect("the shipped book is whole");
    let number = |checkers: usize, seed| {
        let position = random_position(shape(5, 4), 25 - checkers, seed);
        (book.number(&Setup::of(&position).unwrap()), position)
    };
    for seed in 0..4 {
        let (found, position) = number(7, seed);
        let truth = solved(&position).number(&Setup::of(&position).unwrap()).unwrap();
        assert!(found.unwrap().abs_diff(truth) <= (1 << 13) + 100, "{}: {found:?} {truth}", position.fen());
    }
    // Layers that are not in it follow from those that are.
    for (checkers, seed) in [(6, 1), (5, 2), (6, 3), (5, 4)] {
        let (found, position) = number(checkers, seed);
        let setup = Setup::of(&position).unwrap();
        let lines = position.open_lines().into_iter().map(|roll| {
            let rolled = position.child(Step::Outcome(roll));
            let children = rolled
                .moves()
                .iter()
                .map(|&mv| {
                    let child = Setup::of(&rolled.child(Step::Move(mv))).unwrap();
                    let number = i64::from(book.number(&child).unwrap());
                    if setup.side == Side::Blue { number } else { -number }
                })
                .collect::<Vec<_>>();
            children.into_iter().max().unwrap()
        });
        let lines: Vec<i64> = lines.collect();
        let mean = lines.iter().sum::<i64>() / lines.len() as i64;
        let mean = if setup.side == Side::Blue { mean } else { -mean };
        assert!((i64::from(found.unwrap()) - mean).abs() <= 1, "{}", position.fen());
    }
    assert_eq!(number(8, 0).0, None);
    // The small layers are finer, and agree with the last one within its steps.
    for seed in 0..3 {
        let (found, position) = number(4, seed);
        let setup = Setup::of(&position).unwrap();
        let mean = mean_of_children(book, &setup, 4);
        assert!((f64::from(found.unwrap()) - mean).abs() <= f64::from(1 << 13), "{}", position.fen());
    }
    assert_eq!(value(book.number(&Setup::start(shape(5, 4)).unwrap()).unwrap()).to_string(), "0.136738");
}

/// The value of a position by its children in the book.
fn mean_of_children(book: &Book, setup: &Setup, checkers: usize) -> f64 {
    let sign = if setup.side == Side::Blue { 1.0 } else { -1.0 };
    let mut best = [f64::NEG_INFINITY; 5];
    for cell in (0..25).filter(|cell| setup.empty() >> cell & 1 != 0) {
        let line = if setup.side == Side::Blue { cell / 5 } else { cell % 5 };
        assert_eq!(setup.count(), checkers);
        best[line] = best[line].max(sign * f64::from(book.number(&setup.after(cell)).unwrap()));
    }
    sign * best.iter().sum::<f64>() / 5.0
}

/// From the empty board on, a second a move is enough.
#[test]
fn the_opening_is_known() {
    let lines = answers("position startpos\ngo movetime 10000\nposition startpos roll 2\ngo movetime 10000");
    let values: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth")).collect();
    assert!(values.iter().any(|line| line.contains("depth 50 ") && line.contains("value 0.136738 ")), "{lines:#?}");
    let last = values.last().unwrap();
    assert!(last.contains("depth 49 ") && last.contains("value 0.240638 ") && last.contains(" pv c3 "), "{lines:#?}");
    assert_eq!(lines[lines.len() - 2..], ["info string exact", "bestmove c3"]);
    for checkers in 1..=6 {
        let position = random_position(shape(5, 4), 25 - checkers, checkers as u64);
        let roll = position.open_lines()[0];
        let lines = answers(&format!("position fen {} roll {roll}\ngo movetime 10000", position.fen()));
        assert_eq!(lines[lines.len() - 2], "info string exact", "{lines:#?}");
    }
    // No time to open the book, and no panic.
    assert!(answers("position startpos roll 2\ngo movetime 0").last().unwrap().starts_with("bestmove "));
}

/// What the last `info depth` line says: value, and the first move.
fn answer(lines: &[String]) -> (f64, String) {
    let last = lines.iter().rfind(|line| line.starts_with("info depth") && line.contains("multipv 1 ")).unwrap();
    let words: Vec<&str> = last.split_whitespace().collect();
    let after = |name: &str| words.iter().skip_while(|word| **word != name).nth(1).copied().unwrap_or_default();
    (after("value").parse().unwrap(), after("pv").to_owned())
}

#[test]
fn time_alone_brings_the_truth() {
    for (seed, empty) in (0..4).zip([16, 13, 15, 1]) {
        let position = random_position(shape(5, 4), empty, seed);
        let truth = solved(&position);
        let setup = Setup::of(&position).unwrap();
        let expected = truth.number(&setup).unwrap() as f64 / f64::from(WIN);
        let expected = if setup.side == Side::Blue { expected } else { -expected };
        let lines = answers(&format!("position fen {}\ngo movetime 20000", position.fen()));
        let end = &lines[lines.len() - 2..];
        assert_eq!(end, ["info string exact", "bestmove (none)"], "{lines:#?}");
        assert!((answer(&lines).0 - expected).abs() < 1e-6, "{lines:#?}");
        let rolls = lines.iter().filter(|line| line.starts_with("info roll ")).count();
        assert_eq!(rolls, position.open_lines().len());
        let roll = position.open_lines()[0];
        let rolled = position.child(Step::Outcome(roll));
        let moves = rolled.moves().len();
        let go = "setoption name MultiPV value 9\ngo wtime 60000 btime 60000";
        let lines = answers(&format!("position fen {} roll {roll}\n{go}", position.fen()));
        let (value, best) = answer(&lines);
        assert_eq!(lines[lines.len() - 2..], ["info string exact".to_owned(), format!("bestmove {best}")]);
        assert!(lines.iter().any(|line| line.contains(&format!("multipv {moves} "))), "{lines:#?}");
        let legal = rolled.moves();
        let of_roll = legal.iter().map(|&mv| {
            let cell = rolled.move_cell(mv);
            let number = truth.number(&setup.after(usize::from(cell.row) * 5 + usize::from(cell.col))).unwrap();
            f64::from(if setup.side == Side::Blue { number } else { -number }) / f64::from(WIN)
        });
        assert!((of_roll.fold(-1.0, f64::max) - value).abs() < 1e-6);
        let worst = rolled.move_text(*rolled.moves().last().unwrap());
        let go = format!("go movetime 20000 searchmoves {worst}");
        let lines = answers(&format!("position fen {} roll {roll}\n{go}", position.fen()));
        assert_eq!(lines.last().unwrap(), &format!("bestmove {worst}"));
        assert!(lines.contains(&"info string exact".to_owned()));
    }
}

#[test]
fn only_time_alone_and_the_network_alone_bring_it() {
    let position = random_position(shape(5, 4), 14, 7);
    let start = format!("position fen {} roll {}", position.fen(), position.open_lines()[0]);
    let cases = [
        "go depth 3",
        "go nodes 1000",
        "go depth 3 movetime 10000",
        "setoption name Perfect value false\ngo movetime 30",
        "setoption name Eval value pairs\ngo movetime 30",
        "setoption name Noise value 0.1\ngo movetime 30",
    ];
    for case in cases {
        let lines = answers(&format!("{start}\n{case}"));
        assert!(!lines.iter().any(|line| line == "info string exact"), "{case}: {lines:#?}");
    }
    assert!(answers(&format!("{start}\ngo movetime 20000")).contains(&"info string exact".to_owned()));
}

#[test]
fn without_a_limit_the_truth_waits_for_stop() {
    let position = random_position(shape(5, 4), 13, 9);
    let mut engine = Engine::start();
    engine.send(&format!("position fen {} roll {}\ngo infinite", position.fen(), position.open_lines()[0]));
    let depth = 2 * 13 - 1;
    engine.until(&format!("info depth {depth} "));
    assert_eq!(engine.says_something_within(Duration::from_millis(200)), None);
    engine.send("stop");
    let lines = engine.until("bestmove");
    assert_eq!(lines[lines.len() - 2], "info string exact");
}

/// A sweep that is under way ends at once, and with a legal move.
#[test]
fn a_stop_in_the_middle_of_a_sweep_is_heard() {
    let position = random_position(shape(5, 5), 19, 2);
    let roll = position.open_lines()[0];
    let rolled = position.child(Step::Outcome(roll));
    let mut engine = Engine::start();
    engine.send(&format!("ucinewgame\nposition fen {} roll {roll}\nisready", position.fen()));
    engine.until("readyok");
    engine.send("go infinite");
    engine.until("info depth 5 ");
    std::thread::sleep(Duration::from_millis(100));
    engine.send("stop");
    let told = Instant::now();
    let lines = engine.until("bestmove");
    assert!(told.elapsed() < Duration::from_millis(400), "{:?}", told.elapsed());
    let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap().to_owned();
    assert!(rolled.moves().iter().any(|&mv| rolled.move_text(mv) == best));
    assert_ne!(rolled.kind(), Kind::Chance);
}
