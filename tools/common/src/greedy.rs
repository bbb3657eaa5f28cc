//! Play at depth 1: the move that looks best to an evaluation, once it is made.

use alea::eval::{ChildEvaluator, Evaluator, best_at_sight};
use alea::game::{Game, Kind, Step, Turn, Value};

/// The best move at depth 1 and its value for the mover; of several the first. A move that ends the game is worth what the
/// rules say. `game` must be a decision, and `state` that of it.
pub fn best<G: Game, E: Evaluator<G>>(evaluator: &E, state: &E::State, game: &G) -> (G::Move, Value) {
    let mv = best_at_sight(evaluator, game, state, &game.moves());
    let next = game.child(Step::Move(mv));
    let value = match (next.kind(), Turn::between(game.mover(), next.mover())) {
        (Kind::Over(value), Turn::Kept) => value,
        (Kind::Over(value), Turn::Passed) => -value,
        _ => evaluator.children(state, game).value_after(mv),
    };
    (mv, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alea::eval::Noise;
    use alea::eval::dice::{DiceEvaluator, EvalKind};
    use alea::game::dice::{Move, Position, Shape, rolls};

    fn choice(evaluator: &DiceEvaluator, board: &Position) -> (Move, Value) {
        best(evaluator, &evaluator.state(board), board)
    }

    #[test]
    fn wins_and_last_cells_need_no_evaluation() {
        let shape = Shape::new(3, 3).unwrap();
        let evaluator = DiceEvaluator::new(EvalKind::Pairs, shape, Noise::NONE).unwrap();
        let cases = [("3 3 b 0 b b - r r - - - -", "c1", Value::WIN), ("3 3 b 2 b r b b r r r b -", "c3", Value::DRAW)];
        for (dpn, cell, value) in cases {
            let position = Position::from_dpn(dpn).unwrap();
            let (mv, found) = choice(&evaluator, &position);
            assert_eq!((position.move_cell(mv).to_string().as_str(), found), (cell, value), "{dpn}");
        }
    }

    /// Games of every kind of evaluation, to the end: whatever is chosen is as good as every other move looks.
    #[test]
    fn the_choice_is_the_first_of_the_best() {
        for (shape, noise) in [((3, 3), 0.0), ((4, 3), 0.3), ((5, 4), 0.0), ((9, 6), 0.1)] {
            let shape = Shape::new(shape.0, shape.1).unwrap();
            let kind = DiceEvaluator::for_shape(shape).kind().clone();
            let evaluator = DiceEvaluator::new(kind, shape, Noise::new(noise, 1).unwrap()).unwrap();
            for seed in 0..20 {
                let mut board = Position::new(shape);
                for ply in 0.. {
                    let Some(roll) = rolls::roll(seed, ply, &board) else { break };
                    let rolled = board.child(Step::Outcome(roll));
                    let worth = |mv: Move| {
                        let next = rolled.child(Step::Move(mv));
                        match next.kind() {
                            Kind::Over(value) => -value,
                            _ => -evaluator.value(&evaluator.state(&next), &next),
                        }
                    };
                    let moves = rolled.moves();
                    let most = moves.iter().map(|&mv| worth(mv)).max().unwrap();
                    let first = moves.iter().copied().find(|&mv| worth(mv) == most).unwrap();
                    assert_eq!(choice(&evaluator, &rolled), (first, most), "{}", rolled.dpn());
                    board = rolled.child(Step::Move(first));
                }
            }
        }
    }
}
