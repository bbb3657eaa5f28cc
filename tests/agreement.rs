//! Every algorithm returns plain Expectimax's value, exactly: under evaluators that are a hash of the position, with and
//! without ties, with and without a table, in a table that other searches have filled, and after searches cut short.

#[path = "support/agree.rs"]
mod agree;
#[path = "support/piles.rs"]
mod piles;
#[path = "support/trees.rs"]
mod trees;

use agree::{all_settings, check, plain};
use alea::eval::dice::{DiceEvaluator, EvalKind, Incremental};
use alea::eval::{Plain, PositionValue};
use alea::game::dice::{Board, Position, Shape, Wide, Width, rolls};
use alea::game::{Bounds, Game, Key, Kind, Shortcuts, Step, Turn, Value, mix};
use alea::search::{Algorithm, Limits, Searcher, Settings, Stop};
use piles::Piles;
use trees::{Style, Tree};

/// Values by hash: of many kinds, or of three, so that most comparisons are ties.
#[derive(Clone, Copy, Debug)]
struct Hashed {
    seed: u64,
    three: bool,
    /// Give mirror images one value and look at no roll, as real evaluations of Dice do.
    calm: bool,
}

impl Hashed {
    fn of(&self, hash: u64) -> Value {
        let hash = mix(hash ^ mix(self.seed));
        match self.three {
            true => [Value::from_raw(-5_000_000), Value::DRAW, Value::from_raw(9_999_999)][hash as usize % 3],
            false => Value::from_raw((hash % ((1 << 25) - 1)) as i64 + 1 - (1 << 24)),
        }
    }
}

impl<B: Width> PositionValue<Board<B>> for Hashed {
    fn value(&self, board: &Board<B>) -> Value {
        let Key { hash, .. } = if self.calm { board.without_roll().key(true, 0) } else { board.key(false, 0) };
        self.of(hash)
    }
    fn sees_images_alike(&self) -> bool {
        self.calm
    }
    fn ignores_outcomes(&self) -> bool {
        self.calm
    }
}

impl PositionValue<Tree> for Hashed {
    fn value(&self, tree: &Tree) -> Value {
        self.of(tree.key(false, 0).hash)
    }
}

impl PositionValue<Piles> for Hashed {
    fn value(&self, piles: &Piles) -> Value {
        self.of(if self.calm { piles.image_hash() } else { piles.key(false, 0).hash })
    }
    fn sees_images_alike(&self) -> bool {
        self.calm
    }
    fn ignores_outcomes(&self) -> bool {
        self.calm
    }
}

/// A position of `plies` random plies from the start, or of fewer if the game would end; rolled if `roll`.
fn random_position<B: Width>(shape: Shape, seed: u64, plies: u32, roll: bool) -> Board<B> {
    let mut board = Board::<B>::new(shape);
    for ply in 0..plies {
        let rolled = board.with_roll(rolls::roll(seed, ply, &board).unwrap().into()).unwrap();
        let cells: Vec<_> = rolled.legal_cells().collect();
        let next = rolled.play_on(cells[mix(seed ^ u64::from(ply) << 20) as usize % cells.len()]).unwrap();
        if !matches!(next.kind(), Kind::Chance) {
            break;
        }
        board = next;
    }
    if roll { board.with_roll(rolls::roll(seed, plies, &board).unwrap().into()).unwrap() } else { board }
}

fn check_dice<B: Width>(shape: (usize, usize), plies: u32, depth: u32, positions: u64) {
    let shape = Shape::new(shape.0, shape.1).unwrap();
    for seed in 0..positions {
        let mut worn = Searcher::new(1).unwrap();
        for (three, calm) in [(false, false), (false, true), (true, false), (true, true)] {
            // Another evaluator needs another table: entries are values under one evaluation.
            worn.forget();
            let evaluator = Plain(Hashed { seed, three, calm });
            let board = random_position::<B>(shape, seed, plies, seed % 3 != 0);
            check(&board, &evaluator, depth, &mut worn, &board.dpn());
        }
    }
}

