//! Scripted dialogues with the real engine, one file each in `transcripts/`.
//!
//! `> line` is sent. `< pattern` is a regular expression for a whole line that must come, after any others. `! pattern`
//! must match no line from there on. `# ...` is a comment. At the end the input is closed; the engine must exit with 0 and an empty
//! stderr.

#[path = "support/engine.rs"]
mod engine;

use engine::Engine;
use regex::Regex;
use std::fs;
use std::path::Path;

fn whole_line(pattern: &str) -> Regex {
    Regex::new(&format!("^(?:{pattern})$")).unwrap_or_else(|error| panic!("{error}"))
}

fn run(path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let mut engine = Engine::start();
    let mut forbidden: Vec<Regex> = Vec::new();
    let check = |forbidden: &[Regex], line: &str, at: &str| {
        let bad = forbidden.iter().find(|pattern| pattern.is_match(line));
        assert!(bad.is_none(), "{at}: {line:?} matches the forbidden {}", bad.unwrap());
    };
    for (number, step) in (1..).zip(text.lines()) {
        let at = format!("{}:{number}", path.display());
        match step.split_once(' ').unwrap_or((step, "")) {
            ("#" | "", _) => {}
            (">", line) => engine.send(line),
            ("!", pattern) => forbidden.push(whole_line(pattern)),
            ("<", pattern) => {
                let pattern = whole_line(pattern);
                let mut seen = Vec::new();
                loop {
                    let next = engine.try_next();
                    let (line, _) = next.unwrap_or_else(|why| panic!("{at}: no {pattern} ({why}) in {seen:#?}"));
                    check(&forbidden, &line, &at);
                    if pattern.is_match(&line) {
                        break;
                    }
                    seen.push(line);
                }
            }
            _ => panic!("{at}: expected '> line', '< pattern', '! pattern' or '# comment'"),
        }
    }
    engine.close_input();
    for line in engine.rest() {
        check(&forbidden, &line, &path.display().to_string());
    }
    let (status, complaints) = engine.end();
    assert!(status.success(), "{}: {status}", path.display());
    assert_eq!(complaints, "", "{}", path.display());
}

#[test]
fn every_transcript_plays_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 10, "{} transcripts", paths.len());
    for path in paths {
        run(&path);
    }
}
