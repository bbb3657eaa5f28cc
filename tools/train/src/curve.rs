//! The learning curve: a table that grows as the run does, for people on the screen and for programs in a file; and the
//! choice of the best network by it.
//!
//! Every game has the score against a plain evaluation on fixed dice, and it is what a network is for. All rows are played on the same
//! dice, so that they differ by less than their margins say. Where a network learns exact values, or from a teacher, its error in positions
//! that it does not learn from tells late ones apart, which the score cannot ([`Choice`]).

use crate::arena::Score;
use alea_tools::files::FileError;
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What the first line of every curve's file starts with.
const OPENING: &str = "games,selfplay_rms,";

/// What a game measures beside the score.
pub trait Figures: Copy + PartialEq + fmt::Debug + fmt::Display {
    /// The names of their columns.
    const COLUMNS: &'static [&'static str];

    /// The columns.
    fn csv(&self) -> String;

    /// The figures that columns hold.
    fn parse(words: &[&str]) -> Option<Self>;

    /// How far values are from the truth, where it is known.
    fn error(&self) -> Option<f64> {
        None
    }
}

/// By what the best network is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The highest score against the plain evaluation.
    Score,
    /// The least error in what is named.
    Error(&'static str),
}

/// One line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<F> {
    /// Games played.
    pub games: u64,
    /// Root of the mean square of what the last batch was surprised by.
    pub surprise: f64,
    /// What the game measures beside the score.
    pub figures: F,
    /// What the network scores against the plain evaluation, from 0 to 1.
    pub score: f64,
    /// Half the width of the 95 % interval of that.
    pub margin: f64,
}

/// So many decimals are kept, in memory as in the file: what is read back is what was written.
fn rounded(number: f64, decimals: i32) -> f64 {
    let unit = 10_f64.powi(decimals);
    (number * unit).round() / unit
}

impl<F: Figures> Row<F> {
    /// A line of these figures.
    pub fn new(games: u64, surprise: f64, figures: F, score: Score) -> Row<F> {
        Row {
            games,
            surprise: rounded(surprise, 5),
            // Through the file's own words, for the same reason.
            figures: F::parse(&figures.csv().split(',').collect::<Vec<_>>()).unwrap_or(figures),
            score: rounded(score.mean, 4),
            margin: rounded(score.margin, 4),
        }
    }

    fn csv(&self) -> String {
        format!("{},{:.5},{},{:.4},{:.4}\n", self.games, self.surprise, self.figures.csv(), self.score, self.margin)
    }

    fn parse(line: &str) -> Option<Row<F>> {
        let words: Vec<&str> = line.split(',').collect();
        let [games, surprise, figures @ .., score, margin] = &words[..] else { return None };
        Some(Row {
            games: games.parse().ok()?,
            surprise: surprise.parse().ok()?,
            figures: F::parse(figures)?,
            score: score.parse().ok()?,
            margin: margin.parse().ok()?,
        })
    }

    /// As it is shown while training against a rival.
    pub fn shown(&self, rival: &str) -> String {
        let Row { games, surprise, figures, .. } = self;
        let (score, margin) = (100.0 * self.score, 100.0 * self.margin);
        format!("{games:>9} games  surprise {surprise:.4}  {figures}  against {rival} {score:.1} % ± {margin:.1}")
    }
}

/// The first line of the file.
fn header<F: Figures>(rival: &str) -> String {
    format!("{OPENING}{},score_vs_{rival},score_margin", F::COLUMNS.join(","))
}

/// All lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve<F>(Vec<Row<F>>);

impl<F> Default for Curve<F> {
    fn default() -> Curve<F> {
        Curve(Vec::new())
    }
}

impl<F: Figures> Curve<F> {
    /// The curve that a text holds, without a header; `None` if it holds something else.
    pub fn parse(text: &str) -> Option<Curve<F>> {
        text.lines().map(Row::parse).collect::<Option<Vec<Row<F>>>>().map(Curve)
    }

    /// The lines, without a header.
    pub fn csv(&self) -> String {
        self.0.iter().map(Row::csv).collect()
    }

