// @ts-check
// The engine's lines, read.

/** @typedef {import("./types.js").Info} Info */
/** @typedef {import("./types.js").Option} Option */

/** Fields of `info` that are whole numbers. */
const NUMBERS = new Set(["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"]);

/**
 * What an `info` line says; null if it is none.
 * @param {string} line
 * @returns {Info | null}
 */
export function readInfo(line) {
  const words = line.trim().split(/\s+/);
  if (words[0] !== "info") return null;
  /** @type {Info} */
  const info = {};
  for (let i = 1; i < words.length; i++) {
    const word = words[i];
    if (word === "string") {
      info.string = words.slice(i + 1).join(" ");
      break;
    }
    if (word === "pv") {
      info.pv = words.slice(i + 1);
      break;
    }
    if (word === "score" && words[i + 1] === "cp") {
      // The value says it more exactly, where an engine tells it.
      info.value ??= Number(words[i + 2]) / 100;
      i += 2;
    } else if (word === "value") info.value = Number(words[++i]);
    else if (word === "roll") info.roll = words[++i];
    else if (NUMBERS.has(word)) /** @type {any} */ (info)[word] = Number(words[++i]);
  }
  return info;
}

/**
 * What an `option` line says; null if it is none.
 * @param {string} line
 * @returns {Option | null}
 */
export function readOption(line) {
  const found = /^option name (.+?) type (check|spin|combo|string|button)(.*)$/.exec(line.trim());
  if (!found) return null;
  const [, name, type, rest] = found;
  const word = (/** @type {string} */ key) => new RegExp(` ${key} (.*?)(?= (?:default|min|max|var) |$)`).exec(rest)?.[1] ?? "";
  const vars = [...rest.matchAll(/ var (.*?)(?= (?:default|min|max|var) |$)/g)].map((match) => match[1]);
  const number = (/** @type {string} */ key) => (word(key) === "" ? undefined : Number(word(key)));
  const preset = word("default") === "<empty>" ? "" : word("default");
  return { name, type: /** @type {Option["type"]} */ (type), default: preset, min: number("min"), max: number("max"), vars };
}
