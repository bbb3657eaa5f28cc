//! What a network sees of a position: always one side's pieces and then the other's, whatever their colours, and the same for
//! all four images of the board.
//!
//! | features | what |
//! |---|---|
//! | 2 × 7 × 8 | a face-up piece of a rank stands on a cell of a class: how far from the nearest corner |
//! | 2 × 7 × 6 | so many pieces of a rank are left, face up or down |
//! | 2 × 7 × 6 | so many of them are face down |
//! | 2 × 7 × 6 × 8 | so many are left, and so many enemies that may take them by a step |
//! | 33, 8 | pieces face down in all; one lies on a cell of a class |
//! | 7 × 7 × 32 | an own and an enemy piece of two ranks lie so many columns and rows apart |
//! | 3 × 2 × 7 | a piece of a rank: beside an enemy that may take it; that a cannon may take; beside a face-down piece |
//! | 2 × 16, 2 × 8 | empty cells that a side can step to; its pieces that have none |
//! | 8, 2 × 7 × 32 | a piece on a cell of a class is being flipped; a face-up piece lies so far from it |
//!
//! All but the last three lines follow a game step by step: those are looked up afresh for every position ([`Position::each_passing`]).

use crate::eval::nn::{Featured, Group, Layout};
use crate::game::darkchess::{CELLS, COLUMNS, Position, RANKS, ROWS, Rank, cells, jumps, neighbours, prey};
use crate::game::{Notation, Player};

/// Classes of cells that the board's images make one.
const CLASSES: usize = (COLUMNS / 2) * (ROWS / 2);
/// Pieces of one rank and side: none to five.
const COUNTS: usize = 6;
/// Enemies that may take a piece are told apart up to this many.
const TAKERS: usize = 8;
/// Empty cells that a side can step to are told apart up to this many.
const MOBILITIES: usize = 16;
/// Pieces that can step nowhere are told apart up to this many.
const STUCK_COUNTS: usize = 8;

const PIECES: usize = 0;
const ALIVE: usize = PIECES + 2 * RANKS * CLASSES;
const HIDDEN: usize = ALIVE + 2 * RANKS * COUNTS;
const RELATIONS: usize = HIDDEN + 2 * RANKS * COUNTS;
const FACE_DOWN: usize = RELATIONS + 2 * RANKS * COUNTS * TAKERS;
const FACE_DOWN_ON: usize = FACE_DOWN + CELLS + 1;
const PAIRS: usize = FACE_DOWN_ON + CLASSES;
const ATTACKED: usize = PAIRS + RANKS * RANKS * CELLS;
const AIMED_AT: usize = ATTACKED + 2 * RANKS;
const BESIDE: usize = AIMED_AT + 2 * RANKS;
const MOBILITY: usize = BESIDE + 2 * RANKS;
const STUCK: usize = MOBILITY + 2 * MOBILITIES;
const FLIP: usize = STUCK + 2 * STUCK_COUNTS;
const FLIP_NEAR: usize = FLIP + CLASSES;

/// The class of each cell.
static CLASS: [u8; CELLS] = {
    let mut table = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (row, col) = (cell / COLUMNS, cell % COLUMNS);
        let row = if row < ROWS / 2 { row } else { ROWS - 1 - row };
        let col = if col < COLUMNS / 2 { col } else { COLUMNS - 1 - col };
        table[cell] = (row * (COLUMNS / 2) + col) as u8;
        cell += 1;
    }
    table
};

/// How far apart two cells lie: the same number for so many rows and columns.
static APART: [[u8; CELLS]; CELLS] = {
    let mut table = [[0; CELLS]; CELLS];
    let mut i = 0;
    while i < CELLS * CELLS {
        let (a, b) = (i / CELLS, i % CELLS);
        let (rows, cols) = ((a / COLUMNS).abs_diff(b / COLUMNS), (a % COLUMNS).abs_diff(b % COLUMNS));
        table[a][b] = (rows * COLUMNS + cols) as u8;
        i += 1;
    }
    table
};

