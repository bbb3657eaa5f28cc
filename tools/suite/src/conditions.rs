//! What a run's results depend on, beside the rows' own columns: kept with them, so that a run is only ever taken up
//! again under the same conditions.

use crate::error::Error;
use crate::judges::Judges;
use crate::suites::Suite;
use crate::variants::Variant;
use alea::game::Notation;
use alea::search::{Algorithm, Limits, ProbeOrder, Searched, Searcher, Stop};
use alea_tools::files::{self, FileError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The form of `run.json` and of the rows; those of other ones are refused.
const FORMAT: u32 = 2;

/// The conditions of a run, as `run.json` has them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Conditions {
    /// [`FORMAT`].
    format: u32,
    /// Which game.
    pub game: String,
    /// Which program.
    pub program: String,
    /// A number that changes when search or evaluation change.
    pub signature: String,
    /// The suite's name; its positions are in `suite.dpn`.
    pub suite: String,
    /// How leaves are judged.
    pub eval: String,
    /// Megabytes of table for each search.
    pub hash: usize,
    /// Threads of each search.
    pub threads: usize,
    /// CRC-32 of all this and of the positions, so that damage shows.
    checksum: String,
}

/// As much of `run.json` as every format has in common: the first had no number.
#[derive(Deserialize)]
struct Header {
    #[serde(default = "first_format")]
    format: u32,
}

fn first_format() -> u32 {
    1
}

/// Whether a run begins or goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// There are no results yet.
    New,
    /// There are.
    GoOn,
    /// There may have been, and nobody wants them any more.
    Fresh,
}

/// The file of conditions.
const FILE: &str = "run.json";
/// The file of positions.
const SUITE: &str = "suite.dpn";

/// Why a run cannot go on, or be reported on.
#[derive(Debug)]
pub enum ConditionsError {
    /// A file cannot be read or written.
    File(FileError),
    /// The file says nothing one could read.
    Json(PathBuf, serde_json::Error),
    /// It is of another version of this program.
    Format(PathBuf, u32),
    /// It is not what was written, or the positions are not.
    Damaged(PathBuf),
    /// There are results, and nobody knows how they were made.
    Missing(PathBuf),
    /// The results were made under other conditions.
    Other {
        /// Where.
        dir: PathBuf,
        /// What is different.
        differences: Vec<String>,
    },
}

impl fmt::Display for ConditionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConditionsError::File(error) => write!(f, "{error}"),
            ConditionsError::Json(path, error) => write!(f, "{}:{}: {error}", path.display(), error.line()),
            ConditionsError::Format(path, format) => {
                let (path, age) = (path.display(), if *format < FORMAT { "an earlier" } else { "a later" });
                write!(
                    f,
                    "{path}: a run of {age} version of alea-suite (format {format}, expected {FORMAT}); \
                     give another --out, or --fresh to start over"
                )
            }
            ConditionsError::Damaged(path) => {
                write!(f, "{}: damaged, or {SUITE} beside it is: the checksum is wrong", path.display())
            }
            ConditionsError::Missing(path) => {
                let path = path.display();
                write!(
                    f,
                    "{path}: is missing, so nobody knows how its results were made; give another --out, or --fresh"
                )
            }
            ConditionsError::Other { dir, differences } => {
                let (dir, differences) = (dir.display(), differences.join(", "));
                write!(
                    f,
                    "{dir} holds results of another run: {differences}; give another --out, or --fresh to start over"
                )
            }
        }
    }
}

impl std::error::Error for ConditionsError {}

impl Conditions {
    /// The conditions of a run over a suite.
    pub fn new<G: Searched>(
        suite: &Suite<G>,
        judges: &Judges,
        hash: usize,
        threads: usize,
    ) -> Result<Conditions, Error> {
        let mut conditions = Conditions {
            format: FORMAT,
            game: G::NAME.into(),
            program: format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
            signature: signature(suite, judges)?,
            suite: suite.name.clone(),
            eval: judges.name(),
            hash,
            threads,
            checksum: String::new(),
        };
        conditions.checksum = conditions.checksum_with(&suite.text());
        Ok(conditions)
    }

    /// CRC-32 of all other fields and of the positions.
    fn checksum_with(&self, positions: &str) -> String {
        let Conditions { format, game, program, signature, suite, eval, hash, threads, checksum: _ } = self;
        let all = format!("{format}\n{game}\n{program}\n{signature}\n{suite}\n{eval}\n{hash}\n{threads}\n{positions}");
        format!("{:08x}", crc32fast::hash(all.as_bytes()))
    }

    /// Write the conditions and the positions to a directory that is new, or make sure that those it has are the same.
    pub fn settle<G: Notation>(&self, dir: &Path, suite: &Suite<G>, start: Start) -> Result<(), ConditionsError> {
        let known = if start == Start::Fresh { None } else { Conditions::load(dir)? };
        match known {
            Some((there, positions)) => {
                let mut differences = self.differences(&there);
                if positions != suite.text() {
                    differences.push(format!("other positions (those of {}, now of {})", there.suite, self.suite));
                }
                if differences.is_empty() {
                    return Ok(());
                }
                Err(ConditionsError::Other { dir: dir.to_owned(), differences })
            }
            None if start == Start::GoOn => Err(ConditionsError::Missing(dir.join(FILE))),
            None => {
                let path = dir.join(FILE);
                let text =
                    serde_json::to_string_pretty(self).map_err(|error| ConditionsError::Json(path.clone(), error))?;
                let written = files::replace(&dir.join(SUITE), suite.text().as_bytes());
                written.and_then(|()| files::replace(&path, (text + "\n").as_bytes())).map_err(ConditionsError::File)
            }
        }
    }

