//! Boards as GNU Backgammon sends them to an external player: one line in the form of FIBS, the First Internet Backgammon
//! Server (`board:` and 52 fields).
//!
//! What was seen of GNU Backgammon 1.07, where it differs from FIBS: negative numbers are always its player 0, who moves up
//! through the numbers from bar 0; positive ones are player 1. Names and scores have player 0 first; where the line asks
//! whether to take a double, they have player 1 first. The turn is that of whoever moves, and of the doubler in that
//! question. All lines but the first of a connection begin with a NUL.

use alea::game::Player;
use alea::game::backgammon::{BAR, Position, Roll, SetupError};
use alea_tools::text::visible;
use std::fmt;

/// What a line begins with.
pub const PREFIX: &str = "board:";

/// Fields up to the flag that asks for an answer to a double: all that matters but one.
const NEEDED: usize = 40;
/// More than anybody sends.
const MOST_FIELDS: usize = 100;
/// As much of a word as a message needs.
const SHOWN: usize = 40;
/// The longest match, and the greatest cube, that make sense.
const MOST: i64 = 1 << 20;

/// Where the fields are that matter, counted from 0.
mod field {
    pub const MATCH_LENGTH: usize = 2;
    pub const SCORES: usize = 3;
    pub const POINTS: usize = 5;
    pub const TURN: usize = 31;
    pub const DICE: usize = 32;
    pub const CUBE: usize = 36;
    pub const MAY_DOUBLE: usize = 37;
    pub const DOUBLED: usize = 39;
    pub const POST_CRAWFORD: usize = 50;
}

/// What somebody has, the mover (or doubler) and the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sides<T> {
    /// Whose turn it is.
    pub mover: T,
    /// The other one.
    pub opponent: T,
}

impl<T> Sides<T> {
    /// What one has and what another has, of whom one moves.
    pub fn of(one_moves: bool, one: T, other: T) -> Sides<T> {
        let (mover, opponent) = if one_moves { (one, other) } else { (other, one) };
        Sides { mover, opponent }
    }
}

/// What a line is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// How to play the roll.
    Move,
    /// Whether to double before rolling.
    Roll,
    /// Whether to take the double that the mover offers.
    Double,
}

/// A board with all that belongs to it. The mover is always the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// Checkers and roll.
    pub position: Position,
    /// What is asked.
    pub question: Question,
    /// Points to be won; 0 is money play.
    pub match_length: u32,
    /// Points won so far.
    pub scores: Sides<u32>,
    /// What a single game is worth, before a double that is being offered.
    pub cube: u32,
    /// Who may double: both while the cube is in the middle.
    pub may_double: Sides<bool>,
    /// Whether the game without doubles has been played, or none was needed.
    pub post_crawford: bool,
    /// Whether gammons count only once somebody has doubled, where that is said.
    pub jacoby: bool,
    /// Whether a double may be answered with a beaver, where that is said.
    pub beavers: Option<bool>,
}

/// Why a line is no board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FibsError {
    /// It does not begin as a board does.
    Prefix(String),
    /// It has too few fields, or far too many.
    Fields(usize),
    /// A field is not what it should be.
    Field {
        /// What it is about.
        name: &'static str,
        /// Its word.
        word: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The checkers make no position.
    Setup(SetupError),
    /// Somebody has borne off everything.
    Over,
}

impl fmt::Display for FibsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FibsError::Prefix(word) => write!(f, "'{word}': expected a line that begins with {PREFIX}"),
            FibsError::Fields(got) => write!(f, "expected 52 fields with colons between, got {got}"),
            FibsError::Field { name, word, expected } => write!(f, "'{word}': expected for the {name} {expected}"),
            FibsError::Setup(error) => error.fmt(f),
            FibsError::Over => f.write_str("the game is over"),
        }
    }
}

impl std::error::Error for FibsError {}

/// The fields of a line.
struct Fields<'l>(Vec<&'l str>);

