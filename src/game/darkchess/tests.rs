//! The fast rules against the slow ones, on random games to their end and on random positions.

use super::reference::Reference;
use super::*;
use crate::game::{Kind, Outcome, Player, Value};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

fn position(fen: &str) -> Position {
    Position::from_fen(&fen.split(' ').collect::<Vec<_>>()).unwrap()
}

fn letter(outcome: &Outcome) -> char {
    Piece::from_id(outcome.id).unwrap().letter()
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = *position;
    next.play(mv);
    next
}

fn shown(position: &Position, id: u8) -> Position {
    let mut next = *position;
    next.roll(id);
    next
}

fn is_capture(position: &Position, mv: Move) -> bool {
    matches!(mv, Move::Step { to, .. } if position.empty() & 1 << to == 0)
}

/// Call `look` at every position of random games, ends included. Players take when they can in every other game.
fn random_games(games: u64, mut look: impl FnMut(&Position)) {
    for seed in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut hidden_pieces = ALL_PIECES;
        hidden_pieces.shuffle(&mut rng);
        let mut position = Position::default();
        loop {
            look(&position);
            match position.kind() {
                Kind::Over(_) => break,
                Kind::Chance => {
                    let cell = position.pending().unwrap();
                    position.roll(hidden_pieces[usize::from(cell)]);
                }
                Kind::Decision => {
                    let moves = position.moves();
                    let takes: Vec<Move> = moves.iter().copied().filter(|&mv| is_capture(&position, mv)).collect();
                    let greedy = seed % 2 == 0 && !takes.is_empty();
                    let choice = if greedy { takes.choose(&mut rng) } else { moves.choose(&mut rng) };
                    position.play(*choice.expect("a decision has moves"));
                }
            }
        }
    }
}

/// A position with random pieces on random cells, many or few, some of them face down; the side to move may have but one.
fn random_position(rng: &mut ChaCha8Rng) -> Position {
    let mut pieces = ALL_PIECES.to_vec();
    pieces.shuffle(rng);
    let (side, ids) = if rng.random() { ("r", 0..RANKS as u8) } else { ("b", RANKS as u8..KINDS as u8) };
    if rng.random() {
        let alone = *pieces.iter().find(|id| ids.contains(id)).unwrap();
        pieces.retain(|id| !ids.contains(id));
        pieces.insert(0, alone);
    }
    let count = rng.random_range(1..=pieces.len());
    let face_up = if rng.random() { count } else { rng.random_range(1..=count) };
    let mut places: Vec<u8> = (0..CELLS as u8).collect();
    // Crowded into the upper rows or spread over the board.
    places.truncate(rng.random_range(count..=32));
    places.shuffle(rng);
    let mut cells = ['.'; CELLS];
    let mut pool = String::new();
    for (i, &id) in pieces[..count].iter().enumerate() {
        let letter = Piece::from_id(id).unwrap().letter();
        let symbol = &mut cells[usize::from(places[i])];
        *symbol = if i < face_up { letter } else { 'X' };
        if i >= face_up {
            pool.push(letter);
        }
    }
    let rows: Vec<String> = cells.chunks(4).map(String::from_iter).collect();
    let pool = if pool.is_empty() { "-" } else { &pool };
    let plies = [0, 20, 49, 50].choose(rng).unwrap();
    position(&format!("{} {side} {plies} {pool}", rows.join("/")))
}

/// Hold everything about a position to the slow rules, and say what it was.
fn compare(position: &Position) -> Option<&'static str> {
    let reference = Reference::from_fen(&position.fen());
    let result = match position.status() {
        Status::Playing => None,
        Status::Drawn => Some("draw"),
        Status::Won(winner) if position.colour(winner) == Some(Colour::Red) => Some("r"),
        Status::Won(_) => Some("b"),
    };
    assert_eq!(result, reference.result(), "{position:?}");
    let mut moves: Vec<String> = position.moves().iter().map(Move::to_string).collect();
    moves.sort();
    assert_eq!(moves, reference.moves(), "{position:?}");
    assert_eq!(moves.is_empty(), position.kind() != Kind::Decision);
    for mv in position.moves() {
        let mut slow = reference.clone();
        slow.play(&mv.to_string());
        assert_eq!(after(position, mv).fen(), slow.fen(), "{position:?} {mv}");
        assert_eq!(position.parse_move(&mv.to_string()), Ok(mv));
    }
    let faces: Vec<(char, u32)> = position.faces().map(|face| (letter(&face), face.weight)).collect();
    assert_eq!(faces, reference.outcomes(), "{position:?}");
    for face in position.faces() {
        let mut slow = reference.clone();
        slow.flip(letter(&face));
        assert_eq!(shown(position, face.id).fen(), slow.fen(), "{position:?} {}", letter(&face));
        assert_eq!(position.parse_outcome(&letter(&face).to_string()), Ok(face.id));
    }
    result
}

