//! What a person says: a move, or one of a few words.

use alea::protocol::nearest;

/// The words, and what each does.
pub const WORDS: [(&str, &str); 9] = [
    ("undo", "take your last move back"),
    ("hint", "what the engine would play, and what it expects"),
    ("moves", "the legal moves"),
    ("board", "draw the board again"),
    ("resign", "give the game up"),
    ("save", "keep the game as it stands: save, or save FILE"),
    ("new", "begin another game"),
    ("help", "this list"),
    ("quit", "leave; an unfinished game is kept"),
];

/// What was said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// Nothing.
    Nothing,
    /// A move, as the game writes it, or something that is none.
    Move(String),
    /// Take back.
    Undo,
    /// Ask the engine.
    Hint,
    /// List the moves.
    Moves,
    /// Draw the board.
    Board,
    /// Give up.
    Resign,
    /// Keep the game, in some file.
    Save(Option<String>),
    /// Another game.
    New,
    /// Explain.
    Help,
    /// Leave.
    Quit,
}

impl Said {
    /// What a line says.
    pub fn read(line: &str) -> Said {
        let line = line.trim();
        let (first, rest) =
            line.split_once(char::is_whitespace).map_or((line, ""), |(first, rest)| (first, rest.trim()));
        match (first.to_lowercase().as_str(), rest) {
            ("", _) => Said::Nothing,
            ("undo" | "u" | "back", "") => Said::Undo,
            ("hint", "") => Said::Hint,
            ("moves", "") => Said::Moves,
            ("board" | "d", "") => Said::Board,
            ("resign", "") => Said::Resign,
            ("save", "") => Said::Save(None),
            ("save", file) => Said::Save(Some(file.to_string())),
            ("new", "") => Said::New,
            ("help" | "?", "") => Said::Help,
            ("quit" | "exit" | "q", "") => Said::Quit,
            // Backgammon's steps may be typed with spaces between them.
            _ => Said::Move(line.split_whitespace().collect::<Vec<_>>().join(",")),
        }
    }
}

/// What a word that is neither a move nor one of ours may have been meant to be.
pub fn meant(word: &str) -> Option<&'static str> {
    nearest(word, &WORDS.map(|(word, _)| word))
}

/// The words with what they do.
pub fn help(example: &str) -> String {
    let lines: String = WORDS.iter().map(|(word, what)| format!("  {word:<8} {what}\n")).collect();
    format!("A move is typed as the board names it, such as {example}; moves lists the legal ones.\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_moves() {
        let cases = [
            ("  undo ", Said::Undo),
            ("HINT", Said::Hint),
            ("save my game.jsonl", Said::Save(Some("my game.jsonl".into()))),
            ("save", Said::Save(None)),
            ("", Said::Nothing),
            ("b2", Said::Move("b2".into())),
            ("8/5 6/5", Said::Move("8/5,6/5".into())),
            ("undo it", Said::Move("undo,it".into())),
            ("?", Said::Help),
        ];
        for (line, said) in cases {
            assert_eq!(Said::read(line), said, "{line}");
        }
        assert_eq!((meant("hitn"), meant("b2"), meant("xyzzy")), (Some("hint"), None, None));
    }
}
