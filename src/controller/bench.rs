//! The benchmark: a fixed search of fixed positions, whatever the options are set to.
//!
//! It measures speed, and its signature shows whether a change has altered the search: two builds that search alike
//! have one signature, on every machine.

use std::time::Duration;

use super::one_game::set_up;
use super::present::per_second;
use crate::eval::dice::DiceEvaluator;
use crate::game::dice::Position;
use crate::game::mix;
use crate::protocol::{Command, parse};
use crate::search::{Limits, Searched, Searcher, Settings, Stop};

/// Size of the table, in MB.
const TABLE: usize = 16;

/// What `position` is told, and how deep to search.
const POSITIONS: [(&str, u32); 14] = [
    ("startpos 5 4", 13),
    ("dpn 5 4 r 2 - - b - - b r b b r - - b r - r - r r - - b - b -", 17),
    ("startpos 5 4 moves 2:c3 1:b2 0:d1 3:d4 roll 1", 13),
    ("startpos 7 4 moves 3:d4 2:c3 2:d3 4:e5 roll 4", 9),
    ("startpos 9 4 moves 4:e5 3:d4 3:e4 5:f6 roll 5", 7),
    ("startpos 9 6 moves 4:e5 3:d4 3:e4 5:f6 2:e3", 7),
    ("startpos 9 8 moves 4:e5 3:d4 3:e4 5:f6 roll 5", 7),
    ("startpos 13 4 moves 6:g7 5:f6 5:g6 7:h8 roll 7", 6),
    ("startpos 13 6 moves 6:g7 5:f6 5:g6 7:h8 4:g5", 5),
    ("startpos 13 8 moves 6:g7 5:f6 5:g6 7:h8 roll 7", 5),
    ("startpos 17 4 moves 8:i9 7:h8 7:i8 9:j10 roll 9", 5),
    ("startpos 17 6 moves 8:i9 7:h8 7:i8 9:j10 6:i7", 4),
    ("startpos 17 8 moves 8:i9 7:h8 7:i8 9:j10 roll 9", 5),
    ("startpos 3 3", 18),
];

fn position(text: &str) -> Position {
    match parse(&format!("position {text}")) {
        Ok(Some(Command::Position(text))) => set_up::<Position>(&text).expect("a legal position").0,
        _ => unreachable!("the list holds positions"),
    }
}

/// Search every position, telling of each; the last lines, or `None` if stopped.
pub fn run(stop: &Stop, line: &mut dyn FnMut(String)) -> Option<String> {
    let Ok(mut searcher) = Searcher::new(TABLE) else {
        return Some(format!("no memory for a table of {TABLE} MB"));
    };
    let (mut nodes, mut signature, mut time) = (0, 0, Duration::ZERO);
    for (number, (text, depth)) in (1..).zip(POSITIONS) {
        let position = position(text);
        searcher.forget();
        let limits = Limits::to_depth(depth);
        let evaluator = DiceEvaluator::for_shape(position.shape());
        let verdict = position.search(&mut searcher, &evaluator, &Settings::default(), &limits, stop, &mut |_| ());
        if stop.pulled() {
            return None;
        }
        let searched = verdict.counters.nodes;
        nodes += searched;
        time += verdict.time;
        signature = mix(signature ^ mix(searched) ^ u64::from(verdict.value.raw() as u32));
        let shape = position.shape();
        let milliseconds = verdict.time.as_millis();
        line(format!(
            "{number}/{} {shape} depth {depth} value {} nodes {searched} time {milliseconds}",
            POSITIONS.len(),
            verdict.value
        ));
    }
    Some(format!("nodes {nodes}\nsignature {signature:016x}\nnps {}", per_second(nodes, time)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::dice::Status;

    #[test]
    fn every_position_is_legal_and_unfinished() {
        for (text, _) in POSITIONS {
            assert_eq!(position(text).status(), Status::Playing, "{text}");
        }
    }

    #[test]
    fn a_stopped_benchmark_has_no_result() {
        let stop = Stop::new();
        stop.pull();
        assert_eq!(run(&stop, &mut |_| ()), None);
    }
}
