//! The rules of Dice on bitboards of any width.

use super::geometry::{Geometry, IMAGES, Surveyed, mirror};
use super::playout;
use super::replies::ReplyBounds;
use super::{Bits, Cell, MAX_BRANCHES, MAX_SIZE, Move, Shape, Side, Status};
use crate::game::{
    ArrayVec, Bounds, Game, Key, Kind, Moves, Outcome, Player, Random, Shortcuts, Step, Trace, Turn, UpTo, Value, mix,
};
use std::fmt;

/// A width of bitboard that a [`Board`] can be made of.
#[allow(private_bounds)]
pub trait Width: Surveyed {}
impl<B: Surveyed> Width for B {}

/// A position of Dice: the board, who is to move, and the roll if there is one.
///
/// For each side it keeps the empty cells that would complete k in a row ("threats"): with them a win is seen
/// before it is played, and most positions need no other test for the end of the game.
#[derive(Clone, Copy)]
pub struct Board<B: Bits> {
    geometry: &'static Geometry<B>,
    checkers: [B; 2],
    threats: [B; 2],
    hashes: [u64; IMAGES],
    shape: Shape,
    side: Side,
    roll: Option<u8>,
    status: Status,
    empty: u16,
}

/// Why a ply cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalPly {
    /// The game has ended.
    GameOver(Status),
    /// The roll is not a face of the die.
    NoSuchLine {
        /// The roll.
        roll: u32,
        /// Faces of the die.
        size: usize,
    },
    /// The rolled line is full.
    FullLine {
        /// The roll.
        roll: u32,
        /// Whose line.
        side: Side,
    },
    /// The die shows another number already.
    OtherRoll {
        /// The roll that was given.
        roll: u32,
        /// The roll that stands.
        stands: u8,
    },
    /// The cell is not on the board.
    OffBoard {
        /// Rows and columns of the board.
        size: usize,
    },
    /// The cell is taken.
    Taken {
        /// By whom.
        by: Side,
    },
    /// The cell is not in the rolled line.
    OffLine {
        /// The roll.
        roll: u8,
        /// Whose line.
        side: Side,
    },
    /// The die has not been rolled.
    NotRolled,
}

/// What a roll means to a side, by the names that cells have: rolls count from 0, rows from 1.
fn line_name(side: Side, roll: u32) -> String {
    match (side, u8::try_from(roll)) {
        (Side::Red, Ok(column @ 0..26)) => format!("roll {roll} is red's column {}", char::from(b'a' + column)),
        (Side::Red, _) => format!("roll {roll} is no column of red's"),
        (Side::Blue, _) => format!("roll {roll} is blue's row {}", u64::from(roll) + 1),
    }
}

impl fmt::Display for IllegalPly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IllegalPly::GameOver(status) => write!(f, "the game is over ({status})"),
            IllegalPly::NoSuchLine { roll, size } => write!(f, "roll {roll} is not one of 0..{}", size - 1),
            IllegalPly::FullLine { roll, side } => write!(f, "{}, which is full", line_name(side, roll)),
            IllegalPly::OtherRoll { roll, stands } => write!(f, "the roll is {stands}, not {roll}"),
            IllegalPly::OffBoard { size } => write!(f, "the cell is not on the {size}x{size} board"),
            IllegalPly::Taken { by } => write!(f, "the cell is taken by {by}"),
            IllegalPly::OffLine { roll, side } => {
                write!(f, "{}, and the cell is not in it", line_name(side, roll.into()))
            }
            IllegalPly::NotRolled => f.write_str("the die has not been rolled"),
        }
    }
}

impl std::error::Error for IllegalPly {}

impl<B: Width> Board<B> {
    /// The empty board, blue to roll. The shape must fit the width.
    pub fn new(shape: Shape) -> Board<B> {
        Board {
            geometry: B::geometry(shape.size()),
            checkers: [B::default(); 2],
            threats: [B::default(); 2],
            hashes: [0; IMAGES],
            shape,
            side: Side::Blue,
            roll: None,
            status: Status::Playing,
            empty: (shape.size() * shape.size()) as u16,
        }
    }

