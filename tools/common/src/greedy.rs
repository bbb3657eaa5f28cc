//! Play at depth 1: the move that looks best to an evaluation, once it is made.

use alea::eval::{Evaluator, Followed, Judge};
use alea::game::dice::Board;
use alea::game::{Game, MAX_BRANCHES, Move, Value};

/// The best move at depth 1 and its value for the mover; of several the first. A move that wins is taken without asking the
/// evaluation, which knows only undecided positions. `board` must be rolled and unfinished, and `state` that of it.
pub fn best<B: Followed>(
    judge: &Judge,
    state: &<Judge as Evaluator<Board<B>>>::State,
    board: &Board<B>,
) -> (Move, Value) {
    let wins = board.playable() & board.threats_of(board.side());
    if !wins.is_empty() {
        return (Move(wins.lowest() as u16), Value::WIN);
    }
    let moves = board.moves();
    if board.empty_count() == 1 {
        return (moves[0], Value::DRAW);
    }
    let mut values = [Value::LOSS; MAX_BRANCHES];
    judge.children(state, board, &moves, &mut values);
    let mut best = (moves[0], values[0]);
    for (&mv, &value) in moves.iter().zip(&values).skip(1) {
        if value > best.1 {
            best = (mv, value);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use alea::eval::{EvalKind, Noise};
    use alea::game::Kind;
    use alea::game::dice::{Position, Shape, rolls};

    fn choice(judge: &Judge, board: &Position) -> (Move, Value) {
        best(judge, &judge.state(board), board)
    }

    #[test]
    fn wins_and_last_cells_need_no_evaluation() {
        let shape = Shape::new(3, 3).unwrap();
        let judge = Judge::new(EvalKind::Pairs, shape, Noise::NONE).unwrap();
        let cases = [("3 3 b 0 b b - r r - - - -", "c1", Value::WIN), ("3 3 b 2 b r b b r r r b -", "c3", Value::DRAW)];
        for (dpn, cell, value) in cases {
            let position = Position::from_dpn(dpn).unwrap();
            let (mv, found) = choice(&judge, &position);
            assert_eq!((position.move_cell(mv).to_string().as_str(), found), (cell, value), "{dpn}");
        }
    }

    /// Games of every kind of evaluation, to the end: whatever is chosen is as good as every other move looks.
    #[test]
    fn the_choice_is_the_first_of_the_best() {
        for (shape, noise) in [((3, 3), 0.0), ((4, 3), 0.3), ((5, 4), 0.0), ((9, 6), 0.1)] {
            let shape = Shape::new(shape.0, shape.1).unwrap();
            let judge =
                Judge::new(Judge::for_shape(shape).kind().clone(), shape, Noise::new(noise, 1).unwrap()).unwrap();
            for seed in 0..20 {
                let mut board = Position::new(shape);
                for ply in 0.. {
                    let Some(roll) = rolls::roll(seed, ply, &board) else { break };
                    let rolled = board.rolled(roll).0;
                    let worth = |mv: Move| {
                        let next = rolled.after(mv).0;
                        match next.kind() {
                            Kind::Over(value) => -value,
                            _ => -judge.value(&judge.state(&next), &next),
                        }
                    };
                    let moves = rolled.moves();
                    let most = moves.iter().map(|&mv| worth(mv)).max().unwrap();
                    let first = moves.iter().copied().find(|&mv| worth(mv) == most).unwrap();
                    assert_eq!(choice(&judge, &rolled), (first, most), "{}", rolled.dpn());
                    board = rolled.after(first).0;
                }
            }
        }
    }
}
