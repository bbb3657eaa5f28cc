//! Games a network plays against itself at depth 1, and what it should have thought of the positions it met.
//!
//! Where the evaluation ignores what chance has brought, positions before a roll are learnt from, and what they should be
//! worth is averaged over all rolls; elsewhere, positions before a choice.

use super::draws::{Draws, Purpose};
use super::game::{Outputs, State, Taught, outputs_of};
use super::model::{Sample, Samples};
use super::recipe::Recipe;
use alea::eval::{ChildEvaluator, Evaluator};
use alea::game::{Kind, Step, Turn, Value};

fn seen(value: Value, turn: Turn) -> Value {
    match turn {
        Turn::Kept => value,
        Turn::Passed => -value,
    }
}

/// The best move of a decision at depth 1, and its value to the mover.
pub fn best<G: Taught>(evaluator: &G::Evaluator, state: &State<G>, game: &G) -> (G::Move, Value) {
    let children = evaluator.children(state, game);
    let value_of = |mv: G::Move| {
        let child = game.child(Step::Move(mv));
        let turn = Turn::between(game.mover(), child.mover());
        match child.kind() {
            Kind::Over(value) => seen(value, turn),
            Kind::Chance if !evaluator.ignores_outcomes() => {
                let state = evaluator.advanced(state, game, Step::Move(mv), &child);
                seen(mean_value(evaluator, &state, &child), turn)
            }
            _ => children.value_after(mv),
        }
    };
    let mut moves = game.moves().into_iter().map(|mv| (mv, value_of(mv)));
    let first = moves.next().expect("every decision has a move");
    moves.fold(first, |best, other| if other.1 > best.1 { other } else { best })
}

/// The value of a chance node by those of its children.
pub fn mean_value<G: Taught>(evaluator: &G::Evaluator, state: &State<G>, game: &G) -> Value {
    let (mut sum, mut weight) = (0.0, 0.0);
    for outcome in game.outcomes() {
        let step = Step::Outcome(outcome.id);
        let child = game.child(step);
        let value = match child.kind() {
            Kind::Over(value) => value,
            _ => evaluator.value(&evaluator.advanced(state, game, step, &child), &child),
        };
        sum += f64::from(outcome.weight) * seen(value, Turn::between(game.mover(), child.mover())).to_f64();
        weight += f64::from(outcome.weight);
    }
    Value::from_f64(sum / weight)
}

/// One turn of a game, as it is remembered until the game's end is known.
struct Past<G> {
    game: G,
    /// What the turn should be worth, by the best moves.
    backed: Outputs,
    /// Whether what came after says nothing of it: a move was played at random.
    cut: bool,
}

/// Plays games with one set of weights.
pub struct Player<'a, G: Taught> {
    pub evaluator: &'a G::Evaluator,
    pub recipe: &'a Recipe,
    /// The share of what came after in a target.
    pub lambda: f64,
    pub seed: u64,
    outputs: usize,
}

