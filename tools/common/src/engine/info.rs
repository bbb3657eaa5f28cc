//! The lines in which an engine says what it thinks.

use std::str::FromStr;

/// What an `info` line says. A field that is missing, or that is no number, is `None`: an engine may say more or less.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info {
    /// Depth of the iteration.
    pub depth: Option<u32>,
    /// The deepest node entered.
    pub seldepth: Option<u32>,
    /// The rank of the move, from 1.
    pub multipv: Option<u32>,
    /// The value in points for the side to move.
    pub value: Option<f64>,
    /// The value in hundredths of a point.
    pub cp: Option<i64>,
    /// Nodes entered so far.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// How full the table is, per mille.
    pub hashfull: Option<u32>,
    /// Milliseconds so far.
    pub time: Option<u64>,
    /// The roll that a line is about.
    pub roll: Option<String>,
    /// What to play and what to expect.
    pub pv: Vec<String>,
    /// Words for people.
    pub text: Option<String>,
}

impl Info {
    /// What a line says; `None` if it is not an `info` line.
    pub fn read(line: &str) -> Option<Info> {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = Info::default();
        while let Some(key) = words.next() {
            match key {
                "depth" => info.depth = number(words.next()),
                "seldepth" => info.seldepth = number(words.next()),
                "multipv" => info.multipv = number(words.next()),
                "value" => info.value = number(words.next()).filter(|value: &f64| value.is_finite()),
                "cp" => info.cp = number(words.next()),
                "nodes" => info.nodes = number(words.next()),
                "nps" => info.nps = number(words.next()),
                "hashfull" => info.hashfull = number(words.next()),
                "time" => info.time = number(words.next()),
                "roll" => info.roll = words.next().map(str::to_string),
                "pv" => info.pv.extend(words.by_ref().map(str::to_string)),
                "string" => {
                    let (_, text) = line.split_once("string")?;
                    info.text = Some(text.trim().to_string());
                    break;
                }
                _ => {}
            }
        }
        Some(info)
    }

    /// The value in points, from hundredths where the engine gives no more.
    pub fn points(&self) -> Option<f64> {
        self.value.or(self.cp.map(|cp| cp as f64 / 100.0))
    }

    /// The engine's complaint, if this is one.
    pub fn error(&self) -> Option<&str> {
        let rest = self.text.as_deref()?.strip_prefix("error")?;
        Some(rest.trim_start_matches(':').trim())
    }
}

fn number<T: FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_read_and_what_is_not_is_left_out() {
        let line = "info depth 3 seldepth 4 multipv 2 score cp -12 value -0.120000 nodes 55 nps 9 hashfull 1 time 7 pv a1 2:b3";
        let info = Info::read(line).unwrap();
        assert_eq!((info.depth, info.seldepth, info.multipv, info.cp), (Some(3), Some(4), Some(2), Some(-12)));
        assert_eq!((info.points(), info.nodes, info.nps), (Some(-0.12), Some(55), Some(9)));
        assert_eq!(
            (info.hashfull, info.time, info.pv.as_slice()),
            (Some(1), Some(7), &["a1".to_string(), "2:b3".into()][..])
        );
        let info = Info::read("info roll 2 value nan cp 50 pv b2").unwrap();
        assert_eq!((info.roll.as_deref(), info.value, info.points()), (Some("2"), None, Some(0.5)));
        assert_eq!(Info::read("info depth x nodes").unwrap(), Info::default());
        assert_eq!(Info::read("information"), None);
        let info = Info::read("info  string error: 'x': no depth 3").unwrap();
        assert_eq!((info.error(), info.depth), (Some("'x': no depth 3"), None));
        assert_eq!(Info::read("info string all is well").unwrap().error(), None);
    }
}
