import type { EntityManager } from '@mikro-orm/postgresql';

import type { Administration, Like, TenantRecords } from '../../kernel/ports.ts';
import type { By } from '../../kernel/rules/administration.ts';
import type { Database } from '../../platform/database/database.ts';
import { idempotencyRecord, onceUnderKey } from '../../platform/database/idempotency-records.ts';
import { ms, presentSql } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import type { StoredRecord, RecordKind, Tenant } from '../rules/tenant.ts';
import { appendAdministration, takeTurn } from './administration-journal.ts';

const TENANT_COLUMNS = `'tenantId', tenant_id, 'name', name, 'type', type, 'status', status, 'config', config,
  'subscription', subscription, 'createdAt', ${ms('created_at')}, 'updatedAt', ${ms('updated_at')}`;
const TENANT = `json_build_object(${TENANT_COLUMNS})`;
const READ_TENANT = `select ${TENANT} as one from tenants where tenant_id = ? and deleted_at is null`;

const ADD_TENANT = `
  insert into tenants (tenant_id, name, type, status, config, subscription)
  values (?, ?, ?::tenant_type, ?::tenant_status, ?::jsonb, ?::jsonb) on conflict do nothing returning ${TENANT} as one`;

const CHANGE_TENANT = `
  update tenants set name = coalesce(?, name), type = coalesce(?::tenant_type, type),
    status = coalesce(?::tenant_status, status), config = coalesce(?::jsonb, config), updated_at = app_now()
  where tenant_id = ? returning ${TENANT} as one`;

const OWNERS = `
  select a.user_id as id from user_tenant_associations a
  join users u on u.tenant_id = a.tenant_id and u.id = a.user_id and u.deleted_at is null
  where a.tenant_id = ? and a.role = 'OWNER' and a.deleted_at is null limit ?`;

const ROOM_TYPES = `
  select t.room_type as code from properties p
  left join room_types t on t.tenant_id = p.tenant_id and t.property_id = p.property_id and t.deleted_at is null
  where p.tenant_id = ? and p.property_id = ? and p.deleted_at is null`;

/** Where the records of a kind stand: columns by the names of the domain, `id` first; those in `json` are documents. */
type Table = {
  name: string;
  columns: Readonly<Record<string, string>>;
  casts?: Readonly<Record<string, string>>;
  /** Which of those that were not removed a list has. */
  listed?: string;
};

const TABLES: Record<RecordKind, Table> = {
  user: {
    name: 'users',
    columns: { id: 'id', issuer: 'iss', subject: 'sub', name: 'name', email: 'email' },
  },
  association: {
    name: 'user_tenant_associations',
    columns: { id: 'user_id', role: 'role' },
    casts: { role: '::tenant_role' },
    listed: `and exists (select from users u where u.tenant_id = user_tenant_associations.tenant_id
      and u.id = user_id and u.deleted_at is null)`,
  },
  channelMapping: {
    name: 'channel_mappings',
    columns: {
      id: 'id',
      propertyId: 'property_id',
      roomType: 'room_type',
      channelName: 'channel_name',
      channelCode: 'channel_code',
      externalRoomId: 'external_room_id',
      mappingConfig: 'mapping_config',
    },
    casts: { mappingConfig: '::jsonb' },
  },
};

/** Administration of tenants in their tables, each within its tenant. */
export function databaseAdministration(database: Database): Administration {
  return {
    answered: (by, key) => database.inTenant(by.tenantId, (em) => idempotencyRecord(em, by, key)),
    read: (tenantId, work) => database.readTenant(tenantId, (em) => work(recordsIn(em, tenantId))),
    write: (by, key, work) =>
      database.inTenant(by.tenantId, (em) =>
        onceUnderKey(em, by, key, async () => {
          await takeTurn(em, by.tenantId);
          return work(recordsIn(em, by.tenantId, by));
        }),
      ),
  };
}