impl<'a, G: Taught> Player<'a, G> {
    /// A player for the batch that starts after `games` games.
    pub fn new(evaluator: &'a G::Evaluator, recipe: &'a Recipe, seed: u64, games: u64) -> Player<'a, G> {
        Player { evaluator, recipe, lambda: recipe.lambda_at(games), seed, outputs: G::layout().outputs }
    }

    /// Play game `number` and say what its positions should be worth.
    pub fn play(&self, number: u64) -> Samples {
        let mut draws = Draws::new(self.seed, Purpose::Games, number);
        let mut game = self.start(&mut draws);
        let mut state = self.evaluator.state(&game);
        let mut past: Vec<Past<G>> = Vec::new();
        let before_rolls = self.evaluator.ignores_outcomes();
        loop {
            let step = match game.kind() {
                Kind::Over(value) => return self.settle(&past, &game, value),
                Kind::Chance => {
                    if before_rolls {
                        past.push(Past { game: game.clone(), backed: self.mean_of_best(&state, &game), cut: false });
                    }
                    Step::Outcome(roll(&game, &mut draws))
                }
                Kind::Decision => {
                    let (best, value) = best(self.evaluator, &state, &game);
                    if !before_rolls {
                        past.push(Past {
                            game: game.clone(),
                            backed: self.outputs_after(&state, &game, best, value),
                            cut: false,
                        });
                    }
                    let moves = game.moves();
                    let explore = draws.chance(self.recipe.explore) && value != Value::WIN;
                    let mv = if explore { moves[draws.below(moves.len())] } else { best };
                    past.last_mut().into_iter().for_each(|past| past.cut |= mv != best);
                    Step::Move(mv)
                }
            };
            let next = game.child(step);
            state = self.evaluator.advanced(&state, &game, step, &next);
            game = next;
        }
    }

    /// The position a game starts from, perhaps after random plies.
    pub fn start(&self, draws: &mut Draws) -> G {
        let mut game = G::random_start(draws);
        if !draws.chance(self.recipe.scramble) {
            return game;
        }
        for _ in 0..=draws.below(self.recipe.scramble_plies.max(1)) {
            let mut next = game.clone();
            while next.kind() == Kind::Chance {
                next.resolve(roll(&next, draws));
            }
            let moves = next.moves();
            next.play(moves[draws.below(moves.len())]);
            if matches!(next.kind(), Kind::Over(_)) {
                break;
            }
            game = next;
        }
        game
    }

    /// What a chance node should be worth: the mean, over its outcomes, of the best move after each.
    fn mean_of_best(&self, state: &State<G>, game: &G) -> Outputs {
        let mut sum = Outputs::new();
        let mut weight = 0.0;
        for outcome in game.outcomes() {
            let step = Step::Outcome(outcome.id);
            let child = game.child(step);
            let state = self.evaluator.advanced(state, game, step, &child);
            let (mv, value) = best(self.evaluator, &state, &child);
            let outputs = self.outputs_after(&state, &child, mv, value);
            sum.extend(std::iter::repeat_n(0.0, outputs.len() - sum.len()));
            sum.iter_mut().zip(outputs).for_each(|(sum, x)| *sum += outcome.weight as f32 * x);
            weight += outcome.weight as f32;
        }
        sum.into_iter().map(|x| x / weight).collect()
    }

    /// What the position after a move of this value says of the one before it.
    fn outputs_after(&self, state: &State<G>, game: &G, mv: G::Move, value: Value) -> Outputs {
        if self.outputs == 1 {
            return [value.to_f64() as f32].into_iter().collect();
        }
        let child = game.child(Step::Move(mv));
        let state = self.evaluator.advanced(state, game, Step::Move(mv), &child);
        let outputs = outputs_of(&child, self.evaluator, &state);
        if child.mover() == game.mover() { outputs } else { G::turned(outputs) }
    }

    /// From the last turn to the first: mix what each was thought worth with what became of it.
    fn settle(&self, past: &[Past<G>], end: &G, value: Value) -> Samples {
        let mut samples = Samples::default();
        let (mut next, mut viewer) = (end.final_outputs(value), end.mover());
        for Past { game, backed, cut } in past.iter().rev() {
            let share = if *cut { 0.0 } else { self.lambda as f32 };
            let later = if viewer == game.mover() { next } else { G::turned(next) };
            next = backed.iter().zip(later).map(|(backed, later)| (1.0 - share) * backed + share * later).collect();
            viewer = game.mover();
            let start = samples.features.len();
            game.each_feature(viewer, |feature| samples.features.push(feature as u16));
            let features = start..samples.features.len();
            samples.list.push(Sample { features, targets: samples.targets.len(), sure: game.sure() });
            samples.targets.extend(&next);
        }
        samples
    }
}

/// What chance brings, by weight.
pub fn roll<G: Taught>(game: &G, draws: &mut Draws) -> u8 {
    let total: u32 = game.outcomes().map(|outcome| outcome.weight).sum();
    let mut place = draws.below(total as usize) as u32;
    for outcome in game.outcomes() {
        if place < outcome.weight {
            return outcome.id;
        }
        place -= outcome.weight;
    }
    unreachable!("the place is below the sum of the weights")
}
