//! The engine as a process: nothing lost, nothing doubled, nothing left behind, whatever the client does.

#[path = "support/engine.rs"]
mod engine;

use alea::eval::dice::{file, nets};
use alea::game::dice::{Position, Shape, parse_cell};
use engine::{Engine, answers};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn count(lines: &[String], prefix: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(prefix)).count()
}

#[test]
fn a_thousand_searches_are_stopped_and_answered_once_each() {
    let mut engine = Engine::start();
    engine.send("position startpos 9 4 roll 3");
    let mut seen = Vec::new();
    for round in 0..1000 {
        // With and without time to begin; in one write and in two; with a question in between.
        match round % 3 {
            0 => engine.send("go infinite\nstop"),
            1 => {
                engine.send("go");
                engine.send("stop");
            }
            _ => {
                engine.send("go infinite\nisready");
                seen.extend(engine.until("readyok"));
                std::thread::sleep(Duration::from_micros(round));
                engine.send("stop");
            }
        }
        seen.extend(engine.until("bestmove"));
    }
    engine.close_input();
    seen.extend(engine.rest());
    assert_eq!(count(&seen, "bestmove"), 1000);
    assert_eq!(count(&seen, "readyok"), 333);
    assert!(engine.end().0.success());
}

/// The same, all at once: a thousand pairs in the pipe before the first is read.
#[test]
fn a_thousand_searches_in_one_write_are_answered_once_each() {
    let lines = answers(&format!("position startpos 9 4 roll 3\n{}", "go infinite\nstop\n".repeat(1000)));
    assert_eq!(count(&lines, "bestmove"), 1000);
    assert_eq!(count(&lines, "info string error"), 0);
}

#[test]
fn a_stop_does_not_reach_a_later_search() {
    for _ in 0..50 {
        let lines = answers("position startpos roll 2\ngo infinite\nstop\nstop\ngo depth 3\n");
        assert_eq!(count(&lines, "bestmove"), 2);
        assert_eq!(count(&lines[lines.len() - 2..], "info depth 3 "), 1, "{lines:?}");
    }
}

#[test]
fn the_end_of_input_lets_bounded_searches_finish() {
    let lines =
        answers("position startpos roll 2\ngo depth 6\nposition startpos 7 4 roll 1\ngo nodes 3000\ngo movetime 50");
    assert_eq!(count(&lines, "bestmove"), 3);
    let first = lines.iter().position(|line| line.starts_with("bestmove")).unwrap();
    assert!(lines[first - 1].starts_with("info depth 6 "), "{lines:?}");
}

#[test]
fn the_end_of_input_stops_unbounded_searches() {
    for search in ["go", "go infinite", "go infinite depth 3", "go winc 5", "go movestogo 3", "go mate 3"] {
        let start = Instant::now();
        let lines = answers(&format!("position startpos 17 8 roll 2\n{search}\nquery p1turn"));
        assert_eq!(count(&lines, "bestmove"), 1, "{search}");
        assert_eq!(lines.last().map(String::as_str), Some("response true"), "{search}");
        assert!(start.elapsed() < Duration::from_secs(5), "{search}");
    }
}

#[test]
fn quit_answers_what_is_pending_and_leaves() {
    let mut engine = Engine::start();
    engine.send("position startpos 17 4 roll 2\ngo infinite\ngo depth 90\nquery p1turn");
    engine.until("info depth 1 ");
    let asked = Instant::now();
    engine.send("quit\nisready");
    let lines = engine.rest();
    assert_eq!(count(&lines, "bestmove "), 2);
    assert_eq!(count(&lines, "readyok"), 0, "nothing is read after quit");
    assert!(engine.end().0.success());
    assert!(asked.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_closed_stdout_ends_the_process() {
    // Idle; searching without end; about to answer; with a long queue.
    for lines in ["", "position startpos 9 4 roll 1\ngo infinite\n", "go depth 2\n", "go infinite\nd\nd\nd\n"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alea"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, lines.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        drop(child.stdout.take());
        let closed = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(closed.elapsed() < Duration::from_secs(1), "still running after {lines:?}");
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "{status} after {lines:?}");
        drop(stdin);
    }
}

#[test]
fn odd_bytes_and_long_lines_are_refused() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\xff\xfe\n");
    assert_eq!(engine.until("info string error")[0], "info string error: '\u{fffd}\u{fffd}': expected UTF-8 text");
    engine.send_bytes(&[b'x'; 70_000]);
    engine.send_bytes(&vec![b'y'; 1 << 20]);
    engine.send("");
    let error = format!("info string error: '{}...': expected a line of at most 65536 bytes", "x".repeat(40));
    assert_eq!(engine.until("info string error")[0], error);
    engine.send_bytes(b"\0\x1b[2J\x07\n");
    assert_eq!(
        engine.until("info string error")[0],
        r"info string error: '\u{0}\u{1b}[2J\u{7}': expected a command (help lists them)"
    );
    // A long line that is legal, and a last line without an end.
    let spaces = " ".repeat(65_000);
    engine.send_bytes(format!("isready{spaces}\nisready").as_bytes());
    engine.close_input();
    assert_eq!(engine.rest(), ["readyok", "readyok"]);
    assert!(engine.end().0.success());
}

