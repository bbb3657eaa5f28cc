// @ts-check
// The board with what stands around it: the players, their clocks and dice, and the buttons of the game.

import { h, put, s } from "./dom.js";
import { clockText } from "./clock.js";
import { dice, die, lineName } from "./die.js";
import { piece } from "./boards/darkchess.js";
import { drawBoard } from "./boards.js";
import { isDragging } from "./boards/drag.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types.js").Seat} Seat */

/** @param {App} app @param {Record<"message" | "upper" | "board" | "lower" | "controls" | "walk", HTMLElement>} places */
export function showTable(app, places) {
  const { facts } = app;
  put(places.message, ...message(app));
  if (!facts) return;
  const [upper, lower] = app.flipped ? /** @type {const} */ (["p1", "p2"]) : /** @type {const} */ (["p2", "p1"]);
  put(places.upper, ...player(app, upper));
  put(places.lower, ...player(app, lower));
  if (!isDragging()) put(places.board, drawBoard(app, facts));
  put(places.controls, ...controls(app));
  put(places.walk, ...walk(app));
}

/** @param {App} app */
function message(app) {
  if (!app.message) return [];
  const { text, tone } = app.message;
  const again = app.engines.some((engine) => engine.state === "lost");
  return [
    h("div", { class: `message ${tone}` },
      h("span", {}, text),
      again && h("button", { id: "again", onclick: () => app.resume() }, "Start the engine again"),
      h("button", { class: "quiet", "aria-label": "Dismiss", onclick: () => { app.message = null; app.changed(); } }, "✕")),
  ];
}

/** @param {App} app @param {Seat} seat */
function player(app, seat) {
  const facts = /** @type {import("./types.js").Facts} */ (app.facts);
  const moves = facts.mover === seat && facts.kind !== "over" && !app.lost;
  const roll = facts.roll ?? (facts.kind === "chance" ? null : app.node.roll);
  const unused = facts.game === "backgammon" && app.way ? app.way.dice.map(String) : null;
  const shown = moves && roll && !facts.chance_follows ? dice(facts.game, roll, seat, unused) : null;
  const left = app.clock.time(seat);
  return [
    h("span", { class: `badge ${badge(facts, seat)}`, "aria-hidden": "true" }),
    h("span", { class: "who" }, h("b", {}, facts.names[seat]), " ", h("span", { class: "dim" }, app.playerName(seat))),
    moves && h("span", { class: "turn" }, app.search ? "thinking…" : facts.kind === "chance" ? (facts.chance_follows ? "turning up" : "to roll") : "to move"),
    h("span", { class: "dice", "aria-label": shown ? `rolled ${shown.words}` : null, role: shown ? "img" : null }, shown?.faces ?? []),
    app.clock.on && h("span", { class: `clock${left < 10000 ? " low" : ""}`, "data-clock": seat, role: "timer" }, clockText(left)),
  ];
}

/** @param {import("./types.js").Facts} facts @param {Seat} seat */
function badge(facts, seat) {
  const name = facts.names[seat];
  if (facts.game === "backgammon") return `bg-${name}`;
  if (facts.game !== "darkchess") return seat;
  // Before the first flip nobody has a colour.
  return ["red", "black"].includes(name) ? `dark-${name}` : "";
}

