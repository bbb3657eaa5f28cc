//! The adapter as boards drive it: recorded dialogues, whole games of two players and a board that knows the rules, and
//! engines that fail.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// An adapter under test.
struct Adapter {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alea-gtp"));
    command.args(words.split_whitespace()).env("XDG_RUNTIME_DIR", folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

impl Adapter {
    fn start(folder: &Path, words: &str) -> Adapter {
        Adapter::of(command(folder, words))
    }

    fn of(mut command: Command) -> Adapter {
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Adapter { child, input, output }
    }

    fn send(&mut self, text: &[u8]) {
        self.input.as_mut().unwrap().write_all(text).unwrap();
    }

    /// An answer, without the empty line behind it.
    fn hear(&mut self) -> String {
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the adapter ended after {answer:?}");
            if line == "\n" {
                return answer.trim_end().to_string();
            }
            answer.push_str(&line);
        }
    }

    fn ask(&mut self, line: &str) -> String {
        self.send(format!("{line}\n").as_bytes());
        self.hear()
    }

    /// What is behind the sign of a command that must succeed.
    fn get(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        answer.strip_prefix('=').unwrap_or_else(|| panic!("{line}: {answer}")).trim().to_string()
    }

    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A dialogue: the adapter's arguments, then `> command` and its answer, again and again.
fn follow(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialogues").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut parts = text.split("\n> ");
    let folder = tempfile::tempdir().unwrap();
    let mut adapter = Adapter::start(folder.path(), parts.next().unwrap().strip_prefix("alea-gtp").unwrap());
    for part in parts {
        let (line, answer) = part.split_once('\n').unwrap();
        assert_eq!(adapter.ask(line), answer.trim_end(), "{name}: {line}");
    }
    adapter.end();
}

#[test]
fn recorded_dialogues() {
    for name in ["basics.txt", "rules.txt", "analysis.txt", "mistakes.txt"] {
        follow(name);
    }
}

#[test]
fn the_engine_is_looked_into() {
    let folder = tempfile::tempdir().unwrap();
    let mut adapter = Adapter::start(folder.path(), "--shape 3/3 --seed 4 --depth 99 --option MultiPV=2");
    adapter.get("alea-set_die 1");
    let line = adapter.get("alea-expected_line");
    assert!(line.starts_with("VAR b B2 w ") && line.contains("\nTEXT +0.485, depth 17: B2 "), "{line}");
    let rolls = adapter.get("alea-roll_values");
    assert!(rolls.contains("LABEL B2 +49") && rolls.matches(" +28").count() == 2, "{rolls}");
    assert!(rolls.ends_with("TEXT Before the roll +0.347, depth 18; row 2 was rolled: +0.485"), "{rolls}");
    assert!(adapter.get("alea-eval").contains("value"));
    let options = adapter.get("alea-options");
    for option in ["[string] Hash 64", "] Algorithm StarETC", "[string] Move_Overhead 10", "[string] MultiPV 2"] {
        assert!(options.contains(option), "{option}: {options}");
    }
    assert!(!options.contains("Game"), "another game is not for this board: {options}");
    adapter.get("alea-options Algorithm Star2");
    adapter.get("alea-move_values");
    let options = adapter.get("alea-options");
    assert!(options.contains("] Algorithm Star2") && options.contains("MultiPV 2"), "{options}");
    assert!(adapter.ask("alea-options Hush 5").starts_with("? syntax error: 'Hush': expected one of "));
    let list = adapter.get("gogui-analyze_commands");
    let known = adapter.get("list_commands");
    for line in list.lines() {
        let parts: Vec<&str> = line.split('/').collect();
        let command = parts[2].split(' ').next().unwrap();
        assert!(parts.len() == 3 && known.lines().any(|known| known == command), "{line}");
    }
    assert!(list.contains("none/Clear Hash/alea-button Clear_Hash"));
}

/// Two players and a board that knows the rules, with dice that they agree on, to the end of a game.
fn play_out(folder: &Path, words: &str) -> (String, Vec<String>) {
    let mut players = [Adapter::start(folder, words), Adapter::start(folder, words)];
    let mut ruler = Adapter::start(folder, words);
    let mut moves = Vec::new();
    let mut passed = 0;
    while passed < 2 {
        let (turn, colour) = (moves.len() % 2, ["black", "white"][moves.len() % 2]);
        let legal = ruler.get("gogui-rules_legal_moves");
        assert_eq!(ruler.get("gogui-rules_side_to_move"), colour);
        let played = players[turn].get(&format!("genmove {colour}"));
        let over = legal.is_empty();
        assert_eq!(over, played == "pass", "{moves:?}: {played}");
        assert!(over || legal.split(' ').any(|cell| cell == played), "{moves:?}: {played} is not in {legal}");
        passed += usize::from(over);
        players[1 - turn].get(&format!("play {colour} {played}"));
        ruler.get(&format!("play {colour} {played}"));
        moves.push(played);
    }
    let scores = players.each_mut().map(|player| player.get("final_score"));
    assert_eq!(scores[0], scores[1]);
    let result = ruler.get("gogui-rules_final_result");
    let expected = match scores[0].as_str() {
        "B+1" => "Black wins",
        "W+1" => "White wins",
        _ => "A draw",
    };
    assert!(result.starts_with(expected), "{result}: {}", scores[0]);
    (scores[0].clone(), moves)
}

#[test]
fn whole_games_of_every_size() {
    let folder = tempfile::tempdir().unwrap();
    for words in ["--shape 3/3 --depth 9", "--shape 5/4 --depth 3", "--shape 9/4 --depth 1", "--shape 17/4 --depth 1"] {
        for seed in 1..=3 {
            let words = format!("{words} --seed {seed}");
            let game = play_out(folder.path(), &words);
            // Nothing but the seed decides it.
            assert!(seed > 1 || play_out(folder.path(), &words) == game);
        }
    }
}

#[test]
fn a_full_board_is_a_draw() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = (1..60).any(|seed| play_out(folder.path(), &format!("--shape 3/3 --depth 9 --seed {seed}")).0 == "0");
    assert!(drawn);
}

#[test]
fn adapters_of_one_board_share_their_dice() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Adapter::start(folder.path(), "");
    let mut ruler = Adapter::start(folder.path(), "");
    assert_eq!(player.get("alea-seed"), ruler.get("alea-seed"));
    let die: u8 = ruler.get("alea-set_die").parse().unwrap();
    let other = (die + 2) % 5;
    let drawn = player.get(&format!("alea-set_die {other}"));
    assert_eq!(ruler.get("gogui-rules_board_gfx"), drawn);
    let played = ruler.get("gogui-rules_legal_moves").split(' ').next().unwrap().to_string();
    for adapter in [&mut player, &mut ruler] {
        adapter.get(&format!("play b {played}"));
    }
    let seed = player.get("alea-seed");
    player.get("alea-new_dice");
    assert_ne!(player.get("alea-seed"), seed);
    assert_eq!(player.get("alea-seed"), ruler.get("alea-seed"));
    // A board goes back and forth: what was played with older dice can be played again.
    ruler.get("clear_board");
    ruler.get(&format!("play b {played}"));
    let files = std::fs::read_dir(folder.path().join("alea-gtp")).unwrap();
    let dice = files.flatten().filter(|file| file.path().extension().is_some_and(|extension| extension == "dice"));
    assert_eq!(dice.count(), 1);
}