/// Memory stays bounded while commands pour in behind a search that never ends, and `stop` is still seen.
#[test]
fn a_flood_of_commands_cannot_hide_a_stop() {
    let mut engine = Engine::start();
    engine.send("position startpos 9 4 roll 3\ngo infinite");
    flood(&mut engine);
    assert!(resident_megabytes(engine.pid()).is_none_or(|megabytes| megabytes < 400));
    engine.send("stop\nquit");
    let lines = engine.rest();
    assert_eq!(count(&lines, "bestmove"), 1);
    assert_eq!(count(&lines, "info string error: the queue of waiting commands is full"), 1);
    let dropped =
        lines.iter().find_map(|line| line.strip_prefix("info string error: ")?.split_once(" commands were dropped"));
    let dropped: usize = dropped.expect("the count of dropped commands").0.parse().unwrap();
    assert_eq!(count(&lines, "response ") + dropped, FLOOD);
    assert!(engine.end().0.success());
}

/// More commands than are kept.
const FLOOD: usize = 800_000;

fn flood(engine: &mut Engine) {
    let part = "query dpn\n".repeat(FLOOD / 100);
    for _ in 0..100 {
        engine.send_bytes(part.as_bytes());
    }
}

/// With no room for another command, `isready` and `stop` are heard at once, and every `go` has its `bestmove`, in order.
#[test]
fn a_full_queue_delays_nothing_and_swallows_no_bestmove() {
    let mut engine = Engine::start();
    engine.send("position startpos 9 4 roll 3\ngo infinite");
    flood(&mut engine);
    engine.until("info string error: the queue of waiting commands is full");
    let asked = Instant::now();
    for _ in 0..20 {
        engine.send("isready\nquery dpn\ngo depth 1\ngo depht 1\ngo perft 1");
        engine.until("readyok");
    }
    engine.send("position startpos 9 4 roll 8\nisready\nstop");
    engine.until("readyok");
    let best = engine.until("bestmove").pop().unwrap();
    let taken = asked.elapsed();
    assert!(best.ends_with('4'), "{best}");
    assert!(taken < Duration::from_secs(2), "{taken:?}");
    // When half of the flood has been answered, commands are taken again.
    let (mut searches, mut lines) = (20 * 2, Vec::new());
    while count(&lines, "response true") == 0 {
        std::thread::sleep(Duration::from_millis(100));
        engine.send("go depth 1\nquery p1turn\ngo depth 1\nisready");
        lines.extend(engine.until("readyok"));
        searches += 2;
    }
    assert_eq!(count(&lines, "bestmove (none)"), searches);
    assert_eq!(count(&lines, "bestmove"), searches);
    assert!(count(&lines, "info string error: 'go': expected a position first: one was dropped") > 0);
    engine.send("position startpos 9 4 roll 8\ngo depth 1\nquit");
    assert!(engine.until("bestmove").pop().unwrap().ends_with('9'));
}

/// What the process holds in memory, where the system tells.
fn resident_megabytes(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().split(' ').next()?.parse::<u64>().ok()? / 1024)
}

