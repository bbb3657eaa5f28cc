//! Forward pruning: with margins so wide that nothing is left out, every kind has plain Expectimax's value; with those of the engine
//! it is deterministic, legal and never exact, and leaves nothing behind that a sound search would believe.

#[path = "support/plain.rs"]
mod plain;
#[path = "support/trees.rs"]
mod trees;

use alea::eval::{Plain, PositionValue};
use alea::game::{Game, Kind, Notation, Step, Value, mix};
use alea::games;
use alea::search::{Algorithm, Limits, Prune, PruneMargins, Searched, Searcher, Settings, Stop, Verdict};
use alea::with_game;
use trees::{Style, Tree};

/// A position some random steps from the start, before the end.
fn random_position<G: Notation>(seed: u64, steps: u32) -> G {
    let mut position = G::start(&[]).unwrap();
    for i in 0..steps {
        let step = match position.kind() {
            Kind::Chance => Step::Outcome(position.chance(seed, i).unwrap()),
            _ => Step::Move(position.moves()[mix(seed ^ mix(i.into())) as usize % position.moves().len()]),
        };
        let next = position.child(step);
        if let Kind::Over(_) = next.kind() {
            break;
        }
        position = next;
    }
    position
}

fn search<G: Searched>(
    position: &G,
    settings: &Settings,
    limits: &Limits<G::Move>,
    searcher: &mut Searcher,
) -> Verdict<G::Move> {
    position.search(searcher, &position.best_evaluator(), settings, limits, &Stop::new(), &mut |_| ())
}

fn check_game<G: Searched>() {
    for seed in 0..4 {
        let position = random_position::<G>(seed, 9 * seed as u32 + 4);
        let depth = if G::NAME == "backgammon" { 3 } else { 4 };
        let evaluator = position.best_evaluator();
        let expected = plain::value(&position, &evaluator, depth);
        let limits = Limits::to_depth(depth);
        let mut worn = Searcher::new(1).unwrap();
        for prune in Prune::ALL {
            for algorithm in [Algorithm::Expectimax, Algorithm::Star1, Algorithm::Star25, Algorithm::StarEtc] {
                let settings = Settings { prune, algorithm, ..Settings::default() };
                let wide = Settings { prune_margins: PruneMargins::WIDEST, ..settings };
                // The heuristic of luck has no margin to widen.
                if prune != Prune::Luck {
                    for searcher in [&mut Searcher::new(0).unwrap(), &mut worn] {
                        let found = search(&position, &wide, &limits, searcher);
                        assert_eq!(found.value, expected, "{} {wide:?}", position.fen());
                    }
                }
                let found = search(&position, &settings, &limits, &mut Searcher::new(1).unwrap());
                let again = search(&position, &settings, &limits, &mut Searcher::new(1).unwrap());
                assert_eq!((found.value, found.best, found.counters), (again.value, again.best, again.counters));
                assert!(prune == Prune::None || !found.is_exact(), "{settings:?}");
                let cut_short = Limits { nodes: Some(100 + seed), ..Limits::default() };
                let found = search(&position, &settings, &cut_short, &mut worn);
                assert!(found.best.is_none_or(|best| position.moves().contains(&best)), "{settings:?}");
                // What that taught is not believed without pruning.
                let sound = search(&position, &Settings { algorithm, ..Settings::default() }, &limits, &mut worn);
                assert_eq!(sound.value, expected, "{} after {settings:?}", position.fen());
            }
        }
    }
}

#[test]
fn every_game_is_pruned_and_stays_sound_without() {
    for &name in games::NAMES {
        with_game!(name, G => check_game::<G>()).expect("a game of the list");
    }
}

/// A position whose value is the game's own is no exact value to a search that may leave something out.
#[test]
fn nothing_is_exact() {
    let position = alea::game::dice::Position::from_dpn("3 3 b 0 r - r b r b - b -").unwrap();
    for prune in Prune::ALL {
        let settings = Settings { prune, ..Settings::default() };
        let found = search(&position, &settings, &Limits::to_depth(9), &mut Searcher::new(1).unwrap());
        assert_eq!(found.is_exact(), prune == Prune::None, "{prune:?}");
    }
}

/// Values by hash.
#[derive(Debug)]
struct Hashed;

impl PositionValue<Tree> for Hashed {
    fn value(&self, tree: &Tree) -> Value {
        Value::from_raw((mix(tree.key(false, 0).hash) % (1 << 25)) as i64 - (1 << 24))
    }
}

/// Where outcomes and moves are left out by position and depth alone, all algorithms find one value.
#[test]
fn algorithms_agree_on_what_is_left_of_the_tree() {
    let mut changed = 0;
    for style in [Style::Before, Style::After, Style::Mixed] {
        for seed in 0..30 {
            let tree = Tree::new(seed, style, [300, 1 << 40][seed as usize % 2], 6);
            for prune in [Prune::Rolls, Prune::Beam] {
                let value = |algorithm, megabytes| {
                    let settings = Settings { prune, algorithm, ..Settings::default() };
                    let mut searcher = Searcher::new(megabytes).unwrap();
                    searcher
                        .search(&tree, &Plain(Hashed), &settings, &Limits::to_depth(5), &Stop::new(), &mut |_| ())
                        .value
                };
                let expected = value(Algorithm::Expectimax, 0);
                changed += u32::from(expected != plain::value(&tree, &Plain(Hashed), 5));
                for algorithm in Algorithm::EXACT {
                    for megabytes in [0, 1] {
                        assert_eq!(value(algorithm, megabytes), expected, "{tree:?} {prune:?} {algorithm:?}");
                    }
                }
            }
        }
    }
    assert!(changed > 50, "{changed}");
}
