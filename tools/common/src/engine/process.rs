//! An engine's process: lines in and out with deadlines, and an end that leaves nothing behind.
//!
//! The engine runs in a process group of its own, so that Ctrl-C at the terminal reaches only this tool; whatever it
//! started ends with it (see [`family`]). One thread waits for output, errors and the wish to stop together: no
//! thread is needed for each pipe, and a move costs three system calls.

use super::family::{self, Mark};
use super::stop::Stop;
use crate::text::visible;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// No line of the protocol is nearly as long.
const MAX_LINE: usize = 1 << 20;

/// How much of what an engine says on stderr is kept, to be shown if it crashes.
const LAST_WORDS: usize = 2048;

/// How often to look whether an engine that says nothing is still there.
const GLANCE: Duration = Duration::from_millis(100);

/// How many times stderr is read for last words: an engine that never stops writing there has none.
const LAST_READS: usize = 64;

/// What one answer may cost: an engine that keeps writing must not keep anybody waiting, nor fill the memory.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    deadline: Instant,
    lines: usize,
    bytes: usize,
    begun: bool,
}

impl Quota {
    /// So many lines and bytes, until the deadline.
    pub fn new(deadline: Instant, lines: usize, bytes: usize) -> Quota {
        Quota { deadline, lines, bytes, begun: false }
    }
}

/// What came of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line, without its end.
    Line(String),
    /// The engine closed its output.
    Eof,
    /// The deadline passed.
    Timeout,
    /// Somebody asked to stop.
    Stopped,
    /// What came is not a line of text.
    Garbage(&'static str),
}

/// An engine's input. Dropping it closes it.
#[derive(Debug)]
pub struct Input(ChildStdin);

