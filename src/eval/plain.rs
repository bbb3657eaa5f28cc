//! Evaluations that are a plain function of the position: all that a new game needs to begin with.

use super::{Evaluator, Stepwise};
use crate::game::{Game, Step, Value};

/// A function of a position.
pub trait PositionValue<G: Game>: Send + Sync {
    /// The value of an undecided position for its mover.
    fn value(&self, game: &G) -> Value;

    /// Whether mirror images (positions that share a key) always have one value.
    fn sees_images_alike(&self) -> bool {
        false
    }

    /// Whether a chance node and all its children always have one value.
    fn ignores_outcomes(&self) -> bool {
        false
    }
}

/// A formula, as in `Plain(formula as fn(&Position) -> Value)`. Nobody says of it that images or outcomes make no difference.
impl<G: Game> PositionValue<G> for fn(&G) -> Value {
    fn value(&self, game: &G) -> Value {
        self(game)
    }
}

/// Such a function as an evaluator: it keeps no state.
#[derive(Clone, Copy, Debug)]
pub struct Plain<F>(pub F);

impl<G: Game, F: PositionValue<G>> Evaluator<G> for Plain<F> {
    type State = ();

    fn state(&self, _: &G) {}

    fn advance(&self, (): &mut (), _: &G, _: Step<G::Move>, _: &G) {}

    fn value(&self, (): &(), game: &G) -> Value {
        self.0.value(game)
    }

    type Children<'a>
        = Stepwise<'a, G, Self>
    where
        Self: 'a,
        G: 'a;

    fn children<'a>(&'a self, state: &'a (), game: &'a G) -> Stepwise<'a, G, Self> {
        Stepwise::new(self, state, game)
    }

    fn sees_images_alike(&self) -> bool {
        self.0.sees_images_alike()
    }

    fn ignores_outcomes(&self) -> bool {
        self.0.ignores_outcomes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::backgammon::Position;

    #[test]
    fn a_formula_is_an_evaluator() {
        let half: fn(&Position) -> Value = |_| Value::from_raw(i64::from(Value::WIN.raw()) / 2);
        let evaluator = Plain(half);
        let game = Position::opening();
        assert_eq!(evaluator.value(&(), &game), half(&game));
        assert!(
            !Evaluator::<Position>::sees_images_alike(&evaluator)
                && !Evaluator::<Position>::ignores_outcomes(&evaluator)
        );
    }
}
