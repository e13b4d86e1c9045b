import type { Address } from '../../kernel/rules/caller.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import type { ActorReads, OwnedProperty, TailEntry } from '../ports.ts';

/** Properties of one list, and journal entries of a tail. */
const MAX_PROPERTIES = 500;
const MAX_TAIL = 20;

const OWNED = `
  select p.property_id as "propertyId", p.name, p.deleted_at is not null as removed, a.owner_node as "ownerNode",
    a.epoch::float8 as epoch, a.seq::float8 as seq, a.generation, ${ms('a.committed_at')}::float8 as "committedAt"
  from properties p join property_actor a using (tenant_id, property_id)
  where p.tenant_id = current_setting('innkeeper.tenant')`;
const LIST = `${OWNED} and (?::text is null or strpos(lower(p.property_id || ' ' || p.name), lower(?)) > 0)
  order by p.name, p.property_id limit ${MAX_PROPERTIES}`;
const ONE = `${OWNED} and p.property_id = ?`;

/** Events of bookings are the first member of each fact; who and what stays where it is. */
const TAIL = `
  select seq::float8 as seq, ${ms('at')}::float8 as at, type as command, array(
    select distinct fact ->> 0 from json_array_elements(facts -> 'bookings') as fact order by 1) as events
  from journal
  where tenant_id = current_setting('innkeeper.tenant') and property_id = ? and seq > ? and seq <= ?
  order by seq desc limit ${MAX_TAIL}`;

/** Ownership and newest commands of properties, for operators: no personal data, and no activation. */
export function databaseActorReads(database: Database): ActorReads {
  return {
    list: (tenantId: TenantId, text?: string) =>
      database.readTenant(tenantId, (em) => em.execute<OwnedProperty[]>(LIST, [text ?? null, text ?? null])),
    find: ({ tenantId, propertyId }: Address) =>
      database.readTenant(tenantId, async (em) => {
        const [owned] = await em.execute<OwnedProperty[]>(ONE, [propertyId]);
        if (!owned) return undefined;
        const tail = await em.execute<TailEntry[]>(TAIL, [propertyId, owned.seq - MAX_TAIL, owned.seq]);
        return { owned, tail };
      }),
  };
}
