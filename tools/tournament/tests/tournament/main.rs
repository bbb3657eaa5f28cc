//! The tournament as its users meet it: engines that misbehave, runs that are killed, shards that are joined.

mod analyse;
mod arena;
mod check;
mod cluster;
mod damage;
mod games;
mod output;

use arena::{Arena, fake, text, with};
use rustix::process::{Pid, Signal, kill_process};
use std::time::{Duration, Instant};

/// What an engine does wrong, what it is called, and a part of what is said about it.
const MISDEEDS: [(&str, &str, &str, &str); 24] = [
    ("crash 2", "depth=1", "crash", "exited with code 3"),
    ("abort 0", "depth=1", "crash", "killed by signal 6"),
    ("crash-mid-line 1", "depth=1", "crash", "exited with code 3"),
    ("child 1", "depth=1", "crash", "exited with code 3"),
    ("daemon 1", "depth=1", "crash", "exited with code 3"),
    ("stall 1", "depth=1", "stall", "no answer"),
    ("stall 1", "nodes=100", "stall", "no answer"),
    ("stall 1", "movetime=10", "stall", "no answer"),
    ("chatter 1", "depth=1", "stall", "no answer"),
    ("late 1", "movetime=50", "time-loss", "after the time was up"),
    ("late 1", "tc=0.2+0.01", "time-loss", "after the time was up"),
    ("illegal 0", "depth=1", "illegal-move", "'"),
    ("illegal 1", "depth=1", "illegal-move", "taken"),
    ("none-move 1", "depth=1", "illegal-move", "(none)"),
    ("flood 1", "depth=1", "protocol-error", "longer than a megabyte"),
    ("garbage 1", "depth=1", "protocol-error", "Segmentation fault"),
    ("bytes 1", "depth=1", "protocol-error", "UTF-8"),
    ("lie 1", "depth=1", "protocol-error", "7.5"),
    ("twice 1", "depth=1", "protocol-error", "while idle"),
    ("no-cell 1", "depth=1", "protocol-error", "expected a move"),
    ("huge-word 1", "depth=1", "illegal-move", "'xxx"),
    ("escape 1", "depth=1", "illegal-move", "'\\u{1b}[2J\\u{1b}[31m'"),
    ("wrong-cell 1", "depth=1", "illegal-move", "z99"),
    ("refuse 1", "depth=1", "protocol-error", "not today"),
];

/// Each misdeed happens in one game of five, costs the culprit that game and no other, and is recorded.
#[test]
fn every_misdeed_is_told_apart_and_play_goes_on() {
    for (behaviour, limits, reason, detail) in MISDEEDS {
        let arena = Arena::new();
        let (bad, good) = (fake("Bad", &format!("{behaviour} 3"), limits), fake("Good", "none", "depth=1"));
        arena.succeed(&["run", &bad, &good, "--pairs=5", "--stall=300ms", "--margin=100ms", "--out", "DIR/out"]);
        let games = arena.games("out");
        assert_eq!(games.len(), 10, "{behaviour}");
        for game in &games {
            let due = game["pair"] == 3;
            let bad_wins = if game["p1"] == "Bad" { "p1win" } else { "p2win" };
            assert_eq!(game["reason"] == reason, due, "{behaviour} {limits}: {game}");
            if due {
                assert_ne!(game["result"], bad_wins, "{behaviour}: {game}");
                let said = game["detail"].as_str().unwrap();
                assert!(said.contains(detail) && said.len() < 300, "{behaviour}: {game}");
            } else {
                assert_eq!(game["detail"], serde_json::Value::Null, "{behaviour}: {game}");
            }
        }
        let pairing = &arena.summary("out")["pairings"][0];
        assert_eq!(pairing["players"][0]["forfeits"][reason], 2, "{behaviour}");
        assert_eq!(pairing["players"][1]["forfeits"][reason], 0, "{behaviour}");
        assert_eq!(pairing["games"], 10, "{behaviour}");
    }
}

/// A network is of one shape, and is refused by an engine that has another before it.
#[test]
fn networks_of_any_shape_can_be_played() {
    let arena = Arena::new();
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/eval/dice/nets/9-6.net");
    let other = format!("--engine=name=Other,depth=1,option.EvalFile={net}");
    let words = ["run", "--engine=name=Own,depth=1", &other, "--pairs=1", "--out"];
    arena.succeed(&[&words[..], &["DIR/nine", "--shape=9/6"]].concat());
    let error = arena.refuse(&[&words[..], &["DIR/seven", "--shape=7/4"]].concat());
    assert!(error.contains("9/6") && error.contains("7/4"), "{error}");
}

