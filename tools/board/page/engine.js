// @ts-check
// An engine as the page drives it: one search at a time, in order; each can be stopped. Its options are set as each search
// wants them.

import { readInfo, readOption } from "./info.js";

/** @typedef {import("./types.js").Info} Info */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {import("./link.js").Link} Link */

/**
 * A search.
 * @typedef {object} Job
 * @property {string} game
 * @property {string} position the `position` command
 * @property {string} go the `go` command
 * @property {Record<string, string>} [options] options for this search alone; those that the engine lacks are left out
 * @property {(info: Info) => void} [onInfo]
 */

/** @typedef {{best: string, info: Info, rolls: Info[]}} Found */

/** @typedef {{job: Job, resolve: (found: Found | null) => void, reject: (error: Error) => void, cancelled: boolean, last: Info, rolls: Info[], error: string | null}} Pending */

/** How long an engine may take to say uciok. */
const PATIENCE = 15000;

export class Engine {
  /**
   * @param {Link} link
   * @param {number} index
   * @param {string} name
   * @param {(direction: "in" | "out" | "note", text: string) => void} log
   */
  constructor(link, index, name, log) {
    this.link = link;
    this.index = index;
    this.name = name;
    this.log = log;
    /** @type {"off" | "starting" | "ready" | "lost"} */
    this.state = "off";
    /** Why it was lost. */
    this.why = "";
    /** What it calls itself. */
    this.id = name;
    /** @type {Option[]} */
    this.options = [];
    /** What the user set. @type {Record<string, string>} */
    this.wanted = {};
    /** What the process has. @type {Record<string, string>} */
    this.applied = {};
    /** @type {Pending[]} */
    this.queue = [];
    /** @type {Pending | null} */
    this.running = null;
    /** @type {Promise<void> | null} */
    this.begun = null;
    /** @type {((error?: Error) => void) | null} */
    this.shaken = null;
    this.onChange = () => {};
  }

  /** Start the process if it does not run, and shake hands. */
  ready() {
    this.begun ??= this.begin(false);
    return this.begun;
  }

  /** Start over after it was lost, or take over the process of the page before. */
  restart(running = false) {
    this.begun = this.begin(running);
    return this.begun;
  }

