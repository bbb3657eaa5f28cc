//! The bridge as GNU Backgammon sees it: dialogues recorded with the real program, lines that nobody should send, and, where
//! it is installed, the real program itself.

use alea::game::Player;
use alea::game::backgammon::{BAR, Position, Roll};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const TOOL: &str = env!("CARGO_BIN_EXE_alea-gnubg");

/// The engine itself.
fn engine() -> String {
    let path = alea_tools::programs::beside("alea");
    path.expect("no alea: run `cargo test --release --workspace`").display().to_string()
}

/// GNU Backgammon, where it is installed.
fn gnubg() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain(["/usr/games".into()]);
    let found = folders.find_map(|folder| Some(folder.join("gnubg")).filter(|file| file.is_file()));
    if found.is_none() {
        eprintln!("left out: GNU Backgammon is not installed");
    }
    found
}

/// A bridge that listens, and where.
struct Bridge {
    child: Child,
    address: String,
}

impl Bridge {
    fn start(words: &[&str]) -> Bridge {
        Bridge::start_with(&format!("'{}'", engine()), words)
    }

    fn start_with(engine: &str, words: &[&str]) -> Bridge {
        let mut command = Command::new(TOOL);
        command.args(["serve", "--listen", "127.0.0.1:0", "--engine", engine]).args(words);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let mut welcome = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut welcome).expect("a welcome");
        let address = welcome.split("listens on ").nth(1).and_then(|rest| rest.split(". ").next());
        let address = address.unwrap_or_else(|| panic!("{welcome}")).to_string();
        Bridge { child, address }
    }

    fn connect(&self) -> Talk {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        Talk(BufReader::new(stream))
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Talk(BufReader<TcpStream>);

impl Talk {
    fn send(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).expect("it reads");
    }

    fn hear(&mut self) -> String {
        let mut answer = String::new();
        self.0.read_line(&mut answer).expect("it answers");
        assert!(answer.ends_with('\n'), "{answer:?}");
        answer.trim_end().to_string()
    }

    fn ask(&mut self, line: &str) -> String {
        self.send(format!("{line}\n").as_bytes());
        self.hear()
    }
}

/// The questions of a recorded dialogue with the answers that were given.
fn recorded(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let line = |line: &str, mark| line.strip_prefix(mark).map(|rest: &str| rest.trim().to_string());
    let pairs = lines.chunks(2).map(|pair| Some((line(pair[0], '>')?, line(pair[1], '<')?)));
    pairs.collect::<Option<_>>().expect("a dialogue")
}

/// The position of a line with a roll, read afresh: whoever the turn is of moves up through the numbers if it is −1.
fn position(line: &str) -> Position {
    let fields: Vec<i32> = line.split(':').skip(3).filter_map(|field| field.parse().ok()).collect();
    let (points, turn, dice) = (&fields[3..29], fields[29], &fields[30..32]);
    let mut checkers = [[0; BAR as usize + 1]; 2];
    for (place, &number) in points.iter().enumerate().filter(|(_, number)| **number != 0) {
        let own = if number > 0 { place } else { 25 - place };
        checkers[usize::from(number.signum() != turn)][own] = number.unsigned_abs() as u8;
    }
    Position::set_up(checkers, Player::First, Roll::new(dice[0] as u8, dice[1] as u8)).expect("a position")
}

