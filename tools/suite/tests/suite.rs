//! alea-suite as its users meet it: commands in, files and exit codes out.

use alea::eval::Noise;
use alea::eval::dice::{DiceEvaluator, EvalKind};
use alea::game::dice::{Position, Status};
use alea::game::{Game, Step, Value};
use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[path = "../../../tests/support/plain.rs"]
mod plain;
mod support;

use support::{command, done, failed, suite};

/// Three small positions, one of them not rolled.
const SMALL: &str = "# small ones\n3 3 b 1 - - - - - - - - -\n\n4 3 r 2 - b - - - - - - - - - - - - - -\n\
                     3 3 b -1 b r b - - - r - -\n";

/// The rows of a results file without their times and checksums, in no order.
fn rows(path: &Path) -> BTreeSet<Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(String::from).collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let time = header.iter().position(|name| name == "time_ms").unwrap();
    let rows: Vec<_> = lines
        .map(|mut row| {
            row.pop();
            row.remove(time);
            row
        })
        .collect();
    let set: BTreeSet<_> = rows.iter().cloned().collect();
    assert_eq!(set.len(), rows.len(), "no row twice");
    set
}

#[test]
fn a_run_has_every_search_and_its_report_every_file() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("small.dpn"), SMALL).unwrap();
    let algorithms = "Expectimax,Star0.5,Star1,Star2,Star2.5,StarETC";
    let args = ["run", "--suite", "small.dpn", "--algorithms", algorithms, "--depths", "1-4,6", "--probing", "1,2"];
    let text = done(dir, &[&args[..], &["--order", "cyclic,sequential", "--jobs", "2", "--out", "r"]].concat());
    // Expectimax, Star0.5 and Star1 once; Star2 and StarETC by two factors; Star2.5 by two factors and two orders.
    let searches = 3 * 5 * (3 + 2 * 2 + 2 * 2);
    assert!(text.contains(&format!("{searches} searches made")), "{text}");
    assert!(text.contains("None: all algorithms agree on all 10"), "{text}");
    let all = rows(&dir.join("r/results.csv"));
    assert_eq!(all.len(), searches);
    for row in &all {
        assert_eq!(row[6] == "(none)", row[0] == "3", "{row:?}");
    }
    let one_job = ["--order", "cyclic,sequential", "--jobs", "1", "--out", "one"];
    done(dir, &[&args[..], &one_job].concat());
    assert_eq!(rows(&dir.join("one/results.csv")), all, "whatever the number of jobs");

    let report = done(dir, &["report", "r"]);
    assert!(report.contains("=== 3/3 Dice ===") && report.contains("=== 4/3 Dice ==="), "{report}");
    for table in [
        "mean-nodes",
        "mean-time",
        "nodes",
        "time",
        "probing",
        "disagreements",
        "best-moves",
        "drift",
        "differences",
        "truth",
    ] {
        let text = fs::read_to_string(dir.join(format!("r/report/{table}-3-3.csv"))).unwrap();
        assert!(text.lines().count() >= 1, "{table}");
    }
    for plot in ["nodes-by-depth", "nodes-by-position", "time-by-position"] {
        let text = fs::read_to_string(dir.join(format!("r/report/{plot}-4-3.svg"))).unwrap();
        assert!(text.starts_with("<svg") && text.contains("StarETC (2)"), "{plot}");
    }
    assert!(fs::read_to_string(dir.join("r/report/report.md")).unwrap().contains("| depth |"));
    let truth = fs::read_to_string(dir.join("r/report/truth-3-3.csv")).unwrap();
    assert!(truth.lines().count() > 1, "a row at least beside the head: {truth}");
}

#[test]
fn a_run_goes_on_where_it_was_cut_short() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("small.dpn"), SMALL).unwrap();
    let command = |depths: &'static str, more: &[&'static str]| {
        let args = ["run", "--suite", "small.dpn", "--depths", depths, "--hash", "1", "--out", "r"];
        [&args[..], more].concat()
    };
    done(dir, &command("1-5", &[]));
    let path = dir.join("r/results.csv");
    let whole = rows(&path);
    let bytes = fs::read(&path).unwrap();
    for keep in [bytes.len() - 7, bytes.len() / 2, 60, 0] {
        fs::write(&path, &bytes[..keep]).unwrap();
        done(dir, &command("1-5", &[]));
        assert_eq!(rows(&path), whole, "cut to {keep} bytes");
    }
    assert!(done(dir, &command("1-5", &[])).contains("0 searches made"));
    assert!(done(dir, &command("6", &[])).contains("12 searches made"));
    assert!(rows(&path).is_superset(&whole));

    let refusals = [(["--threads", "2"], "--threads 1 (now 2)"), (["--eval", "pairs"], "--eval net (now pairs)")];
    for (more, message) in refusals {
        let error = failed(dir, &command("1-5", &more));
        assert!(error.contains(message), "{error}");
    }
    let error = failed(dir, &["run", "--depths", "1", "--hash", "1", "--out", "r"]);
    assert!(error.contains("other positions"), "{error}");
    fs::remove_file(dir.join("r/run.json")).unwrap();
    assert!(failed(dir, &command("1-5", &[])).contains("run.json: is missing"));
}

