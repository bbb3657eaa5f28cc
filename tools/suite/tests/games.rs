//! Every game through alea-suite: made, searched by all algorithms, reported on and solved.

use alea::eval::{Evaluated, Noise};
use alea::game::{Game, Kind, Notation, Step, einstein};
use alea::games::NAMES;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

#[path = "../../../tests/support/plain.rs"]
mod plain;
mod support;

use support::{done, failed};

const ALGORITHMS: &str = "Expectimax,Star0.5,Star1,Star2,Star2.5,StarETC";

/// Values differ by no more than the rounding of averages.
const TOLERANCE: f64 = 1e-6;

/// The position on a line of a suite.
fn read<G: Notation>(line: &str) -> G {
    G::read("fen", &line.split(' ').collect::<Vec<_>>()).unwrap_or_else(|fault| panic!("{line}: {fault}"))
}

/// Rows of a CSV without its header; no field of the tests' has a comma but moves of backgammon, in quotes.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect()
}

fn points<G: Game>(value: alea::game::Value) -> f64 {
    value.to_f64() * f64::from(G::POINTS)
}

fn make_run_and_report<G: Evaluated>(dir: &Path) {
    let game = G::NAME;
    let make = ["make", "--game", game, "--count", "3", "--seed", "5"];
    let text = done(dir, &make);
    assert_eq!(done(dir, &make), text, "{game}: the same file each time");
    assert_eq!(text.starts_with(&format!("# game {game}\n")), game != "dice", "{text}");
    let positions: Vec<G> = text.lines().filter(|line| !line.starts_with('#')).map(read).collect();
    assert_eq!(positions.iter().map(Notation::fen).collect::<HashSet<_>>().len(), 3, "{text}");
    assert!(positions.iter().all(|position| position.kind() == Kind::Decision), "{text}");

    fs::write(dir.join(game), &text).unwrap();
    let run = ["run", "--suite", game, "--depths", "1-2", "--algorithms", ALGORITHMS, "--hash", "1", "--out"];
    let out = format!("{game}-run");
    let said = done(dir, &[&run[..], &[&out]].concat());
    assert!(said.contains("36 searches made") && said.contains("None: all algorithms agree on all 6"), "{said}");
    let rows = rows(&dir.join(&out).join("results.csv"));
    assert_eq!(rows.len(), 3 * 2 * 6);
    for row in &rows {
        let (position, depth) = (&positions[row[0].parse::<usize>().unwrap() - 1], row[4].parse().unwrap());
        assert_eq!(row[1], position.network_for(), "{row:?}");
        let judge = position.best_evaluator();
        let worth = |mv| {
            let child = position.child(Step::Move(mv));
            let value = plain::value(&child, &judge, depth - 1);
            points::<G>(if child.mover() == position.mover() { value } else { -value })
        };
        let value: f64 = row[5].parse().unwrap();
        let best = position.parse_move(&row[6]).unwrap_or_else(|fault| panic!("{row:?}: {fault}"));
        assert!((points::<G>(plain::value(position, &judge, depth)) - value).abs() < TOLERANCE, "{row:?}");
        assert!((worth(best) - value).abs() < TOLERANCE, "{row:?}");
    }

    let report = done(dir, &["report", &out]);
    assert!(report.contains(&format!("of the suite {game} of {game}")), "{report}");
    let plot = fs::read_to_string(dir.join(&out).join("report/nodes-by-depth.svg")).unwrap();
    let title = if game == "dice" { "5/4 Dice" } else { game };
    assert!(plot.contains(&format!("Nodes to depth, {title}, mean of 3 positions")), "{game}");
}

#[test]
fn every_game_is_made_run_and_reported_on() {
    let dir = tempfile::tempdir().unwrap();
    for &game in NAMES {
        alea::with_game!(game, G => make_run_and_report::<G>(dir.path())).unwrap();
    }
}

#[test]
fn every_evaluation_of_every_game_searches() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for &game in NAMES {
        fs::write(dir.join(game), done(dir, &["make", "--game", game, "--count", "2", "--noise", "0.2"])).unwrap();
        for (i, eval) in alea::with_game!(game, G => G::EVALUATIONS).unwrap().iter().enumerate() {
            let args = ["run", "--suite", game, "--depths", "1", "--hash", "1", "--eval", eval, "--out"];
            done(dir, &[&args[..], &[&format!("{game}-{i}")]].concat());
            let conditions = fs::read_to_string(dir.join(format!("{game}-{i}/run.json"))).unwrap();
            for part in [format!("\"game\": \"{game}\""), format!("\"eval\": \"{eval}\"")] {
                assert!(conditions.contains(&part), "{part}: {conditions}");
            }
        }
    }
}

