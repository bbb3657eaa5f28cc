// @ts-check
// A board of cells: drawn, clicked, dragged and walked by keys, the same for every game that is played on cells.

import { s, signed } from "../dom.js";
import { heatColour, relative } from "../heat.js";
import { drag, isDragging } from "./drag.js";
import { cellMove, moveOf } from "./moves.js";

/** @typedef {import("../types.js").Facts} Facts */

/**
 * What a board shows.
 * @typedef {object} View
 * @property {Facts} facts
 * @property {string | null} last the last move
 * @property {Map<string, number> | null} heat the value of each move
 * @property {string[]} expected the expected line, in plies
 * @property {boolean} active whether a person may move here
 * @property {boolean} flipped whether it is seen from the other side
 * @property {string | null} selected
 * @property {(word: string) => void} onMove
 * @property {(cell: string | null) => void} onSelect
 * @property {((cell: string) => void) | null} onEdit instead of moving, where a position is set up
 */

/**
 * What a game says of its board.
 * @typedef {object} Shape
 * @property {number} columns
 * @property {number} rows
 * @property {string} label
 * @property {(cell: string) => SVGElement | null} piece drawn around 0, 0 in a cell 100 wide
 * @property {(cell: string) => string} describe
 * @property {(cell: string) => string} tint a class for the cell
 */

const SIZE = 100;
const MARGIN = 42;
const EDGE = 6;

/**
 * The name of a cell: `a1` is top left.
 * @param {number} column
 * @param {number} row
 */
export function cellName(column, row) {
  return String.fromCharCode(97 + column) + (row + 1);
}

/** Where the focus is on the board, kept while it is drawn anew. */
let focus = "a1";

/**
 * @param {Shape} shape
 * @param {View} view
 * @returns {SVGElement}
 */
export function cellBoard(shape, view) {
  const { columns, rows } = shape;
  const place = (/** @type {string} */ cell) => {
    const column = cell.charCodeAt(0) - 97;
    const row = Number(cell.slice(1)) - 1;
    const [x, y] = view.flipped ? [columns - 1 - column, rows - 1 - row] : [column, row];
    return { x: MARGIN + SIZE * (x + 0.5), y: MARGIN + SIZE * (y + 0.5) };
  };
  const moves = view.active ? view.facts.moves.map(cellMove) : [];
  const marks = marked(view, moves);
  const cells = [];
  if (!/^[a-z]\d+$/.test(focus) || focus.charCodeAt(0) - 97 >= columns || Number(focus.slice(1)) > rows) focus = "a1";
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      cells.push(drawCell(shape, view, cellName(column, row), place, marks));
    }
  }
  const width = MARGIN + SIZE * columns + EDGE;
  const height = MARGIN + SIZE * rows + EDGE;
  const board = s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "board cells", role: "group", "aria-label": shape.label },
    labels(shape, place),
    s("rect", { class: "frame", x: MARGIN - 3, y: MARGIN - 3, width: SIZE * columns + 6, height: SIZE * rows + 6, rx: 10 }),
    cells,
    arrows(view, place),
  );
  board.style.setProperty("--ratio", String(width / height));
  listen(board, shape, view, moves);
  return board;
}

/**
 * What is special about cells.
 * @param {View} view
 * @param {import("./moves.js").CellMove[]} moves
 */
function marked(view, moves) {
  const last = view.last ? cellMove(view.last) : null;
  const chosen = moves.filter((move) => move.from !== null && move.from === view.selected);
  const targets = new Set([...chosen.map((move) => move.to), ...moves.filter((move) => move.from === null).map((move) => move.to)]);
  const sources = new Set(moves.flatMap((move) => (move.from === null ? [] : [move.from])));
  /** @type {Map<string, {value: number, share: number}>} */
  const heat = new Map();
  if (view.heat) {
    const share = relative(view.heat.values());
    for (const [word, value] of view.heat) {
      const { from, to } = cellMove(word);
      const cell = from === null || from === view.selected ? to : view.selected ? null : from;
      const there = cell === null ? undefined : heat.get(cell);
      if (cell !== null && (there === undefined || value > there.value)) heat.set(cell, { value, share: share(value) });
    }
  }
  return { last: new Set(last ? [last.from, last.to] : []), targets, sources, heat };
}

/**
 * @param {Shape} shape
 * @param {View} view
 * @param {string} cell
 * @param {(cell: string) => {x: number, y: number}} place
 * @param {ReturnType<typeof marked>} marks
 */
