//! Games that networks play against themselves at depth 1, and what they should have thought of the positions they met. A
//! game ends where the table of bearoffs knows how it will end.

use super::recipe::Recipe;
use crate::sparse::draws::{Draws, Purpose};
use crate::sparse::model::{Sample, Samples};
use alea::eval::Evaluator;
use alea::eval::backgammon::network::Accumulators;
use alea::eval::backgammon::{BackgammonNetwork, Chances, bearoff};
use alea::eval::nn::Featured;
use alea::game::backgammon::{CHECKERS, Move, Moves, OFF, Position, Roll, Win};
use alea::game::{Game, Step};

/// The five chances as numbers from 0 to 1.
type Numbers = [f32; 5];

fn numbers(chances: Chances) -> Numbers {
    chances.list().map(|chance| chance as f32 / Chances::ONE as f32)
}

/// The same in the view of the other side.
fn turned([win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]: Numbers) -> Numbers {
    [1.0 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon]
}

/// A position that is to be rolled, and what the mover's chances should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    game: Position,
    targets: Numbers,
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
    /// What lessons have to say to each network, in their order.
    pub fn of<'a>(lessons: impl IntoIterator<Item = &'a Lesson>) -> BothSamples {
        let mut both = BothSamples::default();
        for Lesson { game, targets } in lessons {
            let samples = if game.is_race() { &mut both.race } else { &mut both.contact };
            let start = samples.features.len();
            game.each_feature(game.mover(), |feature| samples.features.push(feature as u16));
            let features = start..samples.features.len();
            samples.list.push(Sample { features, targets: samples.targets.len(), sure: 0.0 });
            samples.targets.extend(targets);
        }
        both
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

/// What the chances of a rolled position's mover are after a move.
fn judge<'a>(network: &'a BackgammonNetwork, state: &'a Accumulators, game: &'a Position) -> impl Fn(Move) -> Chances {
    let children = network.children(state, game);
    let last = game.checkers(game.mover())[usize::from(OFF)] + 4 >= CHECKERS;
    move |mv| {
        let win = if last { game.child(Step::Move(mv)).win() } else { None };
        win.map_or_else(|| children.chances_after(mv), |win| Chances::won(win.points))
    }
}

/// The best move of a rolled position at depth 1, and what the mover's chances are after it; `room` is left with all moves.
fn best(network: &BackgammonNetwork, state: &Accumulators, game: &Position, room: &mut Moves) -> (Move, Chances) {
    game.moves_into(room);
    let chances = judge(network, state, game);
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
    /// What the mover's chances should be before the roll: the mean, over all rolls, of those after the best move, or those
    /// after the move that was made.
    expected: Numbers,
    /// The mover's chances after the move that was made.
    made: Numbers,
    /// How much what came after says of this turn: nothing where another move than the best was made.
    share: f32,
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
    pub fn play(&self, number: u64) -> Vec<Lesson> {
        let mut draws = Draws::new(self.seed, Purpose::Games, number);
        let mut room = Moves::new();
        let mut game = self.start(&mut draws, &mut room);
        let mut state = self.network.state(&game);
        let mut past: Vec<Past> = Vec::new();
        let mut lessons = Vec::new();
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
            let (mut mv, chances) = best(self.network, &state, &rolled, &mut room);
            let made = numbers(chances);
            let mut turn = Past { game, expected: made, made, share: self.lambda };
            if self.luckless {
                if let Some((other, chances)) = self.other(&state, &rolled, (mv, chances), &room, &mut draws) {
                    lessons.extend(self.look_at(&rolled.child(Step::Move(other)), &mut room));
                    if draws.chance(self.recipe.explore) {
                        (mv, turn.made, turn.share) = (other, numbers(chances), 0.0);
                    }
                }
                turn.expected = self.mean_of_best(&state, &game, &mut room);
            }
            past.push(turn);
            let mut next = rolled;
            next.play(mv);
            self.network.advance(&mut state, &rolled, Step::Move(mv), &next);
            game = next;
        };
        settle(&past, end, &mut lessons);
        lessons
    }

    /// A move that is nearly as good as the best, and the mover's chances after it, if there is any.
    fn other(
        &self,
        state: &Accumulators,
        rolled: &Position,
        (best, best_chances): (Move, Chances),
        moves: &Moves,
        draws: &mut Draws,
    ) -> Option<(Move, Chances)> {
        let chances = judge(self.network, state, rolled);
        let least = best_chances.value().to_f64() - self.recipe.near / f64::from(Win::MOST);
        let judged = moves.iter().filter(|&&mv| mv != best).map(|&mv| (mv, chances(mv)));
        let near: Vec<(Move, Chances)> = judged.filter(|(_, chances)| chances.value().to_f64() >= least).collect();
        (!near.is_empty()).then(|| near[draws.below(near.len())])
    }

    /// What is to be learnt from a position that need not be met in the game: what its rolls bring.
    fn look_at(&self, game: &Position, room: &mut Moves) -> Option<Lesson> {
        let open = game.win().is_none() && !bearoff::covers(game);
        open.then(|| Lesson { game: *game, targets: self.mean_of_best(&self.network.state(game), game, room) })
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
}

