//! What a position is worth as a sum over all small groups of its checkers: a pair here, three there.
//!
//! Checkers are numbered, blue's before red's, and a group by its rank among the groups of its size (the combinatorial number system), so that
//! the weights of the groups which some blue checkers make with some red ones are found by adding.

use std::iter::Sum;
use std::ops::AddAssign;

use super::super::board::{bits, mirrored};
use super::bits::BitReader;
use super::layout::{Layout, choose};

/// The most checkers of a group.
pub const MAX_ORDER: usize = 4;

/// Weights are in this part of a step of the values.
pub const FRACTION: i32 = 8;

/// A weight for every group, the same for mirror images: whole numbers in the engine, others while they are fitted.
pub struct Model<W> {
    order: usize,
    /// `weights[size][rank]`.
    weights: Vec<Vec<W>>,
    /// `ways[k][n]`: `C(n, k)`.
    ways: Vec<Vec<u32>>,
}

/// Sums over the groups of one row: room that is used again.
#[derive(Default)]
pub struct Sums<W> {
    ones: Vec<W>,
    pairs: Vec<W>,
    all: Vec<W>,
}

/// The most red checkers.
const MAX_RED: usize = 3;

/// What three red checkers add to the rank of a group, each by its place among the three.
struct Threes<'a, W> {
    rank: u32,
    added: [Vec<u32>; MAX_RED],
    weights: &'a [W],
}

impl<W: Copy> Threes<'_, W> {
    #[inline]
    fn weight(&self, [low, middle, high]: [usize; MAX_RED]) -> W {
        let rank = self.rank + self.added[0][low] + self.added[1][middle] + self.added[2][high];
        self.weights[rank as usize]
    }
}

/// Which groups are one another's images: for each size, every group's first image, as a number among those that are first.
pub struct Families {
    /// By size and rank.
    pub of: Vec<Vec<u32>>,
    /// How many, of each size.
    pub counts: Vec<usize>,
}

/// Groups of a size: numbers of checkers, ascending.
fn groups(checkers: usize, size: usize) -> Vec<Vec<usize>> {
    match size {
        0 => vec![Vec::new()],
        _ => {
            let last = |last: usize| {
                groups(last, size - 1).into_iter().map(move |mut group| {
                    group.push(last);
                    group
                })
            };
            (0..checkers).flat_map(last).collect()
        }
    }
}

fn rank(group: &[usize]) -> usize {
    group.iter().enumerate().map(|(i, &checker)| choose(checker, i + 1)).sum()
}

impl Families {
    /// Those of groups of up to `order` checkers.
    pub fn new(layout: &Layout, order: usize) -> Families {
        let cells = layout.cells();
        let size = cells.isqrt();
        let image = |frame, group: &[usize]| {
            let mut image: Vec<usize> =
                group.iter().map(|&checker| checker / cells * cells + mirrored(size, frame, checker % cells)).collect();
            image.sort_unstable();
            rank(&image)
        };
        let (mut of, mut counts) = (Vec::new(), Vec::new());
        for count in 0..=order {
            let mut family: Vec<u32> = Vec::new();
            let mut next = 0;
            for (own, group) in groups(2 * cells, count).into_iter().enumerate() {
                let first = (1..4).map(|frame| image(frame, &group)).min().filter(|&first| first < own);
                family.push(first.map_or(next, |first| family[first]));
                next += u32::from(first.is_none());
            }
            of.push(family);
            counts.push(next as usize);
        }
        Families { of, counts }
    }
}

impl Model<i32> {
    /// Read the weights.
    pub fn read(layout: &Layout, order: usize, reader: &mut BitReader<'_>) -> Option<Model<i32>> {
        let families = Families::new(layout, order);
        Model::new(layout, &families, || reader.residual().filter(|weight| weight.unsigned_abs() < 1 << 24))
    }
}

/// What a sum of weights predicts, in steps of the values.
pub fn prediction(sum: i32) -> i32 {
    (sum + FRACTION / 2).div_euclid(FRACTION)
}

impl<W: Copy + Default + Sum + AddAssign> Model<W> {
    /// A model by the weight of each family, sizes one after another.
    pub fn new(layout: &Layout, families: &Families, mut weight: impl FnMut() -> Option<W>) -> Option<Model<W>> {
        let order = families.counts.len() - 1;
        let mut weights = Vec::new();
        for (of, &count) in families.of.iter().zip(&families.counts) {
            let by_family: Vec<W> = (0..count).map(|_| weight()).collect::<Option<_>>()?;
            weights.push(of.iter().map(|&family| by_family[family as usize]).collect());
        }
        let checkers = 2 * layout.cells();
        let ways = (0..=MAX_ORDER).map(|k| (0..checkers).map(|n| choose(n, k) as u32).collect()).collect();
        Some(Model { order, weights, ways })
    }

