// @ts-check
// The value over the game, from the first player's view: above the middle is good for it. Each ply has a step for the roll and
// one for the move, where they are known.

import { s, signed } from "./dom.js";
import { SLIGHT } from "./review.js";

/** @typedef {import("./tree.js").Node} Node */
/** @typedef {import("./app.js").App} App */

const WIDTH = 640;
const HEIGHT = 220;
const PAD = 30;

/**
 * What is known of a ply, from the first player's view.
 * @param {Node} node
 * @param {import("./types.js").Seat} seat
 */
export function valueAfter(node, seat) {
  const sign = seat === "p1" ? 1 : -1;
  const { review, report } = node;
  if (review) return sign * (review.played + (node.ply.includes("=") ? (review.luck ?? 0) : 0));
  if (report?.value !== null && report?.value !== undefined) return sign * report.value;
  return null;
}

/**
 * @param {App} app
 * @param {(node: Node) => void} onPick
 */
export function graph(app, onPick) {
  const line = app.node.line();
  const most = app.facts?.most_points ?? 1;
  const count = Math.max(1, line.length - 1);
  const x = (/** @type {number} */ ply) => PAD + ((WIDTH - 2 * PAD) * ply) / count;
  const points = line.map((node, i) => {
    const value = i === 0 ? null : valueAfter(node, app.seatAt(/** @type {Node} */ (node.parent)));
    return { node, i, value };
  });
  const known = points.filter((point) => point.value !== null);
  const reach = Math.min(most, Math.max(0.25, ...known.map((point) => Math.abs(/** @type {number} */ (point.value)))) * 1.08);
  const y = (/** @type {number} */ value) => HEIGHT / 2 - ((HEIGHT / 2 - 18) * Math.max(-reach, Math.min(reach, value))) / reach;
  const path = known.map((point, i) => `${i ? "L" : "M"}${x(point.i).toFixed(1)} ${y(/** @type {number} */ (point.value)).toFixed(1)}`).join(" ");
  const area = known.length > 1 ? `${path} L${x(known[known.length - 1].i)} ${y(0)} L${x(known[0].i)} ${y(0)} Z` : "";
  const names = app.facts?.names ?? { p1: "first", p2: "second" };
  const grid = [-reach, -reach / 2, 0, reach / 2, reach].flatMap((value) => [
    s("line", { class: value === 0 ? "zero" : "grid", x1: PAD, x2: WIDTH - PAD, y1: y(value), y2: y(value) }),
    s("text", { class: "tick", x: PAD - 4, y: y(value) + 3, "text-anchor": "end" }, signed(value, 1)),
  ]);
  const picture = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": `Value over the game, for ${names.p1}` },
    grid,
    s("clipPath", { id: "above" }, s("rect", { x: 0, y: 0, width: WIDTH, height: y(0) })),
    s("clipPath", { id: "below" }, s("rect", { x: 0, y: y(0), width: WIDTH, height: HEIGHT - y(0) })),
    area && [s("path", { class: "area p1", d: area, "clip-path": "url(#above)" }), s("path", { class: "area p2", d: area, "clip-path": "url(#below)" })],
    s("path", { class: "curve", d: path }),
    known.map(({ node, i, value }) => {
      const wrong = node.review && node.review.mistake < -SLIGHT * 40;
      return wrong ? s("path", { class: "mistake", d: `M${x(i)} ${y(/** @type {number} */ (value)) - 8} l6 10 l-12 0 Z` }) : s("circle", { class: "knot", cx: x(i), cy: y(/** @type {number} */ (value)), r: count > 80 ? 1.5 : 2.6 });
    }),
    s("line", { class: "now", x1: x(app.node.depth), x2: x(app.node.depth), y1: 14, y2: HEIGHT - 14 }),
    s("text", { class: "side p1", x: WIDTH - PAD, y: 12, "text-anchor": "end" }, `▲ ${names.p1}`),
    s("text", { class: "side p2", x: WIDTH - PAD, y: HEIGHT - 4, "text-anchor": "end" }, `▼ ${names.p2}`),
  );
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const place = (((event.clientX - box.left) / box.width) * WIDTH - PAD) / (WIDTH - 2 * PAD);
    const node = line[Math.max(0, Math.min(line.length - 1, Math.round(place * count)))];
    if (node) onPick(node);
  });
  return picture;
}
