//! The rows of blocks: configurations of the high cells.

use super::board::{Cells, line_of, mirrored};
use super::split::Split;
use crate::game::dice::Side;

/// What becomes of a configuration: its row in the block of its numbers of checkers, and the image in which it is kept there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry(u32);

impl Entry {
    /// Somebody has won on high cells alone: there is no row.
    pub const WON: Entry = Entry(u32::MAX);

    const FRAME_SHIFT: u32 = 30;

    fn new(row: usize, frame: u8) -> Entry {
        Entry(row as u32 | u32::from(frame) << Entry::FRAME_SHIFT)
    }

    /// The row.
    #[inline(always)]
    pub fn row(self) -> usize {
        (self.0 & ((1 << Entry::FRAME_SHIFT) - 1)) as usize
    }

    /// The image of the configuration that is kept; 0 is itself.
    #[inline(always)]
    pub fn frame(self) -> usize {
        (self.0 >> Entry::FRAME_SHIFT) as usize
    }
}

/// Tables of all configurations. Sets are bits in the order of the high cells; a configuration is a number in base 3, a digit a
/// cell: 0 empty, 1 blue, 2 red.
pub struct High {
    cells: Vec<usize>,
    /// `lines[side][line]`: the cells of a line.
    pub lines: [Vec<u32>; 2],
    /// The weight of each digit.
    pub powers: Vec<u32>,
    entries: Vec<Entry>,
    /// By numbers of blue and red checkers: the configurations that are kept, row by row.
    kept: Vec<Vec<u32>>,
    /// Sets of the lower and of the upper half of the digits.
    halves: [Vec<[u32; 2]>; 2],
}

impl High {
    /// `wins[side]`: the sets of high cells with which a side has won.
    pub fn new(size: usize, split: &Split, images: bool, wins: &[Vec<u32>; 2]) -> High {
        let cells = split.high.clone();
        let count = cells.len();
        let powers: Vec<u32> = (0..=count as u32).map(|digit| 3_u32.pow(digit)).collect();
        let lines = [Side::Blue, Side::Red].map(|side| {
            let line = |line| (0..count).filter(|&c| line_of(size, side, cells[c]) == line).map(|c| 1 << c).sum();
            (0..size).map(line).collect()
        });
        let low_digits = count / 2;
        let half = |from: usize, to: usize| {
            let sets = |number: u32| {
                let owned =
                    |owner| (from..to).filter(|&c| number / powers[c - from] % 3 == owner).map(|c| 1 << c).sum();
                [owned(1), owned(2)]
            };
            (0..powers[to - from]).map(sets).collect::<Vec<[u32; 2]>>()
        };
        let halves = [half(0, low_digits), half(low_digits, count)];
        let kept = vec![Vec::new(); (count + 1) * (count + 1)];
        let mut high = High { cells, lines, powers, entries: Vec::new(), kept, halves };
        high.number_rows(size, images, wins);
        high
    }

    fn number_rows(&mut self, size: usize, images: bool, wins: &[Vec<u32>; 2]) {
        let subsets = 1_u32 << self.cells.len();
        let won = [0, 1].map(|side: usize| -> Vec<bool> {
            (0..subsets).map(|set| wins[side].iter().any(|&win| win & !set == 0)).collect()
        });
        let weigh = |set: u32| (0..self.cells.len()).filter(|&c| set >> c & 1 != 0).map(|c| self.powers[c]).sum();
        let image_cell = |frame, c: usize| {
            let image = mirrored(size, frame, self.cells[c]);
            self.cells.iter().position(|&cell| cell == image).expect("the image of a high cell is high")
        };
        let frames = if images { 1..4 } else { 1..1 };
        // The number that a side's set adds to the configuration's, in each image.
        let image_weights: Vec<Vec<u32>> = frames
            .clone()
            .map(|frame| {
                let cells: Vec<usize> = (0..self.cells.len()).map(|c| image_cell(frame, c)).collect();
                let image =
                    |set: u32| cells.iter().enumerate().filter(|&(c, _)| set >> c & 1 != 0).map(|(_, &i)| 1 << i).sum();
                (0..subsets).map(|set| weigh(image(set))).collect()
            })
            .collect();
        let total = self.powers[self.cells.len()];
        let mut entries: Vec<Entry> = Vec::with_capacity(total as usize);
        for number in 0..total {
            let [blue, red] = self.sets(number);
            if won[0][blue as usize] || won[1][red as usize] {
                entries.push(Entry::WON);
                continue;
            }
            let image = |weights: &Vec<u32>| weights[blue as usize] + 2 * weights[red as usize];
            let least = image_weights.iter().map(image).zip(frames.clone()).min().filter(|&(image, _)| image < number);
            match least {
                Some((image, frame)) => entries.push(Entry::new(entries[image as usize].row(), frame)),
                None => {
                    let class = self.class([blue, red].map(|set| set.count_ones() as usize));
                    entries.push(Entry::new(self.kept[class].len(), 0));
                    self.kept[class].push(number);
                }
            }
        }
        self.entries = entries;
    }

    fn class(&self, counts: [usize; 2]) -> usize {
        counts[0] * (self.cells.len() + 1) + counts[1]
    }

    /// Bytes that the tables take.
    pub fn bytes(&self) -> u64 {
        let rows: usize = self.kept.iter().map(Vec::capacity).sum();
        (4 * (self.entries.capacity() + rows)) as u64
    }

    /// How many high cells there are.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// The configurations with these numbers of checkers that are kept, row by row.
    pub fn rows(&self, counts: [usize; 2]) -> &[u32] {
        &self.kept[self.class(counts)]
    }

    /// What becomes of a configuration.
    #[inline(always)]
    pub fn entry(&self, number: u32) -> Entry {
        self.entries[number as usize]
    }

    /// Blue's and red's cells in a configuration.
    #[inline(always)]
    pub fn sets(&self, number: u32) -> [u32; 2] {
        let split = self.halves[0].len() as u32;
        let [low, high] = [self.halves[0][(number % split) as usize], self.halves[1][(number / split) as usize]];
        [low[0] | high[0], low[1] | high[1]]
    }

    /// The configuration of these checkers, those on other cells left out of account.
    pub fn number(&self, checkers: [Cells; 2]) -> u32 {
        let digit = |cell: usize| (checkers[0] >> cell & 1) + 2 * (checkers[1] >> cell & 1);
        self.cells.iter().rev().fold(0, |number, &cell| 3 * number + digit(cell))
    }
}
