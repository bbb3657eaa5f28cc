//! The fast rules against the slow ones, on random games to their end.

use super::cubes::reflect;
use super::reference::Reference;
use super::*;
use crate::game::{Kind, Value};
use rand::{
    RngExt, SeedableRng,
    seq::{IndexedRandom, SliceRandom},
};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

fn position(fen: &str) -> Position {
    Position::from_fen(&fen.split(' ').collect::<Vec<_>>()).unwrap()
}

/// A start position with random orders.
fn random_start(rng: &mut ChaCha8Rng) -> Position {
    let [blue, red] = [(); 2].map(|()| {
        let mut order = ['1', '2', '3', '4', '5', '6'];
        order.shuffle(rng);
        String::from_iter(order)
    });
    Position::start(&[&blue, &red]).unwrap()
}

/// Call `look` at every position of random games, ends included.
fn random_games(games: u64, mut look: impl FnMut(&Position)) {
    for seed in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut position = random_start(&mut rng);
        loop {
            look(&position);
            match position.kind() {
                Kind::Over(_) => break,
                Kind::Chance => position.roll(rng.random_range(1..=6)),
                Kind::Decision => {
                    let mv = *position.moves().choose(&mut rng).expect("a decision has moves");
                    position.play(mv);
                }
            }
        }
    }
}

/// The position reflected in the diagonal from a1 to e5.
fn reflection(position: &Position) -> Position {
    let cubes = (0..CELLS as u8).filter_map(|cell| Some((reflect(cell), position.cube_at(cell)?)));
    Position::set_up(position.mover(), cubes).unwrap().showing(position.die())
}

#[test]
fn moves_and_results_are_those_of_the_slow_rules() {
    let (mut ends, mut choices, mut own_taken) = ([0; 2], 0, 0);
    random_games(500, |position| {
        let reference = Reference::from_fen(&position.fen());
        assert_eq!(position.winner().map(|winner| winner == Player::First), reference.blue_has_won(), "{position:?}");
        let mut moves: Vec<String> = position.moves().iter().map(Move::to_string).collect();
        moves.sort();
        assert_eq!(moves, reference.moves(), "{position:?}");
        assert_eq!(moves.is_empty(), position.kind() != Kind::Decision);
        for mv in position.moves() {
            let (mut fast, mut slow) = (*position, reference.clone());
            fast.play(mv);
            slow.play(&mv.to_string());
            assert_eq!(fast.fen(), slow.fen(), "{position:?} {mv}");
            assert_eq!(position.parse_move(&mv.to_string()), Ok(mv));
            own_taken += usize::from(fast.left(position.mover()) != position.left(position.mover()));
        }
        choices += usize::from(position.movable().count_ones() == 2);
        if let Some(winner) = position.winner() {
            ends[winner as usize] += 1;
            assert_eq!(position.kind(), Kind::Over(Value::LOSS), "the winner has just moved");
        }
    });
    assert!(ends.iter().all(|&end| end > 100) && choices > 500 && own_taken > 500, "{ends:?} {choices} {own_taken}");
}

#[test]
fn positions_survive_being_written_and_read() {
    random_games(100, |before| assert_eq!(position(&before.fen()), *before));
}

#[test]
fn rolls_that_move_the_same_cubes_are_one_outcome() {
    let mut merged = 0;
    random_games(200, |position| {
        if position.kind() != Kind::Chance {
            assert_eq!((position.faces().count(), position.outcomes().count()), (0, 0));
            return;
        }
        assert_eq!(
            position.faces().map(|face| (face.id, face.weight)).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5, 6].map(|id| (id, 1))
        );
        let rolled = |face: u8| position.showing(Some(face));
        let mut counts = HashMap::new();
        for face in 1..=6 {
            let cubes = Reference::from_fen(&rolled(face).fen()).movable();
            let (first, weight) = counts.entry(cubes).or_insert((face, 0));
            *weight += 1;
            assert_eq!(position.representative(face), *first);
            assert_eq!(rolled(face).moves(), rolled(*first).moves());
            assert_eq!(rolled(face).key(false), rolled(*first).key(false));
        }
        let mut expected: Vec<(u8, u32)> = counts.into_values().collect();
        expected.sort();
        assert_eq!(position.outcomes().map(|o| (o.id, o.weight)).collect::<Vec<_>>(), expected, "{position:?}");
        merged += usize::from(expected.len() < 6);
    });
    assert!(merged > 500, "{merged}");
}

