import type { VirtualTime } from '../../../actors/simulation/virtual-time.ts';
import type { ScheduledRun, Scheduler } from '../../kernel/ports.ts';

type Due = { run(): void; cancelled: boolean };

/**
 * A thread of a simulated process: its own monotonic clock, timers that come late when it stands still, and arrivals
 * that wait until it runs again, behind the timers, as in an event loop.
 */
export class SimulatedThread implements Scheduler {
  readonly #time: VirtualTime;
  /** Reading of this thread's clock at the start of the simulation. */
  readonly #origin: number;
  #blockedUntil = -Infinity;
  #timers: Due[] = [];
  #arrivals: (() => void)[] = [];
  hasEnded = false;

  constructor(time: VirtualTime, origin: number) {
    this.#time = time;
    this.#origin = origin - time.now;
  }

  now(): number {
    return this.#time.now + this.#origin;
  }

  get isBlocked(): boolean {
    return this.#time.now < this.#blockedUntil;
  }

  after(delayMs: number, run: () => void): ScheduledRun {
    const due: Due = { run, cancelled: false };
    const id = this.#time.after(delayMs, () => this.#fire(due));
    const cancel = (): void => {
      due.cancelled = true;
      this.#time.cancel(id);
    };
    return { cancel, unref: () => undefined };
  }

  every(periodMs: number, run: () => void): ScheduledRun {
    let next: ScheduledRun;
    const again = (): void => {
      next = this.after(periodMs, again);
      run();
    };
    next = this.after(periodMs, again);
    return { cancel: () => next.cancel(), unref: () => undefined };
  }

  /** Something comes from outside: an answer, a message, the end of a connection. */
  deliver(run: () => void): void {
    if (this.hasEnded) return;
    if (this.isBlocked || this.#arrivals.length > 0) this.#arrivals.push(run);
    else run();
  }

  /** Stands still: for good with `Infinity`. */
  block(milliseconds: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.#time.now + milliseconds);
    if (milliseconds < Infinity) this.#time.after(milliseconds, () => this.#goOn());
  }

  end(): void {
    this.hasEnded = true;
    this.#timers = [];
    this.#arrivals = [];
  }

  #fire(due: Due): void {
    if (this.hasEnded || due.cancelled) return;
    if (this.isBlocked) this.#timers.push(due);
    else due.run();
  }

  /** One after the other, so that each sees what the one before it has set off. */
  #goOn(): void {
    if (this.hasEnded || this.isBlocked) return;
    const due = this.#timers.shift();
    if (due && !due.cancelled) due.run();
    else if (!due) this.#arrivals.shift()?.();
    if (this.#timers.length > 0 || this.#arrivals.length > 0) this.#time.after(0, () => this.#goOn());
  }
}
