//! The rules once more, as slowly and plainly as they are told: what the fast ones are held to.

/// A cell: empty, or a cube by its letter in a FEN.
type Cell = Option<char>;

/// A board with letters on it.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    pub cells: [[Cell; 5]; 5],
    pub blue_to_move: bool,
    pub roll: Option<u8>,
}

impl Reference {
    pub fn from_fen(fen: &str) -> Reference {
        let words: Vec<&str> = fen.split(' ').collect();
        let mut cells = [[None; 5]; 5];
        for (row, text) in words[0].split('/').enumerate() {
            for (col, letter) in text.chars().enumerate() {
                cells[row][col] = (letter != '.').then_some(letter);
            }
        }
        Reference { cells, blue_to_move: words[1] == "b", roll: words[2].parse().ok() }
    }

    pub fn fen(&self) -> String {
        let rows: Vec<String> =
            self.cells.iter().map(|row| row.iter().map(|cell| cell.unwrap_or('.')).collect()).collect();
        let side = if self.blue_to_move { "b" } else { "r" };
        format!("{} {side} {}", rows.join("/"), self.roll.map_or("-".into(), |roll| roll.to_string()))
    }

    fn letters(&self) -> Vec<char> {
        self.cells.iter().flatten().flatten().copied().collect()
    }

    /// Whether blue has won, if somebody has.
    pub fn blue_has_won(&self) -> Option<bool> {
        let letters = self.letters();
        let blue_left = letters.iter().any(char::is_ascii_digit);
        let red_left = letters.iter().any(char::is_ascii_alphabetic);
        let blue_arrived = self.cells[4][4].is_some_and(|letter| letter.is_ascii_digit());
        let red_arrived = self.cells[0][0].is_some_and(|letter| letter.is_ascii_alphabetic());
        match (blue_arrived || !red_left, red_arrived || !blue_left) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// The numbers of the cubes that the roll moves.
    pub fn movable(&self) -> Vec<u8> {
        let Some(roll) = self.roll else { return Vec::new() };
        let first = if self.blue_to_move { '1' } else { 'A' };
        let own: Vec<u8> = self
            .letters()
            .iter()
            .filter(|letter| letter.is_ascii_digit() == self.blue_to_move)
            .map(|&letter| (letter as u32 - first as u32 + 1) as u8)
            .collect();
        if own.contains(&roll) {
            return vec![roll];
        }
        let lower = own.iter().copied().filter(|&number| number < roll).max();
        let higher = own.iter().copied().filter(|&number| number > roll).min();
        lower.into_iter().chain(higher).collect()
    }

    /// All moves as they are written, sorted.
    pub fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.blue_has_won().is_some() {
            return moves;
        }
        let forward = if self.blue_to_move { 1 } else { -1 };
        for number in self.movable() {
            let letter = char::from(if self.blue_to_move { b'0' } else { b'@' } + number);
            for (row, col) in (0..5_i32).flat_map(|row| (0..5_i32).map(move |col| (row, col))) {
                if self.cells[row as usize][col as usize] != Some(letter) {
                    continue;
                }
                for (to_row, to_col) in [(row, col + forward), (row + forward, col), (row + forward, col + forward)] {
                    if (0..5).contains(&to_row) && (0..5).contains(&to_col) {
                        let name = |row: i32, col: i32| format!("{}{}", char::from(b'a' + col as u8), row + 1);
                        moves.push(name(row, col) + &name(to_row, to_col));
                    }
                }
            }
        }
        moves.sort();
        moves
    }

    pub fn play(&mut self, mv: &str) {
        let bytes = mv.as_bytes();
        let at = |i: usize| (usize::from(bytes[i + 1] - b'1'), usize::from(bytes[i] - b'a'));
        let (from, to) = (at(0), at(2));
        self.cells[to.0][to.1] = self.cells[from.0][from.1].take();
        self.blue_to_move = !self.blue_to_move;
        self.roll = None;
    }
}
