//! The rules on bitboards against a slow, obvious reference: random games on boards of every size.

#[path = "support/reference.rs"]
mod reference;

use alea::game::dice::{Board, Cell, Position, Shape, Side, Status, Width};
use alea::game::{Game, Kind, Shortcuts, Step, Turn, Value};
use alea::with_width;
use proptest::prelude::*;
use rand::SeedableRng;
use rand::prelude::*;
use rand_chacha::ChaCha8Rng;
use reference::Reference;

fn compare(board: &Position, reference: &Reference) {
    let size = board.shape().size();
    assert_eq!(board.side(), reference.side);
    assert_eq!(board.status(), reference.status, "{board:?}");
    assert_eq!(board.empty_count(), reference.empty());
    for row in 0..size {
        for col in 0..size {
            let cell = Cell { row: row as u8, col: col as u8 };
            assert_eq!(board.at(cell), reference.cells[row][col], "{cell} of {board:?}");
        }
    }
    assert_eq!(board.open_lines().to_vec(), reference.open_lines(), "{board:?}");
    let legal: Vec<Cell> = board.legal_cells().collect();
    assert_eq!(legal, reference.legal(board.roll()), "{board:?}");
}

/// The moves after some outcomes, asked for at once, are those after each.
fn compare_moves_after<B: Width>(board: &Board<B>) {
    let every_other = || board.outcomes().step_by(2).map(|outcome| outcome.id);
    let one_by_one = every_other().flat_map(|id| board.moves_after(id).map(move |mv| (100 + u16::from(id), mv)));
    let mut at_once = Vec::new();
    board.each_move_after(every_other().map(|id| (id, 100 + u16::from(id))), |mv, name| at_once.push((name, mv)));
    at_once.sort_by_key(|&(name, mv)| (name, mv.0));
    assert!(one_by_one.eq(at_once), "{board:?}");
}

/// What search sees of a position must be the same at every width.
fn compare_widths<B: Width>(wide: &Position, line: u8) {
    let board: Board<B> = wide.to_width();
    assert_eq!(board.dpn(), wide.dpn());
    assert_eq!(board.kind(), wide.kind());
    if board.kind() != Kind::Chance {
        return;
    }
    assert!(board.outcomes().eq(wide.outcomes()), "{board:?}");
    assert!(board.outcomes().count() <= board.most_outcomes());
    compare_moves_after(&board);
    let roll = Step::Outcome(line);
    let rolled = board.child(roll);
    assert!(board.moves_after(line).eq(rolled.moves()), "{board:?}");
    assert_eq!(board.turn(roll, &rolled), Turn::between(board.mover(), rolled.mover()));
    for &mv in [rolled.moves().first(), rolled.moves().last()].into_iter().flatten() {
        let child = rolled.child(Step::Move(mv));
        let played = wide.with_roll(line.into()).unwrap().play_on(rolled.move_cell(mv)).unwrap();
        assert_eq!(rolled.turn(Step::Move(mv), &child), Turn::between(rolled.mover(), child.mover()));
        assert_eq!(child.dpn(), played.dpn());
        assert_eq!(child.kind(), played.kind());
    }
}

fn play_a_game(shape: Shape, rng: &mut ChaCha8Rng) -> Status {
    let mut board = Position::new(shape);
    let mut reference = Reference::new(shape);
    loop {
        compare(&board, &reference);
        let open = reference.open_lines();
        let Some(&line) = open.choose(rng) else { break };
        with_width!(shape, B => compare_widths::<B>(&board, line));
        for wrong in 0..=shape.size() as u32 {
            assert_eq!(board.with_roll(wrong).is_ok(), open.iter().any(|&line| u32::from(line) == wrong));
        }
        board = board.with_roll(line.into()).unwrap();
        compare(&board, &reference);
        let legal = reference.legal(Some(line));
        let anywhere = Cell { row: rng.random_range(0..18), col: rng.random_range(0..18) };
        assert_eq!(board.play_on(anywhere).is_ok(), legal.contains(&anywhere), "{anywhere} in {board:?}");
        let &cell = legal.choose(rng).unwrap();
        board = board.play_on(cell).unwrap();
        reference.play(cell);
        assert_eq!(Position::from_dpn(&board.dpn()).unwrap().status(), board.status());
    }
    let over = match board.status() {
        Status::Drawn => Value::DRAW,
        // Only the side that has just moved can have won.
        _ => Value::LOSS,
    };
    assert_eq!(board.kind(), Kind::Over(over));
    board.status()
}

