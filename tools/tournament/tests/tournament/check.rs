//! `alea-tournament check`: our engine passes every point, a bad one is shown where it fails.

use crate::arena::{Arena, engine, fake_engine, text};
use std::time::{Duration, Instant};

/// How the fake engine behaves, and what the list then holds.
const CASES: [(&str, &[&str]); 4] = [
    ("none", &["FAIL  ugi is answered", "| > ugi", "PASS  EOF alone: exit 0", "expected 'info string error"]),
    ("no-readyok", &["FAIL  isready is answered at once", "no 'readyok' within 100ms"]),
    ("no-uciok", &["FAIL  uci is answered", "| < id name Mute"]),
    ("exit-at-once", &["FAIL  uci is answered", "exited with code 7", "this engine will not start"]),
];

#[test]
fn a_bad_engine_is_shown_where_it_fails() {
    for (behaviour, shown) in CASES {
        let arena = Arena::new();
        let fake = fake_engine();
        let output = arena.run(&["check", "--patience", "100ms", "--", &fake, behaviour]);
        let list = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{behaviour}: {list}");
        for words in shown {
            assert!(list.contains(words), "{behaviour}: no '{words}' in\n{list}");
        }
    }
}

/// Programs that are no engines at all, and never stop writing: each point fails soon, in little memory.
#[test]
fn endless_output_ends() {
    for program in ["yes ''", "yes info", "yes bestmove"] {
        let arena = Arena::new();
        let start = Instant::now();
        let line = format!("ulimit -v 400000; alea-tournament check --patience 1s -- {program}");
        let output = arena.shell(&line).output().unwrap();
        let list = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{program}: {list}{}", text(&output.stderr));
        assert!(list.contains("FAIL  uci is answered"), "{program}: {list}");
        assert!(start.elapsed() < Duration::from_secs(90), "{program} took {:?}", start.elapsed());
        arena.assert_nothing_left();
    }
}

/// What hosts rely on is tested: an engine that ignores it fails.
#[test]
fn the_points_of_hosts_are_tested() {
    let output = Arena::new().run(&["check", "--patience", "300ms", "--", &fake_engine()]);
    let list = text(&output.stdout);
    for point in ["after a position that is refused", "rtime and rinc", "position fen", "a go that is refused"] {
        assert!(list.contains(&format!("FAIL  {point}")), "{point}:\n{list}");
    }
}

#[test]
fn an_engine_that_is_not_there_is_named() {
    let error = Arena::new().refuse(&["check", "--", "./no-such-engine"]);
    assert!(error.contains("no-such-engine"), "{error}");
}

#[test]
fn our_engine_conforms() {
    let output = Arena::new().run(&["check", "--", &engine()]);
    let list = text(&output.stdout);
    assert!(output.status.success() && !list.contains("FAIL"), "{list}");
    assert!(list.lines().filter(|line| line.starts_with("PASS")).count() >= 30, "{list}");
}
