//! `summary.json`: the conditions and, for each pairing, what its games add up to. It is a function of the conditions
//! and `games.jsonl` alone, so it can be made again at any time.

use crate::conditions::Conditions;
use crate::error::Error;
use crate::fault::FaultKind;
use crate::records::{FORMAT, GameRecord, PairRecord, Reason, Seat};
use crate::sprt;
use crate::stats::{Estimate, PairCounts, PointSums, Stats};
use crate::trace::Trace;
use alea_tools::files::{self, FileError};
use alea_tools::words::WordError;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the games of one pairing add up to, from its first engine's view.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by points: 0, ½, 1, 1½, 2.
    pub pair_counts: PairCounts,
    /// What the pairs were worth in points.
    pub point_sums: PointSums,
    /// Pairs whose two games were the same, move by move.
    pub same_games: u64,
    /// How the counts grew.
    pub trace: Trace,
    /// What each engine of the pairing did and suffered, the first one first.
    pub players: [PlayerTally; 2],
}

/// One engine's part in a pairing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerTally {
    /// Moves made.
    pub moves: u64,
    /// Microseconds they took altogether.
    pub time_us: u64,
    /// Games lost other than on the board, by kind.
    pub forfeits: BTreeMap<FaultKind, u64>,
}

impl Tally {
    /// Count a pair.
    pub fn add(&mut self, pair: &PairRecord) {
        for game in pair {
            match game.half_points() {
                2 => self.wins += 1,
                1 => self.draws += 1,
                _ => self.losses += 1,
            }
            let first_moves_first = game.seat == Seat::P1;
            for (ply, &time) in game.time_us.iter().enumerate() {
                let player = &mut self.players[usize::from((ply % 2 == 0) != first_moves_first)];
                player.moves += 1;
                player.time_us = player.time_us.saturating_add(time);
            }
            if let Reason::Fault(kind) = game.reason {
                let culprit = usize::from(game.result == game.seat.win());
                *self.players[culprit].forfeits.entry(kind).or_default() += 1;
            }
        }
        self.pair_counts[pair[0].half_points() + pair[1].half_points()] += 1;
        self.point_sums.add(pair.iter().map(GameRecord::signed_points).sum());
        self.same_games += u64::from((&pair[0].plies, &pair[0].result) == (&pair[1].plies, &pair[1].result));
        self.trace.add(&self.pair_counts);
    }

    /// What the pairs say; `None` while there are none.
    pub fn stats(&self) -> Option<Stats> {
        Stats::of(&self.pair_counts, self.same_games)
    }

    /// Mean worth of a game in points; `None` while there are none.
    pub fn points(&self) -> Option<Estimate> {
        self.point_sums.mean(self.same_games == self.pairs())
    }

    /// Pairs counted.
    pub fn pairs(&self) -> u64 {
        self.pair_counts.iter().sum()
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Games lost other than on the board, by either engine.
    pub fn forfeits(&self) -> u64 {
        self.players.iter().flat_map(|player| player.forfeits.values()).sum()
    }
}

impl PlayerTally {
    /// Milliseconds a move.
    pub fn mean_ms(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.time_us as f64 / self.moves as f64 / 1000.0)
    }
}

/// The tallies of all pairings.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// One for each pairing, in order.
    pub tallies: Vec<Tally>,
    /// Which pairings a sequential test has ended.
    pub decided: Vec<bool>,
}

impl Results {
    /// No games yet.
    pub fn new(conditions: &Conditions) -> Results {
        let count = conditions.pairings().len();
        Results { tallies: vec![Tally::default(); count], decided: vec![false; count] }
    }

    /// Count a pair; says whether its pairing is now decided.
    pub fn add(&mut self, conditions: &Conditions, pairing: usize, pair: &PairRecord) -> bool {
        let tally = &mut self.tallies[pairing];
        tally.add(pair);
        let state = conditions.sprt.map(|sprt| sprt.state(&tally.pair_counts));
        let decided = state.is_some_and(|state| state.decision != sprt::Decision::Open);
        self.decided[pairing] |= decided;
        decided
    }
}

/// Where the summary of a folder is.
pub fn summary_path(dir: &Path) -> PathBuf {
    dir.join("summary.json")
}

/// Write the summary. `complete` says that no more games will come.
pub fn write(dir: &Path, conditions: &Conditions, results: &Results, complete: bool) -> Result<(), Error> {
    let pairings: Vec<_> = conditions
        .pairings()
        .iter()
        .zip(&results.tallies)
        .map(|(pairing, tally)| {
            let names = [pairing.first, pairing.second].map(|i| conditions.engines[i].name.as_str());
            pairing_json(conditions, names, tally)
        })
        .collect();
    let summary = json!({ "format": FORMAT, "complete": complete, "conditions": conditions, "pairings": pairings });
    Ok(files::replace(&summary_path(dir), format!("{summary:#}\n").as_bytes())?)
}

