// @ts-check
// The board of backgammon. White's points are numbered from white's side, as an XGID has them; a move is made checker by
// checker, with the steps that the server allows.

import { s, signed } from "../dom.js";
import { heatColour, relative } from "../heat.js";
import { drag, isDragging } from "./drag.js";
import { moveOf } from "./moves.js";

/** @typedef {import("./cells.js").View} View */

/**
 * A move under way, from the mover's side: 25 is the bar, 0 is off.
 * @typedef {object} UnderWay
 * @property {{from: number, to: number, die: number, hit: boolean}[]} next
 * @property {string | null} complete
 * @property {number[]} dice
 * @property {number[]} own
 * @property {number[]} theirs
 */

/** Checkers on a board: index 1 to 24 are white's points; above 0 white's, below black's. @typedef {{points: number[], bar: {p1: number, p2: number}, off: {p1: number, p2: number}}} Checkers */

const POINT = 80;
const LEFT = 40;
const BAR = 76;
const TRAY = 84;
const TALL = 800;
const R = 37;
const WIDTH = LEFT + 12 * POINT + BAR + TRAY + 14;

/**
 * @param {string} fen an XGID
 * @returns {Checkers}
 */
export function readXgid(fen) {
  const letters = fen.replace("XGID=", "").split(":")[0];
  const count = (/** @type {string} */ letter) =>
    letter === "-" ? 0 : letter < "a" ? letter.charCodeAt(0) - 64 : 96 - letter.charCodeAt(0);
  const points = [...letters].map(count);
  const bar = { p1: Math.abs(points[25]), p2: Math.abs(points[0]) };
  points[0] = points[25] = 0;
  const sum = (/** @type {number} */ sign) => points.reduce((total, value) => total + Math.max(0, sign * value), 0);
  return { points, bar, off: { p1: 15 - sum(1) - bar.p1, p2: 15 - sum(-1) - bar.p2 } };
}

/**
 * The checkers of a move under way.
 * @param {UnderWay} way
 * @param {string} mover
 * @returns {Checkers}
 */
function partly(way, mover) {
  const [white, black] = mover === "p1" ? [way.own, way.theirs] : [way.theirs, way.own];
  const points = Array.from({ length: 26 }, (_, i) => (i === 0 || i === 25 ? 0 : white[i] - black[25 - i]));
  return { points, bar: { p1: white[25], p2: black[25] }, off: { p1: white[0], p2: black[0] } };
}

/**
 * @param {View} view
 * @param {UnderWay | null} way
 * @param {(step: {from: number, die: number}) => void} onStep
 * @returns {SVGElement}
 */
