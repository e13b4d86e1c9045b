import type { Client } from 'pg';

import type { Address } from '../domain/caller.ts';
import type { Hold, HoldDocument } from '../domain/hold.ts';
import type { HoldSweep } from '../ports/hold-sweep.ts';
import type { Database } from './database.ts';

type Row = { tenant_id: string; property_id: string; id: string };

const addressOf = ({ tenant_id: tenantId, property_id: propertyId }: Row): Address => ({ tenantId, propertyId });

const HOLD = `
  select id, kind, room_type as "roomType", (check_in - date '1970-01-01') as "checkIn",
    (check_out - date '1970-01-01') as "checkOut", rooms, (extract(epoch from expires_at) * 1000)::float8 as "expiresAt",
    (extract(epoch from created_at) * 1000)::float8 as "createdAt", reservation_id as "reservationId", doc
  from holds where tenant_id = current_setting('innkeeper.tenant') and property_id = ? and id = ?`;

/** Looks for holds across tenants as innkeeper_system; reads each one within its tenant. */
export class StoredHolds implements HoldSweep {
  readonly #system: () => Promise<Client>;
  readonly #database: Database;

  constructor(system: () => Promise<Client>, database: Database) {
    this.#system = system;
    this.#database = database;
  }

  async expired(now: number, limit: number): Promise<Address[]> {
    const sql = `select distinct tenant_id, property_id from holds
      where kind <> 'LATE' and expires_at < to_timestamp($1 / 1000.0) limit $2`;
    return (await this.#query(sql, [now, limit])).map(addressOf);
  }

  async unsettled(before: number, limit: number): Promise<{ to: Address; holdId: string }[]> {
    const sql = `select tenant_id, property_id, id from holds
      where (kind = 'LATE' and reservation_id is not null) or (kind = 'PAYING' and created_at < to_timestamp($1 / 1000.0)) order by expires_at limit $2`;
    return (await this.#query(sql, [before, limit])).map((row) => ({ to: addressOf(row), holdId: row.id }));
  }

  async hold({ tenantId, propertyId }: Address, holdId: string): Promise<Hold | undefined> {
    const rows = await this.#database.readTenant(tenantId, (em) => em.execute(HOLD, [propertyId, holdId]));
    const row = (rows as unknown as (Hold & { doc: HoldDocument })[])[0];
    if (!row) return undefined;
    const { doc, ...hold } = row;
    return { ...hold, ...doc };
  }

  async #query(sql: string, values: unknown[]): Promise<Row[]> {
    const client = await this.#system();
    return (await client.query<Row>(sql, values)).rows;
  }
}
