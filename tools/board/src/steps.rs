//! Backgammon checker by checker: which steps may come next, given those that have been made of a move, so that every way of
//! making it ends in a legal one. What is legal is the engine's own list of moves; here are only the steps towards it.

use crate::error::Refusal;
use alea::game::backgammon::{BAR, OFF, Position};
use alea::game::{AnyPosition, Notation};
use alea_tools::rules::{Board, RuleError};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Points that are home.
const HOME: usize = 6;

/// A step that has been made: where from, and with which die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    from: u8,
    die: u8,
}

/// A step that may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    from: u8,
    to: u8,
    die: u8,
    hit: bool,
}

/// A move under way. All points are from the mover's side, 25 is the bar and 0 is off.
#[derive(Clone, Debug, Serialize)]
pub struct UnderWay {
    /// What may come next.
    next: Vec<Step>,
    /// The move that has been made, where it is whole.
    complete: Option<String>,
    /// Dice that are left.
    dice: Vec<u8>,
    /// The mover's checkers, point by point.
    own: Vec<u8>,
    /// The opponent's, from the opponent's side.
    theirs: Vec<u8>,
}

/// Checkers of both sides, each from its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Checkers {
    own: [u8; 26],
    theirs: [u8; 26],
}

impl Checkers {
    fn of(position: &Position) -> Checkers {
        let mover = position.mover();
        Checkers { own: *position.checkers(mover), theirs: *position.checkers(mover.other()) }
    }

    /// The step of a checker by a die, if nothing stands in its way.
    fn step(mut self, from: u8, die: u8) -> Option<(Checkers, Step)> {
        let start = usize::from(from);
        if *self.own.get(start)? == 0 || from == OFF || (self.own[usize::from(BAR)] > 0 && from != BAR) {
            return None;
        }
        let to = from.saturating_sub(die);
        let mut hit = false;
        if to == OFF {
            let outside = self.own[HOME + 1..].iter().any(|&count| count > 0);
            let behind = die > from && self.own[start + 1..].iter().any(|&count| count > 0);
            if outside || behind {
                return None;
            }
        } else {
            let facing = usize::from(BAR - to);
            if self.theirs[facing] > 1 {
                return None;
            }
            hit = self.theirs[facing] == 1;
            self.theirs[facing] -= u8::from(hit);
            self.theirs[usize::from(BAR)] += u8::from(hit);
        }
        self.own[start] -= 1;
        self.own[usize::from(to)] += 1;
        Some((self, Step { from, to, die, hit }))
    }
}

/// Where the legal moves lead, and which way leads there.
struct Ways {
    ends: HashMap<Checkers, String>,
    known: HashMap<(Checkers, Vec<u8>), bool>,
}

impl Ways {
    fn new(position: &Position) -> Ways {
        let end = |text: &String| {
            let mut after = *position;
            AnyPosition::play(&mut after, text).ok()?;
            let mover = position.mover();
            let own = Checkers { own: *after.checkers(mover), theirs: *after.checkers(mover.other()) };
            Some((own, text.clone()))
        };
        Ways { ends: AnyPosition::moves(position).iter().filter_map(end).collect(), known: HashMap::new() }
    }

    /// Whether a legal move can be completed from here.
    fn lead_on(&mut self, checkers: Checkers, dice: &[u8]) -> bool {
        if self.ends.contains_key(&checkers) {
            return true;
        }
        let key = (checkers, dice.to_vec());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let leads = !self.next(checkers, dice).is_empty();
        self.known.insert(key, leads);
        leads
    }

    /// The steps that lead on to a legal move.
    fn next(&mut self, checkers: Checkers, dice: &[u8]) -> Vec<Step> {
        let mut steps = Vec::new();
        for (i, &die) in dice.iter().enumerate() {
            if dice[..i].contains(&die) {
                continue;
            }
            for from in (1..=BAR).rev() {
                let Some((after, step)) = checkers.step(from, die) else { continue };
                if self.lead_on(after, &without(dice, die)) {
                    steps.push(step);
                }
            }
        }
        steps
    }
}

