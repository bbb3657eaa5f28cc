//! Players of the engine's own, and what the moves that they choose throw away by the judgement of a rollout.

use crate::lists::{BadWord, algorithm_of};
use alea::game::Step;
use alea::search::{Algorithm, Branch, Limits, Rollout, Searched, Searcher, Settings, Stop};
use alea_tools::tables::{Cell, Table};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// What ends a player's search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Limit {
    Depth(u32),
    Time(Duration),
}

/// An algorithm and how long it may think: `StarETC:3` to depth 3, `MCTS:50ms` for 50 milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Player {
    algorithm: Algorithm,
    limit: Limit,
}

impl FromStr for Player {
    type Err = BadWord;

    fn from_str(text: &str) -> Result<Player, BadWord> {
        let expected = || BadWord::Expected("an algorithm and a depth or a time, as StarETC:3 or MCTS:50ms");
        let (name, limit) = text.trim().split_once(':').ok_or_else(expected)?;
        let algorithm = algorithm_of(&Algorithm::ALL, name)?;
        let number = |text: &str| text.parse().ok().filter(|&number: &u32| number > 0).ok_or_else(expected);
        let limit = match limit.strip_suffix("ms") {
            Some(time) => Limit::Time(Duration::from_millis(number(time)?.into())),
            None => Limit::Depth(number(limit)?),
        };
        Ok(Player { algorithm, limit })
    }
}

/// As it may be given.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.algorithm.name();
        match self.limit {
            Limit::Depth(depth) => write!(f, "{name}:{depth}"),
            Limit::Time(time) => write!(f, "{name}:{}ms", time.as_millis()),
        }
    }
}

impl Player {
    /// The move it chooses, from an empty table; none if it was stopped before it had one.
    fn choice<G: Searched>(
        &self,
        position: &G,
        searcher: &mut Searcher,
        judge: &G::Evaluator,
        stop: &Stop,
    ) -> Option<G::Move> {
        searcher.forget();
        let settings = Settings { algorithm: self.algorithm, ..Settings::default() };
        let limits = match self.limit {
            Limit::Depth(depth) => Limits::to_depth(depth),
            Limit::Time(time) => Limits { deadline: Instant::now().checked_add(time), ..Limits::default() },
        };
        position.search(searcher, judge, &settings, &limits, stop, &mut |_| ()).best
    }
}

/// What players threw away, position by position, in points.
pub struct Losses {
    players: Vec<Player>,
    /// A list for each player, then what a move by chance throws away.
    lost: Vec<Vec<f64>>,
    /// Standard errors of moves' values: their mean over each position.
    errors: Vec<f64>,
}

impl Losses {
    /// Of no position yet.
    pub fn new(players: &[Player]) -> Losses {
        Losses { players: players.to_vec(), lost: vec![Vec::new(); players.len() + 1], errors: Vec::new() }
    }

    /// Ask every player for its move in a position that has been rolled out. Positions without a choice do not count, nor does
    /// one where `stop` is pulled.
    pub fn ask<G: Searched>(
        &mut self,
        position: &G,
        rollout: &Rollout<G::Move>,
        searcher: &mut Searcher,
        judge: &G::Evaluator,
        stop: &Stop,
    ) {
        let points = |value: f64| value * f64::from(G::POINTS);
        let branches = &rollout.branches;
        if self.players.is_empty() || branches.len() < 2 || !matches!(branches[0].step, Step::Move(_)) {
            return;
        }
        let worth = |mv| branches.iter().find(|branch| branch.step == Step::Move(mv)).map(|branch| branch.value);
        let chosen = self.players.iter().map(|player| player.choice(position, searcher, judge, stop).and_then(worth));
        let chosen: Option<Vec<f64>> = chosen.collect();
        let Some(chosen) = chosen.filter(|_| !stop.pulled()) else { return };
        let mean =
            |number: fn(&Branch<G::Move>) -> f64| branches.iter().map(number).sum::<f64>() / branches.len() as f64;
        // They come from the best to the worst.
        let best = branches[0].value;
        let by_chance = mean(|branch| branch.value);
        for (lost, value) in self.lost.iter_mut().zip(chosen.into_iter().chain([by_chance])) {
            lost.push(points(best - value));
        }
        self.errors.push(points(mean(|branch| branch.error())));
    }

    /// A row a player; none without players.
    pub fn text(&self) -> String {
        if self.players.is_empty() {
            return String::new();
        }
        let names = self.players.iter().map(Player::to_string).chain(["by chance".into()]);
        let first = &self.lost[0];
        let row = |(name, lost): (String, &Vec<f64>)| {
            let beside: Vec<f64> = lost.iter().zip(first).map(|(lost, first)| lost - first).collect();
            let ([mean, margin], [more, more_margin]) = (mean_and_margin(lost), mean_and_margin(&beside));
            let error = |number: f64| Cell::maybe(Some(number), Cell::Error);
            let most = lost.iter().copied().fold(f64::NAN, f64::max);
            vec![Cell::Text(name), error(mean), error(margin), error(most), error(more), error(more_margin)]
        };
        let header = ["player", "lost a move", "±", "at most", "more than the first", "±"];
        let rows = names.zip(&self.lost).map(row).collect();
        let table = Table { header: header.map(String::from).into(), rows, ..Table::default() };
        let (count, [error, _]) = (self.errors.len(), mean_and_margin(&self.errors));
        if count == 0 {
            return "No position with a choice of moves was played out: nothing to judge players by.\n".into();
        }
        let positions = if count == 1 { "position" } else { "positions" };
        format!(
            "{}\nOver {count} {positions} with a choice, in points; ± is the 95 % interval. The values have a standard error of {error:.4}: the\n\
             best of them looks better than it is, so more seems lost than is, but to all players alike.\n",
            table.text()
        )
    }
}

/// The mean of some numbers and half the width of its 95 % interval; unknown where there are too few.
fn mean_and_margin(numbers: &[f64]) -> [f64; 2] {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    [mean, 1.96 * (squares / (count - 1.0) / count).sqrt()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_by_name_and_limit() {
        for text in ["StarETC:3", "MCTS:50ms", "Star2.5:1"] {
            assert_eq!(text.parse::<Player>().unwrap().to_string(), text);
        }
        assert_eq!(" mcts:5ms".parse::<Player>().unwrap().to_string(), "MCTS:5ms");
        let cases =
            [("StarETC", "as StarETC:3"), ("UCT:3", "SparseSampling"), ("MCTS:0", "as StarETC:3"), ("MCTS:ms", "50ms")];
        for (text, message) in cases {
            let error = text.parse::<Player>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn a_mean_and_its_interval() {
        let [mean, margin] = mean_and_margin(&[1.0, 2.0, 3.0]);
        assert!((mean - 2.0).abs() < 1e-12 && (margin - 1.96 * (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!(mean_and_margin(&[1.0])[1].is_nan() && mean_and_margin(&[])[0].is_nan());
    }
}
