//! EinStein as the trainer knows it, and the fit of its plain race.

use super::draws::{Draws, Purpose};
use super::game::Taught;
use super::recipe::Recipe;
use super::selfplay::best;
use alea::eval::Evaluator;
use alea::eval::einstein::{EinsteinNetwork, race};
use alea::eval::nn::{BadWeights, Weights};
use alea::game::einstein::Position;
use alea::game::{Game, Kind, Notation, Player, Step};

impl Taught for Position {
    const RIVAL: &'static str = "race";
    const RECIPE: Recipe = Recipe::EINSTEIN;

    /// Cubes in random orders.
    fn random_start(draws: &mut Draws) -> Position {
        let orders = [(); 2].map(|()| {
            let mut order = ['1', '2', '3', '4', '5', '6'];
            draws.shuffle(&mut order);
            String::from_iter(order)
        });
        <Position as Notation>::start(&[&orders[0], &orders[1]]).expect("an order of all cubes is a start position")
    }

    fn network(weights: Weights) -> Result<EinsteinNetwork, BadWeights> {
        EinsteinNetwork::new(weights)
    }

    fn sure(&self) -> f32 {
        f32::from(self.winning_faces(self.mover())) / 6.0
    }
}

/// The scale and the tempo of the race that come nearest, by least squares, to the outcomes of games that `race` plays
/// against itself at depth 1, one move in ten at random.
pub fn fit_race(games: u64) -> (f64, i32) {
    let rival = super::game::rival_of::<Position>();
    let mut seen: Vec<(i32, f64)> = Vec::new();
    for number in 0..games {
        let mut draws = Draws::new(0, Purpose::Games, number);
        let mut game = Position::random_start(&mut draws);
        let mut leads = Vec::new();
        let winner = loop {
            match game.kind() {
                Kind::Over(_) => break game.winner(),
                Kind::Chance => {
                    let mover = Position::mover(&game);
                    leads.push((mover, race::count(&game, mover.other()) - race::count(&game, mover)));
                    game.roll(draws.below(6) as u8 + 1);
                }
                Kind::Decision => {
                    let moves = Position::moves(&game);
                    let random = moves[draws.below(moves.len())];
                    let state = rival.state(&game);
                    let mv = if draws.chance(0.1) { random } else { best(&rival, &state, &game).0 };
                    game = game.child(Step::Move(mv));
                }
            }
        };
        let result = |mover: Player| if Some(mover) == winner { 1.0 } else { -1.0 };
        seen.extend(leads.into_iter().map(|(mover, lead)| (lead, result(mover))));
    }
    let error = |scale: f64, tempo: i32| {
        seen.iter().map(|&(lead, result)| ((scale * f64::from(lead + tempo)).tanh() - result).powi(2)).sum::<f64>()
    };
    let grid = (1..=60).flat_map(|scale| (0..=12).map(move |tempo| (f64::from(scale) / 200.0, tempo)));
    grid.map(|(scale, tempo)| (error(scale, tempo), scale, tempo))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map_or((0.0, 0), |(_, scale, tempo)| (scale, tempo))
}