/// Every question of the recorded games has an answer of its kind, each move a legal one spelled out die by die.
#[test]
fn recorded_questions_are_answered() {
    let bridge = Bridge::start(&["--depth", "1"]);
    for text in [include_str!("recorded/money-game.txt"), include_str!("recorded/match-with-cube.txt")] {
        let mut talk = bridge.connect();
        let dialogue = recorded(text);
        assert!(dialogue.len() > 30);
        for (number, (question, given)) in dialogue.iter().enumerate() {
            // As the real program sends them: a NUL before every line but the first.
            let nul = if number > 0 { "\0" } else { "" };
            let answer = talk.ask(&format!("{nul}{question}"));
            let words: &[&str] = match given.as_str() {
                "" => &[""],
                "roll" | "double" => &["roll", "double"],
                "take" | "drop" => &["take", "drop", "beaver"],
                _ => {
                    let position = position(question);
                    let spelled = answer.replace(' ', ",");
                    assert!(position.parse_move(&spelled).is_ok(), "{question}: {answer}");
                    assert_eq!(answer.split(' ').count(), given.split_whitespace().count(), "{question}: {answer}");
                    continue;
                }
            };
            assert!(words.contains(&answer.as_str()), "{question}: {answer}");
        }
    }
}

/// Whatever is sent: an error that names what is wrong, and the next question is answered as ever.
#[test]
fn nothing_that_is_sent_ends_the_conversation() {
    let bridge = Bridge::start(&["--depth", "1"]);
    let dialogue = recorded(include_str!("recorded/money-game.txt"));
    let (question, _) = &dialogue[0];
    let mut talk = bridge.connect();
    let cases: [(&[u8], &str); 6] = [
        (b"hello\n", "'hello': expected a line that begins with board:"),
        (b"board:a:b\n", "expected 52 fields with colons between, got 2"),
        (b"\xff\xfe\xfd\n", "expected a line of UTF-8"),
        (&[b'x'; 100_000], ""),
        (b"\n", "expected a line of at most 4096 bytes"),
        (b"\0\0\r\n", ""),
    ];
    for (bytes, words) in cases {
        talk.send(bytes);
        if !words.is_empty() {
            let answer = talk.hear();
            assert!(answer.starts_with("Error: ") && answer.contains(words), "{answer}");
        }
    }
    let answer = talk.ask(question);
    assert!(position(question).parse_move(&answer.replace(' ', ",")).is_ok(), "{answer}");
    // A line in pieces, two lines at once, another connection meanwhile, and one that ends in the middle of a line.
    for byte in question.bytes() {
        talk.send(&[byte]);
    }
    talk.send(format!("\n{question}\n").as_bytes());
    assert_eq!([talk.hear(), talk.hear()], [answer.clone(), answer.clone()]);
    let mut other = bridge.connect();
    assert_eq!(other.ask(question), answer);
    other.send(&question.as_bytes()[..50]);
    drop(other);
    assert_eq!(talk.ask(question), answer);
}

/// An engine that cannot be had, and an address that is none, are known before the first game.
#[test]
fn an_engine_that_fails_is_told_of() {
    let output = Command::new(TOOL).args(["serve", "--listen", "127.0.0.1:0", "--engine", "no-such-engine"]).output();
    let output = output.expect("it runs");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && words.contains("no-such-engine"), "{words}");
    let output = Command::new(TOOL).args(["serve", "--listen", "nowhere"]).output().expect("it runs");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && words.contains("'nowhere'"), "{words}");
}

/// The engine is killed between two questions: the second is answered by another one.
#[test]
fn an_engine_that_dies_is_started_afresh() {
    let home = tempfile::tempdir().expect("a folder");
    let (script, number) = (home.path().join("engine.sh"), home.path().join("number"));
    let text = format!("echo $$ > '{}'\nexec '{}'\n", number.display(), engine());
    std::fs::write(&script, text).expect("a script");
    let bridge = Bridge::start_with(&format!("sh '{}'", script.display()), &["--depth", "1"]);
    let mut talk = bridge.connect();
    let (question, _) = &recorded(include_str!("recorded/money-game.txt"))[0];
    let answer = talk.ask(question);
    let id = std::fs::read_to_string(&number).expect("a number");
    assert!(Command::new("kill").args(["-9", id.trim()]).status().expect("kill").success());
    assert_eq!(talk.ask(question), answer);
    assert_ne!(std::fs::read_to_string(&number).expect("a number"), id);
}

