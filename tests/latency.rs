//! How fast the engine obeys. These run one after another, in a process of their own, so as not to disturb each other.
//!
//! On a machine that is busy with other things any process can be late. So medians are measured, and a measurement that
//! fails is repeated a few times: an engine that is slow by nature fails them all.

#[path = "support/engine.rs"]
mod engine;

use engine::Engine;
use std::time::{Duration, Instant};

const ATTEMPTS: usize = 6;
const ALLOWED: Duration = Duration::from_millis(20);

#[test]
fn the_engine_keeps_its_times() {
    for (size, win, threads) in [(17, 4, 1), (17, 8, 17), (13, 6, 2), (5, 4, 1)] {
        eventually(|| stop_and_movetime_are_kept(size, win, threads));
    }
    for (position, book) in [(SWEPT[0], false), (SWEPT[1], false), ("startpos 5 4 roll 2", true)] {
        eventually(|| a_stop_is_heard_on_the_way_to_the_truth(position, book));
    }
    for (left, increment) in [(60, 0), (100, 50), (30, 1000)] {
        eventually(|| the_clock_is_not_overrun(left, increment));
    }
    eventually(long_searches_give_a_sign_of_life);
}

fn eventually(attempt: impl Fn() -> Result<(), String>) {
    let failures: Vec<String> = (0..ATTEMPTS).map_while(|_| attempt().err()).collect();
    assert!(failures.len() < ATTEMPTS, "{failures:#?}");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn stop_and_movetime_are_kept(size: usize, win: usize, threads: usize) -> Result<(), String> {
    let mut engine = Engine::start();
    // Perfect play knows the smallest board by heart, and an exact value ends a search early.
    engine.send("setoption name Perfect value false");
    engine.send(&format!("setoption name Threads value {threads}\nposition startpos {size} {win} roll 3\nisready"));
    engine.until("readyok");
    let (mut stops, mut overruns) = (Vec::new(), Vec::new());
    for round in 0..9 {
        engine.send("go infinite");
        std::thread::sleep(Duration::from_millis(round * 5));
        let asked = Instant::now();
        engine.send("stop");
        stops.push(answered(&mut engine).saturating_duration_since(asked));

        let asked = Instant::now();
        engine.send("go movetime 40");
        let taken = answered(&mut engine).saturating_duration_since(asked);
        assert!(taken >= Duration::from_millis(39), "answered after {taken:?}");
        overruns.push(taken.saturating_sub(Duration::from_millis(40)));
    }
    let (stop, overrun) = (median(stops), median(overruns));
    if stop <= ALLOWED && overrun <= ALLOWED {
        return Ok(());
    }
    Err(format!("{size}/{win}, {threads} threads: stop took {stop:?}, movetime was overrun by {overrun:?}"))
}

/// Positions with 18 and 19 empty cells that are in no book: a sweep of either takes a fifth of a second and more.
const SWEPT: [&str; 2] = [
    "fen 5 4 r 1 - - - - - - b - r - - r - b - - b r - - - - - b -",
    "fen 5 5 b 1 - - - - - - b - r - - r - b - - b r - - - - - - -",
];

/// While a position is swept, or while the book is opened, which a process does once.
fn a_stop_is_heard_on_the_way_to_the_truth(position: &str, book: bool) -> Result<(), String> {
    let start = || {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Threads value 2\nposition {position}\nisready"));
        engine.until("readyok");
        engine
    };
    let mut engine = start();
    let (mut stops, mut rounds) = (Vec::new(), 0);
    while stops.len() < 9 {
        rounds += 1;
        if book {
            engine = start();
        }
        engine.send("go infinite");
        std::thread::sleep(Duration::from_millis(5 + 13 * (rounds % 9)));
        let asked = Instant::now();
        engine.send("stop");
        let (taken, exact) = answer(&mut engine);
        // What is known already has nothing to stop.
        if !exact {
            stops.push(taken.saturating_duration_since(asked));
        } else if rounds > 40 {
            return Err(format!("{position}: the truth was there too soon to be stopped"));
        }
    }
    let stop = median(stops);
    if stop <= ALLOWED { Ok(()) } else { Err(format!("{position}: stop took {stop:?} on the way to the truth")) }
}

/// When the `bestmove` came, and whether it is known to be best.
fn answer(engine: &mut Engine) -> (Instant, bool) {
    let mut exact = false;
    loop {
        let (line, at) = engine.next().expect("a bestmove");
        exact |= line == "info string exact";
        if line.starts_with("bestmove") {
            return (at, exact);
        }
    }
}

/// When the `bestmove` came.
fn answered(engine: &mut Engine) -> Instant {
    answer(engine).0
}

fn the_clock_is_not_overrun(left: u64, increment: u64) -> Result<(), String> {
    let mut engine = Engine::start();
    engine.send("position startpos 13 4 roll 3\nisready");
    engine.until("readyok");
    let asked = Instant::now();
    engine.send(&format!("go wtime {left} btime 1 winc {increment} binc 0"));
    let taken = answered(&mut engine).saturating_duration_since(asked);
    if taken < Duration::from_millis(left) { Ok(()) } else { Err(format!("{taken:?} of {left} ms + {increment}")) }
}

fn long_searches_give_a_sign_of_life() -> Result<(), String> {
    let mut engine = Engine::start();
    engine.send("position startpos 17 8 roll 3\ngo infinite");
    let mut last = Instant::now();
    let end = last + Duration::from_millis(3200);
    while Instant::now() < end {
        let (line, at) = engine.next().expect("a line");
        assert!(line.starts_with("info "), "{line}");
        let gap = at.saturating_duration_since(last);
        if gap > Duration::from_millis(1000) {
            return Err(format!("{gap:?} of silence"));
        }
        last = at;
    }
    engine.send("stop");
    engine.until("bestmove");
    Ok(())
}
