//! Moves as words: `13/11,6/5*`, one spelling for each.

use super::{BAR, Move, OFF, Position, Roll};
use arrayvec::ArrayVec;
use std::fmt::Write;

/// One checker's way: where it starts, the points where it hits on the way, where it ends and whether it hits there.
struct Way {
    from: u8,
    hits_passed: ArrayVec<u8, 4>,
    to: u8,
    hits_last: bool,
}

/// The name of a point, the bar or off.
pub(super) fn place_name(place: u8) -> String {
    match place {
        BAR => "bar".into(),
        OFF => "off".into(),
        point => point.to_string(),
    }
}

impl Position {
    /// The one spelling of a legal move: a word for each checker from the highest point down, joined by commas, with the
    /// points on the way only where something is hit.
    pub fn move_text(&self, mv: Move) -> String {
        let Some(roll) = self.roll().filter(|_| mv != Move::PASS) else { return "pass".into() };
        let mut hits: ArrayVec<u8, 4> = mv.hits().collect();
        let mut text = String::new();
        let pairs = if roll.is_double() { pair_double(mv, roll.high()) } else { pair(mv, roll) };
        let mut rest = pairs.as_slice();
        while let Some(&(from, to)) = rest.first() {
            let same = rest.iter().take_while(|&&other| other == (from, to)).count();
            rest = &rest[same..];
            // Two different dice take a checker past a point only if it plays both; what it hits then lies on its way.
            let passes = |point: u8| match roll.is_double() {
                true => to < point && point < from && (from - point).is_multiple_of(roll.high()),
                false => point != to && mv.checkers() == 1,
            };
            let way = way(from, to, passes, &mut hits);
            if !text.is_empty() {
                text.push(',');
            }
            write_way(&mut text, &way, same);
        }
        text
    }
}

fn write_way(text: &mut String, way: &Way, times: usize) {
    text.push_str(&place_name(way.from));
    for hit in &way.hits_passed {
        let _ = write!(text, "/{hit}*");
    }
    let _ = write!(text, "/{}", place_name(way.to));
    if way.hits_last {
        text.push('*');
    }
    if times > 1 {
        let _ = write!(text, "({times})");
    }
}

/// The way of a checker. Hits that it makes are taken from the list: only the first that comes to a point hits there.
fn way(from: u8, to: u8, passes: impl Fn(u8) -> bool, hits: &mut ArrayVec<u8, 4>) -> Way {
    let hits_passed: ArrayVec<u8, 4> = hits.iter().copied().filter(|&hit| passes(hit)).collect();
    let hits_last = hits.contains(&to);
    hits.retain(|&mut hit| hit != to && !passes(hit));
    Way { from, hits_passed, to, hits_last }
}

/// Where each checker goes when two different dice are played.
fn pair(mv: Move, roll: Roll) -> ArrayVec<(u8, u8), 4> {
    let left: ArrayVec<u8, 4> = mv.left().collect();
    let reached: ArrayVec<u8, 4> = mv.reached().collect();
    let is_step = |from: u8, to: u8, die: u8| if to == OFF { from <= die } else { from == to + die };
    match (left.as_slice(), reached.as_slice()) {
        (&[a, b], &[c, d]) => {
            let dice = [(roll.high(), roll.low()), (roll.low(), roll.high())];
            let straight = dice.iter().any(|&(one, other)| is_step(a, c, one) && is_step(b, d, other));
            if straight { [(a, c), (b, d)].into_iter().collect() } else { [(a, d), (b, c)].into_iter().collect() }
        }
        _ => left.into_iter().zip(reached).collect(),
    }
}

/// Where each checker goes when all steps are as long as `die`: from the highest down, each to the highest point left
/// that lies on its way.
fn pair_double(mv: Move, die: u8) -> ArrayVec<(u8, u8), 4> {
    let mut reached: ArrayVec<u8, 4> = mv.reached().collect();
    let ends = |from: u8, to: u8| to == OFF || to < from && (from - to).is_multiple_of(die);
    let pairs = mv.left().filter_map(|from| {
        let nearest = reached.iter().position(|&to| ends(from, to))?;
        Some((from, reached.remove(nearest)))
    });
    pairs.collect()
}
