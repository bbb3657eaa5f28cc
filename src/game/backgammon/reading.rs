//! Moves from words, in any spelling: steps in any order, with points on the way or without, hits marked or not.
//!
//! A word is taken apart into stretches from one point to another; then every way to play the dice that covers these
//! stretches is tried. They are few: at most four steps.

use super::generate::{View, target};
use super::writing::place_name;
use super::{BAR, Move, OFF, Position, Roll, Win};
use arrayvec::ArrayVec;
use std::fmt;

/// The most steps of a move.
const MOST_STEPS: usize = 4;

/// A move that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    /// The part of the move at fault, as it was written.
    pub word: String,
    /// What is wrong with it.
    pub fault: MoveFault,
}

/// What is wrong with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveFault {
    /// The game has ended.
    GameOver(Win),
    /// The dice have not been rolled.
    NotRolled,
    /// It is not a point, a slash and a point.
    Syntax,
    /// A point that does not exist, or the bar or off where it cannot stand.
    NoSuchPoint,
    /// A step that leads to no lower point.
    Backwards,
    /// A number of times that is not from 1 to 4.
    Times,
    /// More than four steps.
    TooManySteps,
    /// There is a legal move, so `pass` is none.
    MustPlay(Roll),
    /// No checker can be played, so only `pass` is legal.
    MustPass(Roll),
    /// Checkers on the bar come first.
    BarFirst,
    /// No checker of the mover's is there.
    NoChecker(u8),
    /// The opponent holds the point.
    Blocked(u8),
    /// Not all of the mover's checkers are home.
    NotHome,
    /// The dice do not lead there.
    NotWithRoll(Roll),
    /// Nothing is hit on a point that is marked so.
    NoHit(u8),
    /// More of the dice can be played.
    MustUseMore(Roll),
    /// Either die can be played but not both, and the lower one was.
    MustUseHigher(Roll),
    /// It is unclear whether, or where, something is hit on the way.
    Ambiguous,
}

impl fmt::Display for MoveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MoveFault::GameOver(win) => write!(f, "the game is over ({win})"),
            MoveFault::NotRolled => f.write_str("the dice have not been rolled"),
            MoveFault::Syntax => f.write_str("expected steps with commas between, as in 13/11,6/5*, or pass"),
            MoveFault::NoSuchPoint => f.write_str("expected a point from 1 to 24, bar at the start or off at the end"),
            MoveFault::Backwards => f.write_str("expected the points of a step from higher to lower"),
            MoveFault::Times => f.write_str("expected how often a step is played, from (1) to (4)"),
            MoveFault::TooManySteps => f.write_str("expected at most four steps"),
            MoveFault::MustPlay(roll) => write!(f, "roll {roll} can be played; expected a move"),
            MoveFault::MustPass(roll) => write!(f, "roll {roll} cannot be played; expected pass"),
            MoveFault::BarFirst => f.write_str("checkers on the bar come first; expected a step from bar"),
            MoveFault::NoChecker(point) => write!(f, "the mover has no checker on {} for it", place_name(point)),
            MoveFault::Blocked(point) => write!(f, "the opponent holds point {point}"),
            MoveFault::NotHome => f.write_str("checkers are borne off only when all are on points 1 to 6"),
            MoveFault::NotWithRoll(roll) => write!(f, "it cannot be played with roll {roll}"),
            MoveFault::NoHit(point) => write!(f, "nothing is hit on point {point}"),
            MoveFault::MustUseMore(roll) => write!(f, "more of roll {roll} can be played, and so must be"),
            MoveFault::MustUseHigher(roll) => {
                write!(f, "only one die of roll {roll} can be played; expected the higher one")
            }
            MoveFault::Ambiguous => f.write_str("there are several ways there; expected the points that are hit too"),
        }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.word, self.fault)
    }
}

impl std::error::Error for IllegalMove {}

/// A part of a checker's way, as it was written.
#[derive(Clone, Copy)]
struct Stretch<'a> {
    from: u8,
    to: u8,
    word: &'a str,
}

type Stretches<'a> = ArrayVec<Stretch<'a>, MOST_STEPS>;