#[test]
fn dice_on_small_boards() {
    check_dice::<u32>((3, 3), 0, 5, 4);
    check_dice::<u32>((3, 3), 3, 7, 6);
    check_dice::<u32>((4, 3), 4, 5, 6);
    check_dice::<u32>((4, 4), 6, 6, 6);
    check_dice::<u32>((5, 4), 8, 4, 8);
    check_dice::<u32>((5, 4), 14, 5, 12);
    check_dice::<u32>((5, 4), 18, 7, 12);
    check_dice::<u32>((5, 3), 6, 5, 4);
    check_dice::<u64>((5, 4), 14, 5, 4);
    check_dice::<u64>((7, 4), 12, 3, 6);
    check_dice::<u64>((7, 6), 40, 5, 4);
}

#[test]
fn dice_on_larger_boards() {
    check_dice::<u128>((8, 5), 20, 3, 4);
    check_dice::<u128>((10, 4), 30, 3, 3);
    check_dice::<Wide>((11, 6), 30, 3, 2);
    check_dice::<Wide>((17, 8), 60, 2, 2);
    check_dice::<Wide>((5, 4), 14, 5, 4);
}

/// The same by networks, whose states follow the game move by move.
#[test]
fn dice_by_networks() {
    fn check_network<B: Incremental>(shape: (usize, usize), plies: u32, depth: u32, positions: u64) {
        let shape = Shape::new(shape.0, shape.1).unwrap();
        let evaluator = DiceEvaluator::for_shape(shape);
        assert!(matches!(evaluator.kind(), EvalKind::Net(_)));
        let mut worn = Searcher::new(1).unwrap();
        for seed in 0..positions {
            let board = random_position::<B>(shape, seed, plies, seed % 3 != 0);
            check(&board, &evaluator, depth, &mut worn, &board.dpn());
        }
    }
    check_network::<u32>((5, 4), 8, 4, 6);
    check_network::<u32>((5, 4), 14, 5, 12);
    check_network::<u32>((5, 4), 18, 7, 12);
    check_network::<u64>((7, 4), 12, 3, 4);
    check_network::<u64>((7, 4), 36, 5, 4);
    check_network::<u128>((9, 8), 66, 5, 2);
    check_network::<Wide>((13, 8), 60, 2, 2);
}

#[test]
fn random_trees_with_uneven_weights() {
    for style in [Style::Before, Style::After, Style::Mixed] {
        for (size, width, depth) in [(1 << 40, 4, 5), (1 << 40, 6, 4), (300, 3, 6), (40, 3, 7), (40, 2, 9)] {
            for seed in 0..25 {
                let tree = Tree::new(seed, style, size, width);
                let mut worn = Searcher::new(1).unwrap();
                for three in [false, true] {
                    worn.forget();
                    let evaluator = Plain(Hashed { seed, three, calm: false });
                    for depth in [depth - 2, depth] {
                        check(&tree, &evaluator, depth, &mut worn, &format!("{tree:?}"));
                    }
                }
            }
        }
    }
}

/// Frontier, previews and bounds of the rules, in a game with uneven weights.
#[test]
fn piles_with_every_shortcut() {
    for (count, depth) in [(2, 7), (3, 6), (4, 5), (6, 4), (8, 4), (8, 5)] {
        for seed in 0..12 {
            let mut worn = Searcher::new(1).unwrap();
            let piles = Piles::new(seed, count, seed % 3 != 0);
            for (three, calm) in [(false, false), (false, true), (true, false), (true, true)] {
                worn.forget();
                let evaluator = Plain(Hashed { seed, three, calm });
                for depth in [depth - 1, depth] {
                    check(&piles, &evaluator, depth, &mut worn, &format!("{piles:?}"));
                }
            }
        }
    }
}

/// What that game says of itself sooner is what its rules say.
#[test]
fn shortcuts_of_piles_are_sound() {
    for seed in 0..200 {
        let piles = Piles::new(seed, 2 + seed as usize % 7, false);
        for depth in 0..5 {
            for (outcome, told) in piles.bounded_outcomes(depth) {
                let child = piles.child(Step::Outcome(outcome.id));
                assert_eq!(told, if depth == 0 { Bounds::UNKNOWN } else { child.bounds(depth) });
                assert!(piles.moves_after(outcome.id).eq(child.moves()));
                for mv in child.moves() {
                    let next = child.child(Step::Move(mv));
                    assert_eq!(piles.key_after(outcome.id, mv, true, 0), (next.key(true, 0), Turn::Passed));
                    assert!(told.is_exact() || depth == 0 || next.kind() == Kind::Chance);
                }
            }
        }
    }
}