/** @param {App} app */
function controls(app) {
  const facts = /** @type {import("./types.js").Facts} */ (app.facts);
  if (facts.kind === "over" || app.lost) return [h("strong", { class: "outcome", id: "outcome" }, app.outcome())];
  const person = app.players[facts.mover].kind === "person";
  if (facts.kind === "chance") return chanceControls(app);
  if (!person && app.paused) {
    return [h("button", { class: "primary", id: "resume", onclick: () => app.resume() }, "▶ Let the engine play on")];
  }
  if (!person) return [h("span", { class: "dim" }, "The engine thinks."), h("button", { id: "hurry", "data-key": "hurry", onclick: () => app.hurry() }, "Move now"), h("button", { id: "pause", "data-key": "pause", onclick: () => app.pause() }, "Pause")];
  if (facts.moves[0] === "pass") {
    return [h("span", {}, "No move can be made."), h("button", { class: "primary", id: "pass", "data-key": "pass", onclick: () => app.play("pass") }, "Pass")];
  }
  if (facts.game === "backgammon") {
    const { way } = app;
    const complete = way?.complete ?? null;
    return [
      h("button", { class: "primary", id: "confirm", "data-key": "confirm", disabled: complete === null, onclick: () => complete && app.play(complete) }, complete ? `Confirm ${complete}` : "Confirm"),
      h("button", { id: "undo", "data-key": "undo", disabled: app.made.length === 0, onclick: () => app.undoStep() }, "Undo step"),
    ];
  }
  return [h("span", { class: "dim" }, hint(facts))];
}

/** @param {import("./types.js").Facts} facts */
function hint(facts) {
  if (facts.game === "dice") return `Play in ${lineName(facts.roll ?? "0", facts.mover)}.`;
  if (facts.game === "einstein") return `The die shows ${facts.roll}: choose a cube, then where it goes.`;
  return "Turn a piece over, or choose one of yours and where it goes.";
}

/** @param {App} app */
function chanceControls(app) {
  const facts = /** @type {import("./types.js").Facts} */ (app.facts);
  const total = facts.rolls.reduce((sum, [, weight]) => sum + weight, 0);
  const own = h("button", { class: "primary", id: "roll", "data-key": "roll", onclick: () => facts.chance !== null && app.roll(facts.chance) },
    facts.chance_follows ? "Turn it up for me" : "Roll for me");
  const faces = facts.rolls.map(([face, weight]) => {
    const words = facts.game === "dice" ? lineName(face, facts.mover) : face;
    return h("button", {
      class: "face", "data-face": face, "data-key": `face${face}`, "aria-label": `${words}, ${weight} in ${total}`, title: `${weight} in ${total}`, onclick: () => app.roll(face),
    }, facts.game === "darkchess" ? s("svg", { viewBox: "-46 -46 92 92", class: "die" }, piece(face)) : facts.game === "backgammon" ? [...face].map((one) => die(one, facts.mover)) : dice(facts.game, face, facts.mover).faces);
  });
  return [own, h("span", { class: "faces", role: "group", "aria-label": "Set the die" }, faces)];
}

/** @param {App} app */
function walk(app) {
  const { node } = app;
  const end = () => { let at = node; while (at.children[0]) at = at.children[0]; return at; };
  const button = (/** @type {string} */ id, /** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ act, off = false) =>
    h("button", { id, "data-key": id, "aria-label": name, title: name, disabled: off, onclick: act }, sign);
  return [
    button("first", "|◀", "To the start (Home)", () => app.goTo(app.tree.root), !node.parent),
    button("back", "◀", "A move back (←)", () => node.parent && app.goTo(node.parent), !node.parent),
    button("forward", "▶", "A move on (→)", () => node.children[0] && app.goTo(node.children[0]), !node.children[0]),
    button("last", "▶|", "To the end (End)", () => app.goTo(end()), !node.children[0]),
    button("takeback", "↶ Take back", "Take back (U)", () => app.takeBack(), !node.parent && !app.pending),
    button("flip", "⇅ Turn", "Turn the board (F)", () => { app.flipped = !app.flipped; app.store(); app.changed(); }),
    button("resign", "⚑ Resign", "Resign", () => resign(app), app.facts?.kind === "over" || app.lost !== null),
    button("analyse", app.analysis.on ? "◉ Analysis" : "○ Analysis", "Look into the engine (A)", () => app.analysis.toggle()),
  ];
}

/** @param {App} app */
function resign(app) {
  const mover = app.facts?.mover ?? "p1";
  const other = mover === "p1" ? "p2" : "p1";
  const by = app.players[mover].kind === "person" || app.players[other].kind === "engine" ? mover : other;
  app.forfeit(by, "resigned");
}

