import type { Client } from 'pg';

import type { Clock } from '../ports/clock.ts';

/**
 * The database's time by offset (architecture.md 8): asked now and then, read from memory in between. The development
 * clock lies in the same offset, since `app_now()` has it too.
 */
export class DatabaseClock implements Clock {
  #offset = 0;

  now(): number {
    return Math.round(Date.now() + this.#offset);
  }

  /** Measures the offset over a connection: half of the way there and back is what the answer is old. */
  async measure(client: Client): Promise<void> {
    const before = performance.now();
    const { rows } = await client.query<{ now: number }>(
      'select (extract(epoch from app_now()) * 1000)::float8 as now',
    );
    const way = (performance.now() - before) / 2;
    this.#offset = rows[0]!.now + way - Date.now();
  }

  /** Takes a time that another connection measured just now. */
  set(now: number): void {
    this.#offset = now - Date.now();
  }
}

/** Puts the clock of the whole installation forward (contracts.md 1, development clock). */
export async function advanceClock(client: Client, seconds: number): Promise<void> {
  await client.query('update system.clock set offset_ms = offset_ms + $1', [Math.round(seconds * 1000)]);
}
