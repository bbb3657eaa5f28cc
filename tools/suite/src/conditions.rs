//! What a run's results depend on, beside the rows' own columns: kept with them, so that a run is only ever taken up
//! again under the same conditions.

use crate::judges::Judges;
use crate::naming;
use crate::suites::Suite;
use crate::variants::Variant;
use alea::game::mix;
use alea::search::{Algorithm, Limits, ProbeOrder, Searcher, Stop};
use alea_tools::files;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The conditions of a run, as `run.json` has them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Conditions {
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
}

/// The file of conditions.
const FILE: &str = "run.json";
/// The file of positions.
const SUITE: &str = "suite.dpn";

impl Conditions {
    /// The conditions of a run over a suite.
    pub fn new(suite: &Suite, judges: &Judges, hash: usize, threads: usize) -> Result<Conditions, String> {
        Ok(Conditions {
            program: format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
            signature: signature(suite, judges)?,
            suite: suite.name.clone(),
            eval: judges.name(),
            hash,
            threads,
        })
    }

    /// Write the conditions and the positions to a directory that is new, or make sure that those it has are the same.
    pub fn settle(&self, dir: &Path, suite: &Suite, new: bool) -> Result<(), String> {
        match Conditions::load(dir)? {
            Some((there, positions)) => {
                let mut others = self.differences(&there);
                if positions != suite.text() {
                    others.push(format!("other positions (those of {}, now of {})", there.suite, self.suite));
                }
                if others.is_empty() {
                    return Ok(());
                }
                let dir = dir.display();
                Err(format!("{dir} holds results of another run: {}; give another --out", others.join(", ")))
            }
            None if !new => Err(naming(
                &dir.join(FILE),
                "is missing, so nobody knows how its results were made; give another --out",
            )),
            None => {
                let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
                files::replace(&dir.join(SUITE), suite.text().as_bytes())?;
                Ok(files::replace(&dir.join(FILE), (text + "\n").as_bytes())?)
            }
        }
    }

    /// The conditions in a directory, and its positions, if it has any.
    pub fn load(dir: &Path) -> Result<Option<(Conditions, String)>, String> {
        let path = dir.join(FILE);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| naming(&path, error))?,
        };
        let conditions = serde_json::from_str(&text).map_err(|error| naming(&path, error))?;
        let path = dir.join(SUITE);
        let positions = fs::read_to_string(&path).map_err(|error| naming(&path, error))?;
        Ok(Some((conditions, positions)))
    }

    fn differences(&self, there: &Conditions) -> Vec<String> {
        let fields = [
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

/// A hash of what short searches of the first positions find and cost: other search code, networks or evaluation show.
fn signature(suite: &Suite, judges: &Judges) -> Result<String, String> {
    let mut searcher = Searcher::new(1).map_err(|error| error.to_string())?;
    let mut hash = 0;
    for entry in suite.entries.iter().take(SIGNATURE_POSITIONS) {
        let judge = judges.judge(entry.position.shape())?;
        for variant in Variant::all(&Algorithm::ALL, &[1], &[ProbeOrder::Cyclic]) {
            searcher.forget();
            let limits = Limits { depth: Some(7), nodes: Some(20_000), ..Limits::default() };
            let settings = variant.settings(1);
            let verdict = searcher.search(&entry.position, &judge, &settings, &limits, &Stop::new(), &mut |_| ());
            let counters = verdict.counters;
            let counts = [counters.nodes, counters.evaluations, counters.table_hits, counters.probe_cuts];
            for part in counts.into_iter().chain([verdict.value.raw() as u64]) {
                hash = mix(hash ^ part);
            }
        }
    }
    Ok(format!("{hash:016x}"))
}
