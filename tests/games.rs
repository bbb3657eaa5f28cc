//! What holds in every game of the list: all algorithms return plain Expectimax's value, notations are read back, lines of play
//! are counted alike, and late positions are solved.

#[path = "support/agree.rs"]
mod agree;

use agree::{all_settings, check, plain};
use alea::eval::{Evaluated, Noise, Plain, PositionValue};
use alea::game::{Kind, Notation, Shortcuts, Step, Value, mix, perft, read_plies, write_plies};
use alea::games;
use alea::search::{Limits, Searched, Searcher, Settings, Stop};
use alea::with_game;

/// Do something in every game.
macro_rules! in_every_game {
    ($G:ident => $what:expr) => {
        for &name in games::NAMES {
            with_game!(name, $G => $what).expect("a game of the list");
        }
    };
}

/// A position `steps` random steps from the start, or fewer if the game would end; and the steps.
fn random_line<G: Notation>(seed: u64, steps: u32) -> (G, Vec<Step<G::Move>>) {
    let mut position = G::start(&[]).unwrap();
    let mut line = Vec::new();
    for i in 0..steps {
        let step = match position.kind() {
            Kind::Over(_) => unreachable!("lines stop before the end"),
            Kind::Chance => Step::Outcome(position.chance(seed, i).unwrap()),
            Kind::Decision => {
                let moves = position.moves();
                Step::Move(moves[mix(seed ^ mix(i.into())) as usize % moves.len()])
            }
        };
        let next = position.child(step);
        if let Kind::Over(_) = next.kind() {
            break;
        }
        line.push(step);
        position = next;
    }
    (position, line)
}

/// Values by hash of everything that a position is: of many kinds, or of three, so that most comparisons are ties.
#[derive(Clone, Copy, Debug)]
struct Hashed {
    seed: u64,
    three: bool,
}

impl<G: Notation> PositionValue<G> for Hashed {
    fn value(&self, game: &G) -> Value {
        // To a great depth a key leaves nothing out.
        let hash = mix(game.key(false, 1_000_000).hash ^ mix(self.seed));
        match self.three {
            true => [Value::from_raw(-5_000_000), Value::DRAW, Value::from_raw(9_999_999)][hash as usize % 3],
            false => Value::from_raw((hash % ((1 << 25) - 1)) as i64 + 1 - (1 << 24)),
        }
    }
}

/// How far plain search can look in a test.
fn affordable_depth<G: Notation>(position: &G) -> u32 {
    let branches = match position.kind() {
        Kind::Decision => position.moves().len(),
        _ => position.outcomes().count(),
    };
    if branches <= 6 && G::NAME != "backgammon" { 4 } else { 3 }
}

fn agrees<G: Evaluated>(positions: u64) {
    for seed in 0..positions {
        let (position, _) = random_line::<G>(seed, 7 * seed as u32 % 61);
        let depth = affordable_depth(&position);
        let label = position.fen();
        for three in [false, true] {
            let mut worn = Searcher::new(1).unwrap();
            check(&position, &Plain(Hashed { seed, three }), depth, &mut worn, &label);
        }
        for (name, noise) in G::EVALUATIONS.iter().flat_map(|name| [(name, 0.0), (name, 0.2)]) {
            let evaluator = position.evaluator(name, None, Noise::new(noise, seed).unwrap()).unwrap();
            agrees_under(&position, &evaluator, depth - 1, &label);
        }
    }
}

/// The same for an evaluator of the game's own, with no table and a small one.
fn agrees_under<G: Evaluated>(position: &G, evaluator: &G::Evaluator, depth: u32, label: &str) {
    let expected = plain::value(position, evaluator, depth);
    for settings in all_settings() {
        for table in [0, 1] {
            let mut searcher = Searcher::new(table).unwrap();
            let limits = Limits::to_depth(depth);
            let verdict = searcher.search(position, evaluator, &settings, &limits, &Stop::new(), &mut |_| ());
            assert_eq!(verdict.value, expected, "{label} {settings:?} {table} MB");
        }
    }
}

#[test]
fn every_algorithm_is_plain_expectimax_in_every_game() {
    in_every_game!(G => agrees::<G>(6));
}

/// What a game says sooner, it says rightly.
#[test]
fn shortcuts_agree_with_the_rules() {
    fn agree<G: Shortcuts + Notation>() {
        for seed in 0..60 {
            let (position, _) = random_line::<G>(seed, seed as u32);
            let steps: Vec<Step<G::Move>> = match position.kind() {
                Kind::Decision => position.moves().iter().map(|&mv| Step::Move(mv)).collect(),
                _ => position.outcomes().map(|outcome| Step::Outcome(outcome.id)).collect(),
            };
            for step in steps {
                let child = position.child(step);
                let turn = alea::game::Turn::between(position.mover(), child.mover());
                assert_eq!(position.turn(step, &child), turn, "{} {step:?}", Notation::fen(&position));
            }
            if position.kind() == Kind::Chance {
                assert!(position.outcomes().count() <= position.most_outcomes());
                for (outcome, told) in position.bounded_outcomes(3) {
                    let child = position.child(Step::Outcome(outcome.id));
                    assert_eq!(told, child.bounds(3).before(position.turn(Step::Outcome(outcome.id), &child)));
                }
            }
        }
    }
    in_every_game!(G => agree::<G>());
}

