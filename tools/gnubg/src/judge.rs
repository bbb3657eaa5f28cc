//! How well games were played, by GNU Backgammon's analysis: every move of a sample of a tournament's games is compared with
//! the best one it finds. What has been judged is kept beside the games, so that a judgement can be cut short and go on.

use crate::error::Error;
use crate::gnubg::{self, GnubgError};
use crate::mat;
use alea::game::Fault;
use alea_tools::engine::Stop;
use alea_tools::engine::process::{Heard, Process};
use alea_tools::files::{self, FileError};
use alea_tools::progress::{Progress, at_this_pace};
use alea_tools::records::{GameRecord, LineError, MAX_RECORD, Reason};
use alea_tools::text::visible;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What a line of results begins with, among whatever else GNU Backgammon prints.
const MARK: &str = "alea-judged ";
/// How long one game may take.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Why games cannot be judged.
#[derive(Debug)]
pub enum JudgeError {
    /// A line of the games is none.
    Record {
        /// Where.
        path: PathBuf,
        /// Which line.
        line: usize,
        /// What is wrong.
        error: LineError,
    },
    /// A game breaks the rules.
    Game {
        /// Its number.
        number: u64,
        /// What is wrong.
        fault: Fault,
    },
    /// There are no games of backgammon that were played to their end.
    NoGames(PathBuf),
    /// What was judged before cannot be read.
    Kept {
        /// Where.
        path: PathBuf,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// GNU Backgammon said something else than a judgement.
    Words(String),
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JudgeError::Record { path, line, error } => write!(f, "{}, line {line}: {error}", path.display()),
            JudgeError::Game { number, fault } => write!(f, "game {number}: {fault}"),
            JudgeError::NoGames(path) => {
                write!(f, "{}: expected games of backgammon that were played to their end", path.display())
            }
            JudgeError::Kept { path, error } => {
                write!(f, "{}: {error}; remove it to judge afresh", path.display())
            }
            JudgeError::Words(words) => {
                write!(f, "GNU Backgammon ended before it had judged all games; it said: {words}")
            }
        }
    }
}

impl std::error::Error for JudgeError {}

/// What is judged, and how.
pub struct Task {
    /// The tournament's folder.
    pub dir: PathBuf,
    /// How many games, evenly spread over those there are.
    pub games: usize,
    /// How many plies the judge looks ahead.
    pub plies: u32,
    /// Where GNU Backgammon is.
    pub gnubg: PathBuf,
}

/// One player's part in one game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judged {
    /// The game's number in the tournament.
    pub number: u64,
    /// The game itself: see [`checksum`].
    #[serde(default)]
    pub checksum: String,
    /// Who played.
    pub player: String,
    /// Its moves, and those where it had a choice.
    pub moves: u32,
    /// Those where it had a choice.
    pub unforced: u32,
    /// What its mistakes cost, in points; never above zero.
    pub error: f64,
    /// What its dice were worth.
    pub luck: f64,
    /// The result, in points.
    pub result: f64,
}

/// What was judged, as it is kept.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Kept {
    plies: u32,
    judged: Vec<Judged>,
}

/// Judge a sample; gives the table for people.
pub fn judge(task: &Task, stop: &Stop) -> Result<String, Error> {
    let games = sample(&task.dir.join("games.jsonl"), task.games)?;
    let path = task.dir.join(format!("judged-{}-ply.json", task.plies));
    let mut kept = read_kept(&path)?;
    kept.plies = task.plies;
    let is_of = |judged: &Judged, game: &GameRecord| judged.number == game.number && judged.checksum == checksum(game);
    let missing: Vec<&GameRecord> =
        games.iter().filter(|game| !kept.judged.iter().any(|judged| is_of(judged, game))).collect();
    let total = missing.len();
    let mut progress = Progress::new("games judged", total);
    let begun = Instant::now();
    let mut done = 0;
    run_gnubg(task, &missing, stop, |judged| {
        done += 1;
        // Another match may have been here before, with games of the same numbers.
        kept.judged.retain(|old| old.number != judged[0].number);
        kept.judged.extend(judged);
        progress.show(done, || at_this_pace(begun, done, total));
        let text = serde_json::to_vec_pretty(&kept).map_err(|error| FileError::new(&path, error.into()))?;
        files::replace(&path, &text)
    })?;
    progress.finish();
    kept.judged.retain(|judged| games.iter().any(|game| is_of(judged, game)));
    Ok(table(&kept, done < total))
}

