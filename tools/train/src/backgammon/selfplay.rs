//! Games that networks play against themselves at depth 1, and what they should have thought of the positions they met. A
//! game ends where the table of bearoffs knows how it will end.

use super::recipe::Recipe;
use crate::sparse::draws::{Draws, Purpose};
use crate::sparse::model::{Sample, Samples};
use alea::eval::backgammon::network::Accumulators;
use alea::eval::backgammon::{BackgammonNetwork, Chances, bearoff};
use alea::eval::nn::Featured;
use alea::game::Player as Side;
use alea::game::backgammon::{CHECKERS, Move, Moves, OFF, Position, Roll};

/// The five chances as numbers from 0 to 1.
type Numbers = [f32; 5];

fn numbers(chances: Chances) -> Numbers {
    chances.list().map(|chance| chance as f32 / Chances::ONE as f32)
}

/// The same in the view of the other side.
fn turned([win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]: Numbers) -> Numbers {
    [1.0 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon]
}

/// Positions to learn from, of each network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BothSamples {
    /// With contact.
    pub contact: Samples,
    /// Races.
    pub race: Samples,
}

impl BothSamples {
    /// Append others.
    pub fn append(&mut self, other: &BothSamples) {
        self.contact.append(&other.contact);
        self.race.append(&other.race);
    }

    fn push(&mut self, game: &Position, targets: Numbers) {
        let samples = if game.is_race() { &mut self.race } else { &mut self.contact };
        let start = samples.features.len();
        game.each_feature(game.mover(), |feature| samples.features.push(feature as u16));
        let features = start..samples.features.len();
        samples.list.push(Sample { features, targets: samples.targets.len(), sure: 0.0 });
        samples.targets.extend(targets);
    }
}

/// A random roll.
fn roll(draws: &mut Draws, opening: bool) -> Roll {
    loop {
        let (one, other) = (draws.below(6) as u8 + 1, draws.below(6) as u8 + 1);
        if let Some(roll) = Roll::new(one, other).filter(|roll| !(opening && roll.is_double())) {
            return roll;
        }
    }
}

/// The best move of a rolled position at depth 1, and what the mover's chances are after it. `room` is room for moves.
pub fn best(network: &BackgammonNetwork, state: &Accumulators, game: &Position, room: &mut Moves) -> (Move, Chances) {
    game.moves_into(room);
    let children = network.children(state, game);
    let last = game.checkers(game.mover())[usize::from(OFF)] + 4 >= CHECKERS;
    let chances = |mv: Move| {
        if last {
            let mut child = *game;
            child.play(mv);
            if let Some(win) = child.win() {
                return Chances::won(win.points);
            }
        }
        children.chances_after(mv)
    };
    let mut found = (room[0], chances(room[0]));
    let mut value = found.1.value();
    for &mv in &room[1..] {
        let chances = chances(mv);
        if chances.value() > value {
            (found, value) = ((mv, chances), chances.value());
        }
    }
    found
}

/// One turn of a game, as it is remembered until the game's end is known.
struct Past {
    game: Position,
    /// The mover's chances after the best move for what was rolled.
    backed: Numbers,
    /// What they should be before the roll: the mean of such chances after all rolls, or those alone.
    expected: Numbers,
}

/// Plays games with one set of weights.
pub struct Player<'a> {
    network: &'a BackgammonNetwork,
    recipe: &'a Recipe,
    lambda: f32,
    luckless: bool,
    seed: u64,
}

impl<'a> Player<'a> {
    /// A player for the batch that starts after `games` games.
    pub fn new(network: &'a BackgammonNetwork, recipe: &'a Recipe, seed: u64, games: u64) -> Player<'a> {
        let (lambda, luckless) = (recipe.lambda_at(games) as f32, recipe.is_luckless_at(games));
        Player { network, recipe, lambda, luckless, seed }
    }

    /// Play game `number` and say what its positions should be worth.
    pub fn play(&self, number: u64) -> BothSamples {
        let mut draws = Draws::new(self.seed, Purpose::Games, number);
        let mut room = Moves::new();
        let mut game = self.start(&mut draws, &mut room);
        let mut state = self.network.accumulators(&game);
        let mut past: Vec<Past> = Vec::new();
        // How it ends in the view of the side that would be next.
        let end = loop {
            if let Some(win) = game.win() {
                break turned(numbers(Chances::won(win.points)));
            }
            if bearoff::covers(&game) {
                break numbers(self.network.chances(&state, &game));
            }
            let mut rolled = game;
            rolled.roll_dice(roll(&mut draws, game.is_opening()));
            let (mv, chances) = best(self.network, &state, &rolled, &mut room);
            let backed = numbers(chances);
            let expected = if self.luckless { self.mean_of_best(&state, &game, &mut room) } else { backed };
            past.push(Past { game, backed, expected });
            let mut next = rolled;
            next.play(mv);
            self.network.play(&mut state, &rolled, mv, &next, &Side::BOTH);
            game = next;
        };
        self.settle(&past, end)
    }

    /// The position a game starts from, perhaps after random plies.
    fn start(&self, draws: &mut Draws, room: &mut Moves) -> Position {
        let mut game = Position::opening();
        if !draws.chance(self.recipe.scramble) {
            return game;
        }
        for _ in 0..=draws.below(self.recipe.scramble_plies.max(1)) {
            let mut next = game;
            next.roll_dice(roll(draws, game.is_opening()));
            next.moves_into(room);
            next.play(room[draws.below(room.len())]);
            if next.win().is_some() {
                break;
            }
            game = next;
        }
        game
    }

    /// What the mover's chances should be before the roll: the mean, over all rolls, of those after the best move.
    fn mean_of_best(&self, state: &Accumulators, game: &Position, room: &mut Moves) -> Numbers {
        let mut sums = [0.0; 5];
        let mut weight = 0.0;
        for roll in Roll::ALL.into_iter().filter(|roll| !(game.is_opening() && roll.is_double())) {
            let mut rolled = *game;
            rolled.roll_dice(roll);
            let (_, chances) = best(self.network, state, &rolled, room);
            let times = roll.weight() as f32;
            sums.iter_mut().zip(numbers(chances)).for_each(|(sum, chance)| *sum += times * chance);
            weight += times;
        }
        sums.map(|sum| sum / weight)
    }

    /// From the last turn to the first: what each was thought worth, and a share of what came after beside what was expected of
    /// it. Where all rolls have been looked at, what was rolled counts for nothing: only whether the network had seen it coming.
    fn settle(&self, past: &[Past], end: Numbers) -> BothSamples {
        let mut samples = BothSamples::default();
        let mut next = end;
        for Past { game, backed, expected } in past.iter().rev() {
            let later = turned(next);
            next = std::array::from_fn(|i| expected[i] + self.lambda * (later[i] - backed[i]));
            samples.push(game, next);
        }
        samples
    }
}