/// What a dialogue in UBGI brings.
fn ubgi(script: &str) -> String {
    let mut child = Command::new(TOOL)
        .args(["ubgi", "--depth", "1", "--engine", &engine()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("it reads");
    let mut text = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    assert!(child.wait().expect("it ends").success());
    text
}

#[test]
fn ubgi_is_spoken() {
    let script = "ubgi\nXGID=-b----E-C---eE---c-e----B-:0:0:1:65:0:0:0:0:10\nnonsense\n\
                  XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\nXGID=aBBBBBBC------------dddb--:0:0:-1:61:0:0:0:0:10\nquit\n";
    let text = ubgi(script);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("id name alea") && lines[3] == "readyok", "{text}");
    let position = Position::from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:65:0:0:0:0:10").expect("a position");
    assert!(position.parse_move(&lines[4].replace(' ', ",")).is_ok(), "{text}");
    // What is not understood; nothing to double for; nothing to play.
    assert_eq!(lines[5..], ["sorry", "roll", ""], "{text}");
}

/// White doubles, and is behind: black is asked, with beavers and without, as often as anybody likes; the last line has no end.
#[test]
fn ubgi_answers_the_same_every_time() {
    let doubled = |board: &str, rules: u32| format!("XGID={board}:0:0:1:D:0:0:{rules}:0:10\n");
    let behind = |rules: u32| doubled("-BBCCCB----------------bb-", rules);
    assert_eq!(ubgi(&[behind(2), behind(2), behind(3)].concat()), "beaver\n".repeat(3));
    assert_eq!(ubgi(&[behind(0), behind(1)].concat()), "take\n".repeat(2));
    assert_eq!(ubgi(doubled("-BB----------------bcccbb-", 0).trim_end()), "drop\n");
}

/// A match to three points with the cube, played by the real program against the bridge.
#[test]
fn the_real_program_plays_against_the_bridge() {
    let Some(gnubg) = gnubg() else { return };
    let bridge = Bridge::start(&["--depth", "1"]);
    let home = tempfile::tempdir().expect("a folder");
    let script = home.path().join("play.py");
    let text = format!(
        "import gnubg\nfor line in ['set automatic game on', 'set automatic roll on', 'set automatic move on', \
         'set display off', 'set rng mersenne', 'set seed 7', 'set player 0 gnubg', \
         'set player 0 chequerplay evaluation plies 0', 'set player 0 cubedecision evaluation plies 0', \
         'set player 1 external {}', 'set confirm new off', 'new match 3']:\n    gnubg.command(line)\n\
         for turn in range(300):\n    gnubg.nextturn()\n",
        bridge.address
    );
    std::fs::write(&script, text).expect("a script");
    let mut child = Command::new(gnubg)
        .args(["-t", "-q", "-r", "-p"])
        .arg(&script)
        .env("HOME", home.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let (begun, mut said, mut won) = (Instant::now(), String::new(), false);
    while !won && begun.elapsed() < Duration::from_secs(120) && output.read_line(&mut said).expect("text") > 0 {
        won = said.contains("has won the match");
    }
    let _ = child.kill();
    let _ = child.wait();
    assert!(won && !said.contains("Error:"), "{said}");
}

/// GNU Backgammon behind our protocol plays what its own evaluation prefers.
#[test]
fn the_real_program_speaks_our_protocol() {
    let Some(_) = gnubg() else { return };
    let mut child = Command::new(TOOL)
        .args(["engine", "--plies", "0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let position = Position::from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10").expect("a position");
    let moves: Vec<String> = position.moves().iter().map(|&mv| position.move_text(mv)).collect();
    let mut script = String::from("uci\nsetoption name Game value dice\nposition startpos roll 31\ngo depth 1\n");
    for text in &moves {
        script.push_str(&format!("position startpos moves 31:{text}\ngo depth 1\n"));
    }
    script.push_str("position startpos roll 11\ngo\nquit\n");
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("it reads");
    let mut text = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    assert!(child.wait().expect("it ends").success());
    assert!(text.contains("id name GNU Backgammon") && text.contains("'dice': expected for Game backgammon"), "{text}");
    let best: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert_eq!((best.len(), best[0]), (moves.len() + 2, "8/5,6/5"), "{text}");
    assert!(text.contains("'11': the first roll of a game is no double"), "{text}");
    let value = |line: &str| line.split("value ").nth(1)?.split(' ').next()?.parse::<f64>().ok();
    let values: Vec<f64> = text.lines().filter_map(value).collect();
    // After a move the opponent is to roll: the best leaves the least.
    let least = values[1..].iter().copied().fold(f64::INFINITY, f64::min);
    assert!((values[0] + least).abs() < 1e-6, "{values:?}");
}

/// A match against the real program, and its own judgement: at the depth at which it plays it finds no mistake of its own.
#[test]
fn the_real_program_is_played_and_judges() {
    let Some(gnubg) = gnubg() else { return };
    alea_tools::programs::beside("alea-tournament")
        .expect("no alea-tournament: run `cargo test --release --workspace`");
    let home = tempfile::tempdir().expect("a folder");
    let out = home.path().join("match").display().to_string();
    let run = |words: &[&str]| {
        let output = Command::new(TOOL).args(words).arg("--gnubg").arg(&gnubg).output().expect("it runs");
        let [said, told] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(output.status.success(), "{said}{told}");
        (said, told)
    };
    let engine = format!("'{}'", engine());
    let play = ["match", "--pairs", "1", "--depth", "1", "--option", "Eval=pips", "--engine", &engine, "--out", &out];
    let (played, _) = run(&play);
    assert!(played.contains("alea-depth-1 v gnubg-0-ply      2 "), "{played}");
    let (_, told) = run(&play);
    assert!(told.contains("complete already"), "{told}");
    let (judged, _) = run(&["judge", &out, "--games", "2", "--plies", "0"]);
    let line = |name: &str| judged.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{judged}"));
    assert!(line("gnubg-0-ply").contains("-0.0 ± 0.0"), "{judged}");
    assert!(!line("alea-depth-1").contains("-0.0 ± 0.0"), "{judged}");
    // What has been judged is there: the same again costs no time.
    assert_eq!(run(&["judge", &out, "--games", "2", "--plies", "0"]).0, judged);
    // Another match in its place has games of the same numbers.
    let again = [&play[..], &["--seed", "2", "--name", "other", "--fresh"]].concat();
    run(&again);
    let (judged, _) = run(&["judge", &out, "--games", "2", "--plies", "0"]);
    assert!(judged.contains("\nother ") && !judged.contains("alea-depth-1"), "{judged}");
}

/// Whoever is told to end takes GNU Backgammon along, and leaves no folder behind.
#[test]
fn a_signal_ends_the_real_program_too() {
    let Some(_) = gnubg() else { return };
    let home = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(TOOL)
        .args(["engine", "--plies", "0"])
        .env("TMPDIR", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.as_mut().expect("a pipe").write_all(b"isready\n").expect("it reads");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut said = String::new();
    output.read_line(&mut said).expect("text");
    assert_eq!(said, "readyok\n");
    let name = format!("HOME={}", home.path().display()).into_bytes();
    let running = || {
        let entries = std::fs::read_dir("/proc").expect("processes").flatten();
        let environments = entries.filter_map(|entry| std::fs::read(entry.path().join("environ")).ok());
        environments.filter(|text| text.windows(name.len()).any(|part| part == name)).count()
    };
    assert_eq!(running(), 1);
    assert!(Command::new("kill").arg(child.id().to_string()).status().expect("it runs").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!((running(), std::fs::read_dir(home.path()).expect("the folder").count()), (0, 0));
}
