import type { Client } from 'pg';

import type { Clock, TimeReading } from '../../kernel/ports.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** Smaller corrections backwards are waited out: time goes back only where it was clearly wrong. */
const STEP_BACK_MS = 2_000;
/** `Date.now()` truncates below a millisecond. */
const TICK_MS = 1;
/** Older readings are ignored: the machine's clock may have been set since. */
const OLDEST_MS = 5_000;

/**
 * The database's time by offset (docs/concepts/actor.md#time): read regularly, and continued by the process's
 * monotonic clock. A reading only bounds the offset by the times around the query, so the offset stays while it fits:
 * neither a busy machine nor a slow answer moves the clock.
 */
export class DatabaseClock implements Clock {
  /** Difference between the database's clock and `performance.now()`. */
  #offset = Date.now() - performance.now();
  #ahead = 0;
  #last = 0;
  #wasRead = false;
  #putForwardAt: Instant | undefined;

  now(): number {
    const now = this.real() + this.#ahead;
    const isBehind = now < this.#last && this.#last - now < STEP_BACK_MS;
    if (!isBehind) this.#last = now;
    return this.#last;
  }

  get putForwardAt(): Instant | undefined {
    return this.#putForwardAt;
  }

  /** Real time, without the development offset: for tokens. */
  real(): number {
    return Math.round(performance.now() + this.#offset);
  }

  /** Reads the time over a connection. */
  async measure(client: Client): Promise<void> {
    const sent = Date.now();
    const { rows } = await client.query<Pick<TimeReading, 'database' | 'ahead'>>(
      `select (extract(epoch from clock_timestamp()) * 1000)::float8 as database, offset_ms::float8 as ahead
       from system.clock`,
    );
    this.take({ ...rows[0]!, sent, received: Date.now() });
  }

  /** Applies a reading of this connection or another, in any order. */
  take({ database, ahead, sent, received }: TimeReading): void {
    const isPutForward = this.#wasRead && ahead > this.#ahead;
    this.#wasRead = true;
    this.#ahead = Math.max(this.#ahead, ahead);
    if (isPutForward) this.#putForwardAt = this.now();
    const age = Date.now() - received;
    const way = received - sent;
    if (age < 0 || age > OLDEST_MS || way < 0) return;
    const then = performance.now() - age;
    const least = database - then - TICK_MS;
    const most = database - then + way + TICK_MS;
    this.#offset = Math.min(Math.max(this.#offset, least), most);
  }
}

/** Advances the clock of the whole installation (docs/reference/set-up.md#development-only). */
export async function advanceClock(client: Client, seconds: number): Promise<void> {
  await client.query('update system.clock set offset_ms = offset_ms + $1', [Math.round(seconds * 1000)]);
}
