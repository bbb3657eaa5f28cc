//! A person at the other end of a pipe: whole games of every kind, the words, odd ones, games kept and read back, and
//! engines that fail.

use alea_tools::records::{GameRecord, GameResult, Reason};
use alea_tools::rules::Board;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alea-play"));
    command.args(words.split_whitespace()).env("XDG_DATA_HOME", folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Run to the end of a script.
fn run(mut command: Command, script: &[u8]) -> Output {
    let mut child = command.spawn().unwrap();
    // It may leave before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(script);
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn games(path: &Path) -> Vec<GameRecord> {
    let text = std::fs::read(path).unwrap();
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let games: Vec<GameRecord> = lines.map(|line| GameRecord::from_line(line).unwrap()).collect();
    for game in &games {
        let mut board = Board::new(&game.variant()).unwrap();
        game.plies.iter().for_each(|ply| board.ply(ply).unwrap());
        assert_eq!(game.fen, board.notation());
        assert_eq!(board.result(), (game.reason == Reason::Rules).then_some(game.result));
        let lengths = [game.depth.len(), game.value.len(), game.nodes.len(), game.time_us.len()];
        assert_eq!(lengths, [game.plies.len(); 4]);
        if let Some(roll) = &game.roll {
            board.resolve(roll).unwrap();
        }
    }
    games
}

/// A person who waits for the question.
struct Person {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Person {
    fn sit(mut command: Command) -> Person {
        let mut child = command.stderr(Stdio::inherit()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Person { child, input, output }
    }

    /// Everything up to the next question.
    fn hear(&mut self) -> String {
        let mut heard = Vec::new();
        let mut byte = [0];
        // The mark of a rolled row on the board is no question.
        while !heard.strip_suffix(b"> ").is_some_and(|words| words.last().is_some_and(u8::is_ascii_alphabetic)) {
            assert_eq!(self.output.read(&mut byte).unwrap(), 1, "it ended: {}", String::from_utf8_lossy(&heard));
            heard.push(byte[0]);
        }
        String::from_utf8(heard).unwrap()
    }

    fn ask(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").unwrap();
        self.hear()
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Play the first legal move until the game is over; the last words.
fn play_out(person: &mut Person) -> String {
    let mut heard = person.hear();
    while !heard.ends_with("new, undo or quit> ") {
        let moves = person.ask("moves");
        let first = moves.split_whitespace().next().unwrap().to_string();
        heard = person.ask(&first);
    }
    heard
}

#[test]
fn whole_games_of_every_kind() {
    for (game, sides) in [
        ("dice", ["first", "second"]),
        ("einstein", ["first", "second"]),
        ("backgammon", ["second", "both"]),
        ("darkchess", ["first", "both"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        for side in sides {
            let words = format!("--game {game} --side {side} --depth 1 --seed 11");
            let mut person = Person::sit(command(folder.path(), &words));
            let end = play_out(&mut person);
            assert!(end.contains("win") || end.contains("A draw"), "{words}: {end}");
            assert!(end.contains("Kept as game "), "{words}: {end}");
        }
        let kept = games(&folder.path().join("alea/games.jsonl"));
        assert_eq!(kept.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2]);
        assert!(kept.iter().all(|kept| kept.game == game && kept.reason == Reason::Rules && kept.seed == 11));
        assert!(kept[0].value.iter().any(Option::is_some));
    }
}

#[test]
fn the_engine_plays_itself_and_the_seed_decides_all() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["dice", "einstein", "backgammon", "darkchess"] {
        let words = format!("--game {game} --side neither --depth 1 --seed 4");
        for _ in 0..2 {
            assert!(run(command(folder.path(), &words), b"").status.success());
        }
    }
    let kept = games(&folder.path().join("alea/games.jsonl"));
    assert_eq!(kept.len(), 8);
    for pair in kept.chunks(2) {
        assert_eq!((&pair[0].plies, pair[0].result), (&pair[1].plies, pair[1].result));
    }
}

#[test]
fn a_move_is_taken_back_with_the_answer_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut person = Person::sit(command(folder.path(), "--seed 5 --depth 3"));
    let first = person.hear();
    assert!(first.contains("You roll 4.") && first.contains(" > 5  * * * * *"), "{first}");
    let second = person.ask("b5");
    assert!(second.contains("plays ") && second.contains("You roll "), "{second}");
    let back = person.ask("undo");
    assert!(back.contains("Taken back") && back.matches(" > 5  * * * * *").count() == 1, "{back}");
    assert!(person.ask("undo").contains("There is nothing of yours to take back."));
    // The dice are what they were.
    let untimed = |text: &str| text.lines().filter(|line| !line.contains("plays ")).collect::<String>();
    assert_eq!(untimed(&person.ask("4:b5")), untimed(&second));
    let hint = person.ask("hint");
    assert!(hint.contains(" for you, depth 3"), "{hint}");
}

#[test]
fn a_game_is_resigned_taken_up_again_and_left() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my games.jsonl");
    let script = format!("b5\nresign\nundo\nsave {}\nnew\nquit\n", file.display());
    let output = run(command(folder.path(), "--seed 5 --depth 3"), script.as_bytes());
    let text = said(&output);
    assert!(output.status.success() && text.contains("You resign.") && text.contains("You play on."), "{text}");
    assert!(text.contains("Seed 6."), "{text}");
    assert!(text.contains("my games.jsonl' 1\n"), "{text}");
    let kept = games(&folder.path().join("alea/games.jsonl"));
    assert_eq!((kept[0].reason, kept[0].result, kept[0].points), (Reason::Resigned, GameResult::P2Win, 1));
    assert!(kept[0].roll.is_some() && kept[0].p1 == "you" && kept[0].p2.starts_with("alea"));
    assert_eq!((games(&file)[0].reason, games(&file)[0].points), (Reason::Unfinished, 0));
    // The end of the input leaves an unfinished game, and that is kept too.
    run(command(folder.path(), "--seed 5 --depth 3"), b"b5");
    let kept = games(&folder.path().join("alea/games.jsonl"));
    assert_eq!(kept.last().unwrap().reason, Reason::Unfinished);
    let none = tempfile::tempdir().unwrap();
    run(command(none.path(), "--seed 5 --depth 3 --no-save"), b"b5\nresign\n");
    assert_eq!(std::fs::read_dir(none.path()).unwrap().count(), 0);
}

#[test]
fn odd_words_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let mut script = b"hitn\nb2\nz99\n\xff\xfe\n\0\n2:\n\n   \nhelp me\n? \n".to_vec();
    script.extend([b'x'; 300_000]);
    script.extend(b"\nmoves\nb5\n");
    let output = run(command(folder.path(), "--seed 5 --depth 1"), &script);
    let text = said(&output);
    assert!(output.status.success());
    let expected = [
        "'hitn' is no move; did you mean hint?",
        "'b2': roll 4 is blue's row 5, and the cell is not in it.",
        "'z99': the cell is not on the 5x5 board",
        "undo     take your last move back",
        "a5  b5  c5  d5  e5",
        "plays ",
    ];
    for part in expected {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.lines().all(|line| line.len() < 400), "a long word is not shown whole");
}

#[test]
fn a_file_that_holds_no_games_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    for content in ["my notes\n", "{\"format\":3}\n", "half a line"] {
        std::fs::write(&file, content).unwrap();
        let mut command = command(folder.path(), "--seed 5 --depth 1 --save");
        command.arg(&file);
        let text = said(&run(command, b"b5\nresign\n"));
        assert!(text.contains("The game could not be kept: ") && text.contains("notes.txt"), "{text}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), content);
    }
}

/// An engine in a few lines of shell.
fn engine(folder: &Path, body: &str) -> String {
    let path = folder.join("engine");
    let text = format!(
        "while read -r word rest; do case \"$word\" in {body} uci) echo uciok;; isready) echo readyok;; esac; done\n"
    );
    std::fs::write(&path, text).unwrap();
    format!("sh {}", path.display())
}

#[test]
fn an_engine_that_fails_is_named_and_the_game_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let once = folder.path().join("once");
    let cases = [
        ("go) echo 'bestmove z9';;".to_string(), "the engine's move 'z9' is not legal"),
        ("go) echo tired >&2; exit 3;;".to_string(), "the engine exited with code 3; it said: tired"),
        ("go) echo 'info string error: no'; echo 'bestmove (none)';;".to_string(), "alea-play: no"),
    ];
    for (body, expected) in cases {
        let mut command = command(folder.path(), "--seed 5");
        command.arg("--engine").arg(engine(folder.path(), &body));
        let output = run(command, b"b5\n");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && complaint.contains(expected), "{complaint}");
        assert!(said(&output).contains("Kept as game "));
    }
    // One failure is forgiven: a fresh process is asked again.
    let body = format!("go) test -e {0} || {{ touch {0}; exit 1; }}; echo 'bestmove '$(cat {0});;", once.display());
    let mut command = command(folder.path(), "--seed 5 --side second --game einstein");
    command.arg("--engine").arg(engine(
        folder.path(),
        &format!("uci) echo 'option name Game type string default x'; echo uciok;; {body}"),
    ));
    let output = run(command, b"");
    let text = said(&output);
    assert!(text.contains("It is started again."), "{text} {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_is_wrong_with_the_arguments_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["--game", "chess"], "chess"),
        (&["--shape", "99/4"], "99/4"),
        (&["--game", "einstein", "--shape", "5/4"], "--shape: '5/4': expected for Dice alone"),
        (&["--option", "Hash"], "--option: 'Hash': expected NAME=VALUE"),
        (&["--option", "Hush=3"], "'Hush': expected an option of the engine"),
        (&["--engine", "no-such-engine"], "'no-such-engine' cannot be started"),
    ];
    for (words, expected) in cases {
        let mut command = command(folder.path(), "");
        command.args(words);
        let output = run(command, b"");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && complaint.contains(expected), "{words:?}: {complaint}");
    }
}
