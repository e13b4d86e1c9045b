import t from 'tap';

import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { databaseAssociations } from './associations.ts';
import { seedTenants, type SeedTenant } from './seed-tenants.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const associations = databaseAssociations(database);

const iss = 'http://127.0.0.1:8086';
const user = (sub: string, role: SeedTenant['users'][number]['role']) => ({
  iss,
  sub,
  role,
  name: `O'Brien "${sub}" \\`,
  email: `${sub}@example.com`,
});
const TENANTS: SeedTenant[] = [
  { tenantId: 'demo', name: 'Demo', type: 'CHAIN', users: [user('ann', 'OWNER'), user('bob', 'STAFF')] },
  { tenantId: 'rival', name: 'Rival', type: 'INDEPENDENT', users: [user('ann', 'VIEWER')] },
];

const rows = async (sql: string) => (await admin.query(sql)).rows;

t.test('tenants, users and roles are there after the first start, and once after the second', async (t) => {
  t.same(await seedTenants(database, TENANTS), ['demo', 'rival']);
  t.same(await seedTenants(database, TENANTS), []);
  t.same(await rows('select tenant_id, name, type, status from tenants order by 1'), [
    { tenant_id: 'demo', name: 'Demo', type: 'CHAIN', status: 'ACTIVE' },
    { tenant_id: 'rival', name: 'Rival', type: 'INDEPENDENT', status: 'ACTIVE' },
  ]);
  t.same(await rows('select tenant_id, sub, name, email from users order by 1, 2'), [
    { tenant_id: 'demo', sub: 'ann', name: `O'Brien "ann" \\`, email: 'ann@example.com' },
    { tenant_id: 'demo', sub: 'bob', name: `O'Brien "bob" \\`, email: 'bob@example.com' },
    { tenant_id: 'rival', sub: 'ann', name: `O'Brien "ann" \\`, email: 'ann@example.com' },
  ]);
});

t.test('a person has a role of its own in each tenant', async (t) => {
  const here = await associations.find('demo', iss, 'ann');
  const there = await associations.find('rival', iss, 'ann');
  t.match(here, { role: 'OWNER', tenantStatus: 'ACTIVE', userId: /^[\da-f-]{36}$/ });
  t.match(there, { role: 'VIEWER', tenantStatus: 'ACTIVE' });
  t.not(here?.userId, there?.userId);
});

t.test('strangers and unknown tenants look the same', async (t) => {
  for (const [tenant, issuer, sub] of [
    ['rival', iss, 'bob'],
    ['nowhere', iss, 'ann'],
    ['demo', 'http://other', 'ann'],
    ['', iss, 'ann'],
    [`demo' or 'a'='a`, iss, 'ann'],
  ] as const) {
    t.equal(await associations.find(tenant, issuer, sub), undefined, `${sub} in ${tenant}`);
  }
});

t.test('a change of role, a suspension and a removal show at once, and seeding does not undo them', async (t) => {
  await admin.query(`update user_tenant_associations set role = 'ADMIN' where tenant_id = 'demo'`);
  await admin.query(`update tenants set status = 'SUSPENDED' where tenant_id = 'demo'`);
  await seedTenants(database, TENANTS);
  t.match(await associations.find('demo', iss, 'bob'), { role: 'ADMIN', tenantStatus: 'SUSPENDED' });
  for (const table of ['user_tenant_associations', 'users', 'tenants']) {
    await admin.query(`update ${table} set deleted_at = now() where tenant_id = 'demo'`);
    await seedTenants(database, TENANTS);
    t.equal(await associations.find('demo', iss, 'bob'), undefined, `deleted in ${table}`);
    await admin.query(`update ${table} set deleted_at = null where tenant_id = 'demo'`);
  }
});
