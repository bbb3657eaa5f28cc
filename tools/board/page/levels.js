// @ts-check
// Levels of strength, by name: how deep or how long an engine looks, and how wrongly it judges.

/** @typedef {import("./types.js").Level} Level */

/** @type {Level[]} */
export const LEVELS = [
  { name: "Beginner", hint: "looks at its own move and misjudges a lot", depth: 1, noise: 0.5 },
  { name: "Casual", hint: "looks at its own move and misjudges somewhat", depth: 1, noise: 0.2 },
  { name: "Club", hint: "looks at its own move", depth: 1, noise: 0 },
  { name: "Strong", hint: "looks at the reply too, depth 3", depth: 3, noise: 0 },
  { name: "Expert", hint: "half a second a move", movetime: 500, noise: 0 },
  { name: "Master", hint: "three seconds a move", movetime: 3000, noise: 0 },
];

/** The level of a new game. */
export const PRESET = LEVELS[3];

/**
 * The `go` command and the options of a level.
 * @param {Level} level
 * @param {string} clock the words of the clock, where one runs
 * @returns {{go: string, options: Record<string, string>}}
 */
export function limits(level, clock) {
  const words = ["go"];
  if (level.depth) words.push(`depth ${level.depth}`);
  if (clock) words.push(clock);
  else if (level.movetime) words.push(`movetime ${level.movetime}`);
  if (words.length === 1) words.push("depth 3");
  return { go: words.join(" "), options: { Noise: String(level.noise ?? 0), MultiPV: "1" } };
}
