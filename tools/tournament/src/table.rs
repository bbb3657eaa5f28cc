//! The results as a person reads them: `table.txt`, and what a run prints at its end.

use crate::conditions::{Conditions, Pairing};
use crate::schedule::{Format, Seeds};
use crate::stats::{Estimate, Stats};
use crate::summary::{Results, Tally};
use std::fmt::Write;

/// The whole table.
pub fn render(conditions: &Conditions, results: &Results) -> String {
    let mut text = heading(conditions, results);
    if conditions.format == Format::Depths {
        text.push_str(&aligned(&grid(conditions, results)));
        text.push('\n');
    }
    text.push_str(&aligned(&rows(conditions, results)));
    text.push_str(&notes(conditions, results));
    text
}

/// What was played: the pairs there are, and how many were planned where that is more.
fn heading(conditions: &Conditions, results: &Results) -> String {
    let played = || results.tallies.iter().map(Tally::pairs);
    let (least, most) = (played().min().unwrap_or(0), played().max().unwrap_or(0));
    let count = if least == most { most.to_string() } else { format!("{least} to {most}") };
    let part = conditions.shard.map_or(0..conditions.seeds.len(), |shard| shard.range(conditions.seeds.len()));
    let planned = part.end - part.start;
    let of = if (least, most) == (planned, planned) { String::new() } else { format!(" of {planned}") };
    let seeds = match &conditions.seeds {
        Seeds::Drawn { seed, .. } => format!("seed {seed}"),
        Seeds::Listed(_) => "listed seeds".to_string(),
    };
    let shard = conditions.shard.map_or(String::new(), |shard| format!(", shard {shard}"));
    let mut versions: Vec<&str> = conditions.versions.iter().map(String::as_str).collect();
    versions.sort_unstable();
    versions.dedup();
    let (game, versions) = (&conditions.variant, versions.join(", "));
    format!("{game}, {count}{of} pairs a pairing, {seeds}{shard}; {versions}\n\n")
}

/// The names of a pairing's engines; in the depth experiment, its depths.
pub fn pairing_name(conditions: &Conditions, pairing: Pairing) -> String {
    let name = |i: usize| match (conditions.format, conditions.engines[i].limits.depth) {
        (Format::Depths, Some(depth)) => depth.to_string(),
        _ => conditions.engines[i].name.clone(),
    };
    format!("{} v {}", name(pairing.first), name(pairing.second))
}

/// Hauk's table: percentage won by the deeper side, and its points a game, a line a noise level.
fn grid(conditions: &Conditions, results: &Results) -> Vec<Vec<String>> {
    let pairings = conditions.pairings();
    let mut names: Vec<String> = Vec::new();
    let mut noises: Vec<&str> = Vec::new();
    for &pairing in &pairings {
        let (name, noise) = (pairing_name(conditions, pairing), conditions.noise(pairing.first).unwrap_or("0"));
        if !names.contains(&name) {
            names.push(name);
        }
        if !noises.contains(&noise) {
            noises.push(noise);
        }
    }
    let mut head = vec!["noise".to_string()];
    head.extend(names.iter().map(|name| format!("{name}: won %")));
    head.extend(names.iter().map(|name| format!("{name}: points")));
    let mut table = vec![head];
    for noise in noises {
        let cell = |name: &String, show: fn(&Tally) -> Option<String>| {
            let place = pairings.iter().position(|&pairing| {
                conditions.noise(pairing.first).unwrap_or("0") == noise && pairing_name(conditions, pairing) == *name
            });
            place.and_then(|place| show(&results.tallies[place])).unwrap_or("-".to_string())
        };
        let mut line = vec![noise.to_string()];
        line.extend(names.iter().map(|name| cell(name, |tally| Some(percent(tally.stats()?.score)))));
        line.extend(names.iter().map(|name| cell(name, |tally| Some(signed(tally.points()?, 3)))));
        table.push(line);
    }
    table
}

fn rows(conditions: &Conditions, results: &Results) -> Vec<Vec<String>> {
    let depths = conditions.format == Format::Depths;
    let mut head: Vec<&str> = if depths { vec!["noise"] } else { vec![] };
    head.extend(["pairing", "games", "won", "drawn", "lost", "won %", "points", "Elo", "nElo", "LOS %", "forfeits"]);
    if conditions.sprt.is_some() {
        head.push("SPRT");
    }
    let mut table = vec![head.into_iter().map(String::from).collect()];
    for (pairing, tally) in conditions.pairings().into_iter().zip(&results.tallies) {
        let mut line = Vec::new();
        if depths {
            line.push(conditions.noise(pairing.first).unwrap_or("0").to_string());
        }
        line.push(pairing_name(conditions, pairing));
        line.extend([tally.games(), tally.wins, tally.draws, tally.losses].map(|count| count.to_string()));
        line.extend(figures(tally));
        line.push(tally.forfeits().to_string());
        line.extend(conditions.sprt.map(|sprt| sprt.state(&tally.pair_counts).to_string()));
        table.push(line);
    }
    table
}

