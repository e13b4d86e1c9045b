import t from 'tap';

import type { RequestKey } from '../../kernel/rules/administration.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { storedProperty } from '../../testing/stored-property.ts';
import { databaseExchangeRates } from './exchange-rates.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const exchangeRates = databaseExchangeRates(database);

const USD = { currency: 'USD', rate: 0.92 };
const JPY = { currency: 'JPY', rate: 0.006123 };

const put = ({ tenantId, propertyId }: Address, rates: (typeof USD)[], date: number, key?: RequestKey) => {
  const by = { tenantId, subject: 'u-1', requestId: 'r-1' };
  return exchangeRates.put(by, propertyId, { rates, baseCurrency: 'EUR', date }, key);
};

t.test('rates of a day take the place of those before, in their property alone', async (t) => {
  const [one, two] = [await storedProperty(admin), await storedProperty(admin)];
  t.same(await exchangeRates.list(one), []);
  await put(one, [USD, JPY], 20_000);
  const known = { baseCurrency: 'EUR', date: 20_000, setBy: 'u-1' };
  t.match(await exchangeRates.list(one), [
    { ...JPY, ...known },
    { ...USD, ...known },
  ]);
  await put(one, [{ currency: 'USD', rate: 1_234_567.654321 }], 20_001);
  t.match(await exchangeRates.list(one), [{ currency: 'USD', rate: 1_234_567.654321, date: 20_001 }]);
  t.equal((await exchangeRates.list(one)).length, 1, 'what is not named is not taken any more');
  t.same(await exchangeRates.list(two), []);
  t.same(await exchangeRates.list({ ...one, tenantId: 'rival' }), []);
  await put(one, [], 20_002);
  t.same(await exchangeRates.list(one), []);
});

t.test('each change stands in the administration journal with both days, a repeat does not', async (t) => {
  const property = await storedProperty(admin);
  const key = { key: 'rates', fingerprint: 'f' };
  const first = await put(property, [USD], 20_000, key);
  t.match(await put(property, [USD], 20_000, key), { result: first.result, replayed: true });
  await put(property, [{ ...USD, rate: 0.93 }], 20_001);
  const { rows } = await admin.query(
    `select action, before, after from administration_journal
     where entity = 'exchangeRates' and entity_id = $1 order by seq`,
    [property.propertyId],
  );
  const shown = { ...USD, baseCurrency: 'EUR', date: '2024-10-04' };
  t.strictSame(rows, [
    { action: 'CHANGED', before: { rates: [] }, after: { rates: [shown] } },
    {
      action: 'CHANGED',
      before: { rates: [shown] },
      after: { rates: [{ ...shown, rate: 0.93, date: '2024-10-05' }] },
    },
  ]);
});
