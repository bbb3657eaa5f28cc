// @ts-check
// A position set up by hand: pieces from a palette, put where one clicks. Whether it is legal, the engine's rules say, with
// each change.

import { post } from "./api.js";
import { drawEdited } from "./boards.js";
import { readXgid } from "./boards/backgammon.js";
import { COUNTS, piece } from "./boards/darkchess.js";
import { checker } from "./boards/dice.js";
import { cube } from "./boards/einstein.js";
import { h, put, s } from "./dom.js";
import { choice, labelled } from "./newgame.js";
import { setUp } from "./panel-positions.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types.js").Facts} Facts */

/**
 * How a game's position is edited.
 * @typedef {object} Editor
 * @property {string} text the position as it stands
 * @property {string[]} palette what may be put
 * @property {(item: string) => Node} icon
 * @property {(cell: string, item: string) => void} place
 * @property {() => Node[]} fields
 */

/** @param {App} app @param {HTMLDialogElement} dialog */
export function setupDialog(app, dialog) {
  const facts = /** @type {Facts} */ (app.facts);
  const board = h("div", { class: "edited" });
  const wrong = h("p", { class: "wrong", role: "alert", id: "setup-wrong" });
  const palette = h("div", { class: "palette", role: "radiogroup", "aria-label": "Piece to put" });
  const fields = h("div", { class: "fields" });
  const text = h("input", { type: "text", id: "setup-text", "aria-label": "The position in its notation", spellcheck: "false" });
  const use = h("button", { class: "primary", id: "setup-use", onclick: () => begin() }, "Play from here");
  /** @type {Facts | null} */
  let legal = null;
  let chosen = 0;
  let asked = 0;
  const editor = editorOf(facts, () => show());
  async function show() {
    text.value = editor.text;
    put(palette, editor.palette.map((item, i) => h("button", { type: "button", role: "radio", "aria-checked": String(i === chosen), "data-key": `put${i}`, "data-put": item, "aria-label": item, onclick: () => { chosen = i; show(); } }, editor.icon(item))));
    put(fields, editor.fields());
    put(board, drawEdited({ ...facts, fen: editor.text, moves: [], result: null }, (cell) => { editor.place(cell, editor.palette[chosen]); show(); }));
    const mine = ++asked;
    try {
      const found = await post("paste", { text: `fen ${editor.text}`, game: facts.game });
      if (mine !== asked) return;
      legal = found;
      put(wrong, h("span", { class: "right" }, "Legal."));
    } catch (error) {
      if (mine !== asked) return;
      legal = null;
      put(wrong, /** @type {Error} */ (error).message);
    }
    use.disabled = legal === null;
  }
  async function begin() {
    if (!legal) return;
    try {
      await setUp(app, legal);
      dialog.close();
    } catch (error) {
      put(wrong, /** @type {Error} */ (error).message);
    }
  }
  text.addEventListener("change", () => { editor.text = text.value.trim().replace(/^(fen|dpn|xgid) /, ""); show(); });
  put(dialog, h("h2", {}, `Set up: ${facts.title}`), palette, board, fields, labelled("Notation", text), wrong,
    h("div", { class: "row end" }, h("button", { onclick: () => dialog.close() }, "Cancel"), use));
  show();
  dialog.showModal();
}

/**
 * @param {Facts} facts
 * @param {() => void} show
 * @returns {Editor}
 */
function editorOf(facts, show) {
  if (facts.game === "dice") return diceEditor(facts, show);
  if (facts.game === "einstein") return einsteinEditor(facts, show);
  if (facts.game === "backgammon") return backgammonEditor(facts, show);
  return darkEditor(facts, show);
}

/** @param {Element | null} inner */
function icon(inner) {
  return s("svg", { viewBox: "-50 -50 100 100", class: "icon" }, inner ?? s("path", { d: "M-18 -18 L18 18 M18 -18 L-18 18", class: "cross" }));
}

