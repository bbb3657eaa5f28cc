//! How the game is written: pieces as letters, moves (`a1`, `a1a2`), what a flip shows, and what can be wrong with them.

use super::geometry::{bit, neighbours};
use super::{Colour, GRID, KINDS, Move, Piece, Position, Rank, Status};
use crate::game::dice::Cell;
use crate::game::{Player, WordError};
use std::fmt;

/// A word of a position, a move or an outcome that cannot stand, and why.
pub type Mistake = WordError<Fault>;

/// What is wrong with a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A start position has no words of its own.
    StartHasNoWords,
    /// A position needs rows first.
    NoRows,
    /// The board has not eight rows.
    RowCount(usize),
    /// A row, counted from 1, has not four cells.
    RowLength {
        /// Which row.
        row: usize,
        /// Its length.
        length: usize,
    },
    /// This is nothing that can lie on a cell.
    NotACell(char),
    /// There are more of this piece than a game has.
    TooMany(char),
    /// There are no pieces at all.
    NoPieces,
    /// The side to move is not red, black or unknown.
    NotASide,
    /// Colours are unknown only, and always, while all pieces lie face down.
    SideUnknown,
    /// Somebody owns red before the first flip.
    SideKnown,
    /// This is no count of plies.
    NotACount,
    /// There has been no ply before the first flip.
    CountBeforeStart,
    /// The pieces that are face down are missing.
    NotAPool,
    /// This is no piece.
    NotAPiece(char),
    /// As many letters as cells that are face down were expected.
    PoolSize {
        /// Cells that are face down.
        cells: usize,
        /// Letters.
        letters: usize,
    },
    /// A position may end with the cell that is being flipped.
    NotAFlip,
    /// Nothing more was expected.
    Surplus,
    /// The game is over: this colour has won, or it is a draw.
    GameOver(Option<Colour>),
    /// It is for chance to say what this cell shows.
    FlipPending(Cell),
    /// Nothing is being flipped.
    NoFlip,
    /// What a flip shows is one letter.
    NotAnOutcome,
    /// No piece of this kind is face down any more.
    NoneLeft(char),
    /// This is not one cell or a pair of cells.
    NotAMove,
    /// The cell is empty.
    Empty(Cell),
    /// The cell's piece is face up and cannot be flipped.
    FaceUp(Cell),
    /// The cell's piece is face down and cannot be moved or taken.
    FaceDown(Cell),
    /// The cell's piece is the opponent's.
    NotYours(Cell),
    /// The cell's piece is one's own and cannot be taken.
    OwnPiece(Cell),
    /// Pieces go one step.
    NotAStep,
    /// The first piece does not take the second.
    CannotTake(char, char),
    /// The cannon takes by jumping.
    NotAJump,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::StartHasNoWords => f.write_str("expected nothing more: there is one start position"),
            Fault::NoRows => f.write_str("expected a position, eight rows joined by /"),
            Fault::RowCount(count) => write!(f, "expected eight rows joined by /, found {count}"),
            Fault::RowLength { row, length } => write!(f, "expected four cells in row {row}, found {length}"),
            Fault::NotACell(letter) => {
                write!(f, "expected X, . or a letter of KGMRNCP or kgmrncp for a cell, found {letter:?}")
            }
            Fault::TooMany(letter) => write!(f, "there are more {letter} than a game has"),
            Fault::NoPieces => f.write_str("there are no pieces"),
            Fault::NotASide => f.write_str("expected the side to move, r, b, or - before the first flip"),
            Fault::SideUnknown => f.write_str("expected r or b, for not all 32 pieces are face down"),
            Fault::SideKnown => f.write_str("expected -, for all 32 pieces are face down"),
            Fault::NotACount => f.write_str("expected the plies since the last flip or capture, 0 to 50"),
            Fault::CountBeforeStart => f.write_str("expected 0 plies before the first flip"),
            Fault::NotAPool => f.write_str("expected the pieces still face down as letters, or -"),
            Fault::NotAPiece(letter) => write!(f, "expected letters of KGMRNCP or kgmrncp, found {letter:?}"),
            Fault::PoolSize { cells, letters } => {
                write!(f, "expected {cells} letters, for so many pieces are face down, found {letters}")
            }
            Fault::NotAFlip => {
                f.write_str("expected the end, or the cell of the face-down piece that is being flipped")
            }
            Fault::Surplus => f.write_str("expected the end of the position"),
            Fault::GameOver(Some(colour)) => write!(f, "the game is over ({} wins)", colour.name()),
            Fault::GameOver(None) => f.write_str("the game is over (draw)"),
            Fault::FlipPending(cell) => write!(f, "expected what the flip of {cell} shows first"),
            Fault::NoFlip => f.write_str("no piece is being flipped"),
            Fault::NotAnOutcome => f.write_str("expected what the flip shows, a letter of KGMRNCP or kgmrncp"),
            Fault::NoneLeft(letter) => write!(f, "no {letter} is face down any more"),
            Fault::NotAMove => f.write_str("expected a move, one or two cells from a1 to d8 as in a1 or a1a2"),
            Fault::Empty(cell) => write!(f, "{cell} is empty"),
            Fault::FaceUp(cell) => write!(f, "the piece on {cell} is face up already"),
            Fault::FaceDown(cell) => write!(f, "the piece on {cell} is face down"),
            Fault::NotYours(cell) => write!(f, "the piece on {cell} is the opponent's"),
            Fault::OwnPiece(cell) => write!(f, "the piece on {cell} is one's own"),
            Fault::NotAStep => f.write_str("pieces go one step up, down, left or right"),
            Fault::CannotTake(piece, prey) => write!(f, "{piece} does not take {prey}"),
            Fault::NotAJump => f.write_str("a cannon takes by jumping over exactly one piece along a line"),
        }
    }
}

