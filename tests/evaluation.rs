//! The evaluation across modules: accumulators that follow the game, symmetries, files, evaluators.

use alea::eval::dice::features::{FeatureSet, Grid, Layout};
use alea::eval::dice::file::{self, FileError};
use alea::eval::dice::network::{Network, Weights, worst_sum};
use alea::eval::dice::{DiceEvaluator, EvalKind, Incremental, nets};
use alea::eval::{ChildEvaluator, Evaluator, Noise, RunningMax};
use alea::game::dice::{Board, Cell, Move, Position, Shape, Side, Wide, rolls};
use alea::game::{Capacity, Game, Kind, Shortcuts, Slots, Step, Value, mix};
use std::sync::Arc;

/// A network of random weights, small enough for its sums; every other one of lines has straight units, and from the 16th
/// seed on they have fewer units than there is room for.
fn random_network(shape: Shape, set: FeatureSet, seed: u64) -> Network {
    let straight = if set == FeatureSet::Lines { 2 * (seed % 2) as usize } else { 0 };
    let units = match set {
        FeatureSet::Lines => 8 - (seed / 16 % 8) as usize,
        FeatureSet::Counts => 32 - (seed / 16 * 7 % 32) as usize,
        FeatureSet::Streaks => 13,
    };
    let features = alea::eval::dice::features::Layout::new(shape, set).len();
    let mut drawn = seed << 32;
    let mut draw = |size: i64| {
        drawn += 1;
        ((mix(drawn) % (2 * size as u64 + 1)) as i64 - size) as i16
    };
    let first = (0..features * units).map(|_| draw(10)).collect();
    let bias = (0..units).map(|_| draw(60)).collect();
    let out = (0..units).map(|_| draw(2000)).collect();
    Network::new(Weights { shape, set, one: 100, shift: 16, first, bias, out, out_bias: 1234, straight }).unwrap()
}

/// Every position of some random games: unrolled and unfinished ones.
fn positions<B: Incremental>(shape: Shape, games: u64) -> Vec<Board<B>> {
    let mut found = Vec::new();
    for seed in 0..games {
        let mut board = Board::<B>::new(shape);
        for ply in 0.. {
            let Some(roll) = rolls::roll(seed, ply, &board) else { break };
            found.push(board);
            board = board.with_roll(roll.into()).unwrap();
            let moves = board.moves();
            board = board.child(Step::Move(moves[mix(seed << 32 | u64::from(ply)) as usize % moves.len()]));
        }
    }
    found
}

/// Play random games, asking the evaluator at each step what the network says afresh.
fn follow<B: Incremental>(shape: Shape, set: FeatureSet, games: u64) {
    for seed in [2, 3, 48, 49] {
        follow_network::<B>(random_network(shape, set, seed), games);
    }
}

fn follow_network<B: Incremental>(network: Network, games: u64) {
    let (shape, set) = (network.weights().shape, network.weights().set);
    let network = Arc::new(network);
    let evaluator = DiceEvaluator::new(EvalKind::Net(network.clone()), shape, Noise::NONE).unwrap();
    for seed in 0..games {
        let mut board = Board::<B>::new(shape);
        let mut state = evaluator.state(&board);
        for ply in 0.. {
            let Some(roll) = rolls::roll(seed, ply, &board) else { break };
            assert_eq!(evaluator.value(&state, &board), network.value_afresh(&board), "{shape} {set:?}");
            assert_eq!(
                evaluator.value(&evaluator.state(&board), &board),
                network.value_afresh(&board),
                "{shape} {set:?}"
            );
            let rolled = board.child(Step::Outcome(roll));
            let moves = rolled.moves();
            let quiet: Vec<Move> =
                moves.iter().copied().filter(|&mv| rolled.child(Step::Move(mv)).kind() == Kind::Chance).collect();
            let children = evaluator.children(&state, &rolled);
            let before_the_roll = evaluator.children(&state, &board);
            for &mv in &quiet {
                let value = children.value_after(mv);
                assert_eq!(value, before_the_roll.value_after(mv), "{shape} {set:?} seed {seed} ply {ply}");
                let child = rolled.child(Step::Move(mv));
                assert_eq!(value, -network.value_afresh(&child), "{shape} {set:?} seed {seed} ply {ply}");
            }
            // On large boards all moves of every position would take long.
            let thorough = shape.size() <= 5 || (seed + u64::from(ply)).is_multiple_of(16);
            if thorough {
                maxima_are_the_best_of_all(&before_the_roll, &board);
            }
            let mv = moves[mix(seed << 32 | u64::from(ply)) as usize % moves.len()];
            board = rolled.child(Step::Move(mv));
            let mut last = state;
            evaluator.advance_before_last(&mut last, &rolled, Step::Move(mv), &board);
            state = evaluator.advanced(&state, &rolled, Step::Move(mv), &board);
            if thorough && board.kind() == Kind::Chance {
                let look = evaluator.children(&last, &board);
                for mv in quiet_decisions(&board).into_iter().flatten() {
                    let next = board.child(Step::Move(mv));
                    let worth = network.value_afresh(&next);
                    assert_eq!(look.value_after(mv), -worth, "{shape} {set:?} seed {seed} ply {ply}");
                    assert_eq!(
                        evaluator.value(&evaluator.advanced(&last, &board, Step::Move(mv), &next), &next),
                        worth
                    );
                }
            }
        }
    }
}

