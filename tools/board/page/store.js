// @ts-check
// The game as the browser keeps it for this page, so that a reload goes on with it.

import { Clock } from "./clock.js";
import { Tree } from "./tree.js";

/** @typedef {import("./app.js").App} App */

const KEY = "alea-board";

/** @param {App} app */
export function store(app) {
  const { variant, tree, node, players, seed, diceMode, clock, lost, paused, flipped, pending } = app;
  const kept = {
    link: app.link.name, variant, tree, node: node.id, players, seed, diceMode, clock, lost, paused, flipped, pending,
    wanted: app.engines.map((engine) => engine.wanted), analysing: app.analysis.on,
  };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without room a reload begins anew; the game can still be saved.
  }
}

/**
 * Take up the game that the page had: its name at the server; null if there was none.
 * @param {App} app
 * @returns {{link: string | null} | null}
 */
export function restore(app) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    if (!kept) return null;
    const tree = Tree.fromJSON(kept.tree);
    const node = tree.find(kept.node) ?? tree.root;
    const { variant, players, seed, diceMode, lost, paused, flipped, pending } = kept;
    const clock = Clock.fromJSON(kept.clock);
    Object.assign(app, { variant, players, seed, diceMode, lost, paused, flipped, pending, tree, node, clock });
    app.analysis.on = kept.analysing;
    app.engines.forEach((engine, i) => (engine.wanted = kept.wanted[i] ?? {}));
    return { link: kept.link };
  } catch {
    return null;
  }
}
