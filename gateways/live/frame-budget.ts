/** Frames of a client: an initial burst, and a rate per second. */
type FrameRate = { perSecond: number; burst: number };

/** A token bucket for the frames of one socket, without a timer. */
export class FrameBudget {
  readonly #rate: FrameRate;
  #left: number;
  #at = performance.now();

  constructor(rate: FrameRate) {
    this.#rate = rate;
    this.#left = rate.burst;
  }

  /** Takes a token. @returns 0, or the seconds until the next token */
  take(): number {
    const now = performance.now();
    const { perSecond, burst } = this.#rate;
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    if (this.#left < 1) return Math.max(1, Math.ceil((1 - this.#left) / perSecond));
    this.#left -= 1;
    return 0;
  }
}