/// The moves after each outcome with which no move ends the game.
fn quiet_decisions<B: Incremental>(board: &Board<B>) -> Vec<Vec<Move>> {
    let decisions = board.outcomes().map(|outcome| board.moves_after(outcome.id).collect::<Vec<_>>());
    let ends = |mv: Move| board.child(Step::Move(mv)).kind() != Kind::Chance;
    decisions.map(|moves| if moves.iter().any(|&mv| ends(mv)) { Vec::new() } else { moves }).collect()
}

/// A maximum for each outcome.
type Maxima<B> = <<Board<B> as Game>::OutcomeCapacity as Capacity>::Slots<RunningMax>;

/// The best of the moves after each outcome, found all at once, has the value of the best one found by itself.
fn maxima_are_the_best_of_all<B: Incremental>(children: &impl ChildEvaluator<Board<B>>, board: &Board<B>) {
    let decisions = quiet_decisions(board);
    let ids: Vec<u8> = board.outcomes().map(|outcome| outcome.id).collect();
    let open = || (0..decisions.len()).filter(|&i| !decisions[i].is_empty());
    let mut maxima = Maxima::<B>::filled(RunningMax::NONE);
    let moves = children.include_all(board, open().map(|i| (ids[i], i as u16)), &mut maxima);
    assert_eq!(moves, decisions.iter().map(Vec::len).sum());
    for i in open() {
        let best = decisions[i].iter().map(|&mv| children.value_after(mv)).max().unwrap();
        assert_eq!(children.maximum(maxima.all()[i]), best, "{} roll {}", board.dpn(), ids[i]);
    }
    assert_eq!(children.maximum(RunningMax::NONE), Value::LOSS);
}

#[test]
fn accumulators_follow_the_game() {
    for set in [FeatureSet::Lines, FeatureSet::Streaks, FeatureSet::Counts] {
        for (n, k) in [(3, 3), (4, 3), (4, 4), (5, 3), (5, 4), (5, 5), (6, 4), (7, 3), (7, 4)] {
            let shape = Shape::new(n, k).unwrap();
            if n <= 5 && set == FeatureSet::Counts {
                continue;
            }
            if n <= 5 {
                follow::<u32>(shape, set, 20);
            }
            follow::<u64>(shape, set, 20);
            follow::<Wide>(shape, set, 3);
        }
        for (n, k) in [(9, 4), (9, 6), (9, 8), (10, 3)] {
            follow::<u128>(Shape::new(n, k).unwrap(), set, 5);
        }
        for (n, k) in [(13, 6), (17, 3), (17, 8), (17, 17)] {
            follow::<Wide>(Shape::new(n, k).unwrap(), set, 1);
        }
    }
}

/// The position with every cell moved and, with `swap`, the sides exchanged.
fn moved(board: &Position, swap: bool, place: impl Fn(Cell) -> Cell) -> Position {
    let side = |side: Side| if swap { side.other() } else { side };
    let checkers: Vec<_> = board.checkers().map(|(cell, owner)| (place(cell), side(owner))).collect();
    Position::set_up(board.shape(), side(board.side()), checkers.into_iter()).unwrap()
}

