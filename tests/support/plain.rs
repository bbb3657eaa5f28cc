//! Plain Expectimax, as slow and obvious as can be: the definition that every algorithm is held to.

use alea::eval::Evaluator;
use alea::game::{Game, Kind, Step, Value};

/// The value of a position to `depth`.
pub fn value<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E, depth: u32) -> Value {
    let seen = |step: Step<G::Move>| {
        let child = game.child(step);
        let value = value(&child, evaluator, depth - 1);
        if child.mover() == game.mover() { value } else { -value }
    };
    match game.kind() {
        Kind::Over(value) => value,
        _ if depth == 0 => evaluator.value(&evaluator.state(game), game),
        Kind::Decision => game.moves().into_iter().map(|mv| seen(Step::Move(mv))).max().unwrap(),
        Kind::Chance => {
            let (mut sum, mut total) = (0i64, 0i64);
            for outcome in game.outcomes() {
                sum += i64::from(outcome.weight) * i64::from(seen(Step::Outcome(outcome.id)).raw());
                total += i64::from(outcome.weight);
            }
            let nearest = (sum as f64 / total as f64).round();
            Value::from_raw(nearest as i64)
        }
    }
}
