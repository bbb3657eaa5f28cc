// @ts-check
// Games that are kept: saved and loaded in the format of the tournament's records; folders of tournaments, a page at a time.

import { get, postForText, postText } from "./api.js";
import { h, put } from "./dom.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types.js").GameRecord} GameRecord */

/** Games on a page. */
const PAGE = 25;

/** Bytes of a file that the page itself reads: a folder that is larger is better named when the server starts. */
const LARGEST = 64 * 1024 * 1024;

/** A list of games that can be opened. @typedef {{name: string, count: number, rows: (from: number) => Promise<Row[]>, open: (place: number) => Promise<GameRecord>}} Source */
/** @typedef {{place: number, text: string, wrong: boolean}} Row */

/** @type {Source[]} */
let sources = [];
/** @type {{source: Source, from: number, rows: Row[]} | null} */
let looking = null;

/** @param {App} app @param {HTMLElement} place @param {boolean} opened */
export function showGames(app, place, opened) {
  if (!opened) return;
  const redraw = () => showGames(app, place, true);
  const act = (/** @type {() => Promise<void>} */ what) => () => void what().catch((error) => app.say(error.message, "error"));
  const file = h("input", { type: "file", id: "load-file", accept: ".jsonl,.json", onchange: act(async () => {
    const [chosen] = file.files ?? [];
    if (chosen) await openFile(app, chosen, redraw);
  }) });
  const folder = h("input", { type: "file", id: "load-folder", webkitdirectory: true, onchange: act(async () => {
    const games = [...(folder.files ?? [])].find(({ name }) => name === "games.jsonl");
    if (!games) throw new Error("There is no games.jsonl in this folder: expected one of alea-tournament");
    await openFile(app, games, redraw);
  }) });
  const list = h("div", { id: "folders" });
  put(place,
    h("h3", {}, "This game"),
    h("div", { class: "row wrap" }, h("button", { class: "primary", id: "save", onclick: act(() => save(app)) }, "Save"), h("label", { class: "button" }, "Load a file…", file), h("label", { class: "button" }, "Open a tournament…", folder)),
    h("p", { class: "dim small" }, "Games are kept as alea-tournament keeps them, a line a game, with variations: alea-tournament replay and analyse read them too. A tournament's folder can also be named when the server starts: alea-board --games DIR."),
    h("h3", {}, "Tournaments"), list);
  showFolders(app, list, redraw, act).catch((error) => app.say(error.message, "error"));
}

/** @param {App} app */
async function save(app) {
  const nodes = app.tree.root.line().slice(1);
  const main = nodes[nodes.length - 1] ?? app.tree.root;
  const text = await postForText("record/write", {
    position: { ...app.variant, plies: main.plies(), roll: main.roll, seed: app.seed },
    p1: app.playerName("p1"), p2: app.playerName("p2"), lost: app.lost,
    depth: nodes.map((node) => node.report?.depth ?? null), value: nodes.map((node) => node.report?.value ?? null),
    nodes: nodes.map((node) => node.report?.nodes ?? null), time_us: nodes.map((node) => Math.max(0, Math.round(node.time))),
    variations: app.tree.variations(),
  });
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/jsonl" })), download: `${app.variant.game}-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}.jsonl` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  app.say("Saved.");
}

/** @param {App} app @param {File} file @param {() => void} redraw */
async function openFile(app, file, redraw) {
  if (file.size > LARGEST) throw new Error(`${file.name} is larger than 64 MB: start alea-board with --games and its folder`);
  const lines = (await file.text()).split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new Error(`${file.name} is empty`);
  const open = (/** @type {number} */ place) => postText("record/read", lines[place]);
  if (lines.length === 1) {
    await app.load(await open(0));
    return;
  }
  const rows = async (/** @type {number} */ from) => lines.slice(from, from + PAGE).map((line, i) => describe(from + i, line));
  const source = { name: file.name, count: lines.length, rows, open };
  sources = [...sources.filter((one) => one.name !== file.name), source];
  looking = { source, from: 0, rows: await rows(0) };
  redraw();
}

/** @param {number} place @param {string} line @returns {Row} */
function describe(place, line) {
  try {
    return row(place, JSON.parse(line), JSON.parse(line).plies.length);
  } catch {
    return { place, text: "not a game", wrong: true };
  }
}

/** @param {number} place @param {any} game @param {number} plies @returns {Row} */
function row(place, game, plies) {
  const points = game.points > 1 ? ` (${game.points} points)` : "";
  return { place, text: `${game.number}. ${game.p1} – ${game.p2}: ${game.result}${points}, ${plies} plies`, wrong: false };
}

/** @param {App} app @param {HTMLElement} list @param {() => void} redraw @param {(what: () => Promise<void>) => () => void} act */
async function showFolders(app, list, redraw, act) {
  /** @type {{name: string, games: number}[]} */
  const folders = await get("folders");
  const named = folders.map(({ name, games }, i) => ({
    name, count: games,
    rows: async (/** @type {number} */ from) => {
      /** @type {({Ok: any} | {Err: string})[]} */
      const found = await get(`folders/${i}?from=${from}&count=${PAGE}`);
      return found.map((one, j) => ("Ok" in one ? row(from + j, one.Ok, one.Ok.plies) : { place: from + j, text: one.Err, wrong: true }));
    },
    open: (/** @type {number} */ place) => get(`folders/${i}/${place}`),
  }));
  const all = [...named, ...sources];
  const turn = (/** @type {Source} */ source, /** @type {number} */ from) => act(async () => {
    looking = { source, from, rows: await source.rows(from) };
    redraw();
  });
  put(list,
    all.length === 0 ? h("p", { class: "dim" }, "None is open.") : null,
    h("ul", { class: "plain" }, all.map((source) => h("li", {}, h("button", { class: "quiet link", "data-source": source.name, onclick: turn(source, 0) }, `${source.name} (${source.count} games)`)))),
    looking && h("div", {},
      h("div", { class: "row" },
        h("button", { "aria-label": "Earlier games", id: "earlier", disabled: looking.from === 0, onclick: turn(looking.source, Math.max(0, looking.from - PAGE)) }, "◀"),
        h("span", {}, `${looking.from + 1}–${looking.from + looking.rows.length} of ${looking.source.count}`),
        h("button", { "aria-label": "Later games", id: "later", disabled: looking.from + PAGE >= looking.source.count, onclick: turn(looking.source, looking.from + PAGE) }, "▶")),
      h("ul", { class: "plain games", id: "games" }, looking.rows.map(({ place, text, wrong }) => {
        const { source } = /** @type {NonNullable<typeof looking>} */ (looking);
        return h("li", {}, wrong ? h("span", { class: "wrong" }, text) : h("button", { class: "quiet link", "data-game": place, onclick: act(async () => app.load(await source.open(place))) }, text));
      }))));
}
