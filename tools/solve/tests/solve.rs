//! The tool as its user meets it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use alea::sweep::dice::book::Book;

fn solve(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alea-solve")).current_dir(dir).args(args).output().expect("the tool starts")
}

/// What is said on stdout, without the line that says how long it took.
fn said(dir: &Path, args: &[&str]) -> String {
    let output = solve(dir, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|line| !line.contains(" positions, ")).map(|line| format!("{line}\n")).collect()
}

fn is_empty(dir: &Path) -> bool {
    fs::read_dir(dir).unwrap().next().is_none()
}

#[test]
fn whole_games_are_solved() {
    let dir = tempfile::tempdir().unwrap();
    let cases = [
        ("3/3", "value 0.347451 for blue", "roll 1 value 0.485254 best b2"),
        ("4/3", "value 0.238879 for blue", "roll 0 value 0.120478 best b1"),
        ("4/4", "value 0.084454 for blue", "roll 0 value 0.084454 best a1"),
    ];
    for (shape, value, roll) in cases {
        let text = said(dir.path(), &[shape]);
        assert!(text.contains(value) && text.contains(roll) && text.contains("error at most"), "{text}");
        assert!(is_empty(dir.path()), "{shape} leaves nothing behind");
    }
}

#[test]
fn positions_are_solved_rolled_or_not() {
    let dir = tempfile::tempdir().unwrap();
    let text = said(dir.path(), &["--position", "3 3 b 1 - - - - - - - - -"]);
    assert!(text.contains("value 0.485254 for blue (") && text.contains("0.147805  0.485254  0.147805"), "{text}");
    let text = said(dir.path(), &["--position", "3 3 r -1 - - - - b - - - -"]);
    assert!(text.contains("value -0.485254 for red, who is to roll"), "{text}");
}

/// Little memory, many threads: files are used, and nothing changes.
#[test]
fn files_and_threads_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let one = said(dir.path(), &["4/4", "--threads", "1"]);
    assert_eq!(said(dir.path(), &["4/4", "--threads", "3", "--memory", "0.1"]), one);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on_and_finds_the_same() {
    use std::io::Read;
    use std::process::Stdio;
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let position = "5 5 r -1 - - - - - - b - r - - r - b - - b r - - - - - b -";
    let args = ["--position", position, "--threads", "1", "--dir", "work"];
    let whole = said(dir, &args);
    let mut stopped = false;
    // Too early, and there is nothing to keep yet; too late, and all is done.
    for wait in [40, 80, 150, 20, 300, 60, 100, 500] {
        fs::remove_dir_all(dir.join("work")).ok();
        let mut child = Command::new(env!("CARGO_BIN_EXE_alea-solve"))
            .current_dir(dir)
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        if child.wait().unwrap().code() == Some(130) && text.contains("To go on:") {
            stopped = true;
            break;
        }
    }
    assert!(stopped, "none of the runs was interrupted while it was at work");
    let text = solve(dir, &["3/3", "--dir", "work"]);
    assert!(String::from_utf8_lossy(&text.stderr).contains("choose another --dir"), "{text:?}");
    // What was kept is checked when it is read.
    let kept = fs::read_dir(dir.join("work")).unwrap().map(|entry| entry.unwrap().path());
    let blocks: Vec<_> = kept.filter(|path| path.extension().is_some_and(|ending| ending == "block")).collect();
    for path in &blocks {
        let mut bytes = fs::read(path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(path, &bytes).unwrap();
    }
    let text = solve(dir, &args);
    assert!(String::from_utf8_lossy(&text.stderr).contains("checksum is wrong"), "{text:?}");
    for path in &blocks {
        let mut bytes = fs::read(path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(path, &bytes).unwrap();
    }
    assert_eq!(said(dir, &args), whole);
    assert!(is_empty(dir), "nothing is left behind");
}

/// SIGKILL, as a power cut or a crash: at whatever moment, the same command finds the same values and puts everything in order.
#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_from_its_last_checkpoint() {
    use std::process::Stdio;
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let position = "5 5 r -1 - - - - - - b - r - - r - b - - b r - - - - - b -";
    let args = ["--position", position, "--threads", "1", "--dir", "work", "--memory", "0.1", "--checkpoint", "0"];
    let whole = said(dir, &args);
    assert!(is_empty(dir), "nothing is left behind");
    let spawn = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alea-solve"));
        command.current_dir(dir).args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let checkpoint = dir.join("work/checkpoint.json");
    let mut killed = 0;
    for wait in [0, 15, 60, 150] {
        let mut child = spawn();
        // A run that is killed before its first checkpoint has nothing to go on from.
        while !checkpoint.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        std::thread::sleep(std::time::Duration::from_millis(wait));
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
        // What a run leaves that is killed while it writes.
        fs::create_dir_all(dir.join("work")).unwrap();
        for stray in ["layer01-0100.block", "layer02-0101.part"] {
            fs::write(dir.join("work").join(stray), "half a block").unwrap();
        }
    }
    assert!(killed > 0, "none of the runs was killed while it was at work");
    assert_eq!(said(dir, &args), whole);
    assert!(is_empty(dir), "nothing is left behind");
}

#[test]
fn books_are_written_and_read() {
    let dir = tempfile::tempdir().unwrap();
    said(dir.path(), &["4/4", "--out", "4-4.book"]);
    let bytes = fs::read(dir.path().join("4-4.book")).unwrap();
    let book = Book::decode(&bytes).unwrap();
    assert_eq!(book.shape().to_string(), "4/4");
    let start = alea::sweep::dice::Setup::start(book.shape()).unwrap();
    assert_eq!(alea::sweep::value(book.number(&start).unwrap()).to_string(), "0.084454");
    let refused = solve(dir.path(), &["3/3", "--out", "3-3.book"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no book for 3/3"));
}

#[test]
fn mistakes_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&[], "expected a shape such as 5/4"),
        (&["6/4"], "6/4: expected a board of at most 5x5"),
        (&["5-4"], "5-4"),
        (&["--position", "3 3 b x"], "'x'"),
        (&["--position", "3 3 r -1 b b b r r - - - -"], "the game is over there"),
        (&["4/4", "--memory", "much"], "expected gigabytes"),
        (&["4/4", "--checkpoint", "soon"], "expected seconds"),
    ];
    for (args, part) in cases {
        let output = solve(dir.path(), args);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && text.contains(part), "{args:?}: {text}");
    }
}
