//! The file of dice that the adapters of one board share, when none is named: one for each parent process.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The file of this process and its siblings. Those of boards that are gone are removed.
pub fn file() -> PathBuf {
    let folder = folder();
    clean(&folder);
    let parent = rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get());
    folder.join(format!("{parent}-{}.dice", started(parent)))
}

fn folder() -> PathBuf {
    let named = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    named("XDG_RUNTIME_DIR")
        .or_else(|| named("XDG_CACHE_HOME"))
        .or_else(|| named("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(|| env::temp_dir().join(format!("alea-{}", rustix::process::getuid().as_raw())))
        .join("alea-gtp")
}

/// When a process was started, so that another one of the same number has another file; 0 where that cannot be known.
fn started(process: i32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name is in brackets and may hold anything; the start is the twentieth word after it.
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(19)?.parse().ok()).unwrap_or_default()
}

/// Remove the files of processes that are gone.
fn clean(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in
        entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|ext| ext == "dice"))
    {
        let name = path.file_stem().and_then(|name| name.to_str()).and_then(|name| name.split_once('-'));
        let gone = name.and_then(|(process, start)| Some((process.parse().ok()?, start.parse().ok()?)));
        if gone.is_some_and(|(process, start): (i32, u64)| start != 0 && started(process) != start) {
            let _ = fs::remove_file(path.with_extension("lock"));
            let _ = fs::remove_file(path);
        }
    }
}
