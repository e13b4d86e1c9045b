import t from 'tap';

import { connect } from '../../platform/database/connection.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { seedTenants } from './seed-tenants.ts';
import { StoredTenants } from './tenants.ts';

const { url } = await withTestDatabase(t);
const database = await openDatabase(url);
const system = await connect(url, 'innkeeper_system');
t.teardown(async () => {
  await system.end();
  await database[Symbol.asyncDispose]();
});

t.test('operators find tenants by a part of the id or the name, in any case, page by page', async (t) => {
  const named = { 'bay-inn': 'Inns by the Sea', harbor: 'Harbor Hotels', 'inn-100': '100 % Inns' };
  for (const [tenantId, name] of Object.entries(named))
    await seedTenants(database, [{ tenantId, name, type: 'INDEPENDENT', users: [] }]);
  const tenants = new StoredTenants(async () => system);
  const found = async (part?: string): Promise<Set<string>> =>
    new Set((await tenants.list(50, undefined, part)).items.map(({ tenantId }) => tenantId));
  t.same(await found(), new Set(Object.keys(named)));
  t.same(await found('INN'), new Set(['bay-inn', 'inn-100']));
  t.same(await found('hotels'), new Set(['harbor']));
  t.same(await found('%'), new Set(['inn-100']), 'signs are no pattern');
  t.same(await found('nobody'), new Set());
  const first = await tenants.list(1, undefined, 'inn');
  const second = await tenants.list(1, first.next, 'inn');
  t.same(new Set([...first.items, ...second.items].map(({ tenantId }) => tenantId)), await found('inn'));
  t.equal(second.next, undefined);
});
