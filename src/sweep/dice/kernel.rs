//! The work itself: rows of values from rows of values.
//!
//! A row is one configuration of the high cells with all places of the low ones. Moves on high cells join whole rows, which the
//! compiler turns into vector instructions; moves on low cells follow lists. The same code is compiled twice, once for
//! processors with AVX2: everything is done in integers, so both give the same values.

use super::high::{Entry, High};
use super::low::Places;
use super::split::MAX_WIDTH;
use crate::sweep::WIN;

/// Values that a thread works with.
pub struct Scratch {
    /// The best of one line's moves at each place.
    line: Box<[i32; MAX_WIDTH]>,
    /// The sum over lines.
    sum: Box<[i32; MAX_WIDTH]>,
    /// How many lines without an empty high cell are open at each place.
    open: Box<[i32; MAX_WIDTH]>,
    /// The row that moves on low cells lead to.
    low: Box<[i32; MAX_WIDTH]>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        let zeros = || Box::new([0; MAX_WIDTH]);
        Scratch { line: zeros(), sum: zeros(), open: zeros(), low: zeros() }
    }
}

/// One block's tables, the same for all its rows.
pub struct BlockPlan<'a> {
    pub high: &'a High,
    /// The places of its rows.
    pub places: &'a Places,
    /// Values in a row that moves on low cells lead to.
    pub low_width: usize,
    /// The configurations of its rows.
    pub rows: &'a [u32],
    /// Segments that the side that moved last needs high and low cells for: the high cells, and which list of places holds the
    /// low ones.
    pub threats: &'a [(u32, usize)],
    /// Whether blue is to move.
    pub blue: bool,
    /// Blocks that moves on low and on high cells lead to.
    pub below: [Option<&'a [i32]>; 2],
}

/// Work out rows from `first` on, as many as `out` has room for.
pub fn solve(plan: &BlockPlan<'_>, first: usize, scratch: &mut Scratch, out: &mut [i32]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return with_avx2(plan, first, scratch, out);
    }
    solve_portably(plan, first, scratch, out);
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
fn with_avx2(plan: &BlockPlan<'_>, first: usize, scratch: &mut Scratch, out: &mut [i32]) {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled(plan: &BlockPlan<'_>, first: usize, scratch: &mut Scratch, out: &mut [i32]) {
        solve_rows(plan, first, scratch, out);
    }
    // SAFETY: the caller has asked the processor for AVX2; every processor that has it has the others.
    unsafe { compiled(plan, first, scratch, out) }
}

/// The same on any processor.
pub fn solve_portably(plan: &BlockPlan<'_>, first: usize, scratch: &mut Scratch, out: &mut [i32]) {
    solve_rows(plan, first, scratch, out);
}

#[inline(always)]
fn solve_rows(plan: &BlockPlan<'_>, first: usize, scratch: &mut Scratch, out: &mut [i32]) {
    for (row, out) in (first..).zip(out.chunks_exact_mut(plan.places.width)) {
        if plan.blue {
            solve_row::<true>(plan, row, scratch, out);
        } else {
            solve_row::<false>(plan, row, scratch, out);
        }
    }
}

/// Worse than any value for the mover: no move.
const fn none<const BLUE: bool>() -> i32 {
    if BLUE { i32::MIN } else { i32::MAX }
}

#[inline(always)]
fn better<const BLUE: bool>(a: i32, b: i32) -> i32 {
    if BLUE { a.max(b) } else { a.min(b) }
}

