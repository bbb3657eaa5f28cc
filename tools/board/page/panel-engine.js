// @ts-check
// The engines: how they are, and their options as a form made from their `option` lines.

import { h, put } from "./dom.js";
import { choice, labelled } from "./newgame.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./types.js").Option} Option */

/** Options that the page itself sets with each search. */
const OWN = new Set(["Game", "UCI_Variant", "MultiPV", "Noise"]);

/** What was drawn, so that a field in which somebody types is not drawn anew. */
let drawn = "";

/** @param {App} app @param {HTMLElement} place @param {boolean} opened */
export function showEngine(app, place, opened) {
  const now = app.engines.map((engine) => `${engine.state} ${engine.options.length} ${engine.id}`).join("|");
  if (!opened && now === drawn) return;
  drawn = now;
  put(place, app.engines.map((engine) => card(app, engine)));
}

/** @param {App} app @param {Engine} engine */
function card(app, engine) {
  const states = { off: "not started", starting: "starting…", ready: "running", lost: `lost: ${engine.why}` };
  const start = () => void (engine.state === "lost" ? engine.restart() : engine.ready()).catch((error) => app.say(error.message, "error"));
  return h("section", { class: "card" },
    h("h3", {}, engine.name, " ", h("span", { class: "dim" }, engine.id === engine.name ? "" : engine.id)),
    h("p", { class: "dim small" }, h("code", {}, app.setting.engines[engine.index].command), " – ", h("span", { class: "state" }, states[engine.state])),
    engine.state === "off" || engine.state === "lost" ? h("button", { class: "start-engine", onclick: start }, "Start it") : null,
    h("div", { class: "options" }, engine.options.map((option) => field(app, engine, option))));
}

/** @param {App} app @param {Engine} engine @param {Option} option */
function field(app, engine, option) {
  const { name, type } = option;
  if (type === "button") return h("button", { "data-option": name, onclick: () => void engine.press(name).catch((error) => app.say(error.message, "error")) }, name);
  if (OWN.has(name)) return h("p", { class: "dim small" }, `${name}: set by the page for each search`);
  const value = engine.wanted[name] ?? option.default;
  const set = (/** @type {string} */ text) => {
    engine.wanted[name] = text;
    app.store();
    // A search that is under way began with the old value.
    if (app.facts && !app.search) app.analysis.begin(app.facts);
  };
  const read = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target);
  if (type === "check") return h("label", { class: "check" }, h("input", { type: "checkbox", "data-option": name, checked: value === "true", onchange: (/** @type {Event} */ event) => set(String(read(event).checked)) }), ` ${name}`);
  if (type === "combo") return labelled(name, choice(`option-${name}`, option.vars.map((one) => /** @type {[string, string]} */ ([one, one])), value, set));
  if (type === "spin") {
    const input = h("input", { type: "number", "data-option": name, min: option.min, max: option.max, value });
    input.addEventListener("change", () => (input.checkValidity() && input.value !== "" ? set(input.value) : void (input.value = engine.wanted[name] ?? option.default)));
    return labelled(name, input, `${option.min} to ${option.max?.toLocaleString("en")}`);
  }
  return labelled(name, h("input", { type: "text", "data-option": name, value, onchange: (/** @type {Event} */ event) => set(read(event).value) }));
}
