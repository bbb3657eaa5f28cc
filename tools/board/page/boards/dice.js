// @ts-check
// The board of Dice: the rolled line stands out; blue's checkers are discs, red's are diamonds with a ring.

import { s } from "../dom.js";
import { lineName } from "../die.js";
import { cellBoard, cellName } from "./cells.js";

/**
 * A checker.
 * @param {string} side `b` or `r`
 */
export function checker(side) {
  if (side === "b") {
    return s("g", { class: "p1" }, s("circle", { class: "body", r: 36 }), s("circle", { class: "trim", r: 25 }));
  }
  return s("g", { class: "p2" }, s("path", { class: "body", d: "M0 -42 L42 0 L0 42 L-42 0 Z" }), s("path", { class: "trim", d: "M0 -24 L24 0 L0 24 L-24 0 Z" }));
}

/**
 * A DPN, taken apart.
 * @param {string} fen
 */
export function readDpn(fen) {
  const [size, win, side, roll, ...cells] = fen.split(" ");
  return { size: Number(size), win: Number(win), side, roll: Number(roll), cells };
}

/**
 * The cells of a line of so many in a row, for a board that is won.
 * @param {ReturnType<typeof readDpn>} dpn
 * @returns {Set<string>}
 */
function winning({ size, win, cells }) {
  /** @type {Set<string>} */
  const found = new Set();
  const at = (/** @type {number} */ x, /** @type {number} */ y) => (x >= 0 && y >= 0 && x < size && y < size ? cells[y * size + x] : "-");
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
        const line = Array.from({ length: win }, (_, i) => [x + i * dx, y + i * dy]);
        if (at(x, y) !== "-" && line.every(([a, b]) => at(a, b) === at(x, y))) line.forEach(([a, b]) => found.add(cellName(a, b)));
      }
    }
  }
  return found;
}

/** @param {import("./cells.js").View} view */
export function draw(view) {
  const dpn = readDpn(view.facts.fen);
  const index = (/** @type {string} */ cell) => (Number(cell.slice(1)) - 1) * dpn.size + cell.charCodeAt(0) - 97;
  const won = view.facts.result ? winning(dpn) : new Set();
  const inLine = (/** @type {string} */ cell) => {
    if (dpn.roll < 0) return false;
    return dpn.side === "b" ? Number(cell.slice(1)) - 1 === dpn.roll : cell.charCodeAt(0) - 97 === dpn.roll;
  };
  const rolled = dpn.roll < 0 ? "not rolled" : lineName(String(dpn.roll), dpn.side === "b" ? "p1" : "p2");
  return cellBoard(
    {
      columns: dpn.size,
      rows: dpn.size,
      label: `Dice, ${dpn.size} by ${dpn.size}, ${dpn.win} in a row win; ${rolled}`,
      piece: (cell) => (dpn.cells[index(cell)] === "-" ? null : checker(dpn.cells[index(cell)])),
      describe: (cell) => ({ "-": "empty", b: "blue", r: "red" })[dpn.cells[index(cell)]] ?? "",
      tint: (cell) => (won.has(cell) ? "won" : inLine(cell) ? (dpn.side === "b" ? "line p1" : "line p2") : ""),
    },
    view,
  );
}
