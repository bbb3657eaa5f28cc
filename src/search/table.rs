//! The transposition table, for decision and chance nodes alike, shared between threads without locks.
//!
//! An entry holds a lower and an upper bound, each with the depth it was searched to and whether it is *solved*: proven
//! without any heuristic leaf, so that it holds to every greater depth too. It takes 16 bytes, two atomic words:
//!
//! | word | bits  | what                                                |
//! |------|-------|-----------------------------------------------------|
//! | 0    | 0–25  | lower bound, plus 2²⁴                               |
//! |      | 26–63 | upper 38 bits of the check                          |
//! | 1    | 0–25  | upper bound, plus 2²⁴                               |
//! |      | 26–32 | depth of the lower bound; 0: there is none          |
//! |      | 33–39 | depth of the upper bound; 0: there is none          |
//! |      | 40–48 | code of the best move, modulo 511; 511: none        |
//! |      | 49    | lower bound is solved                               |
//! |      | 50    | upper bound is solved                               |
//! |      | 51–56 | age: the search that wrote it                       |
//! |      | 57–63 | lower 7 bits of the check                           |
//!
//! Word 0 is stored xored with a product of word 1. Two threads writing one entry at once can leave words that do not
//! belong together; then the check bits come out wrong and the entry is passed over (after Hyatt's "lockless" table).

use super::memory::{Memory, prefetch};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

use crate::game::{Bounds, Game, Value};

/// Entries that one hash can choose between: a cache line.
const BUCKET: usize = 4;
const BUCKET_WORDS: usize = 2 * BUCKET;
/// Buckets in a part that is cleared as one.
const PAGE: usize = 64;
const VALUE_BITS: u32 = 26;
const VALUE_MASK: u64 = (1 << VALUE_BITS) - 1;
const NO_MOVE: u64 = 511;
/// Deeper results are not kept.
const MAX_DEPTH: u32 = 127;
const AGES: u8 = 64;
/// In bytes: to bring in more would keep people waiting.
const MOST_FETCHED: usize = 256 << 20;
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// As much of a move as an entry has room for: enough to know it again among the moves of its node, or nearly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableMove(u16);

impl TableMove {
    /// That of a move.
    pub fn of<G: Game>(mv: G::Move) -> TableMove {
        TableMove(G::code(mv) % NO_MOVE as u16)
    }
}

/// What the table knows of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    lo: Bound,
    hi: Bound,
    /// The move that was best or that cut.
    pub best: Option<TableMove>,
}

/// One end of the interval in which a value lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bound {
    value: Value,
    /// 0 if nothing is known.
    depth: u32,
    solved: bool,
}

impl Bound {
    const fn none(value: Value) -> Bound {
        Bound { value, depth: 0, solved: false }
    }

    /// Whether the bound speaks of searches to `depth`.
    fn answers(self, depth: u32) -> bool {
        self.depth == depth || (self.solved && self.depth != 0 && self.depth < depth)
    }
}

/// Bounds of a node's value to some depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub bounds: Bounds,
    /// Whether every bound that is not trivial was proven without heuristic leaves.
    pub solved: bool,
}

impl Entry {
    /// An entry that knows nothing.
    pub const NONE: Entry = Entry { lo: Bound::none(Value::LOSS), hi: Bound::none(Value::WIN), best: None };

    /// What the entry says of the value to exactly `depth`.
    pub fn known(&self, depth: u32) -> Known {
        let mut known = Known { bounds: Bounds::UNKNOWN, solved: true };
        if self.lo.answers(depth) {
            known.bounds.lo = self.lo.value;
            known.solved &= self.lo.solved;
        }
        if self.hi.answers(depth) {
            known.bounds.hi = self.hi.value;
            known.solved &= self.hi.solved;
        }
        // Only what a pruned search has stored can contradict itself.
        known.bounds.hi = known.bounds.hi.max(known.bounds.lo);
        known
    }

    /// The newest guess at the value from a search to `depth`, if there was one: for ordering and prediction only.
    pub fn guess(&self, depth: u32) -> Bounds {
        let lo = if self.lo.depth == depth { self.lo.value } else { Value::LOSS };
        let hi = if self.hi.depth == depth { self.hi.value } else { Value::WIN };
        Bounds { lo, hi: hi.max(lo) }
    }

