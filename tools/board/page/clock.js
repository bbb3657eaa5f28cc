// @ts-check
// Two clocks, of which one runs.

/** @typedef {import("./types.js").Seat} Seat */

export class Clock {
  /**
   * @param {number} base milliseconds a side; 0 for no clocks
   * @param {number} increment milliseconds a move
   */
  constructor(base, increment) {
    this.base = base;
    this.increment = increment;
    /** @type {Record<Seat, number>} */
    this.left = { p1: base, p2: base };
    /** @type {Seat | null} */
    this.running = null;
    this.since = 0;
  }

  get on() {
    return this.base > 0;
  }

  /** Let a side's clock run. @param {Seat} seat */
  start(seat) {
    if (!this.on || this.running === seat) return;
    this.stop();
    this.running = seat;
    this.since = performance.now();
  }

  /** Halt both. */
  stop() {
    if (this.running) this.left[this.running] = this.time(this.running);
    this.running = null;
  }

  /** A side has moved. @param {Seat} seat */
  moved(seat) {
    if (!this.on) return;
    const ran = this.running === seat;
    this.stop();
    if (ran) this.left[seat] += this.increment;
  }

  /** Milliseconds that a side has left. @param {Seat} seat */
  time(seat) {
    const ran = this.running === seat ? performance.now() - this.since : 0;
    return Math.max(0, this.left[seat] - ran);
  }

  /** The words of `go`; none without clocks. */
  words() {
    if (!this.on) return "";
    const ms = (/** @type {Seat} */ seat) => Math.round(this.time(seat));
    return `p1time ${ms("p1")} p2time ${ms("p2")} p1inc ${this.increment} p2inc ${this.increment}`;
  }

  toJSON() {
    return { base: this.base, increment: this.increment, left: { p1: this.time("p1"), p2: this.time("p2") } };
  }

  /** @param {any} json */
  static fromJSON(json) {
    const clock = new Clock(json.base, json.increment);
    clock.left = { ...json.left };
    return clock;
  }
}

/** Minutes and seconds; tenths near the end. @param {number} ms */
export function clockText(ms) {
  const seconds = ms / 1000;
  if (seconds < 20) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
