//! The folder of a tournament: opened by one run at a time, and only to go on with what it holds.

use crate::audit::{Auditor, Mismatch};
use crate::conditions::Conditions;
use crate::error::{Error, Problem};
use crate::gamefile::{GameFile, PairReader, games_path};
use crate::schedule::{Schedule, Task};
use crate::summary::{self, Results, summary_path};
use crate::{plots, table};
use alea_tools::files;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Everything this tool writes into a folder. Games last: as long as they are there, the folder is known for what it is.
const OWN_FILES: [&str; 6] =
    ["table.txt", "score.svg", "score-by-noise.svg", "score-by-depth.svg", "summary.json", "games.jsonl"];

/// The conditions of what a folder holds, and whether it is complete; `None` if it holds nothing yet.
pub fn look(dir: &Path) -> Result<Option<(Conditions, bool)>, Error> {
    if summary_path(dir).exists() {
        return summary::read(dir).map(Some);
    }
    let games = fs::metadata(games_path(dir)).map_or(0, |file| file.len());
    if games > 0 { Err(Error::Unexplained(dir.to_owned())) } else { Ok(None) }
}

/// An error unless what is asked for is what a folder holds.
pub fn same_conditions(dir: &Path, asked: &Conditions, stored: &Conditions) -> Result<(), Error> {
    let differences = asked.differences(stored);
    if differences.is_empty() { Ok(()) } else { Err(Error::Differ { dir: dir.to_owned(), differences }) }
}

/// A folder that nobody else writes into.
pub struct Folder {
    /// Where it is.
    pub dir: PathBuf,
    /// What is played.
    pub conditions: Conditions,
    /// The games.
    pub file: GameFile,
    /// What they add up to.
    pub results: Results,
    /// The number of the first task that has not been played.
    pub from: u64,
    /// The first line of what a crash left half-written and what has been cut off, if it did.
    pub torn: Option<u64>,
}

impl Folder {
    /// Open a folder, new or to go on with, and count the games that are there. What it holds is looked at under the
    /// lock, whatever an earlier look has seen: another run may have come and gone in between.
    pub fn open(dir: &Path, conditions: Conditions, fresh: bool) -> Result<Folder, Error> {
        files::make_dir(dir)?;
        let mut file = GameFile::open(dir)?;
        if fresh && set_aside(dir)? {
            file = GameFile::open(dir)?;
        }
        if let Some((stored, _)) = look(dir)? {
            same_conditions(dir, &conditions, &stored)?;
        }
        let mut count = Count::new(&conditions);
        let torn = file.recover(|pair, reader| count.add(&pair, reader))?;
        let (results, from) = (count.results, count.from);
        summary::write(dir, &conditions, &results, false)?;
        Ok(Folder { dir: dir.to_owned(), conditions, file, results, from, torn })
    }

    /// Whether every game has been played, or decided away.
    pub fn is_complete(&self) -> bool {
        next_task(&self.conditions.schedule(), &self.results, self.from).is_none()
    }

    /// Write everything that follows from conditions and games.
    pub fn write_reports(&self, complete: bool) -> Result<(), Error> {
        write_reports(&self.dir, &self.conditions, &self.results, complete)
    }
}

/// Counts the pairs of a file, each of which must be the one that comes next.
pub struct Count<'a> {
    conditions: &'a Conditions,
    auditor: Auditor<'a>,
    schedule: Schedule,
    /// What they add up to.
    pub results: Results,
    /// The number of the task after the last.
    pub from: u64,
}

