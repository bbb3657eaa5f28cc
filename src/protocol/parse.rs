//! From a line of text to a [`Command`], with nom: a pure function.
//!
//! A keyword that is recognised commits the parser (`cut`): from there on a mistake is a mistake in that command, at
//! that word, and no other reading is tried. Words that belong to a game (moves, rolls, positions) are handed on unread.

use std::fmt;

use nom::branch::alt;
use nom::bytes::complete::{take_while, take_while1};
use nom::combinator::{cut, eof, not, opt, peek, recognize, rest, value, verify};
use nom::error::{ErrorKind, ParseError};
use nom::multi::{many0, many1};
use nom::sequence::{preceded, terminated};
use nom::{Err, IResult, Parser};

use super::nearest::nearest;
use super::{Base, Command, Go, PositionText, Query, Words};

/// No time, in either direction, may be longer than this: some thirty thousand years.
pub const MAX_MILLISECONDS: i64 = 1_000_000_000_000_000;

/// The last iteration that may be asked for; no game is as long.
const MAX_DEPTH: u64 = 10_000;

/// A line that is no command: the word at fault and what was expected in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// The word at fault, or `end of line` where one is missing.
    pub word: String,
    /// What was expected there.
    pub expected: String,
}

impl SyntaxError {
    /// What follows was expected to be something else.
    fn at(input: &str, expected: impl Into<String>) -> SyntaxError {
        let word = input.split_whitespace().next().map_or("end of line".into(), clip);
        SyntaxError { word, expected: expected.into() }
    }
}

/// A word as an error message shows it: it can be as long as a line, the message need not be.
pub fn clip(word: &str) -> String {
    const LONGEST: usize = 40;
    match word.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.into(),
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': expected {}", self.word, self.expected)
    }
}

impl std::error::Error for SyntaxError {}

impl ParseError<&str> for SyntaxError {
    fn from_error_kind(input: &str, _kind: ErrorKind) -> SyntaxError {
        SyntaxError::at(input, "something else")
    }

    fn append(_input: &str, _kind: ErrorKind, other: SyntaxError) -> SyntaxError {
        other
    }
}

type Parsed<'a, T> = IResult<&'a str, T, SyntaxError>;

/// Some shells put a byte order mark before what they pipe.
fn without_mark(line: &str) -> &str {
    line.trim_start_matches('\u{feff}')
}

/// What a line is about, told by its first words: known even of a line that is no command, or of the mere beginning
/// of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineKind {
    /// A `position`: if it is refused, the client's position is not the engine's.
    Position,
    /// A `go` that is no perft: a client waits for its `bestmove`, whatever happens.
    Search,
    /// Anything else.
    Other,
}

impl LineKind {
    /// Of a line.
    pub fn of(line: &str) -> LineKind {
        let mut words = without_mark(line).split_whitespace();
        match (words.next(), words.next()) {
            (Some("position"), _) => LineKind::Position,
            (Some("go"), Some("perft")) => LineKind::Other,
            (Some("go"), _) => LineKind::Search,
            _ => LineKind::Other,
        }
    }
}

/// Read a line; a blank one is no command.
pub fn parse(line: &str) -> Result<Option<Command>, SyntaxError> {
    let line = without_mark(line);
    if line.trim().is_empty() {
        return Ok(None);
    }
    match terminated(command, cut(end)).parse(line) {
        Ok((_, command)) => Ok(Some(command)),
        Err(Err::Error(error) | Err::Failure(error)) => Err(error),
        Err(Err::Incomplete(_)) => Err(SyntaxError::at("", "a whole line")),
    }
}

/// Every command, for a word that is none.
const COMMANDS: [&str; 15] = [
    "uci",
    "ugi",
    "isready",
    "ucinewgame",
    "uginewgame",
    "setoption",
    "position",
    "go",
    "stop",
    "query",
    "d",
    "eval",
    "bench",
    "help",
    "quit",
];

fn command(input: &str) -> Parsed<'_, Command> {
    let mut known = alt((
        value(Command::Uci, keyword("uci")),
        value(Command::Ugi, keyword("ugi")),
        value(Command::IsReady, keyword("isready")),
        value(Command::NewGame, alt((keyword("ucinewgame"), keyword("uginewgame")))),
        preceded(keyword("setoption"), cut(set_option)),
        preceded(keyword("position"), cut(position)),
        preceded(keyword("go"), cut(go)),
        value(Command::Stop, keyword("stop")),
        preceded(keyword("query"), cut(query)),
        value(Command::Draw, keyword("d")),
        value(Command::Eval, keyword("eval")),
        value(Command::Bench, keyword("bench")),
        value(Command::Help, keyword("help")),
        value(Command::Quit, keyword("quit")),
    ));
    known.parse(input).map_err(|error| match error {
        Err::Error(_) => Err::Error(unknown_command(input)),
        committed => committed,
    })
}