#[test]
fn games_of_a_match_have_dice_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let games = |words: &str| -> Vec<String> {
        let mut adapter = Adapter::start(folder.path(), &format!("--seed 5 --shape 17/8 --any-line {words}"));
        let game = |adapter: &mut Adapter| {
            adapter.get("clear_board");
            let dice = ["play b A1", "play w C3", "play b D4"].map(|line| {
                let die = adapter.get("alea-set_die");
                adapter.get(line);
                die
            });
            dice.join(" ")
        };
        (0..4).map(|_| game(&mut adapter)).collect()
    };
    let (same, each, pairs) = (games(""), games("--new-dice 1"), games("--new-dice 2"));
    assert!(same.iter().all(|dice| *dice == same[0]));
    assert!(each[0] != each[1] && each[1] != each[2] && each[2] != each[3]);
    assert!(pairs[0] == pairs[1] && pairs[1] != pairs[2] && pairs[2] == pairs[3]);
    assert_eq!((&same[0], &each[0]), (&each[0], &pairs[0]));
}

#[test]
fn a_long_search_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let mut adapter = Adapter::start(folder.path(), "--shape 9/4 --movetime 600000");
    adapter.get("name");
    let begun = std::time::Instant::now();
    adapter.send(b"genmove b\n");
    std::thread::sleep(std::time::Duration::from_millis(300));
    adapter.send(b"# interrupt\n");
    assert!(adapter.hear().starts_with("= "));
    assert!(begun.elapsed().as_secs() < 60);
    // The clock of the protocol replaces the time a move.
    adapter.get("alea-limits movetime 0");
    adapter.get("time_settings 2 0 0");
    adapter.get("genmove w");
    adapter.get("time_left b 1 0");
    adapter.get("genmove b");
    assert!(begun.elapsed().as_secs() < 60);
}