    /// The position with these checkers, whoever could have placed them so; `None` if both sides have k in a row.
    pub fn set_up(shape: Shape, side: Side, checkers: impl Iterator<Item = (Cell, Side)>) -> Option<Board<B>> {
        let mut board = Board::new(shape);
        for (cell, owner) in checkers {
            board.put(board.bit(cell), owner);
        }
        let rows = [Side::Blue, Side::Red].map(|owner| has_run(board.checkers[owner as usize], shape.win()));
        board.status = match rows {
            [true, true] => return None,
            [true, false] => Status::Won(Side::Blue),
            [false, true] => Status::Won(Side::Red),
            [false, false] if board.empty == 0 => Status::Drawn,
            [false, false] => Status::Playing,
        };
        board.threats = board.checkers.map(|own| completing(own, shape.win()) & board.empty_cells());
        board.side = side;
        Some(board)
    }

    /// The same position on bitboards of another width, which must hold its shape.
    pub fn to_width<C: Width>(&self) -> Board<C> {
        let board = Board::<C>::set_up(self.shape, self.side, self.checkers());
        board.expect("a position was legal once").showing(self.roll)
    }

    fn put(&mut self, bit: usize, owner: Side) {
        let side = owner as usize;
        self.checkers[side] = self.checkers[side] | B::bit(bit);
        let keys = &self.geometry.keys[side][bit];
        for (hash, key) in self.hashes.iter_mut().zip(keys) {
            *hash ^= key;
        }
        self.empty -= 1;
    }

    fn bit(&self, cell: Cell) -> usize {
        usize::from(cell.row) * B::STRIDE + usize::from(cell.col)
    }

    /// The number by which search knows a cell.
    pub fn cell_move(&self, cell: Cell) -> Move {
        Move(self.bit(cell) as u16)
    }

    /// The cell that a move of search plays on.
    pub fn move_cell(&self, mv: Move) -> Cell {
        let bit = usize::from(mv.0);
        Cell { row: (bit / B::STRIDE) as u8, col: (bit % B::STRIDE) as u8 }
    }

    /// Size and win length.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Who is to move, or to roll.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The roll, if the die has been rolled.
    pub fn roll(&self) -> Option<u8> {
        self.roll
    }

    /// How the game stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// How many cells are empty.
    pub fn empty_count(&self) -> usize {
        usize::from(self.empty)
    }

    /// The checkers of one side.
    pub fn checkers_of(&self, side: Side) -> B {
        self.checkers[side as usize]
    }

    /// The empty cells that would complete k in a row for `side`.
    pub fn threats_of(&self, side: Side) -> B {
        self.threats[side as usize]
    }

    /// Every empty cell.
    pub fn empty_cells(&self) -> B {
        self.geometry.cells & !(self.checkers[0] | self.checkers[1])
    }

    /// Who stands on a cell of the board.
    pub fn at(&self, cell: Cell) -> Option<Side> {
        let bit = self.bit(cell);
        [Side::Blue, Side::Red].into_iter().find(|&side| self.checkers[side as usize].has(bit))
    }

