//! How a long command goes on after it was stopped: the same command again.

use std::env;

/// The command that this program was started with, as a line for a shell, without `flags` that must not be given again
/// (such as `--fresh`).
pub fn same_command(flags: &[&str]) -> String {
    line(&crate::programs::own_name(), env::args().skip(1), flags)
}

fn line(program: &str, words: impl Iterator<Item = String>, flags: &[&str]) -> String {
    let words = words.filter(|word| !flags.contains(&word.as_str()));
    std::iter::once(program.to_string()).chain(words.map(|word| quoted(&word))).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_words_for_a_shell() {
        let words = ["run", "--fresh", "--engine=name=A,cmd=./a b", "it's", "", "--out=x"].map(String::from);
        let expected = r"tool run '--engine=name=A,cmd=./a b' 'it'\''s' '' --out=x";
        assert_eq!(line("tool", words.into_iter(), &["--fresh"]), expected);
    }
}