/// CRC-32 of what is judged in a game: who played, and what.
fn checksum(game: &GameRecord) -> String {
    let text = format!("{}\n{}\n{}", game.p1, game.p2, game.plies.join(" "));
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

/// Games of backgammon that ended by the rules, so many of them, evenly spread.
fn sample(path: &Path, count: usize) -> Result<Vec<GameRecord>, Error> {
    let file = File::open(path).map_err(|error| FileError::new(path, error))?;
    let mut reader = BufReader::new(file);
    let (mut games, mut line, mut number) = (Vec::new(), Vec::new(), 0);
    loop {
        line.clear();
        let read = (&mut reader).take(MAX_RECORD as u64 + 1).read_until(b'\n', &mut line);
        if read.map_err(|error| FileError::new(path, error))? == 0 {
            break;
        }
        number += 1;
        // A run may be writing its last line just now.
        let Some(whole) = line.strip_suffix(b"\n") else { break };
        let game = GameRecord::from_line(whole)
            .map_err(|error| Error::Judge(JudgeError::Record { path: path.into(), line: number, error }))?;
        if game.game == "backgammon" && game.start == "startpos" && game.reason == Reason::Rules {
            games.push(game);
        }
    }
    if games.is_empty() {
        return Err(Error::Judge(JudgeError::NoGames(path.into())));
    }
    let count = count.min(games.len());
    Ok((0..count).map(|i| games[i * games.len() / count].clone()).collect())
}

fn read_kept(path: &Path) -> Result<Kept, Error> {
    match std::fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Kept::default()),
        Err(error) => Err(FileError::new(path, error).into()),
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map_err(|error| Error::Judge(JudgeError::Kept { path: path.into(), error }))
        }
    }
}

/// The script that GNU Backgammon's own Python runs. Its `O` is the player named first in a game.
fn script(plies: u32, files: &[(u64, PathBuf)]) -> String {
    let files: Vec<String> = files.iter().map(|(number, path)| format!("({number}, {:?})", path.display())).collect();
    format!(
        r#"import gnubg, json, sys
for line in ["set threads 1", "set jacoby off", "set cube use off", "set display off", "set confirm new off",
             "set analysis cubedecision off", "set analysis chequerplay evaluation plies {plies}",
             "set analysis chequerplay evaluation cubeful off"]:
    gnubg.command(line)
for number, path in [{files}]:
    gnubg.command('import mat "' + path + '"')
    gnubg.command("analyse match")
    game = gnubg.match(analysis=0, boards=0, statistics=1, verbose=0)["games"][0]
    sides = []
    for side in "XO":
        moves, dice = game["stats"][side]["moves"], game["stats"][side]["dice"]
        sides.append([moves["total-moves"], moves["unforced-moves"], moves["error-skill"], dice["luck"], dice["actual-result"]])
    sys.stdout.write("\n{MARK}" + json.dumps([number, sides]) + "\n")
    sys.stdout.flush()
"#,
        files = files.join(", ")
    )
}

/// What the script prints of a side: moves, moves with a choice, cost of mistakes, luck, result.
type Side = (u32, u32, f64, f64, f64);

