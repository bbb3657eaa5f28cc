//! For tests: the rules once more, slow and obvious, sharing nothing with the generator.

use super::{BAR, Position, Roll};
use crate::game::Player;
use std::collections::BTreeSet;

/// The mover's checkers and the opponent's, both by the mover's points: index 0 is where the mover bears off, and 25 where
/// the opponent does. The bars stand apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Table {
    pub own: Vec<u8>,
    pub theirs: Vec<u8>,
    pub own_bar: u8,
    pub their_bar: u8,
}

impl Table {
    /// What `player` sees of a position.
    pub fn seen_by(player: Player, position: &Position) -> Table {
        let own = position.checkers(player);
        let theirs = position.checkers(player.other());
        Table {
            own: own[..25].to_vec(),
            theirs: (0..=25).map(|point| if point == 0 { 0 } else { theirs[25 - point] }).collect(),
            own_bar: own[25],
            their_bar: theirs[25],
        }
    }

    /// The table after one checker is moved by one die, if that is allowed.
    fn step(&self, from: usize, die: usize) -> Option<Table> {
        let mut next = self.clone();
        if from == usize::from(BAR) {
            if self.own_bar == 0 {
                return None;
            }
            next.own_bar -= 1;
        } else {
            if self.own[from] == 0 || self.own_bar > 0 {
                return None;
            }
            next.own[from] -= 1;
        }
        if from <= die {
            let all_home = self.own[7..].iter().all(|&count| count == 0) && self.own_bar == 0;
            let none_behind = self.own[from + 1..].iter().all(|&count| count == 0);
            if !all_home || (from < die && !none_behind) {
                return None;
            }
            next.own[0] += 1;
            return Some(next);
        }
        let to = from - die;
        match self.theirs[to] {
            0 => {}
            1 => {
                next.theirs[to] = 0;
                next.their_bar += 1;
            }
            _ => return None,
        }
        next.own[to] += 1;
        Some(next)
    }

    /// Every table after as many of `dice` as can be played in this order, with how many that were.
    fn sequences(&self, dice: &[u8], played: usize, ends: &mut Vec<(usize, Table)>) {
        let nexts: Vec<Table> = match dice.first() {
            Some(&die) => (1..=25).filter_map(|from| self.step(from, usize::from(die))).collect(),
            None => Vec::new(),
        };
        if nexts.is_empty() {
            ends.push((played, self.clone()));
        }
        for next in nexts {
            next.sequences(&dice[1..], played + 1, ends);
        }
    }

    /// Every table that a roll may lead to.
    pub fn results(&self, roll: Roll) -> BTreeSet<Table> {
        let (high, low) = (roll.high(), roll.low());
        let orders = if high == low { vec![vec![high; 4]] } else { vec![vec![high, low], vec![low, high]] };
        let mut ends = Vec::new();
        for order in &orders {
            let mut found = Vec::new();
            self.sequences(order, 0, &mut found);
            // With one die played it matters which; the order begins with it.
            ends.extend(found.into_iter().map(|(played, table)| (played, order[0], table)));
        }
        let most = ends.iter().map(|end| end.0).max().unwrap_or(0);
        ends.retain(|end| end.0 == most);
        if most == 1 {
            let higher = ends.iter().map(|end| end.1).max().unwrap_or(0);
            ends.retain(|end| end.1 == higher);
        }
        ends.into_iter().map(|end| end.2).collect()
    }
}
