//! From what the search reports to what the protocol says.

use std::time::Duration;

use crate::game::Value;
use crate::protocol::{Info, Reply, Score};
use crate::search::{Iteration, Line, PvPly, Report, RollValue, Verdict};

fn score(value: Value) -> Score {
    Score { cp: value.centi(), value: value.to_f64() }
}

/// Nodes per second; a time too short to measure counts as a microsecond.
pub fn per_second(nodes: u64, time: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// What is said while a search runs.
pub fn report(report: &Report) -> Vec<Reply> {
    match report {
        Report::Iteration(iteration) => {
            (1..).zip(&iteration.lines).map(|(rank, line)| Reply::Info(info(iteration, rank, line))).collect()
        }
        Report::Progress { nodes, time } => {
            vec![Reply::Progress { nodes: *nodes, nps: per_second(*nodes, *time), time: milliseconds(*time) }]
        }
    }
}

fn info(iteration: &Iteration, multipv: usize, line: &Line) -> Info {
    // The root move has its roll already.
    let ply = |ply: &PvPly| match ply.roll {
        Some(roll) => format!("{roll}:{}", ply.cell),
        None => ply.cell.to_string(),
    };
    Info {
        depth: iteration.depth,
        seldepth: iteration.seldepth,
        multipv,
        score: score(line.value),
        nodes: iteration.nodes,
        nps: per_second(iteration.nodes, iteration.time),
        hashfull: iteration.hashfull,
        time: milliseconds(iteration.time),
        pv: line.pv.iter().map(ply).collect(),
    }
}

/// What is said of a finished game instead of searching it.
pub fn game_over(value: Value) -> Reply {
    let score = score(value);
    Reply::Info(Info {
        depth: 0,
        seldepth: 0,
        multipv: 1,
        score,
        nodes: 0,
        nps: 0,
        hashfull: 0,
        time: 0,
        pv: Vec::new(),
    })
}

/// What is said at the end of a search. The nodes of an iteration that was cut short are owed a line of their own.
pub fn verdict(verdict: &Verdict) -> Vec<Reply> {
    let mut replies = Vec::new();
    let (nodes, time) = (verdict.counters.nodes, verdict.time);
    if nodes > verdict.last.as_ref().map_or(0, |last| last.nodes) {
        replies.extend(report(&Report::Progress { nodes, time }));
    }
    let roll = |roll: &RollValue| Reply::Roll {
        roll: roll.roll.to_string(),
        score: score(roll.value),
        best: roll.best.to_string(),
    };
    replies.extend(verdict.rolls.iter().map(roll));
    replies.push(Reply::BestMove(verdict.best.map(|best| best.to_string())));
    replies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_survive_any_time() {
        let cases = [(0, Duration::ZERO, 0), (5, Duration::ZERO, 5_000_000), (500, Duration::from_secs(2), 250)];
        for (nodes, time, rate) in cases {
            assert_eq!(per_second(nodes, time), rate);
        }
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }
}