/// Lines that ask for a search, whatever else is wrong with them, have one `bestmove` each, and no others have one.
#[test]
fn every_go_has_exactly_one_bestmove() {
    let long = format!("go searchmoves{}", " a1".repeat(30_000)).into_bytes();
    let far = format!("{}go depth 1{}", " ".repeat(70_000), " ".repeat(70_000)).into_bytes();
    let searches: [&[u8]; 22] = [
        b"go depth 1",
        b"go depth 1 searchmoves a3",
        b"go depth 1 searchmoves a1",
        b"go depth 1 searchmoves a3 x",
        b"go depth 1 ponder",
        b"go nodes 0",
        b"go movetime 0 mate 2",
        b"go wtime 50 btime 50 winc 0 binc 0",
        b"go btime 50",
        b"go rtime 50",
        b"go depht 5",
        b"go depth",
        b"go depth 5 depth 5",
        b"go nodes -1",
        b"go perf 5",
        b"go depth 1 perft 3",
        b"\xef\xbb\xbfgo xyzzy",
        b"go \xff",
        b"\tgo depth 1\r",
        b"go \0",
        &long,
        &far,
    ];
    let others: [&[u8]; 9] = [
        b"go perft 1",
        b"go perft x",
        b"go perft",
        b"go perft 1 depth 2",
        b"go perft \xff",
        b"gone",
        b"position startpos roll 2",
        b"Go depth 1",
        b"stop",
    ];
    let mut engine = Engine::start();
    let cases = searches.iter().map(|line| (line, 1)).chain(others.iter().map(|line| (line, 0)));
    for (line, expected) in cases {
        engine.send("position startpos roll 2");
        engine.send_bytes(line);
        engine.send("\nquery gameover");
        let lines = engine.until("response false");
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]);
        assert_eq!(count(&lines, "bestmove"), expected, "{shown:?}: {lines:?}");
        let moves = count(&lines, "bestmove ") - count(&lines, "bestmove (none)");
        assert!(moves + count(&lines, "info string error: ") >= expected, "{shown:?}: {lines:?}");
    }
}

/// Whatever is wrong with a `position`, no move is made up for another board.
#[test]
fn a_refused_position_is_not_searched() {
    let long = format!("position startpos moves{}", " 2:a3".repeat(20_000)).into_bytes();
    let positions: [&[u8]; 6] = [
        b"position startpos moves 2:a3 2:a3",
        b"position startpos roll 9",
        b"position",
        b"position rnbq/8 w",
        b"position startpos \xff",
        &long,
    ];
    let mut engine = Engine::start();
    for line in positions {
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]);
        engine.send("position startpos 7 4 roll 2");
        engine.send_bytes(line);
        engine.send("\ngo depth 1\nucinewgame\ngo\nquery fen\nposition startpos roll 2\ngo depth 1");
        let lines = engine.until("bestmove (none)");
        assert_eq!(count(&lines, "info string error: "), 2, "{shown:?}: {lines:?}");
        assert_eq!(count(&lines, "info string error: 'go': expected a position first: '"), 1, "{shown:?}: {lines:?}");
        assert_eq!(count(&engine.until("bestmove (none)"), "info string error: 'go': "), 1, "{shown:?}");
        assert!(engine.until("response")[0].starts_with("response 7 4 b 2 - "), "{shown:?}");
        assert_eq!(engine.until("bestmove").len(), 2, "{shown:?}");
    }
}

/// Nor for the start position of a game that is set too late.
#[test]
fn another_game_does_not_make_up_for_a_refused_position() {
    let mut engine = Engine::start();
    engine.send("position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10");
    for line in ["setoption name Game value backgammon", "setoption name UCI_Variant value backgammon"] {
        engine.send(&format!("{line}\ngo depth 1"));
        let lines = engine.until("bestmove");
        assert_eq!(
            count(&lines, "info string error: 'go': expected a position first: 'position xgid "),
            1,
            "{lines:?}"
        );
        assert_eq!(lines.last().map(String::as_str), Some("bestmove (none)"));
    }
    engine.send("position startpos roll 31\ngo depth 1");
    assert!(engine.until("bestmove").last().is_some_and(|line| !line.ends_with("(none)")));
}

