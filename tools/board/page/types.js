// @ts-check
// The shapes of what the server and the page tell each other. Types only: nothing here runs.

/**
 * A seat: the first player moves first.
 * @typedef {"p1" | "p2"} Seat
 */

/**
 * All that the server knows of a position.
 * @typedef {object} Facts
 * @property {string} game
 * @property {string} title
 * @property {string} start
 * @property {string[]} plies
 * @property {string | null} roll
 * @property {string} line the command that sets it up
 * @property {"chance" | "decision" | "over"} kind
 * @property {Seat} mover
 * @property {string[]} moves
 * @property {[string, number][]} rolls
 * @property {string | null} chance what the seed brings
 * @property {string} fen
 * @property {[string, string][]} notations
 * @property {"p1win" | "p2win" | "draw" | null} result
 * @property {number} points
 * @property {string | null} ending
 * @property {{p1: string, p2: string}} names
 * @property {boolean} chance_follows
 * @property {number} most_points
 */

/**
 * What an `info` line says.
 * @typedef {object} Info
 * @property {number=} depth
 * @property {number=} seldepth
 * @property {number=} multipv
 * @property {number=} value in points, for the side to move
 * @property {number=} nodes
 * @property {number=} nps
 * @property {number=} hashfull
 * @property {number=} time
 * @property {string[]=} pv
 * @property {string=} roll
 * @property {string=} string
 */

/**
 * What an `option` line says.
 * @typedef {object} Option
 * @property {string} name
 * @property {"check" | "spin" | "combo" | "string" | "button"} type
 * @property {string} default
 * @property {number=} min
 * @property {number=} max
 * @property {string[]} vars
 */

/**
 * What the engine reported with a move: the value is for the side that moved.
 * @typedef {object} Report
 * @property {number | null} depth
 * @property {number | null} value
 * @property {number | null} nodes
 */

/**
 * A ply, judged: all values are for the side that moved.
 * @typedef {object} Review
 * @property {Seat} seat
 * @property {number | null} before value before the roll
 * @property {number | null} luck change by the roll
 * @property {number} best value of the best move
 * @property {string} bestMove
 * @property {number} played value of the move that was played
 * @property {number} mistake played less best; 0 or below
 */

/**
 * How strong an engine is to play.
 * @typedef {object} Level
 * @property {string} name
 * @property {string} hint
 * @property {number=} depth
 * @property {number=} movetime
 * @property {number=} noise
 */

/**
 * Who sits in a seat.
 * @typedef {object} Player
 * @property {"person" | "engine"} kind
 * @property {number} engine which of the server's engines
 * @property {Level} level
 */

/**
 * A game as the tournament's records have it.
 * @typedef {object} GameRecord
 * @property {string} game
 * @property {string} start
 * @property {number} number
 * @property {string} p1
 * @property {string} p2
 * @property {number} seed
 * @property {"p1win" | "p2win" | "draw"} result
 * @property {string} reason
 * @property {string[]} plies
 * @property {string | null} roll
 * @property {(number | null)[]} depth
 * @property {(number | null)[]} value
 * @property {(number | null)[]} nodes
 * @property {number[]} time_us
 * @property {{line: number, after: number, plies: string[]}[]=} variations
 */

export {};
