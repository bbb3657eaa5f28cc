//! Text that somebody else wrote, on its way to a terminal, a table or a record.

/// The text on one line, at most `limit` characters of it, with everything that a terminal would act on instead of showing
/// it spelled out: control characters, and those that turn the direction of writing.
pub fn visible(text: &str, limit: usize) -> String {
    let mut shown = String::new();
    for (i, c) in text.chars().enumerate() {
        if i == limit {
            shown.push('…');
            break;
        }
        if c == '\t' {
            shown.push(' ');
        } else if acts(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

fn acts(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_act_on_is_spelled_out() {
        let cases = [
            ("Alea 1 ± ½", 99, "Alea 1 ± ½"),
            ("a\tb", 99, "a b"),
            ("\x1b[31mred\x1b[0m", 99, "\\u{1b}[31mred\\u{1b}[0m"),
            ("a\r\nb\0", 99, "a\\r\\nb\\u{0}"),
            ("\u{9b}2J", 99, "\\u{9b}2J"),
            ("\u{202e}evil", 99, "\\u{202e}evil"),
            ("abcdef", 3, "abc…"),
            ("abc", 3, "abc"),
        ];
        for (text, limit, shown) in cases {
            assert_eq!(visible(text, limit), shown);
        }
    }
}
