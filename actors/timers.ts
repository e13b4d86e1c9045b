import type { Hold } from '../src/domain/hold.ts';
import { HOLD_GUARD_MS } from '../src/domain/hold.ts';
import { endOfBusinessDay } from '../src/domain/property-time.ts';
import type { Clock } from '../src/ports/clock.ts';
import { ExpiryHeap } from './expiry-heap.ts';
import { LONGEST_TIMER_MS } from './limits.ts';
import { clockOf } from './property/setup.ts';
import type { State } from './property/state.ts';

/** What passing time asks of a property: holds that run out, and the roll of its business date. */
export class Timers {
  readonly #clock: Clock;
  readonly #wake: () => void;
  readonly #expiries = new ExpiryHeap();
  #holds: Pick<ReadonlyMap<string, Hold>, 'get'> = new Map();
  #rollsAt = Infinity;
  #rollOf: { day: number; timezone: string; hour: number } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Infinity;

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** Takes note of a committed state and of the holds that are new or changed in it. */
  follow(state: State, holds: Iterable<Hold>): void {
    this.#holds = state.holds;
    for (const hold of holds) if (hold.kind !== 'LATE') this.#expiries.push(hold.id, hold.expiresAt);
    this.#followDay(state);
    this.#arm();
  }

  /** The command that is due now, the roll of the day first. */
  due(): 'TICK' | 'EXPIRE' | undefined {
    const now = this.#clock.now();
    if (now >= this.#rollsAt) return 'TICK';
    return now >= this.#nextExpiry() ? 'EXPIRE' : undefined;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #followDay({ property, today }: State): void {
    if (!property) {
      this.#rollsAt = Infinity;
      return;
    }
    const clock = clockOf(property);
    const { timezone, nightAuditHour: hour } = clock;
    const known = this.#rollOf;
    if (known && known.day === today && known.timezone === timezone && known.hour === hour) return;
    this.#rollOf = { day: today, timezone, hour };
    this.#rollsAt = endOfBusinessDay(today, clock);
  }

  #nextExpiry(): number {
    for (;;) {
      const top = this.#expiries.top;
      if (!top) return Infinity;
      const hold = this.#holds.get(top.id);
      if (hold && hold.kind !== 'LATE' && hold.expiresAt === top.at) return top.at + HOLD_GUARD_MS;
      this.#expiries.pop();
    }
  }

  #arm(): void {
    const next = Math.min(this.#rollsAt, this.#nextExpiry());
    if (next >= this.#timerAt && this.#timerAt > this.#clock.now()) return;
    clearTimeout(this.#timer);
    this.#timerAt = next;
    if (next === Infinity) return;
    const wait = Math.min(LONGEST_TIMER_MS, Math.max(1, next - this.#clock.now()));
    this.#timer = setTimeout(() => {
      this.#timerAt = Infinity;
      this.#wake();
      this.#arm();
    }, wait);
    this.#timer.unref?.();
  }
}
