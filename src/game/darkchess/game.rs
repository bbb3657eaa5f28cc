//! Dark chess as search and protocol know it.

use super::{ALL_PIECES, CELLS, KINDS, Move, Piece, Position, Status, draw};
use crate::game::draw as draw_outcome;
use crate::game::{Fault, Game, GameResult, Key, Kind, Moves, Notation, Outcome, Pieces, Player, Shortcuts, UpTo};

impl Game for Position {
    type Move = Move;
    type MoveCapacity = UpTo<{ super::MAX_MOVES }>;
    type OutcomeCapacity = UpTo<KINDS>;

    fn kind(&self) -> Kind {
        Position::kind(self)
    }

    fn mover(&self) -> Player {
        Position::mover(self)
    }

    fn moves(&self) -> Moves<Position> {
        Position::moves(self)
    }

    fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        Position::outcomes(self)
    }

    fn play(&mut self, mv: Move) {
        Position::play(self, mv);
    }

    fn resolve(&mut self, outcome: u8) {
        self.roll(outcome);
    }

    /// The plies without a flip or a capture are left out where the draw lies beyond `depth`.
    fn key(&self, images: bool, depth: u32) -> Key {
        self.key_to(images, depth)
    }

    fn reframe(&self, mv: Move, frame: u8) -> Move {
        Position::reframe(self, mv, frame)
    }

    fn code(mv: Move) -> u16 {
        Position::code(mv)
    }
}

impl Shortcuts for Position {
    fn withholds_moves(&self) -> bool {
        self.withholds_flips()
    }

    fn promise(&self, mv: Move) -> u32 {
        Position::promise(self, mv)
    }
}

impl Notation for Position {
    const NAME: &'static str = "darkchess";
    const CHANCE_FOLLOWS: bool = true;
    const PLY: &'static str = "a1=K";

    fn start(words: &[&str]) -> Result<Position, Fault> {
        Ok(Position::start(words)?)
    }

    fn read(_keyword: &str, words: &[&str]) -> Result<Position, Fault> {
        Ok(Position::from_fen(words)?)
    }

    fn write(&self, _keyword: &str) -> String {
        Position::fen(self)
    }

    fn parse_move(&self, text: &str) -> Result<Move, Fault> {
        Ok(Position::parse_move(self, text)?)
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn parse_outcome(&self, text: &str) -> Result<u8, Fault> {
        Ok(Position::parse_outcome(self, text)?)
    }

    fn outcome_text(&self, id: u8) -> String {
        Piece::from_id(id).map_or('?', Piece::letter).to_string()
    }

    fn faces(&self) -> Vec<Outcome> {
        Position::faces(self).collect()
    }

    fn outcome_of(&self, face: u8) -> u8 {
        self.representative(face)
    }

    /// Red and black are one to the search before the first flip.
    fn faces_of(&self, _outcome: Outcome) -> u32 {
        if self.colour(Player::First).is_some() { 1 } else { 2 }
    }

    /// A seed hides the same piece on a cell in every game, whenever it is flipped.
    fn chance(&self, seed: u64, ply: u32) -> Option<u8> {
        let hidden = self.pending().map(|cell| hidden_piece(seed, cell));
        // A position that was set up may have lost that piece already.
        let possible = hidden.filter(|&id| Position::faces(self).any(|face| face.id == id));
        possible.or_else(|| draw_outcome(seed, ply, Notation::faces(self).into_iter()))
    }

    fn result(&self) -> Option<GameResult> {
        match self.status() {
            Status::Playing => None,
            Status::Drawn => Some(GameResult::DRAW),
            Status::Won(player) => Some(GameResult::won_by(player)),
        }
    }

    fn player_name(&self, player: Player) -> &'static str {
        self.name(player)
    }

    /// Games last some sixty moves a side; what is face down, and pieces left to take, are a measure of it.
    fn moves_to_go(&self) -> usize {
        let pieces = CELLS - self.empty().count_ones() as usize;
        5 + pieces + self.face_down().count_ones() as usize / 2
    }

    fn draw(&self, colour: bool, last: Option<&str>) -> String {
        draw(self, colour, false, last)
    }

    fn draw_with(&self, pieces: Pieces, colour: bool, last: Option<&str>) -> String {
        draw(self, colour, pieces == Pieces::Chinese, last)
    }
}

/// The piece that a seed hides on a cell: all pieces shuffled (Fisher and Yates), each swap a draw.
fn hidden_piece(seed: u64, cell: u8) -> u8 {
    let mut pieces = ALL_PIECES;
    for i in (1..CELLS).rev() {
        let places = (0..=i as u8).map(|id| Outcome { id, weight: 1 });
        let j = draw_outcome(seed, (CELLS - 1 - i) as u32, places).unwrap_or_default();
        pieces.swap(i, usize::from(j));
    }
    pieces[usize::from(cell)]
}

#[cfg(test)]
mod hidden_tests {
    use super::*;
    use crate::game::Step;

    #[test]
    fn every_seed_hides_all_pieces_and_every_cell_any() {
        let mut seen = [[0; KINDS]; 2];
        for seed in 0..300 {
            let mut pieces: Vec<u8> = (0..CELLS as u8).map(|cell| hidden_piece(seed, cell)).collect();
            seen[0][usize::from(pieces[0])] += 1;
            seen[1][usize::from(pieces[31])] += 1;
            pieces.sort_unstable();
            assert_eq!(pieces, ALL_PIECES);
        }
        // One cell in 32 hides the red king, five a red pawn.
        for counts in seen {
            assert!(counts.iter().all(|&count| count > 0) && counts[0] < 30 && counts[6] > 20, "{counts:?}");
        }
    }

    #[test]
    fn a_cell_hides_one_piece_whenever_it_is_flipped() {
        let start = Position::start(&[]).unwrap();
        let flip = |position: &Position, cell: &str, ply| {
            let flipped = position.child(Step::Move(position.parse_move(cell).unwrap()));
            let face = flipped.chance(7, ply).unwrap();
            (face, flipped.child(Step::Outcome(face)))
        };
        let (first, after) = flip(&start, "a1", 0);
        let (late, _) = flip(&after, "d8", 1);
        let (early, after) = flip(&start, "d8", 0);
        assert_eq!((early, flip(&after, "a1", 1).0), (late, first));
    }
}
