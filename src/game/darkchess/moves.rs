//! Which moves there are.

use super::geometry::{MIRROR, bit, cells, jumps, neighbours};
use super::{CELLS, Position, RANKS, Rank};
use crate::game::ArrayVec;

/// A player's choice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Move {
    /// Turn up the piece on a cell; chance says what it is.
    Flip(u8),
    /// Move one's own piece, and take what lies there.
    Step {
        /// Where the piece lies.
        from: u8,
        /// Where it goes.
        to: u8,
    },
}

/// No position has more moves: sixteen own pieces with four steps each, four jumps more for two cannons, and sixteen
/// pieces to flip.
pub const MAX_MOVES: usize = 16 * 4 + 2 * 4 + 16;

/// The moves of one decision.
pub type Moves = ArrayVec<Move, MAX_MOVES>;

/// Every [`Position::code`] is below this.
pub const MOVE_CODES: usize = CELLS * CELLS;

/// More than any history of cuts.
const CAPTURE: u32 = 1 << 25;

/// The cells of the enemy pieces that each rank may take: by a step, or the cannon by a jump.
#[inline]
pub(crate) fn prey(enemies: &[u32; RANKS]) -> [u32; RANKS] {
    // Own rank or lower.
    let mut prey = *enemies;
    for rank in (0..RANKS - 1).rev() {
        prey[rank] |= prey[rank + 1];
    }
    let all = prey[Rank::King as usize];
    prey[Rank::King as usize] = all & !enemies[Rank::Pawn as usize];
    prey[Rank::Cannon as usize] = all;
    prey[Rank::Pawn as usize] |= enemies[Rank::King as usize];
    prey
}

impl Position {
    /// The legal moves: at least one at a decision, none elsewhere.
    #[inline]
    pub fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        if self.is_decision() {
            self.each_step(|from, to| moves.push(Move::Step { from, to }));
            if !self.is_out_of_flips() || moves.is_empty() {
                moves.extend(cells(self.face_down()).map(Move::Flip));
            }
        }
        moves
    }

    /// Whether a limit of flips ([`Position::with_flip_limit`]) keeps flips from the list of moves.
    #[inline]
    pub fn withholds_flips(&self) -> bool {
        self.is_out_of_flips() && self.face_down() != 0 && self.is_decision() && self.has_step()
    }

    /// Whether the mover has a legal move.
    pub(super) fn can_move(&self) -> bool {
        self.face_down() != 0 || self.has_step()
    }

    /// Whether a face-up piece of the mover's has a move.
    fn has_step(&self) -> bool {
        if neighbours(self.cells_of(self.mover())) & self.empty() != 0 {
            return true;
        }
        let mut found = false;
        self.each_step(|_, _| found = true);
        found
    }

    /// Call `take` for every move of a face-up piece of the mover's.
    #[inline(always)]
    fn each_step(&self, mut take: impl FnMut(u8, u8)) {
        let (empty, occupied) = (self.empty(), !self.empty());
        let prey = prey(self.pieces(self.mover().other()));
        for (rank, &own) in self.pieces(self.mover()).iter().enumerate() {
            for from in cells(own) {
                let steps = neighbours(bit(from));
                let targets = match rank == Rank::Cannon as usize {
                    true => steps & empty | jumps(from, occupied) & prey[rank],
                    false => steps & (empty | prey[rank]),
                };
                cells(targets).for_each(|to| take(from, to));
            }
        }
    }

    /// Captures first, the highest victims soonest.
    #[inline]
    pub(super) fn promise(&self, mv: Move) -> u32 {
        let enemy = self.mover().other();
        match mv {
            Move::Step { to, .. } if self.cells_of(enemy) & bit(to) != 0 => {
                CAPTURE + (RANKS - self.rank_at(to, enemy)) as u32
            }
            _ => 0,
        }
    }

    /// Translate a move between this position and the image that `frame` names; its own inverse.
    #[inline]
    pub fn reframe(&self, mv: Move, frame: u8) -> Move {
        let mirror = MIRROR[usize::from(frame)];
        match mv {
            Move::Flip(cell) => Move::Flip(cell ^ mirror),
            Move::Step { from, to } => Move::Step { from: from ^ mirror, to: to ^ mirror },
        }
    }

    /// A small number for a move, the same wherever the move is made.
    #[inline]
    pub fn code(mv: Move) -> u16 {
        let (from, to) = match mv {
            Move::Flip(cell) => (cell, cell),
            Move::Step { from, to } => (from, to),
        };
        u16::from(from) * CELLS as u16 + u16::from(to)
    }
}