#[test]
fn images_and_the_other_side_have_the_same_value() {
    for (n, k) in [(5, 4), (9, 6), (17, 4)] {
        let shape = Shape::new(n, k).unwrap();
        let last = n as u8 - 1;
        let sets = [FeatureSet::Lines, FeatureSet::Counts].into_iter().filter(|set| n > 5 || *set == FeatureSet::Lines);
        let networks = sets.map(|set| EvalKind::Net(Arc::new(random_network(shape, set, 3))));
        let noise = Noise::new(0.05, 11).unwrap();
        let quiet = networks.chain([EvalKind::Pairs]).map(|kind| (kind, Noise::NONE));
        for (kind, noise) in quiet.chain([(EvalKind::Zero, noise)]) {
            let evaluator = DiceEvaluator::new(kind, shape, noise).unwrap();
            let value = |board: &Position| evaluator.value(&evaluator.state(board), board);
            assert!(Evaluator::<Position>::sees_images_alike(&evaluator));
            for board in positions::<Wide>(shape, 3) {
                let told = value(&board);
                for image in [
                    moved(&board, false, |cell| Cell { col: last - cell.col, ..cell }),
                    moved(&board, false, |cell| Cell { row: last - cell.row, ..cell }),
                    moved(&board, false, |cell| Cell { row: last - cell.row, col: last - cell.col }),
                ] {
                    assert_eq!(value(&image), told);
                    assert_eq!(image.key(true, 0).hash, board.key(true, 0).hash);
                }
                if noise.is_none() {
                    let other = moved(&board, true, |cell| Cell { row: cell.col, col: cell.row });
                    assert_eq!(value(&other), told);
                }
            }
        }
    }
}

#[test]
fn a_roll_changes_no_value() {
    let shape = Shape::default();
    for noise in [Noise::NONE, Noise::new(0.1, 5).unwrap()] {
        for kind in [EvalKind::Pairs, EvalKind::Zero, DiceEvaluator::for_shape(shape).kind().clone()] {
            let evaluator = DiceEvaluator::new(kind, shape, noise).unwrap();
            assert!(Evaluator::<Board<u64>>::ignores_outcomes(&evaluator));
            for board in positions::<u64>(shape, 10) {
                let state = evaluator.state(&board);
                for outcome in board.outcomes() {
                    let rolled = board.child(Step::Outcome(outcome.id));
                    assert_eq!(evaluator.value(&state, &rolled), evaluator.value(&state, &board));
                }
            }
        }
    }
}

#[test]
fn noise_is_added_and_clamped() {
    let shape = Shape::default();
    let zero = |deviation| DiceEvaluator::new(EvalKind::Zero, shape, Noise::new(deviation, 1).unwrap()).unwrap();
    let (small, huge) = (zero(0.02), zero(50.0));
    let boards = positions::<u64>(shape, 20);
    let value = |evaluator: &DiceEvaluator, board: &Board<u64>| evaluator.value(&evaluator.state(board), board);
    assert!(boards.iter().all(|board| value(&small, board).to_f64().abs() < 0.12));
    let ends = boards.iter().filter(|board| [Value::WIN, Value::LOSS].contains(&value(&huge, board))).count();
    assert!(ends > boards.len() * 9 / 10);
    for board in &boards {
        let parts = small.explain(board);
        assert_eq!(parts.value, value(&small, board));
        assert_eq!(parts.noise, Some(parts.value));
    }
}

#[test]
fn files_come_back_as_they_went() {
    for (n, k) in [(3, 3), (5, 4), (17, 8)] {
        let sets = [FeatureSet::Lines, FeatureSet::Streaks, FeatureSet::Counts];
        for set in sets.into_iter().filter(|set| n > 5 || *set != FeatureSet::Counts) {
            for seed in [8, 9] {
                let network = random_network(Shape::new(n, k).unwrap(), set, seed);
                let back = file::from_bytes(&file::to_bytes(network.weights())).unwrap();
                assert_eq!(back.weights(), network.weights());
            }
        }
    }
}

#[test]
fn every_damage_is_refused() {
    for seed in [2, 3] {
        refuse_damage(&random_network(Shape::new(3, 3).unwrap(), FeatureSet::Lines, seed));
    }
}

fn refuse_damage(network: &Network) {
    let bytes = file::to_bytes(network.weights());
    for len in 0..bytes.len() {
        assert!(file::from_bytes(&bytes[..len]).is_err(), "{len} bytes of {}", bytes.len());
    }
    for at in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            let mut bad = bytes.clone();
            bad[at] ^= flip;
            assert!(file::from_bytes(&bad).is_err(), "byte {at} flipped by {flip}");
        }
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(file::from_bytes(&longer), Err(FileError::Length { .. })));
}

