//! Whether a recorded game is the one that the conditions ask for at its place: names, seed and seats compared, what
//! chance brought drawn again and the moves played again by the rules.

use crate::conditions::Conditions;
use crate::records::{FORMAT, GameRecord, GameResult, PairRecord, Reason, Seat};
use crate::referee::FORFEIT_POINTS;
use crate::rules::{Board, Chance, RuleError};
use crate::schedule::Task;
use std::error::Error;
use std::fmt;

/// How a record differs from the game it should be.
#[derive(Clone, PartialEq, Debug)]
pub enum Mismatch {
    /// A field says one thing where another is due.
    Field {
        /// The field.
        name: &'static str,
        /// What it says.
        found: String,
        /// What is due.
        expected: String,
    },
    /// A ply that the rules do not allow.
    Play {
        /// Which, from 1.
        ply: usize,
        /// Why not.
        problem: RuleError,
    },
    /// There should be no more games.
    Surplus,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the game that belongs here: ")?;
        match self {
            Mismatch::Field { name, found, expected } => write!(f, "'{name}' is {found}, expected {expected}"),
            Mismatch::Play { ply, problem } => write!(f, "ply {ply}: {problem}"),
            Mismatch::Surplus => f.write_str("it is more than the tournament has"),
        }
    }
}

impl Error for Mismatch {}

fn expect<T: PartialEq + fmt::Debug>(name: &'static str, found: T, expected: T) -> Result<(), Mismatch> {
    if found == expected {
        return Ok(());
    }
    let short = |value: &T| format!("{value:?}").chars().take(200).collect();
    Err(Mismatch::Field { name, found: short(&found), expected: short(&expected) })
}

/// Checks pairs against conditions.
pub struct Auditor<'a> {
    conditions: &'a Conditions,
    fingerprint: String,
    names: Vec<[&'a str; 2]>,
}