#[test]
fn positions_and_lines_are_read_back() {
    fn read_back<G: Notation>() {
        for seed in 0..80 {
            let (position, line) = random_line::<G>(seed, seed as u32);
            for keyword in G::KEYWORDS.iter().chain(&["fen"]) {
                let text = position.write(keyword);
                let words: Vec<&str> = text.split(' ').collect();
                assert_eq!(G::read(keyword, &words).unwrap().write(keyword), text);
            }
            let plies = write_plies(&G::start(&[]).unwrap(), &line);
            let (steps, end) = read_plies(&G::start(&[]).unwrap(), plies.iter().map(String::as_str)).unwrap();
            assert_eq!(steps, line[..steps.len()], "{plies:?}");
            assert!(line.len() - steps.len() <= 1, "only a roll with no move may be missing");
            assert!(steps.len() < line.len() || Notation::fen(&end) == Notation::fen(&position));
        }
    }
    in_every_game!(G => read_back::<G>());
}

/// Total weight of the faces is that of the outcomes, and each face belongs to one of them.
#[test]
fn faces_are_outcomes() {
    fn compare<G: Notation>() {
        for seed in 0..80 {
            let (position, _) = random_line::<G>(seed, seed as u32);
            if position.kind() != Kind::Chance {
                continue;
            }
            for outcome in position.outcomes() {
                let faces = Notation::faces(&position);
                let own = faces.iter().filter(|face| position.outcome_of(face.id) == outcome.id);
                let (count, weight) = own.fold((0, 0), |(count, weight), face| (count + 1, weight + face.weight));
                assert_eq!(
                    (count, weight),
                    (position.faces_of(outcome), outcome.weight),
                    "{}",
                    Notation::fen(&position)
                );
            }
        }
    }
    in_every_game!(G => compare::<G>());
}

#[test]
fn lines_of_play_are_counted() {
    type Counts = &'static [(u32, u64)];
    let cases: &[(&str, &str, Counts)] = &[
        ("dice", "startpos 3 3", &[(1, 3), (2, 9), (6, 504), (10, 15_120)]),
        ("einstein", "startpos", &[(1, 6), (2, 18), (3, 108), (4, 324)]),
        ("backgammon", "gnubgid 4HPwATDgc/ABMA", &[(1, 21), (2, 447), (3, 9_387), (4, 202_782)]),
        ("backgammon", "startpos", &[(1, 15)]),
        ("darkchess", "startpos", &[(1, 32), (2, 448), (3, 13_888), (4, 192_448)]),
    ];
    fn count<G: Notation + Shortcuts>(text: &str, steps: u32) -> u64 {
        let words: Vec<&str> = text.split(' ').collect();
        let position = match words[0] {
            "startpos" => G::start(&words[1..]).unwrap(),
            keyword => G::read(keyword, &words[1..]).unwrap(),
        };
        let mut shares = 0;
        let total = perft(&position, steps, &|| false, &mut |_, lines| shares += lines).unwrap();
        assert_eq!(total, shares);
        total
    }
    for (game, text, counts) in cases {
        for &(steps, lines) in *counts {
            assert_eq!(with_game!(*game, G => count::<G>(text, steps)), Some(lines), "{game} {text} {steps}");
        }
    }
}

/// Late positions: the value of every root move is the game's own, under every algorithm.
#[test]
fn late_positions_are_solved_exactly() {
    let cases = [
        ("dice", "3 3 b 1 b r b - - - r - -"),
        ("einstein", "...1./...../...../...../.A... b 1"),
        ("einstein", "1..../...../...../...2./A.... b 3"),
        ("backgammon", "XGID=-A----------------------a-:0:0:1:21:0:0:0:0:10"),
        ("backgammon", "XGID=-BA--------------------ab-:0:0:1:11:0:0:0:0:10"),
        ("darkchess", "K.../..../..../..../..../..../..../..p. r 46 -"),
        ("darkchess", "Kp../..../..../..../..../..../..../.... b 47 -"),
    ];
    fn solve<G: Searched>(fen: &str) {
        let position = G::read("fen", &fen.split(' ').collect::<Vec<_>>()).unwrap();
        let evaluator = position.best_evaluator();
        for settings in all_settings() {
            let settings = Settings { multi_pv: 500, ..settings };
            let mut searcher = Searcher::new(1).unwrap();
            let limits = Limits::to_depth(60);
            let verdict = position.search(&mut searcher, &evaluator, &settings, &limits, &Stop::new(), &mut |_| ());
            let last = verdict.last.expect("an iteration");
            assert!(last.exact, "{fen} {settings:?}");
            assert_eq!(last.lines.len(), position.moves().len());
            for line in &last.lines {
                let child = position.child(line.pv[0]);
                let value = plain::value(&child, &evaluator, 60);
                let seen = if child.mover() == position.mover() { value } else { -value };
                assert_eq!(line.value, seen, "{fen} {settings:?} {:?}", line.pv[0]);
            }
        }
    }
    for (game, fen) in cases {
        with_game!(game, G => solve::<G>(fen));
    }
}

/// A position of any game plays by words alone.
#[test]
fn games_are_played_in_words() {
    for &name in games::NAMES {
        for seed in 0..20 {
            let mut position = games::start(name, &[]).unwrap().unwrap();
            let mut steps = 0;
            while position.result().is_none() {
                match position.kind() {
                    Kind::Chance => {
                        let face = position.chance(seed, steps).unwrap();
                        assert!(position.faces().iter().any(|(text, _)| *text == face));
                        position.resolve(&face).unwrap();
                    }
                    _ => {
                        let moves = position.moves();
                        let text = &moves[mix(seed ^ mix(steps.into())) as usize % moves.len()];
                        assert!(position.play("nonsense").is_err());
                        position.play(text).unwrap();
                    }
                }
                steps += 1;
                assert!(steps < 5000, "{name} seed {seed} does not end");
            }
            assert!(matches!(position.kind(), Kind::Over(_)));
        }
    }
}
