//! A mistake in what was written: the word at fault and, as a type of the game's own, what is wrong with it.

use std::fmt;

/// What stands for the word where one is missing.
pub const END_OF_LINE: &str = "end of line";

/// A word can be as long as a line; an error message need not be.
const LONGEST_WORD: usize = 40;

/// A word that cannot be what it should be, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordError<F> {
    /// The word at fault, cut if it is long, or [`END_OF_LINE`].
    pub word: String,
    /// What was expected of it, or what is wrong.
    pub fault: F,
}

impl<F> WordError<F> {
    /// Put the blame on a word.
    pub fn new(word: &str, fault: F) -> WordError<F> {
        let word = match word.char_indices().nth(LONGEST_WORD) {
            Some((end, _)) => format!("{}...", &word[..end]),
            None => word.into(),
        };
        WordError { word, fault }
    }
}

impl<F: fmt::Display> fmt::Display for WordError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': {}", self.word, self.fault)
    }
}

impl<F: fmt::Debug + fmt::Display> std::error::Error for WordError<F> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_cut_between_characters() {
        let cases = [("b", "'b': wrong".to_string()), (&"é".repeat(41), format!("'{}...': wrong", "é".repeat(40)))];
        for (word, text) in cases {
            assert_eq!(WordError::new(word, "wrong").to_string(), text);
        }
    }
}
