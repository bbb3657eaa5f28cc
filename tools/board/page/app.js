// @ts-check
// The game on the page: what is on the board, who moves next, and everything that changes it. It draws nothing: whoever shows
// it is told when something has changed.

import { facts as factsOf, get, post } from "./api.js";
import { Analysis } from "./analysis.js";
import { Clock } from "./clock.js";
import { Engine } from "./engine.js";
import { PRESET, limits } from "./levels.js";
import { Link } from "./link.js";
import { Reviewer } from "./review.js";
import { restore, store } from "./store.js";
import { Tree } from "./tree.js";

/** @typedef {import("./types.js").Facts} Facts */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Player} Player */
/** @typedef {import("./types.js").GameRecord} GameRecord */
/** @typedef {import("./tree.js").Node} Node */
/** @typedef {import("./boards/backgammon.js").UnderWay} UnderWay */

/**
 * A new game.
 * @typedef {object} Start
 * @property {string} game
 * @property {string} start
 * @property {{p1: Player, p2: Player}} [players]
 * @property {number} [seed]
 * @property {"auto" | "hand"} [diceMode]
 * @property {{base: number, increment: number}} [clock]
 */

/** Lines of the log that are kept. */
const LOG_LINES = 3000;

/** @returns {number} a seed that a record can hold exactly */
export function newSeed() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 0x200000) * 0x100000000 + low;
}

export class App {
  constructor() {
    /** @type {{version: string, games: string[], engines: {name: string, command: string}[], thesis: string[]}} */
    this.setting = { version: "", games: [], engines: [], thesis: [] };
    this.variant = { game: "dice", start: "startpos 5 4" };
    this.tree = new Tree();
    this.node = this.tree.root;
    /** @type {{p1: Player, p2: Player}} */
    this.players = { p1: { kind: "person", engine: 0, level: PRESET }, p2: { kind: "engine", engine: 0, level: PRESET } };
    this.seed = newSeed();
    /** @type {"auto" | "hand"} */
    this.diceMode = "auto";
    this.clock = new Clock(0, 0);
    /** @type {{by: Seat, reason: string} | null} */
    this.lost = null;
    /** Whether engines wait: the user looks around. */
    this.paused = false;
    this.flipped = false;
    /** A move that waits for its outcome. @type {string | null} */
    this.pending = null;
    /** Steps of a backgammon move that has not been confirmed. @type {{from: number, die: number}[]} */
    this.made = [];
    /** @type {UnderWay | null} */
    this.way = null;
    /** @type {string | null} */
    this.selected = null;
    /** What the mover's engine says while it thinks. @type {import("./types.js").Info | null} */
    this.thinking = null;
    /** @type {{cancel: () => void} | null} */
    this.search = null;
    /** @type {{text: string, tone: "note" | "error"} | null} */
    this.message = null;
    /** @type {"open" | "lost" | "replaced"} */
    this.connection = "lost";
    /** @type {{at: number, engine: string, direction: string, text: string}[]} */
    this.log = [];
    /** @type {Engine[]} */
    this.engines = [];
    /** @type {Facts | null} */
    this.facts = null;
    /** What the engine said of a move that waits for its outcome. @type {import("./types.js").Report | null} */
    this.report = null;
    /** Whether a step of a backgammon move is on its way to the server. */
    this.stepping = false;
    /** Whether what is known is of the position at hand: until then nothing can be played. */
    this.settled = false;
    this.turn = 0;
    this.began = 0;
    this.onChange = () => {};
    this.announce = (/** @type {string} */ _words) => {};
    this.link = new Link(null, (event) => this.heard(event), (state, why) => this.connected(state, why));
    this.analysis = new Analysis(this);
    this.reviewer = new Reviewer(this);
  }

  /** Ask for what does not change, take up the game that the page had, or begin one. */
  async begin() {
    this.setting = await get("setting");
    this.engines = this.setting.engines.map(({ name }, i) => {
      const log = (/** @type {string} */ direction, /** @type {string} */ text) => this.note(name, direction, text);
      const engine = new Engine(this.link, i, name, log);
      engine.onChange = () => this.changed();
      return engine;
    });
    const stored = restore(this);
    if (stored?.link) this.link.name = stored.link;
    await this.link.open();
    if (stored) await this.settle();
    else await this.start({ game: "dice", start: "startpos 5 4" });
  }

