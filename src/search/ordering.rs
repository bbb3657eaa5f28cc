//! Which move to try first: the table's, then killers and history (Schaeffer 1989), or what the evaluation likes.

use crate::game::{Capacity, Game, List, Player, Value};
use std::fmt::Debug;

/// A move of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choice<M> {
    pub mv: M,
    /// Which of the moves it is, as the game lists them.
    pub nth: u16,
    /// The higher, the sooner it is tried.
    rank: i32,
}

/// Moves of a node in any order.
pub(super) type Choices<G> = <<G as Game>::MoveCapacity as Capacity>::List<Choice<<G as Game>::Move>>;

impl<M: Copy + Debug> Choice<M> {
    /// All moves of a node, as the game lists them. (Put where they are needed: a list that is handed back is copied.)
    #[inline]
    pub fn list(moves: &[M], choices: &mut impl List<Choice<M>>) {
        choices.extend((0..).zip(moves).map(|(nth, &mv)| Choice { mv, nth, rank: 0 }));
    }
}

/// What cuts elsewhere in the tree have taught about moves.
pub(super) struct Ordering<G: Game> {
    killers: Vec<[Option<G::Move>; 2]>,
    /// By player and code of the move.
    history: [Box<[u32; HISTORY]>; 2],
    /// By ply and outcome: the move that was best the last time this outcome stood before the leaves.
    favourites: Vec<[Option<G::Move>; MAX_OUTCOMES]>,
}

/// Lists up to this long are sorted by insertion.
const INSERTED: usize = 32;
/// Moves are told apart up to this many.
const HISTORY: usize = 4096;
/// Outcomes are told apart up to this many.
const MAX_OUTCOMES: usize = 32;

impl<G: Game> Ordering<G> {
    /// Nothing learnt yet.
    pub fn new() -> Ordering<G> {
        Ordering { killers: Vec::new(), history: [0, 1].map(|_| Box::new([0; HISTORY])), favourites: Vec::new() }
    }

    /// Make room for nodes of up to so many plies.
    pub fn reach(&mut self, plies: usize) {
        if plies >= self.killers.len() {
            self.killers.resize(plies + 1, [None; 2]);
            self.favourites.resize(plies + 1, [None; MAX_OUTCOMES]);
        }
    }

    /// Remember that `mv` of `mover` cut at `ply`, with `depth` to go.
    pub fn cut(&mut self, mv: G::Move, mover: Player, depth: u32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let history = &mut self.history[mover as usize];
        let count = &mut history[usize::from(G::code(mv)) % HISTORY];
        *count += depth * depth;
        if *count > 1 << 24 {
            history.iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// The move that was best the last time `outcome` came at `ply`.
    pub fn favourite(&self, outcome: u8, ply: usize) -> Option<G::Move> {
        self.favourites[ply][usize::from(outcome) % MAX_OUTCOMES]
    }

    /// Remember that `mv` was best after `outcome`, which came at `ply`.
    pub fn prefer(&mut self, mv: G::Move, outcome: u8, ply: usize) {
        self.favourites[ply][usize::from(outcome) % MAX_OUTCOMES] = Some(mv);
    }

    /// Put the table's move first, then killers, then by promise and history.
    pub fn by_experience(
        &mut self,
        choices: &mut [Choice<G::Move>],
        first: Option<G::Move>,
        mover: Player,
        ply: usize,
        promise: impl Fn(G::Move) -> u32,
    ) {
        let killers = self.killers[ply];
        let history = &self.history[mover as usize];
        for choice in choices.iter_mut() {
            choice.rank = match Some(choice.mv) {
                mv if mv == first => i32::MAX,
                mv if mv == killers[0] => i32::MAX - 1,
                mv if mv == killers[1] => i32::MAX - 2,
                _ => (history[usize::from(G::code(choice.mv)) % HISTORY] + promise(choice.mv)) as i32,
            };
        }
        sort_down(choices);
    }
}

/// Put the table's move first, then by value.
pub(super) fn by_value<M: Copy + Eq>(choices: &mut [Choice<M>], first: Option<M>, value: impl Fn(&Choice<M>) -> Value) {
    for choice in choices.iter_mut() {
        choice.rank = if Some(choice.mv) == first { i32::MAX } else { value(choice).raw() };
    }
    sort_down(choices);
}

/// Stable, highest rank first.
fn sort_down<M: Copy>(choices: &mut [Choice<M>]) {
    // Inserting is fastest where lists are short, and takes for ever where they are long.
    if choices.len() > INSERTED {
        return choices.sort_by_key(|choice| std::cmp::Reverse(choice.rank));
    }
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
    use crate::game::dice::{Board, Move};

    type Dice = Board<u32>;

    fn order(list: &[u16], sort: impl FnOnce(&mut Choices<Dice>)) -> Vec<u16> {
        let moves: Vec<Move> = list.iter().map(|&mv| Move(mv)).collect();
        let mut choices = Choices::<Dice>::default();
        Choice::list(&moves, &mut choices);
        sort(&mut choices);
        assert!(choices.iter().all(|choice| moves[usize::from(choice.nth)] == choice.mv));
        choices.iter().map(|choice| choice.mv.0).collect()
    }

    #[test]
    fn table_then_killers_then_history() {
        let mut ordering = Ordering::<Dice>::new();
        ordering.reach(4);
        let (one, other) = (Player::First, Player::Second);
        ordering.cut(Move(3), one, 9, 0);
        ordering.cut(Move(1), other, 2, 2);
        ordering.cut(Move(2), other, 1, 2);
        ordering.cut(Move(5), one, 3, 1);
        let list =
            order(&[0, 1, 2, 3, 4, 5], |choices| ordering.by_experience(choices, Some(Move(4)), other, 2, |_| 0));
        assert_eq!(list, [4, 2, 1, 0, 3, 5]);
        let list = order(&[0, 1, 5, 2, 3, 4], |choices| ordering.by_experience(choices, None, one, 0, |_| 0));
        assert_eq!(list, [3, 5, 0, 1, 2, 4], "history is by player, shared between plies");
        let promise = |mv: Move| u32::from(mv.0 == 2) << 25;
        let list = order(&[0, 1, 5, 2, 3, 4], |choices| ordering.by_experience(choices, None, one, 0, promise));
        assert_eq!(list, [3, 2, 5, 0, 1, 4], "what promises much comes before history");
    }

    #[test]
    fn values_decide_where_given_and_ties_keep_their_order() {
        let values = [1, 5, 5, 3].map(Value::from_raw);
        let list = order(&[7, 8, 9, 6], |choices| {
            by_value(choices, Some(Move(6)), |choice| values[usize::from(choice.nth)]);
        });
        assert_eq!(list, [6, 8, 9, 7]);
    }

    #[test]
    fn long_lists_are_sorted_alike() {
        let rank = |nth: u16| i32::from(nth * 7 % 11);
        let mut long: Vec<Choice<u16>> = (0..200).map(|nth| Choice { mv: nth, nth, rank: rank(nth) }).collect();
        sort_down(&mut long);
        assert!(long.is_sorted_by(|a, b| (a.rank, b.nth) > (b.rank, a.nth)));
    }
}