/// Solved positions: the value of every root move is the game's own, under every algorithm.
#[test]
fn endgames_are_solved_exactly() {
    let evaluator = Plain(Hashed { seed: 9, three: false, calm: true });
    let mut solved = 0;
    for seed in 0..60 {
        let (n, k) = [(5, 4), (4, 3), (4, 4), (5, 5), (3, 3)][seed as usize % 5];
        let shape = Shape::new(n, k).unwrap();
        let plies = (n * n) as u32 - 5 - seed as u32 % 3;
        let position = random_position::<Wide>(shape, seed, plies, true);
        if position.empty_count() > 9 {
            continue;
        }
        solved += 1;
        let depth = 2 * position.empty_count() as u32;
        for settings in all_settings() {
            let settings = Settings { multi_pv: 20, ..settings };
            let mut last = None;
            let verdict = Searcher::new(1).unwrap().search_dice(
                &position,
                &evaluator,
                &settings,
                &Limits::default(),
                &Stop::new(),
                &mut |report| last = Some(report),
            );
            let iteration = verdict.last.unwrap();
            assert!(iteration.exact, "{position:?} {settings:?}");
            assert_eq!(iteration.lines.len(), position.legal_cells().count());
            for line in &iteration.lines {
                let child = position.child(Step::Move(*line.first().unwrap()));
                let expected = -plain::value(&child, &evaluator, depth - 1);
                assert_eq!(line.value, expected, "{position:?} {settings:?} {line:?}");
            }
            assert!(iteration.lines.is_sorted_by(|a, b| a.value >= b.value));
        }
    }
    assert!(solved > 30, "only {solved} positions were late enough");
}

/// Threads share a table and take turns in their own order, and still find the one value.
#[test]
fn threads_agree() {
    let limits = Limits::to_depth(7);
    for seed in 0..40 {
        let three = seed % 2 == 0;
        let evaluator = Plain(Hashed { seed, three, calm: true });
        let board = random_position::<u32>(Shape::default(), seed, 15, true);
        let expected = plain::value(&board, &evaluator, 7);
        for settings in all_settings() {
            let settings = Settings { threads: 2, ..settings };
            let mut searcher = Searcher::new(1).unwrap();
            let verdict = searcher.search(&board, &evaluator, &settings, &limits, &Stop::new(), &mut |_| ());
            assert_eq!(verdict.value, expected, "{board:?} {settings:?}");
        }
    }
}

/// The empty 3x3 board, three in a row, not rolled.
#[test]
fn the_smallest_game_is_worth_what_it_is() {
    let position = Position::new(Shape::new(3, 3).unwrap());
    let evaluator = Plain(Hashed { seed: 1, three: false, calm: true });
    for algorithm in Algorithm::EXACT {
        let settings = Settings { algorithm, ..Settings::default() };
        let (limits, stop) = (Limits::default(), Stop::new());
        let mut searcher = Searcher::new(16).unwrap();
        let verdict = searcher.search_dice(&position, &evaluator, &settings, &limits, &stop, &mut |_| ());
        assert_eq!(verdict.value.to_string(), "0.347451", "{algorithm:?}");
        assert!(verdict.last.unwrap().exact);
        assert_eq!((verdict.best, verdict.outcomes.len()), (None, 3));
    }
}

/// A roll that wins whatever it shows is no evaluatorment: the search ends with the iteration that saw nothing else.
#[test]
fn what_the_rules_decide_is_not_evaluatord() {
    let position = Position::from_dpn("3 3 b 0 r - r b r b - b -").unwrap();
    let evaluator = Plain(Hashed { seed: 1, three: false, calm: true });
    for settings in all_settings() {
        let (limits, stop) = (Limits::default(), Stop::new());
        let mut searcher = Searcher::new(1).unwrap();
        let verdict = searcher.search_dice(&position, &evaluator, &settings, &limits, &stop, &mut |_| ());
        let last = verdict.last.unwrap();
        assert_eq!((last.depth, last.exact), (3, true), "{settings:?}");
    }
}