/// An engine in a few lines of shell.
fn script(folder: &Path, name: &str, body: &str) -> PathBuf {
    let path = folder.join(name);
    let text = format!(
        "#!/bin/sh\nwhile read -r word rest; do case \"$word\" in uci) echo uciok;; isready) echo readyok;; {body} esac; done\n"
    );
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn an_engine_that_fails_is_named_and_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let once = folder.path().join("once");
    let cases = [
        ("go) echo 'bestmove z9';;".to_string(), "? the engine's move 'z9' is not legal"),
        ("go) echo 'bestmove (none)';;".to_string(), "? the engine's move '(none)' is not legal"),
        ("go) echo dying >&2; exit 3;;".to_string(), "? the engine exited with code 3; it said: dying"),
        (
            format!("go) test -e {0} && echo 'bestmove '$(cat {0}) || exit 4;;", once.display()),
            "? the engine exited with code 4",
        ),
    ];
    for (i, (body, expected)) in cases.iter().enumerate() {
        let script = script(folder.path(), &format!("engine{i}"), body);
        let mut command = command(folder.path(), "--seed 1 --any-line");
        command.arg("--engine").arg(format!("sh {}", script.display()));
        let mut adapter = Adapter::of(command);
        assert_eq!(adapter.ask("genmove b"), *expected, "{body}");
        // Nothing has changed, and rules need no engine.
        let legal = adapter.get("gogui-rules_legal_moves");
        assert_eq!(legal.split(' ').count(), 5);
        if i == 3 {
            let roll: u8 = adapter.get("alea-set_die").parse().unwrap();
            std::fs::write(&once, format!("a{}", roll + 1)).unwrap();
            assert_eq!(adapter.ask("genmove b"), format!("= A{}", 5 - roll));
        }
    }
    let mut command = command(folder.path(), "--engine no-such-engine");
    command.arg("--seed").arg("1");
    let mut adapter = Adapter::of(command);
    assert_eq!(adapter.get("name"), "alea-gtp");
    assert!(adapter.ask("genmove b").starts_with("? 'no-such-engine' cannot be started: "));
}

#[test]
fn any_bytes_are_survived() {
    let folder = tempfile::tempdir().unwrap();
    let mut adapter = Adapter::start(folder.path(), "--depth 1");
    adapter.send(b"\xff\xfe\0play\x07 b\n# \xff\n\r\n\n");
    assert_eq!(adapter.hear(), "? unknown command");
    adapter.send(&[b'x'; 200_000]);
    adapter.send(b"\n");
    assert!(adapter.hear().starts_with("? a line is longer than"));
    adapter.send(b"7 name");
    drop(adapter.input.take());
    assert!(adapter.hear().starts_with("=7 alea"));
}

#[test]
fn what_is_wrong_with_the_arguments_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.dice");
    std::fs::write(&bad, "x").unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["--shape", "99/4"], "99/4"),
        (&["--option", "Hash"], "--option: 'Hash': expected NAME=VALUE"),
        (&["--engine", ""], "--engine: expected a command line"),
        (&["--engine", "a 'b"], "--engine: 'a 'b': expected a command line"),
        (&["--depth", "0"], "--depth"),
        (&["--dice-file", bad.to_str().unwrap()], "bad.dice: not a file of dice"),
    ];
    for (words, expected) in cases {
        let output = command(folder.path(), "").args(words).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(expected), "{words:?}: {said}");
    }
}
