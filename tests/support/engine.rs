//! A real engine process, spoken to as any client would.

#![allow(dead_code)] // Each test file uses its own part of this.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything the tests wait for takes, on a busy machine too.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(String, Instant)>,
}

impl Engine {
    pub fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alea"))
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.expect("the engine writes UTF-8");
                if sender.send((line, Instant::now())).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Engine { child, stdin, lines }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Send text as it is.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("input is still open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the engine reads");
    }

    /// Send lines.
    pub fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    /// The next line and when it came, or why there is none.
    pub fn try_next(&mut self) -> Result<(String, Instant), RecvTimeoutError> {
        self.lines.recv_timeout(PATIENCE)
    }

    /// The next line and when it came; `None` at the end of output.
    pub fn next(&mut self) -> Option<(String, Instant)> {
        match self.try_next() {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no line within {PATIENCE:?}"),
        }
    }

    /// Whether a line comes within a while.
    pub fn says_something_within(&mut self, time: Duration) -> Option<String> {
        self.lines.recv_timeout(time).ok().map(|(line, _)| line)
    }

    /// Lines up to and with the first that starts with `prefix`.
    pub fn until(&mut self, prefix: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.next() {
                Some((line, _)) => seen.push(line),
                None => panic!("output ended before '{prefix}': {seen:#?}"),
            }
            if seen.last().is_some_and(|line| line.starts_with(prefix)) {
                return seen;
            }
        }
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Every line to the end of output.
    pub fn rest(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.next()).map(|(line, _)| line).collect()
    }

    /// How the process ended, and what it wrote on stderr.
    pub fn end(mut self) -> (ExitStatus, String) {
        let status = self.wait(PATIENCE).expect("the engine ends");
        let mut complaints = String::new();
        let stderr = self.child.stderr.take().expect("stderr is piped");
        std::io::Read::read_to_string(&mut BufReader::new(stderr), &mut complaints).expect("stderr is text");
        (status, complaints)
    }

    /// How the process ended, if it does within a while.
    pub fn wait(&mut self, time: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        while start.elapsed() < time {
            if let Some(status) = self.child.try_wait().expect("the engine can be waited for") {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(5));
        }
        None
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the engine answers to some lines and the end of input. It must end well and say nothing on stderr.
pub fn answers(lines: &str) -> Vec<String> {
    let mut engine = Engine::start();
    engine.send(lines);
    engine.close_input();
    let answers = engine.rest();
    let (status, complaints) = engine.end();
    assert!(status.success(), "{status} after {lines:?}");
    assert_eq!(complaints, "", "stderr after {lines:?}");
    answers
}