/// A node limit is kept to the node.
#[test]
fn node_limits_are_exact() {
    let position = random_position::<Wide>(Shape::default(), 5, 6, true);
    let evaluator = Plain(Hashed { seed: 1, three: false, calm: true });
    for settings in all_settings() {
        for nodes in [1, 2, 3, 10, 77, 1000, 1023, 1024, 1025, 5000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mut searcher = Searcher::new(1).unwrap();
            let verdict = searcher.search_dice(&position, &evaluator, &settings, &limits, &Stop::new(), &mut |_| ());
            assert_eq!(verdict.counters.nodes, nodes, "{settings:?}");
            assert!(position.moves().contains(&verdict.best.unwrap()));
        }
    }
}

/// What the rules say of all outcomes together is what they say of each child.
#[test]
fn outcomes_are_ruled_as_their_children_are() {
    let mut spoken = 0;
    for (seed, (n, k)) in (0..400).flat_map(|seed| [(3, 3), (4, 3), (5, 4), (7, 4)].map(|shape| (seed, shape))) {
        let board = random_position::<u64>(Shape::new(n, k).unwrap(), seed, seed as u32 % 20, false);
        for depth in 0..5 {
            for (outcome, told) in board.bounded_outcomes(depth) {
                let child = board.child(Step::Outcome(outcome.id));
                let child = if depth == 0 { Bounds::UNKNOWN } else { child.bounds(depth) };
                assert_eq!(told, child, "{} roll {} to depth {depth}", board.dpn(), outcome.id);
                spoken += usize::from(told != Bounds::UNKNOWN);
                if board.is_quiet_beyond() && depth > 0 && !told.is_exact() {
                    let next = board
                        .moves_after(outcome.id)
                        .map(|mv| board.child(Step::Outcome(outcome.id)).child(Step::Move(mv)));
                    assert!(next.into_iter().all(|next| next.kind() == Kind::Chance && next.is_quiet()));
                }
            }
            assert!(board.bounded_outcomes(depth).map(|(outcome, _)| outcome).eq(board.outcomes()));
        }
    }
    assert!(spoken > 1000, "{spoken}");
}

/// Mirror images have one key, and moves translate between them; other positions have other keys.
#[test]
fn keys_are_shared_by_images_alone() {
    let mut seen = std::collections::HashMap::new();
    for seed in 0..400u64 {
        let shape = Shape::new(5, 4).unwrap();
        let board = random_position::<u64>(shape, seed, seed as u32 % 9, seed % 2 == 0);
        let mirrored = mirror_columns(&board);
        assert_eq!(board.key(true, 0).hash, mirrored.key(true, 0).hash, "{board:?} {mirrored:?}");
        let key = seen.entry(board.key(false, 0).hash).or_insert(board.dpn());
        assert_eq!(*key, board.dpn());
        if board.kind() == Kind::Decision {
            let frame = board.key(true, 0).frame;
            for mv in board.moves() {
                assert_eq!(board.reframe(board.reframe(mv, frame), frame), mv);
                for images in [false, true] {
                    let (key, turn) = board.without_roll().key_after(board.roll().unwrap(), mv, images, 0);
                    let next = board.child(Step::Move(mv));
                    assert_eq!((key, turn), (next.key(images, 0), Turn::Passed), "known before the roll");
                }
            }
        }
    }
}

fn mirror_columns<B: Width>(board: &Board<B>) -> Position {
    let n = board.shape().size();
    let words: Vec<String> = board.dpn().split_whitespace().map(str::to_owned).collect();
    let mut text = words[..4].to_vec();
    if board.side().letter() == 'r'
        && let Some(roll) = board.roll()
    {
        text[3] = (n as u8 - 1 - roll).to_string();
    }
    for row in words[4..].chunks(n) {
        text.extend(row.iter().rev().cloned());
    }
    Position::from_dpn(&text.join(" ")).unwrap()
}
