// @ts-check
// Positions: copied and pasted in every notation, set up by hand, or picked from the thesis's suite.

import { post } from "./api.js";
import { h, put } from "./dom.js";
import { setupDialog } from "./setup.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types.js").Facts} Facts */

/** @param {App} app @param {HTMLElement} place @param {boolean} opened */
export function showPositions(app, place, opened) {
  if (opened) {
    const text = h("textarea", { id: "paste", rows: 3, spellcheck: "false", "aria-label": "A position", placeholder: "DPN, FEN, XGID=…, a GNU Backgammon ID, or a position command" });
    const wrong = h("p", { class: "wrong", role: "alert", id: "paste-wrong" });
    const set = async () => {
      try {
        put(wrong);
        await setUp(app, await post("paste", { text: text.value, game: app.variant.game }));
      } catch (error) {
        put(wrong, /** @type {Error} */ (error).message);
      }
    };
    const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("dialog"));
    put(place,
      h("h3", {}, "This position"), h("div", { id: "notations" }),
      h("h3", {}, "Another position"), text, wrong,
      h("div", { class: "row wrap" }, h("button", { class: "primary", id: "set-up", onclick: set }, "Set it up"), h("button", { id: "by-hand", onclick: () => setupDialog(app, dialog) }, "Set up by hand…")),
      h("h3", {}, `The thesis's suite (${app.setting.thesis.length} positions of Dice 5/4)`),
      h("ol", { class: "suite", id: "suite" }, app.setting.thesis.map((dpn) => h("li", {}, h("button", {
        class: "quiet link", onclick: async () => {
          try {
            await setUp(app, await post("paste", { text: dpn, game: "dice" }));
          } catch (error) {
            app.say(/** @type {Error} */ (error).message, "error");
          }
        },
      }, dpn)))));
  }
  const list = place.querySelector("#notations");
  if (list && app.facts) put(list, ...notations(app, app.facts));
}

/**
 * Begin a game from a position; nobody is hurried: engines wait until they are told.
 * @param {App} app
 * @param {Facts} facts
 */
export async function setUp(app, facts) {
  await app.start({ game: facts.game, start: facts.start, clock: { base: 0, increment: 0 } });
  const { node } = app;
  if (facts.plies.length || facts.roll) {
    app.quiet();
    let at = node;
    for (const ply of facts.plies) {
      const child = app.tree.add(at, ply);
      at.roll = child.rolled;
      at = child;
    }
    at.roll = facts.roll;
    app.node = at;
    await app.settle();
  }
}

/** @param {App} app @param {Facts} facts */
function notations(app, facts) {
  const seen = new Set();
  const rows = [...facts.notations, ["command", facts.line]].filter(([, text]) => !seen.has(text) && seen.add(text));
  return rows.map(([name, text]) => {
    const field = h("input", { type: "text", readonly: true, value: text, "aria-label": name, "data-key": `notation-${name}`, id: `notation-${name}`, onfocus: (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select() });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(text);
        app.say(`Copied: ${text}`);
      } catch {
        field.select();
        document.execCommand("copy");
      }
    };
    return h("div", { class: "row copy" }, h("span", { class: "dim" }, name === "fen" && facts.game === "dice" ? "DPN" : name === "fen" && facts.game === "backgammon" ? "XGID" : name), field, h("button", { "data-key": `copy-${name}`, onclick: copy }, "Copy"));
  });
}