fn run_gnubg(
    task: &Task,
    games: &[&GameRecord],
    stop: &Stop,
    mut take: impl FnMut([Judged; 2]) -> Result<(), FileError>,
) -> Result<(), Error> {
    if games.is_empty() {
        return Ok(());
    }
    let home = TempDir::new().map_err(|source| Error::System { what: "make a folder", source })?;
    let mut list = Vec::new();
    for game in games {
        let fault = |fault| Error::Judge(JudgeError::Game { number: game.number, fault });
        let path = home.path().join(format!("{}.mat", game.number));
        files::replace(&path, mat::write(["one", "two"], &game.plies).map_err(fault)?.as_bytes())?;
        list.push((game.number, path));
    }
    let path = home.path().join("judge.py");
    files::replace(&path, script(task.plies, &list).as_bytes())?;
    let words = gnubg::command(&task.gnubg, home.path(), &["-p", &path.display().to_string()]);
    let mut process = Process::spawn(&words).map_err(GnubgError::Start)?;
    let (mut left, mut said) = (games.len(), String::new());
    while left > 0 {
        match process.line(Instant::now() + PATIENCE, stop) {
            Ok(Heard::Line(line)) => match line.strip_prefix(MARK) {
                Some(text) => {
                    let read: Result<(u64, [Side; 2]), _> = serde_json::from_str(text);
                    let (number, sides) = read.map_err(|_| Error::Judge(JudgeError::Words(visible(text, 200))))?;
                    let game = games.iter().find(|game| game.number == number);
                    let game = game.ok_or_else(|| Error::Judge(JudgeError::Words(visible(text, 200))))?;
                    take(judged(game, sides))?;
                    left -= 1;
                }
                None if line.trim().is_empty() => {}
                None => said = visible(&line, 200),
            },
            Ok(Heard::Stopped) => return Ok(()),
            _ => {
                let words = process.last_words();
                return Err(Error::Judge(JudgeError::Words(if words.is_empty() { said } else { words })));
            }
        }
    }
    Ok(())
}

fn judged(game: &GameRecord, sides: [Side; 2]) -> [Judged; 2] {
    let [first, second] = sides;
    [(&game.p1, first), (&game.p2, second)].map(|(player, (moves, unforced, error, luck, result))| Judged {
        number: game.number,
        checksum: checksum(game),
        player: player.clone(),
        moves,
        unforced,
        error: -error.abs(),
        luck,
        result,
    })
}

/// A line a player: what its mistakes cost a move that was a choice, and a game, with 95 % intervals over games.
fn table(kept: &Kept, cut_short: bool) -> String {
    let mut players: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    kept.judged.iter().for_each(|judged| players.entry(&judged.player).or_default().push(judged));
    let mut text = format!("Judged by GNU Backgammon's analysis at {} plies, without the cube\n\n", kept.plies);
    text.push_str(
        "player                games  choices  error a choice (millipoints)  error a game (points)  luck a game\n",
    );
    for (player, games) in players {
        let count = games.len() as f64;
        let choices: u32 = games.iter().map(|judged| judged.unforced).sum();
        let total: f64 = games.iter().map(|judged| judged.error).sum();
        let rate = if choices > 0 { 1000.0 * total / f64::from(choices) } else { 0.0 };
        // The error of a ratio: how far games lie from what their choices would make them cost.
        let residual = |judged: &&Judged| {
            let expected = rate / 1000.0 * f64::from(judged.unforced);
            (judged.error - expected) * (judged.error - expected)
        };
        let spread: f64 = games.iter().map(residual).sum();
        let rate_error = if choices > 0 { 1.96 * 1000.0 * spread.sqrt() / f64::from(choices) } else { 0.0 };
        let mean = total / count;
        let variance: f64 =
            games.iter().map(|judged| (judged.error - mean) * (judged.error - mean)).sum::<f64>() / count;
        let mean_error = 1.96 * (variance / count).sqrt();
        let luck = games.iter().map(|judged| judged.luck).sum::<f64>() / count;
        text.push_str(&format!(
            "{:<20} {:>6} {choices:>8} {:>29} {:>22} {luck:>+12.3}\n",
            visible(player, 20),
            games.len(),
            format!("{rate:+.1} ± {rate_error:.1}"),
            format!("{mean:+.3} ± {mean_error:.3}"),
        ));
    }
    text.push_str("\nThe judge favours what plays as it does itself. ± is the 95 % interval over games.\n");
    if cut_short {
        text.push_str("Cut short: the same command goes on.\n");
    }
    text
}
