// @ts-check
// The board of whichever game is played.

import * as backgammon from "./boards/backgammon.js";
import * as darkchess from "./boards/darkchess.js";
import * as dice from "./boards/dice.js";
import * as einstein from "./boards/einstein.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types.js").Facts} Facts */

/** @type {Record<string, (view: import("./boards/cells.js").View) => SVGElement>} */
const CELLS = { dice: dice.draw, einstein: einstein.draw, darkchess: darkchess.draw };

/**
 * The position of the game at hand, with what the engine says of it.
 * @param {App} app
 * @param {Facts} facts
 */
export function drawBoard(app, facts) {
  const { analysis } = app;
  const last = app.pending ?? (app.node.parent ? app.node.move : null);
  const info = app.thinking ?? analysis.info;
  const view = {
    facts,
    last,
    heat: analysis.heat && !app.search ? analysis.values() : null,
    expected: analysis.line && facts.kind === "decision" && (app.search || analysis.on) ? (info?.pv ?? []) : [],
    active: facts.kind === "decision" && !app.lost && app.players[facts.mover].kind === "person" && app.connection !== "replaced",
    flipped: app.flipped,
    selected: app.selected,
    onMove: (/** @type {string} */ word) => void app.play(word),
    onSelect: (/** @type {string | null} */ cell) => {
      app.selected = cell;
      app.changed();
    },
    onEdit: null,
  };
  if (facts.game === "backgammon") return backgammon.draw(view, app.way, (step) => void app.step(step));
  return CELLS[facts.game](view);
}

/**
 * A position that is being set up: clicks go to `onEdit`.
 * @param {Facts} facts
 * @param {(cell: string) => void} onEdit
 */
export function drawEdited(facts, onEdit) {
  const view = {
    facts, last: null, heat: null, expected: [], active: false, flipped: false, selected: null, onMove: () => {}, onSelect: () => {}, onEdit,
  };
  return facts.game === "backgammon" ? backgammon.draw(view, null, () => {}) : CELLS[facts.game](view);
}
