//! What an engine is: a name, a command, limits and options, given as words on the command line
//! (`--engine name=A,cmd=…,depth=3,option.Noise=0.015`) or as the same words in a TOML file.

use crate::error::Failure;
use crate::fault::Trouble;
use crate::limits::Limits;
use alea_tools::engine::command_line;
use alea_tools::text::visible;
use alea_tools::words::WordError;
use serde::{Deserialize, Serialize};

/// Stands in an option's value for the number of the pair being played, so that something can vary from pair to pair
/// and be the same for both engines and both games of a pair.
pub const PAIR_WORD: &str = "{pair}";

/// Longer names would fill a table.
const MAX_NAME: usize = 60;

/// An engine as the user gave it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineSpec {
    /// What it is called in the records.
    pub name: String,
    /// The program and its arguments.
    pub cmd: Vec<String>,
    /// How long it may think.
    #[serde(flatten)]
    pub limits: Limits,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
}

impl EngineSpec {
    /// An engine from `key=value` words separated by commas; a comma between double quotes does not separate.
    pub fn from_words(text: &str) -> Result<EngineSpec, WordError> {
        let mut draft = Draft::default();
        for word in split_words(text)? {
            let (key, value) =
                word.split_once('=').ok_or_else(|| WordError::new(&word, "expected key=value, as in depth=3"))?;
            draft.set(key.trim(), unquoted(value.trim()))?;
        }
        draft.finish()
    }

    /// An engine from a table of a TOML file.
    pub fn from_table(table: &toml::Table) -> Result<EngineSpec, WordError> {
        let mut draft = Draft::default();
        for (key, value) in table {
            match (key.as_str(), value) {
                ("option", toml::Value::Table(options)) => {
                    for (name, value) in options {
                        draft.set(&format!("option.{name}"), &plain(name, value)?)?;
                    }
                }
                ("cmd", toml::Value::Array(words)) => {
                    draft.cmd = words.iter().map(|word| plain("cmd", word)).collect::<Result<_, _>>()?;
                }
                _ => draft.set(key, &plain(key, value)?)?,
            }
        }
        draft.finish()
    }

    /// That this engine did not start.
    pub fn failure(&self, attempts: u32, trouble: Trouble) -> Failure {
        Failure { name: self.name.clone(), cmd: self.cmd.clone(), attempts, trouble }
    }

    /// The options as they are to be set for one pair.
    pub fn options_for(&self, pair: u64) -> impl Iterator<Item = (&str, String)> + '_ {
        self.options.iter().map(move |(name, value)| (name.as_str(), value.replace(PAIR_WORD, &pair.to_string())))
    }
}

/// An engine of which not all words have been read.
#[derive(Default)]
struct Draft {
    name: Option<String>,
    cmd: Vec<String>,
    limits: Limits,
    options: Vec<(String, String)>,
}

impl Draft {
    fn set(&mut self, key: &str, value: &str) -> Result<(), WordError> {
        let wrong = |expected: &str| WordError::new(format!("{key}={value}"), expected);
        let count = || {
            let count: Option<u64> = value.parse().ok();
            count.filter(|&n| n > 0).ok_or_else(|| wrong("expected a whole number above 0"))
        };
        match key {
            "name" if value.is_empty() || visible(value, MAX_NAME) != value => {
                return Err(wrong("expected a name of at most 60 visible characters"));
            }
            "name" => self.name = Some(value.to_string()),
            "cmd" => {
                self.cmd = command_line(value).map_err(|error| wrong(&error.expected))?;
            }
            "depth" => {
                let depth = u32::try_from(count()?).map_err(|_| wrong("that is too deep"))?;
                self.limits.depth = Some(depth);
            }
            "nodes" => self.limits.nodes = Some(count()?),
            "movetime" => {
                let ms = count()?;
                if ms > 86_400_000 {
                    return Err(wrong("expected milliseconds, at most a day"));
                }
                self.limits.movetime = Some(ms);
            }
            "tc" => self.limits.tc = Some(value.parse().map_err(|error: WordError| error.within("tc"))?),
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() && !format!("{name}{value}").contains(char::is_control) => {
                    self.options.push((name.to_string(), value.to_string()));
                }
                _ => {
                    let expected = "expected name, cmd, depth, movetime, nodes, tc or option.<Name>";
                    return Err(WordError::new(key, expected));
                }
            },
        }
        Ok(())
    }

    fn finish(self) -> Result<EngineSpec, WordError> {
        let name = self.name.ok_or_else(|| WordError::new("name", "it is missing; expected name=…"))?;
        if self.limits.is_empty() {
            return Err(WordError::new(name, "it would think for ever: add depth=, nodes=, movetime= or tc="));
        }
        let cmd = if self.cmd.is_empty() { vec![default_command()] } else { self.cmd };
        Ok(EngineSpec { name, cmd, limits: self.limits, options: self.options })
    }
}

