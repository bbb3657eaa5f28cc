//! What the system knows of processes. Where it does not tell, the answer is `None`.

use std::fs;

/// Processor seconds that this process has used on all its threads.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub fn processor_seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

/// Processor seconds that this process has used on all its threads.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub fn processor_seconds() -> Option<f64> {
    None
}

/// The number in a line `name: number …` of a process's status, of Linux.
fn status(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("{path}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The most memory a process has had so far, in MB.
pub fn peak_megabytes(process: u32) -> Option<f64> {
    status(&format!("/proc/{process}"), "VmHWM").map(|kilobytes| kilobytes as f64 / 1024.0)
}

/// How many threads a process has.
pub fn threads(process: u32) -> Option<u64> {
    status(&format!("/proc/{process}"), "Threads")
}

/// What a process has done so far, summed over the threads it has now.
#[derive(Clone, Copy)]
pub struct Activity {
    /// Processor time in nanoseconds.
    pub nanoseconds: u64,
    /// How often a thread went to sleep, and so was woken.
    pub sleeps: u64,
}

/// What a process has done so far.
pub fn activity(process: u32) -> Option<Activity> {
    let mut sum = Activity { nanoseconds: 0, sleeps: 0 };
    for task in fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let task = task.ok()?.path();
        let times = fs::read_to_string(task.join("schedstat")).ok()?;
        sum.nanoseconds += times.split_whitespace().next()?.parse::<u64>().ok()?;
        sum.sleeps += status(&task.to_string_lossy(), "voluntary_ctxt_switches")?;
    }
    Some(sum)
}
