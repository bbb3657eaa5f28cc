//! What happens when nobody reads, or nobody can.

use crate::arena::{Arena, fake, fake_engine, text};

/// The words after the tool's name.
fn commands(arena: &Arena) -> Vec<String> {
    let engines = [fake("A", "spread", "depth=1"), fake("B", "none", "depth=1")];
    let run = format!("run '{}' '{}' --pairs 2 --quiet --out", engines[0], engines[1]);
    arena.shell(&format!("alea-tournament {run} out")).output().unwrap();
    arena.shell(&format!("alea-tournament {run} part --shard 1/1")).output().unwrap();
    vec![
        format!("{run} new"),
        "report out".to_string(),
        "replay out 1".to_string(),
        format!("check --patience 100ms -- {} none", fake_engine()),
        "merge part --out merged".to_string(),
        "completions bash".to_string(),
        "--help".to_string(),
    ]
}

#[test]
fn nobody_reads() {
    let arena = Arena::new();
    for words in commands(&arena) {
        let output = arena.shell(&format!("alea-tournament {words} | true; true")).output().unwrap();
        assert!(text(&output.stderr).is_empty(), "{words}: {}", text(&output.stderr));
        arena.assert_nothing_left();
    }
}

#[test]
fn nobody_can_write() {
    let arena = Arena::new();
    for words in commands(&arena) {
        let output = arena.shell(&format!("alea-tournament {words} > /dev/full")).output().unwrap();
        let said = text(&output.stderr);
        // Help is clap's to print, and nothing depends on it.
        if words != "--help" {
            assert_eq!(output.status.code(), Some(1), "{words}: {said}");
            assert!(said.contains("stdout: No space left"), "{words}: {said}");
        }
        assert!(!said.contains("panicked"), "{words}: {said}");
        arena.assert_nothing_left();
        let output = arena.shell(&format!("alea-tournament {words} > /dev/full 2> /dev/full")).output().unwrap();
        assert_ne!(output.status.code(), Some(101), "{words}");
    }
}

#[test]
fn what_engines_say_of_themselves_is_spelled_out() {
    let arena = Arena::new();
    let engines = [fake("A", "escape 9", "depth=1"), fake("B", "none", "depth=1")];
    let output = arena.run(&["run", &engines[0], &engines[1], "--pairs", "1", "--out", "DIR/out"]);
    let shown = text(&output.stdout);
    assert!(output.status.success() && shown.contains("\\u{1b}[31mRed\\u{7}"), "{shown}");
    for (name, content) in arena.files("out") {
        assert!(!content.contains(['\x1b', '\x07']), "{name}: {content}");
    }
    let list = text(&arena.run(&["check", "--patience", "100ms", "--", &fake_engine(), "escape"]).stdout);
    assert!(list.contains("\\u{1b}") && !list.contains('\x1b'), "{list}");
}

#[test]
fn completions_and_man_pages_are_made() {
    let arena = Arena::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = arena.succeed(&["completions", shell]);
        assert!(script.contains("alea-tournament") && script.contains("concurrency"), "{shell}");
    }
    arena.succeed(&["man", "DIR/man1"]);
    let page = std::fs::read_to_string(arena.path("man1/alea-tournament-run.1")).unwrap();
    assert!(page.contains("--concurrency") || page.contains("\\-\\-concurrency"), "{page}");
}
