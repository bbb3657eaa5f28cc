// @ts-check
// Moves of games on cells, taken apart: where from, where to.

/**
 * A move: `from` is null where it is only a cell, as in Dice or a flip.
 * @typedef {{word: string, from: string | null, to: string}} CellMove
 */

/**
 * @param {string} word
 * @returns {CellMove}
 */
export function cellMove(word) {
  const found = /^([a-z]\d+)([a-z]\d+)$/.exec(word);
  return found ? { word, from: found[1], to: found[2] } : { word, from: null, to: word };
}

/**
 * The move of a ply of the protocol, without its chance.
 * @param {string} ply
 */
export function moveOf(ply) {
  return ply.replace(/^[^:]*:/, "").replace(/=.*$/, "");
}
