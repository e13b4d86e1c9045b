import type { Client } from 'pg';

import type { Clock, TimeReading } from '../../kernel/ports.ts';

/** What the clock is taken back by less than this is waited for: time goes back only where it was plainly wrong. */
const STEP_BACK_MS = 2_000;
/** `Date.now()` leaves out what is less than a millisecond. */
const TICK_MS = 1;
/** What was read longer ago says nothing of now: the machine's clock may have been set since. */
const OLDEST_MS = 5_000;

/**
 * The database's time by offset (docs/concepts/actor.md#time): queried now and then, and continued by the process's own
 * monotonic clock. An answer only bounds the offset by the two moments around the query, so the offset stays as
 * it is while that fits: neither a busy machine nor a slow answer moves the clock.
 */
export class DatabaseClock implements Clock {
  /** What `performance.now()` lacks to the database's clock. */
  #offset = Date.now() - performance.now();
  #ahead = 0;
  #last = 0;
  #wasRead = false;
  #putForwardAt: number | undefined;

  now(): number {
    const now = this.real() + this.#ahead;
    const isBehind = now < this.#last && this.#last - now < STEP_BACK_MS;
    if (!isBehind) this.#last = now;
    return this.#last;
  }

  get putForwardAt(): number | undefined {
    return this.#putForwardAt;
  }

  /** The time outside, without the development offset: what tokens count by. */
  real(): number {
    return Math.round(performance.now() + this.#offset);
  }

  /** Queries over a connection. */
  async measure(client: Client): Promise<void> {
    const sent = Date.now();
    const { rows } = await client.query<Pick<TimeReading, 'database' | 'ahead'>>(
      `select (extract(epoch from clock_timestamp()) * 1000)::float8 as database, offset_ms::float8 as ahead
       from system.clock`,
    );
    this.take({ ...rows[0]!, sent, received: Date.now() });
  }

  /** Takes what was read, on this connection or another. Readings may come in any order. */
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

/** Puts the clock of the whole installation forward (docs/reference/set-up.md#development-only). */
export async function advanceClock(client: Client, seconds: number): Promise<void> {
  await client.query('update system.clock set offset_ms = offset_ms + $1', [Math.round(seconds * 1000)]);
}