#[test]
fn keys_tell_positions_apart_and_are_shared_by_images() {
    let mut names: [HashMap<u64, String>; 2] = Default::default();
    let mut framed = 0;
    random_games(300, |position| {
        let canonical =
            |position: &Position| position.showing(position.die().map(|face| position.representative(face))).fen();
        let image = reflection(position);
        let (own, other) = (canonical(position), canonical(&image));
        assert_eq!(names[0].entry(position.key(false).hash).or_insert_with(|| own.clone()), &own);
        let both = own.clone().min(other);
        assert_eq!(names[1].entry(position.key(true).hash).or_insert_with(|| both.clone()), &both);
        let (key, image_key) = (position.key(true), image.key(true));
        assert_eq!(key.hash, image_key.hash);
        assert_eq!(key.frame != image_key.frame, own != canonical(&image));
        framed += usize::from(key.frame == 1);
        // The moves of the image are the images of the moves, and translating twice gives the move back.
        let mut moves: Vec<Move> = position.moves().iter().map(|&mv| position.reframe(mv, 1)).collect();
        let mut expected = image.moves().to_vec();
        moves.sort();
        expected.sort();
        assert_eq!(moves, expected);
        assert!(position.moves().iter().all(|&mv| position.reframe(position.reframe(mv, 1), 1) == mv));
        assert!(position.moves().iter().all(|&mv| position.reframe(mv, 0) == mv));
    });
    assert!(framed > 1000, "{framed}");
}

#[test]
fn the_image_follows_the_moves() {
    random_games(50, |position| {
        for mv in position.moves() {
            let (mut next, mut image) = (*position, reflection(position));
            next.play(mv);
            image.play(position.reframe(mv, 1));
            assert_eq!(image, reflection(&next));
        }
    });
}

#[test]
fn codes_tell_moves_apart() {
    let mut codes = HashMap::new();
    random_games(50, |position| {
        for mv in position.moves() {
            let code = Position::code(mv);
            assert!(usize::from(code) < MOVE_CODES && *codes.entry(code).or_insert(mv) == mv);
        }
    });
}

/// Lines of exactly `steps` steps, all six faces told apart.
fn perft(position: &Position, steps: u32) -> u64 {
    let next = |change: &dyn Fn(&mut Position)| {
        let mut child = *position;
        change(&mut child);
        perft(&child, steps - 1)
    };
    match (steps, position.kind()) {
        (0, _) => 1,
        (_, Kind::Over(_)) => 0,
        (_, Kind::Chance) => position.faces().map(|face| next(&|child| child.roll(face.id))).sum(),
        (_, Kind::Decision) => position.moves().iter().map(|&mv| next(&|child| child.play(mv))).sum(),
    }
}

fn slow_perft(reference: &Reference, steps: u32) -> u64 {
    if steps == 0 {
        return 1;
    }
    if reference.blue_has_won().is_some() {
        return 0;
    }
    if reference.roll.is_none() {
        return (1..=6).map(|roll| slow_perft(&Reference { roll: Some(roll), ..reference.clone() }, steps - 1)).sum();
    }
    let children = reference.moves().into_iter().map(|mv| {
        let mut child = reference.clone();
        child.play(&mv);
        child
    });
    children.map(|child| slow_perft(&child, steps - 1)).sum()
}

#[test]
fn lines_from_the_start_are_counted() {
    for (steps, lines) in [(0, 1), (1, 6), (2, 18), (3, 108), (4, 324)] {
        assert_eq!(perft(&Position::default(), steps), lines, "{steps} steps");
    }
    let late = "..1../.2..B/6.F../...5./.D... r -";
    for fen in ["123../45.../6...F/...ED/..CBA b -", late] {
        for steps in 0..=6 {
            assert_eq!(perft(&position(fen), steps), slow_perft(&Reference::from_fen(fen), steps), "{fen} {steps}");
        }
    }
}