#[test]
fn damage_is_refused_with_file_and_line_until_a_fresh_start() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("small.dpn"), SMALL).unwrap();
    let run = ["run", "--suite", "small.dpn", "--depths", "1-3", "--hash", "1", "--out", "r"];
    done(dir, &run);
    let (path, report) = (dir.join("r/results.csv"), ["report", "r"]);
    let (whole, all) = (fs::read(&path).unwrap(), rows(&path));
    let place = |line: usize| whole.split_inclusive(|&byte| byte == b'\n').take(line).map(<[u8]>::len).sum::<usize>();
    // A digit, an end of line in the middle, the last end of line, a NUL.
    let cases = [(place(4) + 20, 1), (place(8) - 1, 1), (whole.len() - 1, 4), (place(5) + 2, whole[place(5) + 2])];
    for (at, bits) in cases {
        let mut bytes = whole.clone();
        bytes[at] ^= bits;
        fs::write(&path, &bytes).unwrap();
        let line = whole[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        for args in [&run[..], &report] {
            let error = failed(dir, args);
            assert!(error.contains(&format!("results.csv:{line}: a damaged row")), "{args:?}: {error}");
            assert_eq!(fs::read(&path).unwrap(), bytes, "nothing is removed");
        }
    }
    assert!(done(dir, &[&run[..], &["--fresh"]].concat()).contains("36 searches made"));
    assert_eq!(rows(&path), all);
    assert!(done(dir, &[&run[..], &["--eval", "pairs", "--fresh"]].concat()).contains("36 searches made"));
    assert!(failed(dir, &run).contains("--eval pairs (now net)"));
}

/// Wait until `ready`, for a minute at most.
#[cfg(unix)]
fn wait(what: &str, ready: impl Fn() -> bool) {
    let start = Instant::now();
    while !ready() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_line_that_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("hard.dpn"), format!("5 4 b -1{}\n", " -".repeat(25)).repeat(3)).unwrap();
    let cases: [(&[&str], &str); 2] = [
        (&["run", "--depths", "1-40", "--hash", "1", "--out", "r"], "r/results.csv"),
        (&["solve", "hard.dpn", "--time", "600", "--hash", "1", "--out", "s.csv"], "s.csv"),
    ];
    for (args, file) in cases {
        let fresh = [args, &["--fresh"]].concat();
        let child = command(dir, &fresh).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait("the file is there", || fs::metadata(dir.join(file)).is_ok_and(|metadata| metadata.len() > 0));
        let error = failed(dir, args);
        assert!(error.contains(&format!("{file}: another run is writing to it")), "{error}");
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{text}");
        assert!(text.contains("Stopped: ") && text.trim_end().ends_with(&args.join(" ")), "{text}");
    }
}

#[test]
fn output_that_goes_away_is_no_panic() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("small.dpn"), SMALL).unwrap();
    let cases: [&[&str]; 5] = [
        &["run", "--suite", "small.dpn", "--depths", "1", "--out", "r"],
        &["report", "r"],
        &["make", "--shape", "4/3", "--count", "5"],
        &["solve", "small.dpn", "--time", "0.1"],
        &["trees", "--trees", "1", "--factors", "1"],
    ];
    for args in cases {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = command(dir, args).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(141), &b""[..]), "{args:?}");
        if let Ok(full) = File::options().write(true).open("/dev/full") {
            let output = command(dir, args).stdout(full.try_clone().unwrap()).output().unwrap();
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{args:?}");
            assert!(message.starts_with("alea-suite: stdout: "), "{message}");
            let output = command(dir, &["report", "nowhere"]).stderr(full).output().unwrap();
            assert_eq!(output.status.code(), Some(1));
        }
    }
}