fn unknown_command(input: &str) -> SyntaxError {
    let expected = "a command (help lists them)";
    match input.split_whitespace().next().and_then(|word| nearest(word, &COMMANDS)) {
        Some(meant) => SyntaxError::at(input, format!("{expected}; did you mean {meant}?")),
        None => SyntaxError::at(input, expected),
    }
}

/// `parser`, but with its own words for what it wants.
fn expecting<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = SyntaxError>,
) -> impl Parser<&'a str, Output = T, Error = SyntaxError> {
    move |input: &'a str| {
        parser.parse(input).map_err(|error| match error {
            Err::Error(_) => Err::Error(SyntaxError::at(input, expected)),
            committed => committed,
        })
    }
}

fn space(input: &str) -> Parsed<'_, &str> {
    take_while(char::is_whitespace).parse(input)
}

fn word(input: &str) -> Parsed<'_, &str> {
    preceded(space, take_while1(|c: char| !c.is_whitespace())).parse(input)
}

fn keyword<'a>(name: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = SyntaxError> {
    verify(word, move |found: &str| found == name)
}

fn end(input: &str) -> Parsed<'_, &str> {
    expecting("the end of the line", preceded(space, eof)).parse(input)
}

/// A word that `read` understands.
fn word_as<'a, T>(
    expected: impl Into<String>,
    read: impl Fn(&str) -> Option<T>,
) -> impl Parser<&'a str, Output = T, Error = SyntaxError> {
    let expected = expected.into();
    move |input: &'a str| {
        let fault = || Err::Error(SyntaxError::at(input, expected.as_str()));
        let (rest, found) = word(input).map_err(|_: Err<SyntaxError>| fault())?;
        read(found).map(|read| (rest, read)).ok_or_else(fault)
    }
}

/// Digits and nothing else; `str::parse` alone would take a plus sign.
fn digits(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

fn number<'a>(what: &str, least: u64, most: u64) -> impl Parser<&'a str, Output = u64, Error = SyntaxError> + use<'a> {
    let expected = format!("{what}, a whole number from {least} to {most}");
    word_as(expected, move |word| digits(word).filter(|number| (least..=most).contains(number)))
}

fn milliseconds(input: &str) -> Parsed<'_, i64> {
    let expected = format!("milliseconds, a whole number from -{MAX_MILLISECONDS} to {MAX_MILLISECONDS}");
    let read = |word: &str| {
        let size = digits(word.strip_prefix('-').unwrap_or(word)).and_then(|size| i64::try_from(size).ok());
        let size = size.filter(|&size| size <= MAX_MILLISECONDS)?;
        Some(if word.starts_with('-') { -size } else { size })
    };
    cut(word_as(expected, read)).parse(input)
}

/// All words up to one that is `reserved` or the end of the line; maybe none.
fn words_before<'a>(
    reserved: impl Fn(&str) -> bool + Copy,
) -> impl Parser<&'a str, Output = Words, Error = SyntaxError> {
    recognize(many0(word_but(reserved))).map(|text: &str| Words::from(text))
}

/// A word that is not `reserved`.
fn word_but<'a>(reserved: impl Fn(&str) -> bool) -> impl Parser<&'a str, Output = &'a str, Error = SyntaxError> {
    verify(word, move |found: &str| !reserved(found))
}

fn set_option(input: &str) -> Parsed<'_, Command> {
    let name_word = preceded(not(peek(keyword("value"))), word);
    let name = expecting("the option's name", recognize(many1(name_word)));
    let (input, name) = preceded(expecting("name", keyword("name")), cut(name)).parse(input)?;
    let (input, value) = opt(preceded(keyword("value"), rest)).parse(input)?;
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok((input, Command::SetOption { name, value: value.map(|value| value.trim().into()) }))
}

fn position(input: &str) -> Parsed<'_, Command> {
    let reserved = |word: &str| matches!(word, "moves" | "roll");
    let (input, notation) = expecting("startpos, fen or another notation", word_but(reserved)).parse(input)?;
    let (input, words) = words_before(reserved).parse(input)?;
    let base = match notation {
        "startpos" => Base::Start(words),
        keyword => Base::Set { keyword: keyword.into(), words },
    };
    let (input, plies) = opt(preceded(keyword("moves"), words_before(|word| word == "roll"))).parse(input)?;
    let (input, roll) = opt(preceded(keyword("roll"), cut(expecting("the roll", word)))).parse(input)?;
    let text = PositionText { base, plies: plies.unwrap_or_default(), roll: roll.map(Into::into) };
    Ok((input, Command::Position(text)))
}