    /// The row of the best network, and of several the last.
    pub fn best(&self, choice: Choice) -> Option<&Row<F>> {
        let merit = |row: &Row<F>| match choice {
            Choice::Score => row.score,
            Choice::Error(_) => row.figures.error().map_or(f64::NEG_INFINITY, |error| -error),
        };
        self.0.iter().max_by(|a, b| merit(a).total_cmp(&merit(b)))
    }

    /// The last row.
    pub fn last(&self) -> Option<&Row<F>> {
        self.0.last()
    }

    /// Add a row.
    pub fn push(&mut self, row: Row<F>, choice: Choice) -> News<F> {
        let fallen = |curve: &Curve<F>| {
            let (best, last) = (curve.best(choice)?, curve.last()?);
            (last.score < best.score - best.margin.max(last.margin)).then_some(*best)
        };
        let before = fallen(self);
        self.0.push(row);
        match fallen(self) {
            Some(best) if before.is_none() => News::Fallen(best),
            _ if self.best(choice) == Some(&row) => News::Best,
            _ => News::None,
        }
    }
}

/// What a new row means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum News<F> {
    /// No network was better.
    Best,
    /// Its score has fallen below that of the best by more than the margin of either, which the row before had not.
    Fallen(Row<F>),
    /// Nothing to speak of.
    None,
}

/// The file of the curve; as long as it is open no other run writes to it.
pub struct CurveFile {
    path: PathBuf,
    file: File,
}

/// Why a curve cannot be written.
#[derive(Debug)]
pub enum CurveError {
    /// The file cannot be opened or written.
    File(FileError),
    /// Another process has it locked.
    Busy(PathBuf),
    /// It is not a curve.
    Foreign(PathBuf),
}

impl fmt::Display for CurveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CurveError::File(error) => write!(f, "cannot write {error}"),
            CurveError::Busy(path) => {
                write!(f, "{}: another run is writing to it; wait, stop it, or give another --out", path.display())
            }
            CurveError::Foreign(path) => {
                write!(f, "{}: not a learning curve; move it away or give another --out", path.display())
            }
        }
    }
}

impl std::error::Error for CurveError {}

/// Whether a file may be overwritten by a curve: it is one, or empty. `None` if there is none.
pub fn is_curve(path: &Path) -> io::Result<Option<bool>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
        Ok(metadata) if !metadata.is_file() => return Ok(Some(false)),
        Ok(_) => {}
    }
    let mut start = Vec::new();
    File::open(path)?.take(OPENING.len() as u64).read_to_end(&mut start)?;
    Ok(Some(OPENING.as_bytes().starts_with(&start)))
}

impl CurveFile {
    /// Open or make the file, as its only writer; its content stays for now.
    pub fn open(path: &Path) -> Result<CurveFile, CurveError> {
        let fail = |error| CurveError::File(FileError::new(path, error));
        if is_curve(path).map_err(fail)? == Some(false) {
            return Err(CurveError::Foreign(path.to_owned()));
        }
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(fail)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(CurveError::Busy(path.to_owned())),
            // Some file systems know no locks; one can do without.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(CurveFile { path: path.to_owned(), file }),
        }
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> Result<bool, CurveError> {
        let metadata = self.file.metadata();
        metadata
            .map(|metadata| metadata.len() == 0)
            .map_err(|error| CurveError::File(FileError::new(&self.path, error)))
    }

    /// Empty the file.
    pub fn clear(&mut self) -> Result<(), CurveError> {
        self.file.set_len(0).map_err(|error| CurveError::File(FileError::new(&self.path, error)))
    }

    /// Put a curve, of scores against a rival, in place of what is there.
    pub fn write<F: Figures>(&mut self, curve: &Curve<F>, rival: &str) -> Result<(), CurveError> {
        let text = format!("{}\n{}", header::<F>(rival), curve.csv());
        let written = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.write_all(text.as_bytes()));
        let cut = written.and_then(|()| self.file.set_len(text.len() as u64));
        cut.map_err(|error| CurveError::File(FileError::new(&self.path, error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A figure for tests.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Size(f64);

    impl Figures for Size {
        const COLUMNS: &'static [&'static str] = &["size"];

        fn csv(&self) -> String {
            format!("{:.3}", self.0)
        }

        fn parse(words: &[&str]) -> Option<Size> {
            let [word] = words else { return None };
            word.parse().ok().map(Size)
        }

        fn error(&self) -> Option<f64> {
            Some(self.0)
        }
    }

    impl fmt::Display for Size {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "size {}", self.0)
        }
    }