fn figures(tally: &Tally) -> [String; 5] {
    match tally.stats() {
        None => ["-"; 5].map(String::from),
        Some(stats) => [
            percent(stats.score),
            tally.points().map_or("-".to_string(), |points| signed(points, 3)),
            elo_text(&stats),
            stats.nelo.map_or("-".to_string(), |nelo| signed(nelo, 1)),
            format!("{:.2}", 100.0 * stats.los),
        ],
    }
}

/// Elo with its error, or in words what there is instead.
pub fn elo_text(stats: &Stats) -> String {
    match stats.elo {
        _ if stats.identical => "identical play".to_string(),
        Some(elo) => signed(elo, 1),
        None if stats.score.value >= 1.0 => "all won".to_string(),
        None if stats.score.value <= 0.0 => "all lost".to_string(),
        None => "too few games".to_string(),
    }
}

fn percent(score: Estimate) -> String {
    let error = score.error.map_or("?".to_string(), |error| format!("{:.1}", 100.0 * error));
    format!("{:.1} ± {error}", 100.0 * score.value)
}

fn signed(estimate: Estimate, decimals: usize) -> String {
    let error = estimate.error.map_or("?".to_string(), |error| format!("{error:.decimals$}"));
    format!("{:+.decimals$} ± {error}", estimate.value)
}

fn notes(conditions: &Conditions, results: &Results) -> String {
    let side = if conditions.format == Format::Depths { "the deeper side" } else { "the engine named first" };
    let mut text = format!(
        "\nFrom the view of {side}; ± is the 95 % interval over pairs. Won %: draws count half. Points a game: {}.\n",
        points_note(conditions)
    );
    let unknown = |tally: &Tally| tally.stats().is_some_and(|stats| stats.score.error.is_none());
    if results.tallies.iter().any(unknown) {
        text.push_str("± ?: every pair scored the same, which does not tell how far they may differ.\n");
    }
    if results.tallies.len() > 1 {
        text.push_str("All pairings use the same seeds: their rows are not independent of each other.\n");
    }
    for (pairing, tally) in conditions.pairings().into_iter().zip(&results.tallies) {
        for (engine, player) in [pairing.first, pairing.second].into_iter().zip(&tally.players) {
            for (kind, count) in &player.forfeits {
                let name = &conditions.engines[engine].name;
                let other = &conditions.engines[pairing.first + pairing.second - engine].name;
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{name} against {other}: {count} lost by {kind}");
            }
        }
    }
    text
}

/// What a game may be worth.
fn points_note(conditions: &Conditions) -> String {
    match conditions.start().map_or(1, |start| start.most_points()) {
        1 => "+1 won, 0 drawn, -1 lost".to_string(),
        most => format!("+1 to +{most} won, 0 drawn, -1 to -{most} lost"),
    }
}

/// Columns padded to their widest entry: the first few words to the left, figures to the right.
pub fn aligned(table: &[Vec<String>]) -> String {
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| table.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in table {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(
                |(column, (cell, &width))| {
                    if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                },
            )
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::tests::example;
    use crate::records::tests::pair;
    use crate::schedule::Task;

    #[test]
    fn the_table_shows_every_cell_and_never_nan() {
        let conditions = example(&[1, 3, 5], &["0", "0.1"]);
        let mut results = Results::new(&conditions);
        let task = Task { number: 0, pairing: 0, pair: 0 };
        let mut same = pair(task, [2, 0]);
        same[1].plies = same[0].plies.clone();
        same[1].result = same[0].result;
        results.add(&conditions, 0, &same);
        for points in [[2, 2], [2, 1], [2, 0]] {
            results.add(&conditions, 1, &pair(task, points));
        }
        results.add(&conditions, 2, &pair(task, [2, 2]));
        results.add(&conditions, 3, &pair(task, [0, 0]));
        let text = render(&conditions, &results);
        for words in ["3 v 1: won %", "5 v 3: points", "identical play", "all won", "all lost", "75.0 ± 23.1", "+0.500"]
        {
            assert!(text.contains(words), "no '{words}' in\n{text}");
        }
        assert!(text.starts_with("Dice 5/4, 0 to 3 of 10 pairs a pairing, seed 1; "), "{text}");
        for word in ["NaN", "nan", "inf"] {
            assert!(!text.contains(word), "{word} in\n{text}");
        }
    }

    /// An even score is no proof of equal play.
    #[test]
    fn identical_play_is_said_only_where_all_moves_were_equal() {
        let conditions = example(&[1, 3], &["0"]);
        let mut results = Results::new(&conditions);
        results.add(&conditions, 0, &pair(Task { number: 0, pairing: 0, pair: 0 }, [2, 0]));
        let text = render(&conditions, &results);
        assert!(!text.contains("identical") && !text.contains("± 0.0"), "{text}");
        assert!(text.contains("50.0 ± ?") && text.contains("too few games"), "{text}");
        assert!(text.starts_with("Dice 5/4, 1 of 10 pairs a pairing"), "{text}");
    }
}