impl Piece {
    /// Upper case for red, lower case for black.
    pub const fn letter(self) -> char {
        let letter = match self.rank {
            Rank::King => 'K',
            Rank::Guard => 'G',
            Rank::Minister => 'M',
            Rank::Rook => 'R',
            Rank::Knight => 'N',
            Rank::Cannon => 'C',
            Rank::Pawn => 'P',
        };
        match self.colour {
            Colour::Red => letter,
            Colour::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The piece of that letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        (0..KINDS as u8).filter_map(Piece::from_id).find(|piece| piece.letter() == letter)
    }
}

/// `a1` or `a1a2`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::Flip(cell) => write!(f, "{}", GRID.name(cell)),
            Move::Step { from, to } => write!(f, "{}{}", GRID.name(from), GRID.name(to)),
        }
    }
}

impl Position {
    /// What people call a player: by the colour, once it is known.
    pub fn name(&self, player: Player) -> &'static str {
        match (self.colour(player), player) {
            (Some(colour), _) => colour.name(),
            (None, Player::First) => "the first player",
            (None, Player::Second) => "the second player",
        }
    }

    /// The start position, after which no words may follow.
    pub fn start(words: &[&str]) -> Result<Position, Mistake> {
        match words.first() {
            Some(word) => Err(WordError::new(word, Fault::StartHasNoWords)),
            None => Ok(Position::default()),
        }
    }

    /// Why nothing can be done here: the game is over.
    pub(super) fn over(&self) -> Result<(), Fault> {
        match self.status() {
            Status::Playing => Ok(()),
            Status::Drawn => Err(Fault::GameOver(None)),
            Status::Won(winner) => Err(Fault::GameOver(self.colour(winner))),
        }
    }

    /// What the pending flip shows, by [`Piece::id`].
    pub fn parse_outcome(&self, word: &str) -> Result<u8, Mistake> {
        self.read_outcome(word).map_err(|fault| WordError::new(word, fault))
    }

    fn read_outcome(&self, word: &str) -> Result<u8, Fault> {
        self.over()?;
        self.pending().ok_or(Fault::NoFlip)?;
        let mut letters = word.chars();
        let piece = match (letters.next(), letters.next()) {
            (Some(letter), None) => Piece::from_letter(letter).ok_or(Fault::NotAnOutcome)?,
            _ => return Err(Fault::NotAnOutcome),
        };
        if self.face_down_of(piece.id()) == 0 { Err(Fault::NoneLeft(piece.letter())) } else { Ok(piece.id()) }
    }

    /// The legal move that a word names.
    pub fn parse_move(&self, word: &str) -> Result<Move, Mistake> {
        self.read_move(word).map_err(|fault| WordError::new(word, fault))
    }

    fn read_move(&self, word: &str) -> Result<Move, Fault> {
        self.over()?;
        if let Some(cell) = self.pending() {
            return Err(Fault::FlipPending(GRID.name(cell)));
        }
        let (from, to) = word.split_at_checked(2).ok_or(Fault::NotAMove)?;
        let from = GRID.cell(from).ok_or(Fault::NotAMove)?;
        if self.empty() & bit(from) != 0 {
            return Err(Fault::Empty(GRID.name(from)));
        }
        let face_down = self.face_down() & bit(from) != 0;
        if to.is_empty() {
            return if face_down { Ok(Move::Flip(from)) } else { Err(Fault::FaceUp(GRID.name(from))) };
        }
        let to = GRID.cell(to).ok_or(Fault::NotAMove)?;
        if face_down {
            return Err(Fault::FaceDown(GRID.name(from)));
        }
        if self.cells_of(self.mover()) & bit(from) == 0 {
            return Err(Fault::NotYours(GRID.name(from)));
        }
        let mv = Move::Step { from, to };
        if self.moves().contains(&mv) { Ok(mv) } else { Err(self.why_not(from, to)) }
    }

    /// What is wrong with a move of the mover's piece that is not legal.
    fn why_not(&self, from: u8, to: u8) -> Fault {
        let (piece, prey) = (self.piece_at(from), self.piece_at(to));
        let is_step = neighbours(bit(from)) & bit(to) != 0;
        match (piece, prey) {
            _ if self.face_down() & bit(to) != 0 => Fault::FaceDown(GRID.name(to)),
            _ if self.cells_of(self.mover()) & bit(to) != 0 => Fault::OwnPiece(GRID.name(to)),
            (Some(Piece { rank: Rank::Cannon, .. }), Some(_)) => Fault::NotAJump,
            (Some(piece), Some(prey)) if is_step => Fault::CannotTake(piece.letter(), prey.letter()),
            _ => Fault::NotAStep,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(&fen.split(' ').collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn pieces_have_letters() {
        let letters: String = (0..KINDS as u8).filter_map(Piece::from_id).map(Piece::letter).collect();
        assert_eq!(letters, "KGMRNCPkgmrncp");
        assert_eq!(Piece::from_id(KINDS as u8), None);
        for letter in letters.chars() {
            assert_eq!(Piece::from_letter(letter).map(Piece::letter), Some(letter));
        }
        assert_eq!(Piece::from_letter('X'), None);
    }

    #[test]
    fn bad_moves_name_what_is_wrong() {
        let cell = |name| GRID.name(GRID.cell(name).unwrap());
        let position = position("KpX./Cgr./p.P./..../..../..../..../.... r 0 N");
        let cases = [
            ("", Fault::NotAMove),
            ("a", Fault::NotAMove),
            ("e1", Fault::NotAMove),
            ("a9", Fault::NotAMove),
            ("a1e1", Fault::NotAMove),
            ("a1b1c1", Fault::NotAMove),
            ("aé1", Fault::NotAMove),
            ("d1", Fault::Empty(cell("d1"))),
            ("d1d2", Fault::Empty(cell("d1"))),
            ("a1", Fault::FaceUp(cell("a1"))),
            ("b1", Fault::FaceUp(cell("b1"))),
            ("c1c2", Fault::FaceDown(cell("c1"))),
            ("b1c1", Fault::NotYours(cell("b1"))),
            ("a1b1", Fault::CannotTake('K', 'p')),
            ("c3c2", Fault::CannotTake('P', 'r')),
            ("a1a2", Fault::OwnPiece(cell("a2"))),
            ("a1c1", Fault::FaceDown(cell("c1"))),
            ("a1a1", Fault::OwnPiece(cell("a1"))),
            ("c3c5", Fault::NotAStep),
            ("c3b2", Fault::NotAStep),
            ("a2b2", Fault::NotAJump),
            ("a2a3", Fault::NotAJump),
        ];
        for (word, fault) in cases {
            assert_eq!(position.parse_move(word), Err(WordError::new(word, fault)), "{word}");
        }
        for word in ["c1", "a2c2", "c3b3", "c3d3", "c3c4"] {
            assert_eq!(position.parse_move(word).unwrap().to_string(), word);
        }
    }

    #[test]
    fn outcomes_are_letters_of_what_is_face_down() {
        let position = position("XXX./K.k./..../..../..../..../..../.... b 3 PpN");
        assert_eq!(position.parse_outcome("P"), Err(WordError::new("P", Fault::NoFlip)));
        let flipping = position.flipping(1);
        for (word, id) in [("N", 4), ("P", 6), ("p", 13)] {
            assert_eq!(flipping.parse_outcome(word), Ok(id));
        }
        let cases = [
            ("", Fault::NotAnOutcome),
            ("X", Fault::NotAnOutcome),
            ("Pp", Fault::NotAnOutcome),
            ("é", Fault::NotAnOutcome),
            ("n", Fault::NoneLeft('n')),
            ("K", Fault::NoneLeft('K')),
        ];
        for (word, fault) in cases {
            assert_eq!(flipping.parse_outcome(word), Err(WordError::new(word, fault)), "{word}");
        }
        assert_eq!(flipping.parse_move("a1"), Err(WordError::new("a1", Fault::FlipPending(GRID.name(1)))));
    }

    #[test]
    fn finished_games_take_no_moves() {
        let cases = [
            ("K.../..../..../..../..../..../..../...k r 50 -", None),
            ("K.../..../..../..../..../..../..../.... r 0 -", Some(Colour::Red)),
            ("K.../..../..../..../..../..../..../.... b 0 -", Some(Colour::Red)),
        ];
        for (fen, winner) in cases {
            let fault = Fault::GameOver(winner);
            assert_eq!(position(fen).parse_move("a1a2"), Err(WordError::new("a1a2", fault)), "{fen}");
            assert_eq!(position(fen).parse_outcome("P"), Err(WordError::new("P", fault)), "{fen}");
        }
    }

    #[test]
    fn the_start_has_no_words() {
        assert_eq!(Position::start(&[]), Ok(Position::default()));
        assert_eq!(Position::start(&["r"]), Err(WordError::new("r", Fault::StartHasNoWords)));
    }
}
