//! Positions in FEN: eight rows from row 1, the side to move, the plies since the last flip or capture, the pieces that are
//! face down; and, while a flip is pending, its cell.
//!
//! A FEN does not say who made the first flip. The side to move in it is [`Player::First`], so that a position read from a
//! FEN is the first player's turn.

use super::geometry::bit;
use super::{ALL_PIECES, CELLS, COLUMNS, Colour, DRAW_PLIES, Fault, GRID, KINDS, Mistake, Piece, Position, ROWS};
use crate::game::{END_OF_LINE, WordError};
use std::fmt;

/// What a FEN's rows show.
#[derive(Default)]
struct Board {
    face_up: Vec<(u8, Piece)>,
    face_down: Vec<u8>,
}

/// The FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

impl Position {
    /// The position in FEN: of a pending flip, that before it and the cell.
    pub fn fen(&self) -> String {
        let letter = |cell: u8| match self.piece_at(cell) {
            Some(piece) => piece.letter(),
            None if self.face_down() & bit(cell) != 0 => 'X',
            None => '.',
        };
        let cells: Vec<char> = (0..CELLS as u8).map(letter).collect();
        let rows: Vec<String> = cells.chunks(COLUMNS).map(String::from_iter).collect();
        let side = match self.colour(self.mover()) {
            None => '-',
            Some(Colour::Red) => 'r',
            Some(Colour::Black) => 'b',
        };
        let pool = self.pool_letters();
        let pool = if pool.is_empty() { "-" } else { &pool };
        let mut fen = format!("{} {side} {} {pool}", rows.join("/"), self.plies());
        if let Some(cell) = self.pending() {
            fen += &format!(" {}", GRID.name(cell));
        }
        fen
    }

    /// The pieces still face down, as letters in the order of ASCII.
    pub(super) fn pool_letters(&self) -> String {
        let pieces = (0..KINDS as u8).filter_map(Piece::from_id);
        let mut letters: Vec<char> = pieces
            .flat_map(|piece| std::iter::repeat_n(piece.letter(), self.face_down_of(piece.id()).into()))
            .collect();
        letters.sort_unstable();
        letters.into_iter().collect()
    }

    /// The position whose FEN has these words.
    pub fn from_fen(words: &[&str]) -> Result<Position, Mistake> {
        let word = |i: usize, missing: Fault| words.get(i).copied().ok_or_else(|| WordError::new(END_OF_LINE, missing));
        let rows = word(0, Fault::NoRows)?;
        let side = word(1, Fault::NotASide)?;
        let plies = word(2, Fault::NotACount)?;
        let pool = word(3, Fault::NotAPool)?;
        if let Some(surplus) = words.get(5) {
            return Err(WordError::new(surplus, Fault::Surplus));
        }
        let board = read_rows(rows).map_err(|fault| WordError::new(rows, fault))?;
        let first = read_side(side, &board).map_err(|fault| WordError::new(side, fault))?;
        let count = read_plies(plies, first).map_err(|fault| WordError::new(plies, fault))?;
        let pieces = read_pool(pool, &board).map_err(|fault| WordError::new(pool, fault))?;
        let position = match first {
            None => Position::default(),
            Some(first) => Position::set_up(first, count, &board.face_up, &board.face_down, &pieces),
        };
        match words.get(4) {
            Some(cell) => position.read_flip(cell).map_err(|fault| WordError::new(cell, fault)),
            None => Ok(position),
        }
    }

    fn read_flip(self, word: &str) -> Result<Position, Fault> {
        let cell = GRID.cell(word).filter(|&cell| self.face_down() & bit(cell) != 0).ok_or(Fault::NotAFlip)?;
        self.over()?;
        Ok(self.flipping(cell))
    }
}

fn read_rows(word: &str) -> Result<Board, Fault> {
    let count = word.split('/').count();
    if count != ROWS {
        return Err(Fault::RowCount(count));
    }
    let mut board = Board::default();
    for (row, text) in word.split('/').enumerate() {
        let length = text.chars().count();
        if length != COLUMNS {
            return Err(Fault::RowLength { row: row + 1, length });
        }
        for (col, letter) in text.chars().enumerate() {
            let cell = (row * COLUMNS + col) as u8;
            match (letter, Piece::from_letter(letter)) {
                ('.', _) => {}
                ('X', _) => board.face_down.push(cell),
                (_, Some(piece)) => board.face_up.push((cell, piece)),
                (_, None) => return Err(Fault::NotACell(letter)),
            }
        }
    }
    if board.face_up.is_empty() && board.face_down.is_empty() {
        return Err(Fault::NoPieces);
    }
    check_counts(board.face_up.iter().map(|&(_, piece)| piece))?;
    Ok(board)
}

