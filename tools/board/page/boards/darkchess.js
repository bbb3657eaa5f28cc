// @ts-check
// The board of Chinese dark chess: face-down pieces are plain backs, red's are round with a ring, black's octagons.

import { s } from "../dom.js";
import { cellBoard } from "./cells.js";

/** What the letters stand for. @type {Record<string, string>} */
export const NAMES = { k: "king", g: "guard", m: "minister", r: "rook", n: "knight", c: "cannon", p: "pawn" };

/** How many there are of each. @type {Record<string, number>} */
export const COUNTS = { k: 1, g: 2, m: 2, r: 2, n: 2, c: 2, p: 5 };

/**
 * A piece by its letter in a FEN.
 * @param {string} letter
 */
export function piece(letter) {
  if (letter === "X") {
    return s("g", { class: "back" }, s("circle", { class: "body", r: 38 }), s("path", { class: "trim", d: "M-17 0 L0 -17 L17 0 L0 17 Z" }));
  }
  const red = letter === letter.toUpperCase();
  const body = red
    ? [s("circle", { class: "body", r: 39 }), s("circle", { class: "trim", r: 32 })]
    : [s("path", { class: "body", d: "M-16 -39 L16 -39 L39 -16 L39 16 L16 39 L-16 39 L-39 16 L-39 -16 Z" })];
  return s("g", { class: red ? "red" : "black" }, body, s("text", { class: "mark", y: 3 }, letter.toUpperCase()), s("title", {}, `${red ? "red" : "black"} ${NAMES[letter.toLowerCase()]}`));
}

/** @param {string} fen */
export function readFen(fen) {
  const [rows, side, plies, hidden] = fen.split(" ");
  return { rows: rows.split("/"), side, plies, hidden };
}

/** @param {import("./cells.js").View} view */
export function draw(view) {
  const { rows } = readFen(view.facts.fen);
  const at = (/** @type {string} */ cell) => rows[Number(cell.slice(1)) - 1][cell.charCodeAt(0) - 97];
  const describe = (/** @type {string} */ cell) => {
    const letter = at(cell);
    if (letter === ".") return "empty";
    if (letter === "X") return "face down";
    return `${letter === letter.toUpperCase() ? "red" : "black"} ${NAMES[letter.toLowerCase()]}`;
  };
  return cellBoard(
    {
      columns: 4,
      rows: 8,
      label: "Dark chess",
      piece: (cell) => (at(cell) === "." ? null : piece(at(cell))),
      describe,
      tint: () => "",
    },
    view,
  );
}