#[test]
fn engines_that_do_not_start_are_named_and_refused_at_once() {
    let good = fake("Good", "none", "depth=1");
    let cases = [
        (fake("Bad", "never-start", "depth=1"), "no 'uciok' within 0.5 s"),
        (fake("Bad", "no-uciok", "depth=1"), "no 'uciok' within 0.5 s"),
        (fake("Bad", "no-readyok", "depth=1"), "no 'readyok' within 0.5 s"),
        (fake("Bad", "exit-at-once", "depth=1"), "will not start"),
        ("--engine=name=Bad,cmd=./no-such-program,depth=1".to_string(), "no-such-program"),
        (fake("Bad", "none", "depth=1,option.Nose=1"), "no option 'Nose'; its options are: Noise"),
        (fake("Bad", "none", "depth=1,option.Style=refused"), "no such value"),
        (fake("Bad", "endless-options", "depth=1"), "writes without end"),
    ];
    for (bad, words) in cases {
        let arena = Arena::new();
        let start = Instant::now();
        let error = arena.refuse(&["run", &good, &bad, "--start=500ms", "--out", "DIR/out"]);
        assert!(start.elapsed() < Duration::from_secs(5), "{words}: took {:?}", start.elapsed());
        assert!(error.contains("engine 'Bad'") && error.contains(words), "{words}: {error}");
        assert!(!error.contains("'Good'"), "{error}");
        assert!(!arena.path("out").exists(), "nothing is left of a tournament that never began");
    }
}

/// The words of a tournament with three different engines and some misdeeds.
pub fn mixed(pairs: &str) -> Vec<String> {
    let engines = [fake("A", "spread", "depth=3"), fake("B", "none", "nodes=9"), fake("C", "crash 2 1", "depth=1")];
    let mut words = vec!["run".to_string()];
    words.extend(engines);
    words.extend(["--pairs", pairs, "--seed", "7", "--quiet"].map(String::from));
    words
}

#[test]
fn the_same_files_whatever_the_concurrency() {
    let arena = Arena::new();
    let words = mixed("20");
    for (out, concurrency) in [("DIR/a", "1"), ("DIR/b", "2"), ("DIR/c", "7")] {
        arena.succeed(&with(&words, &["--no-times", "--concurrency", concurrency, "--out", out]));
    }
    for file in ["games.jsonl", "summary.json", "table.txt", "score.svg"] {
        let read = |out: &str| std::fs::read(arena.path(out).join(file)).expect(file);
        assert!(read("a") == read("b") && read("b") == read("c"), "{file} differs");
    }
    let games = arena.games("a");
    assert_eq!(games.len(), 120);
    for game in &games {
        let twin = &games[(game["number"].as_u64().unwrap() as usize - 1) ^ 1];
        assert_eq!(game["seed"], twin["seed"]);
        assert_eq!((&game["p1"], &game["p2"]), (&twin["p2"], &twin["p1"]));
        let first = format!("{}:", game["pair"].as_u64().unwrap() % 5);
        let roll = game["plies"][0].as_str().or(game["roll"].as_str()).unwrap();
        assert!(format!("{roll}:").starts_with(&first), "{game}");
    }
    assert_eq!(games[0]["seed"], games[2]["seed"], "pairings share their seeds");
}

#[test]
fn seeds_from_a_file_play_the_same_games_as_drawn_ones() {
    let arena = Arena::new();
    let engines = [fake("A", "spread", "depth=1"), fake("B", "none", "depth=1")];
    let common = ["run", &engines[0], &engines[1], "--no-times", "--shape", "9/6", "--out"];
    arena.succeed(&[&common[..], &["DIR/drawn", "--seed", "3", "--pairs", "4"]].concat());
    let games = arena.games("drawn");
    let seeds: Vec<String> = games.iter().step_by(2).map(|game| game["seed"].to_string()).collect();
    std::fs::write(arena.path("seeds.txt"), seeds.join("\n")).unwrap();
    let file = arena.path("seeds.txt");
    arena.succeed(&[&common[..], &["DIR/listed", "--seeds", file.to_str().unwrap()]].concat());
    let plies = |games: &[serde_json::Value]| games.iter().map(|game| game["plies"].clone()).collect::<Vec<_>>();
    assert_eq!(plies(&arena.games("listed")), plies(&games));
}