  /** @param {string} engine @param {string} direction @param {string} text */
  note(engine, direction, text) {
    this.log.push({ at: Date.now(), engine, direction, text });
    if (this.log.length > LOG_LINES) this.log.splice(0, this.log.length - LOG_LINES);
    this.changed();
  }

  /** @param {import("./link.js").Event} event */
  heard(event) {
    if (event.type === "line") this.engines[event.engine]?.heard(event.text);
    if (event.type === "ended") this.engines[event.engine]?.ended(event.reason);
    if (event.type === "hello") {
      for (const engine of this.engines) {
        const runs = event.running.includes(engine.index);
        if (runs && engine.state === "off") engine.restart(true).catch(() => {});
        else if (!runs && engine.state !== "off" && engine.state !== "starting") engine.lose("the server has ended it");
      }
    }
  }

  /** @param {"open" | "lost" | "replaced"} state @param {string} [why] */
  connected(state, why) {
    this.connection = state;
    if (state === "open") this.message = this.message?.tone === "error" ? this.message : null;
    if (state === "lost" && why) this.say(why, "error");
    if (state === "replaced") this.say("This game has been opened in another page. Reload this one to bring it back here.", "error");
    this.changed();
  }

  /** @param {string} text @param {"note" | "error"} [tone] */
  say(text, tone = "note") {
    this.message = { text, tone };
    this.announce(text);
    this.changed();
  }

  /** Something can be seen to have changed. */
  changed() {
    this.onChange();
  }

  /** @param {Seat} seat */
  playerName(seat) {
    const player = this.players[seat];
    if (player.kind === "person") return "Person";
    return `${this.engines[player.engine]?.name ?? "engine"} (${player.level.name})`;
  }

  /** The position at hand, as the server is asked for it. */
  asked(node = this.node) {
    const plies = node.plies();
    if (this.pending && node === this.node) plies.push(this.pending);
    return { ...this.variant, plies, roll: node.roll, seed: this.seed };
  }

  /**
   * Begin a new game.
   * @param {Start} how
   */
  async start(how) {
    const seed = how.seed ?? newSeed();
    // Refused before anything is given up.
    await factsOf({ game: how.game, start: how.start, plies: [], seed });
    this.quiet();
    this.variant = { game: how.game, start: how.start };
    this.tree = new Tree();
    this.node = this.tree.root;
    this.seed = seed;
    this.players = how.players ?? this.players;
    this.diceMode = how.diceMode ?? this.diceMode;
    this.clock = new Clock(how.clock?.base ?? this.clock.base, how.clock?.increment ?? this.clock.increment);
    this.lost = null;
    this.paused = false;
    this.pending = null;
    this.message = null;
    this.flipped = this.players.p1.kind === "engine" && this.players.p2.kind === "person";
    await this.settle();
  }

  /**
   * Take up a game from a record.
   * @param {GameRecord} record
   */
  async load(record) {
    await factsOf({ game: record.game, start: record.start, plies: record.plies });
    this.quiet();
    this.variant = { game: record.game, start: record.start };
    this.tree = Tree.ofRecord(record);
    this.node = this.tree.root;
    this.seed = record.seed;
    this.players = { p1: { ...this.players.p1, kind: "person" }, p2: { ...this.players.p2, kind: "person" } };
    this.clock = new Clock(0, 0);
    this.lost = null;
    this.pending = null;
    this.paused = true;
    this.flipped = false;
    await this.settle();
    this.say(`${record.p1} – ${record.p2}: ${record.result}${record.reason === "rules" ? "" : `, ${record.reason}`}. Both sides are yours now.`);
  }

  /** End whatever engines do. */
  quiet() {
    this.turn++;
    this.search?.cancel();
    this.search = null;
    this.thinking = null;
    this.analysis.stop();
    this.reviewer.stop();
    this.clock.stop();
  }