/** @param {Facts} facts @param {() => void} show @returns {Editor} */
function diceEditor(facts, show) {
  const editor = {
    text: facts.fen,
    palette: ["b", "r", "-"],
    icon: (/** @type {string} */ item) => icon(item === "-" ? null : checker(item)),
    place(/** @type {string} */ cell, /** @type {string} */ item) {
      const words = editor.text.split(" ");
      const place = 4 + (Number(cell.slice(1)) - 1) * Number(words[0]) + cell.charCodeAt(0) - 97;
      words[place] = words[place] === item ? "-" : item;
      const count = (/** @type {string} */ side) => words.slice(4).filter((word) => word === side).length;
      words[2] = count("b") > count("r") ? "r" : "b";
      words[3] = "-1";
      editor.text = words.join(" ");
    },
    fields: () => {
      const words = editor.text.split(" ");
      const size = Number(words[0]);
      const resize = (/** @type {string} */ n, /** @type {string} */ k) => { editor.text = `${n} ${k} b -1${" -".repeat(Number(n) ** 2)}`; show(); };
      const numbers = Array.from({ length: 15 }, (_, i) => String(i + 3));
      return [
        labelled("Size", choice("setup-size", numbers.map((n) => /** @type {[string, string]} */ ([n, n])), words[0], (n) => resize(n, String(Math.min(Number(n), Number(words[1])))))),
        labelled("In a row", choice("setup-win", numbers.filter((n) => Number(n) <= size).map((n) => /** @type {[string, string]} */ ([n, n])), words[1], (k) => { words[1] = k; editor.text = words.join(" "); show(); })),
        labelled("Roll", choice("setup-roll", [["-1", "not rolled"], ...Array.from({ length: size }, (_, i) => /** @type {[string, string]} */ ([String(i), words[2] === "b" ? `row ${i + 1}` : `column ${String.fromCharCode(97 + i)}`]))], words[3], (roll) => { words[3] = roll; editor.text = words.join(" "); show(); })),
      ];
    },
  };
  return editor;
}

/** @param {Facts} facts @param {() => void} show @returns {Editor} */
function einsteinEditor(facts, show) {
  const editor = {
    text: facts.fen,
    palette: [..."123456ABCDEF."],
    icon: (/** @type {string} */ item) => icon(item === "." ? null : cube(item)),
    place(/** @type {string} */ cell, /** @type {string} */ item) {
      const [rows, side, roll] = editor.text.split(" ");
      // There is one cube of each number: it leaves where it was.
      const cells = [...rows.replaceAll("/", "")].map((letter) => (letter === item ? "." : letter));
      cells[(Number(cell.slice(1)) - 1) * 5 + cell.charCodeAt(0) - 97] = item;
      const lines = [0, 1, 2, 3, 4].map((row) => cells.slice(5 * row, 5 * row + 5).join(""));
      editor.text = `${lines.join("/")} ${side} ${roll}`;
    },
    fields: () => {
      const [rows, side, roll] = editor.text.split(" ");
      return [
        labelled("To move", choice("setup-side", [["b", "blue"], ["r", "red"]], side, (value) => { editor.text = `${rows} ${value} ${roll}`; show(); })),
        labelled("Roll", choice("setup-roll", [["-", "not rolled"], ...[..."123456"].map((n) => /** @type {[string, string]} */ ([n, n]))], roll, (value) => { editor.text = `${rows} ${side} ${value}`; show(); })),
      ];
    },
  };
  return editor;
}

