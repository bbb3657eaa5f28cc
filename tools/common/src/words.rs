//! What is wrong with something a user wrote: the word at fault, and what was expected in its place.

use std::error::Error;
use std::fmt;

/// A word that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordError {
    /// Where it stands, from the outside in, such as `--config match.toml`.
    pub places: Vec<String>,
    /// The word; empty where one is missing.
    pub word: String,
    /// What was expected, or what is wrong with it.
    pub expected: String,
}

impl WordError {
    /// An error about a word.
    pub fn new(word: impl Into<String>, expected: impl Into<String>) -> WordError {
        WordError { places: Vec::new(), word: word.into(), expected: expected.into() }
    }

    /// The same, in a place that holds all places so far.
    pub fn within(mut self, place: impl Into<String>) -> WordError {
        self.places.insert(0, place.into());
        self
    }
}

/// `--config match.toml: engine 1: 'depth=x': expected a number`
impl fmt::Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in &self.places {
            write!(f, "{place}: ")?;
        }
        if !self.word.is_empty() {
            write!(f, "'{}': ", self.word)?;
        }
        f.write_str(&self.expected)
    }
}

impl Error for WordError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_read_from_the_outside_in() {
        let error = WordError::new("depth=x", "expected a number").within("engine 1").within("--config m.toml");
        assert_eq!(error.to_string(), "--config m.toml: engine 1: 'depth=x': expected a number");
        assert_eq!(WordError::new("", "expected a seed").within("--seeds").to_string(), "--seeds: expected a seed");
    }
}