    /// The groups that blue's checkers make: sizes and ranks.
    fn blue_groups(&self, layout: &Layout, row: usize) -> Vec<(usize, u32)> {
        let blue: Vec<usize> = bits(layout.blue(row)).collect();
        let group = |chosen: u32| {
            let rank = bits(chosen).enumerate().map(|(i, j)| self.ways[i + 1][blue[j]]).sum();
            (chosen.count_ones() as usize, rank)
        };
        (0..1 << blue.len()).filter(|chosen: &u32| chosen.count_ones() as usize <= self.order).map(group).collect()
    }

    /// The sum of the weights of all groups in each place of a row.
    pub fn sums<'a>(&self, layout: &Layout, row: usize, sums: &'a mut Sums<W>) -> &'a [W] {
        let blue = self.blue_groups(layout, row);
        let red: Vec<usize> = layout.left(row).iter().map(|cell| cell + layout.cells()).collect();
        let base: W = blue.iter().map(|&(size, rank)| self.weights[size][rank as usize]).sum();
        // All groups of some blue checkers and these red ones.
        let with = |checkers: &[usize]| -> W {
            let fitting = blue.iter().filter(|&&(size, _)| size + checkers.len() <= self.order);
            let weight = |&(size, rank): &(usize, u32)| {
                let added: u32 = checkers.iter().enumerate().map(|(i, &c)| self.ways[size + i + 1][c]).sum();
                self.weights[size + checkers.len()][(rank + added) as usize]
            };
            fitting.map(weight).sum()
        };
        let Sums { ones, pairs, all } = sums;
        let width = red.len();
        ones.clear();
        pairs.clear();
        all.clear();
        ones.extend(red.iter().map(|&checker| with(&[checker])));
        for high in 0..width {
            pairs.extend((0..width).map(|low| if low < high { with(&[red[low], red[high]]) } else { W::default() }));
        }
        let threes: Vec<Threes<'_, W>> = blue.iter().filter_map(|&group| self.threes(group, &red)).collect();
        for &place in layout.places() {
            let mut sum = base;
            let mut members = [0; MAX_RED];
            let mut count = 0;
            let mut rest = place;
            while rest != 0 {
                let i = rest.trailing_zeros() as usize;
                sum += ones[i];
                members[..count].iter().for_each(|&j| sum += pairs[i * width + j]);
                members[count] = i;
                count += 1;
                rest &= rest - 1;
            }
            if count == MAX_RED {
                threes.iter().for_each(|threes| sum += threes.weight(members));
            }
            all.push(sum);
        }
        all
    }

    /// The groups that three red checkers make with a group of blue ones.
    fn threes(&self, (size, rank): (usize, u32), red: &[usize]) -> Option<Threes<'_, W>> {
        let added = |i: usize| red.iter().map(|&checker| self.ways[size + i + 1][checker]).collect();
        (size + MAX_RED <= self.order).then(|| Threes {
            rank,
            added: [added(0), added(1), added(2)],
            weights: &self.weights[size + MAX_RED],
        })
    }

    /// Add `amounts`, one for each place of a row, to the totals of all groups that there are: what fitting asks for.
    pub fn spread(&self, layout: &Layout, row: usize, amounts: &[f32], totals: &mut [Vec<f64>]) {
        let blue = self.blue_groups(layout, row);
        let red: Vec<usize> = layout.left(row).iter().map(|cell| cell + layout.cells()).collect();
        let width = red.len();
        let mut add = |checkers: &[usize], amount: f64| {
            for &(size, rank) in blue.iter().filter(|&&(size, _)| size + checkers.len() <= self.order) {
                let added: u32 = checkers.iter().enumerate().map(|(i, &c)| self.ways[size + i + 1][c]).sum();
                totals[size + checkers.len()][(rank + added) as usize] += amount;
            }
        };
        let (mut ones, mut pairs) = (vec![0.0; width], vec![0.0; width * width]);
        for (&place, &amount) in layout.places().iter().zip(amounts) {
            let amount = f64::from(amount);
            let members: Vec<usize> = bits(place).collect();
            for (count, &i) in members.iter().enumerate() {
                ones[i] += amount;
                members[..count].iter().for_each(|&j| pairs[i * width + j] += amount);
            }
            if let [a, b, c] = members[..] {
                add(&[red[a], red[b], red[c]], amount);
            }
        }
        add(&[], amounts.iter().map(|&amount| f64::from(amount)).sum());
        for (i, &amount) in ones.iter().enumerate() {
            add(&[red[i]], amount);
        }
        for high in 0..width {
            (0..high).for_each(|low| add(&[red[low], red[high]], pairs[high * width + low]));
        }
    }
}
