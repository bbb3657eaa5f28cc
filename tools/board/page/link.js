// @ts-check
// The page's link to the server: a game of its own there, and the stream of what its engines say.

import { address, post, postText } from "./api.js";

/**
 * What the stream brings.
 * @typedef {{type: "hello", running: number[]} | {type: "line", engine: number, text: string}
 *   | {type: "ended", engine: number, serial: number, reason: string} | {type: "replaced"}} Event
 */

export class Link {
  /**
   * @param {string | null} name the game's name at the server, if the page had one before
   * @param {(event: Event) => void} heard
   * @param {(state: "open" | "lost" | "replaced", why?: string) => void} changed
   */
  constructor(name, heard, changed) {
    this.name = name;
    this.heard = heard;
    this.changed = changed;
    /** @type {EventSource | null} */
    this.source = null;
  }

  /** Open the stream; with a new game if the server has forgotten the old one. */
  async open() {
    if (this.name === null) this.name = (await post("games")).name;
    return new Promise((resolve, reject) => {
      const source = new EventSource(address(`games/${this.name}/events`));
      this.source = source;
      let begun = false;
      source.onmessage = (message) => {
        for (const event of /** @type {Event[]} */ (JSON.parse(message.data))) {
          if (event.type === "hello") {
            begun = true;
            this.changed("open");
            resolve(undefined);
          }
          if (event.type === "replaced") {
            source.close();
            this.changed("replaced");
          }
          this.heard(event);
        }
      };
      source.onerror = () => {
        if (source !== this.source) return;
        if (source.readyState !== EventSource.CLOSED) {
          if (begun) this.changed("lost", "The server does not answer. Trying again…");
          return;
        }
        // Refused: the server has forgotten this game, as after a restart or a long sleep.
        this.name = null;
        if (begun) this.changed("lost", "The server has ended this game's engines.");
        this.open().then(resolve, (error) => {
          this.changed("lost", error.message);
          reject(error);
        });
      };
    });
  }

  /** Close the stream. */
  close() {
    this.source?.close();
    this.source = null;
  }

  /**
   * @param {number} engine
   * @returns {Promise<number>} the number of this start
   */
  async start(engine) {
    return (await post(`games/${this.name}/engines/${engine}/start`)).serial;
  }

  /** @param {number} engine */
  end(engine) {
    return post(`games/${this.name}/engines/${engine}/end`);
  }

  /**
   * @param {number} engine
   * @param {string} text
   */
  send(engine, text) {
    return postText(`games/${this.name}/engines/${engine}/send`, text);
  }
}
