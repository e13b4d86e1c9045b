import type { EntityManager } from '@mikro-orm/postgresql';
import type { Page, PagePosition } from '../ports/reservation-reader.ts';
import type { PropertyReader } from '../ports/property-reader.ts';
import type { Property } from '../domain/property.ts';
import { type Database, rowsOf } from './database.ts';
import { PropertyEntity } from './entities/properties.ts';
import { toProperty } from './property-row.ts';

/** Properties of a tenant, newest first; soft-deleted ones are not listed (specification 1). */
export function databasePropertyReader(database: Database): PropertyReader {
  return {
    list: (tenantId, limit, after) => database.readTenant(tenantId, (em) => readPage(em, tenantId, limit, after)),
  };
}

async function readPage(
  em: EntityManager,
  tenantId: string,
  limit: number,
  after?: PagePosition,
): Promise<Page<Property>> {
  const query = em
    .createQueryBuilder(PropertyEntity, 'o')
    .where({ tenant_id: tenantId, deleted_at: null })
    .orderBy({ created_at: 'desc', property_id: 'desc' })
    // One more than asked tells whether there is a next page.
    .limit(limit + 1);
  if (after) query.andWhere('(o.created_at, o.property_id) < (?, ?)', [new Date(after.createdAt), after.id]);
  const rows = await rowsOf(query);
  const items = rows.slice(0, limit).map(toProperty);
  const last = items.at(-1);
  return rows.length > limit && last
    ? { items, next: { createdAt: last.createdAt, id: last.propertyId } }
    : { items };
}