    /// Every checker, row by row.
    pub fn checkers(&self) -> impl Iterator<Item = (Cell, Side)> + '_ {
        let occupied = self.checkers[0] | self.checkers[1];
        occupied.iter().map(|bit| {
            let cell = self.move_cell(Move(bit as u16));
            (cell, if self.checkers[0].has(bit) { Side::Blue } else { Side::Red })
        })
    }

    /// The cells of one line of one side.
    #[inline]
    fn line(&self, side: Side, line: usize) -> B {
        self.geometry.lines[side as usize][line]
    }

    /// The cells of every line of one side, in the order of the rolls.
    pub fn lines(&self, side: Side) -> &'static [B] {
        &self.geometry.lines[side as usize][..self.geometry.size]
    }

    /// A hash of each mirror image of this position, itself first. Images of one another have the same four, in another
    /// order.
    #[inline]
    pub fn image_hashes(&self) -> [u64; IMAGES] {
        let last = self.geometry.size as u64 - 1;
        // A roll is mirrored with its lines: blue's rows by frame bit 1, red's columns by frame bit 0.
        let mirror = if self.side == Side::Blue { 2 } else { 1 };
        let roll = self.roll.map_or(MAX_SIZE as u64, u64::from);
        let mirrored = self.roll.map_or(MAX_SIZE as u64, |roll| last - u64::from(roll));
        std::array::from_fn(|frame| {
            let roll = if frame & mirror != 0 { mirrored } else { roll };
            self.hashes[frame] ^ (roll * 2 + self.side as u64)
        })
    }

    /// A hash that all mirror images share, whatever the roll.
    pub fn image_hash(&self) -> u64 {
        self.without_roll().image_hashes().map(mix).into_iter().min().unwrap_or_default()
    }

    /// The lines that the side to move may still roll; none once the game is over.
    pub fn open_lines(&self) -> ArrayVec<u8, MAX_SIZE> {
        self.outcomes().map(|outcome| outcome.id).collect()
    }

    /// Where the side to move may play with the roll that stands; nowhere without a roll or in a finished game.
    pub fn playable(&self) -> B {
        match self.roll {
            Some(roll) if self.status == Status::Playing => self.line(self.side, roll.into()) & self.empty_cells(),
            _ => B::default(),
        }
    }

    /// The legal cells, in order.
    pub fn legal_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.playable().iter().map(|bit| self.move_cell(Move(bit as u16)))
    }

    /// The cells of the rows that have won the game.
    pub fn winning_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let (won, win) = match self.status {
            Status::Won(side) => (self.checkers[side as usize], self.shape.win()),
            _ => (B::default(), 1),
        };
        let row = |step: usize| {
            let starts = (1..win).fold(won, |run, _| won & run.down(step));
            (0..win).scan(starts, move |cells, _| Some(std::mem::replace(cells, cells.up(step)))).fold(starts, B::bitor)
        };
        let cells = directions::<B>().into_iter().map(row).fold(B::default(), B::bitor);
        cells.iter().map(|bit| self.move_cell(Move(bit as u16)))
    }

    /// Whether a line of the side to move has an empty cell.
    pub(super) fn line_is_open(&self, line: u8) -> bool {
        self.line(self.side, line.into()).meets(self.empty_cells())
    }

    /// The position before the die was rolled.
    pub fn without_roll(self) -> Board<B> {
        self.showing(None)
    }

    /// The position with the die showing `roll`, whatever stands now.
    pub(super) fn showing(self, roll: Option<u8>) -> Board<B> {
        Board { roll, ..self }
    }

    /// The position with the die showing `roll`.
    pub fn with_roll(&self, roll: u32) -> Result<Board<B>, IllegalPly> {
        let size = self.geometry.size;
        if self.status != Status::Playing {
            return Err(IllegalPly::GameOver(self.status));
        }
        if roll as usize >= size {
            return Err(IllegalPly::NoSuchLine { roll, size });
        }
        match self.roll {
            Some(stands) if u32::from(stands) != roll => Err(IllegalPly::OtherRoll { roll, stands }),
            _ if !self.line_is_open(roll as u8) => Err(IllegalPly::FullLine { roll, side: self.side }),
            _ => Ok(self.showing(Some(roll as u8))),
        }
    }

    /// The position after the side to move plays on `cell`, the die having been rolled.
    pub fn play_on(&self, cell: Cell) -> Result<Board<B>, IllegalPly> {
        let size = self.geometry.size;
        let roll = match self.roll {
            _ if self.status != Status::Playing => return Err(IllegalPly::GameOver(self.status)),
            Some(roll) => roll,
            None => return Err(IllegalPly::NotRolled),
        };
        if usize::from(cell.row) >= size || usize::from(cell.col) >= size {
            return Err(IllegalPly::OffBoard { size });
        }
        if let Some(by) = self.at(cell) {
            return Err(IllegalPly::Taken { by });
        }
        if !self.playable().has(self.bit(cell)) {
            return Err(IllegalPly::OffLine { roll, side: self.side });
        }
        Ok(self.child(Step::Move(self.cell_move(cell))))
    }

    /// What the opponent's replies leave of a line where the side to move cannot win, to a depth: nothing is known where the
    /// opponent does not get to roll, or has no threats.
    #[inline]
    fn reply_bounds(&self, depth: u32) -> Option<ReplyBounds<B>> {
        (depth >= 3 && !self.threats[self.side.other() as usize].is_empty()).then(|| ReplyBounds::of(self))
    }

    /// Bounds on the decision node in which the side to move must play in `line`.
    #[inline]
    fn line_bounds(&self, line: B, replies: Option<&ReplyBounds<B>>) -> Bounds {
        if line.meets(self.threats[self.side as usize]) {
            return Bounds::exactly(Value::WIN);
        }
        Bounds { lo: Value::LOSS, hi: replies.map_or(Value::WIN, |replies| replies.of_line(line)) }
    }
}

