import t from 'tap';

import type { ExpiredKeys, KeysOfTenants } from '../../history/ports.ts';
import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { RoundRegistry } from '../../platform/jobs/round-registry.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { Gate } from '../../testing/fake-clock.ts';
import { databaseExpiredKeys } from '../storage/expired-keys.ts';
import { KeyForgetting } from './forget-keys.ts';

const { admin, url } = await withTestDatabase(t);
const stored = databaseExpiredKeys(url);
for (const tenantId of ['acme', 'bad', 'rival'])
  await admin.query(`insert into tenants (tenant_id, name) values ($1, 'T') on conflict do nothing`, [tenantId]);

/** Stores so many keys of a tenant, created so many hours ago. */
const keep = (count: number, hours: number, tenantId = 'acme') =>
  admin.query(
    `insert into idempotency (tenant_id, subject, key, fingerprint, state, created_at, expires_at)
     select $1, 's', gen_random_uuid(), 'f', 'DONE', now() - $2 * interval '1 hour', now() + (24 - $2) * interval '1 hour'
     from generate_series(1, $3::int) as n`,
    [tenantId, hours, count],
  );
const counts = async () =>
  Object.fromEntries(
    (
      await admin.query<{ tenant_id: string; n: number }>(
        'select tenant_id, count(*)::int as n from idempotency group by 1',
      )
    ).rows.map(({ tenant_id, n }) => [tenant_id, n]),
  );
const forgetting = (keys: ExpiredKeys = stored, more: Partial<ConstructorParameters<typeof KeyForgetting>[0]> = {}) =>
  new KeyForgetting({ keys, log: quiet, ended: () => false, ...more });
/** Wraps the keys of the tenants. */
const but = (wrap: (keys: KeysOfTenants) => KeysOfTenants): ExpiredKeys => ({
  alone: (work) => stored.alone((keys) => work(wrap(keys))),
});

t.afterEach(async () => void (await admin.query('delete from idempotency')));

t.test('keys are forgotten after 25 hours, those of the last day are not', async (t) => {
  await keep(1_200, 26);
  await keep(1_200, 300, 'rival');
  await keep(1_200, 24);
  const one = forgetting();
  await one.run();
  t.same(await counts(), { acme: 1_200 });
  t.same([one.forgotten, one.overdueSeconds], [2_400, 0]);
});

t.test('a round keeps up with far more than is made: 3,500 a second for the installation', async (t) => {
  await keep(60_000, 30);
  await keep(5_000, 30, 'rival');
  const one = forgetting();
  const began = performance.now();
  await one.run();
  const seconds = (performance.now() - began) / 1_000;
  t.same(await counts(), {});
  t.equal(one.forgotten, 65_000);
  // Rounds are a minute apart and work for three quarters of it.
  t.ok((65_000 / seconds) * 0.75 > 3_500, `${Math.round(65_000 / seconds)} keys a second`);
});

t.test('a tenant whose keys cannot be forgotten is named, and the others go on', async (t) => {
  for (const tenantId of ['acme', 'bad', 'rival']) await keep(10, 30, tenantId);
  const registry = new RoundRegistry();
  const each = new ItemRunner(registry.register('expired-keys', 60_000), quiet);
  const one = forgetting(
    but(({ tenants, forget }) => ({
      tenants,
      forget: async (tenantId, most) => {
        if (tenantId === 'bad') throw new Error('bad row');
        return forget(tenantId, most);
      },
    })),
  );
  await one.run(each);
  t.same(await counts(), { bad: 10 });
  t.same(registry.figures()[0]!.failedItems, ['bad']);
  await new Promise((later) => setTimeout(later, 20));
  t.ok(one.overdueSeconds > 0, 'and it shows in the age of what should be gone');
});

t.test(
  'keys left by a round that was too short are reported with their age, and the next round continues',
  async (t) => {
    await keep(2_500, 30);
    const one = forgetting(stored, { longestRoundMs: 0 });
    await one.run();
    t.same(await counts(), { acme: 2_500 });
    let looks = 0;
    const two = forgetting(stored, { ended: () => ++looks > 4 });
    await two.run();
    t.same(await counts(), { acme: 500 }, 'it stops between two batches when the lease is lost, or the node stops');
    t.ok(Math.abs(two.overdueSeconds - 5 * 3_600) < 60, `${two.overdueSeconds} s`);
    await two.run();
    await forgetting().run();
    t.same(await counts(), {});
  },
);

t.test('keys in use by a commit are left for the next round, and no commit waits', async (t) => {
  await keep(3, 30);
  await admin.query('begin');
  await admin.query(`select from idempotency order by key limit 1 for update`);
  const one = forgetting();
  await one.run();
  t.ok(one.overdueSeconds > 0);
  await admin.query('commit');
  t.same(await counts(), { acme: 1 });
  await one.run();
  t.same([await counts(), one.overdueSeconds], [{}, 0]);
});

t.test('one node at a time removes keys; the others report nothing', async (t) => {
  const [begun, go] = [new Gate(), new Gate()];
  const first = stored.alone(async () => {
    begun.open();
    await go.opened;
  });
  await begun.opened;
  await keep(5, 30);
  const one = forgetting();
  await one.run();
  t.same([await counts(), one.overdueSeconds], [{ acme: 5 }, 0]);
  go.open();
  await first;
  await one.run();
  t.same(await counts(), {});
});