fn without(dice: &[u8], die: u8) -> Vec<u8> {
    let mut left = dice.to_vec();
    if let Some(place) = left.iter().position(|&other| other == die) {
        left.remove(place);
    }
    left
}

/// The position of a board of backgammon, and the dice of its roll.
fn rolled(board: &Board) -> Result<(Position, Vec<u8>), Refusal> {
    let fen = board.position().fen();
    let words: Vec<&str> = fen.split(' ').collect();
    let position = <Position as Notation>::read("fen", &words).map_err(RuleError::Illegal)?;
    let roll = position.roll().ok_or(Refusal::Unfit("the dice have not been rolled"))?;
    let mut dice = vec![roll.high(), roll.low()];
    if roll.is_double() {
        dice.extend([roll.high(); 2]);
    }
    Ok((position, dice))
}

/// The move that is being made on a board of backgammon whose dice are rolled.
pub fn under_way(board: &Board, made: &[Made]) -> Result<UnderWay, Refusal> {
    let (position, mut dice) = rolled(board)?;
    let mut ways = Ways::new(&position);
    let mut checkers = Checkers::of(&position);
    for step in made {
        let next = ways.next(checkers, &dice);
        let known = next.iter().any(|other| (other.from, other.die) == (step.from, step.die));
        let stepped = checkers.step(step.from, step.die).filter(|_| known);
        let (after, _) = stepped.ok_or(Refusal::Unfit("a step leads to no legal move"))?;
        checkers = after;
        dice = without(&dice, step.die);
    }
    let next = ways.next(checkers, &dice);
    let complete = ways.ends.get(&checkers).filter(|_| next.is_empty()).cloned();
    Ok(UnderWay { next, complete, dice, own: checkers.own.to_vec(), theirs: checkers.theirs.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alea_tools::rules::Variant;
    use std::collections::{BTreeSet, HashSet};

    /// Every way of stepping through random games ends in a move of the list, and every move of the list is reached.
    #[test]
    fn steps_reach_every_move_and_nothing_else() {
        for seed in 0..4 {
            let mut board = Board::new(&Variant::of("backgammon")).unwrap();
            for ply in 0..80 {
                let Some(face) = board.position().chance(seed, ply) else { break };
                board.resolve(&face).unwrap();
                let mut moves = board.position().moves();
                let chosen = moves[(seed as usize + 7 * ply as usize) % moves.len()].clone();
                if chosen != "pass" {
                    let (position, dice) = rolled(&board).unwrap();
                    let (mut ways, mut ends) = (Ways::new(&position), BTreeSet::new());
                    walk(&mut ways, Checkers::of(&position), &dice, &mut HashSet::new(), &mut ends);
                    moves.sort();
                    assert_eq!(ends.into_iter().collect::<Vec<_>>(), moves, "{}", board.position().fen());
                }
                board.play(&chosen).unwrap();
            }
        }
    }

    /// Where all ways lead; each place is left once.
    fn walk(
        ways: &mut Ways,
        checkers: Checkers,
        dice: &[u8],
        seen: &mut HashSet<(Checkers, Vec<u8>)>,
        ends: &mut BTreeSet<String>,
    ) {
        if !seen.insert((checkers, dice.to_vec())) {
            return;
        }
        let next = ways.next(checkers, dice);
        if next.is_empty() {
            ends.insert(ways.ends.get(&checkers).expect("a step that leads to no move").clone());
        }
        for step in next {
            let (after, _) = checkers.step(step.from, step.die).unwrap();
            walk(ways, after, &without(dice, step.die), seen, ends);
        }
    }

    #[test]
    fn wrong_steps_are_refused() {
        let mut board = Board::new(&Variant::of("backgammon")).unwrap();
        assert!(under_way(&board, &[]).is_err(), "not rolled");
        board.resolve("31").unwrap();
        assert!(under_way(&board, &[Made { from: 8, die: 3 }, Made { from: 6, die: 1 }]).unwrap().complete.is_some());
        for made in
            [Made { from: 8, die: 6 }, Made { from: 7, die: 1 }, Made { from: 200, die: 3 }, Made { from: 0, die: 3 }]
        {
            assert!(under_way(&board, &[made]).is_err(), "{made:?}");
        }
    }
}