#[test]
fn late_positions_of_einstein_are_solved_with_all_best_moves() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let endings =
        ["...../.2.../..1../..A../..... b 2", "...../..A../..F../...1./..... r 5", "...../.2.../...../..BF./..... b -"];
    fs::write(dir.join("end"), endings.join("\n")).unwrap();
    let text = done(dir, &["solve", "end", "--game", "einstein", "--out", "s.csv", "--hash", "16", "--time", "60"]);
    assert!(text.contains("3 of 3 solved"), "{text}");
    assert!((1..=6).all(|face| text.contains(&format!("  roll {face} value "))), "{text}");
    let solved = rows(&dir.join("s.csv"));
    assert_eq!(solved.len(), 2 + 1 + 6, "{text}");
    for row in &solved {
        let position: einstein::Position = read(&row[0]);
        let judge = position.evaluator("zero", None, Noise::NONE).unwrap();
        let worth = |mv| -plain::value(&position.child(Step::Move(mv)), &judge, 40);
        let value = plain::value(&position, &judge, 40);
        assert!((row[1].parse::<f64>().unwrap() - value.to_f64()).abs() < TOLERANCE, "{row:?}");
        assert_eq!((row[2].as_str(), row[7].as_str()), ("true", "einstein"), "{row:?}");
        let names: Vec<String> = match position.kind() {
            Kind::Decision => {
                let moves = position.moves().into_iter().filter(|&mv| worth(mv) == value);
                moves.map(|mv| position.move_text(mv)).collect()
            }
            _ => vec!["(none)".into()],
        };
        assert_eq!(row[4], names.join(" "), "{row:?}");
    }
    let again = done(dir, &["solve", "end", "--game", "einstein", "--out", "s.csv"]);
    assert!(again.contains("3 positions are solved already") && again.contains("0 of 0 solved"), "{again}");
}

#[test]
fn mistakes_about_games_name_file_line_and_word() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let start = "123../45.../6...F/...ED/..CBA b -";
    fs::write(dir.join("einstein"), format!("# mine\n# game einstein\n{start}\n")).unwrap();
    fs::write(dir.join("chess"), format!("# game chess\n{start}\n")).unwrap();
    fs::write(dir.join("two"), format!("# game einstein\n{start}\n# game dice\n")).unwrap();
    fs::write(dir.join("none"), format!("{start}\n")).unwrap();
    fs::write(dir.join("over"), "# game einstein\n1..../...../...../...../..... b -\n").unwrap();
    let cases: [(&[&str], &str); 15] = [
        (&["make", "--game", "chess"], "'chess'"),
        (&["make", "--game", "chess"], "einstein"),
        (&["make", "--game", "einstein", "--shape", "5/4"], "--shape: only dice has it, not einstein"),
        (&["make", "--game", "backgammon", "--empty", "5"], "--empty: only dice has it, not backgammon"),
        (&["make", "--game", "einstein", "--eval", "pairs"], "--eval 'pairs': einstein has no such evaluation"),
        (&["make", "--game", "backgammon", "--eval-file", "none"], "none: expected a network file for backgammon"),
        (&["run", "--game", "einstein"], "--game einstein: only dice has a suite built in"),
        (&["run", "--game", "dice", "--suite", "einstein"], "einstein:2: 'einstein': contradicts --game dice"),
        (&["run", "--suite", "chess"], "chess:1: 'chess': no such game; expected dice, einstein"),
        (&["run", "--suite", "two"], "two:3: 'dice': contradicts what comes before, which is einstein"),
        (&["run", "--suite", "none"], "none: no position of dice in it"),
        (&["run", "--suite", "einstein", "--eval", "pips"], "expected net, race, zero"),
        (&["solve", "einstein", "--game", "darkchess"], "einstein:2: 'einstein': contradicts --game darkchess"),
        (&["solve", "over"], "over:2: "),
        (&["solve", "einstein", "--eval-file", "none"], "none: expected a network file for einstein"),
    ];
    for (args, message) in cases {
        let error = failed(dir, args);
        assert!(error.contains(message), "{args:?}: {error}");
    }
    assert!(!dir.join("suite-run").exists(), "nothing was begun");
}

#[test]
fn folders_of_another_game_or_an_earlier_version_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("e"), "# game einstein\n...../..1../...../..A../..... b 1\n").unwrap();
    fs::write(dir.join("d"), "3 3 b 1 - - - - - - - - -\n").unwrap();
    let run = |suite| ["run", "--suite", suite, "--depths", "1", "--hash", "1", "--out", "r"];
    done(dir, &run("e"));
    assert_eq!(fs::read_to_string(dir.join("r/suite.dpn")).unwrap(), fs::read_to_string(dir.join("e")).unwrap());
    let error = failed(dir, &run("d"));
    assert!(error.contains("--game einstein (now dice)"), "{error}");

    let path = dir.join("r/run.json");
    let text = fs::read_to_string(&path).unwrap();
    let earlier: String = text.lines().filter(|line| !line.contains("format") && !line.contains("game")).collect();
    fs::write(&path, earlier).unwrap();
    for args in [&run("e")[..], &["report", "r"]] {
        let error = failed(dir, args);
        assert!(error.contains("run.json: a run of an earlier version of alea-suite"), "{args:?}: {error}");
    }
    done(dir, &[&run("e")[..], &["--fresh"]].concat());
    assert_eq!(fs::read_to_string(&path).unwrap(), text);

    fs::write(dir.join("s.csv"), "dpn,value,exact,depth,best_moves,nodes,time_ms,crc32\n").unwrap();
    let error = failed(dir, &["solve", "e", "--out", "s.csv"]);
    assert!(error.contains("s.csv:1: not a file of results, or of an earlier version"), "{error}");
}

#[test]
fn completions_and_pages_know_every_command() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for shell in ["bash", "zsh", "fish"] {
        let script = done(dir, &["completions", shell]);
        assert!(script.contains("alea-suite") && NAMES.iter().all(|game| script.contains(game)), "{script}");
    }
    done(dir, &["man", "man1"]);
    for page in ["", "-run", "-report", "-make", "-solve", "-trees", "-completions"] {
        assert!(dir.join(format!("man1/alea-suite{page}.1")).is_file(), "{page}");
    }
}
