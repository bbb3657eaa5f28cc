//! What the documents say is what the engine does.

#[path = "support/engine.rs"]
mod engine;

use alea::controller::options::declarations;
use alea::protocol::{Choice, LineKind, parse};
use engine::answers;
use regex::Regex;
use std::fs;
use std::path::Path;

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The fenced blocks of a language, in order.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap_or_default().to_owned()).collect()
}

/// Lines as they can be compared: node counts, times and expected play may change, values of solved positions not.
fn comparable(line: &str) -> String {
    let changing = Regex::new(r" (seldepth|nodes|nps|hashfull|time) \d+| pv .*").unwrap();
    changing.replace_all(line, "").trim_end().to_owned()
}

/// Whether the answers hold the expected lines in order, `...` standing for any others.
fn agree(expected: &str, answers: &[String]) -> Result<(), String> {
    let mut rest = answers.iter().map(|line| comparable(line));
    let mut skipping = false;
    for line in expected.lines() {
        if line == "..." {
            skipping = true;
            continue;
        }
        let wanted = comparable(line);
        let found = if skipping { rest.find(|line| *line == wanted) } else { rest.next() };
        if found.as_deref() != Some(wanted.as_str()) {
            return Err(format!("expected {wanted:?}, found {found:?}"));
        }
        skipping = false;
    }
    if skipping || rest.next().is_none() { Ok(()) } else { Err("there is more".into()) }
}

#[test]
fn the_session_of_the_readme_runs() {
    let blocks = blocks(&read("README.md"), "text");
    assert_eq!(blocks.len(), 5);
    for (said, answered) in [(0, 1), (2, 3)] {
        let lines = answers(&blocks[said]);
        agree(&blocks[answered], &lines).unwrap_or_else(|why| panic!("{why} in {lines:#?}"));
    }
    let end: String = blocks[4].lines().filter(|line| *line != "...").map(|line| format!("{line}\n")).collect();
    let lines = answers(&end);
    assert_eq!(lines[lines.len() - 2..], ["response true", "response p1win"]);
    assert!(lines.iter().any(|line| line.starts_with("bestmove ") && line.ends_with('1')), "{lines:#?}");
}

#[test]
fn the_first_command_of_the_readme_gives_a_move() {
    let readme = read("README.md");
    let command = blocks(&readme, "sh").remove(0);
    let piped = command.split('\'').nth(1).expect("a quoted text").replace("\\n", "\n");
    assert!(command.contains("| cargo run --release"));
    let lines = answers(&piped);
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:#?}");
}

#[test]
fn the_option_table_is_the_engines() {
    let rows: Vec<String> = declarations()
        .iter()
        .map(|option| {
            let (kind, default, range) = match option.choice() {
                Choice::Spin { default, min, max } => ("spin", default.to_string(), format!("{min} to {max}")),
                Choice::Combo { default, words } => ("combo", default.into(), words.join(", ")),
                Choice::Text { default: "" } => ("string", "\\<empty>".into(), String::new()),
                Choice::Text { default } => ("string", default.into(), String::new()),
                Choice::Check { default } => ("check", default.to_string(), "true, false".into()),
                Choice::Button => ("button", String::new(), String::new()),
            };
            format!("| `{}` | {kind} | {default} | {range} | {} |", option.name, option.meaning)
        })
        .collect();
    let text = read("protocol.md");
    let section =
        text.split("## Options").nth(1).expect("a section on options").split("\n## ").next().unwrap_or_default();
    let table: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(table, rows);
}

/// Every `option` line that protocol.md shows is one that the engine prints.
#[test]
fn the_option_lines_are_the_engines() {
    let text = read("protocol.md");
    let shown: Vec<&str> = text.lines().filter(|line| line.starts_with("option name ")).collect();
    assert!(shown.len() >= 4, "{shown:?}");
    let printed = answers("uci");
    for line in shown {
        assert!(printed.iter().any(|printed| printed == line), "{line}");
    }
}

/// Every `error` example of protocol.md: a line and the answer to it. A `go` has its `bestmove` all the same.
#[test]
fn the_error_examples_are_the_engines() {
    let text = read("protocol.md");
    let section =
        text.split("## Errors").nth(1).expect("a section on errors").split("\n## ").next().unwrap_or_default();
    let row = Regex::new(r"^\| `([^`]+)` \| `([^`]+)` \|$").unwrap();
    let examples: Vec<_> = section.lines().filter_map(|line| row.captures(line)).collect();
    assert!(examples.len() >= 20, "{} examples", examples.len());
    for example in examples {
        let mut expected = vec![format!("info string error: {}", &example[2])];
        if LineKind::of(&example[1]) == LineKind::Search {
            expected.push("bestmove (none)".into());
        }
        assert_eq!(answers(&example[1]), expected, "{}", &example[1]);
    }
}

/// Every dialogue of protocol.md: lines sent start with `> `, and `...` stands for any answers.
#[test]
fn the_dialogues_of_the_reference_run() {
    let dialogues = blocks(&read("protocol.md"), "text");
    assert!(dialogues.len() >= 4, "{} dialogues", dialogues.len());
    for dialogue in dialogues {
        let said: Vec<&str> = dialogue.lines().filter_map(|line| line.strip_prefix("> ")).collect();
        let expected: Vec<&str> = dialogue.lines().filter(|line| !line.starts_with("> ")).collect();
        for line in &said {
            assert!(parse(line).is_ok_and(|command| command.is_some()), "{line}");
        }
        let lines = answers(&said.join("\n"));
        agree(&expected.join("\n"), &lines).unwrap_or_else(|why| panic!("{why} in {lines:#?}"));
    }
}
