//! What the parser accepts, and what it says of what it does not.

use super::*;
use crate::protocol::Clock;

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
        ("query  dpn", Command::Query(Query::Position("dpn".into()))),
        ("query fen", Command::Query(Query::Position("fen".into()))),
        ("query gnubgid", Command::Query(Query::Position("gnubgid".into()))),
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
fn positions_are_words() {
    let start = |words: &str| Base::Start(words.into());
    let set = |keyword: &str, words: &str| Base::Set { keyword: keyword.into(), words: words.into() };
    let cases = [
        ("position startpos", start(""), "", None),
        ("position startpos moves", start(""), "", None),
        ("position startpos roll 3", start(""), "", Some("3")),
        ("position startpos 9 6 moves 2:d3 0:a17", start("9 6"), "2:d3 0:a17", None),
        ("position startpos 9 6 moves 2:d3 0:a17 roll 8", start("9 6"), "2:d3 0:a17", Some("8")),
        ("position startpos 632541 123456 roll 6", start("632541 123456"), "", Some("6")),
        ("position dpn 3 3 b -1  - moves 2:d3\t0:a17", set("dpn", "3 3 b -1 -"), "2:d3 0:a17", None),
        ("position fen 3 3 b -1  - moves 2:d3\t0:a17", set("fen", "3 3 b -1 -"), "2:d3 0:a17", None),
        ("position dpn", set("dpn", ""), "", None),
        ("position dpn roll 1", set("dpn", ""), "", Some("1")),
        (
            "position gnubgid 4HPwATDgc/ABMA moves 31:8/5,6/5 roll 66",
            set("gnubgid", "4HPwATDgc/ABMA"),
            "31:8/5,6/5",
            Some("66"),
        ),
        ("position startpos moves a1=K a1a2 b3", start(""), "a1=K a1a2 b3", None),
    ];
    for (line, base, plies, roll) in cases {
        let text = PositionText { base, plies: plies.into(), roll: roll.map(Into::into) };
        assert_eq!(parsed(line), Command::Position(text.clone()), "{line:?}");
        assert_eq!(parsed(&format!("position {text}")), Command::Position(text), "{line:?} printed");
    }
}

#[test]
fn searches() {
    let clock = |time, increment| Clock { time, increment };
    let clocks = |first, second| Go { clocks: [first, second], ..Go::default() };
    let none = Clock::default();
    let cases = [
        ("go", Go::default(), true),
        ("go depth 9", Go { depth: Some(9), ..Go::default() }, false),
        ("go infinite depth 9", Go { depth: Some(9), infinite: true, ..Go::default() }, true),
        ("go nodes 0 movetime -5", Go { nodes: Some(0), movetime: Some(-5), ..Go::default() }, false),
        ("go movestogo 3", Go { movestogo: Some(3), ..Go::default() }, true),
        ("go wtime 100 binc 5", clocks(clock(Some(100), None), clock(None, Some(5))), false),
        ("go btime 100 winc 5", clocks(clock(None, Some(5)), clock(Some(100), None)), false),
        ("go p2time 7", clocks(none, clock(Some(7), None)), false),
        ("go p1time 7 p1inc 1 p2inc 2", clocks(clock(Some(7), Some(1)), clock(None, Some(2))), false),
        ("go ponder depth 2", Go { ponder: true, depth: Some(2), ..Go::default() }, false),
        ("go depth 2 mate 3", Go { mate: Some(3), depth: Some(2), ..Go::default() }, false),
        ("go rollout 36 depth 2", Go { rollout: Some(36), depth: Some(2), ..Go::default() }, false),
        ("go mate 3", Go { mate: Some(3), ..Go::default() }, true),
        ("go searchmoves a1 z99 depth 1", Go { searchmoves: "a1 z99".into(), depth: Some(1), ..Go::default() }, false),
        ("go searchmoves 13/11,6/5* pass", Go { searchmoves: "13/11,6/5* pass".into(), ..Go::default() }, true),
    ];
    for (line, go, unbounded) in cases {
        let command = parsed(line);
        assert_eq!(command.is_unbounded(), unbounded, "{line:?}");
        assert_eq!(command, Command::Go(Box::new(go)), "{line:?}");
    }
}