#[test]
fn threads_change_no_value() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("small.dpn"), SMALL).unwrap();
    let values = |threads: &str| {
        done(dir, &["run", "--suite", "small.dpn", "--depths", "5,8", "--threads", threads, "--out", threads]);
        let rows = rows(&dir.join(threads).join("results.csv"));
        rows.into_iter().map(|row| row[..6].to_vec()).collect::<BTreeSet<_>>()
    };
    assert_eq!(values("1"), values("2"));
}

#[test]
fn the_built_in_suite_runs_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let text = done(dir.path(), &["run", "--depths", "1-5"]);
    assert!(text.contains("1500 searches made") && text.contains("agree on all 375"), "{text}");
    assert_eq!(fs::read_to_string(dir.path().join("suite-run/suite.dpn")).unwrap().lines().count(), 75);
}

#[test]
fn bad_lines_are_reported_and_stop_nothing_unless_strict() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("bad.dpn"), format!("{SMALL}3 3 b 7 - - - - - - - - -\n\u{fffd}\n")).unwrap();
    let output = suite(dir, &["run", "--suite", "bad.dpn", "--depths", "1", "--out", "r"]);
    let complaints = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success());
    assert!(complaints.contains("bad.dpn:6: '7': expected a roll from 0 to 2"), "{complaints}");
    assert!(complaints.contains("bad.dpn:7: "), "{complaints}");
    assert_eq!(rows(&dir.join("r/results.csv")).len(), 12);
    let error = failed(dir, &["run", "--suite", "bad.dpn", "--depths", "1", "--out", "s", "--strict"]);
    assert!(error.contains("2 of 5 lines are bad"), "{error}");
    assert!(!dir.join("s").exists(), "nothing was begun");
}

#[test]
fn mistakes_name_the_word() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("empty.dpn"), "# nothing\n").unwrap();
    let cases: [(&[&str], &str); 15] = [
        (&["run", "--algorithms", "Star1,Star9"], "Star9"),
        (&["run", "--depths", "0-3"], "0-3"),
        (&["run", "--depths", "9-3"], "ends before it begins"),
        (&["run", "--probing", "x"], "'x'"),
        (&["run", "--jobs", "0"], "at least 1"),
        (&["run", "--suite", "nowhere.dpn"], "nowhere.dpn"),
        (&["run", "--suite", "empty.dpn"], "empty.dpn: no position"),
        (&["run", "--depths", "1", "--hash", "99999999999"], "99999999999"),
        (&["report", "nowhere"], "nowhere"),
        (&["make", "--shape", "2/9"], "2/9"),
        (&["solve", "empty.dpn", "--time", "never"], "never"),
        (&["trees", "--choices", "99"], "99"),
        (&["make", "--empty", "0-3"], "'0-3'"),
        (&["run", "--suite", "/dev/zero"], "/dev/zero: too large"),
        (&["solve", "empty.dpn", "--fresh"], "--out"),
    ];
    for (args, word) in cases {
        let error = failed(dir, args);
        assert!(error.contains(word), "{args:?}: {error}");
    }
}

#[test]
fn a_report_tells_of_disagreement() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("small.dpn"), SMALL).unwrap();
    done(dir, &["run", "--suite", "small.dpn", "--depths", "1-3", "--out", "r"]);
    let path = dir.join("r/results.csv");
    let text = fs::read_to_string(&path).unwrap();
    let line = text.lines().find(|line| line.starts_with("2,4/3,Star1,,3,")).unwrap();
    let value = line.split(',').nth(5).unwrap();
    let (fields, _) = line.rsplit_once(',').unwrap();
    let fields = fields.replacen(value, "0.987", 1);
    let other = format!("{fields},{:08x}", crc32fast::hash(fields.as_bytes()));
    fs::write(&path, text.replace(line, &other)).unwrap();
    let error = failed(dir, &["report", "r"]);
    assert!(error.contains("disagree on 1 value"), "{error}");
}

