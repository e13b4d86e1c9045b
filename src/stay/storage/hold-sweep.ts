import type { Client } from 'pg';

import type { BackgroundPartition } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { HoldId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { isFree, MORE_THAN_ONES_SHARE, ofNobodyElse, sharedOut } from '../../platform/database/partition-sql.ts';
import type { HoldSweep } from '../ports.ts';
import type { Hold, HoldDocument } from '../rules/hold.ts';

type Row = { tenant_id: string; property_id: string; id: string; free: boolean };

const addressOf = ({ tenant_id: tenantId, property_id: propertyId }: Row): Address => ({ tenantId, propertyId });

/** Parameters: time, limit, node. */
const EXPIRED = `
  select tenant_id, property_id, ${isFree('a', '$3')} as free from holds h left join property_actor a using (tenant_id, property_id)
  where h.kind <> 'LATE' and h.expires_at < to_timestamp($1 / 1000.0) and ${ofNobodyElse('a', '$3')}
  group by tenant_id, property_id, a.owner_node order by free, min(h.expires_at) limit $2`;
const UNSETTLED = `
  select tenant_id, property_id, h.id, ${isFree('a', '$3')} as free
  from holds h left join property_actor a using (tenant_id, property_id)
  where ((h.kind = 'LATE' and h.reservation_id is not null)
    or (h.kind = 'PAYING' and h.created_at < to_timestamp($1 / 1000.0))) and ${ofNobodyElse('a', '$3')}
  order by free, h.expires_at limit $2`;

const HOLD = `
  select id, kind, room_type as "roomType", (check_in - date '1970-01-01') as "checkIn",
    (check_out - date '1970-01-01') as "checkOut", rooms, (extract(epoch from expires_at) * 1000)::float8 as "expiresAt",
    (extract(epoch from created_at) * 1000)::float8 as "createdAt", reservation_id as "reservationId", doc
  from holds where tenant_id = current_setting('innkeeper.tenant') and property_id = ? and id = ?`;

/** Finds holds across tenants as innkeeper_system; reads each one within its tenant. */
export class StoredHolds implements HoldSweep {
  readonly #system: () => Promise<Client>;
  readonly #database: Database;
  readonly #share: BackgroundPartition;

  /** @param share properties whose holds this node looks for */
  constructor(system: () => Promise<Client>, database: Database, share: BackgroundPartition) {
    this.#system = system;
    this.#database = database;
    this.#share = share;
  }

  async expired(now: Instant, limit: number): Promise<Address[]> {
    return (await this.#find(EXPIRED, now, limit)).map(addressOf);
  }

  async unsettled(before: number, limit: number): Promise<{ to: Address; holdId: HoldId }[]> {
    return (await this.#find(UNSETTLED, before, limit)).map((row) => ({ to: addressOf(row), holdId: row.id }));
  }

  async hold({ tenantId, propertyId }: Address, holdId: HoldId): Promise<Hold | undefined> {
    const rows = await this.#database.readTenant(tenantId, (em) => em.execute(HOLD, [propertyId, holdId]));
    const row = (rows as unknown as (Hold & { doc: HoldDocument })[])[0];
    if (!row) return undefined;
    const { doc, ...hold } = row;
    return { ...hold, ...doc };
  }

  async #find(sql: string, time: number, limit: number): Promise<Row[]> {
    const client = await this.#system();
    const { rows } = await client.query<Row>(sql, [time, limit * MORE_THAN_ONES_SHARE, this.#share.nodeId]);
    return sharedOut(rows, this.#share, addressOf, limit);
  }
}