#[test]
fn every_argument_of_go_is_known() {
    for argument in GO_ARGUMENTS {
        let lines = [format!("go {argument}"), format!("go {argument} 5")];
        assert!(lines.iter().any(|line| parse(line).is_ok()), "{argument}");
        // And none is taken for a move.
        let error = parse(&format!("go searchmoves {argument}")).expect_err(argument);
        assert!(error.word == argument && error.expected == "a move", "{argument}: {error}");
    }
}

#[test]
fn every_command_is_known() {
    for command in COMMANDS {
        let refused = parse(command).err();
        assert!(refused.is_none_or(|error| error.word != command), "{command}");
    }
}

#[test]
fn lines_are_told_apart_by_their_first_words() {
    let cases = [
        ("go", LineKind::Search),
        ("go depht 5", LineKind::Search),
        ("\u{feff}\t go\tperf 3", LineKind::Search),
        ("go depth 3 perft 3", LineKind::Search),
        ("go perft", LineKind::Other),
        ("go  perft x", LineKind::Other),
        ("position", LineKind::Position),
        (" position startpos moves x", LineKind::Position),
        ("gone", LineKind::Other),
        ("positions", LineKind::Other),
        ("setoption name go value position", LineKind::Other),
        ("", LineKind::Other),
    ];
    for (line, kind) in cases {
        assert_eq!(LineKind::of(line), kind, "{line:?}");
    }
}

/// Line, word at fault, part of what was expected.
const MISTAKES: [(&str, &str, &str); 36] = [
    ("xyzzy 3", "xyzzy", "a command"),
    ("UCI", "UCI", "a command (help lists them); did you mean uci?"),
    ("hlep", "hlep", "did you mean help?"),
    ("\0", "\0", "a command"),
    ("uci now", "now", "end of the line"),
    ("quit 1", "1", "end of the line"),
    ("setoption", "end of line", "name"),
    ("setoption Hash value 3", "Hash", "name"),
    ("setoption name", "end of line", "option's name"),
    ("setoption name value 3", "value", "option's name"),
    ("position", "end of line", "startpos, fen or another notation"),
    ("position moves 2:d3", "moves", "startpos, fen or another notation"),
    ("position startpos roll 1 2", "2", "end of the line"),
    ("position startpos roll", "end of line", "the roll"),
    ("position startpos roll 1 moves 1:a2", "moves", "end of the line"),
    ("go depth", "end of line", "the depth"),
    ("go depth 0", "0", "from 1"),
    ("go depth +5", "+5", "the depth"),
    ("go depth 5 depth 6", "depth", "once"),
    ("go infinite infinite", "infinite", "once"),
    ("go searchmoves a1 depth 1 searchmoves a2", "searchmoves", "once"),
    ("go nodes 18446744073709551616", "18446744073709551616", "to 18446744073709551615"),
    ("go movetime 1e3", "1e3", "milliseconds"),
    ("go btime --5", "--5", "milliseconds"),
    ("go wtime 5 p1time 5", "p1time", "once"),
    ("go p2inc 5 binc 5", "binc", "once"),
    ("go ponder ponder", "ponder", "once"),
    ("go mate", "end of line", "the number of moves"),
    ("go rtime 5", "rtime", "p2time (btime)"),
    ("go rinc 5", "rinc", "p2inc (binc)"),
    ("go depht 5", "depht", "depth, movetime"),
    ("go depth 5 perft 3", "perft", "perft alone"),
    ("go perft x", "x", "the number of steps"),
    ("go searchmoves", "end of line", "a move"),
    ("query", "end of line", "p1turn, gameover"),
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