#[test]
fn made_suites_are_sound_balanced_and_reproducible() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for shape in ["4/3", "5/4", "9/6", "13/4", "17/8"] {
        let args = ["make", "--shape", shape, "--count", "25", "--seed", "7"];
        let text = done(dir, &args);
        assert_eq!(done(dir, &args), text, "{shape}");
        let positions: Vec<Position> =
            text.lines().filter(|line| !line.starts_with('#')).map(|line| Position::from_dpn(line).unwrap()).collect();
        assert_eq!(positions.len(), 25, "{shape}");
        let keys: HashSet<u64> = positions.iter().map(|position| position.key(true, 0).hash).collect();
        assert_eq!(keys.len(), 25, "{shape}: no duplicates, no mirror images");
        for position in &positions {
            assert_eq!(position.status(), Status::Playing);
            assert!(position.roll().is_some() && position.shape().to_string() == shape);
        }
        // Stages take turns: the first of five is the start of a game, the last its end. Games differ in length, so
        // neighbouring stages may not tell with so few.
        let empty = |stage: usize| positions.iter().skip(stage).step_by(5).map(Position::empty_count).sum::<usize>();
        assert!((0..3).all(|stage| empty(stage) > empty(stage + 2)), "{shape}");
    }
    assert_ne!(done(dir, &["make", "--seed", "1"]), done(dir, &["make", "--seed", "2"]));
    let late = done(dir, &["make", "--empty", "5-7,9", "--count", "20"]);
    assert!(late.lines().next().unwrap().contains("--empty 5-7,9"), "{late}");
    for line in late.lines().skip(1) {
        assert!([5, 6, 7, 9].contains(&Position::from_dpn(line).unwrap().empty_count()), "{line}");
    }
    let error = failed(dir, &["make", "--shape", "3/3", "--count", "4000"]);
    assert!(error.contains("different positions"), "{error}");
}

#[test]
fn solutions_are_exact_with_all_best_moves() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let made = done(dir, &["make", "--shape", "3/3", "--count", "80", "--seed", "5"]);
    let endings: String = made
        .lines()
        .filter(|line| line.split(' ').skip(4).filter(|&cell| cell == "-").count() <= 6 && !line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(dir.join("end.dpn"), &endings).unwrap();
    done(dir, &["solve", "end.dpn", "--out", "s.csv", "--hash", "1"]);
    let solved = fs::read_to_string(dir.join("s.csv")).unwrap();
    assert!(endings.lines().count() > 10);
    for dpn in endings.lines() {
        let row = solved.lines().find(|row| row.starts_with(&format!("{dpn},"))).unwrap();
        let fields: Vec<&str> = row.split(',').collect();
        let position = Position::from_dpn(dpn).unwrap();
        let judge = DiceEvaluator::new(EvalKind::Zero, position.shape(), Noise::NONE).unwrap();
        let worth = |mv| -plain::value(&position.child(Step::Move(mv)), &judge, 20);
        let moves = position.moves();
        let best: Value = moves.iter().map(|&mv| worth(mv)).max().unwrap();
        let mut names: Vec<_> =
            moves.iter().filter(|&&mv| worth(mv) == best).map(|&mv| position.move_cell(mv)).collect();
        names.sort();
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        assert!((fields[1].parse::<f64>().unwrap() - best.to_f64()).abs() < 1e-7, "{row}");
        assert_eq!((fields[2], fields[4]), ("true", names.join(" ").as_str()), "{row}");
    }
    let again = done(dir, &["solve", "end.dpn", "--out", "s.csv", "--hash", "1"]);
    assert!(again.contains("solved already") && again.contains("0 of 0 solved"), "{again}");
}