#[test]
fn random_games_of_every_size_agree_with_the_reference() {
    let mut rng = ChaCha8Rng::seed_from_u64(2006);
    let (mut won, mut drawn) = ([0, 0], 0);
    for size in 3..=17 {
        let mut wins: Vec<usize> = vec![3, 4, 5, size / 2, size - 1, size];
        wins.retain(|win| (3..=size).contains(win));
        wins.sort();
        wins.dedup();
        for win in wins {
            for _ in 0..if size < 8 { 40 } else { 6 } {
                match play_a_game(Shape::new(size, win).unwrap(), &mut rng) {
                    Status::Won(side) => won[side as usize] += 1,
                    Status::Drawn => drawn += 1,
                    Status::Playing => unreachable!("the game was played to its end"),
                }
            }
        }
    }
    assert!(won[0] > 50 && won[1] > 50 && drawn > 50, "every ending is met: {won:?} {drawn}");
}

#[test]
fn known_endings() {
    let cases = [
        ("3 3 r -1 b b b r r - - - -", Status::Won(Side::Blue)),
        ("3 3 b -1 r b b r b - r - -", Status::Won(Side::Red)),
        ("3 3 r -1 b r r - b - - - b", Status::Won(Side::Blue)),
        ("3 3 r -1 r r b - b - b - -", Status::Won(Side::Blue)),
        ("3 3 r -1 b r b b r r r b b", Status::Drawn),
        ("3 3 r -1 b b - b - - r r -", Status::Playing),
        // More than k in a row, and rows that would only join round the edge.
        ("5 3 r -1 b b b b b r r - r r - - - - - - - - - - - - - - -", Status::Won(Side::Blue)),
        ("4 3 r -1 - - b b b - - - - - r r - - - -", Status::Playing),
        ("4 3 r -1 - - - b - - - - b r - - - r - b", Status::Playing),
    ];
    for (dpn, status) in cases {
        assert_eq!(Position::from_dpn(dpn).map(|position| position.status()), Ok(status), "{dpn}");
    }
}

prop_compose! {
    /// A position as a DPN has it: any board whose counts are right.
    fn any_position()(size in 3_usize..=17)(
        size in Just(size),
        win in 3..=size,
        order in Just((0..size * size).collect::<Vec<_>>()).prop_shuffle(),
        placed in 0..=size * size,
        roll in proptest::option::of(0..size as u32),
    ) -> Option<Position> {
        let shape = Shape::new(size, win)?;
        let side = if placed % 2 == 0 { Side::Blue } else { Side::Red };
        let checkers = order.iter().take(placed).enumerate().map(|(i, &cell)| {
            let owner = if i % 2 == 0 { Side::Blue } else { Side::Red };
            (Cell { row: (cell / size) as u8, col: (cell % size) as u8 }, owner)
        });
        let position = Position::set_up(shape, side, checkers)?;
        Some(roll.and_then(|roll| position.with_roll(roll).ok()).unwrap_or(position))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn dpn_prints_and_parses_back(position in any_position()) {
        if let Some(position) = position {
            let dpn = position.dpn();
            let back = Position::from_dpn(&dpn);
            prop_assert_eq!(back.as_ref(), Ok(&position));
            prop_assert_eq!(back.unwrap().dpn(), dpn);
            // Any white space will do.
            let spaced = position.dpn().replace(' ', "\t  ");
            prop_assert_eq!(Position::from_dpn(&spaced), Ok(position));
        }
    }

    #[test]
    fn mangled_dpns_are_read_or_refused(position in any_position(), at in 0_usize..600, with in "[-br0-9a-z+ é]{0,3}") {
        if let Some(position) = position {
            let mut words: Vec<String> = position.dpn().split(' ').map(Into::into).collect();
            let at = at % words.len();
            words[at] = with;
            match Position::from_dpn(&words.join(" ")) {
                Ok(other) => prop_assert_eq!(Position::from_dpn(&other.dpn()), Ok(other)),
                Err(error) => prop_assert!(!error.word.is_empty() && !error.reason.is_empty()),
            }
        }
    }
}