    /// The conditions in a directory, and its positions, if it has any.
    pub fn load(dir: &Path) -> Result<Option<(Conditions, String)>, ConditionsError> {
        let path = dir.join(FILE);
        let fail = |path: &Path, error| ConditionsError::File(FileError::new(path, error));
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| fail(&path, error))?,
        };
        let json = |error| ConditionsError::Json(path.clone(), error);
        let Header { format } = serde_json::from_str(&text).map_err(json)?;
        if format != FORMAT {
            return Err(ConditionsError::Format(path, format));
        }
        let conditions: Conditions = serde_json::from_str(&text).map_err(json)?;
        let positions = dir.join(SUITE);
        let positions = fs::read_to_string(&positions).map_err(|error| fail(&positions, error))?;
        if conditions.checksum != conditions.checksum_with(&positions) {
            return Err(ConditionsError::Damaged(path));
        }
        Ok(Some((conditions, positions)))
    }

    fn differences(&self, there: &Conditions) -> Vec<String> {
        let fields = [
            ("--game", there.game.clone(), self.game.clone()),
            ("program", there.program.clone(), self.program.clone()),
            ("signature", there.signature.clone(), self.signature.clone()),
            ("--eval", there.eval.clone(), self.eval.clone()),
            ("--hash", there.hash.to_string(), self.hash.to_string()),
            ("--threads", there.threads.to_string(), self.threads.to_string()),
        ];
        let other = |(name, there, here): &(&str, String, String)| {
            (there != here).then(|| format!("{name} {there} (now {here})"))
        };
        fields.iter().filter_map(other).collect()
    }
}

/// Positions that the signature is taken from.
const SIGNATURE_POSITIONS: usize = 8;

/// CRC-32 of what short searches of the first positions find and cost: other search code, networks or evaluation show.
fn signature<G: Searched>(suite: &Suite<G>, judges: &Judges) -> Result<String, Error> {
    let mut searcher = Searcher::new(1)?;
    let mut hash = crc32fast::Hasher::new();
    let judges = judges.each(suite.positions().take(SIGNATURE_POSITIONS))?;
    for (position, judge) in suite.positions().zip(&judges) {
        for variant in Variant::all(&Algorithm::EXACT, &[1], &[ProbeOrder::Cyclic]) {
            searcher.forget();
            let limits = Limits { depth: Some(7), nodes: Some(20_000), ..Limits::default() };
            let settings = variant.settings(1);
            let verdict = position.search(&mut searcher, judge, &settings, &limits, &Stop::new(), &mut |_| ());
            let counters = verdict.counters;
            let counts = [counters.nodes, counters.evaluations, counters.table_hits, counters.probe_cuts];
            for part in counts.into_iter().chain([verdict.value.raw() as u64]) {
                hash.update(&part.to_le_bytes());
            }
        }
    }
    Ok(format!("{:08x}", hash.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judges::EvalArgs;
    use alea::game::dice::Position;

    /// The conditions of a small suite, settled in a folder.
    fn settled(dir: &Path) -> (Suite<Position>, Conditions) {
        let suite = Suite::parse("small.dpn", "3 3 b 1 - - - - - - - - -\n");
        let judges = Judges::new::<Position>(&EvalArgs::default()).unwrap();
        let conditions = Conditions::new(&suite, &judges, 64, 1).unwrap();
        conditions.settle(dir, &suite, Start::New).unwrap();
        (suite, conditions)
    }

    #[test]
    fn other_formats_are_refused_and_named() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let (suite, conditions) = settled(dir);
        let text = fs::read_to_string(dir.join(FILE)).unwrap();
        let ours = format!("  \"format\": {FORMAT},\n");
        for (line, message) in [("", "an earlier version of alea-suite (format 1"), ("\"format\": 9,", "a later")] {
            fs::write(dir.join(FILE), text.replace(&ours, line)).unwrap();
            for start in [Start::New, Start::GoOn] {
                let error = conditions.settle(dir, &suite, start).unwrap_err().to_string();
                assert!(error.contains(message) && error.contains(FILE), "{error}");
            }
            assert!(Conditions::load(dir).is_err());
        }
        conditions.settle(dir, &suite, Start::Fresh).unwrap();
        assert_eq!(fs::read_to_string(dir.join(FILE)).unwrap(), text);
    }

    #[test]
    fn every_flipped_bit_of_conditions_and_positions_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let (suite, conditions) = settled(dir);
        assert_eq!(Conditions::load(dir).unwrap(), Some((conditions.clone(), suite.text())));
        for name in [FILE, SUITE] {
            let path = dir.join(name);
            let whole = fs::read(&path).unwrap();
            // The end of the last line of JSON has no meaning.
            for bit in 0..8 * (whole.len() - usize::from(name == FILE)) {
                let mut bytes = whole.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                fs::write(&path, bytes).unwrap();
                assert!(Conditions::load(dir).is_err(), "{name}: bit {bit}");
                assert!(conditions.settle(dir, &suite, Start::GoOn).is_err(), "{name}: bit {bit}");
            }
            fs::write(&path, whole).unwrap();
        }
        assert!(conditions.settle(dir, &suite, Start::GoOn).is_ok());
    }
}
