import type { Client } from 'pg';

import type { Tenants } from '../ports/tenants.ts';

const RUNNING = `select tenant_id from tenants where status not in ('INACTIVE', 'CANCELLED') order by 1`;

/** As innkeeper_system, who sees ids and states of tenants and nothing else of them. */
export class StoredTenants implements Tenants {
  readonly #system: () => Promise<Client>;

  constructor(system: () => Promise<Client>) {
    this.#system = system;
  }

  async running(): Promise<string[]> {
    const client = await this.#system();
    const { rows } = await client.query<{ tenant_id: string }>(RUNNING);
    return rows.map(({ tenant_id: tenantId }) => tenantId);
  }
}
