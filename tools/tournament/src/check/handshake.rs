//! How an engine introduces itself, and its options.

use super::Point;
use super::dialogue::{Dialogue, ensure, mistakes, wrong};
use super::failure::Failure;

pub const POINTS: &[Point] = &[
    Point { name: "uci is answered with id, options and uciok", test: uci },
    Point { name: "ugi is answered the same way, ending in ugiok", test: ugi },
    Point { name: "options are well formed: type, default, range or choices", test: options },
    Point { name: "every default can be set, whatever the case of the name", test: defaults },
    Point { name: "unknown options and values out of range are errors that name them", test: bad_options },
    Point { name: "ucinewgame and uginewgame are accepted", test: new_game },
    Point { name: "tabs, CRLF, blank lines and surplus spaces are fine", test: white_space },
];

fn uci(dialogue: &mut Dialogue) -> Result<(), Failure> {
    introduction(dialogue, "uci", "uciok").map(|_| ())
}

fn ugi(dialogue: &mut Dialogue) -> Result<(), Failure> {
    introduction(dialogue, "ugi", "ugiok").map(|_| ())
}

/// The `option` lines of an introduction that is complete.
fn introduction(dialogue: &mut Dialogue, ask: &str, end: &str) -> Result<Vec<String>, Failure> {
    dialogue.say(ask)?;
    let mut lines = dialogue.hear_until(end)?;
    lines.pop();
    for id in ["id name ", "id author "] {
        let count = lines.iter().filter(|line| line.starts_with(id) && line.len() > id.len()).count();
        ensure(count == 1, format!("expected one '{id}…' line, found {count}"))?;
    }
    let options: Vec<String> = lines.iter().filter(|line| line.starts_with("option name ")).cloned().collect();
    let strange = lines.iter().find(|line| !line.starts_with("option name ") && !line.starts_with("id "));
    match strange {
        Some(line) => Err(wrong(format!("'{line}' is neither id nor option"))),
        None => Ok(options),
    }
}

/// An option as it introduced itself.
struct Introduced {
    name: String,
    kind: String,
    default: Option<String>,
    low: Option<i64>,
    high: Option<i64>,
    choices: Vec<String>,
}

fn read_option(line: &str) -> Result<Introduced, Failure> {
    let rest = line.trim_start_matches("option name ");
    let (name, rest) = rest.split_once(" type ").ok_or_else(|| wrong(format!("'{line}' has no type")))?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let kind = words.first().ok_or_else(|| wrong(format!("'{line}' has no type")))?.to_string();
    let keys = ["default", "min", "max", "var"];
    // A value is all words up to the next key: choices may have spaces.
    let mut values: Vec<(&str, String)> = Vec::new();
    for word in &words[1..] {
        match values.last_mut() {
            _ if keys.contains(word) => values.push((word, String::new())),
            Some((_, value)) if value.is_empty() => value.push_str(word),
            Some((_, value)) => value.push_str(&format!(" {word}")),
            None => return Err(wrong(format!("'{word}' in '{line}': expected default, min, max or var"))),
        }
    }
    let value = |key: &str| values.iter().find(|(name, _)| *name == key).map(|(_, value)| value.clone());
    let number = |key: &str| match value(key) {
        Some(text) => text.parse().map(Some).map_err(|_| wrong(format!("'{key} {text}' in '{line}' is not a number"))),
        None => Ok(None),
    };
    let choices = values.iter().filter(|(key, _)| *key == "var").map(|(_, value)| value.clone()).collect();
    Ok(Introduced {
        name: name.to_string(),
        kind,
        default: value("default"),
        low: number("min")?,
        high: number("max")?,
        choices,
    })
}

fn options(dialogue: &mut Dialogue) -> Result<(), Failure> {
    for line in introduction(dialogue, "uci", "uciok")? {
        let option = read_option(&line)?;
        let default = option.default.as_deref();
        let sound = match option.kind.as_str() {
            "check" => matches!(default, Some("true" | "false")),
            "spin" => {
                let default: Option<i64> = default.and_then(|default| default.parse().ok());
                matches!((option.low, default, option.high), (Some(a), Some(b), Some(c)) if a <= b && b <= c)
            }
            "combo" => default.is_some_and(|default| option.choices.iter().any(|choice| choice == default)),
            "button" => default.is_none(),
            "string" => default.is_some(),
            _ => false,
        };
        ensure(sound, format!("'{line}': type and default do not fit"))?;
    }
    Ok(())
}

fn defaults(dialogue: &mut Dialogue) -> Result<(), Failure> {
    for line in introduction(dialogue, "uci", "uciok")? {
        let option = read_option(&line)?;
        for name in [option.name.to_uppercase(), option.name.to_lowercase()] {
            let command = match option.default.as_deref() {
                None | Some("") => format!("setoption name {name}"),
                Some(default) => format!("setoption name {name} value {default}"),
            };
            let answers = dialogue.ask(&command)?;
            ensure(mistakes(&answers).is_empty(), format!("'{command}' was refused"))?;
        }
    }
    Ok(())
}

fn bad_options(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let lines = introduction(dialogue, "uci", "uciok")?;
    let mut cases = vec![("setoption name Nonesuch value 1".to_string(), "Nonesuch".to_string())];
    for line in &lines {
        let option = read_option(line)?;
        let name = &option.name;
        match option.kind.as_str() {
            "spin" => {
                cases.push((format!("setoption name {name} value many"), "many".to_string()));
                cases.extend(
                    option
                        .high
                        .and_then(|high| high.checked_add(1))
                        .map(|over| (format!("setoption name {name} value {over}"), over.to_string())),
                );
            }
            "combo" => cases.push((format!("setoption name {name} value nonesuch"), "nonesuch".to_string())),
            _ => {}
        }
    }
    for (command, word) in cases {
        let answers = dialogue.ask(&command)?;
        let named = mistakes(&answers).iter().any(|text| text.to_lowercase().contains(&word.to_lowercase()));
        ensure(named, format!("'{command}': expected 'info string error: …' that names '{word}'"))?;
    }
    Ok(())
}

fn new_game(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let answers = dialogue.ask("ucinewgame\nuginewgame")?;
    ensure(answers.is_empty(), format!("'{}' in answer to a new game", answers.join(" / ")))
}

fn white_space(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.say_bytes(b"\n\r\n   \t \n\tposition   startpos\t5  4   roll 2 \r\n  go\tdepth   1\r\n")?;
    let lines = dialogue.hear_until("bestmove")?;
    ensure(mistakes(&lines).is_empty(), "white space was taken for a mistake")
}
