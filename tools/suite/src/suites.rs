//! Suites: files of positions, one a line as its game writes it; `#` starts a comment line. One bad line does not spoil the
//! rest. A suite of another game than Dice starts with a line that names it, `# game einstein`.

use crate::games::{DEFAULT, DICE};
use alea::game::{Fault as PositionFault, Kind, Notation};
use alea::games::NAMES;
use alea_tools::files::FileError;
use alea_tools::output::complain;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// No suite has more bytes.
const MAX_BYTES: u64 = 1 << 28;

/// The positions that survive of those the 2006 thesis measured its algorithms by.
const THESIS: &str = include_str!("../thesis-5x5.dpn");

/// What the built-in suite is called.
pub const BUILT_IN: &str = "thesis-5x5 (built in)";

/// A suite that has not been read further than to know its game.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file, as the user knows it.
    pub name: String,
    /// The game.
    pub game: &'static str,
    text: String,
}

/// A position and where it stands.
#[derive(Clone, Debug)]
pub struct Entry<G> {
    /// Its line in the file, from 1.
    pub line: usize,
    /// The position, which is not over.
    pub position: G,
}

/// What a file says.
#[derive(Clone, Debug)]
pub struct Suite<G> {
    /// The file, as the user knows it.
    pub name: String,
    /// The good positions, in order.
    pub entries: Vec<Entry<G>>,
    /// Each bad line.
    pub faults: Vec<Fault>,
}

/// A bad line.
#[derive(Clone, Debug)]
pub struct Fault {
    line: usize,
    reason: Reason,
}

/// What is wrong with a line.
#[derive(Clone, Debug)]
enum Reason {
    /// It is no position.
    Position(PositionFault),
    /// It is a position that nobody can search, after a game that ended so.
    Over(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Reason::Position(error) => write!(f, "{}: {error}", self.line),
            Reason::Over(how) => {
                write!(f, "{}: the game is over ({how}): expected a position that can be searched", self.line)
            }
        }
    }
}

/// What is wrong with a line that names a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameFault {
    /// There is no such game.
    Unknown,
    /// The command line names another one.
    Asked(String),
    /// The suite was of another one up to there.
    Before(&'static str),
}

impl fmt::Display for GameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameFault::Unknown => write!(f, "no such game; expected {}", NAMES.join(", ")),
            GameFault::Asked(game) => write!(f, "contradicts --game {game}"),
            GameFault::Before(game) => write!(f, "contradicts what comes before, which is {game}"),
        }
    }
}

/// A suite that cannot be used.
#[derive(Debug)]
pub enum SuiteError {
    /// It cannot be read.
    File(FileError),
    /// It names a game that it must not.
    Game {
        /// Its name.
        name: String,
        /// The line.
        line: usize,
        /// The game.
        word: String,
        /// What is wrong with that.
        fault: GameFault,
    },
    /// There is no built-in suite of this game.
    NotBuiltIn(String),
    /// It has bad lines, and must not.
    Bad {
        /// Its name.
        name: String,
        /// How many lines of how many.
        tally: Tally,
    },
    /// No line of it is a good one of its game.
    Empty {
        /// Its name.
        name: String,
        /// The game.
        game: &'static str,
    },
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteError::File(error) => write!(f, "{error}"),
            SuiteError::Game { name, line, word, fault } => write!(f, "{name}:{line}: '{word}': {fault}"),
            SuiteError::NotBuiltIn(game) => {
                write!(f, "--game {game}: only {DICE} has a suite built in; expected --suite FILE as well")
            }
            SuiteError::Bad { name, tally } => write!(f, "{name}: {tally}; nothing was done, as --strict asks"),
            SuiteError::Empty { name, game } => write!(f, "{name}: no position of {game} in it can be searched"),
        }
    }
}

impl std::error::Error for SuiteError {}

/// So many bad lines of so many.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    bad: usize,
    lines: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} lines {} bad", self.bad, self.lines, if self.bad == 1 { "is" } else { "are" })
    }
}

