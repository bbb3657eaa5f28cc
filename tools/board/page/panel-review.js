// @ts-check
// The game, judged: luck apart from skill, summed a side, and a table of mistakes.

import { h, put, signed } from "./dom.js";
import { graph } from "./graph.js";
import { SLIGHT, sums } from "./review.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app @param {HTMLElement} place */
export function showReview(app, place) {
  const { reviewer } = app;
  const line = app.node.line();
  const judged = line.filter((node) => node.review);
  put(place,
    h("div", { class: "row wrap" },
      reviewer.progress ? h("button", { id: "review-stop", onclick: () => { reviewer.stop(); app.changed(); } }, "Stop")
        : h("button", { class: "primary", id: "review", "data-key": "review", disabled: line.length < 2, onclick: () => void reviewer.begin() }, "Analyse this game"),
      h("label", { class: "field inline" }, h("span", {}, "Depth"), h("input", {
        id: "review-depth", "data-key": "review-depth", type: "number", min: 1, max: 30, value: String(reviewer.depth),
        onchange: (/** @type {Event} */ event) => (reviewer.depth = Math.max(1, Math.min(30, Math.round(Number(/** @type {HTMLInputElement} */ (event.target).value)) || 1))),
      }))),
    progress(app),
    graph(app, (node) => void app.goTo(node)),
    judged.length ? totals(app, line) : h("p", { class: "dim" }, "After the analysis: how much each roll and each move changed the value. Luck is the value after the roll less that before it; a mistake is the value of the move less that of the best."),
    judged.length ? mistakes(app, judged) : null,
    judged.length ? byPly(app, judged) : null);
}

/** @param {App} app */
function progress(app) {
  const now = app.reviewer.progress;
  if (!now) return null;
  const spent = (performance.now() - now.began) / 1000;
  const left = now.done ? (spent / now.done) * (now.all - now.done) : null;
  return h("div", { class: "progress" }, h("progress", { max: now.all, value: now.done }), h("span", {}, `${now.done} of ${now.all} plies${left === null ? "" : `, ${Math.ceil(left)} s left`}`));
}

/** @param {App} app @param {import("./tree.js").Node[]} line */
function totals(app, line) {
  const found = sums(line);
  const names = app.facts?.names ?? { p1: "first", p2: "second" };
  return h("table", { class: "values", id: "sums" },
    h("thead", {}, h("tr", {}, ["Side", "Luck", "Mistakes", "Wrong moves", "Plies"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, /** @type {const} */ (["p1", "p2"]).map((seat) =>
      h("tr", {}, h("th", { scope: "row" }, names[seat]), h("td", { class: "n" }, signed(found[seat].luck)), h("td", { class: "n" }, signed(found[seat].mistakes)), h("td", { class: "n" }, found[seat].wrong), h("td", { class: "n" }, found[seat].judged)))));
}

/** @param {App} app @param {import("./tree.js").Node[]} judged */
function mistakes(app, judged) {
  const wrong = judged.filter((node) => (node.review?.mistake ?? 0) < -SLIGHT).sort((a, b) => (a.review?.mistake ?? 0) - (b.review?.mistake ?? 0));
  const names = app.facts?.names ?? { p1: "first", p2: "second" };
  return h("div", {}, h("h3", {}, "Mistakes"), wrong.length === 0 ? h("p", { class: "dim" }, "None.") :
    h("table", { class: "values", id: "mistakes" },
      h("thead", {}, h("tr", {}, ["Ply", "Side", "Played", "Best", "Loss"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, wrong.slice(0, 50).map((node) => {
        const review = /** @type {import("./types.js").Review} */ (node.review);
        return h("tr", {}, h("td", {}, h("button", { class: "quiet link", "data-key": `wrong${node.id}`, onclick: () => node.parent && void app.goTo(node.parent) }, node.depth)),
          h("td", {}, names[review.seat]), h("td", {}, node.ply), h("td", {}, review.bestMove), h("td", { class: "n" }, signed(review.mistake)));
      }))));
}

/** @param {App} app @param {import("./tree.js").Node[]} judged */
function byPly(app, judged) {
  const names = app.facts?.names ?? { p1: "first", p2: "second" };
  return h("details", { open: true }, h("summary", {}, "Ply by ply"), h("table", { class: "values", id: "plies" },
    h("thead", {}, h("tr", {}, ["Ply", "Side", "Played", "Before", "Luck", "Skill"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, judged.map((node) => {
      const review = /** @type {import("./types.js").Review} */ (node.review);
      return h("tr", { class: node === app.node ? "now" : null }, h("td", {}, h("button", { class: "quiet link", "data-key": `ply${node.id}`, onclick: () => void app.goTo(node) }, node.depth)),
        h("td", {}, names[review.seat]), h("td", {}, node.ply), h("td", { class: "n" }, signed(review.before)), h("td", { class: "n" }, signed(review.luck)), h("td", { class: "n" }, signed(review.mistake)));
    }))));
}