/// Kill the tool with no warning again and again; whatever the moment, going on ends with the files of a run that was
/// never disturbed.
#[test]
fn a_killed_run_resumes_to_the_same_files() {
    let arena = Arena::new();
    let words = mixed("150");
    arena.succeed(&with(&words, &["--out", "DIR/whole"]));
    let mut chance = 12_345_u64;
    let mut resumed_part = 0;
    for round in 0..4 {
        let out = format!("DIR/killed{round}");
        let name = &out[4..];
        for attempt in 0.. {
            let has_begun = arena.path(name).join("summary.json").exists();
            // The same command goes on; so does --resume, which needs no conditions.
            let mut child = if has_begun && attempt % 2 == 0 {
                arena.start(&["run", "--quiet", "--resume", &out])
            } else {
                arena.start(&with(&words, &["--out", &out]))
            };
            chance = alea::game::mix(chance);
            if attempt < 12 {
                std::thread::sleep(Duration::from_millis(chance % 120));
                let _ = kill_process(Pid::from_child(&child), Signal::KILL);
            }
            let status = child.wait().unwrap();
            arena.assert_nothing_left();
            if status.success() {
                break;
            }
            assert!(attempt < 12, "the undisturbed attempt failed: {status}");
            let played = std::fs::metadata(arena.path(name).join("games.jsonl")).map_or(0, |file| file.len());
            resumed_part += u32::from(played > 0);
        }
        assert_eq!(arena.files(name), arena.files("whole"), "round {round}");
    }
    assert!(resumed_part >= 3, "only {resumed_part} kills came while games were played: the test shows nothing");
}

