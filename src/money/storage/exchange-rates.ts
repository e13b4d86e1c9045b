import type { EntityManager } from '@mikro-orm/postgresql';

import type { Address } from '../../kernel/rules/caller.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import type { Database } from '../../platform/database/database.ts';
import { onceUnderKey } from '../../platform/database/idempotency-records.ts';
import { daySql, ms } from '../../platform/database/load-sql.ts';
import { appendAdministration, takeTurn } from '../../tenants/storage/administration-journal.ts';
import type { ExchangeRateStore } from '../ports.ts';
import type { ExchangeRate } from '../rules/exchange-rate.ts';

const LIST = `
  select currency::text as currency, base_currency::text as "baseCurrency", rate::float8 as rate,
    ${daySql('rate_date')} as date, set_by as "setBy", ${ms('updated_at')}::float8 as "updatedAt"
  from exchange_rates where tenant_id = ? and property_id = ? order by currency`;

const CLEAR = 'delete from exchange_rates where tenant_id = ? and property_id = ?';

const PUT = `
  insert into exchange_rates (tenant_id, property_id, currency, base_currency, rate, rate_date, set_by)
  select ?, ?, x.currency, ?, x.rate, ?::date, ?
  from json_to_recordset(?::json) as x (currency char(3), rate numeric)`;

/** Exchange rates in the table `exchange_rates`, within the tenant; their history is in the administration journal. */
export function databaseExchangeRates(database: Database): ExchangeRateStore {
  return {
    list: (of) => database.readTenant(of.tenantId, (em) => read(em, of)),
    put: (by, propertyId, { rates, baseCurrency, date }, key) =>
      database.inTenant(by.tenantId, (em) =>
        onceUnderKey(em, by, key, async () => {
          const { tenantId, subject } = by;
          const of = { tenantId, propertyId };
          await takeTurn(em, tenantId);
          const before = await read(em, of);
          await em.execute(CLEAR, [tenantId, propertyId]);
          const whose = [tenantId, propertyId, baseCurrency, formatDay(date), subject];
          await em.execute(PUT, [...whose, JSON.stringify(rates)]);
          const after = await read(em, of);
          const what = { before: { rates: before.map(noted) }, after: { rates: after.map(noted) } };
          await appendAdministration(em, by, {
            entity: 'exchangeRates',
            entityId: propertyId,
            action: 'CHANGED',
            ...what,
          });
          return after;
        }),
      ),
  };
}

async function read(em: EntityManager, { tenantId, propertyId }: Address): Promise<ExchangeRate[]> {
  return (await em.execute(LIST, [tenantId, propertyId])) as unknown as ExchangeRate[];
}

/** A rate as the audit trail has it. */
const noted = ({ currency, baseCurrency, rate, date }: ExchangeRate) => {
  return { currency, baseCurrency, rate, date: formatDay(date) };
};
