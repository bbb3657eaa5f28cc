//! What the tournament's tests share: a folder, the tool, fake engines, and a look at what is left behind.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const MARK: &str = "ALEA_TEST_MARK";

/// A place to play in. Every process started from it carries its mark, so that none can hide.
pub struct Arena {
    dir: tempfile::TempDir,
    mark: String,
}

impl Arena {
    pub fn new() -> Arena {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mark = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Arena { dir: tempfile::tempdir().expect("a folder"), mark }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The tool with these words; `DIR/` at the start of a word is the arena's folder.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alea-tournament"));
        for word in words {
            match word.strip_prefix("DIR/") {
                Some(name) => command.arg(self.path(name)),
                None => command.arg(word),
            };
        }
        command.env(MARK, &self.mark).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// A line for a shell that finds the tool by its bare name.
    pub fn shell(&self, line: &str) -> Command {
        let mut command = Command::new("sh");
        let folder = Path::new(env!("CARGO_BIN_EXE_alea-tournament")).parent().expect("a folder");
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
        command.args(["-c", line]).current_dir(self.dir.path()).env("PATH", path).env(MARK, &self.mark);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn start(&self, words: &[&str]) -> Child {
        self.command(words).spawn().expect("the tool starts")
    }

    /// Run to the end, and see that nothing is left behind.
    pub fn run(&self, words: &[&str]) -> Output {
        let output = self.command(words).output().expect("the tool runs");
        self.assert_nothing_left();
        output
    }

    pub fn succeed(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Run something that must be refused, and return what it says.
    pub fn refuse(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(!output.status.success(), "{words:?} was not refused: {}", text(&output.stdout));
        text(&output.stderr)
    }

    /// Processes started from this arena that still run.
    pub fn left(&self) -> Vec<String> {
        let needle = format!("{MARK}={}\0", self.mark);
        let has_mark = |dir: &Path| {
            let environment = fs::read(dir.join("environ")).unwrap_or_default();
            environment.windows(needle.len()).any(|window| window == needle.as_bytes())
        };
        let processes = fs::read_dir("/proc").expect("a list of processes").flatten();
        let marked = processes.map(|entry| entry.path()).filter(|dir| has_mark(dir));
        marked
            .map(|dir| format!("{} {}", dir.display(), text(&fs::read(dir.join("cmdline")).unwrap_or_default())))
            .collect()
    }

    /// Whether a process runs that sleeps for as long as a fake engine's bare daemon does.
    pub fn bare_daemon_runs(&self) -> bool {
        let needle = format!("sleep\0300.{}\0", self.mark.replace('-', ""));
        let processes = fs::read_dir("/proc").expect("a list of processes").flatten();
        let mut lines = processes.map(|entry| fs::read(entry.path().join("cmdline")).unwrap_or_default());
        lines.any(|line| text(&line).ends_with(&needle))
    }

    /// Fails if a process is left after a moment: one that just lost its parent may need it to notice.
    pub fn assert_nothing_left(&self) {
        let deadline = Instant::now() + Duration::from_secs(2);
        while !self.left().is_empty() {
            assert!(Instant::now() < deadline, "left behind: {:?}", self.left());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn games(&self, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(name).join("games.jsonl")).expect("games");
        text.lines().map(|line| serde_json::from_str(line).expect("a game a line")).collect()
    }

    pub fn summary(&self, name: &str) -> Value {
        let text = fs::read_to_string(self.path(name).join("summary.json")).expect("a summary");
        serde_json::from_str(&text).expect("a summary in JSON")
    }

    /// Every file of a folder by name, with the measured times masked.
    pub fn files(&self, name: &str) -> Vec<(String, String)> {
        let entries = fs::read_dir(self.path(name)).expect("a folder").flatten();
        let mut files: Vec<(String, String)> = entries
            .filter(|entry| entry.path().is_file())
            .map(|entry| {
                let content = fs::read_to_string(entry.path()).expect("text");
                (entry.file_name().to_string_lossy().into_owned(), masked(&content))
            })
            .collect();
        files.sort();
        files
    }
}

/// The text with `"time_us":[…]` and `"mean_time_ms": …` emptied: the only fields that two runs do not share.
pub fn masked(text: &str) -> String {
    let mask = |line: &str| match (line.find("\"time_us\":"), line.find("\"mean_time_ms\":")) {
        (Some(place), _) => line[..place].to_string(),
        (_, Some(place)) => line[..place].to_string(),
        _ => line.to_string(),
    };
    text.lines().map(mask).collect::<Vec<_>>().join("\n")
}

/// Words, and more words.
pub fn with<'a>(words: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    words.iter().map(String::as_str).chain(more.iter().copied()).collect()
}

/// The words that make a fake engine.
pub fn fake(name: &str, behaviour: &str, limits: &str) -> String {
    format!("--engine=name={name},cmd={} {behaviour},{limits}", fake_engine())
}

/// The fake engine: an example of this package, so that it is built with the tests and never installed.
pub fn fake_engine() -> String {
    built("examples/fake-engine")
}

/// The engine itself.
pub fn engine() -> String {
    built("alea")
}

fn built(name: &str) -> String {
    let path = alea_tools::programs::beside(name);
    path.unwrap_or_else(|| panic!("no {name}: run `cargo test --release --workspace`")).display().to_string()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
