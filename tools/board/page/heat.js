// @ts-check
// Colours for values: from the worst move to the best along cividis, which people with any colour vision read alike.

const STOPS = [
  [0, 32, 77], [51, 67, 108], [102, 105, 112], [149, 143, 120], [203, 186, 105], [255, 234, 70],
];

/**
 * A colour and one for text upon it.
 * @param {number} share 0 for the worst, 1 for the best
 */
export function heatColour(share) {
  const place = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const low = Math.min(STOPS.length - 2, Math.floor(place));
  const mixed = STOPS[low].map((value, i) => Math.round(value + (STOPS[low + 1][i] - value) * (place - low)));
  return { fill: `rgb(${mixed.join(" ")})`, text: share > 0.55 ? "#111" : "#fff" };
}

/**
 * How good each of some values is beside the others.
 * @param {Iterable<number>} values
 * @returns {(value: number) => number}
 */
export function relative(values) {
  const all = [...values];
  const least = Math.min(...all);
  const most = Math.max(...all);
  return (value) => (most - least < 1e-9 ? 1 : (value - least) / (most - least));
}
