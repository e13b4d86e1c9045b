import { hash } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import { formatDay } from '../../src/domain/dates.ts';
import type { Facts } from '../../src/domain/journal.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { Stay } from '../../src/domain/reservation.ts';
import type { Changes, KeyChange } from '../../src/ports/property-store.ts';
import { actingAs } from '../../src/storage/connection.ts';
import { batchDocument } from '../../src/storage/rows.ts';
import { LOCK_NIGHTS, MOVE_NIGHTS, READ_PRICES, WRITE_OWN_ROWS } from './statements.ts';

export type Place = { tenantId: string; propertyId: string };

/** One of the two commits of a paid booking. */
export type Step = {
  type: 'START_BOOKING' | 'CONFIRM_BOOKING';
  stay: Stay;
  /** By how much each night's counters move. */
  held: number;
  booked: number;
  changes: Changes;
  keys: KeyChange[];
  facts: Facts;
  entity: string;
  subject: string;
  requestId: string;
};

/**
 * Bookings under row locks: READ COMMITTED, `SELECT ... FOR UPDATE` on the nights in the order of their dates, the
 * rows of a commit in two statements, prepared on each connection. More connections than this only wait for the same
 * rows and slow their holder down.
 */
export class RowLocks implements AsyncDisposable {
  readonly #pool: Pool;

  constructor(databaseUrl: string, tenantId: string, connections: number) {
    // The role that our commits write under, so that row security and grants cost the same.
    const connectionString = actingAs(databaseUrl, 'innkeeper_writer', { 'innkeeper.batch_tenants': tenantId });
    this.#pool = new Pool({ connectionString, max: connections });
  }

  /** Prices in minor units by night; a service of this kind keeps them in memory, as ours does. */
  async prices({ tenantId, propertyId }: Place, roomType: string): Promise<Map<string, number>> {
    const { rows } = await this.#pool.query<{ day: string; rate: number }>(READ_PRICES, [
      tenantId,
      propertyId,
      roomType,
    ]);
    return new Map(rows.map(({ day, rate }) => [day, rate]));
  }

  /**
   * One commit.
   * @returns the number of the property that it got
   * @throws Refusal ROOM_NOT_AVAILABLE when a night is sold out
   */
  async commit(place: Place, step: Step): Promise<number> {
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      const seq = await write(client, place, step);
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

async function write(client: PoolClient, { tenantId, propertyId }: Place, step: Step): Promise<number> {
  const { roomType, checkIn, checkOut } = step.stay;
  const nights = [tenantId, propertyId, roomType, formatDay(checkIn), formatDay(checkOut)];
  await client.query({ name: 'own-rows', text: WRITE_OWN_ROWS, values: [ownRows({ tenantId, propertyId }, step)] });
  const locked = await client.query<{ available_rooms: number }>({ name: 'lock', text: LOCK_NIGHTS, values: nights });
  const taken = step.held + step.booked;
  if (taken > 0 && locked.rows.some(({ available_rooms: left }) => left < taken)) {
    throw new Refusal('ROOM_NOT_AVAILABLE', 'A night is sold out.');
  }
  const facts = JSON.stringify(step.facts);
  const entry = [step.type, step.subject, step.requestId, step.entity, facts, hash('sha256', facts)];
  const moved = await client.query<{ seq: number }>({
    name: 'move',
    text: MOVE_NIGHTS,
    values: [...nights, step.held, step.booked, ...entry],
  });
  const seq = moved.rows[0]?.seq;
  if (seq === undefined) throw new Error('the property has no row of its own');
  return seq;
}

/** Everything but cells, numbers and journal, in the document that our own commits use. */
function ownRows(to: Place, { changes, keys }: Step): string {
  const fence = { epoch: 0, oldSeq: 0, newSeq: 0, head: '' };
  return batchDocument([{ to, ...fence, at: Date.now(), changes, keys, entries: [] }]);
}