fn pairing_json(conditions: &Conditions, names: [&str; 2], tally: &Tally) -> serde_json::Value {
    let stats = tally.stats();
    let players: Vec<_> = names
        .iter()
        .zip(&tally.players)
        .map(|(name, player)| {
            let forfeits: BTreeMap<FaultKind, u64> =
                FaultKind::ALL.iter().map(|&kind| (kind, player.forfeits.get(&kind).copied().unwrap_or(0))).collect();
            json!({
                "name": name,
                "moves": player.moves,
                "mean_time_ms": player.mean_ms(),
                "forfeits": forfeits,
            })
        })
        .collect();
    json!({
        "first": names[0],
        "second": names[1],
        "games": tally.games(),
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pair_counts": tally.pair_counts,
        "same_games": tally.same_games,
        "score": stats.map(|stats| stats.score),
        "points": tally.points(),
        "elo": stats.and_then(|stats| stats.elo),
        "nelo": stats.and_then(|stats| stats.nelo),
        "los": stats.map(|stats| stats.los),
        "identical_play": stats.map(|stats| stats.identical),
        "sprt": conditions.sprt.map(|sprt| sprt.state(&tally.pair_counts)),
        "players": players,
    })
}

/// A folder's conditions, and whether it says it is complete.
pub fn read(dir: &Path) -> Result<(Conditions, bool), Error> {
    let path = summary_path(dir);
    let text = std::fs::read_to_string(&path).map_err(|error| Error::NoSummary(FileError::new(&path, error)))?;
    let wrong = |problem: String| Error::Summary { path: path.clone(), problem };
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let format = value.get("format").and_then(|format| u32::try_from(format.as_u64()?).ok());
    if format != Some(FORMAT) {
        // The first release did not say.
        return Err(Error::Format { path, found: format.or(value.get("conditions").map(|_| 1)) });
    }
    #[derive(serde::Deserialize)]
    struct Stored {
        complete: bool,
        conditions: Conditions,
    }
    let stored: Stored = serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?;
    stored.conditions.start().map_err(|error| wrong(error.to_string()))?;
    check(&stored.conditions).map_err(|error| wrong(error.to_string()))?;
    Ok((stored.conditions, stored.complete))
}

/// What later code takes for granted, for a file that somebody may have edited.
fn check(conditions: &Conditions) -> Result<(), WordError> {
    if conditions.pairings().is_empty() {
        return Err(WordError::new("engines", "nobody plays anybody"));
    }
    if conditions.engines.iter().any(|engine| engine.cmd.is_empty()) {
        return Err(WordError::new("cmd", "an engine has no command"));
    }
    if conditions.seeds.len() > crate::schedule::MAX_PAIRS {
        return Err(WordError::new("pairs", "too many"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::tests::example;
    use crate::records::tests::pair;
    use crate::rules::Variant;
    use crate::schedule::Task;

    #[test]
    fn tallies_count_from_the_first_engines_view() {
        let task = Task { number: 0, pairing: 0, pair: 0 };
        let mut tally = Tally::default();
        tally.add(&pair(task, [2, 1]));
        tally.add(&pair(task, [0, 0]));
        let mut crashed = pair(task, [2, 0]);
        crashed[0].reason = Reason::Fault(FaultKind::Crash);
        crashed[1].reason = Reason::Fault(FaultKind::Stall);
        crashed[1].time_us = vec![7];
        tally.add(&crashed);
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 3));
        assert_eq!(tally.pair_counts, [1, 0, 1, 1, 0]);
        assert_eq!(tally.players[0].forfeits, BTreeMap::from([(FaultKind::Stall, 1)]));
        assert_eq!(tally.players[1].forfeits, BTreeMap::from([(FaultKind::Crash, 1)]));
        // As blue the first engine makes the first move of two, 10 µs; as red the second, 20 µs.
        assert_eq!((tally.players[0].moves, tally.players[0].time_us), (5, 3 * 10 + 2 * 20));
        assert_eq!((tally.players[1].moves, tally.players[1].time_us), (6, 3 * 20 + 2 * 10 + 7));
    }

    #[test]
    fn summaries_read_back_and_hold_no_nan() {
        let dir = tempfile::tempdir().unwrap();
        let conditions = example(&[1, 3], &["0"]);
        let mut results = Results::new(&conditions);
        write(dir.path(), &conditions, &results, false).unwrap();
        assert_eq!(read(dir.path()).unwrap(), (conditions.clone(), false));
        results.add(&conditions, 0, &pair(Task { number: 0, pairing: 0, pair: 0 }, [2, 2]));
        write(dir.path(), &conditions, &results, true).unwrap();
        let text = std::fs::read_to_string(summary_path(dir.path())).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["pairings"][0]["elo"], serde_json::Value::Null);
        assert_eq!(json["pairings"][0]["score"]["value"], 1.0);
        assert!(read(dir.path()).unwrap().1);
    }

    #[test]
    fn a_spoilt_summary_is_named() {
        let dir = tempfile::tempdir().unwrap();
        assert!(read(dir.path()).unwrap_err().to_string().contains("--out"));
        let mut conditions = example(&[1, 3], &["0"]);
        conditions.variant.start = "startpos 5 9".to_string();
        write(dir.path(), &conditions, &Results::new(&conditions), false).unwrap();
        assert!(read(dir.path()).unwrap_err().to_string().contains("startpos 5 9"));
        conditions.variant = Variant::of("chess");
        write(dir.path(), &conditions, &Results::new(&conditions), false).unwrap();
        assert!(read(dir.path()).unwrap_err().to_string().contains("'chess'"));
        for (text, word) in [("{\"complete\":true,\"conditions\":{}}", "format 1"), ("{\"format\":9}", "format 9")] {
            std::fs::write(summary_path(dir.path()), text).unwrap();
            let error = read(dir.path()).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains("another --out"), "{error}");
        }
    }
}
