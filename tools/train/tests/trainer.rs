//! The trainer as its user meets it: the same network from a seed on any number of threads, and after an interruption;
//! nothing destroyed; messages that say what is wrong.

mod support;

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Folder, command, refused, train, trainer};

#[test]
fn threads_change_no_bit() {
    let folder = Folder::new("threads");
    for recipe in ["strong", "thesis"] {
        for threads in [1, 2, 3] {
            train(
                &folder,
                &format!("--shape 4/3 --recipe {recipe} --games 1500 --threads {threads} --out {threads}.net --fresh"),
            );
        }
        for file in ["net", "last.net", "csv"] {
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
    // The last two have recipes of their own, whose networks are means over half the run: they are interrupted within that half.
    // On six lines luck is taken off after the first batch.
    let runs = [
        ("strong", "--shape 4/3 --games 3000", 1000),
        ("thesis", "--shape 4/3 --recipe thesis --games 3000", 1000),
        ("luckless", "--shape 6/4 --games 2048", 1500),
        ("race", "--shape 14/4 --games 2048", 1500),
    ];
    for (recipe, run, stop) in runs {
        train(&folder, &format!("{run} --out whole.net --fresh"));
        let said = train(&folder, &format!("{run} --out parts.net --fresh --stop-after {stop}"));
        let line = said.lines().last().unwrap().trim();
        assert!(line.ends_with(&format!("{run} --out parts.net")), "the line that goes on: {line}");
        let said = train(&folder, "check parts.net --positions 1 --pairs 1");
        assert!(said.contains("pairs of games"), "an interrupted run leaves a network: {said}");
        train(&folder, &format!("{run} --out parts.net --threads 1"));
        for file in ["net", "last.net", "csv", "checkpoint"] {
            assert_eq!(folder.file(&format!("whole.{file}")), folder.file(&format!("parts.{file}")), "{recipe} {file}");
        }
    }
}

#[test]
fn a_finished_run_stays_as_it_is() {
    let folder = Folder::new("finished");
    let run = "--shape 4/3 --games 600 --out a.net";
    train(&folder, run);
    let files = folder.files();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["a.checkpoint", "a.csv", "a.last.net", "a.net"]);
    for words in ["", " --resume", " --threads 1"] {
        let said = train(&folder, &format!("{run}{words}"));
        assert!(said.contains("Finished already: a.net stays as it is"), "{said}");
        assert!(folder.files() == files);
    }
    let message = refused(&folder, &format!("{run} --seed 2"));
    assert!(message.contains("a.checkpoint is of another run: --seed 1 (now 2)"), "{message}");
    assert!(folder.files() == files);
    let noted = [&files["a.csv"][..], b"600,a note\n"].concat();
    fs::write(folder.0.join("a.csv"), &noted).unwrap();
    train(&folder, run);
    assert!(folder.file("a.csv") == noted, "nothing is written at all");
    for lost in ["a.csv", "a.net"] {
        fs::remove_file(folder.0.join(lost)).unwrap();
        train(&folder, run);
        assert!(folder.files() == files, "a lost {lost} comes back");
    }
    train(&folder, &format!("{run} --fresh --seed 2"));
    assert_ne!(folder.file("a.net"), files["a.net"]);
    train(&folder, &format!("{run} --fresh"));
    assert!(folder.files() == files);
}

#[test]
fn no_file_is_overwritten_unasked() {
    let folder = Folder::new("unasked");
    for name in ["mine.net", "mine.csv", "mine.checkpoint", "last.last.net", "curve.csv"] {
        fs::write(folder.0.join(name), b"not to be lost").unwrap();
    }
    let curve = "games,selfplay_rms,endings_rms,endings_mean_error,score_vs_pairs,score_margin\n";
    fs::write(folder.0.join("alone.csv"), curve).unwrap();
    let files = folder.files();
    let cases = [
        ("--out my.csv", "'my.csv': expected a name that ends in .net"),
        ("--out my.checkpoint", "'my.checkpoint': expected a name that ends in .net"),
        ("--out mine.csv", "ends in .net"),
        ("--out mine.csv --fresh", "ends in .net"),
        ("--out mine.net", "mine.csv: not a learning curve"),
        ("--out mine.net --fresh", "mine.csv: not a learning curve"),
        ("--out last.net", "last.last.net exists and is not of this run"),
        ("--out last.last.net", "last.last.net exists"),
        ("--out curve.net --fresh", "curve.csv: not a learning curve"),
        ("--out alone.net", "alone.csv exists and is not of this run"),
    ];
    for (words, part) in cases {
        let message = refused(&folder, &format!("--shape 4/3 --games 600 {words}"));
        assert!(message.contains(part), "{words}: {message}");
        assert!(folder.files() == files, "{words}");
    }
}

/// Wait until `ready`, for a minute at most.
fn wait(what: &str, ready: impl Fn() -> bool) {
    let start = Instant::now();
    while !ready() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn two_runs_share_no_file_and_ctrl_c_prints_the_line_that_goes_on() {
    let folder = Folder::new("lock");
    let run = "--shape 5/4 --out a.net";
    let first = command(&folder.0, run).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait("the first run has begun, with networks", || folder.0.join("a.last.net").exists());
    assert_eq!(folder.file("a.checkpoint")[8..16], [0; 8], "before the first games");
    for words in ["", " --fresh", " --resume"] {
        let message = refused(&folder, &format!("{run}{words}"));
        assert!(message.contains("a.csv: another run is writing to it"), "{message}");
    }
    assert!(Command::new("kill").args(["-INT", &first.id().to_string()]).status().unwrap().success());
    let output = first.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("To go on:\n") && said.trim_end().ends_with(run), "{said}");
    assert!(folder.file("a.net").starts_with(b"ALEA-NET"));
}

#[test]
fn the_best_network_is_shipped_and_the_last_beside_it() {
    let folder = Folder::new("best");
    let said = train(&folder, "--shape 4/3 --recipe thesis --games 5120 --out a.net");
    let text = String::from_utf8(folder.file("a.csv")).unwrap();
    let scores: Vec<f64> = text.lines().skip(1).map(|line| line.split(',').nth(4).unwrap().parse().unwrap()).collect();
    let best = scores.iter().copied().max_by(f64::total_cmp).unwrap();
    // The curve's own dice are the first ones of the check.
    for (net, score) in [("a.net", best), ("a.last.net", *scores.last().unwrap())] {
        let checked = train(&folder, &format!("check {net} --positions 1 --pairs 500"));
        assert!(checked.contains(&format!("  {:.1} % of 500 pairs", 100.0 * score)), "{net} {score}: {checked}");
    }
    assert!(said.contains(&format!("the best against pairs ({:.1} %)", 100.0 * best)), "{said}");
}

/// Where targets are exact, the best network is the one nearest to the truth, whatever it scores.
#[test]
fn exact_targets_choose_by_exact_values() {
    let folder = Folder::new("exact");
    let said = train(&folder, "--shape 4/3 --games 1280 --out a.net");
    let text = String::from_utf8(folder.file("a.csv")).unwrap();
    let column = |line: &str, i: usize| line.split(',').nth(i).unwrap().to_owned();
    assert_eq!(column(&text, 2), "endings_rms");
    let rows = text.lines().skip(1).map(|line| (column(line, 2).parse::<f64>().unwrap(), column(line, 0)));
    let (error, games) = rows.reduce(|best, row| if row.0 <= best.0 { row } else { best }).unwrap();
    let told = format!("a.net is the network after {games} games, the nearest to exact endings (rms error {error:.4})");
    assert!(said.contains(&told), "{told}: {said}");
}

#[test]
fn output_that_goes_away_is_no_panic() {
    let folder = Folder::new("output");
    for words in ["--shape 4/3 --games 600 --out a.net --fresh", "check 5/4 --positions 5 --pairs 5", "fit-pairs 3/3"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = command(&folder.0, words).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(141), &b""[..]), "{words}");
        if let Ok(full) = File::options().write(true).open("/dev/full") {
            let output = command(&folder.0, words).stdout(full.try_clone().unwrap()).output().unwrap();
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{words}");
            assert!(message.starts_with("alea-train: stdout: "), "{message}");
            let output = command(&folder.0, "check nowhere.net").stderr(full).output().unwrap();
            assert_eq!(output.status.code(), Some(1));
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "seconds of work without assertions, minutes with them")]
fn progress_is_told_off_a_terminal_too() {
    let folder = Folder::new("progress");
    let told = |words: &str| String::from_utf8(trainer(&folder.0, words).stderr).unwrap();
    let checked = told("check 17/8 --positions 1 --pairs 3000 --threads 1");
    assert!(checked.contains("/3000 pairs of games, about "), "{checked}");
    let trained = told("--shape 17/8 --games 60000 --threads 1 --stop-after 2000");
    assert!(trained.contains("/60000 games, about "), "{trained}");
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
fn completions_and_man_pages_are_of_this_command_line() {
    let folder = Folder::new("manual");
    let script = train(&folder, "completions bash");
    for word in ["alea-train", "--stop-after", "fit-race"] {
        assert!(script.contains(word), "{word}");
    }
    train(&folder, "man pages");
    let pages: Vec<String> = ["alea-train.1", "alea-train-check.1"]
        .map(|page| String::from_utf8(folder.file(&format!("pages/{page}"))).unwrap())
        .into();
    assert!(pages[0].contains("game") && pages[1].contains("positions"));
}

#[test]
fn mistakes_are_named() {
    let folder = Folder::new("mistakes");
    fs::write(folder.0.join("bad.net"), b"ALEA-NET but not for long").unwrap();
    fs::write(folder.0.join("bad.checkpoint"), b"nonsense").unwrap();
    fs::write(folder.0.join("old.checkpoint"), b"ALEA-RUN and so on").unwrap();
    train(&folder, "--shape 4/3 --games 3000 --out other.net --stop-after 600");
    let cases = [
        ("--shape 5", "'5': not a shape"),
        ("--game chess", "'chess' for '--game <GAME>': expected dice, einstein, backgammon or darkchess"),
        ("--game einstein --shape 5/4", "'--shape': it is for dice only, and the game is einstein"),
        ("--game einstein --recipe strong", "'--recipe': it is for dice only"),
        ("--teacher bad.net", "'--teacher': it is for backgammon only, and the game is dice"),
        ("--game einstein --teacher bad.net", "'--teacher': it is for backgammon only, and the game is einstein"),
        ("--game backgammon --teacher bad.net", "--teacher: bad.net: a network of version"),
        ("--game backgammon --teacher absent.net", "absent.net"),
        ("--recipe soup", "soup"),
        ("--games 0", "0"),
        ("--shape 4/3 --out none.net --resume", "no checkpoint"),
        ("--shape 4/3 --out none.net --resume --fresh", "--fresh"),
        ("--shape 4/3 --out bad.net", "bad.checkpoint: not a checkpoint, or damaged"),
        ("--shape 4/3 --out old.net", "earlier version"),
        ("--shape 4/3 --games 3000 --seed 9 --out other.net", "of another run: --seed 1 (now 9);"),
        ("--shape 5/3 --games 3000 --out other.net --resume", "of another run: --shape 4/3 (now 5/3);"),
        ("--shape 4/3 --games 600 --out no/such/folder/a.net", "cannot write"),
        ("check bad.net", "truncated"),
        ("check 4/4", "no network comes with the engine for 4/4"),
        ("check absent.net", "absent.net"),
        ("check dice", "'dice': expected a shape"),
        ("check einstein --positions 5", "'--positions': it is for dice only"),
        ("check einstein --svg a.svg", "'--svg': it is for dice only"),
    ];
    for (words, part) in cases {
        let message = refused(&folder, words);
        assert!(message.contains(part), "{words}: '{part}' is missing in {message}");
    }
}