/// There may be no more of each piece than in a whole game.
fn check_counts(pieces: impl Iterator<Item = Piece>) -> Result<(), Fault> {
    let mut left = [0; KINDS];
    ALL_PIECES.iter().for_each(|&id| left[usize::from(id)] += 1);
    for piece in pieces {
        let left = &mut left[usize::from(piece.id())];
        if *left == 0 {
            return Err(Fault::TooMany(piece.letter()));
        }
        *left -= 1;
    }
    Ok(())
}

/// The colour of the side to move: unknown before the first flip, and only then.
fn read_side(word: &str, board: &Board) -> Result<Option<Colour>, Fault> {
    let side = match word {
        "r" => Some(Colour::Red),
        "b" => Some(Colour::Black),
        "-" => None,
        _ => return Err(Fault::NotASide),
    };
    match (side, board.face_down.len() == CELLS) {
        (None, false) => Err(Fault::SideUnknown),
        (Some(_), true) => Err(Fault::SideKnown),
        _ => Ok(side),
    }
}

fn read_plies(word: &str, side: Option<Colour>) -> Result<u8, Fault> {
    // `str::parse` alone would take a plus sign.
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    let plies = word.parse().ok().filter(|&plies| digits && plies <= DRAW_PLIES).ok_or(Fault::NotACount)?;
    if side.is_none() && plies > 0 { Err(Fault::CountBeforeStart) } else { Ok(plies) }
}

