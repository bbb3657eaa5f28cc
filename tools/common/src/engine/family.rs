//! All that an engine started, wherever it went.
//!
//! A process group ends with one signal, but a process may leave it (`setsid`), and one whose parent has ended belongs to
//! nobody the engine's. So this tool declares itself the reaper of its descendants (`PR_SET_CHILD_SUBREAPER`, Linux):
//! whatever loses its parent below it becomes its own child and cannot get lost. Each engine's environment carries a mark
//! that its descendants inherit, which tells whose they are. When an engine ends, its descendants and everything with
//! its mark are killed; when the tool ends, all that is left below it is, mark or no mark.

use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};

/// The variable that marks an engine's environment.
const MARK: &str = "ALEA_ENGINE_MARK";

/// Engines that run: children whose end somebody waits for.
static ENGINES: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// What all processes of one engine share.
#[derive(Clone, Debug)]
pub struct Mark(String);

/// Start an engine under a mark of its own.
pub fn spawn(command: &mut Command) -> io::Result<(Child, Mark)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mark = Mark(format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    // Under the lock, so that nobody takes a child that has just been born for one that has been left behind.
    let mut engines = ENGINES.lock();
    let child = command.env(MARK, &mark.0).spawn()?;
    engines.insert(child.id().cast_signed());
    Ok((child, mark))
}

/// An engine has ended and has been waited for.
pub fn forget(engine: u32) {
    ENGINES.lock().remove(&engine.cast_signed());
}

#[cfg(target_os = "linux")]
pub use linux::{adopt, end_all, end_family};

#[cfg(not(target_os = "linux"))]
pub use elsewhere::{adopt, end_all, end_family};

#[cfg(target_os = "linux")]
mod linux {
    use super::{ENGINES, MARK, Mark};
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, set_child_subreaper, waitid};
    use std::fs;
    use std::time::Duration;

    /// How often to look again for processes that were started while others were being killed.
    const ROUNDS: usize = 50;

    /// A process as `/proc` shows it.
    struct Entry {
        id: i32,
        parent: i32,
        dead: bool,
    }

    /// Become the parent of every descendant that loses its own.
    pub fn adopt() {
        // On a system that refuses, process groups still end what stays in them.
        let _ = set_child_subreaper(Some(rustix::process::getpid()));
    }

    /// End an engine with `kill`, and all that it started: its descendants at that moment and whatever carries its mark.
    pub fn end_family(engine: u32, mark: &Mark, kill: impl FnOnce()) {
        let engine = engine.cast_signed();
        // Once it is gone, its children are nobody's.
        let known = below(&processes(), engine);
        kill();
        let needle = format!("{MARK}={}\0", mark.0);
        let own = |id: i32| {
            let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environment.windows(needle.len()).any(|window| window == needle.as_bytes())
        };
        end(|all| {
            let below_us = below(all, std::process::id().cast_signed());
            below_us.into_iter().filter(|id| known.contains(id) || own(*id)).collect()
        });
    }

    /// End everything that still runs below this process, but for engines.
    pub fn end_all() {
        end(|all| below(all, std::process::id().cast_signed()));
    }

    /// Kill what `choose` finds, and look again until it finds nothing.
    fn end(choose: impl Fn(&[Entry]) -> Vec<i32>) {
        for _ in 0..ROUNDS {
            let engines = ENGINES.lock();
            let all = processes();
            let mut chosen = choose(&all);
            chosen.retain(|id| !engines.contains(id));
            for &id in &chosen {
                if let Some(id) = Pid::from_raw(id) {
                    let _ = kill_process(id, Signal::KILL);
                }
            }
            // Those without another parent are ours to reap; so are those that ended by themselves.
            let me = std::process::id().cast_signed();
            for entry in all.iter().filter(|entry| entry.parent == me && !engines.contains(&entry.id)) {
                if let Some(id) = Pid::from_raw(entry.id).filter(|_| entry.dead || chosen.contains(&entry.id)) {
                    let _ = waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
                }
            }
            drop(engines);
            if chosen.iter().all(|id| all.iter().any(|entry| entry.id == *id && entry.dead)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The processes below one, at any distance.
    fn below(all: &[Entry], root: i32) -> Vec<i32> {
        let mut found = vec![root];
        let mut next = 0;
        while let Some(&parent) = found.get(next) {
            found.extend(all.iter().filter(|entry| entry.parent == parent && entry.id != root).map(|entry| entry.id));
            next += 1;
        }
        found.remove(0);
        found
    }

    fn processes() -> Vec<Entry> {
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        ids.filter_map(entry).collect()
    }

    fn entry(id: i32) -> Option<Entry> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // After the name, which is in brackets and may hold anything: state, parent.
        let mut words = stat.rsplit(')').next()?.split_whitespace();
        let dead = matches!(words.next()?, "Z" | "X");
        Some(Entry { id, parent: words.next()?.parse().ok()?, dead })
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::Mark;

    /// Nothing to do: process groups end what stays in them.
    pub fn adopt() {}

    /// End an engine; its process group has to do for the rest.
    pub fn end_family(_: u32, _: &Mark, kill: impl FnOnce()) {
        kill();
    }

    /// Nothing to do.
    pub fn end_all() {}
}