#[test]
fn random_games_follow_the_slow_rules() {
    let (mut won, mut drawn, mut jumps) = (0, 0, 0);
    random_games(120, |position| {
        match compare(position) {
            Some("draw") => drawn += 1,
            Some(_) => won += 1,
            None => {}
        }
        let cannons = position.pieces(position.mover())[Rank::Cannon as usize];
        jumps += position
            .moves()
            .iter()
            .filter(|&&mv| {
                is_capture(position, mv) && matches!(mv, Move::Step { from, .. } if cannons & 1 << from != 0)
            })
            .count();
    });
    assert!(won > 20 && drawn > 20 && jumps > 500, "{won} won, {drawn} drawn, {jumps} jumps");
}

#[test]
fn random_positions_follow_the_slow_rules() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut stalemates = 0;
    for _ in 0..10_000 {
        let position = random_position(&mut rng);
        let result = compare(&position);
        let both = Player::BOTH.iter().all(|&player| position.cells_of(player) != 0);
        stalemates += usize::from(both && matches!(result, Some("r" | "b")));
    }
    assert!(stalemates > 20, "{stalemates}");
}

/// Every capture of the side to move, from positions that show one rule each.
#[test]
fn pieces_take_what_they_may() {
    let cases = [
        // A king takes every rank but pawns; a pawn takes the king, and pawns.
        ("kKg./.m../..../..../..../..../..../.... r 0 -", "b1a1 b1b2 b1c1"),
        ("rKn./.c../..../..../..../..../..../.... r 0 -", "b1a1 b1b2 b1c1"),
        ("pK../..../..../..../..../..../..../.... r 0 -", ""),
        ("kPp./.c../..../..../..../..../..../.... r 0 -", "b1a1 b1c1"),
        ("kGg./.p../..../..../..../..../..../.... r 0 -", "b1b2 b1c1"),
        ("nRr./.m../..../..../..../..../..../.... r 0 -", "b1a1 b1c1"),
        ("rNc./.p../..../..../..../..../..../.... r 0 -", "b1b2 b1c1"),
        // A cannon takes no neighbour, not even a pawn, but anything behind exactly one piece, whoever's, face up or down.
        ("pC../.p../..../..../..../..../..../.... r 0 -", ""),
        ("C.Xk/X.../..../p.../..../..../..../.... r 0 PP", "a1a4 a1d1"),
        ("CPk./p.../..../..../..../..../..../m... r 0 -", "a1a8 a1c1 b1c1"),
        ("CPXk/X.../X.../p.../..../..../..../.... r 0 PPP", ""),
        ("CPG./..../p.../..../X.../g.../..../.... r 0 P", ""),
        ("C..k/p.../..../..../..../..../..../.... r 0 -", ""),
        // Nobody takes what is face down, nor their own.
        ("XKX./.G../..../..../..../..../..../...k r 0 pp", ""),
    ];
    for (fen, expected) in cases {
        let position = position(fen);
        let mut takes: Vec<String> =
            position.moves().iter().filter(|&&mv| is_capture(&position, mv)).map(Move::to_string).collect();
        takes.sort();
        assert_eq!(takes.join(" "), expected, "{fen}");
    }
}

