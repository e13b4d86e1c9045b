import t from 'tap';

import { TenantWatch } from './tenant-watch.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const NOW = 1_800_000_000_000;

t.test('properties follow tenants that were changed recently, and a requested one at once', async (t) => {
  const followed: string[] = [];
  const asked: number[] = [];
  const watch = new TenantWatch({
    tenants: {
      list: async () => ({ items: [] }),
      ofPerson: async () => [],
      changedSince: async (since) => {
        asked.push(NOW - since);
        return ['acme'];
      },
    },
    clock: { now: () => NOW },
    log: quiet,
    follow: async (tenantId) => followed.push(tenantId),
  });
  t.teardown(() => watch[Symbol.asyncDispose]());
  await watch.look();
  watch.ask('rival');
  watch.ask('rival');
  await watch.done();
  t.same(followed, ['acme', 'rival']);
  await watch.look();
  t.same(asked, [3_600_000, 180_000], 'the first look goes further back');
});
