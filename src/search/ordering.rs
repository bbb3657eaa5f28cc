//! Which move to try first: the table's, then killers and history (Schaeffer 1989), or what the evaluation likes.

use crate::game::{ArrayVec, MAX_BRANCHES, MOVE_LIMIT, Move, Moves, Value};

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
    pub fn by_experience(&mut self, moves: &mut Moves, first: Option<Move>, ply: usize) {
        let killers = self.killers[ply];
        let history = self.history(ply);
        let rank = |mv: Move| match Some(mv) {
            mv if mv == first => u32::MAX,
            mv if mv == killers[0] => u32::MAX - 1,
            mv if mv == killers[1] => u32::MAX - 2,
            _ => history[usize::from(mv.0)],
        };
        sort_down(moves, rank);
    }
}

/// Put the table's move first, then by the values given for the moves in their present order.
pub(super) fn by_value(moves: &mut Moves, first: Option<Move>, values: &[Value]) {
    debug_assert_eq!(moves.len(), values.len());
    let mut ranked: ArrayVec<(i32, Move), MAX_BRANCHES> = ArrayVec::new();
    for (&mv, value) in moves.iter().zip(values) {
        ranked.push((if Some(mv) == first { i32::MAX } else { value.raw() }, mv));
    }
    sort_down(&mut ranked, |(rank, _)| rank);
    for (mv, (_, ranked)) in moves.iter_mut().zip(&ranked) {
        *mv = *ranked;
    }
}

/// Stable, highest rank first; lists are short.
fn sort_down<T: Copy, R: PartialOrd>(list: &mut [T], rank: impl Fn(T) -> R) {
    for i in 1..list.len() {
        let item = list[i];
        let mut j = i;
        while j > 0 && rank(list[j - 1]) < rank(item) {
            list[j] = list[j - 1];
            j -= 1;
        }
        list[j] = item;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(list: &[u16]) -> Moves {
        list.iter().map(|&mv| Move(mv)).collect()
    }

    #[test]
    fn table_then_killers_then_history() {
        let mut ordering = Ordering::new(4);
        ordering.cut(Move(3), 9, 0);
        ordering.cut(Move(1), 2, 2);
        ordering.cut(Move(2), 1, 2);
        ordering.cut(Move(5), 3, 1);
        let mut list = moves(&[0, 1, 2, 3, 4, 5]);
        ordering.by_experience(&mut list, Some(Move(4)), 2);
        assert_eq!(list, moves(&[4, 2, 1, 0, 3, 5]));
        let mut list = moves(&[0, 1, 5, 2, 3, 4]);
        ordering.by_experience(&mut list, None, 0);
        assert_eq!(list, moves(&[3, 5, 0, 1, 2, 4]), "history is by side, shared between plies");
    }

    #[test]
    fn values_decide_where_given_and_ties_keep_their_order() {
        let mut list = moves(&[7, 8, 9, 6]);
        let values = [1, 5, 5, 3].map(Value::from_raw);
        by_value(&mut list, Some(Move(6)), &values);
        assert_eq!(list, moves(&[6, 8, 9, 7]));
    }
}
