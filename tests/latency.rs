//! How fast the engine obeys. These run one after another, in a process of their own, so as not to disturb each other.

#[path = "support/engine.rs"]
mod engine;

use engine::Engine;
use std::time::{Duration, Instant};

#[test]
fn the_engine_keeps_its_times() {
    stop_and_movetime_are_kept_on_large_boards();
    times_on_the_clock_are_never_overrun();
    long_searches_give_a_sign_of_life();
}

/// The middle of some measured times: one late wake-up of a busy machine does not count.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn stop_and_movetime_are_kept_on_large_boards() {
    let mut engine = Engine::start();
    for (size, win, threads) in [(17, 4, 1), (17, 8, 17), (13, 6, 2)] {
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
        assert!(stop <= Duration::from_millis(20), "{size}/{win}, {threads} threads: stop took {stop:?}");
        assert!(overrun <= Duration::from_millis(20), "{size}/{win}, {threads} threads: late by {overrun:?}");
    }
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

fn long_searches_give_a_sign_of_life() {
    let mut engine = Engine::start();
    engine.send("position startpos 17 8 roll 3\ngo infinite");
    let mut last = Instant::now();
    let end = last + Duration::from_millis(3500);
    while Instant::now() < end {
        let (line, at) = engine.next().expect("a line");
        assert!(line.starts_with("info "), "{line}");
        let gap = at.saturating_duration_since(last);
        assert!(gap < Duration::from_millis(1500), "{gap:?} of silence");
        last = at;
    }
    engine.send("stop");
    engine.until("bestmove");
}

fn times_on_the_clock_are_never_overrun() {
    let mut engine = Engine::start();
    for (left, increment) in [(60, 0), (100, 50), (30, 1000)] {
        engine.send("position startpos 13 4 roll 3\nisready");
        engine.until("readyok");
        let asked = Instant::now();
        engine.send(&format!("go btime {left} rtime 1 binc {increment} rinc 0"));
        let taken = answered(&mut engine).saturating_duration_since(asked);
        assert!(taken < Duration::from_millis(left + 20), "{taken:?} of {left} ms");
    }
}
