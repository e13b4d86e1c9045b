/**
 * @typedef {object} RestartLimits
 * @property {number} [most] starts at most within `withinMs`
 * @property {number} [withinMs]
 * @property {number} [firstPauseMs]
 * @property {number} [longestPauseMs]
 * @property {Omit<RestartLimits, 'starts'>} [starts] of starts that fail, where that differs from `patientStarts`
 */

/** A program that ends more often than this within that time is started again slowly (`patientStarts`). */
const usualMost = 5;
const usualWithinMs = 600_000;
const usualFirstPauseMs = 1_000;
const usualLongestPauseMs = 16_000;

/** For starts that fail, and for programs that end again and again: what hinders them, a database that is away or a full disk, may take a person a while to mend. */
export const patientStarts = { most: 100, withinMs: 7_200_000, firstPauseMs: 500, longestPauseMs: 60_000 };

/** How often, and after which pauses, a program that ended by itself is started again. */
export class RestartBudget {
  #most;
  #withinMs;
  #firstPauseMs;
  #longestPauseMs;
  /** When it was started again, oldest first. @type {number[]} */
  #starts = [];

  /** @param {RestartLimits} [limits] */
  constructor({
    most = usualMost,
    withinMs = usualWithinMs,
    firstPauseMs = usualFirstPauseMs,
    longestPauseMs = usualLongestPauseMs,
  } = {}) {
    this.#most = most;
    this.#withinMs = withinMs;
    this.#firstPauseMs = firstPauseMs;
    this.#longestPauseMs = longestPauseMs;
  }

  /** Words for a person: `5 times within 10 minutes`. */
  get limit() {
    return `${this.#most} times within ${Math.round(this.#withinMs / 60_000)} minutes`;
  }

  /**
   * Takes one more start, each after twice the pause of the one before.
   * @param {number} [now] milliseconds
   * @returns {{ pauseMs: number, words: string } | undefined} undefined when there is none left; words: `1 of 5`
   */
  take(now = Date.now()) {
    this.#starts = this.#starts.filter((at) => now - at < this.#withinMs);
    const before = this.#starts.length;
    if (before >= this.#most) return undefined;
    this.#starts.push(now);
    const pauseMs = Math.min(this.#longestPauseMs, this.#firstPauseMs * 2 ** before);
    return { pauseMs, words: `${before + 1} of ${this.#most}` };
  }
}
