//! The places within a row: configurations of the low cells.

use super::board::{line_of, mirrored};
use super::split::Split;
use crate::game::dice::Side;

/// How many low cells hold checkers of blue's and of red's.
pub type Counts = [usize; 2];

/// A stretch of places that a move leads to a stretch of others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    pub from: u16,
    pub to: u16,
    pub len: u16,
}

/// Shorter stretches than this are not worth a loop of their own.
const MIN_RUN: usize = 6;

/// Where the moves in one line lead: places from which one is legal, and the places in the row with a checker more.
#[derive(Clone, Default, Debug)]
pub struct LineMoves {
    pub runs: Vec<Run>,
    pub pairs: Vec<[u16; 2]>,
}

/// All places with given numbers of checkers.
#[derive(Clone, Default, Debug)]
pub struct Places {
    /// How many.
    pub width: usize,
    /// `moves[side][line]`.
    pub moves: [Vec<LineMoves>; 2],
    /// `images[frame]`: the place that each one is in the image.
    pub images: Vec<Vec<u16>>,
    /// `holding[side][i]`: the places where that side holds all of set `i` of those that were asked for.
    pub holding: [Vec<Vec<u16>>; 2],
}

/// Tables of all configurations.
pub struct Low {
    cells: Vec<usize>,
    places: Vec<Places>,
    /// By configuration, a number in base 3: its place.
    index: Vec<u16>,
}

impl Low {
    /// `holding[side]`: the sets of low cells whose holders will be asked for, as bits in the order of the low cells.
    pub fn new(size: usize, split: &Split, images: bool, holding: &[Vec<u32>; 2]) -> Low {
        let cells = split.low.clone();
        let (count, side_len) = (cells.len(), cells.len() + 1);
        let all: Vec<Vec<u8>> = (0..3_usize.pow(count as u32)).map(|number| digits(number, count)).collect();
        let mut places = vec![Places::default(); side_len * side_len];
        let mut index = Vec::with_capacity(all.len());
        for digits in &all {
            let place = &mut places[class(side_len, counts(digits))];
            index.push(place.width as u16);
            place.width += 1;
        }
        for (i, own) in places.iter_mut().enumerate() {
            let own_counts = [i / side_len, i % side_len];
            let members: Vec<usize> = (0..all.len()).filter(|&n| counts(&all[n]) == own_counts).collect();
            for side in [Side::Blue, Side::Red] {
                let line_moves = |line| {
                    let in_line = (0..count).filter(|&c| line_of(size, side, cells[c]) == line);
                    moves_of(in_line, &members, &all, &index, side)
                };
                own.moves[side as usize] = (0..size).map(line_moves).collect();
                let holds =
                    |number: usize, set: u32| (0..count).all(|c| set >> c & 1 == 0 || all[number][c] == side as u8 + 1);
                let holders = |&set: &u32| members.iter().filter(|&&n| holds(n, set)).map(|&n| index[n]).collect();
                own.holding[side as usize] = holding[side as usize].iter().map(holders).collect();
            }
            let image = |frame| members.iter().map(|&n| index[image_of(size, &cells, frame, &all[n])]).collect();
            own.images = if images { (0..4).map(image).collect() } else { Vec::new() };
        }
        Low { cells, places, index }
    }

    /// How many low cells there are.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// The places with these numbers of checkers.
    pub fn places(&self, counts: Counts) -> &Places {
        &self.places[class(self.cells.len() + 1, counts)]
    }

    /// The place of these checkers, those on other cells left out of account.
    pub fn place(&self, checkers: [u32; 2]) -> usize {
        let digit = |cell: usize| (checkers[0] >> cell & 1) + 2 * (checkers[1] >> cell & 1);
        let number = self.cells.iter().rev().fold(0, |number, &cell| 3 * number + digit(cell) as usize);
        self.index[number].into()
    }
}

fn class(side_len: usize, counts: Counts) -> usize {
    counts[0] * side_len + counts[1]
}

fn digits(mut number: usize, count: usize) -> Vec<u8> {
    let digit = |_| {
        let digit = number % 3;
        number /= 3;
        digit as u8
    };
    (0..count).map(digit).collect()
}

fn number(digits: &[u8]) -> usize {
    digits.iter().rev().fold(0, |number, &digit| 3 * number + usize::from(digit))
}

fn counts(digits: &[u8]) -> Counts {
    [1, 2].map(|owner| digits.iter().filter(|&&digit| digit == owner).count())
}

fn image_of(size: usize, cells: &[usize], frame: u8, digits: &[u8]) -> usize {
    let mut image = vec![0; digits.len()];
    for (&cell, &digit) in cells.iter().zip(digits) {
        let at = cells.iter().position(|&other| other == mirrored(size, frame, cell));
        image[at.expect("the image of a low cell is low")] = digit;
    }
    number(&image)
}

/// Where moves on these low cells lead from `members`.
fn moves_of(
    cells: impl Iterator<Item = usize>,
    members: &[usize],
    all: &[Vec<u8>],
    index: &[u16],
    side: Side,
) -> LineMoves {
    let mut moves = LineMoves::default();
    for cell in cells {
        let step = 3_usize.pow(cell as u32) * (side as usize + 1);
        let legal = members.iter().filter(|&&number| all[number][cell] == 0);
        let mut steps = legal.map(|&number| [index[number], index[number + step]]).peekable();
        while let Some(first) = steps.next() {
            let mut run = vec![first];
            let follows = |next: &[u16; 2], run: &[[u16; 2]]| {
                let last = run[run.len() - 1];
                next[0] == last[0] + 1 && next[1] == last[1] + 1
            };
            while let Some(next) = steps.next_if(|next| follows(next, &run)) {
                run.push(next);
            }
            if run.len() < MIN_RUN {
                moves.pairs.extend(run);
            } else {
                moves.runs.push(Run { from: first[0], to: first[1], len: run.len() as u16 });
            }
        }
    }
    moves
}
