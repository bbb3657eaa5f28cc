//! Games as they are kept, which all tools share, and games made up for tests.

pub use alea_tools::records::*;

#[cfg(test)]
pub(crate) mod tests {
    use super::{FORMAT, GameRecord, GameResult, PairRecord, Reason, Seat};
    use crate::conditions::{Conditions, tests::example};
    use crate::rules::{Chance, Variant};
    use crate::schedule::Task;

    /// Conditions of two engines on the smallest board.
    pub(crate) fn small() -> Conditions {
        let mut conditions = example(&[1, 3], &["0"]);
        conditions.variant = Variant::dice("3/3".parse().unwrap());
        conditions
    }

    /// A game that may be, on the smallest board: random moves on the dice of the task.
    pub(crate) fn game(conditions: &Conditions, task: Task, seat: Seat, salt: u64) -> GameRecord {
        let (seed, mut board) = (conditions.seeds.get(task.pair), conditions.start().unwrap());
        let mut random = salt;
        while let Some(roll) = board.face(Chance { seed, pair: task.pair }) {
            board.resolve(&roll).unwrap();
            while {
                random = alea::game::mix(random);
                let cell = format!("{}{}", char::from(b'a' + (random % 3) as u8), random / 3 % 3 + 1);
                board.play(&cell).is_err()
            } {}
        }
        let pairing = conditions.pairings()[task.pairing];
        let names = [pairing.first, pairing.second].map(|engine| conditions.engines[engine].name.clone());
        let [p1, p2] = if seat == Seat::P1 { names } else { [names[1].clone(), names[0].clone()] };
        let count = board.plies().len();
        GameRecord {
            format: FORMAT,
            game: conditions.variant.game.clone(),
            start: conditions.variant.start.clone(),
            number: 2 * task.number + seat as u64 + 1,
            pairing: task.pairing,
            pair: task.pair,
            seat,
            p1,
            p2,
            seed,
            conditions: conditions.fingerprint(),
            result: board.result().unwrap(),
            points: board.points(),
            reason: Reason::Rules,
            detail: None,
            plies: board.plies().to_vec(),
            roll: None,
            depth: vec![Some(1); count],
            value: vec![Some(0.25); count],
            nodes: vec![None; count],
            fen: board.notation(),
            time_us: (1..=count as u64).map(|ply| 10 * ply).collect(),
            variations: Vec::new(),
        }
    }

    /// A pair with given half points for the first engine, whatever its moves say.
    pub(crate) fn pair(task: Task, half_points: [usize; 2]) -> PairRecord {
        Seat::BOTH.map(|seat| {
            let mut game = game(&small(), Task { pairing: 0, ..task }, seat, task.number);
            game.pairing = task.pairing;
            game.result = [seat.other().win(), GameResult::Draw, seat.win()][half_points[seat as usize]];
            game.points = u32::from(game.result != GameResult::Draw);
            game.plies = if seat == Seat::P1 { vec!["0:a1".into(), "1:b2".into()] } else { vec!["0:b1".into(); 2] };
            game.time_us = vec![10, 20];
            game
        })
    }

    /// Any single bit: the text, the checksum, the brackets around it.
    #[test]
    fn every_flipped_bit_is_noticed() {
        let game = game(&small(), Task { number: 0, pairing: 0, pair: 0 }, Seat::P1, 7);
        let line = game.line().unwrap();
        let line = &line[..line.len() - 1];
        assert_eq!(GameRecord::from_line(line).unwrap(), game);
        for bit in 0..8 * line.len() {
            let mut flipped = line.to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(GameRecord::from_line(&flipped).is_err(), "bit {bit}");
        }
    }
}
