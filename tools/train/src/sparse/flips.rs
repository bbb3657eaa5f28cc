//! Self-play where chance follows the choice: a network plays against itself at depth 1, as the engine does, and learns from
//! decisions and from flips that are pending.
//!
//! A decision should be worth what its best move is, a pending flip the mean of what it may show. From every decision a flip
//! is drawn at random beside the one that is played: a network that saw the good ones only would think well of all.

use super::draws::{Draws, Purpose};
use super::game::Taught;
use super::model::{Sample, Samples};
use super::selfplay::{Player, mean_value, roll};
use alea::eval::{ChildEvaluator, Evaluator};
use alea::game::{self, Kind, Step, Turn, Value};

/// A position that was met, until the game's end is known.
struct Past<G> {
    game: G,
    /// What it should be worth to its mover, by what comes next.
    backed: f32,
    /// Whether what came after says nothing of it.
    cut: bool,
    /// Whether it stands beside the game, not in it.
    aside: bool,
}

/// A move that is weighed: its value and where it leads.
struct Weighed<G: Taught> {
    mv: G::Move,
    value: Value,
    flips: bool,
}

/// Play game `number` from a start that is drawn, and say what its positions should be worth.
pub fn play<G: Taught>(player: &Player<'_, G>, number: u64, start: impl Fn(&mut Draws) -> G) -> Samples {
    let mut draws = Draws::new(player.seed, Purpose::Games, number);
    let mut game = start(&mut draws);
    let evaluator = player.evaluator;
    let mut state = evaluator.state(&game);
    let mut past: Vec<Past<G>> = Vec::new();
    loop {
        let step = match game.kind() {
            Kind::Over(value) => return settle(player, &past, game.mover(), value),
            Kind::Chance => {
                let backed = mean_value(evaluator, &state, &game).to_f64() as f32;
                past.push(Past { game: game.clone(), backed, cut: false, aside: false });
                Step::Outcome(roll(&game, &mut draws))
            }
            Kind::Decision => {
                let moves = weigh(evaluator, &state, &game);
                let best = moves.iter().rev().max_by_key(|weighed| weighed.value).expect("a decision has a move");
                let flips: Vec<&Weighed<G>> = moves.iter().filter(|weighed| weighed.flips).collect();
                if !flips.is_empty() {
                    let flip = game.child(Step::Move(flips[draws.below(flips.len())].mv));
                    let backed = mean_value(evaluator, &state, &flip).to_f64() as f32;
                    past.push(Past { game: flip, backed, cut: true, aside: true });
                }
                let explore = draws.chance(player.recipe.explore) && best.value != Value::WIN;
                let mv = if explore { moves[draws.below(moves.len())].mv } else { best.mv };
                let backed = best.value.to_f64() as f32;
                past.push(Past { game: game.clone(), backed, cut: mv != best.mv, aside: false });
                Step::Move(mv)
            }
        };
        let next = game.child(step);
        state = evaluator.advanced(&state, &game, step, &next);
        game = next;
    }
}

/// All moves of a decision with their values at depth 1.
fn weigh<G: Taught>(
    evaluator: &G::Evaluator,
    state: &<G::Evaluator as Evaluator<G>>::State,
    game: &G,
) -> Vec<Weighed<G>> {
    let children = evaluator.children(state, game);
    let weigh = |mv: G::Move| {
        let child = game.child(Step::Move(mv));
        let value = match (child.kind(), Turn::between(game.mover(), child.mover())) {
            (Kind::Over(value), Turn::Kept) => value,
            (Kind::Over(value), Turn::Passed) => -value,
            _ => children.value_after(mv),
        };
        Weighed { mv, value, flips: child.kind() == Kind::Chance }
    };
    game.moves().into_iter().map(weigh).collect()
}

/// From the last position to the first: mix what each was thought worth with what became of it.
fn settle<G: Taught>(player: &Player<'_, G>, past: &[Past<G>], end: game::Player, value: Value) -> Samples {
    let mut samples = Samples::default();
    let (mut next, mut viewer) = (value.to_f64() as f32, end);
    for Past { game, backed, cut, aside } in past.iter().rev() {
        let share = if *cut { 0.0 } else { player.lambda as f32 };
        let later = if viewer == game.mover() { next } else { -next };
        let target = (1.0 - share) * backed + share * later;
        if !aside {
            (next, viewer) = (target, game.mover());
        }
        let start = samples.features.len();
        let looker = G::looker(game);
        game.each_feature(looker, |feature| samples.features.push(feature as u16));
        let features = start..samples.features.len();
        samples.list.push(Sample { features, targets: samples.targets.len(), sure: 0.0 });
        samples.targets.push(if looker == game.mover() { target } else { -target });
    }
    samples
}
