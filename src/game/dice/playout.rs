//! Games of Dice played out at random, fast: lines of either side are words, and threats are found along the four lines
//! of the cell just played.

use super::{Bits, Board, MAX_SIZE, Side, Width};
use crate::game::{Player, Random, Trace, Value};

/// Diagonals of one direction.
const DIAGONALS: usize = 2 * MAX_SIZE - 1;

/// How moves are chosen in a playout.
#[derive(Clone, Copy)]
struct Policy {
    /// So many in a row win.
    win: usize,
    /// Moves drawn by chance, of which the most promising is made.
    candidates: u32,
}

/// A board as words: bit `j` of line `i` is one cell.
#[derive(Clone)]
struct Lines {
    size: usize,
    /// `own[side]`: rows, columns, and both directions of diagonals, all but rows with a bit a row.
    rows: [[u32; MAX_SIZE]; 2],
    columns: [[u32; MAX_SIZE]; 2],
    falling: [[u32; DIAGONALS]; 2],
    rising: [[u32; DIAGONALS]; 2],
    /// Empty cells by row and by column.
    empty: [[u32; MAX_SIZE]; 2],
    /// `threats[side]`: the empty cells that complete k in a row for a side, by row and by column.
    threats: [[[u32; MAX_SIZE]; 2]; 2],
    left: usize,
}

impl Lines {
    fn of<B: Width>(board: &Board<B>) -> Lines {
        let size = board.shape().size();
        let full = (1 << size) - 1;
        let mut empty = [[0; MAX_SIZE]; 2];
        empty.iter_mut().for_each(|lines| lines[..size].fill(full));
        let mut lines = Lines {
            size,
            rows: [[0; MAX_SIZE]; 2],
            columns: [[0; MAX_SIZE]; 2],
            falling: [[0; DIAGONALS]; 2],
            rising: [[0; DIAGONALS]; 2],
            empty,
            threats: [[[0; MAX_SIZE]; 2]; 2],
            left: size * size,
        };
        for side in [Side::Blue, Side::Red] {
            for bit in board.checkers_of(side).iter() {
                lines.put(side as usize, bit / B::STRIDE, bit % B::STRIDE);
            }
            for bit in board.threats_of(side).iter() {
                lines.add_threat(side as usize, bit / B::STRIDE, bit % B::STRIDE);
            }
        }
        lines
    }

    /// Put a checker on an empty cell.
    #[inline(always)]
    fn put(&mut self, side: usize, row: usize, column: usize) {
        let (row_bit, column_bit) = (1 << row, 1 << column);
        self.rows[side][row] |= column_bit;
        self.columns[side][column] |= row_bit;
        self.falling[side][row + self.size - 1 - column] |= row_bit;
        self.rising[side][row + column] |= row_bit;
        self.empty[0][row] &= !column_bit;
        self.empty[1][column] &= !row_bit;
        self.left -= 1;
        for threats in &mut self.threats {
            threats[0][row] &= !column_bit;
            threats[1][column] &= !row_bit;
        }
    }

    fn add_threat(&mut self, side: usize, row: usize, column: usize) {
        if self.empty[0][row] >> column & 1 != 0 {
            self.threats[side][0][row] |= 1 << column;
            self.threats[side][1][column] |= 1 << row;
        }
    }

    /// Add the threats that a checker just put on a cell makes.
    #[inline(always)]
    fn find_threats<const WIN: usize>(&mut self, side: usize, row: usize, column: usize, win: usize) {
        let win = if WIN > 0 { WIN } else { win };
        let (fall, rise) = (row + self.size - 1 - column, row + column);
        let words =
            [self.rows[side][row], self.columns[side][column], self.falling[side][fall], self.rising[side][rise]];
        if words.iter().all(|word| (word.count_ones() as usize) < win - 1) {
            return;
        }
        let [along, down, falling, rising] = completing(words, win);
        let size = self.size;
        for column in (along & self.empty[0][row]).iter() {
            self.add_threat(side, row, column);
        }
        for row in (down & self.empty[1][column]).iter() {
            self.add_threat(side, row, column);
        }
        // Bits beyond the ends of a diagonal are no cells.
        for row in (falling & ((1 << size) - 1)).iter() {
            if let Some(column) = (row + size - 1).checked_sub(fall).filter(|&column| column < size) {
                self.add_threat(side, row, column);
            }
        }
        for row in (rising & ((1 << size) - 1)).iter() {
            if let Some(column) = rise.checked_sub(row).filter(|&column| column < size) {
                self.add_threat(side, row, column);
            }
        }
    }