/** @param {Facts} facts @param {() => void} show @returns {Editor} */
function darkEditor(facts, show) {
  const start = facts.fen.split(" ").slice(0, 4).join(" ");
  const letters = [..."KGMRNCPkgmrncp"];
  const editor = {
    text: start,
    palette: [...letters, "X", "."],
    icon: (/** @type {string} */ item) => icon(item === "." ? null : piece(item)),
    place(/** @type {string} */ cell, /** @type {string} */ item) {
      const [rows, side, , hidden] = editor.text.split(" ");
      const cells = [...rows.replaceAll("/", "")];
      const place = (Number(cell.slice(1)) - 1) * 4 + cell.charCodeAt(0) - 97;
      const under = hidden === "-" ? [] : [...hidden];
      const old = cells[place];
      if (old === item) return;
      cells[place] = item;
      const faceUp = (/** @type {string} */ letter) => cells.filter((one) => one === letter).length;
      // As many pieces as cells are face down: one is taken for each that is uncovered, and put back for each that is covered.
      if (letters.includes(item) && under.includes(item) && old === "X") under.splice(under.indexOf(item), 1);
      else if (old === "X") under.pop();
      if (item === "X") {
        const free = letters.find((letter) => faceUp(letter) + under.filter((one) => one === letter).length < COUNTS[letter.toLowerCase()]);
        if (free) under.push(free);
      }
      const lines = Array.from({ length: 8 }, (_, row) => cells.slice(4 * row, 4 * row + 4).join(""));
      const next = side === "-" && cells.some((one) => letters.includes(one)) ? "r" : side;
      editor.text = `${lines.join("/")} ${next} 0 ${under.length ? under.sort().join("") : "-"}`;
    },
    fields: () => {
      const [rows, side, plies, hidden] = editor.text.split(" ");
      return [
        labelled("To move", choice("setup-side", [["-", "before the first flip"], ["r", "red"], ["b", "black"]], side, (value) => { editor.text = `${rows} ${value} ${plies} ${hidden}`; show(); })),
        labelled("Face down", h("input", { type: "text", "data-key": "hidden", value: hidden, onchange: (/** @type {Event} */ event) => { editor.text = `${rows} ${side} ${plies} ${/** @type {HTMLInputElement} */ (event.target).value.trim() || "-"}`; show(); } }), "letters of the pieces that lie face down"),
      ];
    },
  };
  return editor;
}

/** @param {Facts} facts @param {() => void} show @returns {Editor} */
function backgammonEditor(facts, show) {
  const write = (/** @type {ReturnType<typeof readXgid>} */ now, /** @type {string[]} */ rest) => {
    const letter = (/** @type {number} */ count) => (count === 0 ? "-" : String.fromCharCode((count > 0 ? 64 : 96) + Math.abs(count)));
    const points = now.points.map((count, i) => letter(i === 0 ? -now.bar.p2 : i === 25 ? now.bar.p1 : count));
    return [`XGID=${points.join("")}`, ...rest].join(":");
  };
  const editor = {
    text: facts.fen,
    palette: ["white", "black", "fewer"],
    icon: (/** @type {string} */ item) => icon(item === "fewer" ? null : s("circle", { r: 38, class: item === "white" ? "swatch-white" : "swatch-black" })),
    place(/** @type {string} */ cell, /** @type {string} */ item) {
      const now = readXgid(editor.text);
      const [, ...rest] = editor.text.split(":");
      const point = Number(cell);
      const step = item === "white" ? 1 : -1;
      if (point === 0 || point === 25) {
        // The bar holds checkers of both.
        const side = item === "white" ? "p1" : item === "black" ? "p2" : now.bar.p1 ? "p1" : "p2";
        now.bar[side] = Math.max(0, Math.min(15, now.bar[side] + (item === "fewer" ? -1 : 1)));
      } else if (point >= 1 && point <= 24) {
        const count = now.points[point];
        if (item === "fewer") now.points[point] -= Math.sign(count);
        else now.points[point] = Math.sign(count) === -step ? step : Math.max(-15, Math.min(15, count + step));
      }
      editor.text = write(now, rest);
    },
    fields: () => {
      const parts = editor.text.split(":");
      const set = (/** @type {number} */ place, /** @type {string} */ value) => { parts[place] = value; editor.text = parts.join(":"); show(); };
      const rolls = [6, 5, 4, 3, 2, 1].flatMap((high) => Array.from({ length: high }, (_, i) => `${high}${i + 1}`));
      return [
        labelled("To move", choice("setup-side", [["1", "white"], ["-1", "black"]], parts[3], (value) => set(3, value))),
        labelled("Dice", choice("setup-roll", [["00", "not rolled"], ...rolls.map((roll) => /** @type {[string, string]} */ ([roll, roll]))], parts[4], (value) => set(4, value))),
        h("button", { type: "button", onclick: () => { editor.text = write({ points: Array(26).fill(0), bar: { p1: 0, p2: 0 }, off: { p1: 15, p2: 15 } }, parts.slice(1)); show(); } }, "Clear"),
      ];
    },
  };
  return editor;
}
