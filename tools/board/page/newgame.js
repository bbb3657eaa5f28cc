// @ts-check
// The dialog of a new game: which game, who plays, what rolls, and the clocks.

import { newSeed } from "./app.js";
import { h, put } from "./dom.js";
import { LEVELS } from "./levels.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Player} Player */

/** @type {Record<string, string>} */
export const TITLES = { dice: "Dice", einstein: "EinStein würfelt nicht", backgammon: "Backgammon", darkchess: "Dark chess" };

/** Shapes of Dice that are usual. */
const SHAPES = ["5 4", "7 4", "9 4", "9 6", "9 8", "13 4", "13 6", "13 8", "17 4", "17 6", "17 8"];

/** @param {string} label @param {Node} field @param {string} [hint] */
export function labelled(label, field, hint = "") {
  return h("label", { class: "field" }, h("span", {}, label), field, hint && h("small", { class: "dim" }, hint));
}

/**
 * @param {string} id
 * @param {[string, string][]} choices value and text
 * @param {string} chosen
 * @param {(value: string) => void} [onchange]
 */
export function choice(id, choices, chosen, onchange) {
  return h("select", { id, onchange: (/** @type {Event} */ event) => onchange?.(/** @type {HTMLSelectElement} */ (event.target).value) },
    choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
}

/** @param {App} app @param {HTMLDialogElement} dialog */
export function newGameDialog(app, dialog) {
  const draft = { game: app.variant.game, shape: shapeOf(app), custom: false };
  const players = { p1: playerForm(app, "p1"), p2: playerForm(app, "p2") };
  const seed = h("input", { id: "seed", type: "text", inputmode: "numeric", value: String(newSeed()), pattern: "\\d{1,16}" });
  const rolls = choice("dice-mode", [["auto", "roll for me"], ["hand", "I set the die"]], app.diceMode);
  const base = h("input", { id: "minutes", type: "number", min: 0, max: 600, step: "any", value: String(app.clock.base / 60000) });
  const increment = h("input", { id: "increment", type: "number", min: 0, max: 600, step: "any", value: String(app.clock.increment / 1000) });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const extra = h("div", { class: "extra" });
  const showExtra = () => put(extra, ...startFields(draft, showExtra));
  showExtra();
  const begin = async () => {
    try {
      const start = startWords(draft, dialog);
      const clock = { base: 60000 * Number(base.value), increment: 1000 * Number(increment.value) };
      const number = Number(seed.value);
      if (!Number.isSafeInteger(number) || number < 0) throw new Error(`'${seed.value}' is no seed: expected a whole number`);
      const how = { game: draft.game, start, players: { p1: players.p1.read(), p2: players.p2.read() }, seed: number, diceMode: /** @type {"auto" | "hand"} */ (rolls.value), clock };
      await app.start(how);
      dialog.close();
    } catch (error) {
      put(wrong, /** @type {Error} */ (error).message);
    }
  };
  const games = h("div", { class: "choices", role: "radiogroup", "aria-label": "Game" }, app.setting.games.map((game) =>
    h("label", {}, h("input", { type: "radio", name: "game", value: game, checked: game === draft.game, onchange: () => { draft.game = game; showExtra(); } }), h("span", {}, TITLES[game] ?? game))));
  put(dialog,
    h("form", { method: "dialog", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); begin(); } },
      h("h2", {}, "New game"), games, extra,
      h("div", { class: "two" }, players.p1.element, players.p2.element),
      h("div", { class: "fields" }, labelled("Dice", rolls), labelled("Seed of the dice", seed, "the same seed rolls the same dice"),
        labelled("Minutes a side", base, "0: no clocks"), labelled("Seconds a move", increment)),
      wrong,
      h("div", { class: "row end" }, h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), h("button", { class: "primary", id: "begin", type: "submit" }, "Play"))));
  dialog.showModal();
}

/** @param {App} app */
function shapeOf(app) {
  const words = /^startpos (\d+ \d+)$/.exec(app.variant.start);
  return words ? words[1] : "5 4";
}