/// Which line of one side holds bit `bit`.
#[inline]
fn line_number<B: Bits>(side: Side, bit: usize) -> usize {
    if side == Side::Blue { bit / B::STRIDE } else { bit % B::STRIDE }
}

/// The four directions of a line, in bits.
fn directions<B: Bits>() -> [usize; 4] {
    [1, B::STRIDE - 1, B::STRIDE, B::STRIDE + 1]
}

/// Whether the set holds `win` cells in a row.
fn has_run<B: Bits>(set: B, win: usize) -> bool {
    directions::<B>().into_iter().any(|step| {
        let run = (1..win).fold(set, |run, _| set & run.down(step));
        !run.is_empty()
    })
}

/// The places where one more checker would make `win` or more in a row with those of `set`.
fn completing<B: Bits>(set: B, win: usize) -> B {
    // A constant lets the compiler unroll the shifts.
    match win {
        3 => completing_run(set, 3),
        4 => completing_run(set, 4),
        6 => completing_run(set, 6),
        8 => completing_run(set, 8),
        _ => completing_run(set, win),
    }
}

#[inline(always)]
fn completing_run<B: Bits>(set: B, win: usize) -> B {
    let mut places = B::default();
    for step in directions::<B>() {
        let mut below = [!B::default(); MAX_SIZE];
        let mut above = below;
        for i in 1..win {
            below[i] = (set & below[i - 1]).up(step);
            above[i] = (set & above[i - 1]).down(step);
        }
        for i in 0..win {
            places = places | (below[i] & above[win - 1 - i]);
        }
    }
    places
}

impl<B: Width> Game for Board<B> {
    type Move = Move;
    type MoveCapacity = UpTo<MAX_BRANCHES>;
    type OutcomeCapacity = UpTo<MAX_BRANCHES>;

    fn kind(&self) -> Kind {
        match (self.status, self.roll) {
            (Status::Playing, None) => Kind::Chance,
            (Status::Playing, Some(_)) => Kind::Decision,
            (Status::Drawn, _) => Kind::Over(Value::DRAW),
            (Status::Won(side), _) if side == self.side => Kind::Over(Value::WIN),
            (Status::Won(_), _) => Kind::Over(Value::LOSS),
        }
    }

    fn mover(&self) -> Player {
        self.side.player()
    }

    fn moves(&self) -> Moves<Self> {
        self.playable().iter().map(|bit| Move(bit as u16)).collect()
    }

    fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        let lines = if self.status == Status::Playing { self.lines(self.side) } else { &[] };
        let empty = self.empty_cells();
        let open = (0..).zip(lines).filter(move |(_, line)| line.meets(empty));
        open.map(|(id, _)| Outcome { id, weight: 1 })
    }

    fn play(&mut self, mv: Move) {
        let bit = usize::from(mv.0);
        let mover = self.side as usize;
        let wins = self.threats[mover].has(bit);
        self.put(bit, self.side);
        if wins {
            self.status = Status::Won(self.side);
        } else if self.empty == 0 {
            self.status = Status::Drawn;
        }
        let empty = self.empty_cells();
        let threats = completing(self.checkers[mover], self.shape.win());
        self.threats = std::array::from_fn(|side| if side == mover { threats } else { self.threats[side] } & empty);
        self.side = self.side.other();
        self.roll = None;
    }

    fn resolve(&mut self, outcome: u8) {
        self.roll = Some(outcome);
    }

    #[inline]
    fn key(&self, images: bool, _depth: u32) -> Key {
        let hashes = self.image_hashes();
        let mut key = Key { hash: hashes[0], frame: 0 };
        if images {
            for (frame, &hash) in hashes.iter().enumerate().skip(1) {
                if hash < key.hash {
                    key = Key { hash, frame: frame as u8 };
                }
            }
        }
        // The least of four is no longer spread evenly.
        Key { hash: mix(key.hash), ..key }
    }

    fn reframe(&self, mv: Move, frame: u8) -> Move {
        let cell = self.move_cell(mv);
        let (row, col) = mirror(self.geometry.size, frame, usize::from(cell.row), usize::from(cell.col));
        Move((row * B::STRIDE + col) as u16)
    }

    fn code(mv: Move) -> u16 {
        mv.0
    }
}