fn query(input: &str) -> Parsed<'_, Command> {
    let subject = expecting("p1turn, gameover, result, moves, rolls or a notation such as fen", word);
    let read = |word: &str| match word {
        "p1turn" => Query::FirstPlayersTurn,
        "gameover" => Query::GameOver,
        "result" => Query::Result,
        "moves" => Query::Moves,
        "rolls" => Query::Rolls,
        notation => Query::Position(notation.into()),
    };
    subject.map(|word| Command::Query(read(word))).parse(input)
}

/// Every argument of `go`: none of these words is a move.
const GO_ARGUMENTS: [&str; 17] = [
    "depth",
    "movetime",
    "nodes",
    "infinite",
    "p1time",
    "wtime",
    "p2time",
    "btime",
    "p1inc",
    "winc",
    "p2inc",
    "binc",
    "movestogo",
    "searchmoves",
    "rollout",
    "ponder",
    "mate",
];

fn go(input: &str) -> Parsed<'_, Command> {
    let perft = preceded(keyword("perft"), cut(number("the number of steps", 0, u32::MAX.into())));
    if let (input, Some(steps)) = opt(perft).parse(input)? {
        return Ok((input, Command::Perft(steps as u32)));
    }
    let mut go = Go::default();
    let mut rest = input;
    while end(rest).is_err() {
        rest = go_argument(&mut go, rest)?;
    }
    Ok((rest, Command::Go(Box::new(go))))
}

/// One argument of `go` put where it belongs; the same one twice, by whatever name, is a mistake.
fn go_argument<'a>(go: &mut Go, input: &'a str) -> Result<&'a str, Err<SyntaxError>> {
    let (rest, name) = word(input)?;
    let small = |what| cut(number(what, 1, u32::MAX.into())).map(|n| n as u32);
    let [first, second] = &mut go.clocks;
    match name {
        "depth" => once(&mut go.depth, input, cut(number("the depth", 1, MAX_DEPTH)).map(|n| n as u32)),
        "nodes" => once(&mut go.nodes, input, cut(number("the number of nodes", 0, u64::MAX))),
        "movetime" => once(&mut go.movetime, input, milliseconds),
        "p1time" | "wtime" => once(&mut first.time, input, milliseconds),
        "p2time" | "btime" => once(&mut second.time, input, milliseconds),
        "p1inc" | "winc" => once(&mut first.increment, input, milliseconds),
        "p2inc" | "binc" => once(&mut second.increment, input, milliseconds),
        "movestogo" => once(&mut go.movestogo, input, small("the number of moves")),
        "mate" => once(&mut go.mate, input, small("the number of moves")),
        "rollout" => once(&mut go.rollout, input, small("the number of games")),
        "infinite" => flag(&mut go.infinite, input, rest),
        "ponder" => flag(&mut go.ponder, input, rest),
        "searchmoves" if !go.searchmoves.is_empty() => Err(twice(input)),
        "searchmoves" => {
            let (rest, moves) = words_before(|word| GO_ARGUMENTS.contains(&word)).parse(rest)?;
            go.searchmoves = moves;
            if go.searchmoves.is_empty() { Err(Err::Failure(SyntaxError::at(rest, "a move"))) } else { Ok(rest) }
        }
        _ => {
            let expected = "depth, movetime, nodes, infinite, p1time (or wtime), p2time (btime), p1inc (winc), \
                            p2inc (binc), movestogo, searchmoves, rollout, or perft alone";
            Err(Err::Failure(SyntaxError::at(input, expected)))
        }
    }
}

/// Read the value after the name at `input` into a place that must still be empty.
fn once<'a, T>(
    place: &mut Option<T>,
    input: &'a str,
    mut parser: impl Parser<&'a str, Output = T, Error = SyntaxError>,
) -> Result<&'a str, Err<SyntaxError>> {
    let (rest, _) = word(input)?;
    let (rest, found) = parser.parse(rest)?;
    if place.replace(found).is_some() { Err(twice(input)) } else { Ok(rest) }
}

/// Set a flag for the name at `input`, with nothing but `rest` behind it; it must not be set yet.
fn flag<'a>(flag: &mut bool, input: &'a str, rest: &'a str) -> Result<&'a str, Err<SyntaxError>> {
    if std::mem::replace(flag, true) { Err(twice(input)) } else { Ok(rest) }
}

fn twice(input: &str) -> Err<SyntaxError> {
    Err::Failure(SyntaxError::at(input, "each argument once"))
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