    fn row(games: u64, score: f64) -> Row<Size> {
        Row::new(games, 0.123456, Size(games as f64 / 7.0), Score { mean: score, margin: 0.03, pairs: 9 })
    }

    #[test]
    fn rows_come_back() {
        let curve = Curve((1..5).map(|games| row(games, 1.0 / games as f64)).collect());
        assert_eq!(Curve::parse(&curve.csv()), Some(curve));
        for bad in ["1,2\n", "1,2,3,4\n", "1,2,3,4,5,6\n", "1,2,x,4,5\n"] {
            assert_eq!(Curve::<Size>::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_best_is_kept_and_a_fall_told_once() {
        let rise = |scores: &[f64]| {
            let mut curve = Curve::default();
            let news: Vec<News<Size>> =
                (1..).zip(scores).map(|(games, &score)| curve.push(row(games, score), Choice::Score)).collect();
            (curve.best(Choice::Score).unwrap().games, news)
        };
        let fallen = |games, score| News::Fallen(row(games, score));
        type Case<'a> = (&'a [f64], u64, Vec<News<Size>>);
        let cases: [Case; 4] = [
            (&[0.5, 0.6, 0.6], 3, vec![News::Best; 3]),
            (&[0.5, 0.82, 0.81, 0.60, 0.61], 2, vec![News::Best, News::Best, News::None, fallen(2, 0.82), News::None]),
            (&[0.7, 0.6, 0.69, 0.6], 1, vec![News::Best, fallen(1, 0.7), News::None, fallen(1, 0.7)]),
            (&[0.7, 0.6, 0.8], 3, vec![News::Best, fallen(1, 0.7), News::Best]),
        ];
        for (scores, best, news) in cases {
            assert_eq!(rise(scores), (best, news), "{scores:?}");
        }
    }

    #[test]
    fn the_best_has_the_least_error_where_that_is_asked_for() {
        const CHOICE: Choice = Choice::Error("sizes");
        let row = |games, error| Row { figures: Size(error), ..row(games, 0.5) };
        let mut curve = Curve::default();
        let cases = [(1, 0.3, News::Best), (2, 0.2, News::Best), (3, 0.25, News::None), (4, 0.2, News::Best)];
        for (games, error, news) in cases {
            assert_eq!(curve.push(row(games, error), CHOICE), news, "{games}");
        }
        assert_eq!(curve.best(CHOICE).unwrap().games, 4);
        // A score that falls is told of all the same.
        let fallen = Row { score: 0.4, ..row(5, 0.3) };
        assert_eq!(curve.push(fallen, CHOICE), News::Fallen(row(4, 0.2)));
        assert_eq!(curve.push(Row { games: 6, figures: Size(0.1), ..fallen }, CHOICE), News::Best);
    }

    #[test]
    fn one_writer_and_no_other_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        let mut file = CurveFile::open(&path).unwrap();
        let curve = |rows: u64| Curve((0..rows).map(|games| row(games, 0.5)).collect());
        for rows in [3, 1] {
            file.write(&curve(rows), "luck").unwrap();
            let text = format!("games,selfplay_rms,size,score_vs_luck,score_margin\n{}", curve(rows).csv());
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert!(matches!(CurveFile::open(&path), Err(CurveError::Busy(_))));
        drop(file);
        assert!(CurveFile::open(&path).is_ok());
        let cases = [("", true), ("games,self", true), ("games,of,chess\n", false), ("dear diary", false)];
        for (text, good) in cases {
            fs::write(&path, text).unwrap();
            assert_eq!(CurveFile::open(&path).is_ok(), good, "{text}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert!(matches!(CurveFile::open(dir.path()), Err(CurveError::Foreign(_))));
    }
}
