//! The whole of backgammon on random positions of all kinds, held to the slow rules; and spellings of moves.

use super::reference::Table;
use super::*;
use crate::game::Player;
use crate::game::mix;
use std::collections::BTreeSet;

/// A stream of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 += 1;
        mix(self.0) % limit
    }

    fn roll(&mut self) -> Roll {
        let one = 1 + self.below(6) as u8;
        let other = if self.below(3) == 0 { one } else { 1 + self.below(6) as u8 };
        Roll::new(one, other).unwrap()
    }

    fn mover(&mut self) -> Player {
        Player::BOTH[self.below(2) as usize]
    }
}

/// After some plies of random play from the start.
fn from_play(random: &mut Random) -> Position {
    let mut position = Position::opening();
    for _ in 0..random.below(150) {
        let rolls: Vec<u8> = position.outcomes().map(|outcome| outcome.id).collect();
        let mut next = position;
        next.roll_dice(Roll::from_id(rolls[random.below(rolls.len() as u64) as usize]).unwrap());
        let moves = next.moves();
        next.play(moves[random.below(moves.len() as u64) as usize]);
        if next.win().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// Checkers thrown on the board: on points from 1 to `highest`, in heaps of up to `heap`, with some on the bar.
fn thrown(random: &mut Random, highest: u64, heap: u64, on_bar: u64) -> Position {
    loop {
        let mut checkers = [[0; 26]; 2];
        for player in Player::BOTH {
            let mut left = if random.below(2) == 0 { 15 } else { 1 + random.below(15) as u8 };
            let bar = random.below(on_bar + 1) as u8;
            checkers[player as usize][25] = bar.min(left);
            left -= bar.min(left);
            for _ in 0..100 {
                let point = 1 + random.below(highest) as usize;
                if checkers[player.other() as usize][25 - point] == 0 {
                    let count = left.min(1 + random.below(heap) as u8);
                    checkers[player as usize][point] += count;
                    left -= count;
                }
            }
        }
        if let Ok(position) = Position::set_up(checkers, random.mover(), None)
            && position.win().is_none()
        {
            return position;
        }
    }
}

fn any(random: &mut Random) -> Position {
    match random.below(6) {
        0 | 1 => from_play(random),
        2 => thrown(random, 24, 3, 0),
        3 => thrown(random, 24, 4, 2),
        4 => thrown(random, 6, 3, 0),
        _ => thrown(random, 8, 2, 1),
    }
}

fn rolled(position: &Position, roll: Roll) -> Position {
    let mut next = Position::set_up(
        [*position.checkers(Player::First), *position.checkers(Player::Second)],
        position.mover(),
        None,
    )
    .unwrap();
    next.roll_dice(roll);
    next
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = *position;
    next.play(mv);
    next
}

/// What random positions must have shown, so that the comparison means something.
#[derive(Default)]
struct Seen {
    doubles: u32,
    both_bars: u32,
    borne_off: u32,
    hits: u32,
    passes: u32,
    one_die: u32,
    won: u32,
}

#[test]
fn generation_agrees_with_the_slow_rules() {
    let mut random = Random(1);
    let mut seen = Seen::default();
    for _ in 0..12_000 {
        let position = any(&mut random);
        let position = rolled(&position, random.roll());
        let (mover, roll) = (position.mover(), position.roll().unwrap());
        let moves = position.moves();
        let results: BTreeSet<Table> = moves.iter().map(|&mv| Table::seen_by(mover, &after(&position, mv))).collect();
        let before = Table::seen_by(mover, &position);
        assert_eq!(results, before.results(roll), "{position:?}");
        assert_eq!(results.len(), moves.len(), "{position:?}: two moves lead to one position");

        let least = u32::from(roll.high()) + if roll.is_double() { 0 } else { u32::from(roll.low()) };
        let short = |mv: &Move| position.pips(mover) - after(&position, *mv).pips(mover) < least;
        seen.doubles += u32::from(roll.is_double());
        seen.both_bars += u32::from(before.own_bar > 0 && before.their_bar > 0);
        seen.borne_off += u32::from(moves.iter().any(|mv| mv.reached().any(|point| point == OFF)));
        seen.hits += u32::from(moves.iter().any(|mv| mv.hits().count() > 1));
        seen.passes += u32::from(moves[0] == Move::PASS);
        seen.one_die += u32::from(moves[0] != Move::PASS && before.own[0] == 0 && moves.iter().all(short));
        seen.won += u32::from(moves.iter().any(|&mv| after(&position, mv).win().is_some()));
    }
    let Seen { doubles, both_bars, borne_off, hits, passes, one_die, won } = seen;
    for (what, count) in [doubles, both_bars, borne_off, hits, passes, one_die, won].into_iter().enumerate() {
        assert!(count > 100, "case {what} came {count} times");
    }
}

#[test]
fn moves_keep_the_board_as_if_it_were_set_up() {
    let mut random = Random(2);
    for _ in 0..5_000 {
        let position = any(&mut random);
        let position = rolled(&position, random.roll());
        let moves = position.moves();
        let next = after(&position, moves[random.below(moves.len() as u64) as usize]);
        let checkers = [*next.checkers(Player::First), *next.checkers(Player::Second)];
        assert_eq!(Position::set_up(checkers, next.mover(), None), Ok(next));
        assert!(checkers.iter().all(|side| side.iter().sum::<u8>() == CHECKERS));
    }
}

/// Lines of rolls and moves, a roll and a move each counting one.
fn perft(position: &Position, steps: u32) -> u64 {
    if steps == 0 {
        return 1;
    }
    let by_roll = position.outcomes().map(|outcome| {
        let mut next = *position;
        next.roll_dice(Roll::from_id(outcome.id).unwrap());
        perft(&next, steps - 1)
    });
    let moves = position.moves();
    by_roll.sum::<u64>() + moves.iter().map(|&mv| perft(&after(position, mv), steps - 1)).sum::<u64>()
}

#[test]
fn the_start_has_known_counts() {
    let set_up = Position::from_gnubg_id("4HPwATDgc/ABMA").unwrap();
    for (position, steps, lines) in [
        (Position::opening(), 1, 15),
        (set_up, 0, 1),
        (set_up, 1, 21),
        (set_up, 2, 447),
        (set_up, 3, 447 * 21),
        (set_up, 4, 202_782),
    ] {
        assert_eq!(perft(&position, steps), lines, "{steps} steps");
    }
}

/// Fifteen blots with nothing in their way: more moves than any position that comes up in play.
#[test]
fn the_longest_list_fits() {
    let mut checkers = [[0; 26]; 2];
    (10..=24).for_each(|point| checkers[0][point] = 1);
    checkers[1][25] = 1;
    let mut position = Position::set_up(checkers, Player::First, None).unwrap();
    position.roll_dice(Roll::new(1, 1).unwrap());
    let results = Table::seen_by(Player::First, &position).results(Roll::new(1, 1).unwrap());
    assert_eq!(position.moves().len(), results.len());
    assert!(results.len() > 1_500 && results.len() <= MAX_MOVES, "{}", results.len());
}

#[test]
fn ids_of_random_positions_are_read_back() {
    let mut random = Random(3);
    for _ in 0..10_000 {
        let mut position = any(&mut random);
        if random.below(2) == 0 {
            position = rolled(&position, random.roll());
        }
        let twin = if position.is_opening() { Position::from_gnubg_id("4HPwATDgc/ABMA").unwrap() } else { position };
        for id in [position.xgid(), position.gnubg_id()] {
            assert_eq!(Position::from_id(&id), Ok(twin), "{id}");
        }
        assert_eq!(Position::from_id(&position.gnubg_id()).unwrap().xgid(), position.xgid());
    }
}

#[test]
fn finished_positions_are_read_back() {
    for text in
        ["XGID=-a------------------------:0:0:1:00:0:0:0:0:10", "XGID=-O------------------------:0:0:-1:31:0:0:0:0:10"]
    {
        let position = Position::from_id(text).unwrap();
        assert!(position.win().is_some());
        assert_eq!((position.moves().len(), position.outcomes().count()), (0, 0));
        assert_eq!(position.xgid(), text);
        assert_eq!(Position::from_id(&position.gnubg_id()), Ok(position));
    }
}

/// Other spellings of a word: parts in reverse, capitals, numbers for names, and no marks.
fn respelt(text: &str) -> Vec<String> {
    let reversed = text.split(',').rev().collect::<Vec<_>>().join(",");
    let single = |part: &str| match part.split_once('(') {
        Some((way, times)) => vec![way; times[..1].parse().unwrap()].join(","),
        None => part.to_string(),
    };
    let repeated = text.split(',').map(single).collect::<Vec<_>>().join(",");
    vec![reversed, text.to_uppercase(), text.replace("bar", "25").replace("off", "0"), repeated]
}

#[test]
fn every_move_is_read_back_in_any_spelling() {
    let mut random = Random(4);
    for _ in 0..3_000 {
        let position = any(&mut random);
        let position = rolled(&position, random.roll());
        let moves = position.moves();
        let texts: BTreeSet<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
        assert_eq!(texts.len(), moves.len(), "{position:?}: two moves are spelt alike");
        for _ in 0..moves.len().min(20) {
            let mv = moves[random.below(moves.len() as u64) as usize];
            let text = position.move_text(mv);
            for word in respelt(&text).iter().chain([&text]) {
                assert_eq!(position.parse_move(word), Ok(mv), "{position:?} {text} as {word}");
            }
            match position.parse_move(&text.replace('*', "")) {
                Ok(read) => assert!(read.left().eq(mv.left()) && read.reached().eq(mv.reached()), "{text}"),
                Err(error) => assert_eq!(error.fault, MoveFault::Ambiguous, "{position:?} {text}"),
            }
        }
    }
}

/// No word makes reading panic, and what it reads is legal.
#[test]
fn random_words_are_read_or_refused() {
    let mut random = Random(5);
    let letters: Vec<char> = "0123456789/,*()baroffBAR é-".chars().collect();
    for _ in 0..10_000 {
        let position = rolled(&any(&mut random), Roll::new(2, 1).unwrap());
        let word: String =
            (0..random.below(12)).map(|_| letters[random.below(letters.len() as u64) as usize]).collect();
        if let Ok(mv) = position.parse_move(&word) {
            assert!(position.moves().contains(&mv), "{word}");
        }
        assert!(Position::from_id(&word).is_err());
        let _ = position.parse_roll(&word);
    }
}

fn at(board: &str, roll: &str) -> Position {
    Position::from_xgid(&format!("XGID={board}:0:0:1:{roll}:0:0:0:0:10")).unwrap()
}

const START: &str = "-b----E-C---eE---c-e----B-";

#[test]
fn spellings_of_a_move_are_one_move() {
    let entering = "-b-a-aE-C---dE---b-e----AA";
    let blots = "------------------a-a---A-";
    let passing = "----------------aa--a---B-";
    let cases: [(&str, &str, &str, &[&str]); 14] = [
        (START, "31", "8/5,6/5", &["6/5,8/5"]),
        (START, "21", "13/11,6/5", &["6/5,13/11"]),
        (START, "31", "24/20", &["24/21/20", "24/23/20", "24/21,21/20", "21/20,24/21", "23/20,24/23"]),
        (START, "44", "8/4(2),6/2(2)", &["8/4,8/4,6/2,6/2", "6/2,8/4(2),6/2", "6/2(2),8/4(2)", "8/4(1),8/4,6/2(2)"]),
        (START, "66", "24/18(2),13/7(2)", &["13/7(2),24/18(2)"]),
        (START, "22", "13/5", &["13/11/9/7/5", "13/9,9/5", "13/9/5", "9/5,13/9", "13/7/5", "7/5,9/7,11/9,13/11"]),
        (entering, "42", "bar/21,24/22", &["24/22,25/21", "Bar/21,24/22"]),
        (entering, "41", "bar/21,6/5*", &["BAR/21,6/5", "6/5*,bar/21"]),
        (blots, "42", "24/20*/18*", &["24/20*/18", "24/20/18*", "24/20,20/18"]),
        (blots, "64", "24/20*/14", &["24/20/14"]),
        (blots, "62", "24/16", &["24/22/16"]),
        (passing, "44", "24/20*,24/16*/12", &["24/20,24/12", "24/12,24/20*", "24/20(2),20/12", "24/20*(2),20/16*/12"]),
        ("------C-----------a-------", "65", "6/1,6/off", &["6/0,6/1", "6/1,6/OFF"]),
        ("a---AAB-------------------", "66", "6/off(2),5/off,4/off", &["6/0(2),4/0,5/0"]),
    ];
    for (board, roll, text, others) in cases {
        let position = at(board, roll);
        let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{board} {roll} {text}: {error}"));
        assert_eq!(position.move_text(mv), text);
        for word in others {
            assert_eq!(position.parse_move(word), Ok(mv), "{board} {roll} {word}");
        }
    }
}

#[test]
fn bad_moves_name_the_word() {
    use MoveFault::*;
    let roll = |high, low| Roll::new(high, low).unwrap();
    let shut_out = "-c----E-C----F-----bbbbbbA";
    let one_die = "-b----------A-------------";
    let two_blots = "------------------a-a---A-";
    let two_closed = "----------A---------b-b-A-";
    let cases: [(&str, &str, &str, &str, MoveFault); 37] = [
        (START, "31", "", "", Syntax),
        (START, "31", "8", "8", Syntax),
        (START, "31", "8/5,", "", Syntax),
        (START, "31", "8/5,x/2", "x", NoSuchPoint),
        (START, "31", "8/5,6/", "", NoSuchPoint),
        (START, "31", "26/5", "26", NoSuchPoint),
        (START, "31", "08/5", "08", NoSuchPoint),
        (START, "31", "+8/5", "+8", NoSuchPoint),
        (START, "31", "off/5", "off", NoSuchPoint),
        (START, "31", "8/bar", "bar", NoSuchPoint),
        (START, "31", "8/off/5", "5", NoSuchPoint),
        (START, "31", "8*/5", "8*", NoSuchPoint),
        (START, "31", "8/off*", "off*", NoSuchPoint),
        (START, "31", "5/8", "5/8", Backwards),
        (START, "31", "8/8", "8/8", Backwards),
        (START, "31", "8/5(0)", "8/5(0)", Times),
        (START, "31", "8/5(2", "8/5(2", Times),
        (START, "31", "8/5(4),6/5", "6/5", TooManySteps),
        (START, "31", "pass", "pass", MustPlay(roll(3, 1))),
        (START, "31", "8/5,7/6", "7/6", NoChecker(7)),
        (START, "31", "bar/22", "bar/22", NoChecker(25)),
        (START, "51", "24/18,6/1", "6/1", Blocked(1)),
        (START, "31", "8/4,6/4", "6/4", NotWithRoll(roll(3, 1))),
        (START, "31", "8/5(2)", "8/5(2)", NotWithRoll(roll(3, 1))),
        (START, "31", "8/5*,6/5", "8/5*,6/5", NoHit(5)),
        (START, "31", "8/5", "8/5", MustUseMore(roll(3, 1))),
        (START, "66", "6/off", "6/off", NotHome),
        ("-b-a--E-C---dE---b-e----AA", "42", "24/20,6/4", "24/20", BarFirst),
        (shut_out, "42", "bar/21", "bar/21", MustPass(roll(4, 2))),
        (START, "00", "6/5", "6/5", NotRolled),
        (one_die, "65", "12/7", "12/7", MustUseHigher(roll(6, 5))),
        (one_die, "65", "12/1", "12/1", Blocked(1)),
        (one_die, "65", "12/6/1", "12/6/1", Blocked(1)),
        (two_blots, "64", "24/14", "24/14", Ambiguous),
        (two_blots, "64", "24/20*/18*", "24/20*/18*", NotWithRoll(roll(6, 4))),
        (two_closed, "42", "24/18", "24/18", NotWithRoll(roll(4, 2))),
        ("-a------------------------", "42", "24/18", "24/18", GameOver(Win { winner: Player::First, points: 1 })),
    ];
    for (board, dice, text, word, fault) in cases {
        let error = at(board, dice).parse_move(text).expect_err(text);
        assert_eq!((error.word.as_str(), error.fault), (word, fault), "{board} {dice} {text}");
    }
}
