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

/// When the `bestmove` came.
fn answered(engine: &mut Engine) -> Instant {
    loop {
        let (line, at) = engine.next().expect("a bestmove");
        if line.starts_with("bestmove") {
            return at;
        }
    }
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
