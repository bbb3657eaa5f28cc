//! From what the search reports to what the protocol says.

use std::time::Duration;

use crate::game::{Notation, Step, Value, write_plies};
use crate::protocol::{Info, Reply, Score};
use crate::search::{Branch, Iteration, Line, OutcomeValue, Prune, Report, Rollout, Settings, Verdict};

/// A value in points.
fn score<G: Notation>(value: Value) -> Score {
    let points = value.to_f64() * f64::from(G::POINTS);
    Score { cp: (100.0 * points).round() as i32, value: points }
}

/// Nodes per second; a time too short to measure counts as a microsecond.
pub fn per_second(nodes: u64, time: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn progress(nodes: u64, time: Duration) -> Reply {
    Reply::Progress { nodes, nps: per_second(nodes, time), time: milliseconds(time) }
}

/// What is said while `root` is searched.
pub fn report<G: Notation>(root: &G, report: &Report<G::Move>) -> Vec<Reply> {
    match report {
        Report::Iteration(iteration) => {
            (1..).zip(&iteration.lines).map(|(rank, line)| Reply::Info(info(root, iteration, rank, line))).collect()
        }
        Report::Progress { nodes, time } => vec![progress(*nodes, *time)],
    }
}

fn info<G: Notation>(root: &G, iteration: &Iteration<G::Move>, multipv: usize, line: &Line<G::Move>) -> Info {
    Info {
        depth: iteration.depth,
        seldepth: iteration.seldepth,
        multipv,
        score: score::<G>(line.value),
        nodes: iteration.nodes,
        nps: per_second(iteration.nodes, iteration.time),
        hashfull: iteration.hashfull,
        time: milliseconds(iteration.time),
        pv: write_plies(root, &line.pv),
    }
}

/// What is said before a search whose values are another matter than Expectimax's.
pub fn unsound(settings: &Settings) -> Option<Reply> {
    let Settings { algorithm, prune, .. } = settings;
    let why = match (algorithm.is_exact(), prune) {
        (true, Prune::None) => return None,
        (true, _) => format!("Prune {} leaves out lines without proof", prune.name()),
        (false, _) => format!("{} searches by chance", algorithm.name()),
    };
    Some(Reply::Note(format!("{why}: its values are estimates, not Expectimax's to a depth")))
}

/// How a rollout of `root` goes.
pub fn rollout_progress<M: Copy>(rollout: &Rollout<M>) -> Reply {
    let (played, wanted) = (rollout.played(), rollout.wanted);
    let games = rollout.games() as f64;
    let left = rollout.time.as_secs_f64() * (f64::from(wanted) * rollout.branches.len() as f64 / games - 1.0);
    let left = if games > 0.0 { format!(", about {left:.0} s left") } else { String::new() };
    Reply::Note(format!("rollout: {played} of {wanted} games each{left}"))
}

/// What is said at the end of a rollout of `root`: a line a move, the best first, or a line a roll and one for them all.
pub fn rollout<G: Notation>(root: &G, rollout: &Rollout<G::Move>) -> Vec<Reply> {
    let points = |value: f64| value * f64::from(G::POINTS);
    let line = |branch: String, value: f64, error: f64, games: u64| {
        let score = Score { cp: (100.0 * points(value)).round() as i32, value: points(value) };
        Reply::Rollout { branch, score, error: points(error), games }
    };
    let branch = |found: &Branch<G::Move>| {
        let text = match found.step {
            Step::Move(mv) => root.move_text(mv),
            Step::Outcome(id) => root.outcome_text(id),
        };
        line(text, found.value, found.error(), found.games.into())
    };
    let mut replies: Vec<Reply> = rollout.branches.iter().filter(|found| found.games > 0).map(branch).collect();
    if let Some((value, error)) = rollout.mean() {
        replies.push(line("all".into(), value, error, rollout.games()));
    }
    replies.push(Reply::BestMove(rollout.best().map(|best| root.move_text(best))));
    replies
}

/// How a finished game ended, in words.
pub fn outcome<G: Notation>(game: &G) -> String {
    match game.result().and_then(|result| result.winner) {
        Some(winner) => format!("{} wins", game.player_name(winner)),
        None => "draw".into(),
    }
}

/// The value of a finished game, instead of a search.
pub fn game_over<G: Notation>(value: Value) -> Reply {
    let (score, pv) = (score::<G>(value), Vec::new());
    Reply::Info(Info { depth: 0, seldepth: 0, multipv: 1, score, nodes: 0, nps: 0, hashfull: 0, time: 0, pv })
}

/// What is said at the end of a search of `root`; with `perfect` also whether its value is the truth. The nodes of an iteration that was cut short are owed a line of their own.
pub fn verdict<G: Notation>(root: &G, verdict: &Verdict<G::Move>, perfect: bool) -> Vec<Reply> {
    let mut replies = Vec::new();
    let (nodes, time) = (verdict.counters.nodes, verdict.time);
    if nodes > verdict.last.as_ref().map_or(0, |last| last.nodes) {
        replies.push(progress(nodes, time));
    }
    replies.extend(rolls(root, &verdict.outcomes));
    if perfect && verdict.is_exact() {
        replies.push(Reply::Note("exact".into()));
    }
    replies.push(Reply::BestMove(verdict.best.map(|best| root.move_text(best))));
    replies
}

/// The faces of a chance root, each with the value of the outcome that it is to the search.
fn rolls<G: Notation>(root: &G, outcomes: &[OutcomeValue<G::Move>]) -> Vec<Reply> {
    if outcomes.is_empty() {
        return Vec::new();
    }
    let roll = |face: u8| {
        let found = outcomes.iter().find(|found| found.outcome == root.outcome_of(face))?;
        let next = root.child(Step::Outcome(face));
        let best = found.best.map_or_else(String::new, |best| next.move_text(best));
        Some(Reply::Roll { roll: root.outcome_text(face), score: score::<G>(found.value), best })
    };
    root.faces().into_iter().filter_map(|face| roll(face.id)).collect()
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
