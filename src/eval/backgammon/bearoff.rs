//! A table of races at their end: how many turns a side needs to bear off what it has left in its home.
//!
//! Each entry is the distribution of that number if the side always leaves itself the least on average. Where both sides
//! are home and have borne off a checker, so that no gammon can come, the chance of winning follows from the two
//! distributions: who is to roll wins if it needs no more turns than the other. (That each side hurries as if it were
//! alone costs next to nothing: a test holds the table to the exact game.)
//!
//! The file, all numbers little-endian:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic, `ALEA-OFF` |
//! | 2 | version of the format: 1 |
//! | 38 760 entries | by [`rank`], one byte for the least number of turns, one for the count of probabilities, two for each |
//! | 4 | CRC-32 (IEEE) of everything before it |

use crate::game::backgammon::{CHECKERS, OFF, PLACES, Position, Roll};
use crate::game::{Game, Player, Step, Value};
use std::fmt;

const MAGIC: &[u8; 10] = b"ALEA-OFF\x01\x00";
const CHECKSUM: usize = 4;
/// The points of a home.
const HOME: usize = 6;
/// Checkers that a side has left at most.
const MOST: usize = CHECKERS as usize - 1;
/// What the probabilities of an entry add up to.
const WHOLE: u32 = 1 << 16;
/// No side needs as many turns.
const TURNS: usize = 40;
/// How many entries there are.
pub const ENTRIES: usize = choose(MOST + HOME, HOME);

/// How many ways there are to take `k` of `n`.
const fn choose(n: usize, k: usize) -> usize {
    let (mut ways, mut i) = (1, 0);
    while i < k {
        if n < k {
            return 0;
        }
        ways = ways * (n - i) / (i + 1);
        i += 1;
    }
    ways
}

/// [`choose`], by `n` and `k`.
const CHOOSE: [[u32; HOME + 1]; MOST + HOME + 1] = {
    let mut table = [[0; HOME + 1]; MOST + HOME + 1];
    let mut n = 0;
    while n <= MOST + HOME {
        let mut k = 0;
        while k <= HOME {
            table[n][k] = choose(n, k) as u32;
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of a side's checkers in its home, of which there are [`MOST`] at most. Every step makes it smaller.
#[inline]
pub fn rank(checkers: &[u8; PLACES]) -> usize {
    let (mut rank, mut sum) = (0, 0);
    for i in 0..HOME {
        sum += usize::from(checkers[HOME - i]);
        rank += CHOOSE[(sum + i).min(MOST + HOME)][i + 1] as usize;
    }
    rank
}

/// The checkers of every entry, in the order of their numbers.
fn all() -> Vec<[u8; PLACES]> {
    let mut found = vec![[0; PLACES]; ENTRIES];
    let mut side = [0; PLACES];
    fill(&mut side, HOME, MOST, &mut |side| found[rank(side)] = *side);
    found
}

/// Every way to put up to `left` checkers on the points up to `point`.
fn fill(side: &mut [u8; PLACES], point: usize, left: usize, take: &mut impl FnMut(&[u8; PLACES])) {
    if point == 0 {
        return take(side);
    }
    for count in 0..=left {
        side[point] = count as u8;
        fill(side, point - 1, left - count, take);
    }
    side[point] = 0;
}

/// Where an entry's probabilities lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Entry {
    start: u32,
    /// The least number of turns.
    first: u8,
    count: u8,
}

/// The table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bearoff {
    entries: Vec<Entry>,
    /// Of 2¹⁶.
    odds: Vec<u16>,
}

/// Why bytes are no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BearoffError {
    /// They do not start as one.
    Foreign,
    /// They end too soon, or go on after their end.
    Length,
    /// Their checksum is wrong.
    Corrupt,
}

impl fmt::Display for BearoffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BearoffError::Foreign => "not a bearoff table: it does not start with ALEA-OFF and version 1",
            BearoffError::Length => "damaged: it has not the length that its entries demand",
            BearoffError::Corrupt => "damaged: the checksum is wrong",
        })
    }
}

impl std::error::Error for BearoffError {}

/// What is known of an entry while the table is made.
#[derive(Clone)]
struct Distribution {
    /// By turns.
    odds: [f64; TURNS],
    mean: f64,
}