/// The network file is read by another thread, and only if it is one that can be read to its end.
#[cfg(target_os = "linux")]
#[test]
fn a_network_file_cannot_hang_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    std::fs::write(path("empty"), "").unwrap();
    std::fs::File::create(path("vast")).unwrap().set_len(1 << 40).unwrap();
    let mut engine = Engine::start();
    let names = ["pipe", "empty", "vast", ".", "none"].map(|name| path(name).display().to_string());
    let odd = ["/dev/zero", "/dev/stdin", "/proc/kmsg", "/proc/self/mem", "/proc/self/pagemap"].map(str::to_owned);
    for name in names.into_iter().chain(odd) {
        let asked = Instant::now();
        engine.send(&format!("setoption name EvalFile value {name}\nisready"));
        let lines = engine.until("readyok");
        assert_eq!(count(&lines, "info string error: '"), 1, "{name}: {lines:?}");
        assert!(lines[0].contains("expected a network file for 5/4: "), "{name}: {lines:?}");
        assert!(asked.elapsed() < Duration::from_secs(2), "{name}");
    }
    let shape = Shape::new(7, 4).unwrap();
    file::save(&path("7-4.net"), nets::shipped(shape).expect("a network").weights()).unwrap();
    let set = format!("setoption name EvalFile value {}\nisready", path("7-4.net").display());
    engine.send(&set);
    assert_eq!(count(&engine.until("readyok"), "info string error: '"), 1, "a network of another shape");
    engine.send(&format!("position startpos 7 4 roll 1\n{set}\ngo depth 1"));
    assert_eq!(engine.until("readyok").len(), 1);
    assert!(engine.until("bestmove").pop().unwrap().ends_with('2'));
    engine.send("setoption name EvalFile value <empty>\nisready");
    assert_eq!(engine.until("readyok").len(), 1);
}