#[test]
fn fifty_plies_without_a_flip_or_a_capture_are_a_draw() {
    let mut game = position("K.../..../..../..../..../..../..../g..k r 0 -");
    for (ply, mv) in ["a1a2", "d8d7", "a2a1", "d7d8"].iter().cycle().take(50).enumerate() {
        assert_eq!((game.kind(), usize::from(game.plies())), (Kind::Decision, ply));
        game.play(game.parse_move(mv).unwrap());
    }
    assert_eq!((game.kind(), game.status()), (Kind::Over(Value::DRAW), Status::Drawn));
    // The fiftieth ply as a capture, a flip, or one that leaves no move.
    let mut game = position("Kg../..../X.../..../..../..../..../...k r 49 p");
    game.play(game.parse_move("a3").unwrap());
    assert_eq!((game.kind(), game.mover()), (Kind::Chance, Player::First));
    game.roll(game.parse_outcome("p").unwrap());
    assert_eq!((game.kind(), game.plies(), game.mover()), (Kind::Decision, 0, Player::Second));
    let mut game = position("Kg../..../..../..../..../..../..../...k r 49 -");
    game.play(game.parse_move("a1b1").unwrap());
    assert_eq!((game.kind(), game.plies()), (Kind::Decision, 0));
    let mut game = position("Pg../.g../..../..../..../..../..../.... b 49 -");
    game.play(game.parse_move("b2a2").unwrap());
    assert_eq!((game.kind(), game.plies()), (Kind::Over(Value::LOSS), 50));
}

/// The position with the colours exchanged.
fn exchanged(fen: &str) -> String {
    let mut words: Vec<String> = fen.split(' ').map(str::to_string).collect();
    for i in [0, 3] {
        let swap = |letter: char| match letter {
            'X' => 'X',
            letter if letter.is_ascii_uppercase() => letter.to_ascii_lowercase(),
            letter => letter.to_ascii_uppercase(),
        };
        words[i] = words[i].chars().map(swap).collect();
    }
    words[1] = match words[1].as_str() {
        "r" => "b".into(),
        "b" => "r".into(),
        other => other.into(),
    };
    words.join(" ")
}

/// The image of a position by FEN alone.
fn image(fen: &str, frame: u8) -> String {
    let mut reference = Reference::from_fen(fen);
    let cells = reference.cells;
    let place = |row: usize, col: usize| {
        (if frame & 2 == 0 { row } else { 7 - row }, if frame & 1 == 0 { col } else { 3 - col })
    };
    for (row, col) in (0..8).flat_map(|row| (0..4).map(move |col| (row, col))) {
        let (to_row, to_col) = place(row, col);
        reference.cells[to_row][to_col] = cells[row][col];
    }
    reference.pending = reference.pending.map(|(row, col)| {
        let (row, col) = place(row as usize, col as usize);
        (row as i32, col as i32)
    });
    reference.fen()
}

/// A FEN that is the same for all positions that are to share a key.
fn canonical(fen: &str, images: bool, plies: bool) -> String {
    let mut reference = Reference::from_fen(fen);
    if !plies || reference.pending.is_some() {
        reference.plies = 0;
    }
    let fen = reference.fen();
    let frames = if images { 0..4 } else { 0..1 };
    // Sorted pools and boards: exchange before comparing, read again after.
    let all = frames.flat_map(|frame| [image(&fen, frame), Reference::from_fen(&exchanged(&image(&fen, frame))).fen()]);
    all.min().unwrap()
}

#[test]
fn keys_tell_positions_apart_and_are_shared_by_images() {
    let mut names: [[HashMap<u64, String>; 2]; 2] = Default::default();
    let mut frames = [0; FRAMES];
    let mut look = |at: &Position| {
        let fen = at.fen();
        for (images, plies) in [(false, false), (false, true), (true, false), (true, true)] {
            let key = at.key(images, plies);
            let name = canonical(&fen, images, plies);
            let names = &mut names[usize::from(images)][usize::from(plies)];
            assert_eq!(*names.entry(key.hash).or_insert_with(|| name.clone()), name);
            // Whoever made the first flip, and whatever the colours.
            assert_eq!(position(&fen).key(images, plies), key, "{fen}");
            assert_eq!(position(&exchanged(&fen)).key(images, plies), key, "{fen}");
            frames[usize::from(key.frame)] += usize::from(plies);
            // With `images`, the frame leads all images to the same board.
            let board = image(&fen, key.frame);
            for frame in 0..4 {
                let other = image(&fen, frame);
                let other_key = position(&other).key(true, plies);
                assert!(!images || other_key.hash == key.hash);
                assert!(!images || image(&other, other_key.frame) == board);
            }
        }
    };
    random_games(20, &mut look);
    assert!(frames.iter().all(|&count| count > 100), "{frames:?}");
}