impl<'l> Fields<'l> {
    fn of(line: &'l str) -> Result<Fields<'l>, FibsError> {
        let rest = line.trim().strip_prefix(PREFIX).ok_or_else(|| FibsError::Prefix(visible(line.trim(), SHOWN)))?;
        let fields: Vec<&str> = rest.split(':').take(MOST_FIELDS + 1).map(str::trim).collect();
        match fields.len() {
            NEEDED..=MOST_FIELDS => Ok(Fields(fields)),
            got => Err(FibsError::Fields(got)),
        }
    }

    fn number(&self, place: usize, name: &'static str, expected: &'static str, most: i64) -> Result<i64, FibsError> {
        let word = self.0.get(place).copied().unwrap_or_default();
        let number = word.parse().ok().filter(|number: &i64| number.abs() <= most);
        number.ok_or_else(|| FibsError::Field { name, word: visible(word, SHOWN), expected })
    }

    fn count(&self, place: usize, name: &'static str) -> Result<u32, FibsError> {
        let expected = "a whole number, 0 or more";
        let number = self.number(place, name, expected, MOST)?;
        u32::try_from(number).map_err(|_| FibsError::Field { name, word: number.to_string(), expected })
    }

    fn flag(&self, place: usize, name: &'static str) -> Result<bool, FibsError> {
        Ok(self.number(place, name, "0 or 1", 1)? != 0)
    }

    /// Whether the mover is the positive side.
    fn positive_moves(&self) -> Result<bool, FibsError> {
        let (name, expected) = ("turn", "1 or -1");
        match self.number(field::TURN, name, expected, 1)? {
            0 => Err(FibsError::Field { name, word: "0".into(), expected }),
            turn => Ok(turn > 0),
        }
    }

    /// The dice, which stand there twice; FIBS itself has those of the other player first or second.
    fn roll(&self) -> Result<Option<Roll>, FibsError> {
        let (name, expected) = ("dice", "two numbers from 1 to 6, or 0 and 0");
        for place in [field::DICE, field::DICE + 2] {
            let dice = [self.number(place, name, expected, 6)?, self.number(place + 1, name, expected, 6)?];
            if dice == [0, 0] {
                continue;
            }
            let [one, other] = dice.map(|die| u8::try_from(die).unwrap_or(0));
            let wrong = || FibsError::Field { name, word: format!("{}:{}", dice[0], dice[1]), expected };
            return Roll::new(one, other).map(Some).ok_or_else(wrong);
        }
        Ok(None)
    }

    /// The checkers of the mover and of the opponent, each from its own side.
    fn checkers(&self, positive_moves: bool) -> Result<[[u8; BAR as usize + 1]; 2], FibsError> {
        let mut checkers = [[0; BAR as usize + 1]; 2];
        for place in 0..=usize::from(BAR) {
            let (name, expected) = ("points", "26 numbers of checkers, at most 15 each, and nobody on another's bar");
            let number = self.number(field::POINTS + place, name, expected, 15)?;
            // The positive side moves down through the numbers, the negative one up.
            let own_place = if number > 0 { place } else { usize::from(BAR) - place };
            if number != 0 && own_place == 0 {
                return Err(FibsError::Field { name, word: number.to_string(), expected });
            }
            let side = usize::from((number > 0) != positive_moves);
            checkers[side][own_place] = number.unsigned_abs() as u8;
        }
        // Where nobody stands nothing was put; index 0 holds what does not count.
        checkers.iter_mut().for_each(|side| side[0] = 0);
        Ok(checkers)
    }
}

impl Board {
    /// Read a line.
    pub fn read(line: &str) -> Result<Board, FibsError> {
        let fields = Fields::of(line)?;
        let positive_moves = fields.positive_moves()?;
        let roll = fields.roll()?;
        let doubled = fields.flag(field::DOUBLED, "flag that a double is offered")?;
        let checkers = fields.checkers(positive_moves)?;
        let position = Position::set_up(checkers, Player::First, roll).map_err(FibsError::Setup)?;
        if position.win().is_some() {
            return Err(FibsError::Over);
        }
        let pair = |place, name| Ok([fields.count(place, name)?, fields.count(place + 1, name)?]);
        let [first, second] = pair(field::SCORES, "scores")?;
        let [positive, negative] = if doubled { [first, second] } else { [second, first] };
        let flag = |place| fields.flag(place, "right to double");
        let [may_positive, may_negative] = [flag(field::MAY_DOUBLE)?, flag(field::MAY_DOUBLE + 1)?];
        Ok(Board {
            position,
            question: match (doubled, roll) {
                (true, _) => Question::Double,
                (false, Some(_)) => Question::Move,
                (false, None) => Question::Roll,
            },
            match_length: fields.count(field::MATCH_LENGTH, "length of the match")?,
            scores: Sides::of(positive_moves, positive, negative),
            cube: fields.count(field::CUBE, "cube")?.max(1),
            may_double: Sides::of(positive_moves, may_positive, may_negative),
            post_crawford: fields.0.len() > field::POST_CRAWFORD
                && fields.flag(field::POST_CRAWFORD, "flag of the games after Crawford's")?,
            jacoby: false,
            beavers: None,
        })
    }
}

/// A position of money play without the cube, as a line: the mover is player 0. Without its end.
pub fn line(position: &Position) -> String {
    let (mover, opponent) = (position.checkers(position.mover()), position.checkers(position.mover().other()));
    let mut fields: Vec<i32> = vec![0, 0, 0];
    // Numbers rise as the mover goes home; the first and the last are the bars, where what has been borne off is not shown.
    let (bar, off) = (usize::from(BAR), 0);
    for (place, (positive, negative)) in opponent.iter().zip(mover.iter().rev()).enumerate() {
        let positive = if place == off { 0 } else { i32::from(*positive) };
        let negative = if place == bar { 0 } else { i32::from(*negative) };
        fields.push(positive - negative);
    }
    let dice = position.roll().map_or([0, 0], |roll| [roll.high(), roll.low()].map(i32::from));
    fields.push(-1);
    fields.extend([dice, dice].concat());
    fields.extend([1, 1, 1, 0, 1, -1, 0, 25, i32::from(opponent[0]), i32::from(mover[0])]);
    fields.extend([i32::from(opponent[bar]), i32::from(mover[bar])]);
    fields.extend([0, 0, 0, 1]);
    let fields: Vec<String> = fields.iter().map(i32::to_string).collect();
    format!("{PREFIX}alea:gnubg:{}", fields.join(":"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alea::game::{Game, Notation, Step};

    /// A take question, a roll question and a move of a 9-point match, as GNU Backgammon sent them to its player 1.
    const TAKE: &str = "board:root:gnubg:9:1:4:0:4:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-1:0:-2:0:-1:0:0:0:0:2:0:1:1:1:-1:0:25:11:12:0:0:0:0:0:1";
    const ROLL: &str = "board:gnubg:root:9:4:1:0:4:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-1:0:1:0:0:0:0:4:1:0:0:1:-1:0:25:11:14:0:0:0:0:0:1";
    const POST: &str = "board:gnubg:root:3:2:1:0:-1:0:0:-1:0:5:0:3:0:0:0:-4:5:0:0:-1:-3:0:-5:0:0:0:0:2:0:1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:1:1";

    #[test]
    fn lines_of_player_one_are_read() {
        let take = Board::read(TAKE).unwrap();
        assert_eq!((take.question, take.match_length, take.cube), (Question::Double, 9, 2));
        assert_eq!(take.scores, Sides { mover: 4, opponent: 1 });
        assert_eq!(take.may_double, Sides { mover: true, opponent: false });
        assert_eq!(take.position.checkers(Player::First)[1], 2);
        assert_eq!(take.position.checkers(Player::Second)[1], 4);
        let roll = Board::read(ROLL).unwrap();
        assert_eq!((roll.question, roll.cube), (Question::Roll, 4));
        assert_eq!(roll.scores, Sides { mover: 1, opponent: 4 });
        assert_eq!(roll.may_double, Sides { mover: true, opponent: false });
        let post = Board::read(&format!("\0{POST}\r\n").replace('\0', "")).unwrap();
        assert!(post.post_crawford && !roll.post_crawford);
        assert_eq!(post.position.checkers(Player::First)[13], 5);
    }

    #[test]
    fn wrong_lines_name_the_word() {
        let with = |place: usize, word: &str| {
            let mut fields: Vec<&str> = ROLL[PREFIX.len()..].split(':').collect();
            fields[place] = word;
            format!("{PREFIX}{}", fields.join(":"))
        };
        let cases = [
            (String::new(), "''"),
            ("bored:a:b".into(), "'bored:a:b'"),
            ("board:".into(), "got 1"),
            ("board:a:b:0:0:0".into(), "got 5"),
            (format!("board:{}", "1:".repeat(5000)), "got 101"),
            (with(2, "x"), "'x': expected for the length of the match"),
            (with(2, "-5"), "'-5'"),
            (with(3, "99999999999999999999"), "scores"),
            (with(5, "3"), "'3': expected for the points"),
            (with(7, "16"), "'16'"),
            (with(7, "-15"), "has 16 checkers"),
            (with(31, "0"), "'0': expected for the turn"),
            (with(31, ""), "'': expected for the turn"),
            (with(32, "7"), "dice"),
            (with(32, "3"), "'3:0'"),
            (with(33, "-1"), "'0:-1'"),
            (with(36, "two"), "cube"),
            (with(39, "2"), "0 or 1"),
            (with(50, "\u{1b}[2J"), "\\u{1b}"),
            (with(30, "-1"), "'-1': expected for the points"),
            (with(29, "0"), "the game is over"),
        ];
        for (line, words) in cases {
            let error = Board::read(&line).expect_err(&line).to_string();
            assert!(error.contains(words), "{line}: {error}");
        }
    }

    /// What is written is read back, over positions of random games, rolled and not.
    #[test]
    fn positions_are_written_as_they_are_read() {
        for seed in 0..20 {
            let mut position = Position::opening();
            for ply in 0.. {
                let Some(roll) = position.chance(seed, ply) else { break };
                for shown in [position.without_roll(), position.child(Step::Outcome(roll))] {
                    let board = Board::read(&line(&shown)).unwrap();
                    let (mover, read) = (shown.mover(), board.position);
                    assert_eq!(read.checkers(Player::First), shown.checkers(mover));
                    assert_eq!(read.checkers(Player::Second), shown.checkers(mover.other()));
                    assert_eq!(read.roll(), shown.roll());
                    assert_eq!(board.match_length, 0);
                }
                position = position.child(Step::Outcome(roll));
                let moves = position.moves();
                position = position.child(Step::Move(moves[(seed as usize * 7 + ply as usize) % moves.len()]));
            }
        }
    }

    #[test]
    fn the_start_is_written_as_gnu_backgammon_writes_it() {
        let mut start = Position::opening();
        start.roll_dice(Roll::new(6, 2).unwrap());
        let recorded = "board:Ext:Gnu:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:6:2:6:2:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";
        assert_eq!(line(&start), recorded.replace("Ext:Gnu", "alea:gnubg"));
    }
}
