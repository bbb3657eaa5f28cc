//! Drives the training of sparse networks: `sparse train OUT [GAMES]`, `sparse check NET`, `sparse fit`.

#[path = "../src/sparse/mod.rs"]
#[allow(dead_code)]
mod sparse;

use alea::eval::einstein::{EinsteinEvaluator, EinsteinNetwork, EvalKind};
use alea::eval::{Evaluated, Noise};
use alea::game::einstein::Position;
use alea::search::{Limits, Searcher, Settings, Stop};
use sparse::arena::{self, Contestant};
use sparse::recipe::Recipe;
use sparse::run::{Row, Run};
use std::sync::Arc;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| words.get(i).and_then(|word| word.parse().ok()).unwrap_or(default);
    match words[0].as_str() {
        "train" => train(&words[1], number(2, Recipe::EINSTEIN.games), number(3, 1)),
        "check" => check(&words[1], number(2, 1000) as u32, number(3, 3) as u32),
        "speed" => speed(number(1, 7) as u32),
        _ => println!("{:?}", sparse::einstein::fit_race(20_000)),
    }
}

fn train(out: &str, games: u64, seed: u64) {
    let number = |name: &str, default: f64| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let rate = number("RATE", Recipe::EINSTEIN.rate.into()) as f32;
    let (lambda, explore) = (number("LAMBDA", Recipe::EINSTEIN.lambda), number("EXPLORE", Recipe::EINSTEIN.explore));
    let mut run = Run::<Position>::new(Recipe { games, rate, lambda, explore, ..Recipe::EINSTEIN }, seed, 1);
    println!("{}", Row::HEADER);
    while !run.is_finished() {
        if let Some(row) = run.batch().unwrap() {
            println!("{}", row.csv());
            std::fs::write(out, run.best()).unwrap();
        }
    }
}

fn evaluator(name: &str) -> EinsteinEvaluator {
    let start = Position::default();
    match std::fs::read(name) {
        Ok(bytes) => {
            EinsteinEvaluator::new(EvalKind::Net(Arc::new(EinsteinNetwork::from_bytes(&bytes).unwrap())), Noise::NONE)
        }
        Err(_) => start.evaluator(name, None, Noise::NONE).unwrap(),
    }
}

fn check(name: &str, pairs: u32, depth: u32) {
    let (net, rival) = (evaluator(name), evaluator("race"));
    for depth in (1..=depth).step_by(2) {
        let [one, other] = [&net, &rival].map(|evaluator| Contestant::<Position> { evaluator, depth });
        println!("depth {depth}: {}", arena::play(&one, &other, 7, pairs, 1).unwrap());
    }
}

fn speed(depth: u32) {
    let start = Position::start(&[]).unwrap();
    let evaluator = start.best_evaluator();
    for face in 0..=6 {
        let game = if face == 0 {
            start
        } else {
            let mut game = start;
            game.roll(face);
            game
        };
        let mut searcher = Searcher::new(64).unwrap();
        searcher.get_ready();
        let verdict = searcher.search(
            &game,
            &evaluator,
            &Settings::default(),
            &Limits::to_depth(depth),
            &Stop::new(),
            &mut |_| (),
        );
        let seconds = verdict.time.as_secs_f64();
        println!(
            "roll {face} depth {depth}: {} nodes, {seconds:.3} s, {:.2} M nodes/s, value {}, {:?}",
            verdict.counters.nodes,
            verdict.counters.nodes as f64 / seconds / 1e6,
            verdict.value,
            verdict.counters
        );
    }
}
