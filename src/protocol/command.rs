//! What can be said to the engine.

use std::fmt;

/// One line of input, understood as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Name the engine and its options, ending with `uciok`.
    Uci,
    /// The same, ending with `ugiok`.
    Ugi,
    /// Answer `readyok`.
    IsReady,
    /// Forget everything learnt.
    NewGame,
    /// Set an option, or press a button.
    SetOption {
        /// The option's name, words separated by single spaces.
        name: String,
        /// What follows `value`, as it was written.
        value: Option<String>,
    },
    /// Set up a position.
    Position(PositionText),
    /// Search.
    Go(Box<Go>),
    /// Count lines of this many steps.
    Perft(u32),
    /// End the search.
    Stop,
    /// Ask about the position.
    Query(Query),
    /// Draw the board.
    Draw,
    /// Show the static value.
    Eval,
    /// Run the benchmark.
    Bench,
    /// List the commands.
    Help,
    /// Leave.
    Quit,
}

impl Command {
    /// Whether only `stop` ends what this command starts.
    pub fn is_unbounded(&self) -> bool {
        matches!(self, Command::Go(go) if go.is_unbounded())
    }

    /// Whether the command starts work that `stop` can end.
    pub fn can_be_stopped(&self) -> bool {
        matches!(self, Command::Go(_) | Command::Perft(_) | Command::Bench)
    }
}

/// Words of a game that the protocol hands on as they are, one space between each two: as compact as the line they
/// came from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words(Box<str>);

impl Words {
    /// The words, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ').filter(|word| !word.is_empty())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Of a text, whatever white space separates them.
impl From<&str> for Words {
    fn from(text: &str) -> Words {
        Words(text.split_whitespace().collect::<Vec<_>>().join(" ").into())
    }
}

/// With a space before each word.
impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|word| write!(f, " {word}"))
    }
}

/// The argument of `position`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionText {
    /// Where to start from.
    pub base: Base,
    /// What was played since, a word a ply.
    pub plies: Words,
    /// What chance has brought the side then to move.
    pub roll: Option<Box<str>>,
}

/// As it is written after `position`.
impl fmt::Display for PositionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            Base::Start(words) => write!(f, "startpos{words}")?,
            Base::Set { keyword, words } => write!(f, "{keyword}{words}")?,
        }
        if !self.plies.is_empty() {
            write!(f, " moves{}", self.plies)?;
        }
        self.roll.iter().try_for_each(|roll| write!(f, " roll {roll}"))
    }
}

/// Where a `position` starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Base {
    /// The start position of the game; the words say which, where there are several.
    Start(Words),
    /// A position written out.
    Set {
        /// The notation: `fen`, or one of the game's own.
        keyword: Box<str>,
        /// The position in it.
        words: Words,
    },
}

/// One player's time, in milliseconds. Clocks of careless clients run below zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// What is left.
    pub time: Option<i64>,
    /// What each move adds.
    pub increment: Option<i64>,
}

/// The arguments of `go`, each at most once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// The last iteration.
    pub depth: Option<u32>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// Milliseconds for this move.
    pub movetime: Option<i64>,
    /// Games to play on from each move or roll, instead of a search.
    pub rollout: Option<u32>,
    /// Answer only when told to stop.
    pub infinite: bool,
    /// The clocks of the first and of the second player.
    pub clocks: [Clock; 2],
    /// Moves until the clocks are set again.
    pub movestogo: Option<u32>,
    /// The only moves to look at; all if empty.
    pub searchmoves: Words,
    /// Whether the search is to be of the opponent's time, which is not supported.
    pub ponder: bool,
    /// In how many moves to look for a win, which is not supported.
    pub mate: Option<u32>,
}

impl Go {
    /// Whether only `stop` ends this search: it says `infinite`, or sets no limit.
    pub fn is_unbounded(&self) -> bool {
        let counted = self.depth.is_some() || self.nodes.is_some() || self.rollout.is_some();
        let limited = counted || self.movetime.is_some();
        self.infinite || !(limited || self.clocks.iter().any(|clock| clock.time.is_some()))
    }
}

/// What can be asked about the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// Whether the first player is to move.
    FirstPlayersTurn,
    /// Whether the game is over.
    GameOver,
    /// Who has won.
    Result,
    /// The legal moves.
    Moves,
    /// What chance may bring next, with weights.
    Rolls,
    /// The position itself, in a notation: `fen`, or one of the game's own.
    Position(Box<str>),
}
