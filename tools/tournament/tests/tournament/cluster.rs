//! One tournament on many machines: job arrays, and what becomes of a job that is killed.

use crate::arena::{Arena, fake, text, with};
use std::process::Command;
use std::time::{Duration, Instant};

fn engines() -> [String; 2] {
    [fake("A", "spread", "depth=3"), fake("B", "slow 2", "depth=1")]
}

fn words() -> Vec<String> {
    engines().into_iter().chain(["--pairs", "60", "--seed", "5", "--no-times", "--quiet"].map(String::from)).collect()
}

#[test]
fn a_job_array_says_which_part() {
    let arena = Arena::new();
    let run: Vec<String> = std::iter::once("run".to_string()).chain(words()).collect();
    arena.succeed(&with(&run, &["--out", "DIR/whole"]));
    for task in 10..13 {
        let mut command = arena.command(&with(&run, &["--shard", "auto", "--out", &format!("DIR/part{task}")]));
        command.env("SLURM_ARRAY_TASK_ID", task.to_string()).env("SLURM_ARRAY_TASK_MIN", "10");
        let output = command.env("SLURM_ARRAY_TASK_COUNT", "3").output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    arena.succeed(&["merge", "DIR/part10", "DIR/part11", "DIR/part12", "--out", "DIR/merged"]);
    assert_eq!(arena.files("merged"), arena.files("whole"));
    let error = arena.refuse(&with(&run, &["--shard", "auto", "--out", "DIR/no"]));
    assert!(error.contains("SLURM_ARRAY_TASK_ID"), "{error}");
}

/// The script for GNU parallel, on this machine alone: one job is killed, the script is run again, and the merged files
/// are those of one run.
#[test]
fn gnu_parallel_plays_and_goes_on() {
    if Command::new("parallel").arg("--version").output().is_err() {
        eprintln!("skipped: GNU parallel is not installed");
        return;
    }
    let arena = Arena::new();
    let run: Vec<String> = std::iter::once("run".to_string()).chain(words()).collect();
    arena.succeed(&with(&run, &["--out", "DIR/whole"]));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/gnu-parallel.sh");
    let quoted: Vec<String> = words().iter().map(|word| format!("'{word}'")).collect();
    let line = format!("sh '{script}' 3 : all {}", quoted.join(" "));

    let started = arena.shell(&line).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    let victim = loop {
        // The tool itself, not the shell that parallel starts it with.
        let is_job = |job: &&String| job.contains("alea-tournament\0run\0") && job.contains("\0all/part2\0");
        let left = arena.left();
        if let (Some(job), true) = (left.iter().find(is_job), arena.path("all/part2/summary.json").exists()) {
            break job.split([' ', '/']).find_map(|word| word.parse::<i32>().ok()).unwrap();
        }
        assert!(Instant::now() < deadline, "no job to kill: {:?}", arena.left());
        std::thread::sleep(Duration::from_millis(2));
    };
    let pid = rustix::process::Pid::from_raw(victim).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    let output = started.wait_with_output().unwrap();
    assert!(!output.status.success(), "a job was killed: {}", text(&output.stderr));
    assert!(!arena.path("all/whole").exists());

    let output = arena.shell(&line).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(arena.files("all/whole"), arena.files("whole"));
    let output = arena.shell(&line).output().unwrap();
    assert!(output.status.success(), "done already: {}", text(&output.stderr));
}
