// @ts-check
// Looking into the engine: while nobody's engine thinks, the position on the board is searched with every move shown, or,
// before a roll, with the value of every roll.

import { moveOf } from "./boards/moves.js";

/** @typedef {import("./types.js").Facts} Facts */
/** @typedef {import("./types.js").Info} Info */
/** @typedef {import("./app.js").App} App */

/** Milliseconds for the value of every roll: it is told at the end of a search. */
const ROLLS_TIME = 800;

export class Analysis {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.on = false;
    this.engine = 0;
    /** Whether values are shown on the board. */
    this.heat = true;
    /** Whether the expected line is. */
    this.line = true;
    this.clear();
    /** Moves of a whole set. */
    this.count = 0;
    /** @type {{cancel: () => void} | null} */
    this.search = null;
    /** Values by roll of the place before the roll. @type {{at: string, rolls: Info[]} | null} */
    this.byRoll = null;
  }

  clear() {
    /** @type {Info | null} */
    this.info = null;
    /** The last whole set of moves. @type {Info[]} */
    this.moves = [];
    /** The set that is coming in. @type {Info[]} */
    this.coming = [];
    /** @type {Info[]} */
    this.rolls = [];
  }

  /** End the search. */
  stop() {
    this.search?.cancel();
    this.search = null;
    this.clear();
  }

  /** Turn it on or off. */
  toggle() {
    this.on = !this.on;
    this.stop();
    if (this.on && this.app.facts && !this.app.search) this.begin(this.app.facts);
    this.app.store();
    this.app.changed();
  }

  /**
   * Search a position, if this is on.
   * @param {Facts} facts
   */
  async begin(facts) {
    this.stop();
    if (!this.on || facts.kind === "over") return;
    const engine = this.app.engines[this.engine];
    const chance = facts.kind === "chance";
    await engine.ready().catch(() => {});
    if (!this.on || this.app.facts !== facts) return;
    const most = Math.min(500, engine.option("MultiPV")?.max ?? 1);
    this.count = Math.min(most, facts.moves.length);
    const search = engine.search({
      game: facts.game,
      position: facts.line,
      go: chance ? `go movetime ${ROLLS_TIME}` : "go infinite",
      options: { Noise: "0", MultiPV: String(chance ? 1 : Math.max(1, this.count)) },
      onInfo: (info) => this.search === search && this.take(info),
    });
    this.search = search;
    try {
      const found = await search.done;
      if (this.search === search && found) this.rolls = found.rolls;
    } catch (error) {
      if (this.search === search) this.app.say(/** @type {Error} */ (error).message, "error");
    }
    this.app.changed();
  }

  /** @param {Info} info */
  take(info) {
    if (info.string !== undefined || info.roll !== undefined) return;
    if (info.depth === undefined) {
      this.info = { ...this.info, ...info };
    } else {
      if ((info.multipv ?? 1) === 1) {
        this.coming = [];
        this.info = { ...this.info, ...info };
      }
      // The first ply of a line may tell the likeliest outcome with the move: here it is the move alone that counts.
      this.coming.push({ ...info, pv: info.pv?.map((ply, i) => (i ? ply : moveOf(ply))) });
      // Only a whole set is shown: values of different depths do not compare.
      if (this.coming.length === this.count) this.moves = this.coming;
    }
    this.app.changed();
  }

  /** The value of each move; null where nothing is known. @returns {Map<string, number> | null} */
  values() {
    const known = this.moves.filter((info) => info.pv?.length && info.value !== undefined);
    if (known.length === 0) return null;
    return new Map(known.map((info) => [/** @type {string[]} */ (info.pv)[0], /** @type {number} */ (info.value)]));
  }

  /** Search the place before the roll for the value of every roll. */
  async askRolls() {
    const { app } = this;
    if (!app.facts || app.facts.chance_follows || app.search) return;
    const position = app.facts.line.replace(/ roll \S+$/, "");
    this.stop();
    const engine = app.engines[this.engine];
    const search = engine.search({
      game: app.facts.game, position, go: `go movetime ${ROLLS_TIME}`, options: { Noise: "0", MultiPV: "1" },
    });
    this.search = search;
    try {
      const found = await search.done;
      if (this.search === search && found) this.byRoll = { at: position, rolls: found.rolls };
    } catch (error) {
      app.say(/** @type {Error} */ (error).message, "error");
    }
    if (this.search === search && app.facts) this.begin(app.facts);
    app.changed();
  }
}
