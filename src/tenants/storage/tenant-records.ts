import { type EntityManager, type EntityName, raw, type RawQueryFragment } from '@mikro-orm/postgresql';

import { pageOfRead, type PagePosition } from '../../kernel/ports.ts';
import type { By } from '../../kernel/rules/administration.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import {
  AssociationEntity,
  ChannelMappingEntity,
  InvitationEntity,
  TenantEntity,
  UserEntity,
} from '../../platform/database/entities/tenants.ts';
import { idempotencyRecord } from '../../platform/database/idempotency-records.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import type { Administration, Like, TenantRecords } from '../ports.ts';
import type { StoredRecord, RecordKind, Recorded, Tenant, TenantRecord } from '../rules/tenant.ts';
import { administrationWrites, appendAdministration } from './administration-journal.ts';

const ROOM_TYPES = `
  select t.room_type as code from properties p
  left join room_types t on t.tenant_id = p.tenant_id and t.property_id = p.property_id and t.deleted_at is null
  where p.tenant_id = ? and p.property_id = ? and p.deleted_at is null`;

/** A new invitation of an address counts on from the one before. */
const LETTERS = `
  select coalesce(sum(letters), 0)::int as letters from (
    select max(letters) as letters from invitations
    where tenant_id = ? and letters_since > ?::timestamptz - interval '24 hours' group by email) addresses`;

const ENTITY_OF = {
  user: UserEntity,
  association: AssociationEntity,
  invitation: InvitationEntity,
  channelMapping: ChannelMappingEntity,
};

/** Database clock, which development can move. */
const now = (): RawQueryFragment => raw('app_now()');

/** Changes of loaded entities are not written back. */
const AS_READ = { disableIdentityMap: true } as const;

/** Administration of tenants in their tables, each within its tenant. */
export function databaseAdministration(database: Database): Administration {
  const write = administrationWrites(database);
  return {
    answered: (by, key) => database.inTenant(by.tenantId, (em) => idempotencyRecord(em, by, key)),
    read: (tenantId, work) => database.readTenant(tenantId, (em) => work(recordsIn(em, tenantId))),
    write: (by, key, work) => write(by, key, (em) => work(recordsIn(em, by.tenantId, by))),
  };
}

function recordsIn(em: EntityManager, tenantId: TenantId, by?: By): TenantRecords {
  const tenant = async (): Promise<Tenant | undefined> => {
    const found = await em.findOne(TenantEntity, { tenantId, removedAt: null }, AS_READ);
    return found ? ({ ...recordOf(found), tenantId } as Tenant) : undefined;
  };
  return {
    tenant,
    async addTenant(added) {
      // Writers of a tenant are serialized, so it cannot be added in between.
      if ((await em.count(TenantEntity, { tenantId })) > 0) return undefined;
      await em.insert(TenantEntity, added);
      return tenant();
    },
    async changeTenant(change) {
      await em.nativeUpdate(TenantEntity, { tenantId }, { ...definedMembers(change), updatedAt: now() });
      return (await tenant())!;
    },
    async find<K extends RecordKind>(kind: K, like: Like<K>) {
      // A malformed id matches no record.
      if (like.id !== undefined && !isUuid(like.id)) return undefined;
      // Of several removed ones the newest; an existing one comes first.
      const orderBy = [{ [raw('deleted_at is not null')]: 'asc' }, { createdAt: 'desc' }];
      const found = await em.findOne(entityOf(kind), { tenantId, ...definedMembers(like) }, { orderBy, ...AS_READ });
      return found ? (recordOf(found) as StoredRecord<K>) : undefined;
    },
    async list<K extends RecordKind>(kind: K, like: Like<K>, limit: number, after?: PagePosition) {
      const where = [
        { tenantId, removedAt: null, ...definedMembers(like) },
        listed(em, kind, tenantId),
        after && behind(after),
      ];
      const orderBy = { createdAt: 'desc', id: 'desc' } as const;
      const found = await em.find(
        entityOf(kind),
        { $and: where.filter((part) => part !== undefined) },
        { orderBy, limit: limit + 1, ...AS_READ },
      );
      const records = found.map((row) => recordOf(row) as StoredRecord<K>);
      return pageOfRead(records, limit, ({ id }) => id);
    },
    async put<K extends RecordKind>(kind: K, record: TenantRecord[K]) {
      const row = { tenantId, ...absentOf(em, kind), ...definedMembers(record), updatedAt: now() };
      await em.upsert(entityOf(kind), row, AS_READ);
      return (await this.find(kind, { id: record.id } as Like<K>))!;
    },
    async remove(kind, id) {
      await em.nativeUpdate(entityOf(kind), { tenantId, id }, { removedAt: now(), updatedAt: now() });
    },
    async owners(limit) {
      const where = { $and: [{ tenantId, role: 'OWNER', removedAt: null }, listed(em, 'association', tenantId)!] };
      return (await em.find(entityOf('association'), where, { limit, ...AS_READ })).map(({ id }) => id);
    },
    async lettersOfDay(at) {
      const [found] = await em.execute<{ letters: number }[]>(LETTERS, [tenantId, formatInstant(at)]);
      return found?.letters ?? 0;
    },
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

/** Columns that all kinds have; {@link Like} restricts which of them a query may use. */
type AnyRecord = Recorded & { tenantId: TenantId; id: string };

const entityOf = (kind: RecordKind): EntityName<AnyRecord> => ENTITY_OF[kind] as unknown as EntityName<AnyRecord>;

/** Absent members of a record are null in its row, and it is not removed. */
function absentOf(em: EntityManager, kind: RecordKind): Record<string, null> {
  const optional = em.getMetadata(entityOf(kind)).props.filter(({ nullable }) => nullable);
  return Object.fromEntries(optional.map(({ name }) => [name, null]));
}

/** An association exists as long as its user does. */
function listed(em: EntityManager, kind: RecordKind, tenantId: TenantId): object | undefined {
  if (kind !== 'association') return undefined;
  return { id: { $in: em.createQueryBuilder(UserEntity, 'u').select('id').where({ tenantId, removedAt: null }) } };
}

const behind = ({ createdAt, id }: PagePosition): object => ({
  $or: [{ createdAt: { $lt: createdAt } }, { createdAt, id: { $lt: id } }],
});

/** Converts a row: null columns are absent, and the tenant is left out. */
function recordOf(row: { tenantId: TenantId }): object {
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => value !== null && name !== 'tenantId'));
}
