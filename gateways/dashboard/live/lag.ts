/** Measurements for the median of the lag: one slow frame is no slow connection. */
const SAMPLES = 9;

/** What the server's clock is ahead of the browser's, by the newest frame of any connection of the page. */
let serverAheadMs = 0;

/** The server's time for parts of the page without a connection of their own; the browser's before the first frame. */
export const serverNow = (now = Date.now()): number => now + serverAheadMs;

/**
 * Lag behind the server. The server's clock is estimated from times in its frames, so that a wrong browser clock does
 * not matter.
 */
export class LagMeter {
  #offset = 0;
  #roundTrip = 0;
  #pingedAt: number | undefined;
  #samples: number[] = [];

  /** The server's time now, milliseconds since the epoch. */
  serverNow(now = Date.now()): number {
    return now + this.#offset;
  }

  /** Of several pings under way the first is measured: pongs come in order. */
  pinged(now = performance.now()): void {
    this.#pingedAt ??= now;
  }

  ponged(now = performance.now()): void {
    if (this.#pingedAt !== undefined) this.#roundTrip = now - this.#pingedAt;
    this.#pingedAt = undefined;
  }

  /** A frame contains the server's time, half a round trip ago. */
  heardTime(serverTime: number, now = Date.now()): void {
    this.#offset = serverTime + this.#roundTrip / 2 - now;
    serverAheadMs = this.#offset;
  }

  /** A change committed at `ts` has arrived. */
  arrived(ts: number, now = Date.now()): void {
    this.#samples = [...this.#samples, Math.max(0, this.serverNow(now) - ts)].slice(-SAMPLES);
  }

  forget(): void {
    this.#samples = [];
    this.#pingedAt = undefined;
  }

  /** Milliseconds between commit and arrival; `undefined` before the first change. */
  get lagMs(): number | undefined {
    const sorted = this.#samples.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)];
  }
}
