import { LIVE_FACTORS, type LiveSignal } from '../../../src/rates/rules/live-signal.ts';

/** Live rates of the nights of a slab: 44 bytes a night. */
export class LiveTables {
  /** A night without live rates has a first factor of 0. */
  readonly #factors: Uint16Array;
  readonly #starts: Uint16Array;
  readonly #steps: Uint16Array;
  readonly #rooms: Int32Array;
  readonly #on: Int32Array;

  constructor(nights: number) {
    this.#factors = new Uint16Array(nights * LIVE_FACTORS);
    this.#starts = new Uint16Array(nights);
    this.#steps = new Uint16Array(nights);
    this.#rooms = new Int32Array(nights);
    this.#on = new Int32Array(nights);
  }

  at(index: number): LiveSignal | undefined {
    const from = index * LIVE_FACTORS;
    if (!this.#factors[from]) return undefined;
    const row = this.#factors.subarray(from, from + LIVE_FACTORS);
    const end = row.indexOf(0);
    return {
      rooms: this.#rooms[index]!,
      step: this.#steps[index]!,
      factors: [...(end < 0 ? row : row.subarray(0, end))],
      start: this.#starts[index]!,
      on: this.#on[index]!,
    };
  }

  set(index: number, live: LiveSignal | undefined): void {
    const from = index * LIVE_FACTORS;
    this.#factors.fill(0, from, from + LIVE_FACTORS);
    if (!live) return;
    this.#factors.set(live.factors.slice(0, LIVE_FACTORS), from);
    this.#starts[index] = live.start;
    this.#steps[index] = live.step;
    this.#rooms[index] = live.rooms;
    this.#on[index] = live.on;
  }

  /** The tables in a window of so many nights. */
  copy(nights: number, { source, target, length } = { source: 0, target: 0, length: nights }): LiveTables {
    const copy = new LiveTables(nights);
    copy.#factors.set(
      this.#factors.subarray(source * LIVE_FACTORS, (source + length) * LIVE_FACTORS),
      target * LIVE_FACTORS,
    );
    copy.#starts.set(this.#starts.subarray(source, source + length), target);
    copy.#steps.set(this.#steps.subarray(source, source + length), target);
    copy.#rooms.set(this.#rooms.subarray(source, source + length), target);
    copy.#on.set(this.#on.subarray(source, source + length), target);
    return copy;
  }

  get byteLength(): number {
    const sizes = [this.#factors, this.#starts, this.#steps, this.#rooms, this.#on];
    return sizes.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}
