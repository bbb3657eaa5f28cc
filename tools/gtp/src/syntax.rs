//! The form of the Go Text Protocol, version 2: lines in, answers out.

use std::fmt;

/// The longest line that is read.
pub const MAX_LINE: usize = 64 * 1024;

/// A command as it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The number that is to be repeated in the answer.
    pub id: Option<u64>,
    /// The command.
    pub command: String,
    /// What stands behind it.
    pub words: Vec<String>,
}

impl Request {
    /// The command of a line; `None` if there is none on it. Comments and control characters are nothing, as the protocol
    /// has it.
    pub fn read(line: &str) -> Option<Request> {
        let line = line.split('#').next()?;
        let line: String = line.chars().filter(|c| *c == '\t' || !c.is_control()).collect();
        let mut words = line.split_whitespace().map(str::to_string).peekable();
        let id = words.peek()?.parse().ok();
        if id.is_some() {
            words.next();
        }
        Some(Request { id, command: words.next().unwrap_or_default(), words: words.collect() })
    }

    /// The answer as it is written, with the empty line behind it.
    pub fn answer(&self, answer: &Result<String, Refusal>) -> String {
        let id = self.id.map(|id| id.to_string()).unwrap_or_default();
        let (sign, text) = match answer {
            Ok(text) => ('=', text.clone()),
            Err(refusal) => ('?', refusal.to_string()),
        };
        // An empty line inside would end the answer; a break before a picture keeps its columns straight.
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let break_before = if text.starts_with('\n') { "\n" } else { "" };
        format!("{sign}{id} {break_before}{}\n\n", lines.join("\n"))
    }
}

/// Why a command is refused, in the words the protocol has for it where it has some.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no such command.
    UnknownCommand,
    /// The arguments are not what the command takes.
    Syntax {
        /// The word at fault; empty where one is missing.
        word: String,
        /// What was expected.
        expected: String,
    },
    /// The board cannot have that size.
    Size {
        /// The size that was asked for.
        asked: String,
        /// The size of the board.
        size: usize,
    },
    /// The rules do not allow the move.
    IllegalMove(String),
    /// There is nothing to take back.
    CannotUndo,
    /// The game is not over.
    CannotScore,
    /// Something else is in the way.
    Other(String),
}

impl Refusal {
    /// A word is not what was expected.
    pub fn syntax(word: impl Into<String>, expected: impl Into<String>) -> Refusal {
        Refusal::Syntax { word: word.into(), expected: expected.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::UnknownCommand => f.write_str("unknown command"),
            Refusal::Syntax { word, expected } if word.is_empty() => write!(f, "syntax error: expected {expected}"),
            Refusal::Syntax { word, expected } => write!(f, "syntax error: '{word}': expected {expected}"),
            Refusal::Size { asked, size } => {
                write!(f, "unacceptable size: '{asked}': the board has size {size} (alea-gtp --shape says which)")
            }
            Refusal::IllegalMove(why) => write!(f, "illegal move: {why}"),
            Refusal::CannotUndo => f.write_str("cannot undo"),
            Refusal::CannotScore => f.write_str("cannot score: the game is not over"),
            Refusal::Other(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_the_protocol_has_them() {
        let cases = [
            ("name", None, "name", &[][..]),
            ("  12 play b\tD3 # a comment", Some(12), "play", &["b", "D3"]),
            ("7", Some(7), "", &[]),
            ("na\u{7}me\r", None, "name", &[]),
            ("-1 name", None, "-1", &["name"]),
        ];
        for (line, id, command, words) in cases {
            let words = words.iter().map(ToString::to_string).collect();
            assert_eq!(Request::read(line), Some(Request { id, command: command.into(), words }), "{line}");
        }
        for line in ["", "   ", "# a comment", "\t#", "\u{1}"] {
            assert_eq!(Request::read(line), None, "{line}");
        }
    }

    #[test]
    fn answers_end_with_an_empty_line_and_have_none_inside() {
        let request = Request::read("3 x").unwrap();
        assert_eq!(request.answer(&Ok("a\n\nb\n".into())), "=3 a\nb\n\n");
        assert_eq!(request.answer(&Ok("\n a".into())), "=3 \n a\n\n");
        assert_eq!(request.answer(&Err(Refusal::UnknownCommand)), "?3 unknown command\n\n");
        assert_eq!(Request::read("x").unwrap().answer(&Ok(String::new())), "= \n\n");
    }
}
