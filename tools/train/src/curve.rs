//! The learning curve: a table that grows as the run does, for people on the screen and for programs in a file.

use crate::arena::Score;
use crate::endings::{Ending, first_sight};
use alea::eval::Judge;
use alea::files;
use std::fmt;
use std::io;
use std::path::Path;

/// The first line of the file.
pub const HEADER: &str = "games,selfplay_rms,endings_rms,endings_mean_error,score_vs_pairs,score_margin";

/// One line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Games played.
    pub games: u64,
    /// Root of the mean square of what the last batch was surprised by.
    pub surprise: f64,
    /// Error of the depth-1 value against exact endings, if the shape has any: root mean square and mean size.
    pub endings: Option<(f64, f64)>,
    /// What it scores against pairs.
    pub score: Score,
}

/// Root mean square and mean size of the errors of the depth-1 values.
pub fn errors(judge: &Judge, endings: &[Ending]) -> Option<(f64, f64)> {
    let misses: Vec<f64> =
        endings.iter().map(|ending| first_sight(judge, &ending.position).to_f64() - ending.value.to_f64()).collect();
    let n = misses.len() as f64;
    let square = misses.iter().map(|miss| miss * miss).sum::<f64>() / n;
    (!misses.is_empty()).then(|| (square.sqrt(), misses.iter().map(|miss| miss.abs()).sum::<f64>() / n))
}

impl Row {
    fn csv(&self) -> String {
        let endings = self.endings.map_or(",".to_owned(), |(rms, mean)| format!("{rms:.5},{mean:.5}"));
        format!("{},{:.5},{endings},{:.4},{:.4}", self.games, self.surprise, self.score.mean, self.score.margin)
    }
}

/// As it is shown while training.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>9} games  surprise {:.4}", self.games, self.surprise)?;
        match self.endings {
            Some((rms, mean)) => write!(f, "  exact endings: rms {rms:.4}, mean {mean:.4}")?,
            None => f.write_str("  exact endings: none")?,
        }
        let (mean, margin) = (100.0 * self.score.mean, 100.0 * self.score.margin);
        write!(f, "  against pairs {mean:.1} % ± {margin:.1}")
    }
}

/// The file, line by line.
#[derive(Default)]
pub struct Curve {
    lines: Vec<String>,
}

impl Curve {
    /// The lines of a file up to `games`; none if there is no such file.
    pub fn load(path: &Path, games: u64) -> Curve {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let known = |line: &&str| {
            line.split(',').next().and_then(|word| word.parse::<u64>().ok()).is_some_and(|at| at <= games)
        };
        Curve { lines: text.lines().filter(known).map(str::to_owned).collect() }
    }

    /// Add a line and write the file.
    pub fn add(&mut self, row: &Row, path: &Path) -> io::Result<()> {
        self.lines.push(row.csv());
        let text: String = std::iter::once(HEADER)
            .chain(self.lines.iter().map(String::as_str))
            .flat_map(|line| [line, "\n"])
            .collect();
        files::replace(path, text.as_bytes())
    }
}
