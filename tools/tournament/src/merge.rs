//! Joining shards: the games of all parts, in order, and the reports that follow from them.
//!
//! The whole is built in a folder beside `--out`, which takes its name when all is there: a merge that was killed leaves
//! nothing that looks like a tournament, and the next one builds in the same place.

use crate::cli::MergeArgs;
use crate::conditions::Conditions;
use crate::error::Error;
use crate::folder::{Count, remove_reports, write_reports};
use crate::gamefile::{GameFile, PairReader, games_path};
use crate::shard::Shard;
use crate::summary::{self, Results, Tally};
use crate::table;
use alea_tools::files;
use alea_tools::output::say;
use alea_tools::progress::{Progress, at_this_pace};
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Why shards cannot be joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MergeError {
    /// The folder for the whole is not empty.
    Used(PathBuf),
    /// A path that has no name to put another beside.
    Nameless(PathBuf),
    /// A tournament that is no part of another.
    NotAShard(PathBuf),
    /// A shard that is not complete.
    Incomplete(PathBuf),
    /// Two shards under different conditions.
    Differ {
        /// The one and the other.
        dirs: [PathBuf; 2],
        /// Word by word.
        differences: Vec<String>,
    },
    /// Shards of different divisions.
    Division {
        /// The odd one.
        dir: PathBuf,
        /// What it is.
        shard: Shard,
        /// In how many parts the others divide.
        of: u64,
    },
    /// A shard twice.
    Overlap {
        /// Where.
        dirs: [PathBuf; 2],
        /// Which.
        shard: Shard,
    },
    /// Shards that are not there.
    Gap(Vec<Shard>),
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Used(dir) => write!(f, "'{}' is not empty: choose another --out", dir.display()),
            MergeError::Nameless(dir) => write!(f, "'{}': expected --out to end in a name", dir.display()),
            MergeError::NotAShard(dir) => {
                write!(f, "'{}' is not a shard: it was played without --shard", dir.display())
            }
            MergeError::Incomplete(dir) => {
                let dir = dir.display();
                write!(f, "'{dir}' is not complete: alea-tournament run --resume {dir}")
            }
            MergeError::Differ { dirs: [a, b], differences } => {
                write!(f, "'{}' and '{}' differ:\n  {}", a.display(), b.display(), differences.join("\n  "))
            }
            MergeError::Division { dir, shard, of } => {
                let dir = dir.display();
                write!(f, "'{dir}' is shard {shard}, but others are of {of}: expected parts of one division")
            }
            MergeError::Overlap { dirs: [a, b], shard } => {
                let (a, b) = (a.display(), b.display());
                write!(f, "overlap: '{a}' and '{b}' are both shard {shard}; leave one out")
            }
            MergeError::Gap(missing) => {
                let list: Vec<String> = missing.iter().map(Shard::to_string).collect();
                write!(f, "gap: no shard {}", list.join(", "))
            }
        }
    }
}

impl std::error::Error for MergeError {}

/// One part and where it is.
struct Part {
    dir: PathBuf,
    shard: Shard,
    conditions: Conditions,
}

/// Join shards into one folder.
pub fn merge(args: &MergeArgs) -> Result<ExitCode, Error> {
    if !is_free(&args.out) {
        return Err(MergeError::Used(args.out.clone()).into());
    }
    let mut parts = args.shards.iter().map(|dir| read_part(dir)).collect::<Result<Vec<Part>, Error>>()?;
    parts.sort_by_key(|part| part.shard);
    let conditions = joined_conditions(&parts)?;
    check_cover(&parts)?;

    let yard = beside(&args.out)?;
    files::make_dir(&yard)?;
    let mut file = GameFile::open(&yard)?;
    let built = build(&yard, &mut file, &parts, &conditions);
    let results = built.inspect_err(|_| clean(&yard))?;
    fs::rename(&yard, &args.out).map_err(|error| Error::file(&args.out, error))?;
    say(&format!("{}\n", table::render(&conditions, &results)));
    Ok(ExitCode::SUCCESS)
}

/// Whether a path is a folder that holds nothing, or is not there.
fn is_free(dir: &Path) -> bool {
    match fs::read_dir(dir) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}

