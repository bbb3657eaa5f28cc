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
    Go(Go),
    /// Count lines of this many plies.
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

/// The argument of `position`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionText {
    /// Where to start from.
    pub base: Base,
    /// What was played since.
    pub plies: Vec<Ply>,
    /// The die for the side then to move.
    pub roll: Option<u32>,
}

/// Where a `position` starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Base {
    /// An empty board.
    Start {
        /// The board size and the win length; `None` for the default shape.
        shape: Option<(u32, u32)>,
    },
    /// The words of a DPN, not looked at yet.
    Dpn(String),
}

/// A cell as it is written: a letter for the column, a number for the row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellName {
    /// `a` to `z`.
    pub column: char,
    /// From 1.
    pub row: u32,
}

impl fmt::Display for CellName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.column, self.row)
    }
}

/// A roll and the move made with it, as in `2:d3`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The roll, from 0.
    pub roll: u32,
    /// The cell played on.
    pub cell: CellName,
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.roll, self.cell)
    }
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
    /// Answer only when told to stop.
    pub infinite: bool,
    /// Blue's clock.
    pub blue: Clock,
    /// Red's clock.
    pub red: Clock,
    /// Moves until the clocks are set again.
    pub movestogo: Option<u32>,
    /// The only moves to look at; all if empty.
    pub searchmoves: Vec<CellName>,
}

impl Go {
    /// Whether only `stop` ends this search: it says `infinite`, or sets no limit.
    pub fn is_unbounded(&self) -> bool {
        let limited = self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some();
        self.infinite || !(limited || self.blue.time.is_some() || self.red.time.is_some())
    }
}

/// What can be asked about the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Query {
    /// Whether blue is to move.
    FirstPlayersTurn,
    /// Whether the game is over.
    GameOver,
    /// Who has won.
    Result,
    /// The legal cells.
    Moves,
    /// The rolls that may come, with their weights.
    Rolls,
    /// The position itself.
    Dpn,
}