#[inline(always)]
fn class(cell: u8) -> usize {
    CLASS[usize::from(cell)].into()
}

#[inline(always)]
fn apart(a: u8, b: u8) -> usize {
    APART[usize::from(a)][usize::from(b)].into()
}

/// A face-up piece on a cell; `side` is 0 for the viewer's own.
#[inline(always)]
pub fn piece_feature(side: usize, rank: usize, cell: u8) -> usize {
    PIECES + (side * RANKS + rank) * CLASSES + class(cell)
}

/// The viewer's piece `own` on one cell and the enemy's `other` on another.
#[inline(always)]
pub fn pair_feature(own: usize, own_cell: u8, other: usize, other_cell: u8) -> usize {
    PAIRS + (own * RANKS + other) * CELLS + apart(own_cell, other_cell)
}

/// A number of pieces face down.
#[inline(always)]
pub fn face_down_feature(count: u32) -> usize {
    FACE_DOWN + count as usize
}

/// One of them.
#[inline(always)]
pub fn face_down_on_feature(cell: u8) -> usize {
    FACE_DOWN_ON + class(cell)
}

/// So many pieces of a rank that are face down.
#[inline(always)]
pub fn hidden_feature(side: usize, rank: usize, count: u8) -> usize {
    HIDDEN + (side * RANKS + rank) * COUNTS + usize::from(count)
}

/// What there is of each rank, by side: pieces that are left, and what may take them by a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Balance {
    alive: [[u8; RANKS]; 2],
    takers: [[u8; RANKS]; 2],
}

impl Balance {
    /// That of a position as `view` sees it.
    pub fn of(position: &Position, view: Player) -> Balance {
        let alive = [view, view.other()].map(|player| Rank::ALL.map(|rank| position.alive(player, rank)));
        Balance { alive, takers: [takers(&alive[1]), takers(&alive[0])] }
    }

    /// Two features for each side and rank, always in the same order.
    pub fn each_feature(&self, mut take: impl FnMut(usize)) {
        for i in 0..2 * RANKS {
            let [alive, takers] = [self.alive, self.takers].map(|counts| usize::from(counts[i / RANKS][i % RANKS]));
            take(ALIVE + i * COUNTS + alive);
            take(RELATIONS + (i * COUNTS + alive) * TAKERS + takers.min(TAKERS - 1));
        }
    }
}

/// How many of these enemies may take a piece of each rank by a step.
fn takers(enemies: &[u8; RANKS]) -> [u8; RANKS] {
    let (king, cannon, pawn) = (Rank::King as usize, Rank::Cannon as usize, Rank::Pawn as usize);
    std::array::from_fn(|rank| {
        let higher = (0..=rank).filter(|&taker| taker != cannon).map(|taker| enemies[taker]).sum::<u8>();
        match rank {
            rank if rank == king => higher + enemies[pawn],
            rank if rank == pawn => higher - enemies[king],
            _ => higher,
        }
    })
}

impl Position {
    /// The features that are looked up afresh for every position: threats, room to move, and the flip that is pending.
    #[inline(always)]
    pub(super) fn each_passing(&self, view: Player, mut take: impl FnMut(usize)) {
        let (empty, face_down) = (self.empty(), self.face_down());
        let by_face_down = neighbours(face_down);
        for (side, player) in [view, view.other()].into_iter().enumerate() {
            let (own, all) = (self.pieces(player), self.cells_of(player));
            let (attacked, aimed_at) = self.threatened(player);
            for (feature, set) in [(ATTACKED, attacked), (AIMED_AT, aimed_at), (BESIDE, all & by_face_down)] {
                if set != 0 {
                    for (rank, &pieces) in own.iter().enumerate() {
                        (0..(pieces & set).count_ones()).for_each(|_| take(feature + side * RANKS + rank));
                    }
                }
            }
            let room = (neighbours(all) & empty).count_ones() as usize;
            take(MOBILITY + side * MOBILITIES + room.min(MOBILITIES - 1));
            let stuck = (all & !neighbours(empty)).count_ones() as usize;
            take(STUCK + side * STUCK_COUNTS + stuck.min(STUCK_COUNTS - 1));
        }
        if let Some(cell) = self.pending() {
            take(FLIP + class(cell));
            for (side, player) in [view, view.other()].into_iter().enumerate() {
                for (rank, &pieces) in self.pieces(player).iter().enumerate() {
                    cells(pieces)
                        .for_each(|other| take(FLIP_NEAR + (side * RANKS + rank) * CELLS + apart(cell, other)));
                }
            }
        }
    }

