import type { Client } from 'pg';

import { type Page, pageOfRead, type PagePosition } from '../../kernel/ports.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { ms } from '../../platform/database/load-sql.ts';
import type { TenantDirectory, TenantOfPerson, TenantStore } from '../ports.ts';
import type { TenantInShort } from '../rules/tenant.ts';

const RUNNING = `select tenant_id from tenants where status not in ('INACTIVE', 'CANCELLED') order by 1`;

const CHANGED = `
  select tenant_id from tenants where updated_at >= $1 and status not in ('INACTIVE', 'CANCELLED') order by 1`;

const LIST = `
  select tenant_id as "tenantId", name, type, status, ${ms('created_at')}::float8 as "createdAt",
    ${ms('updated_at')}::float8 as "updatedAt"
  from tenants where ($1::timestamptz is null or (created_at, tenant_id) < ($1, $2))
    and ($4::text is null or strpos(lower(tenant_id || ' ' || name), lower($4)) > 0)
  order by created_at desc, tenant_id desc limit $3`;

const OF_PERSON = `
  select t.tenant_id as "tenantId", t.name, t.status, a.role
  from users u
  join user_tenant_associations a on a.tenant_id = u.tenant_id and a.user_id = u.id and a.deleted_at is null
  join tenants t on t.tenant_id = u.tenant_id
  where u.iss = $1 and u.sub = $2 and u.deleted_at is null
  order by t.name, t.tenant_id limit $3`;

/** Uses innkeeper_system, which sees names and states of tenants and nothing else of them. */
export class StoredTenants implements TenantStore, TenantDirectory {
  readonly #system: () => Promise<Client>;

  constructor(system: () => Promise<Client>) {
    this.#system = system;
  }

  async running(): Promise<string[]> {
    const client = await this.#system();
    const { rows } = await client.query<{ tenant_id: string }>(RUNNING);
    return rows.map(({ tenant_id: tenantId }) => tenantId);
  }

  async changedSince(since: Instant): Promise<string[]> {
    const client = await this.#system();
    const { rows } = await client.query<{ tenant_id: string }>(CHANGED, [new Date(since).toISOString()]);
    return rows.map(({ tenant_id: tenantId }) => tenantId);
  }

  async ofPerson(issuer: string, subject: string, limit: number): Promise<TenantOfPerson[]> {
    const client = await this.#system();
    return (await client.query<TenantOfPerson>(OF_PERSON, [issuer, subject, limit])).rows;
  }

  async list(limit: number, after?: PagePosition, part?: string): Promise<Page<TenantInShort>> {
    const client = await this.#system();
    const from = after ? [new Date(after.createdAt).toISOString(), after.id] : [null, null];
    const { rows } = await client.query<TenantInShort>(LIST, [...from, limit + 1, part ?? null]);
    return pageOfRead(rows, limit, ({ tenantId }) => tenantId);
  }
}