impl Position {
    /// Read a move in any spelling. Where hits on the way make a difference that the word does not settle, the move that
    /// hits only where the word says so is meant.
    pub fn parse_move(&self, word: &str) -> Result<Move, IllegalMove> {
        let fault = |fault| IllegalMove { word: word.into(), fault };
        if let Some(win) = self.win() {
            return Err(fault(MoveFault::GameOver(win)));
        }
        let roll = self.roll().ok_or_else(|| fault(MoveFault::NotRolled))?;
        let legal = self.moves();
        let must_pass = legal[0] == Move::PASS;
        if word.eq_ignore_ascii_case("pass") {
            return if must_pass { Ok(Move::PASS) } else { Err(fault(MoveFault::MustPlay(roll))) };
        }
        let (stretches, marked) = read(word)?;
        if must_pass {
            return Err(fault(MoveFault::MustPass(roll)));
        }
        let found = Attempt::run(self, roll, &stretches);
        let candidates: ArrayVec<Move, MOST_WAYS> = found.iter().copied().filter(|mv| legal.contains(mv)).collect();
        if candidates.is_empty() {
            return Err(self.explain(word, &stretches, roll, !found.is_empty()));
        }
        let hits = |mv: &Move| mv.hits().fold(0, |mask, hit| mask | 1_u32 << hit);
        if let Some(&mv) = candidates.iter().find(|mv| hits(mv) == marked) {
            return Ok(mv);
        }
        let possible = candidates.iter().fold(0, |mask, mv| mask | hits(mv));
        if marked & !possible != 0 {
            return Err(fault(MoveFault::NoHit((marked & !possible).trailing_zeros() as u8)));
        }
        let mut fitting = candidates.iter().filter(|mv| marked & !hits(mv) == 0);
        match (fitting.next(), fitting.next()) {
            (Some(&mv), None) => Ok(mv),
            _ => Err(fault(MoveFault::Ambiguous)),
        }
    }

    /// Why stretches cannot be played; `playable` if they can, but are no legal move.
    fn explain(&self, word: &str, stretches: &Stretches, roll: Roll, playable: bool) -> IllegalMove {
        for stretch in stretches {
            if let Some(fault) = self.fault_of(stretch, stretches, roll) {
                return IllegalMove { word: stretch.word.into(), fault };
            }
        }
        let fault = match playable {
            false => MoveFault::NotWithRoll(roll),
            true if !roll.is_double() && !self.plays_both(roll) => MoveFault::MustUseHigher(roll),
            true => MoveFault::MustUseMore(roll),
        };
        IllegalMove { word: word.into(), fault }
    }

    /// Whether both of two different dice can be played.
    fn plays_both(&self, roll: Roll) -> bool {
        let view = View::new(self);
        let empties = |from: u8| self.checkers(self.mover())[usize::from(from)] == 1;
        let goes_on = |from: u8, die: u8, next: u8| {
            let may = view.sources(die) >> from & 1 == 1;
            may && view.step(from, target(from, die), empties(from)).sources(next) != 0
        };
        let (high, low) = (roll.high(), roll.low());
        (1..=BAR).any(|from| goes_on(from, high, low) || goes_on(from, low, high))
    }

    /// What is wrong with one stretch, whatever the others are.
    fn fault_of(&self, stretch: &Stretch, all: &Stretches, roll: Roll) -> Option<MoveFault> {
        let &Stretch { from, to, .. } = stretch;
        let own = self.checkers(self.mover());
        let view = View::new(self);
        let arrives = all.iter().any(|other| other.to == from);
        if own[usize::from(BAR)] > 0 && !all.iter().any(|other| other.from == BAR) {
            return Some(MoveFault::BarFirst);
        }
        if own[usize::from(from)] == 0 && !arrives {
            return Some(MoveFault::NoChecker(from));
        }
        if view.closed >> to & 1 == 1 {
            return Some(MoveFault::Blocked(to));
        }
        let (high, low) = (roll.high(), roll.low());
        let lengths = match roll.is_double() {
            true => [high, 2 * high, 3 * high, 4 * high],
            false => [high, low, high + low, high + low],
        };
        let length = from - to;
        let fits = |&reach: &u8| if to == OFF { length <= reach } else { length == reach };
        if !lengths.iter().any(fits) {
            return Some(MoveFault::NotWithRoll(roll));
        }
        let outside = |point: u8| point > 6 && !all.iter().any(|other| other.from == point);
        let stays_outside = (7..=BAR).any(|point| own[usize::from(point)] > 0 && outside(point));
        (to == OFF && stays_outside).then_some(MoveFault::NotHome)
    }
}

/// Stretches settle which points lose and gain checkers; what is left open is which of two different dice a checker that
/// plays both begins with, and whether it needs both.
const MOST_WAYS: usize = 4;

/// The search for ways to cover stretches with dice.
struct Attempt {
    checkers: [u8; BAR as usize + 1],
    dice: ArrayVec<u8, MOST_STEPS>,
    steps: ArrayVec<(u8, u8), MOST_STEPS>,
    hits: u32,
    found: ArrayVec<Move, MOST_WAYS>,
}

