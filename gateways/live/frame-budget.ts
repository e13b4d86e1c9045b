/** Frames that a client may send: some at once, and so many a second from then on. */
type FrameRate = { perSecond: number; burst: number };

/** A bucket of tokens for the frames of one socket. It fills by itself, without a timer. */
export class FrameBudget {
  readonly #rate: FrameRate;
  #left: number;
  #at = performance.now();

  constructor(rate: FrameRate) {
    this.#rate = rate;
    this.#left = rate.burst;
  }

  /** Takes one out. @returns 0, or the seconds until there is another one */
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