impl Source {
    /// A file, or the built-in suite, of the game that is asked for: if none is, of the one it names, or Dice.
    pub fn open(path: Option<&Path>, asked: Option<&str>) -> Result<Source, SuiteError> {
        let (name, text) = match (path, asked) {
            (None, Some(game)) if game != DICE => return Err(SuiteError::NotBuiltIn(game.into())),
            (None, _) => (BUILT_IN.to_string(), THESIS.to_string()),
            (Some(path), _) => {
                let bytes = read(path, MAX_BYTES).map_err(|error| SuiteError::File(FileError::new(path, error)))?;
                (path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned())
            }
        };
        let game = match game_of(&text, asked) {
            Ok(game) => game,
            Err((line, word, fault)) => return Err(SuiteError::Game { name, line, word: word.into(), fault }),
        };
        Ok(Source { name, game, text })
    }
}

/// The game of a suite, or the line and the word that it must not have. A comment before the first position may name it; no
/// later one may name another.
fn game_of<'t>(text: &'t str, asked: Option<&str>) -> Result<&'static str, (usize, &'t str, GameFault)> {
    let known = |word: &str| NAMES.iter().copied().find(|name| *name == word);
    let asked = asked.and_then(known);
    let mut game = asked;
    let said = text.lines().map(content).enumerate().filter(|(_, line)| !line.is_empty());
    for (nth, (i, line)) in said.enumerate() {
        if !line.starts_with('#') {
            game = game.or(Some(DEFAULT));
        }
        let Some(word) = game_line(line) else { continue };
        match (known(word), game) {
            (None, _) if nth == 0 => return Err((i + 1, word, GameFault::Unknown)),
            // A comment that happens to look like one.
            (None, _) => {}
            (Some(named), None) => game = Some(named),
            (Some(named), Some(due)) if named == due => {}
            (Some(_), Some(due)) if asked.is_some() => return Err((i + 1, word, GameFault::Asked(due.into()))),
            (Some(_), Some(before)) => return Err((i + 1, word, GameFault::Before(before))),
        }
    }
    Ok(game.unwrap_or(DEFAULT))
}

/// What a line says.
fn content(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').trim()
}

/// The word behind `# game`, if a line has just that.
fn game_line(line: &str) -> Option<&str> {
    let mut words = line.strip_prefix('#')?.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some("game"), word, None) => word,
        _ => None,
    }
}

/// The line that a suite of a game starts with, if it needs one.
pub fn heading(game: &str) -> String {
    if game == DICE { String::new() } else { format!("# game {game}\n") }
}

impl<G: Notation> Suite<G> {
    /// The positions of a suite. Complains of bad lines on stderr; fails on any of them if `strict`, and where nothing is
    /// left.
    pub fn load(source: &Source, strict: bool) -> Result<Suite<G>, SuiteError> {
        let suite = Suite::parse(&source.name, &source.text);
        for fault in &suite.faults {
            complain(&format!("{}:{fault}", suite.name));
        }
        let name = suite.name.clone();
        let tally = Tally { bad: suite.faults.len(), lines: suite.entries.len() + suite.faults.len() };
        match (suite.entries.len(), suite.faults.len()) {
            (_, 1..) if strict => Err(SuiteError::Bad { name, tally }),
            (0, _) => Err(SuiteError::Empty { name, game: G::NAME }),
            (_, 1..) => {
                complain(&format!("{name}: {tally}; going on with the rest (--strict would not)"));
                Ok(suite)
            }
            _ => Ok(suite),
        }
    }

    /// The suite a text holds.
    pub fn parse(name: &str, text: &str) -> Suite<G> {
        let mut suite = Suite { name: name.to_string(), entries: Vec::new(), faults: Vec::new() };
        for (i, line) in text.lines().map(content).enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match position(line) {
                Ok(position) => suite.entries.push(Entry { line: i + 1, position }),
                Err(reason) => suite.faults.push(Fault { line: i + 1, reason }),
            }
        }
        suite
    }

    /// The good positions as a file of their own.
    pub fn text(&self) -> String {
        heading(G::NAME) + &self.entries.iter().map(|entry| entry.position.fen() + "\n").collect::<String>()
    }

    /// The good positions.
    pub fn positions(&self) -> impl Iterator<Item = &G> {
        self.entries.iter().map(|entry| &entry.position)
    }
}