    /// A player's pieces that the other one may take by a step, and by a jump.
    #[inline(always)]
    fn threatened(&self, player: Player) -> (u32, u32) {
        let (own, enemies) = (self.cells_of(player), self.pieces(player.other()));
        let prey = prey(self.pieces(player));
        let cannon = Rank::Cannon as usize;
        let steps = (0..RANKS).filter(|&rank| rank != cannon && enemies[rank] != 0);
        let attacked = steps.fold(0, |set, rank| set | neighbours(enemies[rank]) & prey[rank]);
        let occupied = !self.empty();
        (attacked, cells(enemies[cannon]).fold(0, |set, cell| set | jumps(cell, occupied)) & own)
    }

    /// The features that follow a game step by step, but for those of its [`Balance`].
    pub(super) fn each_followed(&self, view: Player, mut take: impl FnMut(usize)) {
        for (side, player) in [view, view.other()].into_iter().enumerate() {
            for (rank, &pieces) in self.pieces(player).iter().enumerate() {
                cells(pieces).for_each(|cell| take(piece_feature(side, rank, cell)));
                take(hidden_feature(side, rank, self.hidden(player, Rank::ALL[rank])));
            }
        }
        take(face_down_feature(self.face_down().count_ones()));
        cells(self.face_down()).for_each(|cell| take(face_down_on_feature(cell)));
        for (rank, &pieces) in self.pieces(view).iter().enumerate() {
            for cell in cells(pieces) {
                self.each_pair(view, rank, cell, &mut take);
            }
        }
    }

    /// The pairs that the viewer's piece on a cell makes with its enemies.
    #[inline(always)]
    fn each_pair(&self, view: Player, rank: usize, cell: u8, mut take: impl FnMut(usize)) {
        for (other, &enemies) in self.pieces(view.other()).iter().enumerate() {
            cells(enemies).for_each(|enemy| take(pair_feature(rank, cell, other, enemy)));
        }
    }
}

impl Featured for Position {
    fn layout() -> Layout {
        let count = |i: usize| usize::from(Rank::ALL[i % RANKS].count());
        let by_rank = |features: usize| (0..2 * RANKS).map(move |i| Group { features, most: count(i) });
        let one_of = |features: usize, groups: usize| (0..groups).map(move |_| Group { features, most: 1 });
        let pairs = (0..RANKS * RANKS).map(|i| Group { features: CELLS, most: count(i / RANKS) * count(i) });
        let groups = by_rank(CLASSES)
            .chain(one_of(COUNTS, 4 * RANKS))
            .chain(one_of(COUNTS * TAKERS, 2 * RANKS))
            .chain(one_of(CELLS + 1, 1))
            .chain((0..CLASSES).map(|_| Group { features: 1, most: CELLS / CLASSES }))
            .chain(pairs)
            .chain(by_rank(1))
            .chain(by_rank(1))
            .chain(by_rank(1))
            .chain(one_of(MOBILITIES, 2))
            .chain(one_of(STUCK_COUNTS, 2))
            .chain(one_of(CLASSES, 1))
            .chain(by_rank(CELLS))
            .collect();
        let mut layout = Layout::new(Position::NAME, groups, 1);
        layout.repeats = true;
        layout
    }

    fn each_feature(&self, view: Player, mut take: impl FnMut(usize)) {
        self.each_followed(view, &mut take);
        Balance::of(self, view).each_feature(&mut take);
        self.each_passing(view, take);
    }
}
