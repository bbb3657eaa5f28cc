//! Files that somebody or something has changed: refused with file and line, and left as they are.

use crate::arena::{Arena, fake, text, with};
use crate::mixed;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::time::Duration;

/// A line with the checksum that its changed text should have.
fn resealed(line: &str) -> String {
    let body = line.split(",\"crc\":\"").next().unwrap();
    format!("{body},\"crc\":\"{:08x}\"}}", crc32fast::hash(body.as_bytes()))
}

#[test]
fn no_flipped_bit_is_accepted_by_any_command() {
    let arena = Arena::new();
    let words = mixed("2");
    arena.succeed(&with(&words, &["--shard", "1/1", "--out", "DIR/out"]));
    let games = arena.path("out").join("games.jsonl");
    let whole = fs::read(&games).unwrap();
    let mut chance = 99;
    for round in 0..60 {
        chance = alea::game::mix(chance);
        let bit = chance as usize % (8 * whole.len());
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&games, &flipped).unwrap();
        let line = whole[..bit / 8].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let command: &[&str] = match round % 3 {
            0 => &["report", "DIR/out"],
            1 => &["run", "--resume", "DIR/out"],
            _ => &["merge", "DIR/out", "--out", "DIR/no"],
        };
        let error = arena.refuse(command);
        assert!(error.contains(&format!("games.jsonl, line {line}: ")), "{command:?}, bit {bit}: {error}");
        assert!(fs::read(&games).unwrap() == flipped, "{command:?}, bit {bit}: the file was changed");
        assert!(!arena.path("no").exists());
    }
}

#[test]
fn rewritten_games_are_refused_though_their_checksums_are_right() {
    let arena = Arena::new();
    let words = mixed("3");
    arena.succeed(&with(&words, &["--shard", "1/1", "--out", "DIR/out"]));
    let games = arena.path("out").join("games.jsonl");
    let whole = fs::read_to_string(&games).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let changes: [(&str, &str, &str); 7] = [
        ("\"p1\":\"A\"", "\"p1\":\"Nobody\"", "'p1'"),
        ("\"result\":\"p1win\"", "\"result\":\"p2win\"", "'result'"),
        ("\"result\":\"p2win\"", "\"result\":\"draw\"", "'result'"),
        ("\"points\":1", "\"points\":2", "'points'"),
        ("\"game\":\"dice\"", "\"game\":\"backgammon\"", "'game'"),
        ("\"start\":\"startpos 5 4\"", "\"start\":\"startpos 5 3\"", "'start'"),
        ("\"seat\":\"p2\"", "\"seat\":\"p1\"", "'seat'"),
    ];
    for (from, to, word) in changes {
        let place = lines.iter().position(|line| line.contains(from)).unwrap_or_else(|| panic!("no {from}"));
        let mut forged: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
        forged[place] = resealed(&forged[place].replace(from, to));
        fs::write(&games, forged.join("\n") + "\n").unwrap();
        for command in
            [&["report", "DIR/out"][..], &["run", "--resume", "DIR/out"], &["merge", "DIR/out", "--out", "DIR/no"]]
        {
            let error = arena.refuse(command);
            assert!(error.contains(word) && error.contains(&format!("line {}: ", place + 1)), "{from}: {error}");
        }
    }
}

#[test]
fn zeros_and_words_are_kept_and_only_a_torn_line_is_cut_off() {
    let arena = Arena::new();
    let words = mixed("3");
    arena.succeed(&with(&words, &["--out", "DIR/out"]));
    let files = arena.files("out");
    let games = arena.path("out").join("games.jsonl");
    let whole = fs::read(&games).unwrap();
    let middle = whole.len() / 2;
    let cases = [
        [&whole[..], b"\0\0\0"].concat(),
        [&whole[..middle], b"\0", &whole[middle + 1..]].concat(),
        [&whole[..], b"{}\n"].concat(),
    ];
    for content in cases {
        fs::write(&games, &content).unwrap();
        let error = arena.refuse(&["run", "--resume", "DIR/out"]);
        assert!(error.contains("games.jsonl, line ") && error.contains("Nothing was changed"), "{error}");
        assert!(fs::read(&games).unwrap() == content);
    }
    fs::write(&games, &whole[..whole.len() - 9]).unwrap();
    let output = arena.run(&with(&words, &["--out", "DIR/out"]));
    assert!(output.status.success() && text(&output.stderr).contains("half-written"), "{}", text(&output.stderr));
    assert_eq!(arena.files("out"), files);
}

