//! Parameters as GoGui's dialogue edits them: a line each, a name without spaces, and what it may be.

use crate::syntax::Refusal;
use alea_tools::engine::{OptionKind, OptionLine};

/// A name or a word without spaces.
fn joined(text: &str) -> String {
    text.replace(' ', "_")
}

/// The line of an option, with what it is set to; none for a button.
pub fn line(option: &OptionLine, value: &str) -> Option<String> {
    let name = joined(&option.name);
    match &option.kind {
        OptionKind::Button => None,
        OptionKind::Check { .. } => Some(format!("[bool] {name} {}", u8::from(value.eq_ignore_ascii_case("true")))),
        OptionKind::Combo { words, .. } if !words.iter().any(|word| word.contains(['/', ']'])) => {
            let words: Vec<String> = words.iter().map(|word| joined(word)).collect();
            Some(format!("[list/{}] {name} {}", words.join("/"), joined(value)))
        }
        _ => Some(format!("[string] {name} {value}")),
    }
}

/// The option of a name without spaces; case does not count.
pub fn find<'a>(options: &'a [(OptionLine, String)], name: &str) -> Result<&'a OptionLine, Refusal> {
    let found = options.iter().find(|(option, _)| joined(&option.name).eq_ignore_ascii_case(name));
    found.map(|(option, _)| option).ok_or_else(|| {
        let names: Vec<String> = options.iter().map(|(option, _)| joined(&option.name)).collect();
        Refusal::syntax(name, format!("one of {}", names.join(", ")))
    })
}

/// The engine's word for a value of the dialogue.
pub fn value(option: &OptionLine, text: &str) -> String {
    match &option.kind {
        OptionKind::Check { .. } if text == "1" => "true".into(),
        OptionKind::Check { .. } if text == "0" => "false".into(),
        OptionKind::Combo { words, .. } => {
            words.iter().find(|word| joined(word) == text).map_or(text, String::as_str).into()
        }
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_become_lines_of_the_dialogue_and_back() {
        let cases = [
            (
                "option name Move Overhead type spin default 10 min 0 max 99",
                "20",
                "[string] Move_Overhead 20",
                "20",
                "20",
            ),
            ("option name Perfect type check default true", "true", "[bool] Perfect 1", "0", "false"),
            ("option name A type combo default x y var x y var z", "x y", "[list/x_y/z] A x_y", "x_y", "x y"),
            ("option name A type combo default a/b var a/b var c", "a/b", "[string] A a/b", "c", "c"),
            ("option name EvalFile type string default <empty>", "", "[string] EvalFile ", "my net", "my net"),
        ];
        for (declared, set, shown, edited, sent) in cases {
            let option = OptionLine::read(declared).unwrap();
            assert_eq!(line(&option, set).as_deref(), Some(shown));
            assert_eq!(value(&option, edited), sent);
        }
        let button = OptionLine::read("option name Clear Hash type button").unwrap();
        assert_eq!(line(&button, ""), None);
        let options = [(button, String::new())];
        assert_eq!(find(&options, "clear_hash").unwrap().name, "Clear Hash");
        assert_eq!(find(&options, "Hash").unwrap_err().to_string(), "syntax error: 'Hash': expected one of Clear_Hash");
    }
}
