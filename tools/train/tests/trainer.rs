//! The trainer as its user meets it: the same network from a seed on any number of threads, and after an interruption;
//! messages that say what is wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for each test, removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("alea-trainer-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

fn trainer(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alea-train"));
    command.current_dir(folder).args(words.split_whitespace()).output().unwrap()
}

/// Run, expecting success; gives back what was printed.
fn train(folder: &Folder, words: &str) -> String {
    let output = trainer(&folder.0, words);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Run, expecting a refusal; gives back the message.
fn refused(folder: &Folder, words: &str) -> String {
    let output = trainer(&folder.0, words);
    assert!(!output.status.success(), "{words} should have been refused");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn threads_change_no_bit() {
    let folder = Folder::new("threads");
    for recipe in ["strong", "thesis"] {
        for threads in [1, 2, 3] {
            train(
                &folder,
                &format!("--shape 4/3 --recipe {recipe} --games 1500 --threads {threads} --out {threads}.net"),
            );
        }
        for file in ["net", "csv"] {
            assert_eq!(folder.file(&format!("1.{file}")), folder.file(&format!("2.{file}")), "{recipe} {file}");
            assert_eq!(folder.file(&format!("1.{file}")), folder.file(&format!("3.{file}")), "{recipe} {file}");
        }
    }
}

#[test]
fn another_seed_is_another_network() {
    let folder = Folder::new("seeds");
    train(&folder, "--shape 4/3 --games 600 --seed 1 --out a.net");
    train(&folder, "--shape 4/3 --games 600 --seed 2 --out b.net");
    assert_ne!(folder.file("a.net"), folder.file("b.net"));
}

#[test]
fn an_interruption_changes_no_bit() {
    let folder = Folder::new("resume");
    // The last has a recipe of its own, whose network is a mean over half the run: it is interrupted within that half.
    let runs = [
        ("strong", "--shape 4/3 --games 3000", 1000),
        ("thesis", "--shape 4/3 --recipe thesis --games 3000", 1000),
        ("race", "--shape 14/4 --games 2048", 1500),
    ];
    for (recipe, run, stop) in runs {
        train(&folder, &format!("{run} --out whole.net"));
        let said = train(&folder, &format!("{run} --out parts.net --stop-after {stop}"));
        assert!(said.contains("--resume"), "{said}");
        assert!(!folder.0.join("parts.net").exists());
        train(&folder, &format!("{run} --out parts.net --resume --threads 1"));
        for file in ["net", "csv"] {
            assert_eq!(folder.file(&format!("whole.{file}")), folder.file(&format!("parts.{file}")), "{recipe} {file}");
        }
        assert!(!folder.0.join("parts.checkpoint").exists(), "a finished run leaves no checkpoint");
        std::fs::remove_file(folder.0.join("parts.net")).unwrap();
    }
}

#[test]
fn the_curve_has_a_line_for_each_twentieth() {
    let folder = Folder::new("curve");
    train(&folder, "--shape 4/3 --recipe thesis --games 5120 --out a.net");
    let text = String::from_utf8(folder.file("a.csv")).unwrap();
    let mut lines = text.lines();
    let columns = lines.next().unwrap().split(',').count();
    let rows: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(|word| word.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 20);
    assert!(rows.iter().all(|row| row.len() == columns));
    assert!(rows.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    assert!(rows[19][2] < rows[0][2], "the error falls: {} to {}", rows[0][2], rows[19][2]);
}

#[test]
fn a_checked_network_gets_its_figures() {
    let folder = Folder::new("check");
    train(&folder, "--shape 4/3 --games 2000 --out a.net");
    let said = train(&folder, "check a.net --positions 40 --pairs 50 --svg a.svg");
    for part in
        ["shape 4/3", "root-mean-square error", "depth 5", "calibration", "largest difference", "50 pairs of games"]
    {
        assert!(said.contains(part), "'{part}' is missing in:\n{said}");
    }
    assert!(folder.file("a.svg").starts_with(b"<svg"));
}

#[test]
fn mistakes_are_named() {
    let folder = Folder::new("mistakes");
    std::fs::write(folder.0.join("bad.net"), b"ALEA-NET but not for long").unwrap();
    std::fs::write(folder.0.join("bad.checkpoint"), b"nonsense").unwrap();
    train(&folder, "--shape 4/3 --games 3000 --out other.net --stop-after 600");
    let cases = [
        ("--shape 5", "'5' is not a shape"),
        ("--recipe soup", "soup"),
        ("--games 0", "0"),
        ("--shape 4/3 --out none.net --resume", "no checkpoint"),
        ("--shape 4/3 --out bad.net --resume", "damaged"),
        ("--shape 4/3 --games 3000 --seed 9 --out other.net --resume", "another run"),
        ("--shape 4/3 --games 600 --out no/such/folder/a.net", "cannot write"),
        ("check bad.net", "truncated"),
        ("check 4/4", "no network comes with the engine for 4/4"),
        ("check absent.net", "absent.net"),
    ];
    for (words, part) in cases {
        let message = refused(&folder, words);
        assert!(message.contains(part), "{words}: '{part}' is missing in {message}");
    }
}