impl<'a> Auditor<'a> {
    /// An auditor of games under these conditions.
    pub fn new(conditions: &'a Conditions) -> Auditor<'a> {
        let name = |engine: usize| conditions.engines[engine].name.as_str();
        let names = conditions.pairings().iter().map(|pairing| [name(pairing.first), name(pairing.second)]).collect();
        Auditor { conditions, fingerprint: conditions.fingerprint(), names }
    }

    /// Whether a pair is that of a task; the error says which of its games is not, 0 or 1.
    pub fn pair(&self, pair: &PairRecord, task: Task) -> Result<(), (usize, Mismatch)> {
        for (i, (game, seat)) in pair.iter().zip(Seat::BOTH).enumerate() {
            let checked = self.label(game, task, seat).and_then(|()| self.play(game));
            checked.map_err(|mismatch| (i, mismatch))?;
        }
        Ok(())
    }

    fn label(&self, game: &GameRecord, task: Task, seat: Seat) -> Result<(), Mismatch> {
        expect("format", game.format, FORMAT)?;
        expect("game", game.game.as_str(), &self.conditions.variant.game)?;
        expect("number", game.number, 2 * task.number + seat as u64 + 1)?;
        expect("pairing", game.pairing, task.pairing)?;
        expect("pair", game.pair, task.pair)?;
        expect("seat", game.seat, seat)?;
        expect("start", game.start.as_str(), &self.conditions.variant.start)?;
        let [first, second] = self.names[task.pairing];
        let [p1, p2] = if seat == Seat::P1 { [first, second] } else { [second, first] };
        expect("p1", game.p1.as_str(), p1)?;
        expect("p2", game.p2.as_str(), p2)?;
        expect("seed", game.seed, self.conditions.seeds.get(task.pair))?;
        expect("conditions", game.conditions.as_str(), &self.fingerprint)?;
        if !self.conditions.times {
            expect("time_us", game.time_us.iter().max().copied().unwrap_or(0), 0)?;
        }
        Ok(())
    }

    fn play(&self, game: &GameRecord) -> Result<(), Mismatch> {
        let (plies, most) = (game.plies.len(), self.conditions.max_plies as usize);
        expect("plies", plies, plies.min(most))?;
        let chance = Chance { seed: game.seed, pair: game.pair };
        let board = replayed(game, Some(chance))?;
        expect("fen", game.fen.as_str(), &board.notation())?;
        expect("variations", game.variations.len(), 0)?;
        expect("detail", game.detail.is_some(), matches!(game.reason, Reason::Fault(_)))?;
        match game.reason {
            Reason::Rules => {
                expect("result", Some(game.result), board.result())?;
                expect("points", game.points, board.points())?;
                expect("roll", game.roll.as_deref(), None)
            }
            Reason::PlyLimit => {
                expect("plies", plies, most)?;
                expect("reason", board.result(), None)?;
                expect("result", game.result, GameResult::Draw)?;
                expect("points", game.points, 0)?;
                expect("roll", game.roll.as_deref(), None)
            }
            // Games that people keep end like this, tournaments never.
            Reason::Resigned | Reason::Unfinished => expect("reason", game.reason, Reason::Rules),
            // An engine may fail before the first roll too, whoever is to move.
            Reason::Fault(_) if game.roll.is_none() && game.plies.is_empty() => {
                expect("points", game.points, FORFEIT_POINTS)?;
                expect("result", game.result == Seat::P1.win() || game.result == Seat::P2.win(), true)
            }
            Reason::Fault(_) => {
                expect("points", game.points, FORFEIT_POINTS)?;
                expect("reason", board.result(), None)?;
                expect("roll", &game.roll, &board.face(chance))?;
                expect("result", game.result, board.mover().other().win())
            }
        }
    }
}

/// The end of a game, played again; if it is known what chance brings, that must be what it brought.
pub fn replayed(game: &GameRecord, chance: Option<Chance>) -> Result<Board, Mismatch> {
    let rule = |ply: usize| move |problem| Mismatch::Play { ply, problem };
    let plies = game.plies.len();
    let mut board = Board::new(&game.variant()).map_err(rule(0))?;
    for (i, ply) in game.plies.iter().enumerate() {
        let (face, word) = board.split(ply).map_err(rule(i + 1))?;
        let follows = board.chance_follows();
        if follows {
            board.play(word).map_err(rule(i + 1))?;
        }
        if let Some(chance) = chance {
            expect("plies", face, board.face(chance).as_deref())?;
        }
        if let Some(face) = face {
            board.resolve(face).map_err(rule(i + 1))?;
        }
        if !follows {
            board.play(word).map_err(rule(i + 1))?;
        }
        expect("plies", ply, &board.plies()[i])?;
    }
    for (name, length) in [
        ("depth", game.depth.len()),
        ("value", game.value.len()),
        ("nodes", game.nodes.len()),
        ("time_us", game.time_us.len()),
    ] {
        expect(name, length, plies)?;
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::FaultKind;
    use crate::records::tests::{game, small};

    const TASK: Task = Task { number: 1, pairing: 0, pair: 1 };

    fn honest() -> PairRecord {
        Seat::BOTH.map(|seat| game(&small(), TASK, seat, 3))
    }

    fn face_of(ply: &str) -> String {
        ply.split(':').next().unwrap().to_string()
    }

    #[test]
    fn an_honest_pair_passes_and_so_does_a_forfeit() {
        let conditions = small();
        let auditor = Auditor::new(&conditions);
        let mut pair = honest();
        assert_eq!(auditor.pair(&pair, TASK), Ok(()));
        // The second game again, lost by a crash at its third ply.
        let game = &mut pair[1];
        game.roll = Some(face_of(&game.plies[2]));
        game.plies.truncate(2);
        game.depth.truncate(2);
        game.value.truncate(2);
        game.nodes.truncate(2);
        game.time_us.truncate(2);
        game.fen = replayed(game, None).unwrap().notation();
        (game.reason, game.detail) = (Reason::Fault(FaultKind::Crash), Some("gone".to_string()));
        (game.result, game.points) = (GameResult::P2Win, 1);
        assert_eq!(auditor.pair(&pair, TASK), Ok(()));
        pair[1].points = 2;
        assert!(auditor.pair(&pair, TASK).is_err(), "a forfeit is worth one point");
        pair[1].points = 1;
        pair[1].result = GameResult::P1Win;
        assert!(auditor.pair(&pair, TASK).is_err(), "who failed cannot have won");
    }

    /// A game may be a draw because it is long, if it is just so long and was not over.
    #[test]
    fn a_draw_by_length_passes() {
        let mut conditions = small();
        let shortened = |conditions: &Conditions, plies: usize| {
            let mut pair = honest();
            for game in &mut pair {
                game.plies.truncate(plies);
                game.depth.truncate(plies);
                game.value.truncate(plies);
                game.nodes.truncate(plies);
                game.time_us.truncate(plies);
                game.fen = replayed(game, None).unwrap().notation();
                game.conditions = conditions.fingerprint();
                (game.reason, game.result, game.points) = (Reason::PlyLimit, GameResult::Draw, 0);
            }
            pair
        };
        for (most, plies, passes) in [(3, 3, true), (3, 2, false), (2, 3, false), (2000, 3, false)] {
            conditions.max_plies = most;
            let audited = Auditor::new(&conditions).pair(&shortened(&conditions, plies), TASK);
            assert_eq!(audited.is_ok(), passes, "{plies} of {most}: {audited:?}");
        }
        conditions.max_plies = honest()[0].plies.len() as u32;
        let (i, mismatch) = Auditor::new(&conditions).pair(&shortened(&conditions, 99), TASK).unwrap_err();
        assert!(i == 0 && mismatch.to_string().contains("'reason'"), "{mismatch}");
    }

    #[test]
    fn every_change_is_named() {
        type Change = fn(&mut GameRecord);
        let cases: [(&str, Change); 19] = [
            ("format", |g| g.format += 1),
            ("game", |g| g.game = "einstein".into()),
            ("number", |g| g.number += 2),
            ("pair", |g| g.pair = 7),
            ("seat", |g| g.seat = g.seat.other()),
            ("start", |g| g.start = "startpos 4 3".into()),
            ("p1", |g| g.p1 = "nobody".into()),
            ("p2", |g| g.p2 = g.p1.clone()),
            ("seed", |g| g.seed += 1),
            ("conditions", |g| g.conditions = "00000000".into()),
            ("result", |g| g.result = if g.result == GameResult::Draw { GameResult::P1Win } else { GameResult::Draw }),
            ("points", |g| g.points += 1),
            ("plies", |g| (g.reason, g.result, g.points) = (Reason::PlyLimit, GameResult::Draw, 0)),
            ("plies", |g| g.plies.resize(2001, "0:a1".into())),
            ("detail", |g| g.detail = Some("x".into())),
            ("fen", |g| g.fen.replace_range(0..1, "4")),
            ("depth", |g| g.depth.push(None)),
            ("roll", |g| g.roll = Some("0".into())),
            ("ply 1", |g| g.plies[0] = format!("{}:c9", face_of(&g.plies[0]))),
        ];
        let conditions = small();
        let auditor = Auditor::new(&conditions);
        for (word, change) in cases {
            let mut pair = honest();
            change(&mut pair[1]);
            let (which, mismatch) = auditor.pair(&pair, TASK).unwrap_err();
            assert_eq!(which, 1);
            assert!(mismatch.to_string().contains(word), "{word}: {mismatch}");
        }
    }
}