#[test]
fn ctrl_c_saves_reaps_and_says_how_to_go_on() {
    let arena = Arena::new();
    let engines = [fake("A", "spread", "depth=1"), fake("B", "stall 3 4", "depth=1")];
    let child = arena.start(&["run", &engines[0], &engines[1], "--pairs", "10", "--fresh", "--out", "DIR/out"]);
    let pid = Pid::from_child(&child);
    let deadline = Instant::now() + Duration::from_secs(20);
    let games = arena.path("out").join("games.jsonl");
    while std::fs::metadata(&games).map_or(0, |file| file.len()) == 0 {
        assert!(Instant::now() < deadline, "no game was played");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Engine B now stalls in the fifth pair: only the wish to stop ends the wait.
    std::thread::sleep(Duration::from_millis(200));
    let sent = Instant::now();
    kill_process(pid, Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(sent.elapsed() < Duration::from_secs(3), "took {:?} to stop", sent.elapsed());
    assert_eq!(output.status.code(), Some(130));
    arena.assert_nothing_left();
    let said = text(&output.stderr);
    let line = said.lines().find(|line| line.contains("alea-tournament run ")).expect("a command to go on");
    assert!(!line.contains("--fresh"), "{line}");
    assert_eq!(arena.summary("out")["complete"], false);
    assert!(!arena.games("out").is_empty());
    let output = arena.shell(&format!("{line} --stall 300ms")).output().unwrap();
    assert!(text(&output.stderr).contains("patience.stall: 300 against 60000"), "{}", text(&output.stderr));
}

#[test]
fn the_same_command_goes_on_another_is_refused_and_fresh_starts_over() {
    let arena = Arena::new();
    let words = mixed("3");
    arena.succeed(&with(&words, &["--out", "DIR/out"]));
    let before = arena.files("out");
    let other = mixed("4");
    for place in ["--out", "--resume"] {
        let error = arena.refuse(&with(&other, &[place, "DIR/out"]));
        assert!(error.contains("seeds.drawn.pairs: 4 against 3") && error.contains("--fresh"), "{error}");
    }
    let error = arena.refuse(&["run", "--resume", "DIR/nothing"]);
    assert!(error.contains("nothing"), "{error}");
    arena.succeed(&with(&words, &["--resume", "DIR/out"]));
    arena.succeed(&["run", "--resume", "DIR/out"]);
    let table = arena.succeed(&with(&words, &["--out", "DIR/out"]));
    assert!(table.contains("A v B"), "{table}");
    assert_eq!(arena.files("out"), before);
    arena.succeed(&with(&other, &["--fresh", "--out", "DIR/out"]));
    assert_eq!(arena.games("out").len(), 24);
    assert_eq!(arena.files("out/old-1"), before);
}

/// Whoever comes second, by however little, never takes over what the first one plays.
#[test]
fn two_runs_into_one_folder_never_mix() {
    for round in 0..6 {
        let arena = Arena::new();
        let run = |a: &str, b: &str| {
            let engines = [fake(a, "spread", "depth=1"), fake(b, "none", "depth=1")];
            arena.start(&["run", &engines[0], &engines[1], "--pairs", "3", "--quiet", "--out", "DIR/out"])
        };
        let mut first = run("P", "Q");
        std::thread::sleep(Duration::from_millis(7 * round));
        let mut second = run("X", "Y");
        let ended = [first.wait().unwrap().success(), second.wait().unwrap().success()];
        assert_eq!(ended.iter().filter(|&&won| won).count(), 1, "round {round}: {ended:?}");
        let name = if ended[0] { "P" } else { "X" };
        assert_eq!(arena.games("out").len(), 6);
        for game in arena.games("out") {
            assert!(game["p1"] == name || game["p2"] == name, "{game}");
        }
        assert_eq!(arena.summary("out")["pairings"][0]["first"], name);
        arena.succeed(&["report", "DIR/out"]);
    }
}

/// A process that left its group, lost its parent and carries no mark ends with the tool at the latest.
#[test]
fn nothing_that_an_engine_started_outlives_the_tool() {
    let arena = Arena::new();
    let engines = [fake("Bad", "bare-daemon 1 1", "depth=1"), fake("Good", "slow 1", "depth=1")];
    let mut child = arena.start(&["run", &engines[0], &engines[1], "--pairs=30", "--quiet", "--out", "DIR/out"]);
    let mut seen = false;
    while child.try_wait().unwrap().is_none() {
        seen |= arena.bare_daemon_runs();
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(seen, "no daemon was started: the test shows nothing");
    assert!(!arena.bare_daemon_runs(), "a daemon outlives the tool");
}

/// Engines that never stop writing cost themselves the game, and nobody the tournament.
#[test]
fn a_flood_ends_by_itself() {
    for behaviour in ["blank-flood 1", "info-flood 1", "flood 1"] {
        let arena = Arena::new();
        let engines = [fake("Bad", &format!("{behaviour} 1"), "depth=1"), fake("Good", "none", "depth=1")];
        let start = Instant::now();
        arena.succeed(&["run", &engines[0], &engines[1], "--pairs=3", "--stall=20s", "--out", "DIR/out"]);
        assert!(start.elapsed() < Duration::from_secs(60), "{behaviour}: {:?}", start.elapsed());
        let games = arena.games("out");
        let faults: Vec<_> = games.iter().filter(|game| game["reason"] != "rules").collect();
        assert_eq!((games.len(), faults.len()), (6, 2), "{behaviour}");
    }
    // Where the clock is up first, it counts though the engine never pauses.
    let arena = Arena::new();
    let engines = [fake("Bad", "info-flood 1 1", "depth=1"), fake("Good", "none", "depth=1")];
    arena.succeed(&["run", &engines[0], &engines[1], "--pairs=2", "--stall=5ms", "--out", "DIR/out"]);
}

/// Forty engines that each need the processor to start: started all at once, most would be late.
#[test]
fn many_engines_start_a_few_at_a_time() {
    let arena = Arena::new();
    let mut words = vec!["run".to_string()];
    words.extend((0..40).map(|i| fake(&format!("E{i}"), "slow-start", "depth=1")));
    let rest = ["--format", "gauntlet", "--pairs", "1", "--start", "2500ms", "--quiet", "--out", "DIR/out"];
    arena.succeed(&with(&words, &rest));
    assert_eq!(arena.games("out").len(), 78);
}

#[test]
fn shards_merge_into_what_one_run_writes() {
    let arena = Arena::new();
    let words = mixed("11");
    arena.succeed(&with(&words, &["--no-times", "--out", "DIR/whole"]));
    for shard in 1..=3 {
        let (part, out) = (format!("{shard}/3"), format!("DIR/part{shard}"));
        arena.succeed(&with(&words, &["--no-times", "--shard", &part, "--out", &out]));
    }
    arena.succeed(&["merge", "DIR/part2", "DIR/part3", "DIR/part1", "--out", "DIR/merged"]);
    assert_eq!(arena.files("merged"), arena.files("whole"));

    let other = mixed("12");
    arena.succeed(&with(&other, &["--no-times", "--shard", "3/3", "--out", "DIR/other"]));
    arena.succeed(&with(&words, &["--no-times", "--shard", "1/2", "--out", "DIR/half"]));
    let cases: [(&[&str], &str); 5] = [
        (&["DIR/part1", "DIR/part3"], "gap: no shard 2/3"),
        (&["DIR/part1", "DIR/part2", "DIR/part2", "DIR/part3"], "overlap"),
        (&["DIR/part1", "DIR/part2", "DIR/other"], "seeds.drawn.pairs: 11 against 12"),
        (&["DIR/part1", "DIR/part2", "DIR/half"], "of one division"),
        (&["DIR/part1", "DIR/whole"], "not a shard"),
    ];
    for (parts, words) in cases {
        let error = arena.refuse(&[&["merge"], parts, &["--out", "DIR/no"]].concat());
        assert!(error.contains(words), "{error}");
        assert!(!arena.path("no").join("games.jsonl").exists());
    }
    let games = arena.path("part2").join("games.jsonl");
    let whole = std::fs::read_to_string(&games).unwrap();
    let short: Vec<&str> = whole.lines().take(4).collect();
    std::fs::write(&games, short.join("\n") + "\n").unwrap();
    let error = arena.refuse(&["merge", "DIR/part1", "DIR/part2", "DIR/part3", "--out", "DIR/no"]);
    assert!(error.contains("part2") && error.contains("not where it should be"), "{error}");
}

#[test]
fn a_sequential_test_ends_for_identical_and_one_sided_play() {
    let cases = [("none", "h0", "identical play"), ("crash 0", "h1", "all won")];
    for (behaviour, decision, words) in cases {
        let arena = Arena::new();
        let engines = [fake("A", "none", "depth=1"), fake("B", behaviour, "depth=1")];
        let common = ["run", &engines[0], &engines[1], "--no-times", "--quiet", "--sprt", "elo0=0,elo1=10", "--out"];
        let table = arena.succeed(&[&common[..], &["DIR/a", "--concurrency", "1"]].concat());
        assert!(table.contains(words), "{table}");
        arena.succeed(&[&common[..], &["DIR/b", "--concurrency", "3"]].concat());
        assert_eq!(arena.files("a"), arena.files("b"));
        let summary = arena.summary("a");
        let pairing = &summary["pairings"][0];
        assert_eq!(pairing["sprt"]["decision"], decision, "{behaviour}: {pairing}");
        assert!(pairing["games"].as_u64().unwrap() < 2_000, "{behaviour}: {pairing}");
        assert_eq!(summary["complete"], true);
    }
}

#[test]
fn games_are_replayed_board_by_board() {
    let arena = Arena::new();
    arena.succeed(&with(&mixed("5"), &["--out", "DIR/out"]));
    let shown = arena.succeed(&["replay", "DIR/out", "1"]);
    assert!(
        shown.contains("A (blue, rows) against B (red, columns)") && shown.contains("1. blue (A) rolls 0"),
        "{shown}"
    );
    let game = &arena.games("out")[0];
    let plies: Vec<&str> = game["plies"].as_array().unwrap().iter().map(|ply| ply.as_str().unwrap()).collect();
    for (ply, word) in plies.iter().enumerate() {
        let moves = if ply == 0 { String::new() } else { format!(" moves {}", plies[..ply].join(" ")) };
        let line = format!("\nposition startpos 5 4{moves} roll {}\n", word.split(':').next().unwrap());
        assert!(shown.contains(&line), "no '{line}' in\n{shown}");
    }
    let file = arena.path("out").join("games.jsonl");
    assert_eq!(arena.succeed(&["replay", file.to_str().unwrap(), "1"]), shown);
    let crash =
        arena.games("out").iter().find(|game| game["reason"] == "crash").expect("a crash")["number"].to_string();
    let shown = arena.succeed(&["replay", "DIR/out", &crash]);
    assert!(shown.contains("does not move") && shown.contains("crash: the engine exited with code 3"), "{shown}");
    let error = arena.refuse(&["replay", "DIR/out", "31"]);
    assert!(error.contains("no game 31") && error.contains("games 1 to 30"), "{error}");
}

/// With nothing else said: our engine beside the tool, 5/4, every pairing of depths at each noise level.
#[test]
fn depths_and_noise_make_hauks_table_with_our_engine() {
    let arena = Arena::new();
    let words = ["run", "--depths", "1,3", "--noise", "0,0.2", "--pairs", "10", "--no-times", "--out"];
    let table = arena.succeed(&[&words[..], &["DIR/a", "--concurrency", "1"]].concat());
    assert!(table.contains("3 v 1: won %") && table.contains("3 v 1: points"), "{table}");
    arena.succeed(&[&words[..], &["DIR/b"]].concat());
    let files = arena.files("a");
    assert_eq!(files, arena.files("b"));
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["games.jsonl", "score-by-depth.svg", "score-by-noise.svg", "summary.json", "table.txt"]);
    let games = arena.games("a");
    assert_eq!(games.len(), 40);
    for game in &games {
        assert_eq!(game["detail"], serde_json::Value::Null, "{game}");
        let depths: Vec<u64> = game["depth"].as_array().unwrap().iter().map(|depth| depth.as_u64().unwrap()).collect();
        let first = if game["p1"].as_str().unwrap().starts_with("d3") { 3 } else { 1 };
        assert_eq!(depths[0], first, "{game}");
    }
}
