//! What searches and queries answer.

use super::Point;
use super::dialogue::{Dialogue, count, ensure, field, wrong};
use super::failure::Failure;
use super::liveness::NEARLY_FULL;
use alea::game::dice::{Position, parse_cell};
use alea::game::{Game, Kind, Step};

pub const POINTS: &[Point] = &[
    Point { name: "every go has exactly one bestmove, and it is legal", test: one_bestmove },
    Point { name: "info lines have their fields, and pv starts with bestmove", test: info_lines },
    Point { name: "the same commands after ucinewgame give the same output", test: same_again },
    Point { name: "an exact value ends the search", test: exact },
    Point { name: "searchmoves restricts the search", test: search_moves },
    Point { name: "a position not rolled: a value for each roll, bestmove (none)", test: not_rolled },
    Point { name: "a finished game: said so, bestmove (none)", test: finished },
    Point { name: "query answers p1turn, gameover, result, moves, rolls, dpn", test: queries },
    Point { name: "go perft counts lines of exactly N plies", test: perft },
    Point { name: "d, eval and help are answered", test: for_people },
];

const BOARD: &str = "5 4 r 1 - - b - - - - - - - - r - - - - - - - - - b - - -";

fn position(words: &str) -> Result<Position, Failure> {
    Position::from_dpn(words).map_err(|error| wrong(format!("the check's own position: {error}")))
}

fn legal(board: &Position, word: &str) -> Result<(), Failure> {
    let cell = parse_cell(word).ok_or_else(|| wrong(format!("'bestmove {word}' is not a cell")))?;
    board.play_on(cell).map(|_| ()).map_err(|error| wrong(format!("'bestmove {word}': {error}")))
}

fn one_bestmove(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let board = position(BOARD)?;
    for limits in
        ["depth 1", "depth 4", "nodes 1", "nodes 500", "depth 99 nodes 2000", "movetime 20", "depth 3 movetime 500"]
    {
        let (_, word) = dialogue.go(&format!("position dpn {BOARD}\ngo {limits}"))?;
        legal(&board, &word)?;
        let lines = dialogue.ask("")?;
        ensure(count(&lines, "bestmove") == 0, "a second bestmove for one go")?;
    }
    Ok(())
}

fn info_lines(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let (lines, word) = dialogue.go(&format!("ucinewgame\nposition dpn {BOARD}\ngo depth 5"))?;
    let iterations: Vec<&String> = lines.iter().filter(|line| field(line, "depth").is_some()).collect();
    for (i, line) in iterations.iter().enumerate() {
        for key in ["depth", "seldepth", "multipv", "cp", "nodes", "nps", "hashfull", "time"] {
            let value = field(line, key).ok_or_else(|| wrong(format!("'{line}' has no {key}")))?;
            ensure(value.parse::<i64>().is_ok(), format!("'{key} {value}' is not a whole number"))?;
        }
        let depth = field(line, "depth").unwrap_or("");
        ensure(depth == (i + 1).to_string(), format!("'depth {depth}' where iteration {} was due", i + 1))?;
        let value = field(line, "value").ok_or_else(|| wrong(format!("'{line}' has no value")))?;
        let number = value.parse::<f64>().ok().filter(|number| (-1.0..=1.0).contains(number));
        let number = number.ok_or_else(|| wrong(format!("'value {value}' is not in -1 to 1")))?;
        let decimals = value.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        ensure(decimals == 6, format!("'value {value}' has {decimals} decimals, not six"))?;
        let cp: f64 = field(line, "cp").and_then(|cp| cp.parse().ok()).unwrap_or(f64::MAX);
        ensure((cp - 100.0 * number).abs() <= 0.51, format!("'cp {cp}' is not the value {value} in hundredths"))?;
    }
    let last = iterations.last().ok_or_else(|| wrong("no info line with a depth"))?;
    ensure(iterations.len() == 5, format!("{} iterations, not 5", iterations.len()))?;
    let first = field(last, "pv").unwrap_or("nothing");
    ensure(first == word, format!("pv starts with {first}, bestmove is {word}"))?;
    let pv: Vec<&str> = last.split_whitespace().skip_while(|word| *word != "pv").skip(1).collect();
    replay_pv(position(BOARD)?, &pv)
}

/// The first word of a pv is a cell, the others are plies, and all can be played.
fn replay_pv(mut board: Position, pv: &[&str]) -> Result<(), Failure> {
    for (i, word) in pv.iter().enumerate() {
        let (roll, cell) = match word.split_once(':') {
            Some((roll, cell)) if i > 0 => (roll.parse().ok(), cell),
            None if i == 0 => (board.roll().map(u32::from), *word),
            _ => return Err(wrong(format!("'{word}' in pv: expected a cell, then plies roll:cell"))),
        };
        let cell = parse_cell(cell).ok_or_else(|| wrong(format!("'{word}' in pv: not a cell")))?;
        let rolled =
            roll.ok_or_else(|| wrong(format!("'{word}' in pv: not a roll"))).map(|roll| board.with_roll(roll))?;
        let played = rolled.and_then(|board| board.play_on(cell));
        board = played.map_err(|error| wrong(format!("'{word}' in pv cannot be played: {error}")))?;
    }
    Ok(())
}

