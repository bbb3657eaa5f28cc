// @ts-check
// The board of EinStein würfelt nicht: blue's cubes are squares, red's are hexagons, each with its number.

import { s } from "../dom.js";
import { cellBoard } from "./cells.js";

/**
 * A cube by its letter in a FEN.
 * @param {string} letter `1` to `6`, or `A` to `F`
 */
export function cube(letter) {
  const blue = letter >= "1" && letter <= "6";
  const number = blue ? letter : String(letter.charCodeAt(0) - 64);
  const body = blue
    ? s("rect", { class: "body", x: -35, y: -35, width: 70, height: 70, rx: 13 })
    : s("path", { class: "body", d: "M-40 0 L-20 -35 L20 -35 L40 0 L20 35 L-20 35 Z", "stroke-linejoin": "round" });
  return s("g", { class: blue ? "p1" : "p2" }, body, s("text", { class: "mark", y: 2 }, number));
}

/** @param {string} fen */
export function readFen(fen) {
  const [rows, side, roll] = fen.split(" ");
  return { rows: rows.split("/"), side, roll };
}

/** @param {import("./cells.js").View} view */
export function draw(view) {
  const { rows, roll } = readFen(view.facts.fen);
  const at = (/** @type {string} */ cell) => rows[Number(cell.slice(1)) - 1][cell.charCodeAt(0) - 97];
  const describe = (/** @type {string} */ cell) => {
    const letter = at(cell);
    if (letter === ".") return "empty";
    return letter <= "6" ? `blue ${letter}` : `red ${letter.charCodeAt(0) - 64}`;
  };
  return cellBoard(
    {
      columns: 5,
      rows: 5,
      label: `EinStein, ${roll === "-" ? "not rolled" : `rolled ${roll}`}`,
      piece: (cell) => (at(cell) === "." ? null : cube(at(cell))),
      describe,
      tint: (cell) => (cell === "a1" ? "corner p1" : cell === "e5" ? "corner p2" : ""),
    },
    view,
  );
}