    /// A place in a line, the most promising of some drawn by chance.
    #[inline(always)]
    fn choose<const WIN: usize>(
        &self,
        side: Side,
        line: usize,
        cells: u32,
        policy: Policy,
        random: &mut Random,
    ) -> usize {
        let mut best = pick(cells, random);
        if policy.candidates > 1 && cells & (cells - 1) != 0 {
            let mut promise = self.promise::<WIN>(side, line, best, policy.win);
            for _ in 1..policy.candidates {
                let other = pick(cells, random);
                let others = self.promise::<WIN>(side, line, other, policy.win);
                if others > promise {
                    (best, promise) = (other, others);
                }
            }
        }
        best
    }

    /// How much a cell matters: in each of its four lines, the square of how many checkers stand within reach of it, where they
    /// are all of one side.
    #[inline(always)]
    fn promise<const WIN: usize>(&self, side: Side, line: usize, place: usize, win: usize) -> u32 {
        let win = if WIN > 0 { WIN } else { win };
        let (row, column) = cell(side, line, place);
        let (fall, rise) = (row + self.size - 1 - column, row + column);
        let reach = (1_u64 << (2 * win - 1)) - 1;
        let near = |at: usize| (reach << at >> (win - 1)) as u32;
        let (along, down) = (near(column), near(row));
        let words = |side: usize| {
            let diagonals = [self.falling[side][fall] & down, self.rising[side][rise] & down];
            [self.rows[side][row] & along, self.columns[side][column] & down, diagonals[0], diagonals[1]]
        };
        let lines = words(0).into_iter().zip(words(1));
        lines.map(|(blue, red)| if blue == 0 || red == 0 { (blue | red).count_ones().pow(2) } else { 0 }).sum()
    }

    /// Play on by chance, but win at once where possible; players who look at several candidates also stop the opponent from
    /// it. The winner.
    fn play_out<const WIN: usize>(
        &mut self,
        mut side: Side,
        mut roll: Option<u8>,
        policy: Policy,
        random: &mut Random,
    ) -> Option<Side> {
        while self.left > 0 {
            let own = side as usize;
            let line = match roll.take() {
                Some(roll) => usize::from(roll),
                None => random.below(self.size as u32) as usize,
            };
            let cells = self.empty[own][line];
            if cells == 0 {
                continue;
            }
            let wins = self.threats[own][own][line];
            if wins != 0 {
                let (row, column) = cell(side, line, wins.trailing_zeros() as usize);
                self.put(own, row, column);
                return Some(side);
            }
            let stops = self.threats[1 - own][own][line];
            let place = if stops != 0 && policy.candidates > 1 {
                pick(stops, random)
            } else {
                self.choose::<WIN>(side, line, cells, policy, random)
            };
            let (row, column) = cell(side, line, place);
            self.put(own, row, column);
            self.find_threats::<WIN>(own, row, column, policy.win);
            side = side.other();
        }
        None
    }
}

/// The cell at a place in a side's line.
#[inline(always)]
fn cell(side: Side, line: usize, place: usize) -> (usize, usize) {
    if side == Side::Blue { (line, place) } else { (place, line) }
}

/// The bits of a word that is not empty, one at random.
#[inline(always)]
fn pick(mut word: u32, random: &mut Random) -> usize {
    for _ in 0..random.below(word.count_ones()) {
        word &= word - 1;
    }
    word.trailing_zeros() as usize
}

/// The places in four lines where one more checker would make `win` or more in a row.
#[inline(always)]
fn completing(words: [u32; 4], win: usize) -> [u32; 4] {
    let mut below = [[!0; 4]; MAX_SIZE];
    let mut above = below;
    for i in 1..win {
        for lane in 0..4 {
            below[i][lane] = (words[lane] & below[i - 1][lane]) << 1;
            above[i][lane] = (words[lane] & above[i - 1][lane]) >> 1;
        }
    }
    let mut places = [0; 4];
    for i in 0..win {
        for lane in 0..4 {
            places[lane] |= below[i][lane] & above[win - 1 - i][lane];
        }
    }
    places
}

