//! What the parser accepts, and what it says of what it does not.

use super::*;
use crate::protocol::Clock;

fn cell_at(column: char, row: u32) -> CellName {
    CellName { column, row }
}

fn parsed(line: &str) -> Command {
    parse(line).unwrap_or_else(|error| panic!("{line:?}: {error}")).unwrap_or_else(|| panic!("{line:?} is blank"))
}

#[test]
fn blank_lines_are_no_commands() {
    for line in ["", " ", "\t \r", "\u{a0}", "\u{feff}"] {
        assert_eq!(parse(line), Ok(None), "{line:?}");
    }
}

#[test]
fn commands_without_arguments() {
    let cases = [
        ("uci", Command::Uci),
        ("\u{feff}uci", Command::Uci),
        ("ugi", Command::Ugi),
        ("  isready\r", Command::IsReady),
        ("ucinewgame", Command::NewGame),
        ("uginewgame", Command::NewGame),
        ("\tstop\t", Command::Stop),
        ("d", Command::Draw),
        ("eval", Command::Eval),
        ("bench", Command::Bench),
        ("help", Command::Help),
        ("quit", Command::Quit),
        ("query p1turn", Command::Query(Query::FirstPlayersTurn)),
        ("query  dpn", Command::Query(Query::Dpn)),
        ("go perft 4", Command::Perft(4)),
    ];
    for (line, command) in cases {
        assert_eq!(parsed(line), command, "{line:?}");
    }
}

#[test]
fn options_keep_their_spaces_where_they_matter() {
    let cases = [
        ("setoption name Hash value 64", "Hash", Some("64")),
        ("setoption  name  Move   Overhead  value  5 ", "Move Overhead", Some("5")),
        ("setoption name Clear Hash", "Clear Hash", None),
        ("setoption name EvalFile value my  net value.net", "EvalFile", Some("my  net value.net")),
        ("setoption name EvalFile value", "EvalFile", Some("")),
    ];
    for (line, name, value) in cases {
        let expected = Command::SetOption { name: name.into(), value: value.map(Into::into) };
        assert_eq!(parsed(line), expected, "{line:?}");
    }
}

#[test]
fn positions() {
    let start = |shape| Base::Start { shape };
    let plies = || vec![Ply { roll: 2, cell: cell_at('d', 3) }, Ply { roll: 0, cell: cell_at('a', 17) }];
    let cases = [
        ("position startpos", start(None), vec![], None),
        ("position startpos moves", start(None), vec![], None),
        ("position startpos roll 3", start(None), vec![], Some(3)),
        ("position startpos 9 6 moves 2:d3 0:a17", start(Some((9, 6))), plies(), None),
        ("position startpos 9 6 moves 2:d3 0:a17 roll 8", start(Some((9, 6))), plies(), Some(8)),
        ("position dpn 3 3 b -1  - moves 2:d3\t0:a17", Base::Dpn("3 3 b -1  -".into()), plies(), None),
        ("position dpn", Base::Dpn(String::new()), vec![], None),
        ("position dpn roll 1", Base::Dpn(String::new()), vec![], Some(1)),
    ];
    for (line, base, plies, roll) in cases {
        assert_eq!(parsed(line), Command::Position(PositionText { base, plies, roll }), "{line:?}");
    }
}

#[test]
fn searches() {
    let cases = [
        ("go", Go::default(), true),
        ("go depth 9", Go { depth: Some(9), ..Go::default() }, false),
        ("go infinite depth 9", Go { depth: Some(9), infinite: true, ..Go::default() }, true),
        ("go nodes 0 movetime -5", Go { nodes: Some(0), movetime: Some(-5), ..Go::default() }, false),
        ("go movestogo 3", Go { movestogo: Some(3), ..Go::default() }, true),
        (
            "go btime 100 rinc 5",
            Go {
                blue: Clock { time: Some(100), increment: None },
                red: Clock { time: None, increment: Some(5) },
                ..Go::default()
            },
            false,
        ),
        ("go p2time 7", Go { red: Clock { time: Some(7), increment: None }, ..Go::default() }, false),
        (
            "go searchmoves a1 z99 depth 1",
            Go { searchmoves: vec![cell_at('a', 1), cell_at('z', 99)], depth: Some(1), ..Go::default() },
            false,
        ),
    ];
    for (line, go, unbounded) in cases {
        let command = parsed(line);
        assert_eq!(command.is_unbounded(), unbounded, "{line:?}");
        assert_eq!(command, Command::Go(go), "{line:?}");
    }
}

/// Line, word at fault, part of what was expected.
const MISTAKES: [(&str, &str, &str); 37] = [
    ("xyzzy 3", "xyzzy", "a command"),
    ("UCI", "UCI", "a command"),
    ("\0", "\0", "a command"),
    ("uci now", "now", "end of the line"),
    ("quit 1", "1", "end of the line"),
    ("setoption", "end of line", "name"),
    ("setoption Hash value 3", "Hash", "name"),
    ("setoption name", "end of line", "option's name"),
    ("setoption name value 3", "value", "option's name"),
    ("position", "end of line", "startpos or dpn"),
    ("position fen 8/8", "fen", "startpos or dpn"),
    ("position startpos 5", "end of line", "win length"),
    ("position startpos 5 x", "x", "win length"),
    ("position startpos x", "x", "moves, roll or the end"),
    ("position startpos 99999999999999999999 3", "99999999999999999999", "moves, roll"),
    ("position startpos 5 4 3", "3", "moves, roll or the end"),
    ("position startpos moves 2d3", "2d3", "a ply"),
    ("position startpos moves 2:d3 -1:d3", "-1:d3", "a ply"),
    ("position startpos moves 2:d03", "2:d03", "a ply"),
    ("position startpos moves 2:é3", "2:é3", "a ply"),
    ("position startpos moves 4294967296:a1", "4294967296:a1", "a ply"),
    ("position startpos roll", "end of line", "the roll"),
    ("position startpos roll -1", "-1", "the roll"),
    ("position startpos roll 1 moves 1:a2", "moves", "end of the line"),
    ("position dpn 3 3 moves x", "x", "a ply"),
    ("go depth", "end of line", "the depth"),
    ("go depth 0", "0", "from 1"),
    ("go depth +5", "+5", "the depth"),
    ("go depth 5 depth 6", "depth", "once"),
    ("go infinite infinite", "infinite", "once"),
    ("go searchmoves a1 depth 1 searchmoves a2", "searchmoves", "once"),
    ("go nodes 18446744073709551616", "18446744073709551616", "to 18446744073709551615"),
    ("go movetime 1e3", "1e3", "milliseconds"),
    ("go btime --5", "--5", "milliseconds"),
    ("go searchmoves 3:a1", "3:a1", "a cell"),
    ("go ponder", "ponder", "depth, movetime"),
    ("query moves now", "now", "end of the line"),
];

#[test]
fn mistakes_name_the_word() {
    for (line, word, expected) in MISTAKES {
        let error = parse(line).expect_err(line);
        assert_eq!(error.word, word, "{line:?}");
        assert!(error.expected.contains(expected), "{line:?}: {error}");
    }
}

#[test]
fn long_words_are_cut_in_messages() {
    let error = parse(&"é".repeat(60_000)).unwrap_err();
    assert_eq!(error.word, "é".repeat(40) + "...");
}
