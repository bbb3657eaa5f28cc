//! A move spelled out die by die, `13/8 24/22`, as GNU Backgammon and UBGI want it: every step is one die, the bar is 25 and
//! off is 0.

use alea::game::backgammon::{BAR, Move, Position, Roll};

/// A step of one checker: from a point to a lower one.
pub type Step = (u8, u8);

/// The steps of a legal move, in an order in which each can be taken; none where no checker moves.
pub fn steps(position: &Position, mv: Move) -> Vec<Step> {
    let Some(roll) = position.roll() else { return Vec::new() };
    let mover = position.mover();
    let mut after = *position;
    after.play(mv);
    let goal = Sides { own: *after.checkers(mover), theirs: *after.checkers(mover.other()) };
    let start = Sides { own: *position.checkers(mover), theirs: *position.checkers(mover.other()) };
    let mut taken = Vec::new();
    // All dice that can be played are; where not all can, a shorter way leads there.
    for dice in orders(roll) {
        for count in (1..=dice.len()).rev() {
            if walk(&start, &goal, &dice[..count], &mut taken) {
                return taken;
            }
        }
    }
    taken
}

fn orders(roll: Roll) -> Vec<Vec<u8>> {
    let (high, low) = (roll.high(), roll.low());
    if roll.is_double() { vec![vec![high; 4]] } else { vec![vec![high, low], vec![low, high]] }
}

/// The checkers of both, each from its own side.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sides {
    own: [u8; BAR as usize + 1],
    theirs: [u8; BAR as usize + 1],
}

impl Sides {
    /// After a step with one die, if it is legal.
    fn step(&self, from: u8, die: u8) -> Option<(Sides, u8)> {
        let at = |point: u8| usize::from(point);
        if self.own[at(from)] == 0 || from != BAR && self.own[at(BAR)] > 0 {
            return None;
        }
        let mut next = *self;
        let to = from.saturating_sub(die);
        if to == 0 {
            let highest = (1..=BAR).rev().find(|&point| self.own[at(point)] > 0)?;
            if highest > 6 || from < die && from != highest {
                return None;
            }
        } else {
            match self.theirs[at(BAR - to)] {
                0 => {}
                1 => {
                    next.theirs[at(BAR - to)] = 0;
                    next.theirs[at(BAR)] += 1;
                }
                _ => return None,
            }
        }
        next.own[at(from)] -= 1;
        next.own[at(to)] += 1;
        Some((next, to))
    }
}

/// Find steps with these dice, in this order, from one board to another.
fn walk(board: &Sides, goal: &Sides, dice: &[u8], taken: &mut Vec<Step>) -> bool {
    let Some((&die, rest)) = dice.split_first() else { return board == goal };
    for from in (1..=BAR).rev() {
        let Some((next, to)) = board.step(from, die) else { continue };
        taken.push((from, to));
        if walk(&next, goal, rest, taken) {
            return true;
        }
        taken.pop();
    }
    false
}

/// The move that steps stand for, in the words of an answer: `13/8 24/22*`, `bar/20`, or nothing at all.
pub fn read(position: &Position, answer: &str) -> Option<Move> {
    let words: Vec<&str> = answer.split_whitespace().collect();
    let text = if words.is_empty() { "pass".to_string() } else { words.join(",") };
    position.parse_move(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alea::game::{Game, Notation, Step};

    /// Every legal move of positions of random games is spelled out in steps that are read back as that move.
    #[test]
    fn every_move_is_spelled_out_and_read_back() {
        let mut checked = 0;
        for seed in 0..60 {
            let mut position = Position::opening();
            for ply in 0.. {
                let Some(roll) = position.chance(seed, ply) else { break };
                position = position.child(Step::Outcome(roll));
                let moves = position.moves();
                for &mv in &moves {
                    let steps = steps(&position, mv);
                    let text = steps.iter().map(|(from, to)| format!("{from}/{to}")).collect::<Vec<_>>().join(" ");
                    assert_eq!(read(&position, &text), Some(mv), "{position:?}: {mv:?}: {text}");
                    assert_eq!(steps.is_empty(), mv == Move::PASS);
                    let dice = position.roll().unwrap();
                    for (from, to) in steps {
                        let die = from - to;
                        assert!(die == dice.high() || die == dice.low() || to == 0 && die < dice.high(), "{text}");
                    }
                    checked += 1;
                }
                position = position.child(Step::Move(moves[(seed as usize * 5 + ply as usize * 3) % moves.len()]));
            }
        }
        assert!(checked > 50_000, "{checked}");
    }

    #[test]
    fn known_moves_have_known_steps() {
        let cases = [
            ("XGID=-b----E-C---eE---c-e----B-:0:0:1:65:0:0:0:0:10", "24/13", vec![(24, 18), (18, 13)]),
            (
                "XGID=-b----E-C---eE---c-e----B-:0:0:1:33:0:0:0:0:10",
                "8/5(2),6/3(2)",
                vec![(8, 5), (8, 5), (6, 3), (6, 3)],
            ),
            ("XGID=--BB------------------bb--:0:0:1:61:0:0:0:0:10", "3/off,2/1", vec![(3, 0), (2, 1)]),
        ];
        for (id, text, expected) in cases {
            let position = Position::from_xgid(id).unwrap();
            assert_eq!(steps(&position, position.parse_move(text).unwrap()), expected, "{id}");
        }
    }
}
