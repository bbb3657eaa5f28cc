//! Training EinStein's network, as its user meets it: the same frame as Dice has.

mod support;

use std::fs;
use support::{Folder, refused, train};

const RUN: &str = "--game einstein --games 2048";
const FILES: [&str; 4] = ["net", "last.net", "csv", "checkpoint"];

#[test]
fn neither_threads_nor_an_interruption_change_a_bit() {
    let folder = Folder::new("einstein-bits");
    let said = train(&folder, &format!("{RUN} --threads 1 --out whole.net"));
    assert!(
        said.contains("the best against race (") && said.contains("Done. Next: alea-train check whole.net"),
        "{said}"
    );
    train(&folder, &format!("{RUN} --threads 2 --out two.net"));
    let said = train(&folder, &format!("{RUN} --threads 2 --out parts.net --fresh --stop-after 1000"));
    assert!(said.contains("Stopped after 1024 of 2048 games"), "{said}");
    let line = said.lines().last().unwrap().trim();
    assert!(line.ends_with(&format!("{RUN} --threads 2 --out parts.net")), "the line that goes on: {line}");
    assert_ne!(folder.file("parts.last.net"), folder.file("whole.last.net"));
    train(&folder, &format!("{RUN} --threads 1 --out parts.net --resume"));
    for file in FILES {
        let whole = folder.file(&format!("whole.{file}"));
        assert!(folder.file(&format!("two.{file}")) == whole, "threads: {file}");
        assert!(folder.file(&format!("parts.{file}")) == whole, "interruption: {file}");
    }
    train(&folder, &format!("{RUN} --seed 2 --out other.net"));
    assert_ne!(folder.file("other.last.net"), folder.file("whole.last.net"));
}

#[test]
fn a_finished_run_stays_and_other_conditions_are_refused() {
    let folder = Folder::new("einstein-finished");
    let run = "--game einstein --games 512 --out a.net";
    train(&folder, run);
    let files = folder.files();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["a.checkpoint", "a.csv", "a.last.net", "a.net"]);
    let said = train(&folder, run);
    assert!(said.contains("Finished already: a.net stays as it is"), "{said}");
    assert!(folder.files() == files);
    let cases = [
        ("--game einstein --games 512 --seed 2 --out a.net", "a.checkpoint is of another run: --seed 1 (now 2);"),
        ("--game einstein --games 513 --out a.net", "a.checkpoint is of another run: --games 512 (now 513);"),
        ("--games 512 --out a.net", "a.checkpoint is of another run: --game einstein (now dice);"),
    ];
    for (words, part) in cases {
        let message = refused(&folder, words);
        assert!(message.contains(part), "{words}: {message}");
        assert!(folder.files() == files, "{words}");
    }
    fs::remove_file(folder.0.join("a.net")).unwrap();
    train(&folder, run);
    assert!(folder.files() == files, "a lost network comes back");
    fs::remove_file(folder.0.join("a.checkpoint")).unwrap();
    let message = refused(&folder, run);
    assert!(message.contains("a.net exists and is not of this run"), "{message}");
    assert_eq!(folder.file("a.net"), files["a.net"]);
}

#[test]
fn curves_and_checks_are_of_the_same_games() {
    let folder = Folder::new("einstein-curve");
    train(&folder, "--game einstein --games 1024 --out a.net");
    let text = String::from_utf8(folder.file("a.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("games,selfplay_rms,rounding_rms,score_vs_race,score_margin"));
    let rows: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(|word| word.parse().unwrap()).collect()).collect();
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), [512.0, 1024.0]);
    // A check's first dice are the curve's own; depth 3 is not measured here beyond what it takes to be told.
    let said = train(&folder, "check a.last.net");
    assert!(said.contains(&format!("depth 1 on both sides: {:.1} % of 1000 pairs", 100.0 * rows[1][3])), "{said}");
    assert!(
        said.starts_with("a.last.net: a network for einstein") && said.contains("depth 3 on both sides: "),
        "{said}"
    );
    let said = train(&folder, "check einstein --pairs 20 --dice 3");
    assert!(said.starts_with("einstein: a network for einstein") && said.contains("% of 20 pairs of games"), "{said}");
    let damaged = &folder.file("a.net")[..200];
    fs::write(folder.0.join("cut.net"), damaged).unwrap();
    let message = refused(&folder, "check cut.net");
    assert!(message.contains("cut.net: ") && message.contains("truncated: 200 bytes"), "{message}");
}