fn read_pool(word: &str, board: &Board) -> Result<Vec<Piece>, Fault> {
    let letters = if word == "-" { "" } else { word };
    // The word may be as long as a line: count before anything is kept.
    let (cells, count) = (board.face_down.len(), letters.chars().count());
    if let Some(letter) = letters.chars().find(|&letter| Piece::from_letter(letter).is_none()) {
        return Err(Fault::NotAPiece(letter));
    }
    if count != cells {
        return Err(Fault::PoolSize { cells, letters: count });
    }
    let pieces: Vec<Piece> = letters.chars().filter_map(Piece::from_letter).collect();
    check_counts(board.face_up.iter().map(|&(_, piece)| piece).chain(pieces.iter().copied()))?;
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Player, darkchess::Status};

    const START: &str = "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX - 0 CCGGKMMNNPPPPPRRccggkmmnnppppprr";

    fn from_fen(text: &str) -> Result<Position, Mistake> {
        Position::from_fen(&text.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn the_start_position_reads_as_it_is_written() {
        assert_eq!(Position::default().fen(), START);
        assert_eq!(from_fen(START), Ok(Position::default()));
        let flipping = format!("{START} d8");
        assert_eq!(from_fen(&flipping).unwrap().fen(), flipping);
    }

    #[test]
    fn pieces_that_are_face_down_may_come_in_any_order() {
        let rows = "XXX./K.k./..../..../..../..../..../....";
        let position = from_fen(&format!("{rows} b 3 pPN")).unwrap();
        assert_eq!(position.fen(), format!("{rows} b 3 NPp"));
        assert_eq!((position.mover(), position.colour(Player::First)), (Player::First, Some(Colour::Black)));
    }

    #[test]
    fn bad_fens_name_the_word() {
        let empty = "..../..../..../..../..../..../....";
        let start_rows = "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX";
        let all = "CCGGKMMNNPPPPPRRccggkmmnnppppprr";
        let cases = [
            ("".into(), "end of line", Fault::NoRows),
            (format!("K..k/{empty}"), "end of line", Fault::NotASide),
            (format!("K..k/{empty} r"), "end of line", Fault::NotACount),
            (format!("K..k/{empty} r 0"), "end of line", Fault::NotAPool),
            ("K..k/..../.... r 0 -".into(), "K..k/..../....", Fault::RowCount(3)),
            (format!("{empty}/..../K..k r 0 -"), "..../..../..../..../..../..../..../..../...", Fault::RowCount(9)),
            (
                format!("K.k/{empty} r 0 -"),
                "K.k/..../..../..../..../..../..../....",
                Fault::RowLength { row: 1, length: 3 },
            ),
            (
                format!("{empty}/K...k r 0 -"),
                "..../..../..../..../..../..../..../K...k",
                Fault::RowLength { row: 8, length: 5 },
            ),
            (format!("KQ.k/{empty} r 0 -"), "KQ.k/..../..../..../..../..../..../....", Fault::NotACell('Q')),
            (format!("Ké.k/{empty} r 0 -"), "Ké.k/..../..../..../..../..../..../....", Fault::NotACell('é')),
            (format!("Kx.k/{empty} r 0 -"), "Kx.k/..../..../..../..../..../..../....", Fault::NotACell('x')),
            (format!("KK.k/{empty} r 0 -"), "KK.k/..../..../..../..../..../..../....", Fault::TooMany('K')),
            (format!("..../{empty} r 0 -"), "..../..../..../..../..../..../..../....", Fault::NoPieces),
            (format!("K..k/{empty} w 0 -"), "w", Fault::NotASide),
            (format!("K..k/{empty} - 0 -"), "-", Fault::SideUnknown),
            (format!("{start_rows} r 0 {all}"), "r", Fault::SideKnown),
            (format!("{start_rows} - 3 {all}"), "3", Fault::CountBeforeStart),
            (format!("K..k/{empty} r 51 -"), "51", Fault::NotACount),
            (format!("K..k/{empty} r -1 -"), "-1", Fault::NotACount),
            (format!("K..k/{empty} r +1 -"), "+1", Fault::NotACount),
            (format!("K..k/{empty} r 300 -"), "300", Fault::NotACount),
            (format!("K..k/{empty} r 0 P"), "P", Fault::PoolSize { cells: 0, letters: 1 }),
            (format!("KX.k/{empty} r 0 -"), "-", Fault::PoolSize { cells: 1, letters: 0 }),
            (format!("KX.k/{empty} r 0 PP"), "PP", Fault::PoolSize { cells: 1, letters: 2 }),
            (format!("KX.k/{empty} r 0 K"), "K", Fault::TooMany('K')),
            (format!("KX.k/{empty} r 0 X"), "X", Fault::NotAPiece('X')),
            (format!("KX.k/{empty} r 0 P a1"), "a1", Fault::NotAFlip),
            (format!("KX.k/{empty} r 0 P e1"), "e1", Fault::NotAFlip),
            (format!("KX.k/{empty} r 0 P 7"), "7", Fault::NotAFlip),
            (format!("KX.k/{empty} r 50 P b1"), "b1", Fault::GameOver(None)),
            (format!("KX.k/{empty} r 0 P b1 x"), "x", Fault::Surplus),
            (
                format!("{start_rows} - 0 {}", all.replace('K', "P")),
                "CCGGPMMNNPPPPPRRccggkmmnnppppprr",
                Fault::TooMany('P'),
            ),
        ];
        for (text, word, fault) in cases {
            let error = from_fen(&text).expect_err(&text);
            assert!(error.word.starts_with(word), "{text}: {error}");
            assert_eq!(error.fault, fault, "{text}");
        }
    }

    #[test]
    fn decided_positions_can_be_set_up() {
        use Player::{First, Second};
        let cases = [
            // No piece left, to move or not, even when the plies are up.
            ("K.../..../..../..../..../..../..../.... r 0 -", Status::Won(First)),
            ("K.../..../..../..../..../..../..../.... b 0 -", Status::Won(Second)),
            ("K.../..../..../..../..../..../..../.... b 50 -", Status::Won(Second)),
            // Pieces that are face down are pieces.
            ("KX../..../..../..../..../..../..../.... b 0 p", Status::Playing),
            // No legal move: a pawn in a corner behind guards.
            ("Pg../g.../..../..../..../..../..../.... r 0 -", Status::Won(Second)),
            ("Pg../g.../..../..../..../..../..../.... r 50 -", Status::Won(Second)),
            ("Pg../g.../..../..../..../..../..../.... b 0 -", Status::Playing),
            ("Pk../g.../..../..../..../..../..../.... r 0 -", Status::Playing),
            // The plies are up.
            ("K.../..../..../..../..../..../..../...k r 49 -", Status::Playing),
            ("K.../..../..../..../..../..../..../...k r 50 -", Status::Drawn),
        ];
        for (text, status) in cases {
            let position = from_fen(text).unwrap();
            assert_eq!((position.fen().as_str(), position.status()), (text, status));
            assert_eq!(position.moves().is_empty(), status != Status::Playing);
        }
    }
}