#[inline(always)]
fn solve_row<const BLUE: bool>(plan: &BlockPlan<'_>, row: usize, scratch: &mut Scratch, out: &mut [i32]) {
    let width = plan.places.width;
    let side = usize::from(!BLUE);
    let number = plan.rows[row];
    let [blue, red] = plan.high.sets(number);
    let Scratch { line, sum, open, low } = scratch;
    let (line, sum, open) = (&mut line[..width], &mut sum[..width], &mut open[..width]);
    if let Some(below) = plan.below[0] {
        low[..plan.low_width].copy_from_slice(&below[row * plan.low_width..][..plan.low_width]);
    }
    sum.fill(0);
    // Lines that are open at every place, what those add that are won at once, and whether there are others.
    let (mut always_open, mut won, mut sometimes_open) = (0, 0, false);
    for (high_line, moves) in plan.high.lines[side].iter().zip(&plan.places.moves[side]) {
        let cells = high_line & !(blue | red);
        match best_high::<BLUE>(plan, number, cells, line) {
            Best::Won => {
                always_open += 1;
                won += if BLUE { WIN } else { -WIN };
                continue;
            }
            Best::None if moves.runs.is_empty() && moves.pairs.is_empty() => continue,
            Best::None => line.fill(none::<BLUE>()),
            Best::Found => {}
        }
        for run in &moves.runs {
            let (from, to, len) = (usize::from(run.from), usize::from(run.to), usize::from(run.len));
            for (best, value) in line[from..from + len].iter_mut().zip(&low[to..to + len]) {
                *best = better::<BLUE>(*best, *value);
            }
        }
        for &[from, to] in &moves.pairs {
            let from = usize::from(from);
            line[from] = better::<BLUE>(line[from], low[usize::from(to) % MAX_WIDTH]);
        }
        if cells != 0 {
            always_open += 1;
            for (sum, value) in sum.iter_mut().zip(&*line) {
                *sum += value;
            }
        } else {
            if !std::mem::replace(&mut sometimes_open, true) {
                open.fill(0);
            }
            for ((sum, open), &value) in sum.iter_mut().zip(open.iter_mut()).zip(&*line) {
                let closed = value == none::<BLUE>();
                *sum += if closed { 0 } else { value };
                *open += i32::from(!closed);
            }
        }
    }
    average(sum, sometimes_open.then_some(open), always_open, won, out);
    let last = if BLUE { red } else { blue };
    for &(need, list) in plan.threats {
        if need & !last == 0 {
            for &place in &plan.places.holding[1 - side][list] {
                out[usize::from(place)] = if BLUE { -WIN } else { WIN };
            }
        }
    }
}

/// What moves on high cells of a line are worth.
enum Best {
    /// There are none.
    None,
    /// One wins, whatever stands on the low cells.
    Won,
    /// The best of them is in the scratch.
    Found,
}

#[inline(always)]
fn best_high<const BLUE: bool>(plan: &BlockPlan<'_>, number: u32, cells: u32, line: &mut [i32]) -> Best {
    if cells == 0 {
        return Best::None;
    }
    let owner = if BLUE { 1 } else { 2 };
    let mut rest = cells;
    let mut entries = [Entry::WON; super::board::MAX_SIZE];
    let mut count = 0;
    while rest != 0 {
        let entry = plan.high.entry(number + owner * plan.high.powers[rest.trailing_zeros() as usize]);
        if entry == Entry::WON {
            return Best::Won;
        }
        entries[count] = entry;
        count += 1;
        rest &= rest - 1;
    }
    let below = plan.below[1].expect("a move on a high cell leads to a block");
    for (i, entry) in entries[..count].iter().enumerate() {
        let values = &below[entry.row() * line.len()..][..line.len()];
        match (i, entry.frame()) {
            (0, 0) => line.copy_from_slice(values),
            (_, 0) => {
                for (best, value) in line.iter_mut().zip(values) {
                    *best = better::<BLUE>(*best, *value);
                }
            }
            (i, frame) => {
                for (best, &place) in line.iter_mut().zip(&plan.places.images[frame]) {
                    let value = values[usize::from(place)];
                    *best = if i == 0 { value } else { better::<BLUE>(*best, value) };
                }
            }
        }
    }
    Best::Found
}

/// 2³⁰ over the number of lines.
const SHARES: [i32; 6] = [0, 1 << 30, 1 << 29, 357_913_941, 1 << 28, 214_748_365];

/// The mean over lines; a full board is a draw.
#[inline(always)]
fn average(sum: &[i32], sometimes_open: Option<&mut [i32]>, always_open: usize, won: i32, out: &mut [i32]) {
    let mean = |sum: i32, share: i32| ((i64::from(sum + won) * i64::from(share) + (1 << 29)) >> 30) as i32;
    match sometimes_open {
        None => {
            let share = SHARES[always_open];
            for (out, &sum) in out.iter_mut().zip(sum) {
                *out = mean(sum, share);
            }
        }
        Some(open) => {
            for ((out, &sum), &open) in out.iter_mut().zip(sum).zip(&*open) {
                *out = mean(sum, SHARES[(always_open + open as usize) % SHARES.len()]);
            }
        }
    }
}
