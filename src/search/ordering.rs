//! Which move to try first: the table's, then killers and history (Schaeffer 1989), or what the evaluation likes.

use crate::game::{ArrayVec, MAX_BRANCHES, MOVE_LIMIT, Move, Value};

/// A move of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    pub mv: Move,
    /// Which of the moves it is, as the game lists them.
    pub nth: u16,
    /// The higher, the sooner it is tried.
    rank: i32,
}

/// Moves of a node in any order.
pub(super) type Choices = ArrayVec<Choice, MAX_BRANCHES>;

impl Choice {
    /// All moves of a node, as the game lists them. (Put where they are needed: a list that is handed back is copied.)
    #[inline]
    pub fn list(moves: &[Move], choices: &mut Choices) {
        choices.extend((0..).zip(moves).map(|(nth, &mv)| Choice { mv, nth, rank: 0 }));
    }
}

/// What cuts elsewhere in the tree have taught about moves.
pub(super) struct Ordering {
    killers: Vec<[Option<Move>; 2]>,
    history: [Box<[u32; MOVE_LIMIT]>; 2],
    /// By ply and outcome: the move that was best the last time this outcome stood before the leaves.
    favourites: Vec<[Option<Move>; MAX_OUTCOMES]>,
}

/// Outcomes are told apart up to this many.
const MAX_OUTCOMES: usize = 32;

impl Ordering {
    /// Nothing learnt yet, for a tree of at most `plies` plies.
    pub fn new(plies: usize) -> Ordering {
        Ordering {
            killers: vec![[None; 2]; plies + 1],
            history: [0, 1].map(|_| Box::new([0; MOVE_LIMIT])),
            favourites: vec![[None; MAX_OUTCOMES]; plies + 1],
        }
    }

    /// The two sides, told apart by ply where decisions and rolls alternate.
    fn history(&mut self, ply: usize) -> &mut [u32; MOVE_LIMIT] {
        &mut self.history[ply / 2 % 2]
    }

    /// Remember that `mv` cut at `ply`, with `depth` to go.
    pub fn cut(&mut self, mv: Move, depth: u32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let history = self.history(ply);
        let count = &mut history[usize::from(mv.0)];
        *count += depth * depth;
        if *count > 1 << 24 {
            history.iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// The move that was best the last time `outcome` was rolled at `ply`.
    pub fn favourite(&self, outcome: u8, ply: usize) -> Option<Move> {
        self.favourites[ply][usize::from(outcome) % MAX_OUTCOMES]
    }

    /// Remember that `mv` was best after `outcome`, rolled at `ply`.
    pub fn prefer(&mut self, mv: Move, outcome: u8, ply: usize) {
        self.favourites[ply][usize::from(outcome) % MAX_OUTCOMES] = Some(mv);
    }

    /// Put the table's move first, then killers, then by history.
    pub fn by_experience(&mut self, choices: &mut Choices, first: Option<Move>, ply: usize) {
        let killers = self.killers[ply];
        let history = self.history(ply);
        for choice in choices.iter_mut() {
            choice.rank = match Some(choice.mv) {
                mv if mv == first => i32::MAX,
                mv if mv == killers[0] => i32::MAX - 1,
                mv if mv == killers[1] => i32::MAX - 2,
                _ => history[usize::from(choice.mv.0)] as i32,
            };
        }
        sort_down(choices);
    }
}

/// Put the table's move first, then by value.
pub(super) fn by_value(choices: &mut Choices, first: Option<Move>, value: impl Fn(&Choice) -> Value) {
    for choice in choices.iter_mut() {
        choice.rank = if Some(choice.mv) == first { i32::MAX } else { value(choice).raw() };
    }
    sort_down(choices);
}

/// Stable, highest rank first; lists are short.
fn sort_down(choices: &mut [Choice]) {
    for i in 1..choices.len() {
        let choice = choices[i];
        let mut j = i;
        while j > 0 && choices[j - 1].rank < choice.rank {
            choices[j] = choices[j - 1];
            j -= 1;
        }
        choices[j] = choice;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(list: &[u16], sort: impl FnOnce(&mut Choices)) -> Vec<u16> {
        let moves: Vec<Move> = list.iter().map(|&mv| Move(mv)).collect();
        let mut choices = Choices::new();
        Choice::list(&moves, &mut choices);
        sort(&mut choices);
        assert!(choices.iter().all(|choice| moves[usize::from(choice.nth)] == choice.mv));
        choices.iter().map(|choice| choice.mv.0).collect()
    }

    #[test]
    fn table_then_killers_then_history() {
        let mut ordering = Ordering::new(4);
        ordering.cut(Move(3), 9, 0);
        ordering.cut(Move(1), 2, 2);
        ordering.cut(Move(2), 1, 2);
        ordering.cut(Move(5), 3, 1);
        let list = order(&[0, 1, 2, 3, 4, 5], |choices| ordering.by_experience(choices, Some(Move(4)), 2));
        assert_eq!(list, [4, 2, 1, 0, 3, 5]);
        let list = order(&[0, 1, 5, 2, 3, 4], |choices| ordering.by_experience(choices, None, 0));
        assert_eq!(list, [3, 5, 0, 1, 2, 4], "history is by side, shared between plies");
    }

    #[test]
    fn values_decide_where_given_and_ties_keep_their_order() {
        let values = [1, 5, 5, 3].map(Value::from_raw);
        let value = |choice: &Choice| values[usize::from(choice.nth)];
        let list = order(&[7, 8, 9, 6], |choices| by_value(choices, Some(Move(6)), value));
        assert_eq!(list, [6, 8, 9, 7]);
    }
}