/// What a file or a pipe holds, unless it is far too much.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("too large: expected at most {most} bytes")));
    }
    Ok(bytes)
}

fn position<G: Notation>(line: &str) -> Result<G, Reason> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let position = G::read("fen", &words).map_err(Reason::Position)?;
    match (position.kind(), position.result().and_then(|result| result.winner)) {
        (Kind::Over(_), Some(winner)) => Err(Reason::Over(format!("{} wins", position.player_name(winner)))),
        (Kind::Over(_), None) => Err(Reason::Over("draw".into())),
        _ => Ok(position),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alea::game::{dice, einstein};

    #[test]
    fn the_built_in_suite_is_whole() {
        let source = Source::open(None, None).unwrap();
        assert_eq!(source.game, DICE);
        let suite = Suite::<dice::Position>::load(&source, true).unwrap();
        assert_eq!(suite.entries.len(), 75);
        assert!(suite.positions().all(|position| position.shape().to_string() == "5/4"));
        assert!(suite.positions().all(|position| position.roll().is_some()));
    }

    #[test]
    fn bad_lines_are_named_and_the_rest_kept() {
        let text = "# a comment\r\n\r\n3 3 b -1 - - - - - - - - -\r\n3 3 x -1 - - - - - - - - -\n  \
                    3 3 r -1 b b b r r - - - -\n5 4\n\u{feff}3 3 b 0 - - - - - - - - -";
        let suite = Suite::<dice::Position>::parse("my.dpn", text);
        let lines: Vec<usize> = suite.entries.iter().map(|entry| entry.line).collect();
        assert_eq!(lines, [3, 7]);
        let starts = ["4: 'x': expected the side", "5: the game is over (blue wins)", "6: 'end of"];
        assert_eq!(suite.faults.len(), starts.len());
        for (fault, start) in suite.faults.iter().zip(starts) {
            assert!(fault.to_string().starts_with(start), "{fault}");
        }
    }

    #[test]
    fn a_suite_of_another_game_names_it_and_comes_back() {
        let text = "# game einstein\n# a comment\n123../45.../6...F/...ED/..CBA b -\n1..../..... b 1\n";
        let suite = Suite::<einstein::Position>::parse("mine", text);
        assert_eq!((suite.entries.len(), suite.faults.len()), (1, 1));
        assert!(suite.faults[0].to_string().starts_with("4: "), "{}", suite.faults[0]);
        assert_eq!(suite.text(), "# game einstein\n123../45.../6...F/...ED/..CBA b -\n");
    }

    #[test]
    fn a_line_at_the_top_names_the_game_and_nothing_may_contradict_it() {
        let good = [
            ("", None, "dice"),
            ("", Some("einstein"), "einstein"),
            ("\u{feff}\n #game einstein\r\n", None, "einstein"),
            ("# game einstein\n# game einstein\n", Some("einstein"), "einstein"),
            ("# positions of my last match\n# game 7\n# game seven of it\n", None, "dice"),
            ("# positions\n# game einstein\n", None, "einstein"),
        ];
        for (text, asked, game) in good {
            assert_eq!(game_of(text, asked), Ok(game), "{text:?}");
        }
        let bad = [
            ("\n# game chess\n", None, (2, "chess", GameFault::Unknown)),
            ("# game einstein", Some("dice"), (1, "einstein", GameFault::Asked("dice".into()))),
            ("# game einstein\n\n# game dice", None, (3, "dice", GameFault::Before("einstein"))),
            ("3 3 b\n# game einstein", None, (2, "einstein", GameFault::Before("dice"))),
        ];
        for (text, asked, fault) in bad {
            assert_eq!(game_of(text, asked), Err(fault), "{text:?}");
        }
    }
}