  /** @param {boolean} running */
  async begin(running) {
    this.change("starting");
    this.options = [];
    this.applied = {};
    try {
      if (!running) await this.link.start(this.index);
      const shaken = new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no uciok within ${PATIENCE / 1000} s`)), PATIENCE);
        this.shaken = (error) => {
          clearTimeout(timer);
          if (error) reject(error);
          else resolve(undefined);
        };
      });
      // A search of the page before is ended first: uci waits until it has been answered.
      await this.write(running ? "stop\nuci" : "uci");
      await shaken;
      this.change("ready");
    } catch (error) {
      this.lose(/** @type {Error} */ (error).message);
      throw error;
    } finally {
      this.shaken = null;
    }
  }

  /** @param {string} text */
  async write(text) {
    for (const line of text.split("\n")) this.log("in", line);
    await this.link.send(this.index, text);
  }

  /** @param {Engine["state"]} state */
  change(state) {
    this.state = state;
    this.onChange();
  }

  /** @param {string} why */
  lose(why) {
    if (this.state === "lost") return;
    this.why = why;
    this.log("note", `lost: ${why}`);
    const error = new Error(`The engine ${this.name} was lost: ${why}.`);
    const pending = [...(this.running ? [this.running] : []), ...this.queue];
    this.running = null;
    this.queue = [];
    this.change("lost");
    this.shaken?.(error);
    for (const one of pending) one.reject(error);
  }

  /** Let an engine that was lost be started again when it is needed. */
  forgive() {
    if (this.state !== "lost") return;
    this.begun = null;
    this.change("off");
  }

  /** The server says that the process has ended. @param {string} reason */
  ended(reason) {
    if (this.state === "off") return;
    this.lose(reason);
  }

  /** @param {string} name */
  option(name) {
    return this.options.find((option) => option.name.toLowerCase() === name.toLowerCase());
  }

  /**
   * Search; null if it was cancelled before it began. A search that is cancelled while it runs ends with what it has.
   * @param {Job} job
   * @returns {{done: Promise<Found | null>, cancel: () => void}}
   */
  search(job) {
    /** @type {Pending} */
    let pending;
    const done = new Promise((resolve, reject) => {
      pending = { job, resolve, reject, cancelled: false, last: {}, rolls: [], error: null };
      this.queue.push(pending);
    });
    this.pump();
    return { done, cancel: () => this.cancel(pending) };
  }

  /** @param {Pending} pending */
  cancel(pending) {
    if (pending.cancelled) return;
    pending.cancelled = true;
    if (this.running === pending) {
      this.write("stop").catch((error) => this.lose(error.message));
      return;
    }
    const place = this.queue.indexOf(pending);
    if (place >= 0) {
      this.queue.splice(place, 1);
      pending.resolve(null);
    }
  }

  async pump() {
    if (this.running || this.queue.length === 0) return;
    const pending = /** @type {Pending} */ (this.queue.shift());
    this.running = pending;
    try {
      if (this.state === "lost") throw new Error(`The engine ${this.name} was lost: ${this.why}.`);
      await this.ready();
      if (pending.cancelled) {
        this.running = null;
        pending.resolve(null);
        this.pump();
        return;
      }
      await this.write([...this.settings(pending.job), pending.job.position, pending.job.go].join("\n"));
    } catch (error) {
      if (this.running === pending) this.running = null;
      pending.reject(/** @type {Error} */ (error));
      this.pump();
    }
  }

  /**
   * The commands that set the options as a search wants them.
   * @param {Job} job
   * @returns {string[]}
   */
  settings(job) {
    const lines = [];
    const game = this.option("Game");
    if (!game && job.game !== "dice") throw new Error(`${this.name} has no option Game: it plays only Dice.`);
    if (game && (this.applied.Game ?? "dice") !== job.game) {
      lines.push(`setoption name Game value ${job.game}`);
      // Another game has evaluations of its own: the engine goes back to its best.
      this.applied.Game = job.game;
      delete this.applied.Eval;
      delete this.applied.EvalFile;
    }
    const target = { ...this.wanted, ...job.options };
    for (const option of this.options) {
      const { name } = option;
      if (option.type === "button" || name === "Game" || name === "UCI_Variant") continue;
      const now = this.applied[name] ?? option.default;
      const value = target[name] ?? option.default;
      const known = name in target || name in this.applied;
      if (!known || now === value) continue;
      lines.push(`setoption name ${name} value ${value === "" ? "<empty>" : value}`);
      this.applied[name] = value;
    }
    return lines;
  }

  /** Press a button among the options. @param {string} name */
  press(name) {
    return this.write(`setoption name ${name}`);
  }

  /** A line of the engine. @param {string} line */
  heard(line) {
    this.log("out", line);
    const word = line.trim().split(/\s+/, 1)[0];
    if (this.shaken) {
      const option = readOption(line);
      if (option && !this.option(option.name)) this.options.push(option);
      if (line.startsWith("id name ")) this.id = line.slice(8).trim();
      if (word === "uciok") this.shaken();
      return;
    }
    const pending = this.running;
    if (!pending) return;
    const info = readInfo(line);
    if (info) {
      this.take(pending, info);
    } else if (word === "bestmove") {
      this.running = null;
      const best = line.trim().split(/\s+/)[1] ?? "(none)";
      if (pending.error) pending.reject(new Error(`${this.name}: ${pending.error}`));
      else pending.resolve({ best, info: pending.last, rolls: pending.rolls });
      this.pump();
    }
  }

  /**
   * @param {Pending} pending
   * @param {Info} info
   */
  take(pending, info) {
    if (info.string?.startsWith("error")) pending.error = info.string;
    if (info.roll !== undefined) pending.rolls.push(info);
    else if ((info.multipv ?? 1) === 1 && info.string === undefined) pending.last = { ...pending.last, ...info };
    pending.job.onInfo?.(info);
  }
}
