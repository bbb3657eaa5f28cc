//! Dark chess as the trainer knows it.

use super::draws::Draws;
use super::flips;
use super::game::Taught;
use super::model::Samples;
use super::recipe::Recipe;
use super::selfplay::Player;
use alea::eval::darkchess::DarkChessNetwork;
use alea::eval::darkchess::accumulators::viewer;
use alea::eval::nn::{BadWeights, Weights};
use alea::game::darkchess::{ALL_PIECES, CELLS, COLUMNS, Colour, Piece, Position};
use alea::game::{self, Kind};

/// How often a game of self-play starts from a random position.
const RANDOM: f64 = 0.4;
/// The pieces of one, at least and at most.
const PIECES: [usize; 2] = [2, 24];

impl Taught for Position {
    const RIVAL: &'static str = "material";
    const RECIPE: Recipe = Recipe::DARK_CHESS;

    /// The one start position there is; what the cells hide is a matter of chance.
    fn random_start(_draws: &mut Draws) -> Position {
        Position::default()
    }

    /// Many games that weak players start at the beginning end in a draw before an ending is won: so some start late.
    fn self_play(player: &Player<'_, Position>, number: u64) -> Samples {
        flips::play(
            player,
            number,
            |draws| {
                if draws.chance(RANDOM) { random_position(draws) } else { player.start(draws) }
            },
        )
    }

    /// Who moves next, whatever a pending flip shows.
    fn looker(&self) -> game::Player {
        viewer(self)
    }

    fn network(weights: Weights) -> Result<DarkChessNetwork, BadWeights> {
        DarkChessNetwork::new(weights)
    }
}

/// Some of the pieces on cells drawn at random, often with nothing face down.
fn random_position(draws: &mut Draws) -> Position {
    loop {
        let mut pieces = ALL_PIECES;
        let mut places: Vec<usize> = (0..CELLS).collect();
        draws.shuffle(&mut pieces);
        draws.shuffle(&mut places);
        let count = PIECES[0] + draws.below(PIECES[1] - PIECES[0] + 1);
        let face_down = if draws.chance(0.5) { 0 } else { draws.below(count + 1) };
        let mut cells = ['.'; CELLS];
        let mut pool = String::new();
        for (i, piece) in pieces[..count].iter().filter_map(|&id| Piece::from_id(id)).enumerate() {
            cells[places[i]] = if i < face_down { 'X' } else { piece.letter() };
            if i < face_down {
                pool.push(piece.letter());
            }
        }
        let rows: Vec<String> = cells.chunks(COLUMNS).map(String::from_iter).collect();
        let colour = if draws.chance(0.5) { Colour::Red } else { Colour::Black };
        let side = if colour == Colour::Red { "r" } else { "b" };
        let pool = if pool.is_empty() { "-" } else { &pool };
        let position = Position::from_fen(&[&rows.join("/"), side, "0", pool]);
        if let Some(position) = position.ok().filter(|position| position.kind() == Kind::Decision) {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::draws::Purpose;
    use super::*;

    #[test]
    fn random_positions_are_early_and_late() {
        let (mut open, mut few) = (0, 0);
        for series in 0..300 {
            let position = random_position(&mut Draws::new(1, Purpose::Games, series));
            assert_eq!(position.kind(), Kind::Decision);
            let pieces = CELLS as u32 - position.empty().count_ones();
            assert!((2..=24).contains(&pieces));
            open += u32::from(position.face_down() == 0);
            few += u32::from(pieces < 8);
        }
        assert!((100..250).contains(&open) && (30..150).contains(&few), "{open} {few}");
    }
}