export function draw(view, way, onStep) {
  const { mover } = view.facts;
  const checkers = way ? partly(way, mover) : readXgid(view.facts.fen);
  const own = (/** @type {number} */ point) => (mover === "p1" || point === 0 || point === 25 ? point : 25 - point);
  const steps = view.active && way ? way.next : [];
  const selected = view.selected === null ? null : Number(view.selected);
  const targets = new Map(steps.filter((step) => step.from === selected).map((step) => [step.to, step]));
  const sources = new Set(steps.map((step) => step.from));
  const geometry = makeGeometry(view.flipped);
  const parts = [];
  for (let point = 1; point <= 24; point++) {
    parts.push(drawPoint(point, checkers.points[point], { view, geometry, mine: own(point), sources, targets, selected }));
  }
  parts.push(heatPills(view, geometry, own, selected));
  parts.push(drawBar(checkers, { view, geometry, sources, selected, mover }));
  parts.push(drawTray(checkers, { view, geometry, targets, mover }));
  const board = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${TALL + 76}`, class: "board backgammon", role: "group", "aria-label": "Backgammon board" },
    s("rect", { class: "frame", x: LEFT - 8, y: 30, width: WIDTH - LEFT + 2, height: TALL + 16, rx: 12 }),
    s("rect", { class: "field", x: LEFT, y: 38, width: 6 * POINT, height: TALL }),
    s("rect", { class: "field", x: LEFT + 6 * POINT + BAR, y: 38, width: 6 * POINT, height: TALL }),
    parts,
    expectedArrows(view, geometry, mover),
  );
  board.style.setProperty("--ratio", String(WIDTH / (TALL + 76)));
  listen(board, view, { steps, targets, sources, selected, onStep });
  return board;
}

/** @param {boolean} flipped */
function makeGeometry(flipped) {
  /** @param {number} white a point from white's side */
  const point = (white) => {
    const seen = flipped ? 25 - white : white;
    const top = seen > 12;
    const column = top ? seen - 13 : 12 - seen;
    const x = LEFT + POINT * (column + 0.5) + (column >= 6 ? BAR : 0);
    return { x, top };
  };
  return {
    point,
    barX: LEFT + 6 * POINT + BAR / 2,
    trayX: LEFT + 12 * POINT + BAR + 8 + TRAY / 2,
    /** Whose home tray is at the bottom. @param {string} seat */
    below: (seat) => (seat === "p1") !== flipped,
  };
}

/**
 * The place of the n-th checker of a stack.
 * @param {boolean} top
 * @param {number} n
 */
function stackY(top, n) {
  const offset = R + 3 + Math.min(n, 4) * (2 * R + 1);
  return top ? 38 + offset : 38 + TALL - offset;
}

/**
 * A checker.
 * @param {number} x
 * @param {number} y
 * @param {string} seat
 * @param {string | number} [text]
 */
export function checker(x, y, seat, text = "") {
  return s(
    "g",
    { class: `checker ${seat === "p1" ? "white" : "black"}`, transform: `translate(${x} ${y})` },
    s("circle", { class: "body", r: R }),
    seat === "p1" ? s("circle", { class: "trim", r: R * 0.66 }) : s("path", { class: "trim", d: "M-15 -15 L15 15 M15 -15 L-15 15" }),
    text !== "" && [s("circle", { class: "plate", r: 19 }), s("text", { class: "count", y: 2 }, text)],
  );
}

/**
 * @param {number} point
 * @param {number} count
 * @param {{view: View, geometry: ReturnType<typeof makeGeometry>, mine: number, sources: Set<number>, targets: Map<number, any>, selected: number | null}} scene
 */
function drawPoint(point, count, { view, geometry, mine, sources, targets, selected }) {
  const { x, top } = geometry.point(point);
  const base = top ? 38 : 38 + TALL;
  const tip = top ? 38 + 330 : 38 + TALL - 330;
  const seat = count > 0 ? "p1" : "p2";
  const number = Math.abs(count);
  const classes = ["point", point % 2 ? "odd" : "even"];
  if (sources.has(mine)) classes.push("source");
  if (targets.has(mine)) classes.push("target");
  if (selected === mine) classes.push("selected");
  const who = number === 0 ? "empty" : `${number} ${view.facts.names[seat]}`;
  const words = [`point ${mine}`, who, sources.has(mine) ? "can move" : "", targets.has(mine) ? "legal move" : ""];
  return s(
    "g",
    { class: classes.join(" "), "data-point": mine, "data-white": point, "data-key": `point${point}`, role: "button", tabindex: -1, "aria-label": words.filter(Boolean).join(", ") },
    s("rect", { class: "ground", x: x - POINT / 2, y: top ? 38 : 38 + TALL - 380, width: POINT, height: 380 }),
    s("path", { class: "spike", d: `M${x - POINT / 2 + 2} ${base} L${x} ${tip} L${x + POINT / 2 - 2} ${base} Z` }),
    s("text", { class: "label", x, y: top ? 17 : TALL + 61 }, view.facts.mover === "p1" ? point : 25 - point),
    Array.from({ length: Math.min(number, 5) }, (_, i) =>
      checker(x, stackY(top, i), seat, i === 4 && number > 5 ? number : ""),
    ),
    targets.has(mine) && s("circle", { class: "dot", cx: x, cy: stackY(top, Math.min(number, 4)), r: 15 }),
  );
}

/**
 * @param {Checkers} checkers
 * @param {{view: View, geometry: ReturnType<typeof makeGeometry>, sources: Set<number>, selected: number | null, mover: string}} scene
 */
function drawBar(checkers, { view, geometry, sources, selected, mover }) {
  const classes = ["point bar"];
  if (sources.has(25)) classes.push("source");
  if (selected === 25) classes.push("selected");
  const stacks = /** @type {const} */ (["p1", "p2"]).flatMap((seat) =>
    Array.from({ length: Math.min(checkers.bar[seat], 4) }, (_, i) => {
      const y = 38 + TALL / 2 + (geometry.below(seat) ? 1 : -1) * (50 + i * (R * 1.6));
      return checker(geometry.barX, y, seat, i === 3 && checkers.bar[seat] > 4 ? checkers.bar[seat] : "");
    }),
  );
  const words = `bar, ${checkers.bar.p1} ${view.facts.names.p1}, ${checkers.bar.p2} ${view.facts.names.p2}${sources.has(25) ? ", can move" : ""}`;
  return s(
    "g",
    { class: classes.join(" "), "data-point": 25, "data-white": mover === "p1" ? 25 : 0, "data-key": "bar", role: "button", tabindex: -1, "aria-label": words },
    s("rect", { class: "ground", x: geometry.barX - BAR / 2, y: 38, width: BAR, height: TALL }),
    stacks,
  );
}

/**
 * @param {Checkers} checkers
 * @param {{view: View, geometry: ReturnType<typeof makeGeometry>, targets: Map<number, any>, mover: string}} scene
 */
function drawTray(checkers, { view, geometry, targets }) {
  const x = geometry.trayX;
  const stacks = /** @type {const} */ (["p1", "p2"]).flatMap((seat) =>
    Array.from({ length: checkers.off[seat] }, (_, i) =>
      s("rect", {
        class: `slab ${seat === "p1" ? "white" : "black"}`, x: x - 34, width: 68, height: 20, rx: 4,
        y: geometry.below(seat) ? 38 + TALL - 24 - 23 * i : 42 + 23 * i,
      }),
    ),
  );
  const words = `off, ${checkers.off.p1} ${view.facts.names.p1}, ${checkers.off.p2} ${view.facts.names.p2}${targets.has(0) ? ", legal move" : ""}`;
  return s(
    "g",
    { class: `point tray${targets.has(0) ? " target" : ""}`, "data-point": 0, "data-white": 26, "data-key": "off", role: "button", tabindex: -1, "aria-label": words },
    s("rect", { class: "ground", x: x - TRAY / 2, y: 38, width: TRAY, height: TALL }),
    stacks,
    targets.has(0) && s("circle", { class: "dot", cx: x, cy: 38 + TALL / 2, r: 17 }),
  );
}

/**
 * How good the best move is that begins at a point, or, where one is chosen, that goes on to it.
 * @param {View} view
 * @param {ReturnType<typeof makeGeometry>} geometry
 * @param {(point: number) => number} own
 * @param {number | null} selected
 */
function heatPills(view, geometry, own, selected) {
  /** @type {Map<number, number>} */
  const best = new Map();
  for (const [word, value] of view.heat ?? []) {
    for (const [from, to] of stepsOf(word)) {
      const point = selected === null ? from : from === selected ? to : null;
      if (point !== null && value > (best.get(point) ?? -Infinity)) best.set(point, value);
    }
  }
  const share = relative(view.heat?.values() ?? []);
  return s("g", { class: "pills", "aria-hidden": "true" }, [...best].filter(([point]) => point >= 1 && point <= 24).map(([point, value]) => {
    const { x, top } = geometry.point(own(point));
    const y = 38 + TALL / 2 + (top ? -32 : 4);
    const colour = heatColour(share(value));
    return s("g", {}, s("rect", { x: x - 36, y, width: 72, height: 28, rx: 8, fill: colour.fill, class: share(value) > 0.9999 ? "best" : null }),
      s("text", { class: "heat", x, y: y + 15, fill: colour.text }, signed(value, 2)));
  }));
}

/**
 * The steps of a move as it is written, from the mover's side.
 * @param {string} word
 * @returns {[number, number][]}
 */
export function stepsOf(word) {
  const place = (/** @type {string} */ text) => (text === "bar" ? 25 : text === "off" ? 0 : Number(text));
  return word.split(",").flatMap((part) => {
    const [way, times] = part.replaceAll("*", "").split("(");
    const stops = way.split("/").map(place);
    if (stops.length < 2 || stops.some(Number.isNaN)) return [];
    /** @type {[number, number][]} */
    const steps = stops.slice(1).map((stop, i) => [stops[i], stop]);
    return Array.from({ length: times ? parseInt(times, 10) : 1 }, () => steps).flat();
  });
}

/**
 * Arrows for the first expected move.
 * @param {View} view
 * @param {ReturnType<typeof makeGeometry>} geometry
 * @param {string} mover
 */
function expectedArrows(view, geometry, mover) {
  const spot = (/** @type {number} */ point) => {
    if (point === 25) return { x: geometry.barX, y: 38 + TALL / 2 };
    if (point === 0) return { x: geometry.trayX, y: geometry.below(mover) ? 38 + TALL - 120 : 158 };
    const { x, top } = geometry.point(mover === "p1" ? point : 25 - point);
    return { x, y: top ? 38 + 200 : 38 + TALL - 200 };
  };
  const steps = view.expected.length ? stepsOf(moveOf(view.expected[0])) : [];
  return s(
    "g",
    { class: "expected", "aria-hidden": "true" },
    s("defs", {}, s("marker", { id: "tip", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" }, s("path", { d: "M0 0 L10 5 L0 10 z" }))),
    steps.map(([from, to], i) => {
      const [a, b] = [spot(from), spot(to)];
      const shift = 9 * i;
      return s("line", { class: "step1", x1: a.x + shift, y1: a.y + shift, x2: b.x + shift, y2: b.y + shift, "marker-end": "url(#tip)" });
    }),
  );
}

/** Where the focus is, kept while the board is drawn anew. */
let focus = "13";

/**
 * @param {SVGElement} board
 * @param {View} view
 * @param {{steps: UnderWay["next"], targets: Map<number, UnderWay["next"][0]>, sources: Set<number>, selected: number | null, onStep: (step: {from: number, die: number}) => void}} scene
 */
function listen(board, view, { steps, targets, sources, onStep }) {
  board.querySelector(`[data-white="${focus}"]`)?.setAttribute("tabindex", "0");
  const groupOf = (/** @type {EventTarget | null} */ target) =>
    target instanceof Element ? target.closest("[data-point]") : null;
  const choose = (/** @type {Element} */ group) => {
    const point = Number(group.getAttribute("data-point"));
    focus = group.getAttribute("data-white") ?? focus;
    if (view.onEdit) return view.onEdit(group.getAttribute("data-white") ?? "");
    const step = targets.get(point);
    if (step) return onStep(step);
    view.onSelect(sources.has(point) && view.selected !== String(point) ? String(point) : null);
  };
  board.addEventListener("click", (event) => {
    const group = groupOf(event.target);
    if (group && !isDragging()) choose(group);
  });
  board.addEventListener("pointerdown", (event) => {
    const group = groupOf(event.target);
    const from = Number(group?.getAttribute("data-point"));
    if (!group || view.onEdit || !sources.has(from)) return;
    const stack = group.querySelectorAll(".checker");
    drag(event, board, stack[stack.length - 1] ?? null, (target) => {
      const to = Number(groupOf(target)?.getAttribute("data-point") ?? NaN);
      const step = steps.find((one) => one.from === from && one.to === to);
      if (step) onStep(step);
    });
  });
  board.addEventListener("keydown", (event) => {
    const group = groupOf(event.target);
    if (!group) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      choose(group);
    }
    // Round the board: right goes towards white's home from the far side, and on.
    const white = Number(group.getAttribute("data-white"));
    const next = { ArrowLeft: white + 1, ArrowRight: white - 1, ArrowUp: 25 - white, ArrowDown: 25 - white }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const turned = (next + 27) % 27;
    const there = board.querySelector(`[data-white="${turned}"]`) ?? board.querySelector(`[data-white="${(turned + (next > white ? 1 : 26)) % 27}"]`);
    if (!(there instanceof SVGElement)) return;
    focus = there.getAttribute("data-white") ?? focus;
    board.querySelectorAll("[data-point]").forEach((one) => one.setAttribute("tabindex", "-1"));
    there.setAttribute("tabindex", "0");
    there.focus();
  });
}
