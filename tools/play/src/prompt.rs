//! Where a person's words come from: a terminal, with line editing, history and completion; or a pipe.

use crate::said::WORDS;
use alea_tools::output::say;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::io::{self, BufRead, IsTerminal, Read};
use std::path::PathBuf;

/// The longest line that is read from a pipe.
const MAX_LINE: u64 = 64 * 1024;

/// What came of asking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// A line.
    Line(String),
    /// Ctrl-C.
    Interrupted,
    /// No more lines will come.
    End,
}

/// Somebody who can be asked.
pub enum Prompt {
    /// A person at a terminal.
    Terminal {
        /// The editor of lines.
        editor: Box<Editor<Words, DefaultHistory>>,
        /// Where the history is kept.
        history: Option<PathBuf>,
    },
    /// Anything else.
    Lines,
}

/// The words that can be completed here: commands and legal moves.
pub struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let begun = line.get(..at).unwrap_or_default();
        Ok((0, self.0.iter().filter(|word| word.starts_with(begun)).cloned().collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

impl Prompt {
    /// Ask whoever is at stdin; a terminal's history is kept in a file.
    pub fn new(history: Option<PathBuf>) -> Prompt {
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        match terminal.then(Editor::<Words, DefaultHistory>::new) {
            Some(Ok(mut editor)) => {
                // The first time there is none.
                let _ = history.as_ref().map(|path| editor.load_history(path));
                Prompt::Terminal { editor: Box::new(editor), history }
            }
            _ => Prompt::Lines,
        }
    }

    /// Ask for a line.
    pub fn ask(&mut self, question: &str, moves: Vec<String>) -> io::Result<Asked> {
        match self {
            Prompt::Terminal { editor, .. } => {
                let words = WORDS.iter().map(|(word, _)| (*word).to_string());
                editor.set_helper(Some(Words(moves.into_iter().chain(words).collect())));
                match editor.readline(question) {
                    Ok(line) => {
                        let _ = editor.add_history_entry(line.trim());
                        Ok(Asked::Line(line))
                    }
                    Err(ReadlineError::Interrupted) => Ok(Asked::Interrupted),
                    Err(ReadlineError::Eof) => Ok(Asked::End),
                    Err(ReadlineError::Io(error)) => Err(error),
                    Err(error) => Err(io::Error::other(error)),
                }
            }
            Prompt::Lines => {
                say(question);
                next_line(&mut io::stdin().lock())
            }
        }
    }

    /// Keep the history.
    pub fn close(&mut self) {
        if let Prompt::Terminal { editor, history: Some(path) } = self {
            // A history that cannot be kept is no reason to complain.
            let _ = path.parent().map(std::fs::create_dir_all);
            let _ = editor.save_history(path);
        }
    }
}

/// The next line of a pipe; one that is too long is cut, which no move survives.
fn next_line(input: &mut impl BufRead) -> io::Result<Asked> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(Asked::End);
    }
    if !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(Asked::Line(String::from_utf8_lossy(&line).into_owned()))
}
