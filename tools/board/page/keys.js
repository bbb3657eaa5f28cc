// @ts-check
// Keys: everything that the mouse does.

import { h, put } from "./dom.js";
import { newGameDialog } from "./newgame.js";

/** @typedef {import("./app.js").App} App */

/** @type {[string, string][]} */
const KEYS = [
  ["Tab, then arrows", "walk over the board; Enter or Space plays, or chooses a piece and where it goes"],
  ["← →", "a move back and on"],
  ["Home, End", "to the start and the end"],
  ["U", "take back (backgammon: undo a step first)"],
  ["C", "confirm a backgammon move, pass, or let the engine play on"],
  ["R", "roll"],
  ["1 … 9", "set the die, where you roll by hand"],
  ["A", "analysis on and off"],
  ["F", "turn the board"],
  ["N", "new game"],
  ["?", "these keys"],
];

/** @param {HTMLDialogElement} dialog */
export function showHelp(dialog) {
  put(dialog,
    h("h2", {}, "Keys"),
    h("dl", { class: "keys" }, KEYS.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
    h("p", { class: "dim" }, "Values are expected results in points for the side to move: +1 is a won game, −1 a lost one (a gammon in backgammon is 2, a backgammon 3)."),
    h("div", { class: "row end" }, h("button", { class: "primary", onclick: () => dialog.close() }, "Close")));
  dialog.showModal();
}

/** @param {App} app @param {HTMLDialogElement} dialog */
export function listenKeys(app, dialog) {
  const press = (/** @type {string} */ id) => {
    const button = document.getElementById(id);
    if (button instanceof HTMLButtonElement && !button.disabled) button.click();
    return button !== null;
  };
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (target instanceof HTMLElement && target.closest("input:not([type=checkbox]), textarea, select")) return;
    if (target instanceof HTMLElement && target.closest("[role=tab]") && /^(Arrow|Home|End)/.test(event.key)) return;
    const face = /^[1-9]$/.test(event.key) ? document.querySelectorAll("#controls [data-face]")[Number(event.key) - 1] : null;
    if (face instanceof HTMLButtonElement) return face.click();
    const act = {
      ArrowLeft: () => press("back"), ArrowRight: () => press("forward"), Home: () => press("first"), End: () => press("last"),
      u: () => (app.made.length ? press("undo") : press("takeback")),
      c: () => press("confirm") || press("pass") || press("resume"),
      r: () => press("roll"), a: () => press("analyse"), f: () => press("flip"),
      n: () => newGameDialog(app, dialog), "?": () => showHelp(dialog),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
