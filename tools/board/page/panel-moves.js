// @ts-check
// The moves of the game with its variations, and the graph of its value.

import { h, put } from "./dom.js";
import { lineName } from "./die.js";
import { graph } from "./graph.js";
import { SLIGHT } from "./review.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./tree.js").Node} Node */

/** Which node the list was scrolled to. */
let scrolled = -1;

/** @param {App} app @param {HTMLElement} place */
export function showMoves(app, place) {
  const list = h("div", { class: "moves", id: "moves" }, lines(app, app.tree.root, true));
  const before = place.querySelector("#moves")?.scrollTop ?? 0;
  put(place,
    graph(app, (node) => void app.goTo(node)),
    list,
    app.node.parent && !app.node.isMain() && h("div", { class: "row" },
      h("button", { id: "promote", onclick: () => { app.tree.promote(app.node); app.store(); app.changed(); } }, "Make this line the game"),
      h("button", { id: "remove", onclick: () => void app.goTo(app.tree.remove(app.node)) }, "Remove this line from here")),
    h("p", { class: "dim small" }, `Seed of the dice: ${app.seed}. Take back a move and play another: the old line stays as a variation.`));
  list.scrollTop = before;
  if (scrolled === app.node.id) return;
  scrolled = app.node.id;
  list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

/**
 * The plies from a node on: its line, and each variation in brackets behind the ply that it replaces.
 * @param {App} app
 * @param {Node} from
 * @param {boolean} numbered
 * @returns {globalThis.Node[]}
 */
function lines(app, from, numbered) {
  /** @type {globalThis.Node[]} */
  const parts = [];
  let number = numbered;
  for (let node = from; node.children.length; node = node.children[0]) {
    const [child, ...others] = node.children;
    parts.push(plyButton(app, child, number));
    number = false;
    for (const other of others) {
      parts.push(h("span", { class: "variation" }, plyButton(app, other, true), lines(app, other, false)));
      number = true;
    }
  }
  return parts;
}

/** @param {App} app @param {Node} node @param {boolean} numbered */
function plyButton(app, node, numbered) {
  const parent = /** @type {Node} */ (node.parent);
  const seat = app.seatAt(parent);
  const place = parent.depth;
  const first = app.tree.root.facts?.mover ?? "p1";
  const roll = node.rolled;
  const die = roll === null ? "" : app.variant.game === "dice" ? lineName(roll, seat).replace(/^\w+ /, "") : roll;
  const wrong = node.review && node.review.mistake < -SLIGHT;
  return h("span", { class: "ply" },
    (seat === first || numbered) && h("span", { class: "number" }, `${Math.floor(place / 2) + 1}${seat === first ? "." : "…"}`),
    h("button", {
      class: `move ${seat}`, "data-node": node.id, "data-key": `node${node.id}`, "aria-current": node === app.node ? "true" : null, title: node.ply,
      onclick: () => void app.goTo(node),
    }, die && h("span", { class: "die-text" }, die), node.ply.replace(/^[^:]*:/, ""), wrong && h("span", { class: "slip", title: `mistake ${node.review?.mistake.toFixed(3)}` }, "?")));
}
