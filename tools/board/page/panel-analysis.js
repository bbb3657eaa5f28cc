// @ts-check
// What the engine thinks: depth, value, nodes, the expected line, every move by value, and every roll.

import { h, put, signed } from "./dom.js";
import { heatColour, relative } from "./heat.js";
import { lineName } from "./die.js";
import { choice, labelled } from "./newgame.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types.js").Info} Info */

/** Moves in the list. */
const SHOWN = 40;

/** @param {App} app @param {HTMLElement} place */
export function showAnalysis(app, place) {
  const { analysis, facts } = app;
  const info = app.thinking ?? analysis.info;
  const check = (/** @type {string} */ id, /** @type {string} */ text, /** @type {boolean} */ checked, /** @type {(on: boolean) => void} */ act) =>
    h("label", { class: "check" }, h("input", { id, type: "checkbox", checked, "data-key": id, onchange: (/** @type {Event} */ event) => { act(/** @type {HTMLInputElement} */ (event.target).checked); app.changed(); } }), ` ${text}`);
  put(place,
    h("div", { class: "row wrap" },
      check("analysis-on", "Analyse", analysis.on, () => analysis.toggle()),
      check("heat", "Values on the board", analysis.heat, (on) => (analysis.heat = on)),
      check("line", "Expected line", analysis.line, (on) => (analysis.line = on)),
      app.engines.length > 1 && labelled("by", choice("analysis-engine", app.engines.map((engine, i) => /** @type {[string, string]} */ ([String(i), engine.name])), String(analysis.engine), (value) => {
        analysis.engine = Number(value);
        if (app.facts && !app.search) analysis.begin(app.facts);
      }))),
    numbers(app, info),
    facts && info?.pv?.length ? h("p", { class: "pv" }, h("b", {}, "Expected: "), info.pv.join(" ")) : null,
    moveTable(app),
    rolls(app));
}

/** @param {App} app @param {Info | null} info */
function numbers(app, info) {
  if (!info) return h("p", { class: "dim" }, app.analysis.on ? "Waiting for the engine…" : "Turn the analysis on to see what the engine thinks while you do.");
  const count = (/** @type {number | undefined} */ value) => (value === undefined ? "–" : value.toLocaleString("en"));
  const names = app.facts ? app.facts.names[app.facts.mover] : "";
  const cells = [
    ["Value", signed(info.value)], ["Depth", `${info.depth ?? "–"}${info.seldepth ? ` / ${info.seldepth}` : ""}`],
    ["Nodes", count(info.nodes)], ["Nodes/s", count(info.nps)], ["Time", info.time === undefined ? "–" : `${(info.time / 1000).toFixed(1)} s`], ["Table", info.hashfull === undefined ? "–" : `${(info.hashfull / 10).toFixed(1)} %`],
  ];
  return h("dl", { class: "numbers", id: "numbers", title: `for ${names}` }, cells.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/** @param {App} app */
function moveTable(app) {
  const { analysis } = app;
  const known = analysis.moves.filter((info) => info.pv?.length && info.value !== undefined);
  if (known.length === 0) return null;
  const values = known.map((info) => /** @type {number} */ (info.value));
  const share = relative(values);
  const best = Math.max(...values);
  const active = app.facts?.kind === "decision" && app.players[app.facts.mover].kind === "person";
  return h("table", { class: "values", id: "values" },
    h("thead", {}, h("tr", {}, ["", "Move", "Value", "Loss", "Line"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, known.slice(0, SHOWN).map((info) => {
      const [move, ...rest] = /** @type {string[]} */ (info.pv);
      const value = /** @type {number} */ (info.value);
      const { fill } = heatColour(share(value));
      const swatch = h("span", { class: "swatch" });
      swatch.style.background = fill;
      return h("tr", {}, h("td", {}, swatch), h("td", {}, active ? h("button", { class: "quiet link", onclick: () => void app.play(move) }, move) : move),
        h("td", { class: "n" }, signed(value)), h("td", { class: "n" }, value === best ? "" : signed(value - best)), h("td", { class: "rest" }, rest.slice(0, 3).join(" ")));
    })));
}

/** @param {App} app */
function rolls(app) {
  const { analysis, facts } = app;
  if (!facts) return null;
  const before = facts.line.replace(/ roll \S+$/, "");
  const found = analysis.rolls.length ? analysis.rolls : analysis.byRoll?.at === before ? analysis.byRoll.rolls : [];
  const ask = !facts.chance_follows && facts.kind === "decision" && !app.search &&
    h("button", { id: "ask-rolls", "data-key": "ask-rolls", onclick: () => void analysis.askRolls() }, "Value by roll");
  if (found.length === 0) return ask || null;
  const values = found.map((info) => info.value ?? 0);
  const share = relative(values);
  const most = Math.max(...values.map(Math.abs), 0.01);
  return h("div", {}, h("h3", {}, `Value by roll, for ${facts.names[facts.mover]}`),
    h("table", { class: "values rolls", id: "rolls" }, h("tbody", {}, found.map((info) => {
      const value = info.value ?? 0;
      const bar = h("span", { class: "bar" });
      bar.style.width = `${(Math.abs(value) / most) * 100}%`;
      bar.style.background = heatColour(share(value)).fill;
      const face = info.roll ?? "";
      return h("tr", { class: face === facts.roll ? "now" : null }, h("td", {}, facts.game === "dice" ? lineName(face, facts.mover) : face), h("td", { class: "n" }, signed(value)), h("td", { class: "bars" }, bar), h("td", {}, info.pv?.[0] ?? ""));
    }))), ask || null);
}
