import type { Database } from '../../platform/database/database.ts';
import type { EventJournal, EventPropertyRow } from '../ports.ts';

const NEWEST = `
  select j.property_id as "propertyId", j.seq, (extract(epoch from j.at) * 1000)::float8 as at, j.type,
    j.request_id as "requestId", j.entity, j.facts,
    generation_of(j.tenant_id, j.property_id, j.seq, a.generation) as generation
  from journal j join property_actor a using (tenant_id, property_id)
  where j.tenant_id = current_setting('innkeeper.tenant')`;

/**
 * Journals as the log of events, in PostgreSQL. One property is read by its index; for all of a tenant, in development,
 * their rows are sorted for a page.
 */
export function databaseEventJournal(database: Database): EventJournal {
  return (tenantId, { propertyId, from }, limit) =>
    database.readTenant(tenantId, async (em) => {
      if (propertyId !== undefined) {
        const upTo = from ? [from.seq] : [];
        const sql = `${NEWEST} and j.property_id = ?${from ? ' and j.seq <= ?' : ''} order by j.seq desc limit ?`;
        return (await em.execute(sql, [propertyId, ...upTo, limit])) as unknown as EventPropertyRow[];
      }
      const place = from ? [new Date(from.at), from.propertyId, from.seq] : [];
      const sql = `${NEWEST}${
        place.length > 0 ? ' and (j.at, j.property_id, j.seq) <= (?, ?, ?)' : ''
      } order by j.at desc, j.property_id desc, j.seq desc limit ?`;
      return (await em.execute(sql, [...place, limit])) as unknown as EventPropertyRow[];
    });
}
