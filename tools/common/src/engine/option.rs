//! The lines in which an engine says what can be set.

/// An option as the engine declares it: `option name <name> type …`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionLine {
    /// Its name, which may have spaces.
    pub name: String,
    /// What it may be set to.
    pub kind: OptionKind,
}

/// What an option may be set to, and what it is at first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// Yes or no.
    Check {
        /// What it is at first.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// What it is at first.
        default: i64,
        /// The least it may be.
        min: i64,
        /// The most it may be.
        max: i64,
    },
    /// One of some words.
    Combo {
        /// What it is at first.
        default: String,
        /// The words.
        words: Vec<String>,
    },
    /// A text.
    String {
        /// What it is at first.
        default: String,
    },
    /// Nothing: it does something when it is pressed.
    Button,
}

impl OptionLine {
    /// What a line declares; `None` if it is no declaration, or one of a kind that nobody knows.
    pub fn read(line: &str) -> Option<OptionLine> {
        let rest = line.trim().strip_prefix("option")?.trim_start().strip_prefix("name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let (kind, rest) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
        let kind = match kind {
            "check" => OptionKind::Check { default: word_after(rest, "default") == Some("true") },
            "spin" => {
                let number = |key| word_after(rest, key).and_then(|word| word.parse::<i64>().ok());
                let (min, max) = (number("min").unwrap_or(i64::MIN), number("max").unwrap_or(i64::MAX));
                OptionKind::Spin { default: number("default").unwrap_or(min.max(0)), min, max }
            }
            "combo" => {
                let mut parts = rest.split(" var ").map(str::trim);
                let default = parts.next().unwrap_or("").trim_start_matches("default").trim().to_string();
                OptionKind::Combo { default, words: parts.map(str::to_string).collect() }
            }
            "string" => {
                let default = rest.trim().strip_prefix("default").unwrap_or("").trim();
                OptionKind::String { default: if default == "<empty>" { "" } else { default }.to_string() }
            }
            "button" => OptionKind::Button,
            _ => return None,
        };
        Some(OptionLine { name: name.trim().to_string(), kind })
    }

    /// What it is at first, as `setoption` would set it; nothing for a button.
    pub fn default(&self) -> Option<String> {
        match &self.kind {
            OptionKind::Check { default } => Some(default.to_string()),
            OptionKind::Spin { default, .. } => Some(default.to_string()),
            OptionKind::Combo { default, .. } | OptionKind::String { default } => Some(default.clone()),
            OptionKind::Button => None,
        }
    }
}

fn word_after<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut words = text.split_whitespace();
    words.find(|word| *word == key)?;
    words.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_read() {
        let combo = |default: &str, words: &[&str]| OptionKind::Combo {
            default: default.into(),
            words: words.iter().map(ToString::to_string).collect(),
        };
        let cases = [
            (
                "option name Hash type spin default 64 min 1 max 1024",
                "Hash",
                OptionKind::Spin { default: 64, min: 1, max: 1024 },
            ),
            (
                "option name Move Overhead type spin default 10",
                "Move Overhead",
                OptionKind::Spin { default: 10, min: i64::MIN, max: i64::MAX },
            ),
            ("option name A type combo default x var x var y z", "A", combo("x", &["x", "y z"])),
            (
                "option name EvalFile type string default <empty>",
                "EvalFile",
                OptionKind::String { default: String::new() },
            ),
            ("option name S type string default a b", "S", OptionKind::String { default: "a b".into() }),
            ("option name Perfect type check default true", "Perfect", OptionKind::Check { default: true }),
            ("  option  name Clear Hash type button ", "Clear Hash", OptionKind::Button),
        ];
        for (line, name, kind) in cases {
            assert_eq!(OptionLine::read(line), Some(OptionLine { name: name.into(), kind }), "{line}");
        }
        for line in ["", "option", "option name X", "option name X type teapot", "id name X type button"] {
            assert_eq!(OptionLine::read(line), None, "{line}");
        }
    }
}