function recordsIn(em: EntityManager, tenantId: string, by?: By): TenantRecords {
  const rows = async <T>(sql: string, values: unknown[]): Promise<T[]> =>
    (await em.execute<{ one: T }[]>(sql, values)).map(({ one }) => one);
  return {
    tenant: async () => (await rows<Tenant>(READ_TENANT, [tenantId]))[0],
    async addTenant({ name, type, status, config, subscription }) {
      const documents = [JSON.stringify(config), JSON.stringify(subscription)];
      return (await rows<Tenant>(ADD_TENANT, [tenantId, name, type, status, ...documents]))[0];
    },
    async changeTenant({ name = null, type = null, status = null, config }) {
      const values = [name, type, status, config ? JSON.stringify(config) : null, tenantId];
      return (await rows<Tenant>(CHANGE_TENANT, values))[0]!;
    },
    async find<K extends RecordKind>(kind: K, like: Like<K>) {
      const alike = narrowed(kind, like);
      // What has another form than an id is nobody's.
      if (!alike) return undefined;
      // Of several that were removed the newest; one that was not comes first.
      const order = 'order by deleted_at is not null, created_at desc limit 1';
      return (
        await rows<StoredRecord<K>>(`${selected(kind)} where tenant_id = ? ${alike.sql} ${order}`, [
          tenantId,
          ...alike.values,
        ])
      )[0];
    },
    async list<K extends RecordKind>(
      kind: K,
      like: Like<K>,
      limit: number,
      after?: { createdAt: number; id: string },
    ) {
      const alike = narrowed(kind, like)!;
      const id = TABLES[kind].columns['id']!;
      const behind = after ? `and (created_at, ${id}) < (?::timestamptz, ?::uuid)` : '';
      const items = await rows<StoredRecord<K>>(
        `${selected(kind)} where tenant_id = ? and deleted_at is null ${TABLES[kind].listed ?? ''} ${alike.sql} ${behind}
         order by created_at desc, ${id} desc limit ?`,
        // One more than asked tells whether there is a next page.
        [tenantId, ...alike.values, ...(after ? [new Date(after.createdAt).toISOString(), after.id] : []), limit + 1],
      );
      const page = items.slice(0, limit);
      const last = page.at(-1);
      return items.length > limit && last
        ? { items: page, next: { createdAt: last.createdAt, id: last.id } }
        : { items: page };
    },
    put: async (kind, record) => (await rows<StoredRecord<typeof kind>>(...putting(kind, tenantId, record)))[0]!,
    async remove(kind, id) {
      const { name, columns } = TABLES[kind];
      const gone = 'deleted_at = app_now(), updated_at = app_now()';
      await em.execute(`update ${name} set ${gone} where tenant_id = ? and ${columns['id']} = ?`, [tenantId, id]);
    },
    owners: async (limit) => (await em.execute<{ id: string }[]>(OWNERS, [tenantId, limit])).map(({ id }) => id),
    async roomTypes(propertyId) {
      const found = await em.execute<{ code: string | null }[]>(ROOM_TYPES, [tenantId, propertyId]);
      return found.length === 0 ? undefined : found.flatMap(({ code }) => code ?? []);
    },
    async note(change) {
      if (!by) throw new Error('a read has nothing to note');
      await appendAdministration(em, by, change);
    },
  };
}

function selected(kind: RecordKind): string {
  return `select ${documentOf(kind)} as one from ${TABLES[kind].name}`;
}

function documentOf(kind: RecordKind): string {
  const members = Object.entries(TABLES[kind].columns).map(([name, column]) => `'${name}', ${column}`);
  const times = { createdAt: 'created_at', updatedAt: 'updated_at', removedAt: 'deleted_at' };
  for (const [name, column] of Object.entries(times)) members.push(`'${name}', ${ms(column)}`);
  return presentSql(`json_build_object(${members.join(', ')})`);
}

function narrowed<K extends RecordKind>(kind: K, like: Like<K>): { sql: string; values: unknown[] } | undefined {
  const { columns, casts } = TABLES[kind];
  const asked = Object.entries(like).filter(([, value]) => value !== undefined);
  if (asked.some(([name, value]) => name === 'id' && !isUuid(String(value)))) return undefined;
  const sql = asked.map(([name]) => `and ${columns[name]!} = ?${casts?.[name] ?? ''}`).join(' ');
  return { sql, values: asked.map(([, value]) => value) };
}

function putting(kind: RecordKind, tenantId: string, record: object): [string, unknown[]] {
  const { name, columns, casts } = TABLES[kind];
  const members = new Map(Object.entries(record));
  const names = Object.values(columns);
  const marks = Object.keys(columns).map((member) => `?${casts?.[member] ?? ''}`);
  const changed = names.slice(1).map((column) => `${column} = excluded.${column}`);
  const values = Object.keys(columns).map((member) => valueOf(members.get(member)));
  const sql = `
    insert into ${name} (tenant_id, ${names.join(', ')}) values (?, ${marks.join(', ')})
    on conflict (tenant_id, ${names[0]}) do update
      set ${changed.join(', ')}, updated_at = app_now(), deleted_at = null
    returning ${documentOf(kind)} as one`;
  return [sql, [tenantId, ...values]];
}

function valueOf(value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