#[test]
fn folders_of_older_releases_are_refused_with_what_to_do() {
    let arena = Arena::new();
    let words = mixed("3");
    arena.succeed(&with(&words, &["--out", "DIR/out"]));
    let summary = arena.path("out").join("summary.json");
    let old = fs::read_to_string(&summary).unwrap().replace("\"format\": 3,\n", "");
    fs::write(&summary, &old).unwrap();
    for command in
        [&["report", "DIR/out"][..], &["run", "--resume", "DIR/out"], &["merge", "DIR/out", "--out", "DIR/no"]]
    {
        let error = arena.refuse(command);
        assert!(error.contains("summary.json is of format 1") && error.contains("another --out"), "{error}");
    }
    assert_eq!(fs::read_to_string(&summary).unwrap(), old);
    arena.succeed(&with(&words, &["--fresh", "--out", "DIR/out"]));
    assert!(arena.path("out/old-1/summary.json").exists());
    fs::write(arena.path("line.jsonl"), "{\"game\":1,\"dice\":[0],\"moves\":[\"a1\"]}\n").unwrap();
    let error = arena.refuse(&["replay", "DIR/line.jsonl"]);
    assert!(error.contains("line 1: of format 1"), "{error}");
}

/// A limit on the size of files, in place of a disk that is full: what fails first is told, and how to go on.
#[test]
fn a_full_disk_is_named_and_can_be_gone_on_from() {
    let arena = Arena::new();
    let engines = [fake("A", "spread", "depth=1"), fake("B", "none", "depth=1")];
    let words = format!("run '{}' '{}' --pairs 40 --no-times --quiet --out", engines[0], engines[1]);
    let output =
        arena.shell(&format!("trap '' XFSZ; ulimit -f 40; exec alea-tournament {words} full")).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("games.jsonl: File too large") && !said.contains("svg"), "{said}");
    let line = said.lines().find(|line| line.contains("alea-tournament run")).expect("how to go on").trim();
    assert!(arena.shell(line).output().unwrap().status.success());
    assert!(arena.shell(&format!("alea-tournament {words} whole")).output().unwrap().status.success());
    assert_eq!(arena.files("full"), arena.files("whole"));
}

/// However a merge ends, it leaves the whole, or nothing that stands in the way of the next.
#[test]
fn a_killed_merge_leaves_nothing_that_blocks() {
    let arena = Arena::new();
    let engines = [fake("A", "spread", "depth=1"), fake("B", "none", "depth=1")];
    for shard in ["1/2", "2/2"] {
        let out = format!("DIR/part{}", &shard[..1]);
        let common = ["run", &engines[0], &engines[1], "--pairs", "300", "--no-times", "--quiet"];
        arena.succeed(&[&common[..], &["--shard", shard, "--out", &out]].concat());
    }
    let merge = ["merge", "DIR/part1", "DIR/part2", "--out", "DIR/whole"];
    let mut killed = 0;
    for delay in 0..12 {
        let mut child = arena.start(&merge);
        std::thread::sleep(Duration::from_millis(delay));
        let _ = kill_process(Pid::from_child(&child), Signal::KILL);
        if !child.wait().unwrap().success() {
            killed += 1;
            let there = arena.path("whole").exists();
            assert!(!there || arena.summary("whole")["complete"] == true, "a part of a merge after {delay} ms");
        }
        if arena.path("whole").exists() {
            fs::remove_dir_all(arena.path("whole")).unwrap();
        }
    }
    assert!(killed >= 2, "no merge was killed: the test shows nothing");
    arena.succeed(&merge);
    assert_eq!(arena.games("whole").len(), 600);
    assert!(!arena.path("whole.merging").exists());
    let error = arena.refuse(&merge);
    assert!(error.contains("not empty"), "{error}");
}