impl<B: Width> Shortcuts for Board<B> {
    const ALTERNATES: bool = true;

    #[inline(always)]
    fn turn(&self, step: Step<Move>, _child: &Self) -> Turn {
        match step {
            Step::Move(_) => Turn::Passed,
            Step::Outcome(_) => Turn::Kept,
        }
    }

    fn most_outcomes(&self) -> usize {
        self.geometry.size
    }

    fn bounds(&self, depth: u32) -> Bounds {
        match self.roll {
            Some(roll) => self.line_bounds(self.line(self.side, roll.into()), self.reply_bounds(depth).as_ref()),
            None => Bounds::UNKNOWN,
        }
    }

    #[inline]
    fn bounded_outcomes(&self, depth: u32) -> impl Iterator<Item = (Outcome, Bounds)> {
        let lines = self.lines(self.side);
        let replies = self.reply_bounds(depth);
        self.outcomes().map(move |outcome| {
            let bounds = match depth {
                0 => Bounds::UNKNOWN,
                _ => self.line_bounds(lines[usize::from(outcome.id)], replies.as_ref()),
            };
            (outcome, bounds)
        })
    }

    fn moves_after(&self, outcome: u8) -> impl Iterator<Item = Move> {
        let cells = self.line(self.side, outcome.into()) & self.empty_cells();
        cells.iter().map(|bit| Move(bit as u16))
    }

    fn is_move_after(&self, outcome: u8, mv: Move) -> bool {
        (self.line(self.side, outcome.into()) & self.empty_cells()).has(usize::from(mv.0))
    }

    /// One loop over the cells of all lines: the end of a loop for each line would be a branch misprediction each.
    #[inline(always)]
    fn each_move_after(&self, decisions: impl Iterator<Item = (u8, u16)>, mut take: impl FnMut(Move, u16)) {
        let (side, empty) = (self.side, self.empty_cells());
        let lines = self.lines(side);
        let mut cells = B::default();
        let mut numbers = [0; MAX_SIZE];
        for (outcome, number) in decisions {
            cells = cells | lines[usize::from(outcome)];
            numbers[usize::from(outcome)] = number;
        }
        for bit in (cells & empty).iter() {
            take(Move(bit as u16), numbers[line_number::<B>(side, bit)]);
        }
    }

    #[inline]
    fn key_after(&self, _outcome: u8, mv: Move, images: bool, depth: u32) -> (Key, Turn) {
        let mut next = Board { roll: None, side: self.side.other(), ..*self };
        next.put(usize::from(mv.0), self.side);
        (next.key(images, depth), Turn::Passed)
    }

    fn is_quiet(&self) -> bool {
        self.empty > 1
    }

    fn is_quiet_beyond(&self) -> bool {
        self.empty > 2
    }

    fn play_out(&self, candidates: u32, random: &mut Random, trace: &mut Trace) -> Option<Value> {
        Some(playout::play_out(self, candidates, random, trace))
    }
}

/// Equal boards, side and roll.
impl<B: Bits> PartialEq for Board<B> {
    fn eq(&self, other: &Board<B>) -> bool {
        (self.shape, self.side, self.roll, self.checkers) == (other.shape, other.side, other.roll, other.checkers)
    }
}

impl<B: Bits> Eq for Board<B> {}
