//! The rules once more, as slowly and plainly as they are told: what the fast ones are held to.

const RANKS: &str = "KGMRNCP";
const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

type Place = (i32, i32);

/// A board with the letters of a FEN on it.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    pub cells: [[char; 4]; 8],
    /// `r`, `b`, or `-` before the first flip.
    pub side: char,
    pub plies: u32,
    pub pool: Vec<char>,
    pub pending: Option<Place>,
}

fn name((row, col): Place) -> String {
    format!("{}{}", char::from(b'a' + col as u8), row + 1)
}

fn place(name: &str) -> Place {
    let bytes = name.as_bytes();
    (i32::from(bytes[1] - b'1'), i32::from(bytes[0] - b'a'))
}

fn side_of(letter: char) -> char {
    if letter.is_uppercase() { 'r' } else { 'b' }
}

/// Whether a piece that is no cannon takes another, by rank alone.
fn takes(piece: char, prey: char) -> bool {
    let rank = |letter: char| RANKS.find(letter.to_ascii_uppercase()).unwrap();
    match (piece.to_ascii_uppercase(), prey.to_ascii_uppercase()) {
        ('K', 'P') => false,
        ('P', 'K') => true,
        _ => rank(piece) <= rank(prey),
    }
}

impl Reference {
    pub fn from_fen(fen: &str) -> Reference {
        let words: Vec<&str> = fen.split(' ').collect();
        let mut cells = [['.'; 4]; 8];
        for (row, text) in words[0].split('/').enumerate() {
            for (col, letter) in text.chars().enumerate() {
                cells[row][col] = letter;
            }
        }
        let pool = words[3].chars().filter(|&letter| letter != '-').collect();
        let side = words[1].chars().next().unwrap();
        let pending = words.get(4).map(|cell| place(cell));
        Reference { cells, side, plies: words[2].parse().unwrap(), pool, pending }
    }

    pub fn fen(&self) -> String {
        let rows: Vec<String> = self.cells.iter().map(|row| row.iter().collect()).collect();
        let mut pool = self.pool.clone();
        pool.sort();
        let pool = if pool.is_empty() { "-".into() } else { String::from_iter(pool) };
        let pending = self.pending.map_or(String::new(), |place| format!(" {}", name(place)));
        format!("{} {} {} {pool}{pending}", rows.join("/"), self.side, self.plies)
    }

    fn at(&self, (row, col): Place) -> Option<char> {
        self.cells.get(usize::try_from(row).ok()?)?.get(usize::try_from(col).ok()?).copied()
    }

    fn places() -> impl Iterator<Item = Place> {
        (0..8).flat_map(|row| (0..4).map(move |col| (row, col)))
    }

    fn is_enemy(&self, letter: char) -> bool {
        letter.is_alphabetic() && letter != 'X' && side_of(letter) != self.side
    }

    /// Where a piece of the side to move may go.
    fn targets(&self, from: Place, piece: char) -> Vec<Place> {
        let mut targets = Vec::new();
        for (down, right) in DIRECTIONS {
            let next = (from.0 + down, from.1 + right);
            match self.at(next) {
                Some('.') => targets.push(next),
                Some(prey) if !piece.eq_ignore_ascii_case(&'C') && self.is_enemy(prey) && takes(piece, prey) => {
                    targets.push(next)
                }
                _ => {}
            }
            if piece.eq_ignore_ascii_case(&'C') {
                let line = (1..8).map(|far| (from.0 + down * far, from.1 + right * far));
                let met: Vec<(Place, char)> =
                    line.filter_map(|place| Some((place, self.at(place)?))).filter(|met| met.1 != '.').collect();
                if let [_, (target, prey), ..] = met[..]
                    && self.is_enemy(prey)
                {
                    targets.push(target);
                }
            }
        }
        targets
    }

    /// All moves as they are written, sorted, whether or not the game is drawn.
    fn all_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in Reference::places() {
            match self.at(from) {
                Some('X') => moves.push(name(from)),
                Some(piece) if piece != '.' && side_of(piece) == self.side => {
                    moves.extend(self.targets(from, piece).into_iter().map(|to| name(from) + &name(to)));
                }
                _ => {}
            }
        }
        moves.sort();
        moves
    }

    /// `r`, `b` or `draw`, if the game is over.
    pub fn result(&self) -> Option<&'static str> {
        if self.side == '-' || self.pending.is_some() {
            return None;
        }
        let letters = self.cells.iter().flatten().chain(&self.pool).filter(|letter| !['.', 'X'].contains(letter));
        let sides: Vec<char> = letters.map(|&letter| side_of(letter)).collect();
        let other = if self.side == 'r' { "b" } else { "r" };
        match (sides.contains(&'r'), sides.contains(&'b')) {
            (false, _) => Some("b"),
            (_, false) => Some("r"),
            _ if self.all_moves().is_empty() => Some(other),
            _ if self.plies >= 50 => Some("draw"),
            _ => None,
        }
    }

    pub fn moves(&self) -> Vec<String> {
        if self.result().is_some() || self.pending.is_some() { Vec::new() } else { self.all_moves() }
    }

    /// What a pending flip may show, with weights, in the order of the notation.
    pub fn outcomes(&self) -> Vec<(char, u32)> {
        if self.pending.is_none() {
            return Vec::new();
        }
        let letters = RANKS.chars().chain(RANKS.chars().map(|letter| letter.to_ascii_lowercase()));
        let counts = letters.map(|letter| (letter, self.pool.iter().filter(|&&other| other == letter).count() as u32));
        counts.filter(|&(_, count)| count > 0).collect()
    }

    fn pass_turn(&mut self) {
        self.side = if self.side == 'r' { 'b' } else { 'r' };
    }

    pub fn play(&mut self, mv: &str) {
        let from = place(mv);
        if mv.len() == 2 {
            self.pending = Some(from);
            return;
        }
        let to = place(&mv[2..]);
        let target = &mut self.cells[to.0 as usize][to.1 as usize];
        self.plies = if *target == '.' { self.plies + 1 } else { 0 };
        *target = '.';
        let piece = std::mem::replace(&mut self.cells[from.0 as usize][from.1 as usize], '.');
        self.cells[to.0 as usize][to.1 as usize] = piece;
        self.pass_turn();
    }

    pub fn flip(&mut self, letter: char) {
        let (row, col) = self.pending.take().unwrap();
        self.cells[row as usize][col as usize] = letter;
        self.pool.remove(self.pool.iter().position(|&other| other == letter).unwrap());
        self.plies = 0;
        if self.side == '-' {
            self.side = side_of(letter);
        }
        self.pass_turn();
    }
}
