// @ts-check
// Questions to the server. The token stands in the page's own address.

/** @typedef {import("./types.js").Facts} Facts */

const BASE = location.pathname.replace(/[^/]*$/, "") + "api/";

/**
 * The address of something below the server's interface.
 * @param {string} path
 */
export function address(path) {
  return BASE + path;
}

/**
 * @param {string} path
 * @param {RequestInit} init
 * @returns {Promise<Response>}
 */
async function ask(path, init) {
  let response;
  try {
    response = await fetch(address(path), init);
  } catch {
    throw new Error("The server does not answer: is alea-board still running?");
  }
  if (response.ok) return response;
  const text = await response.text();
  let message = text;
  try {
    message = JSON.parse(text).error ?? text;
  } catch {
    // Not in our words: shown as it is.
  }
  throw new Error(message || `The server answered ${response.status}.`);
}

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function get(path) {
  return (await ask(path, {})).json();
}

/**
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function post(path, body = {}) {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await ask(path, init)).json();
}

/**
 * Send plain text.
 * @param {string} path
 * @param {string | Blob} body
 * @returns {Promise<any>}
 */
export async function postText(path, body) {
  return (await ask(path, { method: "POST", headers: { "content-type": "text/plain" }, body })).json();
}

/**
 * Send an object, get text.
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<string>}
 */
export async function postForText(path, body) {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await ask(path, init)).text();
}

/**
 * What is known of a position.
 * @param {{game: string, start: string, plies: string[], roll?: string | null, seed?: number | null}} position
 * @returns {Promise<Facts>}
 */
export function facts(position) {
  return post("position", position);
}
