//! Random and mutated lines against the parser: it must answer every one, with a command or with the word at fault.

use alea::protocol::{Command, LineKind, parse};
use rand::SeedableRng;
use rand::prelude::*;
use rand_chacha::ChaCha8Rng;

const LINES: usize = 200_000;

/// Lines that are right, to start from.
const SEEDS: [&str; 18] = [
    "uci",
    "isready",
    "ucinewgame",
    "setoption name Hash value 64",
    "setoption name Move Overhead value 10",
    "setoption name Clear Hash",
    "position startpos",
    "position startpos 9 4 moves 2:d3 0:a1 roll 5",
    "position dpn 3 3 b -1 - - - - - - - - -",
    "position dpn 3 3 b 1 - b - r - - - - - moves 1:a2 0:a1 roll 2",
    "go depth 9 movetime 1000 nodes 5000",
    "go wtime 1000 btime -5 winc 10 binc 10 movestogo 12",
    "go p1time 1 p2time 2 p1inc 3 p2inc 4 infinite",
    "go searchmoves a1 q17 depth 3 ponder mate 5",
    "go perft 4",
    "query rolls",
    "stop",
    "quit",
];

/// Pieces that parsers trip over.
const PIECES: [&str; 26] = [
    "",
    " ",
    "\t",
    "\r",
    "\0",
    "-",
    "-1",
    "0",
    "18446744073709551616",
    "99999999999999999999999999",
    "+3",
    "1e9",
    ":",
    "a0",
    "a",
    "z9",
    "é",
    "\u{feff}",
    "\u{2028}",
    "名前",
    "value",
    "moves",
    "roll",
    "name",
    "startpos",
    "\u{1b}[2J",
];

fn mutate(line: &str, rng: &mut ChaCha8Rng) -> String {
    let mut words: Vec<String> = line.split(' ').map(Into::into).collect();
    for _ in 0..rng.random_range(0..4) {
        let at = rng.random_range(0..=words.len());
        let piece = PIECES.choose(rng).copied().unwrap_or_default().to_owned();
        match rng.random_range(0..6) {
            0 => words.insert(at, piece),
            1 if at < words.len() => words[at] = piece,
            2 if at < words.len() => drop(words.remove(at)),
            3 if at < words.len() => words[at] += &piece,
            4 if at < words.len() => words.push(words[at].clone()),
            _ => words.shuffle(rng),
        }
    }
    words.join(if rng.random_bool(0.9) { " " } else { " \t " })
}

fn noise(rng: &mut ChaCha8Rng) -> String {
    let length = rng.random_range(0..60);
    let letter = |rng: &mut ChaCha8Rng| match rng.random_range(0..4) {
        0 => char::from(rng.random_range(0..128_u8)),
        1 => char::from_u32(rng.random_range(0..0x11_0000)).unwrap_or(' '),
        _ => *b"acdgiopqrstuvy0123456789:- ".map(char::from).choose(rng).unwrap_or(&' '),
    };
    (0..length).map(|_| letter(rng)).collect()
}

#[test]
fn every_line_is_understood_or_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(1983);
    let (mut understood, mut refused) = (0, 0);
    for round in 0..LINES {
        let line = match round % 4 {
            0 => noise(&mut rng),
            _ => mutate(SEEDS.choose(&mut rng).copied().unwrap_or_default(), &mut rng),
        };
        match parse(&line) {
            Ok(command) => {
                understood += 1;
                let kind = match command {
                    Some(Command::Go(_)) => LineKind::Search,
                    Some(Command::Position(_)) => LineKind::Position,
                    _ => LineKind::Other,
                };
                assert_eq!(LineKind::of(&line), kind, "{line:?}");
                assert_eq!(command.is_none(), line.trim_start_matches('\u{feff}').trim().is_empty(), "{line:?}");
            }
            Err(error) => {
                refused += 1;
                let known = error.word == "end of line" || line.contains(error.word.trim_end_matches("..."));
                assert!(known, "{line:?} has no word {:?}", error.word);
                assert!(!error.expected.is_empty() && error.expected != "something else", "{line:?}: {error}");
            }
        }
        // A pure function: the same line twice.
        if round % 100 == 0 {
            assert_eq!(parse(&line), parse(&line));
        }
    }
    assert!(understood > LINES / 10 && refused > LINES / 10, "{understood} understood, {refused} refused");
}

/// White space between the words of a line changes nothing.
#[test]
fn spacing_does_not_matter() {
    for line in SEEDS {
        let spaced = format!(" \t{}\r", line.replace(' ', " \t\u{a0} "));
        assert_eq!(parse(line), parse(&spaced), "{line}");
    }
}
