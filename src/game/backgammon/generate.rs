//! Move generation: every position that a roll can lead to, once.
//!
//! With a double every step has the same length, so a set of steps can be played from the highest point down whenever it
//! can be played at all, and two sets that differ lead to different positions: a search for steps that never climb again
//! meets each position once. With two different dice, both orders are tried; a pair of steps that the first order has met
//! is passed over, and what is left to compare are moves of one checker and pairs borne off.

use super::board::{HOME, ON_POINTS, Position, turned};
use super::moves::{Move, holds, push, remove};
use super::{BAR, OFF, Roll};
use arrayvec::ArrayVec;

/// No decision has more moves. A double moves fifteen checkers four steps in all: there are C(18, 4) ways to share four
/// among fifteen. Two different dice go to one of 15 · 15 pairs of checkers, or in two orders to one of 15.
pub const MAX_MOVES: usize = 3060;

/// The moves of one decision.
pub type Moves = ArrayVec<Move, MAX_MOVES>;

/// What the mover sees of a board, as bits from the mover's side.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// Own points, and the bar.
    pub own: u32,
    /// Points where the opponent has two checkers or more.
    pub closed: u32,
    /// Points where the opponent has one.
    pub blots: u32,
}

impl View {
    pub fn new(position: &Position) -> View {
        let opponent = position.mover().other();
        let (theirs, made) = (position.occupied(opponent), position.made(opponent));
        View {
            own: position.occupied(position.mover()),
            closed: turned(made) & ON_POINTS,
            blots: turned(theirs & !made) & ON_POINTS,
        }
    }

    /// The points that a step of `die` may start from.
    #[inline(always)]
    pub fn sources(self, die: u8) -> u32 {
        let die = u32::from(die);
        let bar = 1 << BAR;
        let open = !(self.closed << die);
        if self.own & bar != 0 {
            return bar & open;
        }
        let inside = self.own & open & (ON_POINTS << die);
        if self.own & !HOME != 0 || self.own == 0 {
            return inside;
        }
        let highest = u32::BITS - 1 - self.own.leading_zeros();
        let off = if highest < die { 1 << highest } else { self.own & 1 << die };
        inside | off
    }

    /// The view after a step; `last` if the point it starts from is left empty.
    #[inline(always)]
    pub fn step(self, from: u8, to: u8, last: bool) -> View {
        let own = self.own & !(u32::from(last) << from) | 1 << to;
        View { own: own & !1, blots: self.blots & !(1 << to), ..self }
    }

    #[inline(always)]
    fn is_blot(self, point: u8) -> bool {
        self.blots >> point & 1 == 1
    }
}

/// The point that a step leads to.
#[inline(always)]
pub(super) fn target(from: u8, die: u8) -> u8 {
    from.saturating_sub(die)
}

/// The numbers of the bits that are set, the highest first.
#[inline(always)]
fn points(mut bits: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = bits.checked_ilog2()?;
        bits ^= 1 << point;
        Some(point as u8)
    })
}

impl Position {
    /// Every move of a rolled position, each leading to a position of its own; [`Move::PASS`] where no checker can be
    /// played. None where the dice are not rolled or the game is over.
    pub fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        self.moves_into(&mut moves);
        moves
    }

    /// The same in a list that is at hand.
    pub fn moves_into(&self, moves: &mut Moves) {
        moves.clear();
        let Some(roll) = self.roll() else { return };
        if self.win().is_some() {
            return;
        }
        if roll.is_double() {
            Doubles::generate(self, roll.high(), moves);
        } else {
            two_dice(self, roll, moves);
        }
        if moves.is_empty() {
            moves.push(Move::PASS);
        }
    }
}

