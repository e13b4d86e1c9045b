import type { Extra } from '../domain/extra.ts';
import { decimalText } from '../domain/money.ts';
import type { Extras } from '../ports/extras.ts';
import type { Database } from './database.ts';
import { cents, present } from './load-sql.ts';

const LIST = `
  select ${present(`json_build_object('code', code, 'name', name, 'description', description, 'category', category,
    'price', ${cents('price')}, 'taxPercent', tax_percent, 'active', active)`)} as extra
  from services where tenant_id = ? and property_id = ? and deleted_at is null order by code`;

const PUT = `
  insert into services (tenant_id, property_id, code, name, description, category, price, currency, tax_percent, active)
  values (?, ?, ?, ?, ?, ?, ?::numeric, ?, ?::numeric, ?)
  on conflict (tenant_id, property_id, code) where deleted_at is null do update
    set name = excluded.name, description = excluded.description, category = excluded.category,
      price = excluded.price, currency = excluded.currency, tax_percent = excluded.tax_percent,
      active = excluded.active, updated_at = app_now()`;

/** Invoices may name it still. */
const REMOVE = `
  update services set deleted_at = app_now(), updated_at = app_now()
  where tenant_id = ? and property_id = ? and code = ? and deleted_at is null returning code`;

/** Extras in the table `services`, within the tenant. */
export function databaseExtras(database: Database): Extras {
  return {
    async list({ tenantId, propertyId }) {
      const rows = await database.readTenant(tenantId, (em) => em.execute(LIST, [tenantId, propertyId]));
      return (rows as unknown as { extra: Extra }[]).map(({ extra }) => extra);
    },
    async put({ tenantId, propertyId }, extra, currency) {
      const { code, name, description = null, category = null, price, taxPercent, active } = extra;
      const what = [code, name, description, category, decimalText(price), currency, taxPercent, active];
      await database.inTenant(tenantId, (em) => em.execute(PUT, [tenantId, propertyId, ...what]));
    },
    async remove({ tenantId, propertyId }, code) {
      const rows = await database.inTenant(tenantId, (em) => em.execute(REMOVE, [tenantId, propertyId, code]));
      return (rows as unknown as unknown[]).length > 0;
    },
  };
}
