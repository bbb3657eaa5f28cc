// @ts-check
// The panels beside the board, one at a time.

import { h, put } from "./dom.js";
import { showMoves } from "./panel-moves.js";
import { showAnalysis } from "./panel-analysis.js";
import { showReview } from "./panel-review.js";
import { showPositions } from "./panel-positions.js";
import { showGames } from "./panel-games.js";
import { showEngine } from "./panel-engine.js";
import { showLog } from "./panel-log.js";

/** @typedef {import("./app.js").App} App */

/**
 * A panel draws itself into a place; it is told whether it has just been opened, and keeps what the user types otherwise.
 * @type {Record<string, {name: string, show: (app: App, place: HTMLElement, opened: boolean) => void}>}
 */
const PANELS = {
  moves: { name: "Moves", show: showMoves },
  analysis: { name: "Analysis", show: showAnalysis },
  review: { name: "Review", show: showReview },
  positions: { name: "Positions", show: showPositions },
  games: { name: "Games", show: showGames },
  engine: { name: "Engine", show: showEngine },
  log: { name: "Log", show: showLog },
};

let open = "moves";
let shown = "";

/** @param {App} app @param {HTMLElement} place */
export function showTabs(app, place) {
  if (place.childElementCount && shown === open) return;
  const names = Object.keys(PANELS);
  put(place, names.map((name) =>
    h("button", {
      role: "tab", id: `tab-${name}`, "data-key": name, "aria-selected": String(name === open), "aria-controls": "panel", tabindex: name === open ? 0 : -1,
      onclick: () => { open = name; app.changed(); },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        open = names[(names.indexOf(name) + step + names.length) % names.length];
        app.changed();
        requestAnimationFrame(() => document.getElementById(`tab-${open}`)?.focus());
      },
    }, PANELS[name].name)));
}

/** @param {App} app @param {HTMLElement} place */
export function showPanel(app, place) {
  const opened = shown !== open;
  shown = open;
  place.setAttribute("aria-labelledby", `tab-${open}`);
  PANELS[open].show(app, place, opened);
}