impl Attempt {
    /// Every way to cover `stretches`, legal or not for the dice that it leaves.
    fn run(position: &Position, roll: Roll, stretches: &Stretches) -> ArrayVec<Move, MOST_WAYS> {
        let dice =
            if roll.is_double() { [roll.high(); 4].into() } else { [roll.high(), roll.low()].into_iter().collect() };
        let checkers = *position.checkers(position.mover());
        let mut attempt = Attempt { checkers, dice, steps: ArrayVec::new(), hits: 0, found: ArrayVec::new() };
        attempt.extend(View::new(position), stretches);
        attempt.found
    }

    fn extend(&mut self, view: View, rest: &Stretches) {
        if rest.is_empty() {
            let mv = Move::from_steps(&self.steps, self.hits);
            if !self.found.contains(&mv) && !self.found.is_full() {
                self.found.push(mv);
            }
            return;
        }
        for i in 0..self.dice.len() {
            let die = self.dice[i];
            if self.dice[..i].contains(&die) {
                continue;
            }
            self.dice.remove(i);
            for (j, stretch) in rest.iter().enumerate() {
                let next = target(stretch.from, die);
                if view.sources(die) >> stretch.from & 1 == 1 && next >= stretch.to {
                    let mut left = rest.clone();
                    left[j].from = next;
                    left.retain(|stretch| stretch.from != stretch.to);
                    self.step(view, stretch.from, next, &left);
                }
            }
            self.dice.insert(i, die);
        }
    }

    /// Take one step and go on.
    fn step(&mut self, view: View, from: u8, to: u8, left: &Stretches) {
        let hits = self.hits;
        self.hits |= view.blots & 1 << to;
        self.checkers[usize::from(from)] -= 1;
        self.checkers[usize::from(to)] += 1;
        self.steps.push((from, to));
        self.extend(view.step(from, to, self.checkers[usize::from(from)] == 0), left);
        self.steps.pop();
        self.checkers[usize::from(from)] += 1;
        self.checkers[usize::from(to)] -= 1;
        self.hits = hits;
    }
}

/// The stretches of a word, and the points that it marks as hit.
fn read(word: &str) -> Result<(Stretches<'_>, u32), IllegalMove> {
    let mut stretches = Stretches::new();
    let mut marked = 0;
    for part in word.split(',') {
        let fault = |fault| IllegalMove { word: part.into(), fault };
        let (way, times) = read_times(part).map_err(fault)?;
        let (start, rest) = way.split_once('/').ok_or_else(|| fault(MoveFault::Syntax))?;
        let no_point = |place: &str| IllegalMove { word: place.into(), fault: MoveFault::NoSuchPoint };
        let mut from = read_place(start).filter(|&from| from != OFF).ok_or_else(|| no_point(start))?;
        for place in rest.split('/') {
            let name = place.strip_suffix('*').unwrap_or(place);
            let is_marked = name != place;
            // Nothing comes after off, and nobody is hit there.
            let to = read_place(name).filter(|&to| to != BAR && from != OFF && !(to == OFF && is_marked));
            let to = to.ok_or_else(|| no_point(place))?;
            if from <= to {
                return Err(fault(MoveFault::Backwards));
            }
            for _ in 0..times {
                let stretch = Stretch { from, to, word: part };
                stretches.try_push(stretch).map_err(|_| fault(MoveFault::TooManySteps))?;
            }
            marked |= u32::from(is_marked) << to;
            from = to;
        }
    }
    Ok((stretches, marked))
}

/// What is played, and how often: `8/4(2)` is played twice.
fn read_times(part: &str) -> Result<(&str, u8), MoveFault> {
    match part.split_once('(') {
        None => Ok((part, 1)),
        Some((way, "1)")) => Ok((way, 1)),
        Some((way, "2)")) => Ok((way, 2)),
        Some((way, "3)")) => Ok((way, 3)),
        Some((way, "4)")) => Ok((way, 4)),
        Some(_) => Err(MoveFault::Times),
    }
}

fn read_place(name: &str) -> Option<u8> {
    if name.eq_ignore_ascii_case("bar") {
        return Some(BAR);
    }
    if name.eq_ignore_ascii_case("off") {
        return Some(OFF);
    }
    // `str::parse` alone would take a plus sign and leading zeros.
    let point: u8 = name.parse().ok()?;
    (point <= BAR && point.to_string() == name).then_some(point)
}
