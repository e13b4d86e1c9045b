import type { Client } from 'pg';

import type { OpenPayment, OpenPayments } from '../ports/open-payments.ts';
import type { Database } from './database.ts';

/** An attempt is on record before its reservation is, which then hangs on a hold. */
const OPEN = `
  select distinct p.property_id, p.reservation_id from payments p
    join reservations r on r.tenant_id = p.tenant_id and r.id = p.reservation_id
  where p.tenant_id = current_setting('innkeeper.tenant') and p.status = 'PROCESSING'
    and p.transaction_type = ?::transaction_type and p.created_at < to_timestamp(?::float8 / 1000) limit ?`;

/** Goes from tenant to tenant: payments are read within their own tenant only (contracts.md 4). */
export class StoredOpenPayments implements OpenPayments {
  readonly #system: () => Promise<Client>;
  readonly #database: Database;

  constructor(system: () => Promise<Client>, database: Database) {
    this.#system = system;
    this.#database = database;
  }

  refunds(before: number, limit: number): Promise<OpenPayment[]> {
    return this.#find('REFUND', before, limit);
  }

  attempts(before: number, limit: number): Promise<OpenPayment[]> {
    return this.#find('CHARGE', before, limit);
  }

  async #find(type: 'CHARGE' | 'REFUND', before: number, limit: number): Promise<OpenPayment[]> {
    const client = await this.#system();
    const { rows: tenants } = await client.query<{ tenant_id: string }>('select tenant_id from tenants');
    const found: OpenPayment[] = [];
    for (const { tenant_id: tenantId } of tenants) {
      const rows = await this.#database.readTenant(tenantId, (em) => em.execute(OPEN, [type, before, limit]));
      for (const row of rows as { property_id: string; reservation_id: string }[])
        found.push({ to: { tenantId, propertyId: row.property_id }, reservationId: row.reservation_id });
    }
    return found;
  }
}