  /** Look at what is on the board, and do what comes next: roll, let an engine think, or wait for a person. */
  async settle() {
    const turn = ++this.turn;
    this.settled = false;
    this.search?.cancel();
    this.search = null;
    this.thinking = null;
    this.analysis.stop();
    this.selected = null;
    this.made = [];
    this.way = null;
    try {
      const facts = await factsOf(this.asked());
      if (turn !== this.turn) return;
      this.facts = facts;
      if (!this.pending) this.node.facts = facts;
      if (facts.kind === "decision" && facts.game === "backgammon" && facts.moves[0] !== "pass") {
        this.way = await post("steps", { position: this.asked(), made: [] });
        if (turn !== this.turn) return;
      }
      this.settled = true;
      this.store();
      this.changed();
      this.next(facts);
    } catch (error) {
      if (turn === this.turn) this.say(/** @type {Error} */ (error).message, "error");
    }
  }

  /** @param {Facts} facts */
  next(facts) {
    if (facts.kind === "over" || this.lost) {
      this.clock.stop();
      if (facts.kind === "over") this.announce(this.outcome());
      this.changed();
      return;
    }
    if (facts.kind === "chance") {
      const own = this.diceMode === "auto" && (!this.paused || this.node.children.length === 0);
      if (own && facts.chance !== null) return void this.roll(facts.chance);
      this.analysis.begin(facts);
      return;
    }
    const engine = this.players[facts.mover].kind === "engine" && !this.paused;
    if (!this.paused) this.clock.start(facts.mover);
    this.began = performance.now();
    if (engine) this.think(facts);
    else this.analysis.begin(facts);
  }

  /** How the game ended, in words. */
  outcome() {
    const { facts, lost } = this;
    if (!facts) return "";
    if (lost && facts.kind !== "over") {
      const winner = lost.by === "p1" ? "p2" : "p1";
      return `${facts.names[winner]} wins: ${facts.names[lost.by]} ${lost.reason === "resigned" ? "resigned" : "ran out of time"}`;
    }
    if (facts.result === null) return "";
    if (facts.result === "draw") return `Draw: ${facts.ending}`;
    const winner = facts.names[facts.result === "p1win" ? "p1" : "p2"];
    return `${winner} wins: ${facts.ending}`;
  }

  /**
   * Chance brings something.
   * @param {string} face
   */
  async roll(face) {
    const { facts } = this;
    if (!facts || !this.settled || facts.kind !== "chance") return;
    this.announce(`${facts.names[facts.mover]}: ${face}`);
    if (facts.chance_follows) {
      const ply = `${this.pending}=${face}`;
      this.pending = null;
      await this.advance(ply, facts.mover);
    } else {
      this.node.roll = face;
      await this.settle();
    }
  }

  /**
   * The side to move plays.
   * @param {string} word
   * @param {import("./types.js").Report | null} [report]
   */
  async play(word, report = null) {
    const { facts } = this;
    if (!facts || !this.settled || facts.kind !== "decision") return;
    this.settled = false;
    if (this.players[facts.mover].kind === "person") this.paused = false;
    const seat = facts.mover;
    this.announce(`${facts.names[seat]}: ${word}`);
    if (!facts.chance_follows) return this.advance(`${this.node.roll}:${word}`, seat, report);
    // Chance may follow: the server says whether it does.
    this.pending = word;
    const after = await factsOf(this.asked()).catch((error) => void this.say(error.message, "error"));
    if (!after) {
      this.pending = null;
      this.settled = true;
      return;
    }
    this.report = report;
    if (after.kind === "chance") return this.settle();
    this.pending = null;
    return this.advance(word, seat, report);
  }

  /**
   * A ply has been played.
   * @param {string} ply
   * @param {Seat} seat
   * @param {import("./types.js").Report | null} [report]
   */
  async advance(ply, seat, report = this.report ?? null) {
    this.clock.moved(seat);
    const child = this.tree.add(this.node, ply);
    child.report = report ?? child.report;
    child.time = Math.round((performance.now() - this.began) * 1000);
    this.report = null;
    this.node = child;
    await this.settle();
  }