/// A line without what may differ between two runs.
fn timeless(line: &str) -> String {
    let mut words = line.split_whitespace();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if word == "time" || word == "nps" {
            words.next();
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

fn same_again(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let commands = format!("ucinewgame\nposition dpn {BOARD}\ngo depth 6");
    let mut runs = Vec::new();
    for _ in 0..2 {
        let (lines, word) = dialogue.go(&commands)?;
        runs.push((lines.iter().map(|line| timeless(line)).collect::<Vec<_>>(), word));
    }
    let differs = runs[0].0.iter().zip(&runs[1].0).find(|(a, b)| a != b);
    match differs {
        Some((a, b)) => Err(wrong(format!("'{a}' became '{b}'"))),
        None => ensure(runs[0] == runs[1], "the second search answered otherwise"),
    }
}

fn exact(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.go(&format!("{NEARLY_FULL}\ngo depth 1000")).map(|_| ())
}

fn search_moves(dialogue: &mut Dialogue) -> Result<(), Failure> {
    for cell in ["a3", "b3", "d3"] {
        let (_, word) = dialogue.go(&format!("position startpos roll 2\ngo depth 3 searchmoves {cell}"))?;
        ensure(word == cell, format!("'searchmoves {cell}' was answered with '{word}'"))?;
    }
    Ok(())
}

fn not_rolled(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let (lines, word) = dialogue.go("position startpos\ngo depth 2")?;
    ensure(word == "(none)", format!("'bestmove {word}' where nobody can move yet"))?;
    for roll in 0..5 {
        let line = lines.iter().find(|line| field(line, "roll") == Some(&roll.to_string()));
        let line = line.ok_or_else(|| wrong(format!("no 'info roll {roll} value V pv CELL'")))?;
        ensure(field(line, "value").is_some_and(|value| value.parse::<f64>().is_ok()), format!("'{line}': no value"))?;
        let cell = field(line, "pv").and_then(parse_cell);
        ensure(cell.is_some_and(|cell| cell.row == roll), format!("'{line}': its pv is not in row {roll}"))?;
    }
    Ok(())
}

fn finished(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let games = [
        ("3 3 r -1 b b b r r - - - -", "blue wins"),
        ("3 3 b -1 r r r b b - b - -", "red wins"),
        ("3 3 r -1 b r b b r r r b b", "draw"),
    ];
    for (dpn, result) in games {
        let (lines, word) = dialogue.go(&format!("position dpn {dpn}\ngo depth 3"))?;
        ensure(word == "(none)", format!("'bestmove {word}' in a finished game"))?;
        let said = format!("info string game over: {result}");
        ensure(lines.iter().any(|line| line.trim() == said), format!("expected '{said}'"))?;
    }
    Ok(())
}

fn queries(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let cases = [
        (BOARD, ["false", "false", "none", "b1 b2 b4", "", BOARD]),
        ("3 3 b -1 b r b - - - r - -", ["true", "false", "none", "", "1/1 2/1", "3 3 b -1 b r b - - - r - -"]),
        ("3 3 r -1 b b b r r - - - -", ["false", "true", "p1win", "", "", "3 3 r -1 b b b r r - - - -"]),
        ("3 3 b -1 r r r b b - b - -", ["true", "true", "p2win", "", "", "3 3 b -1 r r r b b - b - -"]),
        ("3 3 r -1 b r b b r r r b b", ["false", "true", "draw", "", "", "3 3 r -1 b r b b r r r b b"]),
    ];
    for (dpn, answers) in cases {
        dialogue.say(&format!("position dpn {dpn}"))?;
        for (what, expected) in ["p1turn", "gameover", "result", "moves", "rolls", "dpn"].into_iter().zip(answers) {
            let answer = dialogue.query(what)?;
            // A position whose die is rolled has one roll, or none to come: both are said.
            let open = what == "rolls" && dpn == BOARD;
            ensure(open || answer == expected, format!("'query {what}' was answered '{answer}', not '{expected}'"))?;
        }
    }
    Ok(())
}

/// Lines of exactly `plies` plies.
fn lines_of(board: &Position, plies: u32) -> u64 {
    match board.kind() {
        _ if plies == 0 => 1,
        Kind::Over(_) => 0,
        Kind::Chance => {
            board.outcomes().map(|outcome| lines_of(&board.child(Step::Outcome(outcome.id)), plies - 1)).sum()
        }
        Kind::Decision => board.moves().iter().map(|&mv| lines_of(&board.child(Step::Move(mv)), plies - 1)).sum(),
    }
}

fn perft(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let nearly_full = NEARLY_FULL.trim_start_matches("position dpn ");
    for (dpn, plies) in
        [("5 4 b -1 - - - - - - - - - - - - - - - - - - - - - - - - -", 4), (BOARD, 4), (nearly_full, 5)]
    {
        dialogue.say(&format!("position dpn {dpn}\ngo perft {plies}"))?;
        let lines = dialogue.hear_until("nodes")?;
        let expected = lines_of(&position(dpn)?, plies);
        let last = lines.last().map_or("", String::as_str).trim();
        ensure(last == format!("nodes {expected}"), format!("'{last}', not 'nodes {expected}'"))?;
    }
    Ok(())
}

fn for_people(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.say("position startpos roll 2")?;
    for command in ["d", "eval", "help"] {
        let lines = dialogue.ask(command)?;
        ensure(!lines.is_empty(), format!("'{command}' was not answered"))?;
        let refused = lines.iter().any(|line| line.starts_with("info string error"));
        ensure(!refused, format!("'{command}' was refused"))?;
    }
    Ok(())
}