#[test]
fn a_position_not_rolled_is_solved_roll_by_roll_and_one_too_hard_is_called_so() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let hard = format!("9 4 b -1{}\n", " -".repeat(81));
    fs::write(dir.join("two.dpn"), format!("3 3 b -1 - - - - - - - - -\n{hard}")).unwrap();
    let text = done(dir, &["solve", "two.dpn", "--time", "2", "--hash", "16"]);
    for part in [
        "line 1: ",
        "value 0.347451 exact",
        "roll 1 value 0.485254 exact, best b2",
        "best a1 c1",
        "line 2: ",
        "NOT SOLVED in time, to depth ",
        "1 of 2 solved",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn depths_are_held_against_the_truth() {
    let dir = tempfile::tempdir().unwrap();
    let text = done(dir.path(), &["truth", "--count", "46", "--depths", "1,3", "--out", "t"]);
    let row = |group: &str, depth: &str| {
        let rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let found = rows.into_iter().find(|row| row.len() > 4 && row[0] == group && row[1] == depth);
        found.unwrap_or_else(|| panic!("{group} {depth}: {text}"))[3..6]
            .iter()
            .map(|x| x.parse().unwrap())
            .collect::<Vec<f64>>()
    };
    for group in ["thesis", "sampled"] {
        let (shallow, deep) = (row(group, "1"), row(group, "3"));
        assert!(deep[0] < shallow[0] && shallow[0] < 0.3, "deeper values are nearer the truth: {text}");
        assert!(shallow[1] > 0.0 && shallow[1] < 0.1 && (30.0..100.0).contains(&shallow[2]), "{text}");
    }
    let csv = fs::read_to_string(dir.path().join("t/truth.csv")).unwrap();
    assert!(csv.lines().count() > 10);
    assert!(fs::read_to_string(dir.path().join("t/lost-by-depth.svg")).unwrap().contains("</svg>"));
}

/// Where time alone limits the search, answers are exact: in the book, just beyond it, and where the sweep takes a moment.
#[test]
fn answers_by_the_clock_are_held_against_the_truth() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["truth", "--movetime", "60000", "--empty", "15,19,23", "--count", "6", "--out", "t"];
    let text = done(dir.path(), &args);
    let csv = fs::read_to_string(dir.path().join("t/answers.csv")).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(names, ["15", "19", "23", "all"], "{text}");
    for (row, count) in rows.iter().zip(["2", "2", "2", "6"]) {
        assert_eq!((row[1], row[2]), (count, count), "all are exact: {text}");
        let [value, most, lost] = [3, 4, 5].map(|i| row[i].parse::<f64>().unwrap());
        assert!(value <= most && most < 5e-5 && lost < 6.2e-5, "{text}");
    }
    assert_eq!([rows[0][7], rows[2][7]], ["swept", "the book's last layer"]);
    for (args, part) in [
        (&["truth", "--empty", "1-2"][..], "there must be a choice of moves"),
        (&["truth", "--movetime", "9", "--depths", "3"], "cannot be used with"),
    ] {
        assert!(failed(dir.path(), args).contains(part), "{args:?}");
    }
}

/// The row of a table that starts with a name, as words.
fn row_of<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {text}"));
    line[name.len()..].split_whitespace().collect()
}

#[test]
fn rollouts_judge_moves_and_players() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    // Won by c1; without a choice; before its roll; won by c3.
    let won = "4 3 b 0 b b - - r r - - - - - - - - - -\n";
    let others = "3 3 b 0 b b - r r b - - r\n3 3 r -1 b - - - - - - - -\n4 3 b 2 r r - - - - - - b b - - - - - -\n";
    fs::write(dir.join("few.dpn"), [won, others].concat()).unwrap();
    let rollout = ["rollout", "few.dpn", "--games", "20"];
    let text = done(dir, &[&rollout[..], &["--players", "StarETC:2,expectimax:2,MCTS:5ms"]].concat());
    assert_eq!(row_of(&text, "  c1")[..3], ["1.0000", "±", "0.0000"], "{text}");
    assert!(text.contains("  roll 0") && text.contains("  all"), "{text}");
    for player in ["StarETC:2", "Expectimax:2", "MCTS:5ms"] {
        assert_eq!(row_of(&text, player), ["0.0000"; 5], "{text}");
    }
    // Both lines have a second move, and half of what it loses is lost by chance.
    let lost = |move_name| 1.0 - row_of(&text, move_name)[0].parse::<f64>().unwrap();
    let by_chance: f64 = row_of(&text, "by chance")[0].parse().unwrap();
    assert!((by_chance - (lost("  d1") + lost("  d3")) / 4.0).abs() < 2e-4, "{text}");
    assert!(text.contains("Over 2 positions with a choice"), "{text}");
    assert!(!done(dir, &rollout).contains("player"));
    fs::write(dir.join("none.dpn"), "3 3 r -1 b - - - - - - - -\n").unwrap();
    let text = done(dir, &["rollout", "none.dpn", "--games", "2", "--players", "StarETC:1"]);
    assert!(
        text.ends_with("No position with a choice of moves was played out: nothing to judge players by.\n"),
        "{text}"
    );
    for (list, word) in [("UCT:3", "'UCT:3'"), ("StarETC", "as StarETC:3"), ("MCTS:0ms", "'MCTS:0ms'")] {
        let error = failed(dir, &["rollout", "few.dpn", "--players", list]);
        assert!(error.contains(word), "{list}: {error}");
    }
}

#[test]
fn trees_stand_beside_ballards_figures() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["trees", "--trees", "3", "--factors", "1,3", "--out", "t.csv"];
    let text = done(dir.path(), &args);
    assert!(text.contains("65 %, its best") && text.contains("over 59 %"), "{text}");
    assert_eq!(done(dir.path(), &args), text, "the same trees each time");
    assert_eq!(fs::read_to_string(dir.path().join("t.csv")).unwrap().lines().count(), 1 + 3 + 2 + 2 * 2);
}
