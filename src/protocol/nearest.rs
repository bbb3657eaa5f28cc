//! What somebody may have meant by a word that is not known.
//!
//! The distance is the number of letters to insert, delete, replace or swap with their neighbour (optimal string
//! alignment, after Damerau 1964).

/// The longest word that is looked at: longer ones are no misspelling of anything.
const LONGEST: usize = 20;

/// The known word nearest to `word`, if it is near: about one letter in three may be wrong; case does not count.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect();
    if letters.len() > LONGEST {
        return None;
    }
    let allowed = letters.len().div_ceil(3).min(letters.len().saturating_sub(1));
    let (distance, meant) = known
        .iter()
        .map(|known| (distance(&letters, &known.chars().collect::<Vec<_>>()), *known))
        .min_by_key(|(distance, _)| *distance)?;
    (distance <= allowed).then_some(meant)
}

fn distance(a: &[char], b: &[char]) -> usize {
    // Row i holds the distances of the first i letters of `a` to each beginning of `b`.
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let swapped = if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                rows[i - 2][j - 2] + 1
            } else {
                usize::MAX
            };
            row.push(replaced.min(swapped).min(rows[i - 1][j] + 1).min(row[j - 1] + 1));
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_are_understood_and_other_words_are_not() {
        let known = ["uci", "isready", "ucinewgame", "position", "go", "stop", "d", "help", "quit"];
        let cases = [
            ("hlep", Some("help")),
            ("halp", Some("help")),
            ("UCI", Some("uci")),
            ("Stop", Some("stop")),
            ("og", Some("go")),
            ("postion", Some("position")),
            ("newgame", Some("ucinewgame")),
            ("is-ready", Some("isready")),
            ("D", Some("d")),
            ("x", None),
            ("xyzzy", None),
            ("weather", None),
            ("", None),
            ("\0", None),
            ("positionpositionposition", None),
        ];
        for (word, meant) in cases {
            assert_eq!(nearest(word, &known), meant, "{word}");
        }
    }
}
