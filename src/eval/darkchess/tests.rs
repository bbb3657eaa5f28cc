//! Features by hand, and every quicker way to a value held to its definition on random games.

use super::accumulators::viewer;
use super::features::{pair_feature, piece_feature};
use super::{DarkChessEvaluator, DarkChessNetwork};
use crate::eval::nn::{Featured, Weights};
use crate::eval::{ChildEvaluator, Evaluator, Noise};
use crate::game::darkchess::Position;
use crate::game::{Game, Kind, Player, Step, Turn};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::sync::Arc;

fn position(fen: &str) -> Position {
    Position::from_fen(&fen.split(' ').collect::<Vec<_>>()).unwrap()
}

fn features(position: &Position, view: Player) -> Vec<usize> {
    let mut found = Vec::new();
    position.each_feature(view, |feature| found.push(feature));
    found.sort_unstable();
    found
}

/// A network of weights that are all different.
fn network(seed: u64) -> DarkChessNetwork {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut numbers =
        |count: usize, limit: i32| -> Vec<i16> { (0..count).map(|_| (rng.next_u32() as i32 % limit) as i16).collect() };
    let weights = Weights {
        one: 100,
        shift: 14,
        first: numbers(Position::layout().features() * 20, 40),
        bias: numbers(20, 60),
        out: vec![numbers(20, 30)],
        out_bias: vec![700],
    };
    DarkChessNetwork::new(weights).unwrap()
}

/// Call `look` for every step of some random games: the position, the step, and the position after it.
fn random_games(games: u64, mut look: impl FnMut(&Position, Step<crate::game::darkchess::Move>, &Position)) {
    for seed in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Position::default();
        let mut below = |count: usize| rng.next_u32() as usize % count;
        loop {
            let step = match game.kind() {
                Kind::Over(_) => break,
                Kind::Decision => {
                    let moves = game.moves();
                    Step::Move(moves[below(moves.len())])
                }
                Kind::Chance => {
                    let faces: Vec<_> = game.faces().collect();
                    Step::Outcome(faces[below(faces.len())].id)
                }
            };
            let next = game.child(step);
            look(&game, step, &next);
            game = next;
        }
    }
}

#[test]
fn sums_follow_the_game() {
    let network = network(1);
    let mut state = network.state(&Position::default());
    random_games(30, |game, step, next| {
        if game.face_down().count_ones() == 32 && game.pending().is_none() {
            state = network.state(game);
        }
        network.advance(&mut state, game, step, next);
        assert_eq!(state, network.state(next), "{game:?} {step:?}");
        if !matches!(next.kind(), Kind::Over(_)) {
            assert_eq!(network.value(&state, next), network.value_afresh(next), "{next:?}");
        }
    });
}

#[test]
fn children_are_worth_what_they_are_afresh() {
    let network = Arc::new(network(2));
    for noise in [Noise::NONE, Noise::new(0.1, 3).unwrap()] {
        let evaluator = DarkChessEvaluator::by_network(Arc::clone(&network), noise);
        random_games(4, |game, _, _| {
            let state = evaluator.state(game);
            let children = evaluator.children(&state, game);
            for mv in game.moves() {
                let child = game.child(Step::Move(mv));
                if matches!(child.kind(), Kind::Over(_)) {
                    continue;
                }
                let value = evaluator.value(&evaluator.state(&child), &child);
                let seen = match Turn::between(game.mover(), child.mover()) {
                    Turn::Kept => value,
                    Turn::Passed => -value,
                };
                assert_eq!(children.value_after(mv), seen, "{game:?} {mv}");
            }
        });
    }
}

#[test]
fn features_fit_their_layout() {
    let layout = Position::layout();
    assert_eq!((layout.features(), layout.images.len()), (3107, 1));
    let mut group_of = Vec::new();
    for (i, group) in layout.groups.iter().enumerate() {
        group_of.extend(std::iter::repeat_n(i, group.features));
    }
    random_games(20, |game, _, _| {
        for view in Player::BOTH {
            let mut counts = vec![0; layout.groups.len()];
            features(game, view).into_iter().for_each(|feature| counts[group_of[feature]] += 1);
            let fits = counts.iter().zip(&layout.groups).all(|(&count, group)| count <= group.most);
            assert!(fits, "{game:?} {counts:?}");
        }
    });
}

/// Neither images nor colours change what is seen, and each side sees the other's view turned round.
#[test]
fn images_and_colours_look_alike() {
    let rows = "K.p./..X./r.../.C../..../...g/..../P..X r 3 Np";
    let upside_down = "P..X/..../...g/..../.C../r.../..X./K.p. r 9 Np";
    let mirrored = ".p.K/.X../...r/..C./..../g.../..../X..P r 3 Np";
    let exchanged = "k.P./..X./R.../.c../..../...G/..../p..X b 3 nP";
    let seen = features(&position(rows), Player::First);
    for other in [upside_down, mirrored, exchanged] {
        assert_eq!(features(&position(other), Player::First), seen, "{other}");
    }
    let turned = rows.replace(" r ", " b ");
    assert_eq!(features(&position(&turned), Player::Second), seen);
    assert_ne!(features(&position(rows), Player::Second), seen);
}

#[test]
fn pieces_and_pairs_by_hand() {
    let game = position("K.../..p./..../..../..../..../..../.... r 0 -");
    let seen = features(&game, Player::First);
    // The king in the corner a1, the pawn on c2, one row down and two columns on.
    let pair = pair_feature(0, 0, 6, 6);
    assert!(seen.contains(&piece_feature(0, 0, 0)) && seen.contains(&piece_feature(1, 6, 6)) && seen.contains(&pair));
    assert_eq!(pair_feature(0, 31, 6, 25), pair);
    assert_ne!(pair_feature(0, 0, 6, 9), pair);
    assert!(features(&game, Player::Second).contains(&pair_feature(6, 6, 0, 0)));
}

/// A pending flip is seen by who moves next.
#[test]
fn the_viewer_is_who_moves_next() {
    let game = position("KX../..../..../..../..../..../..../..k. r 0 p");
    assert_eq!(viewer(&game), Player::First);
    assert_eq!(viewer(&position("KX../..../..../..../..../..../..../..k. r 0 p b1")), Player::Second);
}
