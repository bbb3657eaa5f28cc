//! From a line of text to a [`Command`], with nom: a pure function.
//!
//! A keyword that is recognised commits the parser (`cut`): from there on a mistake is a mistake in that command, at
//! that word, and no other reading is tried.

use std::fmt;

use nom::branch::alt;
use nom::bytes::complete::{take_while, take_while1};
use nom::combinator::{cut, eof, not, opt, peek, recognize, rest, value, verify};
use nom::error::{ErrorKind, ParseError};
use nom::multi::{many0, many1};
use nom::sequence::{pair, preceded, terminated};
use nom::{Err, IResult, Parser};

use super::{Base, CellName, Command, Go, Ply, PositionText, Query};

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

/// Read a line; a blank one is no command.
pub fn parse(line: &str) -> Result<Option<Command>, SyntaxError> {
    // Some shells put a byte order mark before what they pipe.
    let line = line.trim_start_matches('\u{feff}');
    if line.trim().is_empty() {
        return Ok(None);
    }
    match terminated(command, cut(end)).parse(line) {
        Ok((_, command)) => Ok(Some(command)),
        Err(Err::Error(error) | Err::Failure(error)) => Err(error),
        Err(Err::Incomplete(_)) => Err(SyntaxError::at("", "a whole line")),
    }
}

fn command(input: &str) -> Parsed<'_, Command> {
    let known = alt((
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
    expecting("a command (help lists them)", known).parse(input)
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

/// A number of which the rules of the game will say whether it is too large.
fn plain_number<'a>(what: &str, example: u32) -> impl Parser<&'a str, Output = u32, Error = SyntaxError> + use<'a> {
    let expected = format!("{what}, a small whole number such as {example}");
    word_as(expected, |word| digits(word).and_then(|number| u32::try_from(number).ok()))
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

fn read_cell(word: &str) -> Option<CellName> {
    let column = word.chars().next().filter(char::is_ascii_lowercase)?;
    let number = &word[1..];
    let row = digits(number).filter(|_| !number.starts_with('0'))?;
    Some(CellName { column, row: u32::try_from(row).ok()? })
}

fn cell(input: &str) -> Parsed<'_, CellName> {
    word_as("a cell such as d3", read_cell).parse(input)
}

fn ply(input: &str) -> Parsed<'_, Ply> {
    let read = |word: &str| {
        let (roll, cell) = word.split_once(':')?;
        Some(Ply { roll: u32::try_from(digits(roll)?).ok()?, cell: read_cell(cell)? })
    };
    word_as("a ply, roll:cell, such as 2:d3", read).parse(input)
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
    let start = preceded(keyword("startpos"), cut(start_shape));
    let base = alt((start.map(|shape| Base::Start { shape }), preceded(keyword("dpn"), dpn).map(Base::Dpn)));
    let (input, base) = expecting("startpos or dpn", base).parse(input)?;
    let (input, plies) = opt(preceded(keyword("moves"), cut(plies))).parse(input)?;
    let roll = preceded(keyword("roll"), cut(plain_number("the roll", 2)));
    let (input, roll) = opt(roll).parse(input)?;
    let left =
        if plies.is_some() { "a ply, roll or the end of the line" } else { "moves, roll or the end of the line" };
    let left = if roll.is_some() { "the end of the line" } else { left };
    let (input, _) = expecting(left, end).parse(input)?;
    Ok((input, Command::Position(PositionText { base, plies: plies.unwrap_or_default(), roll })))
}

fn start_shape(input: &str) -> Parsed<'_, Option<(u32, u32)>> {
    opt(pair(plain_number("the board size", 5), cut(plain_number("the win length", 4)))).parse(input)
}

/// The words up to `moves` or `roll`.
fn dpn(input: &str) -> Parsed<'_, String> {
    let dpn_word = preceded(not(peek(alt((keyword("moves"), keyword("roll"))))), word);
    recognize(many0(dpn_word)).map(|text: &str| text.trim().to_owned()).parse(input)
}

/// Every word up to `roll` must be a ply.
fn plies(input: &str) -> Parsed<'_, Vec<Ply>> {
    let over = alt((value((), keyword("roll")), value((), end)));
    many0(preceded(not(peek(over)), cut(ply))).parse(input)
}

fn query(input: &str) -> Parsed<'_, Command> {
    let subject = alt((
        value(Query::FirstPlayersTurn, keyword("p1turn")),
        value(Query::GameOver, keyword("gameover")),
        value(Query::Result, keyword("result")),
        value(Query::Moves, keyword("moves")),
        value(Query::Rolls, keyword("rolls")),
        value(Query::Dpn, keyword("dpn")),
    ));
    expecting("p1turn, gameover, result, moves, rolls or dpn", subject).map(Command::Query).parse(input)
}

fn go(input: &str) -> Parsed<'_, Command> {
    if let (input, Some(plies)) =
        opt(preceded(keyword("perft"), cut(plain_number("the number of plies", 4)))).parse(input)?
    {
        return Ok((input, Command::Perft(plies)));
    }
    let mut go = Go::default();
    let mut rest = input;
    while end(rest).is_err() {
        rest = go_argument(&mut go, rest)?;
    }
    Ok((rest, Command::Go(go)))
}

/// One argument of `go` put where it belongs; the same one twice is a mistake.
fn go_argument<'a>(go: &mut Go, input: &'a str) -> Result<&'a str, Err<SyntaxError>> {
    let (rest, name) = word(input)?;
    let is_new = match name {
        "depth" => return once(&mut go.depth, input, cut(number("the depth", 1, MAX_DEPTH)).map(|n| n as u32)),
        "nodes" => return once(&mut go.nodes, input, cut(number("the number of nodes", 0, u64::MAX))),
        "movetime" => return once(&mut go.movetime, input, milliseconds),
        "btime" | "p1time" => return once(&mut go.blue.time, input, milliseconds),
        "rtime" | "p2time" => return once(&mut go.red.time, input, milliseconds),
        "binc" | "p1inc" => return once(&mut go.blue.increment, input, milliseconds),
        "rinc" | "p2inc" => return once(&mut go.red.increment, input, milliseconds),
        "movestogo" => {
            return once(
                &mut go.movestogo,
                input,
                cut(number("the number of moves", 1, u32::MAX.into()).map(|n| n as u32)),
            );
        }
        "infinite" => !std::mem::replace(&mut go.infinite, true),
        "searchmoves" if go.searchmoves.is_empty() => {
            let (rest, cells) = cut(many1(cell)).parse(rest)?;
            go.searchmoves = cells;
            return Ok(rest);
        }
        "searchmoves" => false,
        _ => {
            let expected = "depth, movetime, nodes, infinite, btime, rtime, binc, rinc, movestogo, searchmoves \
                            (or a cell after it), or perft alone";
            return Err(Err::Failure(SyntaxError::at(input, expected)));
        }
    };
    if is_new { Ok(rest) } else { Err(twice(input)) }
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

fn twice(input: &str) -> Err<SyntaxError> {
    Err::Failure(SyntaxError::at(input, "each argument once"))
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