  /**
   * The mover's engine thinks and plays.
   * @param {Facts} facts
   */
  async think(facts) {
    const turn = this.turn;
    const player = this.players[facts.mover];
    const { go, options } = limits(player.level, this.clock.words());
    const engine = this.engines[player.engine];
    const search = engine.search({
      game: facts.game,
      position: facts.line,
      go,
      options,
      onInfo: (info) => {
        if (turn !== this.turn || info.string !== undefined) return;
        this.thinking = { ...this.thinking, ...info };
        this.changed();
      },
    });
    this.search = search;
    try {
      const found = await search.done;
      if (turn !== this.turn || !found) return;
      this.search = null;
      if (!facts.moves.includes(found.best)) throw new Error(`${engine.name} played '${found.best}', which is no legal move here.`);
      const { depth = null, value = null, nodes = null } = found.info;
      await this.play(found.best, { depth, value, nodes });
    } catch (error) {
      if (turn !== this.turn) return;
      this.search = null;
      this.paused = true;
      this.clock.stop();
      this.say(/** @type {Error} */ (error).message, "error");
    }
  }

  /** Let the thinking engine play what it has. */
  hurry() {
    this.search?.cancel();
  }

  /** Let engines wait. */
  pause() {
    this.quiet();
    this.paused = true;
    return this.settle();
  }

  /** Let engines go on from here. */
  resume() {
    this.paused = false;
    this.message = null;
    for (const engine of this.engines) engine.forgive();
    return this.settle();
  }

  /** Go to another place of the game; engines wait there. @param {Node} node */
  goTo(node) {
    if (node === this.node && !this.pending) return;
    this.quiet();
    this.pending = null;
    this.paused = true;
    this.node = node;
    const [child] = node.children;
    if (child && node.roll === null) node.roll = child.rolled;
    return this.settle();
  }

  /** Take a move back: to where the person was last to move. What was played stays as a variation. */
  takeBack() {
    if (this.pending) {
      this.pending = null;
      return this.settle();
    }
    let { node } = this;
    const persons = () => this.players[this.seatAt(node)].kind === "person";
    do node = node.parent ?? node;
    while (node.parent && !persons());
    if (node === this.node) return;
    this.lost = null;
    this.quiet();
    this.node = node;
    this.paused = this.players[this.seatAt(node)].kind === "engine";
    return this.settle();
  }

  /** Whose move it is at a node: sides take turns. @param {Node} node @returns {Seat} */
  seatAt(node) {
    const first = this.tree.root.facts?.mover ?? "p1";
    return node.depth % 2 === 0 ? first : first === "p1" ? "p2" : "p1";
  }

  /** @param {Seat} by @param {string} reason */
  forfeit(by, reason) {
    this.quiet();
    this.lost = { by, reason };
    this.announce(this.outcome());
    this.store();
    this.changed();
  }

  /** A step of a backgammon move. @param {{from: number, die: number}} step */
  async step(step) {
    // A click on a board that has not been drawn anew yet may mean a step that is gone.
    if (!this.way?.next.some(({ from, die }) => from === step.from && die === step.die)) return;
    await this.showSteps([...this.made, { from: step.from, die: step.die }]);
  }

  /** Take the last step back. */
  async undoStep() {
    if (this.made.length) await this.showSteps(this.made.slice(0, -1));
  }

  /** @param {{from: number, die: number}[]} made */
  async showSteps(made) {
    const turn = this.turn;
    if (this.stepping) return;
    this.stepping = true;
    try {
      const way = await post("steps", { position: this.asked(), made });
      if (turn !== this.turn || !this.settled) return;
      this.way = way;
      this.made = made;
      this.selected = null;
    } catch (error) {
      this.say(/** @type {Error} */ (error).message, "error");
    } finally {
      this.stepping = false;
    }
    this.changed();
  }

  /** Keep the game with the page. */
  store() {
    store(this);
  }
}
