import { NOW } from '../../src/testing/property-world.ts';

type Event = { at: number; order: number; run(): void };

const real = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, performanceNow: performance.now };

/**
 * Virtual time of a simulation: it stands still while code runs, and jumps to the next event when nothing is left to
 * do. While it is installed, timers and `performance.now` of the process use it, so that actors run unchanged.
 */
export class VirtualTime {
  #now = NOW;
  #order = 0;
  readonly #events = new Map<number, Event>();

  get now(): number {
    return this.#now;
  }

  /**
   * Runs something `delay` milliseconds from now; events of one moment run in the order in which they were scheduled.
   */
  after(delay: number, run: () => void): number {
    this.#order += 1;
    this.#events.set(this.#order, { at: this.#now + Math.max(0, delay), order: this.#order, run });
    return this.#order;
  }

  cancel(id: number | undefined): void {
    if (id !== undefined) this.#events.delete(id);
  }

  wait(delay: number): Promise<void> {
    return new Promise((done) => this.after(delay, done));
  }

  /** Plays events until `done` returns true; `most` events at most. @returns whether it did */
  async run(done: () => boolean, most: number): Promise<boolean> {
    for (let count = 0; count < most; count++) {
      await new Promise((idle) => real.setImmediate(idle));
      if (done()) return true;
      const next = this.#next();
      if (!next) return done();
      this.#events.delete(next.order);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    return false;
  }

  /** Jumps forward: events that fall due on the way run late. */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Replaces the process's timers until the returned function is called. */
  install(): () => void {
    const timer = (id: number) => ({
      id,
      unref: () => undefined,
      ref: () => undefined,
      [Symbol.toPrimitive]: () => id,
    });
    const idOf = (handle: unknown): number | undefined =>
      typeof handle === 'number' ? handle : (handle as { id?: number } | undefined)?.id;
    const repeat = (handle: { id: number }, run: () => void, every: number): void => {
      handle.id = this.after(every, () => {
        repeat(handle, run, every);
        run();
      });
    };
    Object.assign(globalThis, {
      setTimeout: (run: () => void, delay = 0) => timer(this.after(delay, run)),
      clearTimeout: (handle: unknown) => this.cancel(idOf(handle)),
      setInterval: (run: () => void, every: number) => {
        const handle = timer(0);
        repeat(handle, run, every);
        return handle;
      },
      clearInterval: (handle: unknown) => this.cancel(idOf(handle)),
    });
    performance.now = () => this.#now - NOW;
    return () => {
      const { performanceNow, setImmediate: _same, ...timers } = real;
      Object.assign(globalThis, timers);
      performance.now = performanceNow;
    };
  }

  #next(): Event | undefined {
    let next: Event | undefined;
    for (const event of this.#events.values())
      if (!next || event.at < next.at || (event.at === next.at && event.order < next.order)) next = event;
    return next;
  }
}