#[test]
fn each_fault_has_its_own_error() {
    let weights = random_network(Shape::new(3, 3).unwrap(), FeatureSet::Lines, 2).weights().clone();
    let bytes = file::to_bytes(&weights);
    // A file with one byte of the header changed and the checksum made right again.
    let forged = |at: usize, byte: u8| {
        let mut bad = bytes.clone();
        bad[at] = byte;
        let body = bad.len() - 4;
        let sum = crc32fast::hash(&bad[..body]);
        bad[body..].copy_from_slice(&sum.to_le_bytes());
        file::from_bytes(&bad).unwrap_err().to_string()
    };
    let with = |change: fn(&mut Weights)| {
        let mut changed = weights.clone();
        change(&mut changed);
        file::from_bytes(&file::to_bytes(&changed)).unwrap_err().to_string()
    };
    let cases = [
        (file::from_bytes(b"PNG is not a net, is it?").unwrap_err().to_string(), "does not start with ALEA-NET"),
        (file::from_bytes(b"").unwrap_err().to_string(), "does not start with ALEA-NET"),
        (forged(8, 3), "version 3; this program reads versions 1 and 2"),
        (forged(8, 2), "truncated"),
        (forged(10, 2), "no shape 2/3"),
        (forged(10, 4), "expected"),
        (forged(12, 7), "kind (7)"),
        (forged(13, 9), "truncated"),
        (forged(16, 200), "shift is 200"),
        (with(|weights| weights.one = 0), "one is 0"),
        (
            with(|weights| {
                weights.set = FeatureSet::Counts;
                weights.first.truncate(weights.units() * Layout::new(weights.shape, weights.set).len());
            }),
            "its features are for larger boards than 3/3",
        ),
        (with(|weights| weights.straight = 9), "straight is 9"),
        (
            with(|weights| (weights.straight, weights.bias[7], weights.out[7]) = (1, 30_000, 32_767)),
            "output could overflow",
        ),
        (with(|weights| weights.bias[2] = 32_767), "unit 2 could overflow"),
        (with(|weights| weights.out_bias = i32::MAX), "output could overflow"),
    ];
    for (message, part) in cases {
        assert!(message.contains(part), "'{message}' should say '{part}'");
    }
}

/// No sum of weights leaves its bound, on boards filled by anybody in any order.
#[test]
fn sums_keep_their_bounds() {
    for (n, k) in [(4, 3), (6, 4), (9, 6)] {
        let shape = Shape::new(n, k).unwrap();
        for set in [FeatureSet::Lines, FeatureSet::Counts] {
            let layout = Layout::new(shape, set);
            for seed in 0..40 {
                let drawn = |i: usize| mix(seed << 40 | i as u64);
                // Every fourth has weights of one sign only, which come nearest to the bound.
                let low = if seed % 4 == 0 { 0.0 } else { -0.5 };
                let weights: Vec<f64> = (0..layout.len()).map(|i| drawn(i) as f64 / u64::MAX as f64 + low).collect();
                let bias = drawn(1 << 30) as f64 / u64::MAX as f64 - 0.5;
                let bound = worst_sum(&layout, bias, &weights);
                let cells = (0..n * n).map(|i| Cell { row: (i / n) as u8, col: (i % n) as u8 });
                let owner = |cell: Cell| match drawn(usize::from(cell.row) << 20 | usize::from(cell.col)) % 8 {
                    0 => None,
                    blue if blue <= seed % 8 => Some((cell, Side::Blue)),
                    _ => Some((cell, Side::Red)),
                };
                let Some(board) = Position::set_up(shape, Side::Blue, cells.filter_map(owner)) else { continue };
                let mut sum = bias;
                layout.visit(&Grid::of(&board, Side::Blue), |feature| sum += weights[feature]);
                assert!(sum.abs() <= bound + 1e-9, "{set:?} {sum} {bound} {}", board.dpn());
            }
        }
    }
}

#[test]
fn files_on_disk() {
    let folder = std::env::temp_dir().join(format!("alea-evaluation-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.net");
    let network = random_network(Shape::default(), FeatureSet::Streaks, 4);
    file::save(&path, network.weights()).unwrap();
    assert_eq!(file::load(&path, Shape::default()).unwrap().weights(), network.weights());
    let other = Shape::new(7, 4).unwrap();
    assert!(matches!(file::load(&path, other), Err(FileError::OtherShape { .. })));
    assert!(matches!(file::load(&folder.join("none.net"), other), Err(FileError::Io(_))));
    assert!(matches!(file::load(&folder, other), Err(FileError::Io(_))));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "no part left behind");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_network_of_another_shape_is_refused() {
    let network = Arc::new(random_network(Shape::default(), FeatureSet::Lines, 4));
    let other = Shape::new(6, 4).unwrap();
    let refused = DiceEvaluator::new(EvalKind::Net(network), other, Noise::NONE).unwrap_err();
    assert_eq!(refused.to_string(), "the network is for 5/4, the game is 6/4");
    assert!(matches!(DiceEvaluator::for_shape(other).kind(), EvalKind::Pairs));
    assert!(nets::shapes().all(|shape| matches!(DiceEvaluator::for_shape(shape).kind(), EvalKind::Net(_))));
}