impl Input {
    /// Write text, whole; an error if the engine has closed its input or does not read it by the deadline.
    pub fn send(&mut self, text: &[u8], deadline: Instant) -> io::Result<()> {
        let mut rest = text;
        while !rest.is_empty() {
            match self.0.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                    let mut fds = [PollFd::new(&self.0, PollFlags::OUT)];
                    wait(&mut fds, left)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// A running engine process. Dropping it kills and reaps it and all it started.
pub struct Process {
    child: Child,
    stdin: Option<Input>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    pending: Vec<u8>,
    scanned: usize,
    last_words: VecDeque<u8>,
    mark: Mark,
    ended: Option<ExitStatus>,
}

impl Process {
    /// Start a program; a name without a slash is looked for beside this tool first, then in PATH.
    pub fn spawn(cmd: &[String]) -> io::Result<Process> {
        let (program, arguments) =
            cmd.split_first().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no command"))?;
        let mut command = Command::new(find_program(program));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let (mut child, mark) = family::spawn(&mut command)?;
        let pipe = |what| io::Error::other(format!("no {what} pipe"));
        let stdin = child.stdin.take().ok_or_else(|| pipe("input"))?;
        let stdout = child.stdout.take().ok_or_else(|| pipe("output"))?;
        let stderr = child.stderr.take();
        // An engine that does not read must not block us: a full pipe is waited for with a deadline.
        rustix::io::ioctl_fionbio(&stdin, true)?;
        Ok(Process {
            child,
            stdin: Some(Input(stdin)),
            stdout: Some(stdout),
            stderr,
            pending: Vec::new(),
            scanned: 0,
            last_words: VecDeque::new(),
            mark,
            ended: None,
        })
    }

    /// Write text, whole; an error if the engine has closed its input or does not read it by the deadline.
    pub fn send(&mut self, text: &[u8], deadline: Instant) -> io::Result<()> {
        self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.send(text, deadline)
    }

    /// The engine's input, for somebody else to write to while this process is read from. There is one.
    pub fn take_input(&mut self) -> Option<Input> {
        self.stdin.take()
    }

    /// Close the engine's input: no more commands.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Close the engine's output: nobody listens any more.
    pub fn close_output(&mut self) {
        self.stdout = None;
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line of an answer, within its quota. The clock is looked at before every line but the first: one that is
    /// there already is found, a stream of them ends.
    pub fn answer(&mut self, quota: &mut Quota, stop: &Stop) -> io::Result<Heard> {
        if quota.begun && Instant::now() >= quota.deadline {
            return Ok(Heard::Timeout);
        }
        if quota.lines == 0 || quota.bytes == 0 {
            return Ok(Heard::Garbage("it writes without end"));
        }
        let heard = self.line(quota.deadline, stop)?;
        if let Heard::Line(line) = &heard {
            quota.begun = true;
            quota.lines -= 1;
            quota.bytes = quota.bytes.saturating_sub(line.len() + 1);
        }
        Ok(heard)
    }

    /// The next line of output, waiting until the deadline at most; one that is there already is always found.
    pub fn line(&mut self, deadline: Instant, stop: &Stop) -> io::Result<Heard> {
        loop {
            if let Some(heard) = self.pending_line() {
                return Ok(heard);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let (output, errors, stopped) = self.wait(left.min(GLANCE), stop)?;
            if stopped {
                return Ok(Heard::Stopped);
            }
            if errors {
                self.read_errors();
            }
            if output {
                if !self.read_output()? {
                    return Ok(Heard::Eof);
                }
            } else if left.is_zero() {
                return Ok(Heard::Timeout);
            } else if left > GLANCE && self.has_exited_within(Duration::ZERO) && !self.wait(Duration::ZERO, stop)?.0 {
                // What it started may hold its output open: no reason to wait for an engine that is gone.
                return Ok(Heard::Eof);
            }
        }
    }

    fn pending_line(&mut self) -> Option<Heard> {
        let Some(end) = self.pending[self.scanned..].iter().position(|&byte| byte == b'\n') else {
            self.scanned = self.pending.len();
            return (self.scanned > MAX_LINE).then_some(Heard::Garbage("a line is longer than a megabyte"));
        };
        let line: Vec<u8> = self.pending.drain(..self.scanned + end + 1).collect();
        self.scanned = 0;
        match std::str::from_utf8(&line) {
            Ok(text) => Some(Heard::Line(text.trim_end_matches(['\n', '\r']).to_string())),
            Err(_) => Some(Heard::Garbage("a line is not UTF-8")),
        }
    }

    /// Wait for output, for errors, or for the wish to stop: which of them came.
    fn wait(&self, left: Duration, stop: &Stop) -> io::Result<(bool, bool, bool)> {
        // A pipe that has been closed is never ready.
        let stop = stop.as_fd();
        let output = self.stdout.as_ref().map_or(stop, AsFd::as_fd);
        let errors = self.stderr.as_ref().map_or(stop, AsFd::as_fd);
        let mut fds = [output, errors, stop].map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        wait(&mut fds, left)?;
        let [output, errors, stopped] = fds.map(|fd| !fd.revents().is_empty());
        Ok((output && !stopped, errors && !stopped, stopped))
    }

    /// Read what there is; false at the end of the output.
    fn read_output(&mut self) -> io::Result<bool> {
        let Some(stdout) = self.stdout.as_mut() else { return Ok(false) };
        let mut chunk = [0; 8192];
        loop {
            match stdout.read(&mut chunk) {
                Ok(0) => return Ok(false),
                Ok(read) => {
                    self.pending.extend_from_slice(&chunk[..read]);
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn read_errors(&mut self) {
        let mut chunk = [0; 4096];
        match self.stderr.as_mut().map(|stderr| stderr.read(&mut chunk)) {
            Some(Ok(read)) if read > 0 => {
                self.last_words.extend(&chunk[..read]);
                let surplus = self.last_words.len().saturating_sub(LAST_WORDS);
                self.last_words.drain(..surplus);
            }
            Some(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            _ => self.stderr = None,
        }
    }

    /// What the engine last said on stderr.
    pub fn last_words(&mut self) -> String {
        for _ in 0..LAST_READS {
            let more = self.stderr.as_ref().is_some_and(|stderr| {
                let mut fds = [PollFd::new(stderr, PollFlags::IN)];
                wait(&mut fds, Duration::ZERO).is_ok() && !fds[0].revents().is_empty()
            });
            if !more {
                break;
            }
            self.read_errors();
        }
        let (a, b) = self.last_words.as_slices();
        visible(String::from_utf8_lossy(&[a, b].concat()).trim(), LAST_WORDS)
    }

    /// Wait for the process to end by itself for at most `grace`; then end it and all it started. `None` if it had to
    /// be killed.
    pub fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        if let Some(status) = self.ended {
            return Some(status);
        }
        let exited = self.has_exited_within(grace);
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        family::end_family(self.child.id(), &self.mark, || {
            // Before reaping: until then the number of the group cannot be anybody else's.
            let _ = pid.map(|pid| kill_process_group(pid, Signal::KILL));
        });
        let status = self.child.wait().ok();
        family::forget(self.child.id());
        self.ended = status;
        status.filter(|_| exited)
    }

    fn has_exited_within(&self, grace: Duration) -> bool {
        let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) else { return true };
        let deadline = Instant::now() + grace;
        let mut pause = Duration::from_micros(50);
        loop {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
            if !matches!(waitid(WaitId::Pid(pid), options), Ok(None)) {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// How a process ended, for people.
pub fn describe(status: Option<ExitStatus>) -> String {
    match status.map(|status| (status.code(), status.signal())) {
        Some((Some(code), _)) => format!("exited with code {code}"),
        Some((None, Some(signal))) => format!("was killed by signal {signal}"),
        _ => "closed its output".to_string(),
    }
}

fn wait(fds: &mut [PollFd<'_>], left: Duration) -> io::Result<()> {
    let left = Timespec::try_from(left).map_err(io::Error::other)?;
    match poll(fds, Some(&left)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn find_program(program: &str) -> PathBuf {
    if program.contains('/') {
        return PathBuf::from(program);
    }
    crate::programs::beside(program).unwrap_or_else(|| PathBuf::from(program))
}
