//! Joining shards: the games of all parts, in order, and the reports that follow from them.

use crate::cli::MergeArgs;
use crate::conditions::Conditions;
use crate::records::{GameFile, PairReader, games_path};
use crate::run::{refuse_used, write_reports};
use crate::schedule::Shard;
use crate::summary::{self, Results};
use crate::table;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// One part and where it is.
struct Part {
    dir: PathBuf,
    shard: Shard,
    conditions: Conditions,
}

/// Join shards into one folder.
pub fn merge(args: &MergeArgs) -> Result<ExitCode, String> {
    refuse_used(&args.out)?;
    let mut parts = args.shards.iter().map(|dir| read_part(dir)).collect::<Result<Vec<Part>, String>>()?;
    parts.sort_by_key(|part| part.shard);
    let conditions = joined_conditions(&parts)?;
    check_cover(&parts)?;

    fs::create_dir_all(&args.out).map_err(|error| format!("'{}': {error}", args.out.display()))?;
    let games = games_path(&args.out);
    let mut file = GameFile::open(&games)?;
    let mut results = Results::new(&conditions);
    let copied = parts.iter().try_for_each(|part| copy(part, &conditions, &mut file, &mut results));
    if let Err(error) = copied {
        // A part of a merge is of no use to anybody, and would stand in the way of the next one.
        let _ = fs::remove_file(&games);
        return Err(error);
    }
    file.sync().map_err(|error| format!("{}: {error}", games.display()))?;
    write_reports(&args.out, &conditions, &results, true)?;
    println!("{}", table::render(&conditions, &results));
    Ok(ExitCode::SUCCESS)
}

fn read_part(dir: &Path) -> Result<Part, String> {
    let (conditions, complete) = summary::read(dir)?;
    let name = dir.display();
    let shard = conditions.shard.ok_or_else(|| format!("'{name}' is not a shard: it was played without --shard"))?;
    if !complete {
        return Err(format!("'{name}' is not complete: alea-tournament run --resume {name}"));
    }
    Ok(Part { dir: dir.to_path_buf(), shard, conditions })
}

/// The conditions of the whole, if the parts agree on them.
fn joined_conditions(parts: &[Part]) -> Result<Conditions, String> {
    let first = parts.first().ok_or("nothing to merge")?;
    let mut whole = first.conditions.clone();
    whole.shard = None;
    for part in &parts[1..] {
        let mut other = part.conditions.clone();
        other.shard = None;
        let differences = whole.differences(&other);
        if !differences.is_empty() {
            let (a, b) = (first.dir.display(), part.dir.display());
            return Err(format!("'{a}' and '{b}' differ:\n  {}", differences.join("\n  ")));
        }
        whole.hosts.extend(other.hosts);
    }
    whole.hosts.sort();
    whole.hosts.dedup();
    Ok(whole)
}

/// Every part once, none missing.
fn check_cover(parts: &[Part]) -> Result<(), String> {
    let of = parts.first().map_or(1, |part| part.shard.of);
    if let Some(part) = parts.iter().find(|part| part.shard.of != of) {
        let (dir, shard) = (part.dir.display(), part.shard);
        return Err(format!("'{dir}' is shard {shard}, but others are of {of}: expected parts of one division"));
    }
    if let Some((a, b)) = parts.iter().zip(&parts[1..]).find(|(a, b)| a.shard == b.shard) {
        let (shard, a, b) = (a.shard, a.dir.display(), b.dir.display());
        return Err(format!("overlap: '{a}' and '{b}' are both shard {shard}; leave one out"));
    }
    let missing: Vec<String> = (1..=of)
        .filter(|index| !parts.iter().any(|part| part.shard.index == *index))
        .map(|index| Shard { index, of }.to_string())
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("gap: no shard {}", missing.join(", "))) }
}

/// Append a part's games, checking that they are those it should have, all of them.
fn copy(part: &Part, whole: &Conditions, file: &mut GameFile, results: &mut Results) -> Result<(), String> {
    let path = games_path(&part.dir);
    let named = |error: String| format!("{}: {error}", part.dir.display());
    let source = File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut reader = PairReader::new(source);
    let schedule = part.conditions.schedule();
    for number in schedule.numbers() {
        let task = schedule.task(number);
        let pair = reader.next_pair().map_err(named)?.filter(|pair| crate::records::is_pair_of(pair, task));
        let expected = || named(format!("game {} is not where it should be in games.jsonl", 2 * number + 1));
        let pair = pair.ok_or_else(expected)?;
        results.add(whole, task.pairing, &pair);
        file.append_lines(&reader.lines).map_err(|error| format!("the merged games.jsonl: {error}"))?;
    }
    match reader.next_pair().map_err(named)? {
        Some(pair) => Err(named(format!("game {} is more than the shard has", pair[0].game))),
        None => Ok(()),
    }
}