/// Play a game on to its end: the result for the side to move. Where it ends, the cells each side holds are noted.
pub(super) fn play_out<B: Width>(board: &Board<B>, candidates: u32, random: &mut Random, trace: &mut Trace) -> Value {
    let mut lines = Lines::of(board);
    let (side, roll, policy) = (board.side(), board.roll(), Policy { win: board.shape().win(), candidates });
    let winner = match policy.win {
        3 => lines.play_out::<3>(side, roll, policy, random),
        4 => lines.play_out::<4>(side, roll, policy, random),
        6 => lines.play_out::<6>(side, roll, policy, random),
        8 => lines.play_out::<8>(side, roll, policy, random),
        _ => lines.play_out::<0>(side, roll, policy, random),
    };
    for (player, rows) in [Player::First, Player::Second].into_iter().zip(&lines.rows) {
        for (row, &cells) in rows[..lines.size].iter().enumerate() {
            trace.note_run(player, row * B::STRIDE, cells);
        }
    }
    match winner {
        Some(winner) if winner == side => Value::WIN,
        Some(_) => Value::LOSS,
        None => Value::DRAW,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::dice::{Cell, Position, Shape, rolls};
    use crate::game::{Game, Step};

    /// The cells of lines by row, as bits of a board.
    fn cells(rows: &[u32; MAX_SIZE]) -> Vec<(usize, usize)> {
        let row = |(row, &cells): (usize, &u32)| cells.iter().map(move |column| (row, column)).collect::<Vec<_>>();
        rows.iter().enumerate().flat_map(row).collect()
    }

    #[test]
    fn threats_are_those_of_the_board() {
        for (size, win) in [(3, 3), (5, 4), (6, 5), (9, 6), (13, 6), (17, 4), (17, 8), (17, 17)] {
            for seed in 0..10 {
                let mut board = Position::new(Shape::new(size, win).unwrap());
                let mut lines = Lines::of(&board);
                let mut random = Random::new(seed);
                for ply in 0.. {
                    let Some(roll) = rolls::roll(seed, ply, &board) else { break };
                    let choice = board.with_roll(roll.into()).unwrap();
                    let moves = choice.moves();
                    let mv = moves[random.below(moves.len() as u32) as usize];
                    let (cell, side) = (choice.move_cell(mv), choice.side() as usize);
                    board = choice.child(Step::Move(mv));
                    lines.put(side, cell.row.into(), cell.col.into());
                    lines.find_threats::<0>(side, cell.row.into(), cell.col.into(), win);
                    let fresh = Lines::of(&board);
                    assert_eq!((lines.threats, lines.empty), (fresh.threats, fresh.empty), "{size}/{win} {seed} {ply}");
                    let threats = board.threats_of(choice.side());
                    let expected: Vec<_> = threats.iter().map(|bit| (bit / 18, bit % 18)).collect();
                    assert_eq!(cells(&lines.threats[side][0]), expected);
                }
            }
        }
    }

    /// A side that wins with every roll does so at once, however moves are chosen.
    #[test]
    fn wins_are_taken() {
        let checker = |(col, row, side)| (Cell { row, col }, side);
        let blue = [(0, 0), (1, 0), (0, 2), (2, 2)].map(|(col, row)| checker((col, row, Side::Blue)));
        let red = [(0, 1), (2, 1)].map(|(col, row)| checker((col, row, Side::Red)));
        let shape = Shape::new(3, 3).unwrap();
        let board = Position::set_up(shape, Side::Blue, blue.into_iter().chain(red)).unwrap();
        for (seed, candidates) in (0..50).zip([1, 2, 5].into_iter().cycle()) {
            let mut trace = Trace::EMPTY;
            let result = play_out(&board, candidates, &mut Random::new(seed), &mut trace);
            assert_eq!(result, Value::WIN);
        }
    }

    /// Blue has an open three.
    #[test]
    fn results_are_of_the_side_to_move() {
        let board = Position::from_dpn("5 4 b -1 b b b - - r - r - - - - r - - - - - - - - - - - -").unwrap();
        let wins = (0..2000).filter(|&seed| {
            let mut trace = Trace::EMPTY;
            play_out(&board, 1, &mut Random::new(seed), &mut trace) == Value::WIN
        });
        let share = wins.count() as f64 / 2000.0;
        assert!(share > 0.6, "{share}");
    }
}