/// Our own engine, which stands beside this tool.
pub fn default_command() -> String {
    "alea".to_string()
}

fn plain(key: &str, value: &toml::Value) -> Result<String, WordError> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Float(number) => Ok(number.to_string()),
        toml::Value::Boolean(truth) => Ok(truth.to_string()),
        other => Err(WordError::new(key, format!("expected text or a number, found {}", other.type_str()))),
    }
}

/// A value without the quotes around the whole of it; quotes within belong to the command's own words.
fn unquoted(value: &str) -> &str {
    let inside = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    inside.filter(|inside| !inside.contains('"')).unwrap_or(value)
}

fn split_words(text: &str) -> Result<Vec<String>, WordError> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '"';
        match words.last_mut() {
            Some(word) if quoted || c != ',' => word.push(c),
            _ => words.push(String::new()),
        }
    }
    if quoted {
        return Err(WordError::new(text, "a double quote is not closed"));
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_toml_say_the_same() {
        let words = r#"name=A,cmd="./engine --book 'a, b'",depth=3,movetime=50,nodes=7,tc=1+0.01,option.Noise=0.015"#;
        let table = r#"
            name = "A"
            cmd = ["./engine", "--book", "a, b"]
            depth = 3
            movetime = 50
            nodes = 7
            tc = "1+0.01"
            option.Noise = 0.015
        "#;
        let spec = EngineSpec::from_words(words).unwrap();
        assert_eq!(spec.cmd, ["./engine", "--book", "a, b"]);
        assert_eq!(spec.options, [("Noise".to_string(), "0.015".to_string())]);
        assert_eq!(EngineSpec::from_table(&table.parse().unwrap()).unwrap(), spec);
        let json = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<EngineSpec>(&json).unwrap(), spec);
    }

    #[test]
    fn the_default_command_is_ours_and_options_know_the_pair() {
        let spec = EngineSpec::from_words("name=A,depth=1,option.NoiseSeed={pair},option.Move Overhead=5").unwrap();
        assert_eq!(spec.cmd, ["alea"]);
        let options: Vec<_> = spec.options_for(17).collect();
        assert_eq!(options, [("NoiseSeed", "17".to_string()), ("Move Overhead", "5".to_string())]);
    }

    #[test]
    fn errors_name_the_word() {
        let cases = [
            ("", "key=value"),
            ("depth=3", "name"),
            ("name=A", "'A'"),
            ("name=,depth=1", "name="),
            ("name=A,depth", "'depth'"),
            ("name=A,depth=0", "depth=0"),
            ("name=A,depth=-1", "depth=-1"),
            ("name=A,depth=99999999999", "depth=99999999999"),
            ("name=A,nodes=x", "nodes=x"),
            ("name=A,movetime=1e3", "movetime=1e3"),
            ("name=A,tc=1+x", "1+x"),
            ("name=A,cmd=,depth=1", "cmd="),
            ("name=A,cmd=\"x,depth=1", "quote"),
            ("name=A,deep=3", "'deep'"),
            ("name=A,option.=3", "option."),
        ];
        for (text, word) in cases {
            let error = EngineSpec::from_words(text).unwrap_err();
            assert!(error.to_string().contains(word), "{text}: {error}");
        }
    }
}