/// With too little address space for a stack the engine says so and ends.
#[cfg(target_os = "linux")]
#[test]
fn a_thread_that_cannot_be_started_is_an_error() {
    let script = format!("ulimit -v 60000; exec '{}'", env!("CARGO_BIN_EXE_alea"));
    let ended = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let complaint = String::from_utf8_lossy(&ended.stderr);
    assert!(complaint.starts_with("alea: cannot start the search thread: "), "{complaint}");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error_and_a_reader_who_has_left_is_none() {
    for arguments in [&["bench"][..], &["d"], &["--version"], &["--help"], &["go", "depth", "1"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let engine = || Command::new(env!("CARGO_BIN_EXE_alea"));
        let ended = engine().args(arguments).stdin(Stdio::null()).stdout(full).output().unwrap();
        assert_eq!(ended.status.code(), Some(1), "{arguments:?}");
        let complaint = String::from_utf8_lossy(&ended.stderr);
        assert!(complaint.starts_with("alea: cannot write the output: "), "{arguments:?}: {complaint}");

        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ended = engine().args(arguments).stdin(Stdio::null()).stdout(writer).output().unwrap();
        assert!(ended.status.success() && ended.stderr.is_empty(), "{arguments:?}: {ended:?}");
    }
}

/// The first move of a game does not pay for bringing the table in.
#[test]
fn a_new_game_has_its_table_at_hand() {
    let mut engine = Engine::start();
    engine.send("isready");
    engine.until("readyok");
    let started = resident_megabytes(engine.pid());
    engine.send("ucinewgame\nisready");
    engine.until("readyok");
    let ready = resident_megabytes(engine.pid());
    if let (Some(started), Some(ready)) = (started, ready) {
        assert!(started < 32, "{started} MB before anybody has asked for a game");
        assert!((64..96).contains(&ready), "{ready} MB with a table of 64 MB at hand");
    }
}

#[test]
fn idle_costs_nothing() {
    let mut engine = Engine::start();
    engine.send("position dpn 3 3 b 0 b b - r r - - - -\ngo depth 5\ngo infinite\nisready");
    engine.until("readyok");
    let ticks = |engine: &Engine| -> Option<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", engine.pid())).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        Some(fields[11].parse::<u64>().ok()? + fields[12].parse::<u64>().ok()?)
    };
    std::thread::sleep(Duration::from_millis(100));
    let before = ticks(&engine);
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(before, ticks(&engine), "clock ticks used while there was nothing to do");
}

/// Output without the fields that measure time.
fn without_times(lines: &[String]) -> Vec<String> {
    let times = regex::Regex::new(r" (nps|time) \d+").unwrap();
    lines.iter().map(|line| times.replace_all(line, "").into_owned()).collect()
}

#[test]
fn the_same_commands_give_the_same_output() {
    let games = "position startpos roll 2\ngo depth 7\nposition startpos moves 2:c3 1:b2 roll 2\ngo depth 7\n\
                 position startpos 9 4 roll 2\ngo nodes 20000\nsetoption name MultiPV value 3\ngo depth 3\n\
                 position startpos 9 4\ngo depth 4\nsetoption name MultiPV value 1\n";
    let once = without_times(&answers(games));
    assert!(once.len() > 20);
    let mut engine = Engine::start();
    for _ in 0..3 {
        engine.send(&format!("ucinewgame\n{games}ugi"));
        let lines = engine.until("id name");
        engine.until("ugiok");
        let lines = without_times(&lines[..lines.len() - 1]);
        assert_eq!(lines, once);
    }
}

#[test]
fn node_limits_are_kept_to_the_node() {
    for nodes in [0, 1, 2, 3, 100, 999, 12_345] {
        for start in ["startpos roll 2", "startpos 9 4 moves 4:e5", "startpos 17 4 roll 16"] {
            let lines = answers(&format!("position {start}\ngo nodes {nodes}"));
            let counted = lines.iter().filter_map(|line| line.split_once(" nodes ")?.1.split(' ').next()?.parse().ok());
            let most: u64 = counted.max().unwrap_or(0);
            assert_eq!(most, nodes, "{start}");
            assert_eq!(count(&lines, "bestmove"), 1);
        }
    }
}

#[test]
fn arguments() {
    let run =
        |words: &[&str]| Command::new(env!("CARGO_BIN_EXE_alea")).args(words).stdin(Stdio::null()).output().unwrap();
    let version = run(&["--version"]);
    assert_eq!(String::from_utf8_lossy(&version.stdout), format!("alea {}\n", env!("CARGO_PKG_VERSION")));
    assert!(String::from_utf8_lossy(&run(&["--help"]).stdout).contains("usage: alea"));
    assert_eq!(run(&["query", "p1turn"]).stdout, b"response true\n");
    let wrong = run(&["--depth", "3"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("'--depth': expected a command"));
    let empty = run(&[]);
    assert!(empty.status.success() && empty.stdout.is_empty() && empty.stderr.is_empty());
}

/// Expected play is legal to its end, starts with the best move, and no variation goes on after the end of the game.
#[test]
fn variations_can_be_played() {
    let starts = [
        "startpos roll 2",
        "startpos 3 3 roll 0",
        "startpos 9 4 moves 4:e5 4:e4 roll 3",
        "startpos 17 6 roll 16",
        "dpn 5 4 r 2 - - b - - b r b b r - - b r - r - r r - - b - b -",
    ];
    let mut variations = 0;
    for start in starts {
        let lines = answers(&format!("setoption name MultiPV value 3\nposition {start}\ngo nodes 50000\nquery dpn"));
        let (dpn, lines) = lines.split_last().unwrap();
        let root = Position::from_dpn(dpn.strip_prefix("response ").unwrap()).unwrap();
        for line in lines.iter().filter(|line| line.starts_with("info depth")) {
            let variation = line.split_once(" pv ").unwrap_or_else(|| panic!("{line} has a variation")).1;
            let (first, later) = variation.split_once(' ').unwrap_or((variation, ""));
            let mut position = root.play_on(parse_cell(first).unwrap()).unwrap();
            for ply in later.split_whitespace() {
                let (roll, cell) = ply.split_once(':').unwrap_or_else(|| panic!("{ply} in {line}"));
                let rolled = position.with_roll(roll.parse().unwrap());
                let played = rolled.and_then(|rolled| rolled.play_on(parse_cell(cell).unwrap()));
                position = played.unwrap_or_else(|why| panic!("{ply} in {line}: {why}"));
            }
            variations += 1;
        }
        let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
        let last = lines.iter().rfind(|line| line.contains(" multipv 1 ")).unwrap();
        assert_eq!(last.split_once(" pv ").unwrap().1.split(' ').next(), Some(best), "{lines:#?}");
    }
    assert!(variations > 50, "{variations} variations");
}
