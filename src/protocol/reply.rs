//! What the engine answers: typed, so that every line is formatted in one place.

use std::fmt;

/// A value in both its printed forms.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Score {
    /// Hundredths of a won game.
    pub cp: i32,
    /// Utility in [−1, 1].
    pub value: f64,
}

/// Six decimals; never `-0.000000`.
struct SixDecimals(f64);

impl fmt::Display for SixDecimals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = (self.0 * 1e6).round() / 1e6;
        // Adding zero turns a negative zero into a positive one.
        write!(f, "{:.6}", rounded + 0.0)
    }
}

/// A finished iteration, for one root move.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// Depth of the iteration.
    pub depth: u32,
    /// The deepest node entered.
    pub seldepth: u32,
    /// Rank of this root move, from 1.
    pub multipv: usize,
    /// Its value.
    pub score: Score,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Per mille of the table in use.
    pub hashfull: u32,
    /// Milliseconds so far.
    pub time: u64,
    /// The move to play and the plies that should follow it; nothing if chance comes first.
    pub pv: Vec<String>,
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Info { depth, seldepth, multipv, score, nodes, nps, hashfull, time, pv } = self;
        write!(f, "info depth {depth} seldepth {seldepth} multipv {multipv} score cp {} ", score.cp)?;
        write!(f, "value {} nodes {nodes} nps {nps} ", SixDecimals(score.value))?;
        write!(f, "hashfull {hashfull} time {time} pv")?;
        pv.iter().try_for_each(|ply| write!(f, " {ply}"))
    }
}

/// What an option may be set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A whole number.
    Spin {
        /// What it is at first.
        default: u64,
        /// The least it may be.
        min: u64,
        /// The most it may be.
        max: u64,
    },
    /// One of some words.
    Combo {
        /// What it is at first.
        default: &'static str,
        /// What it may be.
        words: Vec<&'static str>,
    },
    /// Any text.
    Text {
        /// What it is at first; the empty text is written `<empty>`.
        default: &'static str,
    },
    /// Yes or no.
    Check {
        /// What it is at first.
        default: bool,
    },
    /// Nothing: it is pressed.
    Button,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Spin { default, min, max } => write!(f, "type spin default {default} min {min} max {max}"),
            Choice::Combo { default, words } => {
                write!(f, "type combo default {default}")?;
                words.iter().try_for_each(|word| write!(f, " var {word}"))
            }
            Choice::Text { default: "" } => f.write_str("type string default <empty>"),
            Choice::Text { default } => write!(f, "type string default {default}"),
            Choice::Check { default } => write!(f, "type check default {default}"),
            Choice::Button => f.write_str("type button"),
        }
    }
}

/// An answer: one line, except for [`Reply::Text`].
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// The engine's name, with its version.
    Name(String),
    /// Who made it.
    Author(&'static str),
    /// An option that can be set.
    Option(&'static str, Choice),
    /// The end of the answer to `uci`.
    UciOk,
    /// The end of the answer to `ugi`.
    UgiOk,
    /// The answer to `isready`.
    ReadyOk,
    /// A finished iteration.
    Info(Info),
    /// A search goes on.
    Progress {
        /// Nodes so far.
        nodes: u64,
        /// Nodes per second.
        nps: u64,
        /// Milliseconds so far.
        time: u64,
    },
    /// The value of one roll of a root that is not rolled.
    Roll {
        /// The roll.
        roll: String,
        /// Its value.
        score: Score,
        /// The best move with it.
        best: String,
    },
    /// What a rollout found of a move, of a roll, or of the whole position.
    Rollout {
        /// Which.
        branch: String,
        /// Its value.
        score: Score,
        /// The standard error of the value.
        error: f64,
        /// Games played.
        games: u64,
    },
    /// Something for the user to read.
    Note(String),
    /// A mistake in the input.
    Error(String),
    /// The end of a search.
    BestMove(Option<String>),
    /// The answer to a query.
    Response(String),
    /// Lines of one root branch of a perft.
    Branch(String, u64),
    /// The last line of a perft.
    Nodes(u64),
    /// Lines for people.
    Text(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {name}"),
            Reply::Author(author) => write!(f, "id author {author}"),
            Reply::Option(name, choice) => write!(f, "option name {name} {choice}"),
            Reply::UciOk => f.write_str("uciok"),
            Reply::UgiOk => f.write_str("ugiok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => info.fmt(f),
            Reply::Progress { nodes, nps, time } => write!(f, "info nodes {nodes} nps {nps} time {time}"),
            Reply::Roll { roll, score, best } => {
                write!(f, "info roll {roll} value {} pv {best}", SixDecimals(score.value))
            }
            Reply::Rollout { branch, score, error, games } => {
                write!(f, "info rollout {branch} value {} error ", SixDecimals(score.value))?;
                // One game alone says nothing of how much it may be wrong.
                if error.is_finite() {
                    write!(f, "{}", SixDecimals(*error))?
                } else {
                    f.write_str("-")?
                }
                write!(f, " games {games}")
            }
            Reply::Note(note) => write!(f, "info string {}", OneLine(note)),
            Reply::Error(error) => write!(f, "info string error: {}", OneLine(error)),
            Reply::BestMove(Some(best)) => write!(f, "bestmove {best}"),
            Reply::BestMove(None) => f.write_str("bestmove (none)"),
            Reply::Response(answer) if answer.is_empty() => f.write_str("response"),
            Reply::Response(answer) => write!(f, "response {answer}"),
            Reply::Branch(branch, nodes) => write!(f, "{branch}: {nodes}"),
            Reply::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Reply::Text(text) => f.write_str(text),
        }
    }
}

/// Text with its control characters spelled out: what came in must neither break a line nor move a cursor.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => write!(f, "{}", c.escape_default()),
            c => write!(f, "{c}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_info_line_has_every_field_in_order() {
        let mut info = Info {
            depth: 3,
            seldepth: 3,
            multipv: 1,
            score: Score { cp: 25, value: 0.25 },
            nodes: 99,
            nps: 9900,
            hashfull: 1,
            time: 10,
            pv: vec!["d3".into(), "0:a1".into()],
        };
        let start =
            "info depth 3 seldepth 3 multipv 1 score cp 25 value 0.250000 nodes 99 nps 9900 hashfull 1 time 10 pv";
        assert_eq!(info.to_string(), format!("{start} d3 0:a1"));
        info.pv.clear();
        assert_eq!(info.to_string(), start);
    }

    #[test]
    fn values_have_six_decimals_and_no_negative_zero() {
        for (value, text) in [(0.0, "0.000000"), (-1e-9, "0.000000"), (-0.25, "-0.250000"), (1.0, "1.000000")] {
            assert_eq!(SixDecimals(value).to_string(), text);
        }
    }

    #[test]
    fn messages_stay_on_their_line() {
        let reply = Reply::Error("'a\nb\u{1b}[2J\0': expected é".into());
        assert_eq!(reply.to_string(), "info string error: 'a\\nb\\u{1b}[2J\\u{0}': expected é");
    }
}
