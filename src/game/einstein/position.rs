//! The rules: what may be rolled, which cubes move where, who has won, and the name of a position in the table.

use super::cubes::{Cube, Cubes, reflect};
use super::die::{self, Set};
use super::{CELLS, CUBES, SIZE, goal};
use crate::game::{ArrayVec, Key, Kind, Outcome, Player, Value, mix};

/// A cube's step from one cell to another, whatever stands there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Move {
    /// Where the cube stands.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
}

/// The moves of one decision: two cubes, three directions.
pub type Moves = ArrayVec<Move, 6>;

/// Images under which the game is the same: the board as it is, and reflected in the diagonal from a1 to e5.
pub const FRAMES: usize = 2;

/// Every [`Position::code`] is below this.
pub const MOVE_CODES: usize = CELLS * CELLS;

/// A position: cubes, whose turn it is, and the die if it has been rolled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The cubes on the board as it is and on its reflection.
    images: [Cubes; FRAMES],
    /// The cubes that each player has left.
    left: [Set; 2],
    mover: Player,
    /// 1 to 6, or 0 before the roll.
    die: u8,
    winner: Option<Player>,
}

/// The cells that a player's cubes step to, those that exist first, and their number.
pub(super) static TARGETS: [[(u8, [u8; 3]); CELLS]; 2] = [targets(true), targets(false)];

const fn targets(forward: bool) -> [(u8, [u8; 3]); CELLS] {
    let mut table = [(0, [0; 3]); CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (row, col) = (cell / SIZE, cell % SIZE);
        // The same steps for both players, seen from their own corners.
        let (rows_left, cols_left) = if forward { (SIZE - 1 - row, SIZE - 1 - col) } else { (row, col) };
        let steps = [(cols_left > 0, 1), (rows_left > 0, SIZE), (cols_left > 0 && rows_left > 0, SIZE + 1)];
        let mut direction = 0;
        while direction < steps.len() {
            let (exists, step) = steps[direction];
            if exists {
                let (count, cells) = &mut table[cell];
                cells[*count as usize] = (if forward { cell + step } else { cell - step }) as u8;
                *count += 1;
            }
            direction += 1;
        }
        cell += 1;
    }
    table
}

impl Position {
    /// The position with these cubes, whoever could have brought them there, the die not rolled. No cube may come twice
    /// and no two on one cell. `None` if both players have won, or neither has a cube.
    pub(super) fn set_up(mover: Player, cubes: impl Iterator<Item = (u8, Cube)>) -> Option<Position> {
        let mut position = Position { images: [Cubes::NONE; FRAMES], left: [0; 2], mover, die: 0, winner: None };
        for (cell, cube) in cubes {
            position.images[0].put(cube.index(), cell);
            position.images[1].put(cube.index(), reflect(cell));
            position.left[cube.owner as usize] |= 1 << (cube.number - 1);
        }
        position.winner = match Player::BOTH.map(|player| position.has_won(player)) {
            [true, true] => return None,
            [true, false] => Some(Player::First),
            [false, true] => Some(Player::Second),
            [false, false] => None,
        };
        Some(position)
    }

    /// Whether a player stands in the opponent's corner, or the opponent has no cube.
    fn has_won(&self, player: Player) -> bool {
        let arrived = self.cube_at(goal(player)).is_some_and(|cube| cube.owner == player);
        arrived || self.left[player.other() as usize] == 0
    }

    /// The position with the die showing `face` (1 to 6), or not rolled, whatever stands now.
    pub(super) fn showing(self, face: Option<u8>) -> Position {
        Position { die: face.unwrap_or(0), ..self }
    }

    /// Whose turn it is to roll or to move; in a finished game, whose it would be.
    #[inline]
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// What the die shows, if it has been rolled.
    pub fn die(&self) -> Option<u8> {
        (self.die > 0).then_some(self.die)
    }

    /// Who has won, if the game is over.
    pub fn winner(&self) -> Option<Player> {
        self.winner
    }

    /// The same before the roll.
    pub fn without_roll(self) -> Position {
        self.showing(None)
    }

    /// Where all cubes stand.
    #[inline]
    pub fn cubes(&self) -> Cubes {
        self.images[0]
    }

