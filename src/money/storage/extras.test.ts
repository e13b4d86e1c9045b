import t from 'tap';

import type { RequestKey } from '../../kernel/rules/administration.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { storedProperty } from '../../testing/stored-property.ts';
import type { Extra } from '../rules/extra.ts';
import { databaseExtras } from './extras.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const extras = databaseExtras(database);

const BREAKFAST = { code: 'BREAKFAST', name: 'Breakfast', price: 1_850, taxPercent: 7.5, active: true };

const by = ({ tenantId }: Address) => ({ tenantId, subject: 'u-1', requestId: 'r-1' });
const put = (to: Address, extra: Extra, key?: RequestKey) =>
  extras.put(by(to), to.propertyId, { extra, currency: 'EUR' }, key);
const remove = (to: Address, code: string, key?: RequestKey) => extras.remove(by(to), to.propertyId, code, key);

t.test('an extra is put, replaced, removed and put again, in its property alone', async (t) => {
  const [one, two] = [await storedProperty(admin), await storedProperty(admin)];
  const spa = { ...BREAKFAST, code: 'A-SPA', description: 'Two hours', category: 'Wellness', active: false };
  await put(one, BREAKFAST);
  await put(one, spa);
  t.strictSame(await extras.list(one), [spa, BREAKFAST]);
  t.same(await extras.list(two), []);
  t.same(await extras.list({ ...one, tenantId: 'rival' }), []);
  const dearer = { ...BREAKFAST, price: 9_999_999_999 };
  await put(one, dearer);
  t.strictSame(await extras.list(one), [spa, dearer]);
  await t.rejects(remove(two, 'BREAKFAST'), { code: 'SERVICE_NOT_FOUND' });
  await remove(one, 'BREAKFAST');
  await t.rejects(remove(one, 'BREAKFAST'), { code: 'SERVICE_NOT_FOUND' });
  await put(one, BREAKFAST);
  t.strictSame(await extras.list(one), [spa, BREAKFAST]);
});

t.test('an extra that was removed comes back as it was last', async (t) => {
  const property = await storedProperty(admin);
  const restore = () => extras.restore(by(property), property.propertyId, 'BREAKFAST');
  await t.rejects(restore(), { code: 'SERVICE_NOT_FOUND' });
  await put(property, { ...BREAKFAST, price: 1_000 });
  await remove(property, 'BREAKFAST');
  await put(property, BREAKFAST);
  await t.rejects(restore(), { code: 'INVALID_STATE' });
  await remove(property, 'BREAKFAST');
  t.strictSame((await restore()).result, { extra: BREAKFAST, currency: 'EUR' });
  t.strictSame(await extras.list(property), [BREAKFAST]);
});

t.test('each change is written to the administration journal, a repeat under its key is not', async (t) => {
  const property = await storedProperty(admin);
  const key = { key: 'breakfast', fingerprint: 'f' };
  const first = await put(property, BREAKFAST, key);
  t.strictSame(await put(property, BREAKFAST, key), { ...first, replayed: true });
  await put(property, { ...BREAKFAST, price: 2_000 });
  const gone = { key: 'gone', fingerprint: 'f' };
  t.equal((await remove(property, 'BREAKFAST', gone)).replayed, false);
  t.equal((await remove(property, 'BREAKFAST', gone)).replayed, true);
  const { rows } = await admin.query(
    `select action, before ->> 'price' as before, after ->> 'price' as after, after ->> 'currency' as currency
     from administration_journal where entity = 'service' and entity_id = $1 order by seq`,
    [`${property.propertyId}/BREAKFAST`],
  );
  t.same(rows, [
    { action: 'CREATED', before: null, after: '18.5', currency: 'EUR' },
    { action: 'CHANGED', before: '18.5', after: '20', currency: 'EUR' },
    { action: 'REMOVED', before: '20', after: null, currency: null },
  ]);
});
