// @ts-check
// The protocol as it is spoken, for people who write engines; commands can be sent by hand.

import { h, put } from "./dom.js";
import { choice } from "./newgame.js";

/** @typedef {import("./app.js").App} App */

/** Lines that are shown. */
const SHOWN = 400;

/** @type {{at: number} | undefined} */
let latest;
let whole = false;

/** @param {App} app @param {HTMLElement} place @param {boolean} opened */
export function showLog(app, place, opened) {
  if (opened) {
    const engines = choice("log-engine", app.engines.map((engine, i) => /** @type {[string, string]} */ ([String(i), engine.name])), "0");
    const command = h("input", { id: "command", type: "text", "aria-label": "A command for the engine", placeholder: "a command, such as d or eval", spellcheck: "false" });
    const send = async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        const engine = app.engines[Number(engines.value)];
        await engine.ready();
        if (command.value.trim()) await engine.write(command.value.trim());
        command.value = "";
      } catch (error) {
        app.say(/** @type {Error} */ (error).message, "error");
      }
    };
    put(place,
      h("form", { class: "row", onsubmit: send }, app.engines.length > 1 && engines, command, h("button", { id: "send-command" }, "Send")),
      h("div", { class: "row" }, h("button", { onclick: () => { app.log.length = 0; latest = undefined; put(lines); } }, "Clear"),
        h("button", { onclick: () => void navigator.clipboard.writeText(text(app)).then(() => app.say("Copied."), () => app.say("The browser does not let this page copy.", "error")) }, "Copy all"),
        h("label", { class: "check" }, h("input", { type: "checkbox", checked: whole, onchange: (/** @type {Event} */ event) => { whole = /** @type {HTMLInputElement} */ (event.target).checked; latest = undefined; app.changed(); } }), " all info lines")));
    const lines = h("ol", { class: "log", id: "log", tabindex: 0, "aria-label": "Protocol" });
    place.append(lines);
    latest = undefined;
  }
  const lines = place.querySelector("#log");
  const last = app.log[app.log.length - 1];
  if (!lines || last === latest) return;
  latest = last;
  const low = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 30;
  const shown = app.log.filter(({ direction, text: words }) => whole || direction !== "out" || !/^info .* multipv (?!1 )/.test(words)).slice(-SHOWN);
  put(lines, shown.map(({ engine, direction, text: words, at }) =>
    h("li", { class: direction }, h("time", {}, new Date(at).toISOString().slice(11, 23)), app.engines.length > 1 && h("b", {}, `${engine} `), h("span", { class: "sign" }, { in: "› ", out: "‹ ", note: "· " }[direction] ?? ""), words)));
  if (low || opened) lines.scrollTop = lines.scrollHeight;
}

/** @param {App} app */
function text(app) {
  return app.log.map(({ engine, direction, text: words }) => `${engine} ${direction === "in" ? ">" : "<"} ${words}`).join("\n");
}