/// From the last turn to the first: what each was thought worth, and a share of what came after beside what was expected of
/// it. Where all rolls have been looked at, what was rolled counts for nothing: only whether the network had seen it coming.
fn settle(past: &[Past], end: Numbers, lessons: &mut Vec<Lesson>) {
    let mut next = end;
    for Past { game, expected, made, share } in past.iter().rev() {
        let later = turned(next);
        next = std::array::from_fn(|i| expected[i] + share * (later[i] - made[i]));
        lessons.push(Lesson { game: *game, targets: next });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::model::Model;
    use alea::eval::backgammon::features::race_layout;
    use alea::eval::backgammon::network::BothWeights;
    use alea::game::Player as Side;

    fn network() -> BackgammonNetwork {
        let [contact, race] = [Position::layout(), race_layout()].map(|layout| Model::new(layout, 8, 3).quantised());
        BackgammonNetwork::new(BothWeights { contact, race }).unwrap()
    }

    #[test]
    fn moves_near_the_best_are_drawn() {
        let network = network();
        let mut rolled = Position::opening();
        rolled.roll_dice(Roll::new(6, 4).unwrap());
        let (state, mut room) = (network.state(&rolled), Moves::new());
        let top = best(&network, &state, &rolled, &mut room);
        let drawn = |near: f64| {
            let recipe = Recipe { near, ..Recipe::OWN };
            let player = Player::new(&network, &recipe, 7, 0);
            let mut draws = Draws::new(7, Purpose::Games, 0);
            let mut found: Vec<Move> = Vec::new();
            for _ in 0..200 {
                let Some((mv, chances)) = player.other(&state, &rolled, top, &room, &mut draws) else { continue };
                let less = (top.1.value().to_f64() - chances.value().to_f64()) * f64::from(Win::MOST);
                assert!(mv != top.0 && (0.0..=near).contains(&less), "{less} of {near}");
                found.extend((!found.contains(&mv)).then_some(mv));
            }
            found.len()
        };
        let counts = [-1.0, 0.05, 6.0].map(drawn);
        assert!(counts[0] == 0 && counts[1] <= counts[2] && counts[2] == room.len() - 1, "{counts:?}");
    }

    #[test]
    fn positions_beside_a_game_are_learnt_from_while_they_are_undecided() {
        let (network, mut room) = (network(), Moves::new());
        let player = Player::new(&network, &Recipe::OWN, 7, 0);
        let samples = BothSamples::of(&player.look_at(&Position::opening(), &mut room));
        assert_eq!((samples.contact.list.len(), samples.contact.targets.len()), (1, 5));
        let side = |at: usize| std::array::from_fn(|place| u8::from(place == at));
        let known = Position::set_up([side(1), side(1)], Side::First, None).unwrap();
        let won = Position::set_up([side(1), [0; 26]], Side::First, None).unwrap();
        for game in [known, won] {
            assert_eq!(player.look_at(&game, &mut room), None);
        }
    }

    #[test]
    fn what_follows_another_move_than_the_best_says_nothing_of_the_turn() {
        let turn = |expected: f32, made: f32, share: f32| Past {
            game: Position::opening(),
            expected: [expected; 5],
            made: [made; 5],
            share,
        };
        let past = [turn(0.5, 0.25, 0.0), turn(0.5, 0.25, 1.0)];
        let mut lessons = Vec::new();
        settle(&past, [0.125; 5], &mut lessons);
        // The last turn first: the end turned round is 0.875 for a win, and 0.125 of anything else.
        assert_eq!(lessons[0].targets, [0.5 + 0.875 - 0.25, 0.375, 0.375, 0.375, 0.375]);
        assert_eq!(lessons[1].targets, [0.5; 5]);
    }
}
