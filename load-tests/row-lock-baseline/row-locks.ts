import { hash } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';

import { formatDay } from '../../src/kernel/rules/dates.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../src/kernel/rules/journal.ts';
import { actingAs } from '../../src/platform/database/connection.ts';
import type { Stay } from '../../src/rates/rules/stay.ts';
import { LOCK_NIGHTS, MOVE_NIGHTS, READ_PRICES, WRITE_BOOKING, WRITE_HOLD } from './statements.ts';

export type Place = { tenantId: string; propertyId: string };

/** One of the two commits of a paid booking. */
export type Step = {
  type: 'START_BOOKING' | 'CONFIRM_BOOKING';
  stay: Stay;
  /** Parameters of the statement that writes the rows of this step. */
  rows: unknown[];
  facts: Facts;
  entity: string;
  subject: string;
  requestId: string;
};

/** Rows of each step, and its changes of a night's counters. */
const STEPS = {
  START_BOOKING: { text: WRITE_HOLD, held: 1, booked: 0 },
  CONFIRM_BOOKING: { text: WRITE_BOOKING, held: -1, booked: 1 },
} as const;

/**
 * When the nights are locked: `late`, after all uncontended rows, which is the best case for row locks; or `first`,
 * check for a room and then write, as such services are usually written.
 */
export type LockOrder = 'late' | 'first';

/**
 * Bookings under row locks: READ COMMITTED, `SELECT ... FOR UPDATE` on the nights in the order of their dates, all
 * statements prepared on each connection.
 */
export class RowLocks implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #order: LockOrder;

  constructor(databaseUrl: string, tenantId: string, connections: number, order: LockOrder = 'late') {
    this.#order = order;
    // The role of the service's commits, so that row security and grants cost the same.
    const connectionString = actingAs(databaseUrl, 'innkeeper_writer', { 'innkeeper.batch_tenants': tenantId });
    this.#pool = new Pool({ connectionString, max: connections });
  }

  /** Prices in minor units by night; such a service caches them in memory, as this one does. */
  async prices({ tenantId, propertyId }: Place, roomType: string): Promise<Map<string, number>> {
    const values = [tenantId, propertyId, roomType];
    const { rows } = await this.#pool.query<{ day: string; rate: number }>(READ_PRICES, values);
    return new Map(rows.map(({ day, rate }) => [day, rate]));
  }

  /**
   * One commit.
   * @returns the property's new `seq`
   * @throws DomainError ROOM_NOT_AVAILABLE when a night is sold out, IDEMPOTENCY_IN_PROGRESS when the key was used
   */
  async commit(place: Place, step: Step): Promise<number> {
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      const seq = await write(client, place, step, this.#order);
      await client.query('commit');
      return seq;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }
}

async function write(client: PoolClient, place: Place, step: Step, order: LockOrder): Promise<number> {
  const { roomType, checkIn, checkOut } = step.stay;
  const nights = [place.tenantId, place.propertyId, roomType, formatDay(checkIn), formatDay(checkOut)];
  if (order === 'first') await lockNights(client, nights, step);
  await writeOwnRows(client, place, step);
  if (order === 'late') await lockNights(client, nights, step);
  return moveNights(client, nights, step);
}

async function writeOwnRows(client: PoolClient, { tenantId, propertyId }: Place, step: Step): Promise<void> {
  const values = [tenantId, propertyId, ...step.rows];
  const own = await client.query<{ claimed: number }>({ name: step.type, text: STEPS[step.type].text, values });
  if (step.type === 'START_BOOKING' && own.rows[0]?.claimed !== 1)
    throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'The first request is still running.', { retryAfterSeconds: 1 });
}

async function lockNights(client: PoolClient, values: string[], step: Step): Promise<void> {
  const { held, booked } = STEPS[step.type];
  const locked = await client.query<{ available_rooms: number }>({ name: 'lock', text: LOCK_NIGHTS, values });
  const taken = held + booked;
  if (taken > 0 && locked.rows.some(({ available_rooms: left }) => left < taken))
    throw new DomainError('ROOM_NOT_AVAILABLE', 'A night is sold out.');
}

async function moveNights(client: PoolClient, nights: string[], step: Step): Promise<number> {
  const { held, booked } = STEPS[step.type];
  const facts = JSON.stringify(step.facts);
  const entry = [step.type, step.subject, step.requestId, step.entity, facts, hash('sha256', facts), new Date()];
  const values = [...nights, held, booked, ...entry];
  const moved = await client.query<{ seq: number }>({ name: 'move', text: MOVE_NIGHTS, values });
  const seq = moved.rows[0]?.seq;
  if (seq === undefined) throw new Error('the property has no row of its own');
  return seq;
}
