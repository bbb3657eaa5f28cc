// @ts-check
// Faces of dice.

import { s } from "./dom.js";

/** Where the pips are, on a grid of three by three. @type {Record<string, [number, number][]>} */
const PIPS = {
  1: [[1, 1]],
  2: [[0, 0], [2, 2]],
  3: [[0, 0], [1, 1], [2, 2]],
  4: [[0, 0], [2, 0], [0, 2], [2, 2]],
  5: [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2]],
  6: [[0, 0], [2, 0], [0, 1], [2, 1], [0, 2], [2, 2]],
};

/**
 * One die.
 * @param {string} face what it shows: pips for 1 to 6, else the text
 * @param {string} seat whose colour it has
 * @param {{pips?: boolean, used?: boolean}} [how]
 */
export function die(face, seat, { pips = true, used = false } = {}) {
  const dots = pips ? PIPS[face] : undefined;
  return s(
    "svg",
    { viewBox: "0 0 60 60", class: `die ${seat}${used ? " used" : ""}`, "aria-hidden": "true" },
    s("rect", { x: 3, y: 3, width: 54, height: 54, rx: 12 }),
    dots
      ? dots.map(([x, y]) => s("circle", { cx: 16 + 14 * x, cy: 16 + 14 * y, r: 5.2 }))
      : s("text", { x: 30, y: 31, "text-anchor": "middle", "dominant-baseline": "central" }, face),
  );
}

/**
 * A roll as its dice, with words for it.
 * @param {string} game
 * @param {string} roll
 * @param {string} seat
 * @param {string[] | null} [unused] dice of backgammon that have not been played yet
 */
export function dice(game, roll, seat, unused = null) {
  if (game === "backgammon") {
    const left = unused ? [...unused] : null;
    const faces = [...(roll[0] === roll[1] ? roll + roll : roll)].map((face) => {
      const place = left ? left.indexOf(face) : 0;
      if (place >= 0) left?.splice(place, 1);
      return die(face, seat, { used: place < 0 });
    });
    return { faces, words: `${roll[0]} and ${roll[1]}` };
  }
  if (game === "dice") {
    const line = lineName(roll, seat);
    return { faces: [die(line.replace(/^\w+ /, ""), seat, { pips: false })], words: line };
  }
  return { faces: [die(roll, seat)], words: roll };
}

/**
 * The line that a roll of Dice stands for: rolls count from 0.
 * @param {string} roll
 * @param {string} seat
 */
export function lineName(roll, seat) {
  const place = Number(roll);
  return seat === "p1" ? `row ${place + 1}` : `column ${String.fromCharCode(97 + place)}`;
}