/** @param {{game: string, shape: string, custom: boolean}} draft @param {() => void} again */
function startFields(draft, again) {
  if (draft.game === "dice") {
    const shapes = SHAPES.includes(draft.shape) ? SHAPES : [...SHAPES, draft.shape];
    const field = choice("shape", [...shapes.map((shape) => /** @type {[string, string]} */ ([shape, shape.replace(/(\d+) (\d+)/, "$1×$1, $2 in a row")])), ["other", "another…"]],
      draft.custom ? "other" : draft.shape, (value) => { draft.custom = value === "other"; if (!draft.custom) draft.shape = value; again(); });
    return [labelled("Board", field), draft.custom && h("span", { class: "fields" },
      labelled("Size", h("input", { id: "size", type: "number", min: 3, max: 17, value: "6" })), labelled("In a row", h("input", { id: "win", type: "number", min: 3, max: 17, value: "4" })))];
  }
  if (draft.game === "einstein") {
    return [h("span", { class: "fields" }, labelled("Blue's cubes", h("input", { id: "order1", type: "text", value: "123456", maxlength: 6 }), "on a1 b1 c1 a2 b2 a3"),
      labelled("Red's cubes", h("input", { id: "order2", type: "text", value: "123456", maxlength: 6 }), "on e5 d5 c5 e4 d4 e3"))];
  }
  return [];
}

/** @param {{game: string, shape: string, custom: boolean}} draft @param {HTMLElement} within */
function startWords(draft, within) {
  const value = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (within.querySelector(`#${id}`)).value.trim();
  if (draft.game === "dice") return `startpos ${draft.custom ? `${value("size")} ${value("win")}` : draft.shape}`;
  if (draft.game === "einstein") {
    const orders = `${value("order1")} ${value("order2")}`;
    return orders === "123456 123456" ? "startpos" : `startpos ${orders}`;
  }
  return "startpos";
}

/** @param {App} app @param {Seat} seat */
function playerForm(app, seat) {
  const now = app.players[seat];
  const engines = app.setting.engines.map(({ name }, i) => /** @type {[string, string]} */ ([String(i), name]));
  const known = LEVELS.some((level) => level.name === now.level.name);
  const who = choice(`${seat}-who`, [["person", "a person"], ...engines.map(([i, name]) => /** @type {[string, string]} */ ([i, `engine ${name}`]))], now.kind === "person" ? "person" : String(now.engine), () => show());
  const level = choice(`${seat}-level`, [...LEVELS.map(({ name, hint }) => /** @type {[string, string]} */ ([name, `${name}: ${hint}`])), ["Own", "Own limits…"]], known ? now.level.name : "Own", () => show());
  const number = (/** @type {string} */ id, /** @type {number | undefined} */ value, /** @type {Record<string, unknown>} */ more) => h("input", { id: `${seat}-${id}`, type: "number", value: value === undefined ? "" : String(value), ...more });
  const depth = number("depth", now.level.depth, { min: 1, max: 100 });
  const time = number("movetime", now.level.movetime, { min: 1, max: 3600000 });
  const noise = number("noise", now.level.noise, { min: 0, max: 10, step: "any" });
  const own = h("div", { class: "fields" }, labelled("Depth", depth), labelled("Time, ms", time), labelled("Noise", noise));
  const levels = labelled("Level", level);
  const show = () => {
    levels.hidden = who.value === "person";
    own.hidden = who.value === "person" || level.value !== "Own";
  };
  show();
  /** @returns {Player} */
  const read = () => {
    const found = LEVELS.find((one) => one.name === level.value);
    const limit = (/** @type {HTMLInputElement} */ field) => (field.value === "" ? undefined : Number(field.value));
    const chosen = found ?? { name: "Own", hint: "own limits", depth: limit(depth), movetime: limit(time), noise: limit(noise) };
    return { kind: who.value === "person" ? "person" : "engine", engine: who.value === "person" ? 0 : Number(who.value), level: chosen };
  };
  const title = seat === "p1" ? "First player" : "Second player";
  return { element: h("fieldset", {}, h("legend", {}, title), labelled("Who", who), levels, own), read };
}