impl<'a> Count<'a> {
    /// No pairs yet.
    pub fn new(conditions: &'a Conditions) -> Count<'a> {
        let schedule = conditions.schedule();
        let from = schedule.numbers().start;
        Count { conditions, auditor: Auditor::new(conditions), schedule, results: Results::new(conditions), from }
    }

    /// The task that comes next, if any does.
    pub fn next(&self) -> Option<Task> {
        next_task(&self.schedule, &self.results, self.from)
    }

    /// Count the pair that was just read.
    pub fn add<R: Read>(&mut self, pair: &crate::records::PairRecord, reader: &PairReader<R>) -> Result<(), Error> {
        let first = reader.line - 1;
        let task = self.next().ok_or_else(|| reader.wrong_at(first, Problem::Mismatch(Mismatch::Surplus)))?;
        let audited = self.auditor.pair(pair, task);
        audited.map_err(|(i, mismatch)| reader.wrong_at(first + i as u64, Problem::Mismatch(mismatch)))?;
        self.results.add(self.conditions, task.pairing, pair);
        self.from = task.number + 1;
        Ok(())
    }
}

/// The first task from a number on whose pairing is not decided.
fn next_task(schedule: &Schedule, results: &Results, from: u64) -> Option<Task> {
    let open = |task: &Task| !results.decided[task.pairing];
    (from..schedule.numbers().end).map(|number| schedule.task(number)).find(open)
}

/// Move the files of an earlier tournament into a folder `old-N` beside them; says whether there were any.
fn set_aside(dir: &Path) -> Result<bool, Error> {
    let there: Vec<&str> = OWN_FILES.into_iter().filter(|name| dir.join(name).exists()).collect();
    let games = fs::metadata(games_path(dir)).map_or(0, |file| file.len());
    if games == 0 && there.len() <= 1 {
        return Ok(false);
    }
    let old = (1..).map(|n| dir.join(format!("old-{n}"))).find(|old| !old.exists()).unwrap_or_default();
    files::make_dir(&old)?;
    for name in there {
        let from = dir.join(name);
        fs::rename(&from, old.join(name)).map_err(|error| Error::file(&from, error))?;
    }
    Ok(true)
}

/// Remove what this tool wrote into a folder, but for the games.
pub fn remove_reports(dir: &Path) {
    for name in OWN_FILES.iter().filter(|name| **name != "games.jsonl") {
        let _ = fs::remove_file(dir.join(name));
    }
}

/// Write everything that follows from conditions and games into a folder.
pub fn write_reports(dir: &Path, conditions: &Conditions, results: &Results, complete: bool) -> Result<(), Error> {
    plots::write(dir, conditions, results)?;
    files::replace(&dir.join("table.txt"), table::render(conditions, results).as_bytes())?;
    summary::write(dir, conditions, results, complete)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::tests::{game, small};
    use crate::records::{GameRecord, PairRecord, Seat};

    fn pair(number: u64) -> PairRecord {
        Seat::BOTH.map(|seat| game(&small(), Task { number, pairing: 0, pair: number }, seat, number))
    }

    fn play(dir: &Path, numbers: std::ops::Range<u64>) -> Result<Folder, Error> {
        let mut folder = Folder::open(dir, small(), false)?;
        numbers.for_each(|number| folder.file.append(&pair(number)).unwrap());
        Ok(folder)
    }

    #[test]
    fn a_folder_goes_on_where_it_stopped() {
        let dir = tempfile::tempdir().unwrap();
        let folder = play(dir.path(), 0..3).unwrap();
        assert!(matches!(Folder::open(dir.path(), small(), false), Err(Error::Busy(_))));
        drop(folder);
        let folder = Folder::open(dir.path(), small(), false).unwrap();
        assert_eq!((folder.from, folder.results.tallies[0].pairs(), folder.torn), (3, 3, None));
    }

    /// Under the lock the folder is looked at again: here it has become another tournament's.
    #[test]
    fn other_conditions_are_refused_under_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        drop(play(dir.path(), 0..1).unwrap());
        let mut other = small();
        other.engines[0].name = "X".to_string();
        let error = Folder::open(dir.path(), other, false).err().unwrap().to_string();
        assert!(error.contains("engines[0].name: \"X\" against \"d1 n0\"") && error.contains("--fresh"), "{error}");
    }

    #[test]
    fn forged_and_misplaced_games_are_refused_with_their_line() {
        type Change = fn(&mut [PairRecord]);
        let cases: [(&str, Change); 5] = [
            ("line 3: not the game that belongs here: 'p1'", |pairs| pairs[1][0].p1 = "Y".to_string()),
            ("line 4: not the game that belongs here: 'result'", |pairs| pairs[1][1].result = pairs[1][1].seat.win()),
            ("line 1: not the game that belongs here: 'number'", |pairs| pairs.swap(0, 1)),
            ("line 3: not the game that belongs here: 'number'", |pairs| pairs[1] = pairs[0].clone()),
            ("line 1: not the game that belongs here: 'seed'", |pairs| pairs[0][0].seed ^= 1),
        ];
        for (words, change) in cases {
            let dir = tempfile::tempdir().unwrap();
            drop(play(dir.path(), 0..0).unwrap());
            let mut pairs = [pair(0), pair(1)];
            pairs[1][1] = not_won(&pairs[1][1]);
            change(&mut pairs);
            let mut file = GameFile::open(dir.path()).unwrap();
            pairs.iter().for_each(|pair| file.append(pair).unwrap());
            drop(file);
            let before = fs::read(games_path(dir.path())).unwrap();
            let error = Folder::open(dir.path(), small(), false).err().unwrap().to_string();
            assert!(error.contains(words), "{words}: {error}");
            assert_eq!(fs::read(games_path(dir.path())).unwrap(), before);
        }
    }

    /// A game for the same place that the pairing's first engine did not win.
    fn not_won(like: &GameRecord) -> GameRecord {
        let task = Task { number: (like.number - 1) / 2, pairing: 0, pair: like.pair };
        (0..).map(|salt| game(&small(), task, like.seat, salt)).find(|game| game.result != like.seat.win()).unwrap()
    }

    #[test]
    fn starting_over_moves_own_files_aside_and_no_others() {
        let dir = tempfile::tempdir().unwrap();
        drop(play(dir.path(), 0..2).unwrap());
        fs::write(dir.path().join("notes.txt"), "mine").unwrap();
        let mut other = small();
        other.patience.stall = 7;
        let folder = Folder::open(dir.path(), other.clone(), true).unwrap();
        assert_eq!(folder.from, 0);
        drop(folder);
        drop(Folder::open(dir.path(), other, true).unwrap());
        assert!(fs::metadata(dir.path().join("old-1/games.jsonl")).unwrap().len() > 0);
        assert!(dir.path().join("old-2/summary.json").exists());
        assert!(dir.path().join("notes.txt").exists());
    }
}
