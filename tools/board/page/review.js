// @ts-check
// A game, judged ply by ply: how much of its course was luck and how much skill. Luck is the value after the roll less that
// before it; a mistake is the value of the move less that of the best one.

import { facts as factsOf } from "./api.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./app.js").App} App */
/** @typedef {import("./tree.js").Node} Node */

/** Less than this is the rounding of two searches, not a mistake. */
export const SLIGHT = 0.0005;

export class Reviewer {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.depth = 3;
    /** @type {{done: number, all: number, began: number} | null} */
    this.progress = null;
    /** @type {{cancel: () => void} | null} */
    this.search = null;
    this.run = 0;
  }

  /** End a judgement that is under way; what has been judged stays. */
  stop() {
    this.run++;
    this.search?.cancel();
    this.search = null;
    this.progress = null;
  }

  /** Judge the line through the node at hand. */
  async begin() {
    const { app } = this;
    app.quiet();
    app.paused = true;
    const run = ++this.run;
    const nodes = app.node.line().slice(1);
    this.progress = { done: 0, all: nodes.length, began: performance.now() };
    app.changed();
    try {
      for (const node of nodes) {
        const review = await this.judge(node, run);
        if (run !== this.run) return;
        node.review = review;
        this.progress.done++;
        app.changed();
      }
      app.announce("The game has been judged.");
    } catch (error) {
      if (run === this.run) app.say(/** @type {Error} */ (error).message, "error");
    }
    if (run !== this.run) return;
    this.progress = null;
    app.store();
    app.changed();
    if (app.facts) app.analysis.begin(app.facts);
  }

  /**
   * @param {Node} node
   * @param {number} run
   * @returns {Promise<Review>}
   */
  async judge(node, run) {
    const { app } = this;
    const before = /** @type {Node} */ (node.parent);
    const plies = before.plies();
    const { variant } = app;
    const follows = app.facts?.chance_follows ?? false;
    const roll = node.rolled;
    const decision = await factsOf({ ...variant, plies, roll });
    const best = await this.value(decision.line, this.depth, "", run);
    const same = best.move === node.move;
    const played = same ? best : await this.value(decision.line, this.depth, ` searchmoves ${node.move}`, run);
    const seat = decision.mover;
    const outcome = /=(.*)$/.exec(node.ply);
    let value = null;
    let luck = null;
    if (!follows) {
      const unrolled = decision.line.replace(/ roll \S+$/, "");
      value = (await this.value(unrolled, this.depth + 1, "", run)).value;
      luck = best.value - value;
    } else if (outcome) {
      const flipped = await factsOf({ ...variant, plies: [...plies, node.move] });
      const after = await factsOf({ ...variant, plies: [...plies, node.ply] });
      value = (await this.value(flipped.line, this.depth + 1, "", run)).value;
      // The turn has passed: the value behind it is the opponent's.
      luck = -(await this.value(after.line, this.depth, "", run)).value - value;
    }
    const mistake = Math.min(0, played.value - best.value);
    return { seat, before: value, luck, best: best.value, bestMove: best.move, played: played.value, mistake };
  }

  /**
   * @param {string} position
   * @param {number} depth
   * @param {string} restriction
   * @param {number} run
   */
  async value(position, depth, restriction, run) {
    if (run !== this.run) throw new Error("ended");
    const { app } = this;
    const engine = app.engines[app.analysis.engine];
    const go = `go depth ${depth}${restriction}`;
    const options = { Noise: "0", MultiPV: "1" };
    this.search = engine.search({ game: app.variant.game, position, go, options });
    const found = await /** @type {ReturnType<typeof engine.search>} */ (this.search).done;
    if (!found || found.info.value === undefined) throw new Error(`${engine.name} told no value.`);
    return { move: found.best, value: found.info.value };
  }
}

/**
 * What a line's judgements add up to, a side.
 * @param {Node[]} line
 * @returns {Record<Seat, {luck: number, mistakes: number, wrong: number, judged: number}>}
 */
export function sums(line) {
  const empty = () => ({ luck: 0, mistakes: 0, wrong: 0, judged: 0 });
  const found = { p1: empty(), p2: empty() };
  for (const { review } of line) {
    if (!review) continue;
    const side = found[review.seat];
    side.judged++;
    side.luck += review.luck ?? 0;
    side.mistakes += review.mistake;
    if (review.mistake < -SLIGHT) side.wrong++;
  }
  return found;
}