fn two_dice(position: &Position, roll: Roll, moves: &mut Moves) {
    let view = View::new(position);
    let made = position.made(position.mover());
    let (high, low) = (roll.high(), roll.low());
    let step = |from: u8, die: u8| view.step(from, target(from, die), made >> from & 1 == 0);

    // By the point that the higher die is played from, the points that the lower one may follow from.
    let mut followers = [0_u32; BAR as usize + 1];
    let high_first = view.sources(high);
    for a in points(high_first) {
        let next = step(a, high).sources(low);
        followers[usize::from(a)] = next;
        for b in points(next) {
            push_pair(view, (a, target(a, high)), (b, target(b, low)), moves);
        }
    }
    let low_first = view.sources(low);
    for b in points(low_first) {
        for a in points(step(b, low).sources(high)) {
            if followers[usize::from(a)] >> b & 1 == 0 {
                push_pair(view, (b, target(b, low)), (a, target(a, high)), moves);
            }
        }
    }
    if moves.is_empty() {
        let (die, sources) = if high_first != 0 { (high, high_first) } else { (low, low_first) };
        for from in points(sources) {
            let to = target(from, die);
            let hit = if view.is_blot(to) { to } else { 0 };
            moves.push(Move::pack(u32::from(from), u32::from(to), u32::from(hit)));
        }
    }
}

/// Add a move of two steps, unless it is there.
#[inline(always)]
fn push_pair(view: View, (a, to_a): (u8, u8), (b, to_b): (u8, u8), moves: &mut Moves) {
    let hit = |to: u8| if view.is_blot(to) { to } else { 0 };
    let (hit_a, hit_b) = (hit(to_a), if to_a == to_b { 0 } else { hit(to_b) });
    let hits = match (hit_a.max(hit_b), hit_a.min(hit_b)) {
        (one, 0) => u32::from(one),
        (higher, lower) => push(u32::from(higher), lower),
    };
    let one_checker = |from: u8, to: u8| Move::pack(u32::from(from), u32::from(to), hits);
    let mv = if b == to_a {
        one_checker(a, to_b)
    } else if a == to_b {
        one_checker(b, to_a)
    } else {
        let left = push(u32::from(a.max(b)), a.min(b));
        let reached = push(u32::from(to_a.max(to_b)), to_a.min(to_b));
        let mv = Move::pack(left, reached, hits);
        if reached != u32::from(OFF) {
            moves.push(mv);
            return;
        }
        mv
    };
    if !moves.contains(&mv) {
        moves.push(mv);
    }
}

/// The search for moves of a double.
struct Doubles<'a> {
    die: u8,
    checkers: [u8; BAR as usize + 1],
    /// The most steps that have been found.
    steps: u32,
    moves: &'a mut Moves,
}

/// The steps taken so far: the lists of a move, and how many steps.
#[derive(Clone, Copy, Default)]
struct Line {
    left: u32,
    reached: u32,
    hits: u32,
    steps: u32,
}

impl Line {
    /// The line with one more step, from no higher a point than those before it.
    #[inline(always)]
    fn with_step(self, from: u8, to: u8, hit: bool) -> Line {
        let (left, reached) = if self.steps > 0 && holds(self.reached, from) {
            (self.left, remove(self.reached, from))
        } else {
            (push(self.left, from), self.reached)
        };
        let hits = if hit { push(self.hits, to) } else { self.hits };
        Line { left, reached: push(reached, to), hits, steps: self.steps + 1 }
    }
}

impl Doubles<'_> {
    fn generate(position: &Position, die: u8, moves: &mut Moves) {
        let checkers = *position.checkers(position.mover());
        let mut search = Doubles { die, checkers, steps: 1, moves };
        search.extend(View::new(position), u32::MAX, Line::default());
    }

    /// Go on from a line with steps from the points `allowed`.
    fn extend(&mut self, view: View, allowed: u32, line: Line) {
        let sources = view.sources(self.die) & allowed;
        if sources == 0 {
            self.record(line);
        }
        for from in points(sources) {
            let to = target(from, self.die);
            let next = line.with_step(from, to, view.is_blot(to));
            if next.steps == 4 {
                self.record(next);
                continue;
            }
            self.checkers[usize::from(from)] -= 1;
            self.checkers[usize::from(to)] += 1;
            let not_higher = (2 << from) - 1;
            self.extend(view.step(from, to, self.checkers[usize::from(from)] == 0), not_higher, next);
            self.checkers[usize::from(from)] += 1;
            self.checkers[usize::from(to)] -= 1;
        }
    }

    /// Keep a line if none is longer. One that stops only because it may not climb again is shorter than the longest.
    #[inline(always)]
    fn record(&mut self, line: Line) {
        if line.steps > self.steps {
            self.steps = line.steps;
            self.moves.clear();
        }
        if line.steps == self.steps {
            self.moves.push(Move::pack(line.left, line.reached, line.hits));
        }
    }
}
