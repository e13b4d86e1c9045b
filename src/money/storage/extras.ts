import type { EntityManager } from '@mikro-orm/postgresql';

import type { By } from '../../kernel/rules/administration.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import { decimalText } from '../../kernel/rules/money.ts';
import type { Database } from '../../platform/database/database.ts';
import { onceUnderKey } from '../../platform/database/idempotency-records.ts';
import { cents, presentSql } from '../../platform/database/load-sql.ts';
import { appendAdministration, takeTurn } from '../../tenants/storage/administration-journal.ts';
import type { ExtraStore, PricedExtra } from '../ports.ts';

const EXTRAS = `
  select ${presentSql(`json_build_object('code', code, 'name', name, 'description', description, 'category', category,
    'price', ${cents('price')}, 'taxPercent', tax_percent, 'active', active,
    'stockPerNight', stock_per_night)`)} as extra, currency
  from services where tenant_id = ? and property_id = ? and deleted_at is null`;
const LIST = `${EXTRAS} order by code`;
const ONE = `${EXTRAS} and code = ?`;

const PUT = `
  insert into services (tenant_id, property_id, code, name, description, category, price, currency, tax_percent, active,
    stock_per_night)
  values (?, ?, ?, ?, ?, ?, ?::numeric, ?, ?::numeric, ?, ?)
  on conflict (tenant_id, property_id, code) where deleted_at is null do update
    set name = excluded.name, description = excluded.description, category = excluded.category,
      price = excluded.price, currency = excluded.currency, tax_percent = excluded.tax_percent,
      active = excluded.active, stock_per_night = excluded.stock_per_night, updated_at = app_now()`;

/** Soft delete: invoices may still name the extra. */
const REMOVE = `
  update services set deleted_at = app_now(), updated_at = app_now()
  where tenant_id = ? and property_id = ? and code = ? and deleted_at is null`;

/** Of several extras with the code, the one that had it last. */
const RESTORE = `
  update services set deleted_at = null, updated_at = app_now()
  where tenant_id = ? and id = (
    select id from services where tenant_id = ? and property_id = ? and code = ? and deleted_at is not null
    order by deleted_at desc, id limit 1)`;

type Changing = { em: EntityManager; by: By; propertyId: PropertyId; code: string };

/** Extras in the table `services`, within the tenant. */
export function databaseExtras(database: Database): ExtraStore {
  const once = <T>(by: By, key: Parameters<typeof onceUnderKey>[2], work: (em: EntityManager) => Promise<T>) =>
    database.inTenant(by.tenantId, (em) => onceUnderKey(em, by, key, () => work(em)));
  return {
    async list({ tenantId, propertyId }) {
      const rows = await database.readTenant(tenantId, (em) => em.execute(LIST, [tenantId, propertyId]));
      return (rows as unknown as PricedExtra[]).map(({ extra }) => extra);
    },
    put: (by, propertyId, priced, key) =>
      once(by, key, async (em) => {
        const { extra, currency } = priced;
        const { code, name, description = null, category = null, price, taxPercent, active } = extra;
        const { stockPerNight = null } = extra;
        const before = await current({ em, by, propertyId, code });
        const amounts = [decimalText(price), currency, taxPercent, active, stockPerNight];
        const what = [code, name, description, category, ...amounts];
        await em.execute(PUT, [by.tenantId, propertyId, ...what]);
        await note({ em, by, propertyId, code }, before ? 'CHANGED' : 'CREATED', before, priced);
        return priced;
      }),
    remove: (by, propertyId, code, key) =>
      once(by, key, async (em) => {
        const before = await current({ em, by, propertyId, code });
        if (!before) throw new DomainError('SERVICE_NOT_FOUND', 'The price list of the property has no such code.');
        await em.execute(REMOVE, [by.tenantId, propertyId, code]);
        await note({ em, by, propertyId, code }, 'REMOVED', before);
        return null;
      }),
    restore: (by, propertyId, code, key) =>
      once(by, key, async (em) => {
        const at = { em, by, propertyId, code };
        if (await current(at)) throw new DomainError('INVALID_STATE', 'It was not deleted.');
        await em.execute(RESTORE, [by.tenantId, by.tenantId, propertyId, code]);
        const after = await current(at);
        if (!after) throw new DomainError('SERVICE_NOT_FOUND', 'The price list of the property has no such code.');
        await note(at, 'RESTORED', undefined, after);
        return after;
      }),
  };
}

/** Reads an extra and locks it until the end of the transaction. */
async function current({ em, by: { tenantId }, propertyId, code }: Changing): Promise<PricedExtra | undefined> {
  await takeTurn(em, tenantId);
  return (await em.execute<PricedExtra[]>(ONE, [tenantId, propertyId, code]))[0];
}

function note(
  { em, by, propertyId, code }: Changing,
  action: string,
  before: PricedExtra | undefined,
  after?: PricedExtra,
): Promise<void> {
  const shown = (priced: PricedExtra | undefined) =>
    priced && { ...priced.extra, price: priced.extra.price / 100, currency: priced.currency };
  const was = shown(before);
  const is = shown(after);
  const entityId = `${propertyId}/${code}`;
  return appendAdministration(em, by, { entity: 'service', entityId, action, before: was, after: is });
}