    /// Take in what a search to `depth` proved.
    fn learn(&mut self, depth: u32, proven: Known, best: Option<TableMove>) {
        let Bounds { lo, hi } = proven.bounds;
        let new = |value| Bound { value, depth, solved: proven.solved };
        if lo > Value::LOSS && !(self.lo.answers(depth) && self.lo.value >= lo) {
            self.lo = new(lo);
        }
        if hi < Value::WIN && !(self.hi.answers(depth) && self.hi.value <= hi) {
            self.hi = new(hi);
        }
        self.best = best.or(self.best);
    }

    fn worth(&self) -> u32 {
        self.lo.depth.max(self.hi.depth)
    }

    fn pack(&self, check: u64, age: u8) -> [u64; 2] {
        let value = |bound: Bound| (bound.value.raw() - Value::LOSS.raw()) as u64;
        let best = self.best.map_or(NO_MOVE, |mv| u64::from(mv.0));
        let word0 = value(self.lo) | (check >> 26 << 26);
        let word1 = value(self.hi)
            | u64::from(self.lo.depth) << 26
            | u64::from(self.hi.depth) << 33
            | best << 40
            | u64::from(self.lo.solved) << 49
            | u64::from(self.hi.solved) << 50
            | u64::from(age) << 51
            | (check & 127) << 57;
        [word0 ^ word1.wrapping_mul(SPREAD), word1]
    }

    /// The entry in a slot, its check and its age.
    fn unpack([word0, word1]: [u64; 2]) -> (Entry, u64, u8) {
        let word0 = word0 ^ word1.wrapping_mul(SPREAD);
        let value = |word: u64| Value::from_raw((word & VALUE_MASK) as i64 + i64::from(Value::LOSS.raw()));
        let bound = |word, depth: u64, solved: u64, none| match depth & 127 {
            0 => Bound::none(none),
            depth => Bound { value: value(word), depth: depth as u32, solved: solved & 1 != 0 },
        };
        let best = word1 >> 40 & 511;
        let entry = Entry {
            lo: bound(word0, word1 >> 26, word1 >> 49, Value::LOSS),
            hi: bound(word1, word1 >> 33, word1 >> 50, Value::WIN),
            best: (best != NO_MOVE).then_some(TableMove(best as u16)),
        };
        (entry, (word0 >> 26 << 26) | word1 >> 57, (word1 >> 51) as u8 % AGES)
    }
}

/// The bits of a hash that an entry keeps: those that do not choose the bucket.
fn check(hash: u64) -> u64 {
    const KEPT: u64 = !(VALUE_MASK & !127);
    // The bucket is chosen by the high bits, so the low ones are moved up to where the check has room.
    hash.rotate_left(26) & KEPT
}

/// A table could not be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableError {
    /// The size that was asked for.
    pub megabytes: usize,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot allocate {} MB for the transposition table", self.megabytes)
    }
}

impl std::error::Error for TableError {}

/// The table: atomic words, two an entry, eight a bucket.
///
/// It starts zeroed, by grace of the system and not by writing to it, and remembers which parts have been written since,
/// so that neither making nor clearing a table costs more than its use did.
pub(super) struct Table {
    memory: Memory,
    buckets: usize,
    written: Box<[AtomicBool]>,
    age: AtomicU8,
}

/// The words of one bucket.
type Bucket = [AtomicU64; BUCKET_WORDS];

fn load(bucket: &Bucket, slot: usize) -> [u64; 2] {
    [bucket[2 * slot].load(Relaxed), bucket[2 * slot + 1].load(Relaxed)]
}

fn save(bucket: &Bucket, slot: usize, words: [u64; 2]) {
    bucket[2 * slot].store(words[0], Relaxed);
    bucket[2 * slot + 1].store(words[1], Relaxed);
}

impl Table {
    /// An empty table of this size. A table of no size keeps nothing.
    pub fn new(megabytes: usize) -> Result<Table, TableError> {
        let error = TableError { megabytes };
        let bytes = megabytes.checked_mul(1 << 20).ok_or(error)?;
        let buckets = bytes / size_of::<Bucket>();
        let memory = Memory::new(buckets * BUCKET_WORDS).ok_or(error)?;
        let written = (0..buckets.div_ceil(PAGE)).map(|_| AtomicBool::new(false)).collect();
        Ok(Table { memory, buckets, written, age: AtomicU8::new(0) })
    }