/// Where the whole is built: on the same disk, so that it can be renamed.
fn beside(out: &Path) -> Result<PathBuf, MergeError> {
    let name = out.file_name().ok_or_else(|| MergeError::Nameless(out.to_owned()))?;
    let mut name = name.to_owned();
    name.push(".merging");
    Ok(out.with_file_name(name))
}

fn build(yard: &Path, file: &mut GameFile, parts: &[Part], conditions: &Conditions) -> Result<Results, Error> {
    remove_reports(yard);
    file.clear()?;
    let mut whole = Whole {
        conditions,
        file,
        results: Results::new(conditions),
        progress: Progress::new("pairs", conditions.schedule().len() as usize),
        begun: Instant::now(),
    };
    let copied = parts.iter().try_for_each(|part| whole.copy(part));
    whole.progress.finish();
    copied?;
    let results = whole.results;
    file.sync()?;
    write_reports(yard, conditions, &results, true)?;
    Ok(results)
}

/// Take a yard away in which nothing was built.
fn clean(yard: &Path) {
    remove_reports(yard);
    let _ = fs::remove_file(games_path(yard)).and_then(|()| fs::remove_dir(yard));
}

fn read_part(dir: &Path) -> Result<Part, Error> {
    let (conditions, complete) = summary::read(dir)?;
    let shard = conditions.shard.ok_or_else(|| MergeError::NotAShard(dir.to_owned()))?;
    if !complete {
        return Err(MergeError::Incomplete(dir.to_owned()).into());
    }
    Ok(Part { dir: dir.to_path_buf(), shard, conditions })
}

/// The conditions of the whole, if the parts agree on them.
fn joined_conditions(parts: &[Part]) -> Result<Conditions, MergeError> {
    let first = parts.first().ok_or_else(|| MergeError::Gap(Vec::new()))?;
    let mut whole = first.conditions.clone();
    whole.shard = None;
    for part in &parts[1..] {
        let mut other = part.conditions.clone();
        other.shard = None;
        let differences = whole.differences(&other);
        if !differences.is_empty() {
            return Err(MergeError::Differ { dirs: [first.dir.clone(), part.dir.clone()], differences });
        }
        whole.hosts.extend(other.hosts);
    }
    whole.hosts.sort();
    whole.hosts.dedup();
    Ok(whole)
}

/// Every part once, none missing.
fn check_cover(parts: &[Part]) -> Result<(), MergeError> {
    let of = parts.first().map_or(1, |part| part.shard.of);
    if let Some(part) = parts.iter().find(|part| part.shard.of != of) {
        return Err(MergeError::Division { dir: part.dir.clone(), shard: part.shard, of });
    }
    if let Some((a, b)) = parts.iter().zip(&parts[1..]).find(|(a, b)| a.shard == b.shard) {
        return Err(MergeError::Overlap { dirs: [a.dir.clone(), b.dir.clone()], shard: a.shard });
    }
    let is_there = |index: u64| parts.iter().any(|part| part.shard.index == index);
    let missing: Vec<Shard> = (1..=of).filter(|&index| !is_there(index)).map(|index| Shard { index, of }).collect();
    if missing.is_empty() { Ok(()) } else { Err(MergeError::Gap(missing)) }
}

/// What is being put together.
struct Whole<'a> {
    conditions: &'a Conditions,
    file: &'a mut GameFile,
    results: Results,
    progress: Progress,
    begun: Instant,
}

impl Whole<'_> {
    /// Append a part's games, checking that they are those it should have, all of them.
    fn copy(&mut self, part: &Part) -> Result<(), Error> {
        let path = games_path(&part.dir);
        let mut reader = PairReader::of(&path)?;
        let mut count = Count::new(&part.conditions);
        let total = self.conditions.schedule().len() as usize;
        while let Some(pair) = reader.next_pair()? {
            count.add(&pair, &reader)?;
            self.results.add(self.conditions, pair[0].pairing, &pair);
            self.file.append_lines(&reader.lines)?;
            let done = self.results.tallies.iter().map(Tally::pairs).sum::<u64>() as usize;
            self.progress.show(done, || at_this_pace(self.begun, done, total));
        }
        match count.next() {
            Some(task) => Err(Error::Missing { path, number: 2 * task.number + 1 }),
            None => Ok(()),
        }
    }
}