impl Bearoff {
    /// Make the table. `done` is told after each entry.
    pub fn compute(mut done: impl FnMut()) -> Bearoff {
        let mut known: Vec<Distribution> = Vec::with_capacity(ENTRIES);
        for side in all() {
            let mut odds = [0.0; TURNS];
            if known.is_empty() {
                odds[0] = 1.0;
            } else {
                for roll in Roll::ALL {
                    let best = &known[best_after(&side, roll, &known)];
                    let share = f64::from(roll.weight()) / 36.0;
                    odds[1..].iter_mut().zip(&best.odds).for_each(|(sum, odds)| *sum += share * odds);
                }
            }
            let mean = odds.iter().enumerate().map(|(turns, odds)| turns as f64 * odds).sum();
            known.push(Distribution { odds, mean });
            done();
        }
        let mut table = Bearoff { entries: Vec::with_capacity(ENTRIES), odds: Vec::new() };
        known.iter().for_each(|distribution| table.push(&distribution.odds));
        table
    }

    /// Append an entry: probabilities in whole numbers that add up to all but one of [`WHOLE`], what rounding takes away
    /// going to the likeliest.
    fn push(&mut self, odds: &[f64; TURNS]) {
        let mut whole = odds.map(|odds| (odds * f64::from(WHOLE - 1)).round() as i64);
        let likeliest = (0..TURNS).fold(0, |best, i| if whole[i] > whole[best] { i } else { best });
        whole[likeliest] += i64::from(WHOLE - 1) - whole.iter().sum::<i64>();
        let first = whole.iter().position(|&odds| odds > 0).unwrap_or(0);
        let end = whole.iter().rposition(|&odds| odds > 0).map_or(first, |last| last + 1);
        let start = self.odds.len() as u32;
        self.entries.push(Entry { start, first: first as u8, count: (end - first) as u8 });
        self.odds.extend(whole[first..end].iter().map(|&odds| odds as u16));
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for entry in &self.entries {
            bytes.extend([entry.first, entry.count]);
            bytes.extend(self.of(*entry).iter().flat_map(|odds| odds.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The table in a file's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Bearoff, BearoffError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(BearoffError::Foreign)?;
        let (mut rest, checksum) = body.split_last_chunk::<CHECKSUM>().ok_or(BearoffError::Length)?;
        if crc32fast::hash(&bytes[..bytes.len() - CHECKSUM]).to_le_bytes() != *checksum {
            return Err(BearoffError::Corrupt);
        }
        let mut table = Bearoff { entries: Vec::with_capacity(ENTRIES), odds: Vec::new() };
        for _ in 0..ENTRIES {
            let (&[first, count], after) = rest.split_first_chunk().ok_or(BearoffError::Length)?;
            let (odds, after) = after.split_at_checked(2 * usize::from(count)).ok_or(BearoffError::Length)?;
            table.entries.push(Entry { start: table.odds.len() as u32, first, count });
            table.odds.extend(odds.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])));
            rest = after;
        }
        if rest.is_empty() { Ok(table) } else { Err(BearoffError::Length) }
    }

    fn of(&self, entry: Entry) -> &[u16] {
        &self.odds[entry.start as usize..][..entry.count.into()]
    }

    /// The chance that the side that is to roll needs no more turns than the other, in steps of 2⁻²⁴.
    pub fn win(&self, roller: &[u8; PLACES], other: &[u8; PLACES]) -> i32 {
        let [roller, other] = [roller, other].map(|side| self.entries[rank(side)]);
        let odds = self.of(other);
        // What is left of the other side's probability from the roller's number of turns on.
        let (mut left, mut next) = (u64::from(WHOLE - 1), 0);
        let mut sum = 0;
        for (turns, &chance) in (roller.first..).zip(self.of(roller)) {
            while next < odds.len() && other.first as usize + next < turns.into() {
                left -= u64::from(odds[next]).min(left);
                next += 1;
            }
            sum += u64::from(chance) * left;
        }
        let all = u64::from(WHOLE - 1) * u64::from(WHOLE - 1);
        ((u128::from(sum) * Value::WIN.raw() as u128) / u128::from(all)) as i32
    }
}

/// The number of the best that a side can leave itself after a roll.
fn best_after(side: &[u8; PLACES], roll: Roll, known: &[Distribution]) -> usize {
    let mut other = [0; PLACES];
    other[1] = 1;
    let position = Position::set_up([*side, other], Player::First, Some(roll)).expect("a home and a checker far away");
    let left = |mv| rank(position.child(Step::Move(mv)).checkers(Player::First));
    let ranks = position.moves().into_iter().map(left);
    let better = |best: usize, other: usize| if known[other].mean < known[best].mean { other } else { best };
    ranks.reduce(better).expect("every decision has a move")
}

/// Whether the table knows a position: both sides are home and have borne off a checker.
#[inline]
pub fn covers(position: &Position) -> bool {
    Player::BOTH
        .into_iter()
        .all(|player| position.checkers(player)[usize::from(OFF)] > 0 && position.occupied(player) >> (HOME + 1) == 0)
}