    /// The cells that a cube of the mover steps to from a cell.
    #[inline]
    pub fn targets(&self, from: u8) -> &'static [u8] {
        let (count, cells) = &TARGETS[self.mover as usize][usize::from(from) % CELLS];
        &cells[..usize::from(*count)]
    }

    /// The cube on a cell.
    pub fn cube_at(&self, cell: u8) -> Option<Cube> {
        self.images[0].at(cell).map(Cube::from_index)
    }

    /// Where a cube stands, if it is left.
    #[inline]
    pub fn cell_of(&self, cube: Cube) -> Option<u8> {
        self.images[0].cell(cube.index())
    }

    /// The numbers of the cubes that a player has left: bit 0 is cube 1.
    #[inline]
    pub fn left(&self, player: Player) -> u8 {
        self.left[player as usize]
    }

    /// The numbers of the cubes that may move now: none unless there is a decision to make.
    #[inline]
    pub fn movable(&self) -> u8 {
        match (self.winner, self.die) {
            (None, face @ 1..) => die::movable(self.left(self.mover), face),
            _ => 0,
        }
    }

    /// What kind of node this is.
    #[inline]
    pub fn kind(&self) -> Kind {
        match self.winner {
            None if self.die == 0 => Kind::Chance,
            None => Kind::Decision,
            Some(winner) if winner == self.mover => Kind::Over(Value::WIN),
            Some(_) => Kind::Over(Value::LOSS),
        }
    }

    /// The legal moves: at least one at a decision, none elsewhere.
    #[inline]
    pub fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        let mut movable = self.movable();
        while movable != 0 {
            let number = movable.trailing_zeros() as usize;
            movable &= movable - 1;
            if let Some(from) = self.images[0].cell(self.mover as usize * CUBES + number) {
                moves.extend(self.targets(from).iter().map(|&to| Move { from, to }));
            }
        }
        moves
    }

    /// The six faces, as people roll them; none once the game is over or the die has been rolled.
    pub fn faces(&self) -> impl Iterator<Item = Outcome> {
        let last = if self.kind() == Kind::Chance { CUBES as u8 } else { 0 };
        (1..=last).map(|id| Outcome { id, weight: 1 })
    }

    /// The faces as search needs them: those that move the same cubes are one outcome, the smallest of them.
    #[inline]
    pub fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        let left = if self.kind() == Kind::Chance { self.left(self.mover) } else { 0 };
        die::classes(left).map(|(id, weight)| Outcome { id, weight: weight.into() })
    }

    /// The smallest face that lets the mover move the same cubes as `face` (1 to 6) does: an outcome of
    /// [`Position::outcomes`].
    pub fn representative(&self, face: u8) -> u8 {
        die::representative(self.left(self.mover), face)
    }

    /// Make a legal move; the opponent is to roll next.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let Some(index) = self.images[0].at(mv.from) else {
            debug_assert!(false, "no cube to move: {mv:?}");
            return;
        };
        if let Some(taken) = self.images[0].at(mv.to) {
            self.images.iter_mut().for_each(|image| image.remove(taken));
            self.left[taken / CUBES] &= !(1 << (taken % CUBES));
        }
        self.images[0].shift(index, mv.from, mv.to);
        self.images[1].shift(index, reflect(mv.from), reflect(mv.to));
        let opponent = self.mover.other();
        if mv.to == goal(self.mover) || self.left[opponent as usize] == 0 {
            self.winner = Some(self.mover);
        }
        self.mover = opponent;
        self.die = 0;
    }

    /// Roll `face`, 1 to 6.
    #[inline]
    pub fn roll(&mut self, face: u8) {
        debug_assert!((1..=CUBES as u8).contains(&face), "no face {face}");
        self.die = face;
    }

    /// The position's key. With `images`, a position and its reflection share one.
    ///
    /// Cubes, mover and roll are 64 bits together and the mixing is a bijection: different positions never share a hash.
    /// Rolls that move the same cubes make the same position.
    #[inline]
    pub fn key(&self, images: bool) -> Key {
        let face = if self.die == 0 { 0 } else { self.representative(self.die) };
        let turn = (u64::from(face) << 1 | self.mover as u64) << Cubes::BITS;
        let [plain, reflected] = self.images.map(Cubes::packed);
        let frame = images && reflected < plain;
        Key { hash: mix(turn | if frame { reflected } else { plain }), frame: frame.into() }
    }

    /// Translate a move between this position and the image that `frame` names; its own inverse.
    #[inline]
    pub fn reframe(&self, mv: Move, frame: u8) -> Move {
        if frame == 0 { mv } else { Move { from: reflect(mv.from), to: reflect(mv.to) } }
    }

    /// A small number for a move, the same wherever the move is made.
    #[inline]
    pub fn code(mv: Move) -> u16 {
        u16::from(mv.from) * CELLS as u16 + u16::from(mv.to)
    }
}