function drawCell(shape, view, cell, place, marks) {
  const { x, y } = place(cell);
  const legal = marks.targets.has(cell) || marks.sources.has(cell);
  const classes = ["cell", shape.tint(cell)];
  if (marks.last.has(cell)) classes.push("last");
  if (marks.targets.has(cell)) classes.push("target");
  if (marks.sources.has(cell)) classes.push("source");
  if (view.selected === cell) classes.push("selected");
  const warm = marks.heat.get(cell);
  const piece = shape.piece(cell);
  const words = [cell, shape.describe(cell)];
  if (marks.targets.has(cell)) words.push("legal move");
  else if (marks.sources.has(cell)) words.push("can move");
  if (warm) words.push(`value ${signed(warm.value)}`);
  const colour = warm ? heatColour(warm.share) : null;
  const label = warm && [
    s("text", { class: "heat", x: 0, y: piece ? 40 : 0, fill: piece ? null : colour?.text, "data-on": piece ? "piece" : "cell" }, signed(warm.value, 2)),
  ];
  const group = s(
    "g",
    {
      class: classes.join(" ").trim(),
      transform: `translate(${x} ${y})`,
      "data-cell": cell,
      "data-key": cell,
      role: "button",
      tabindex: cell === focus ? 0 : -1,
      "aria-label": words.join(", "),
      "aria-disabled": legal || view.onEdit ? null : "true",
    },
    s("rect", { class: "ground", x: -SIZE / 2 + 1.5, y: -SIZE / 2 + 1.5, width: SIZE - 3, height: SIZE - 3, rx: 7 }),
    warm && s("rect", { class: "warmth", x: -SIZE / 2 + 5, y: -SIZE / 2 + 5, width: SIZE - 10, height: SIZE - 10, rx: 6, fill: colour?.fill }),
    warm && warm.share > 0.9999 && s("rect", { class: "best", x: -SIZE / 2 + 5, y: -SIZE / 2 + 5, width: SIZE - 10, height: SIZE - 10, rx: 6 }),
    marks.targets.has(cell) && !warm && s("circle", { class: "dot", r: piece ? 44 : 13 }),
    piece && s("g", { class: "piece" }, piece),
    label,
  );
  return group;
}

/**
 * @param {Shape} shape
 * @param {(cell: string) => {x: number, y: number}} place
 */
function labels(shape, place) {
  const texts = [];
  for (let column = 0; column < shape.columns; column++) {
    const { x } = place(cellName(column, 0));
    texts.push(s("text", { class: "label", x, y: MARGIN / 2 }, String.fromCharCode(97 + column)));
  }
  for (let row = 0; row < shape.rows; row++) {
    const { y } = place(cellName(0, row));
    texts.push(s("text", { class: "label", x: MARGIN / 2, y }, row + 1));
  }
  return s("g", { "aria-hidden": "true" }, texts);
}

/**
 * The expected line: numbers on the cells, with arrows where a piece moves.
 * @param {View} view
 * @param {(cell: string) => {x: number, y: number}} place
 */
function arrows(view, place) {
  const steps = view.expected.slice(0, 4).map((ply) => cellMove(moveOf(ply)));
  return s(
    "g",
    { class: "expected", "aria-hidden": "true" },
    s("defs", {}, s("marker", { id: "tip", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" },
      s("path", { d: "M0 0 L10 5 L0 10 z" }))),
    steps.map(({ from, to }, i) => {
      if (!/^[a-z]\d+$/.test(to)) return null;
      const end = place(to);
      const start = from && place(from);
      const tag = [
        s("circle", { class: "badge", cx: end.x + 32, cy: end.y - 32, r: 14 }),
        s("text", { class: "number", x: end.x + 32, y: end.y - 31 }, i + 1),
      ];
      return s("g", { class: `step${i + 1}` }, start && s("line", { x1: start.x, y1: start.y, x2: end.x, y2: end.y, "marker-end": "url(#tip)" }), tag);
    }),
  );
}

/**
 * Clicks, drags and keys.
 * @param {SVGElement} board
 * @param {Shape} shape
 * @param {View} view
 * @param {import("./moves.js").CellMove[]} moves
 */
function listen(board, shape, view, moves) {
  const cellOf = (/** @type {EventTarget | null} */ target) =>
    target instanceof Element ? (target.closest("[data-cell]")?.getAttribute("data-cell") ?? null) : null;
  const choose = (/** @type {string} */ cell) => {
    focus = cell;
    if (view.onEdit) return view.onEdit(cell);
    const made = moves.find((move) => move.to === cell && (move.from === null || move.from === view.selected));
    if (made) return view.onMove(made.word);
    const starts = moves.some((move) => move.from === cell);
    view.onSelect(starts && view.selected !== cell ? cell : null);
  };
  board.addEventListener("click", (event) => {
    const cell = cellOf(event.target);
    if (cell && !isDragging()) choose(cell);
  });
  board.addEventListener("pointerdown", (event) => {
    const from = cellOf(event.target);
    if (!from || view.onEdit || !moves.some((move) => move.from === from)) return;
    drag(event, board, board.querySelector(`[data-cell="${from}"] .piece`), (target) => {
      const to = cellOf(target);
      const made = moves.find((one) => one.from === from && one.to === to);
      if (made) view.onMove(made.word);
    });
  });
  board.addEventListener("keydown", (event) => {
    const cell = cellOf(event.target);
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      choose(cell);
    }
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = /** @type {Record<string, number[]>} */ (steps)[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const turn = view.flipped ? -1 : 1;
    const column = Math.min(shape.columns - 1, Math.max(0, cell.charCodeAt(0) - 97 + turn * step[0]));
    const row = Math.min(shape.rows - 1, Math.max(0, Number(cell.slice(1)) - 1 + turn * step[1]));
    focus = cellName(column, row);
    board.querySelectorAll("[data-cell]").forEach((one) => one.setAttribute("tabindex", "-1"));
    const next = board.querySelector(`[data-cell="${focus}"]`);
    next?.setAttribute("tabindex", "0");
    if (next instanceof SVGElement) next.focus();
  });
}
