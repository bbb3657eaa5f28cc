// @ts-check
// The page: puts the game, the board around it and the panels together.

import { App } from "./app.js";
import { clockText } from "./clock.js";
import { byId, h, put } from "./dom.js";
import { listenKeys, showHelp } from "./keys.js";
import { newGameDialog } from "./newgame.js";
import { showPanel, showTabs } from "./panels.js";
import { showTable } from "./table.js";

const app = new App();
const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
const places = {
  message: byId("message"), upper: byId("upper"), board: byId("board"), lower: byId("lower"), controls: byId("controls"), walk: byId("walk"),
};

let drawn = false;
/** Draw all that can be seen, at most once a frame. */
function draw() {
  if (drawn) return;
  drawn = true;
  const now = () => {
    drawn = false;
    put(byId("title"), app.facts ? app.facts.title : "");
    showTable(app, places);
    showTabs(app, byId("tabs"));
    showPanel(app, byId("panel"));
  };
  // A page that nobody looks at has no frames, but goes on all the same.
  if (document.hidden) setTimeout(now, 100);
  else requestAnimationFrame(now);
}

/** Let the clocks be seen to run, and notice a flag that falls. */
function tick() {
  for (const seat of /** @type {const} */ (["p1", "p2"])) {
    const face = document.querySelector(`[data-clock="${seat}"]`);
    const left = app.clock.time(seat);
    if (face) face.textContent = clockText(left);
    if (app.clock.running === seat && left === 0) app.forfeit(seat, "time-loss");
  }
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("alea-theme", root.dataset.theme);
}

const kept = localStorage.getItem("alea-theme");
if (kept) document.documentElement.dataset.theme = kept;
byId("theme").addEventListener("click", theme);
byId("new").addEventListener("click", () => newGameDialog(app, dialog));
byId("help").addEventListener("click", () => showHelp(dialog));
listenKeys(app, dialog);
app.onChange = draw;
app.announce = (words) => (byId("live").textContent = words);
setInterval(tick, 100);
app.begin().then(
  () => (document.documentElement.dataset.ready = "yes"),
  (error) => put(byId("message"), h("div", { class: "message error" }, error.message)),
);