    /// Forget everything.
    pub fn clear(&mut self) {
        for (page, written) in self.written.iter_mut().enumerate() {
            if !std::mem::take(written.get_mut()) {
                continue;
            }
            let words = self.memory.words();
            let first = page * PAGE * BUCKET_WORDS;
            let last = words.len().min(first + PAGE * BUCKET_WORDS);
            words[first..last].iter().for_each(|word| word.store(0, Relaxed));
        }
        *self.age.get_mut() = 0;
    }

    /// Have the system bring all memory in now, so that no search waits for it, unless it is more than [`MOST_FETCHED`].
    pub fn fetch(&mut self) {
        if self.buckets * size_of::<Bucket>() <= MOST_FETCHED {
            self.memory.fetch();
        }
    }

    /// Make what is there older than what the next search will write.
    pub fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// Which bucket a hash belongs in.
    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.buckets as u128) >> 64) as usize
    }

    fn bucket(&self, place: usize) -> Option<&Bucket> {
        self.memory.words().get(place * BUCKET_WORDS..)?.first_chunk()
    }

    /// Have the bucket of a hash at hand for a look-up soon.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.memory.words().get(self.place(hash) * BUCKET_WORDS));
    }

    /// What is known of the node with this hash.
    pub fn probe(&self, hash: u64) -> Option<Entry> {
        let bucket = self.bucket(self.place(hash))?;
        let wanted = check(hash);
        (0..BUCKET).find_map(|slot| {
            let (entry, check, _) = Entry::unpack(load(bucket, slot));
            (check == wanted && entry.worth() > 0).then_some(entry)
        })
    }

    /// Add what a search of the node to `depth` proved to what is known of it.
    pub fn learn(&self, hash: u64, depth: u32, proven: Known, best: Option<TableMove>) {
        if depth > MAX_DEPTH || proven.bounds == Bounds::UNKNOWN {
            return;
        }
        let place = self.place(hash);
        let Some(bucket) = self.bucket(place) else { return };
        let written = &self.written[place / PAGE];
        if !written.load(Relaxed) {
            written.store(true, Relaxed);
        }
        let wanted = check(hash);
        let now = self.age.load(Relaxed);
        let mut slot = 0;
        let mut least = u32::MAX;
        let mut known = Entry::NONE;
        for candidate in 0..BUCKET {
            let (entry, check, age) = Entry::unpack(load(bucket, candidate));
            if check == wanted && entry.worth() > 0 {
                (slot, known) = (candidate, entry);
                break;
            }
            // Deep results stay longest, but each search that passes costs a result four plies.
            let elapsed = u32::from((AGES + now - age) % AGES);
            let worth = if entry.worth() == 0 { 0 } else { (1 + 4 * u32::from(AGES) + entry.worth()) - 4 * elapsed };
            if worth < least {
                (slot, least) = (candidate, worth);
            }
        }
        known.learn(depth, proven, best);
        save(bucket, slot, known.pack(wanted, now));
    }

    /// Per mille of the entries that the present search has written, from a sample.
    pub fn fill(&self) -> u32 {
        let now = self.age.load(Relaxed);
        let sample = self.buckets.min(1000);
        let entries = |bucket| (0..BUCKET).map(move |slot| Entry::unpack(load(bucket, slot)));
        let used = (0..sample).filter_map(|place| self.bucket(place)).flat_map(entries);
        let used = used.filter(|(entry, _, age)| entry.worth() > 0 && *age == now).count();
        (used * 1000 / (sample * BUCKET).max(1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::mix;

    fn known(lo: i64, hi: i64, solved: bool) -> Known {
        Known { bounds: Bounds { lo: Value::from_raw(lo), hi: Value::from_raw(hi) }, solved }
    }

    #[test]
    fn entries_survive_packing() {
        for i in 0..10_000u64 {
            let bits = mix(i);
            let value = |x: u64| Value::from_raw((x % ((1 << 25) + 1)) as i64 - (1 << 24));
            let bound = |x: u64, none| match x % 128 {
                0 => Bound::none(none),
                depth => Bound { value: value(mix(x)), depth: depth as u32, solved: x & 1 << 30 != 0 },
            };
            let best = (bits & 1 != 0).then_some(TableMove((bits >> 8) as u16 % 511));
            let entry = Entry { lo: bound(bits >> 4, Value::LOSS), hi: bound(bits >> 24, Value::WIN), best };
            let wanted = check(mix(bits));
            assert_eq!(Entry::unpack(entry.pack(wanted, 63)), (entry, wanted, 63));
        }
    }

    #[test]
    fn torn_entries_are_passed_over() {
        let entry = |i| {
            let mut entry = Entry::NONE;
            entry.learn(5, known(i, i + 1, false), Some(TableMove(3)));
            entry.pack(check(77), 0)
        };
        for i in 0..1000 {
            let torn = [entry(i)[0], entry(i + 1)[1]];
            assert_ne!(Entry::unpack(torn).1, check(77));
        }
    }

    #[test]
    fn bounds_answer_for_their_own_depth_unless_solved() {
        let table = Table::new(1).unwrap();
        table.learn(42, 5, known(10, 1 << 24, false), None);
        table.learn(42, 7, known(-(1 << 24), 90, true), None);
        let entry = table.probe(42).unwrap();
        let cases =
            [(3, None, None, true), (5, Some(10), None, false), (7, None, Some(90), true), (9, None, Some(90), true)];
        for (depth, lo, hi, solved) in cases {
            let expected = known(lo.unwrap_or(-(1 << 24)), hi.unwrap_or(1 << 24), solved);
            assert_eq!(entry.known(depth), expected, "depth {depth}");
        }
        assert_eq!(table.probe(43), None);
    }

    #[test]
    fn bounds_of_one_depth_are_joined() {
        let table = Table::new(1).unwrap();
        table.learn(1, 5, known(10, 500, false), Some(TableMove(8)));
        table.learn(1, 5, known(-20, 300, false), None);
        table.learn(1, 5, known(5, 900, false), None);
        let entry = table.probe(1).unwrap();
        assert_eq!(entry.known(5), known(10, 300, false));
        assert_eq!(entry.best, Some(TableMove(8)));
    }

    #[test]
    fn deep_results_outlive_shallow_ones() {
        let table = Table::new(1).unwrap();
        // Hashes that differ only in low bits share a bucket.
        table.learn(0, 20, known(0, 0, false), None);
        for hash in 1..100 {
            table.learn(hash, 3, known(0, 0, false), None);
        }
        assert!(table.probe(0).is_some());
        for _ in 0..10 {
            table.grow_older();
        }
        for hash in 1..100 {
            table.learn(hash, 3, known(0, 0, false), None);
        }
        assert!(table.probe(0).is_none(), "an old result must make room in the end");
    }

    #[test]
    fn fill_counts_the_present_search_only() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.fill(), 0);
        for i in 0..65_536 {
            table.learn(mix(i), 3, known(0, 0, false), None);
        }
        // As many results as slots, four a bucket: the mean of a Poisson variable of 4, capped at 4, is 3.22.
        assert!((780..830).contains(&table.fill()), "{}", table.fill());
        table.grow_older();
        assert_eq!(table.fill(), 0);
    }

    #[test]
    fn a_cleared_table_is_a_new_one() {
        let mut table = Table::new(1).unwrap();
        for i in 0..5_000 {
            table.learn(mix(i), 3, known(0, 0, false), None);
        }
        table.grow_older();
        table.clear();
        assert!(table.memory.words().iter().all(|word| word.load(Relaxed) == 0));
        assert_eq!(table.age.load(Relaxed), 0);
    }

    #[test]
    fn fetching_forgets_nothing() {
        for megabytes in [0, 1] {
            let mut table = Table::new(megabytes).unwrap();
            table.learn(mix(1), 3, known(0, 0, false), None);
            let entry = table.probe(mix(1));
            table.fetch();
            assert_eq!(table.probe(mix(1)), entry);
            assert_eq!(entry.is_some(), megabytes > 0);
            assert!(table.memory.fetched);
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert_eq!(Table::new(usize::MAX >> 10).err(), Some(TableError { megabytes: usize::MAX >> 10 }));
    }
}
