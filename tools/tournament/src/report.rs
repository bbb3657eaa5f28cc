//! A tournament's table and plots, made again from its games, every one of which is checked on the way.

use crate::cli::ReportArgs;
use crate::error::Error;
use crate::folder::{Count, write_reports};
use crate::gamefile::{GameFile, PairReader, games_path};
use crate::{summary, table};
use alea_tools::output::{say, tell};
use alea_tools::progress::{Progress, at_this_pace};
use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Check, print and, unless somebody else writes into the folder, write.
pub fn report(args: &ReportArgs) -> Result<ExitCode, Error> {
    let (conditions, _) = summary::read(&args.dir)?;
    let lock = lock(&args.dir)?;
    let mut reader = PairReader::of(&games_path(&args.dir))?;
    let mut count = Count::new(&conditions);
    let (total, begun) = (conditions.schedule().len() as usize, Instant::now());
    let mut progress = Progress::new("pairs", total);
    while let Some(pair) = reader.next_pair()? {
        count.add(&pair, &reader)?;
        let done = reader.line as usize / 2;
        progress.show(done, || at_this_pace(begun, done, total));
    }
    progress.finish();
    let complete = count.next().is_none();
    match lock {
        Some(_) => write_reports(&args.dir, &conditions, &count.results, complete)?,
        None => tell("The folder cannot be written now, or another run writes into it: nothing was changed.\n"),
    }
    if let Some(line) = reader.torn {
        tell(&format!("games.jsonl, line {line}: half-written, left out\n"));
    }
    say(&format!("{}\n", table::render(&conditions, &count.results)));
    Ok(ExitCode::SUCCESS)
}

/// The folder to oneself, if it can be had.
fn lock(dir: &Path) -> Result<Option<GameFile>, Error> {
    match GameFile::open(dir) {
        Ok(file) => Ok(Some(file)),
        Err(Error::Busy(_)) => Ok(None),
        Err(Error::File(error))
            if [ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem].contains(&error.source.kind()) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
