import type { Client } from 'pg';

import type { OpenRefunds } from '../ports/open-refunds.ts';
import type { Database } from './database.ts';

const OPEN = `
  select distinct property_id, reservation_id from payments
  where tenant_id = current_setting('innkeeper.tenant') and status = 'PROCESSING' and transaction_type = 'REFUND'
    and created_at < to_timestamp(?::float8 / 1000) limit ?`;

/** Goes from tenant to tenant: payments are read within their own tenant only (contracts.md 4). */
export class StoredRefunds implements OpenRefunds {
  readonly #system: () => Promise<Client>;
  readonly #database: Database;

  constructor(system: () => Promise<Client>, database: Database) {
    this.#system = system;
    this.#database = database;
  }

  async find(before: number, limit: number): ReturnType<OpenRefunds['find']> {
    const client = await this.#system();
    const { rows: tenants } = await client.query<{ tenant_id: string }>('select tenant_id from tenants');
    const found: Awaited<ReturnType<OpenRefunds['find']>> = [];
    for (const { tenant_id: tenantId } of tenants) {
      const rows = await this.#database.readTenant(tenantId, (em) => em.execute(OPEN, [before, limit]));
      for (const row of rows as { property_id: string; reservation_id: string }[])
        found.push({ to: { tenantId, propertyId: row.property_id }, reservationId: row.reservation_id });
    }
    return found;
  }
}