#[test]
fn moves_of_images_are_images_of_moves() {
    random_games(20, |at| {
        for frame in 0..4 {
            let mut moves: Vec<Move> = at.moves().iter().map(|&mv| at.reframe(mv, frame)).collect();
            let mut expected = position(&image(&at.fen(), frame)).moves().to_vec();
            moves.sort();
            expected.sort();
            assert_eq!(moves, expected);
            assert!(at.moves().iter().all(|&mv| at.reframe(at.reframe(mv, frame), frame) == mv));
        }
    });
}

#[test]
fn plies_matter_where_depth_reaches_the_draw() {
    let fen = "K.../..../..../..../..../..../X..k/.... r 40 p";
    for (depth, matters) in [(0, false), (9, false), (10, true), (60, true), (u32::MAX, true)] {
        assert_eq!(position(fen).plies_matter(depth), matters, "{depth}");
        assert!(!position(&format!("{fen} a7")).plies_matter(depth));
    }
}

#[test]
fn codes_tell_moves_apart() {
    let mut codes = HashMap::new();
    random_games(20, |position| {
        for mv in position.moves() {
            let code = Position::code(mv);
            assert!(usize::from(code) < MOVE_CODES && *codes.entry(code).or_insert(mv) == mv);
        }
    });
}

/// What is kept step by step is what a position set up afresh has.
#[test]
fn positions_survive_being_written_and_read() {
    random_games(60, |before| {
        let again = position(&before.fen());
        assert_eq!(again.fen(), before.fen());
        assert!(again.mover() == Player::First || again.colour(Player::First).is_none());
        if before.mover() == Player::First {
            assert_eq!(again, *before);
        }
    });
}

#[test]
fn the_first_flip_gives_its_maker_the_colour() {
    let start = Position::default();
    let flipping = after(&start, Move::Flip(5));
    assert_eq!((flipping.mover(), flipping.kind()), (Player::First, Kind::Chance));
    for (outcome, colour) in [("P", Colour::Red), ("k", Colour::Black)] {
        let next = shown(&flipping, flipping.parse_outcome(outcome).unwrap());
        assert_eq!((next.mover(), next.colour(Player::First)), (Player::Second, Some(colour)));
        assert_eq!((next.cells_of(Player::First), next.cells_of(Player::Second)), (1 << 5, 0));
    }
}

/// To the search the colour of the first flip is no matter, and only of the first.
#[test]
fn outcomes_are_faces_but_for_the_colour_of_the_first_flip() {
    let first = after(&Position::default(), Move::Flip(0));
    let weights: Vec<(u8, u32)> = first.outcomes().map(|outcome| (outcome.id, outcome.weight)).collect();
    assert_eq!(weights, [(0, 2), (1, 4), (2, 4), (3, 4), (4, 4), (5, 4), (6, 10)]);
    for face in first.faces() {
        let stands_for = first.representative(face.id);
        let [one, other] = [face.id, stands_for].map(|id| shown(&first, id));
        assert_eq!(one.key(false, true), other.key(false, true));
    }
    random_games(20, |position| {
        if position.face_down().count_ones() < 32 {
            assert!(position.faces().eq(position.outcomes()));
            assert!(position.faces().all(|face| position.representative(face.id) == face.id));
            let total: u32 = position.faces().map(|face| face.weight).sum();
            assert_eq!(total, if position.pending().is_some() { position.face_down().count_ones() } else { 0 });
        }
    });
}

/// Lines of exactly `steps` steps.
fn perft(position: &Position, steps: u32) -> u64 {
    match (steps, position.kind()) {
        (0, _) => 1,
        (_, Kind::Over(_)) => 0,
        (_, Kind::Chance) => position.faces().map(|face| perft(&shown(position, face.id), steps - 1)).sum(),
        (1, Kind::Decision) => position.moves().len() as u64,
        (_, Kind::Decision) => position.moves().iter().map(|&mv| perft(&after(position, mv), steps - 1)).sum(),
    }
}

#[test]
fn lines_from_the_start_are_counted() {
    for (steps, lines) in [(0, 1), (1, 32), (2, 448), (3, 13_888), (4, 192_448)] {
        assert_eq!(perft(&Position::default(), steps), lines, "{steps} steps");
    }
}

#[test]
fn a_set_up_has_every_piece_of_the_game() {
    let letters: String = ALL_PIECES.iter().map(|&id| Piece::from_id(id).unwrap().letter()).collect();
    assert_eq!(letters, "KGGMMRRNNCCPPPPPkggmmrrnnccppppp");
}
