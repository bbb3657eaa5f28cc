//! A small engine for the tournament's tests: it plays the first legal cell, or misbehaves in a way it is told.
//!
//! `alea-fake-engine [misdeed [ply [seed]]]`: the misdeed happens when the game has come to that many plies, in games
//! where the first roll is `seed` if one is given.

use alea::game::dice::{Position, Shape, parse_cell};
use alea::game::mix;
use std::io::{BufRead, Write};
use std::time::Duration;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let misdeed = words.first().map_or("none", String::as_str).to_string();
    let at = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    let only = words.get(2).and_then(|word| word.parse().ok());
    let mut engine = Fake { misdeed, at, only, position: Position::new(Shape::default()), ply: 0, first_roll: 0 };
    if engine.misdeed == "never-start" {
        sleep();
    }
    if engine.misdeed == "exit-at-once" {
        eprintln!("this engine will not start");
        std::process::exit(7);
    }
    if engine.misdeed == "slow-start" {
        // Busy, not asleep: many at once slow each other down.
        let start = std::time::Instant::now();
        let mut spent = Duration::ZERO;
        let mut last = start;
        while spent < Duration::from_millis(150) {
            // Only what this process got of the machine counts: a gap is somebody else's turn.
            let now = std::time::Instant::now();
            spent += (now - last).min(Duration::from_micros(50));
            last = now;
        }
    }
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        engine.obey(&line);
    }
}

struct Fake {
    misdeed: String,
    at: usize,
    only: Option<u32>,
    position: Position,
    ply: usize,
    first_roll: u32,
}

/// For ever, as far as any test is concerned; but a test that dies must not leave this behind.
fn sleep() {
    std::thread::sleep(Duration::from_secs(300));
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    // In one piece, so that a test of what comes together does not depend on luck.
    if out.write_all(format!("{text}\n").as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

impl Fake {
    fn obey(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("uci") if self.misdeed == "no-uciok" => say("id name Mute"),
            Some("uci") if self.misdeed == "endless-options" => loop {
                say(&"option name Nonsense type string default <empty>\n".repeat(100));
            },
            Some("uci") if self.misdeed == "escape" => say("id name \x1b[31mRed\x07\nuciok"),
            Some("uci") => {
                say("id name Fake 1\nid author the tests");
                say("option name Noise type string default 0\noption name NoiseSeed type spin default 0");
                say("option name Style type combo default first var first var random");
                say("uciok");
            }
            Some("isready") if self.misdeed == "no-readyok" => {}
            Some("isready") => say("readyok"),
            Some("setoption") if words.last() == Some(&"refused") => say("info string error: 'refused': no such value"),
            Some("position") => self.set_up(&words),
            Some("go") => self.go(&words),
            Some("quit") => std::process::exit(0),
            _ => {}
        }
    }

    /// `position startpos n k [moves …] [roll R]`
    fn set_up(&mut self, words: &[&str]) {
        let number = |i: usize| words.get(i).and_then(|word| word.parse().ok()).unwrap_or(0);
        let shape = Shape::new(number(2), number(3)).unwrap_or_default();
        self.position = Position::new(shape);
        (self.ply, self.first_roll) = (0, 0);
        let mut rest = words.iter().skip(4);
        while let Some(&word) = rest.next() {
            let (roll, cell) = match word.split_once(':') {
                Some((roll, cell)) => (roll.parse().unwrap_or(0), parse_cell(cell)),
                None if word == "roll" => (rest.next().and_then(|roll| roll.parse().ok()).unwrap_or(0), None),
                None => continue,
            };
            if self.ply == 0 {
                self.first_roll = roll;
            }
            self.position = self.position.with_roll(roll).expect("a legal roll");
            if let Some(cell) = cell {
                self.position = self.position.play_on(cell).expect("a legal move");
                self.ply += 1;
            }
        }
    }

    fn go(&self, words: &[&str]) {
        let cells: Vec<_> = self.position.legal_cells().collect();
        if cells.is_empty() {
            return say("info depth 1 value 0.000000\nbestmove (none)");
        }
        let due = self.ply / 2 == self.at && self.only.is_none_or(|only| only == self.first_roll);
        let misdeed = if due { self.misdeed.as_str() } else { "none" };
        let spread = mix(self.ply as u64 ^ u64::from(self.first_roll) << 8) as usize;
        let cell = if self.misdeed == "spread" { cells[spread % cells.len()] } else { cells[0] };
        let depth = words.iter().skip_while(|word| **word != "depth").nth(1).copied().unwrap_or("1");
        let answer = format!("bestmove {cell}");
        match misdeed {
            "crash" => {
                eprintln!("thread 'main' ran out of ideas");
                std::process::exit(3);
            }
            "abort" => std::process::abort(),
            "crash-mid-line" => {
                print!("bestm");
                let _ = std::io::stdout().flush();
                std::process::exit(3);
            }
            "stall" => sleep(),
            "chatter" => loop {
                say("info string still thinking");
                std::thread::sleep(Duration::from_millis(1));
            },
            "flood" => loop {
                let _ = std::io::stdout().write_all(&[b'x'; 4096]);
            },
            "blank-flood" => loop {
                say(&"\n".repeat(4096));
            },
            "info-flood" => loop {
                say(&"info depth 1 value 0.1\n".repeat(200));
            },
            "huge-word" => say(&format!("bestmove {}", "x".repeat(1_000_000))),
            "escape" => say("bestmove \x1b[2J\x1b[31m"),
            "late" => {
                std::thread::sleep(Duration::from_millis(400));
                say(&answer);
            }
            "illegal" => {
                let taken = self.position.checkers().next().map(|(cell, _)| cell);
                say(&format!("bestmove {}", taken.map_or("q17".to_string(), |cell| cell.to_string())));
            }
            "none-move" => say("bestmove (none)"),
            "garbage" => say("Segmentation fault, or so it seems"),
            "bytes" => {
                let _ = std::io::stdout().write_all(b"\xff\xfe\x00\n").and_then(|()| std::io::stdout().flush());
            }
            "lie" => say(&format!("info depth 99 value 7.5 nodes -3 pv {cell}\n{answer}")),
            "twice" => say(&format!("{answer}\n{answer}")),
            "no-cell" => say("bestmove"),
            "wrong-cell" => say("bestmove z99"),
            "refuse" => say("info string error: 'go': not today"),
            "child" => {
                // Leaves a process of its own behind, which holds this one's output open.
                let _ = std::process::Command::new("sleep").arg("300").spawn();
                std::process::exit(3);
            }
            "daemon" => {
                // Leaves the process group as well, and so does its child.
                let _ = std::process::Command::new("setsid").args(["sh", "-c", "sleep 300 & sleep 300"]).spawn();
                std::thread::sleep(Duration::from_millis(50));
                std::process::exit(3);
            }
            "bare-daemon" => {
                // Nothing in it tells where it comes from, but for how long it sleeps, for the test to find it.
                let mark = std::env::var("ALEA_TEST_MARK").unwrap_or_default().replace('-', "");
                let words = ["-i", "setsid", "sleep", &format!("300.{mark}")];
                let _ = std::process::Command::new("env").args(words).spawn();
                std::thread::sleep(Duration::from_millis(50));
                std::process::exit(3);
            }
            "slow" => {
                std::thread::sleep(Duration::from_millis(20));
                say(&answer);
            }
            _ => {
                say(&format!("info depth {depth} score cp 0 value 0.000000 nodes {} pv {cell}\n{answer}", self.ply + 1))
            }
        }
    }
}
