import t from 'tap';

import type { Administration } from '../ports.ts';
import type { TenantConfig } from '../rules/tenant.ts';
import { TenantChanges } from './tenant-changes.ts';
import { TenantSettings } from './tenant-settings.ts';

t.test('settings of a tenant replace the defaults, and are read again after a change', async (t) => {
  let config: TenantConfig | undefined;
  let reads = 0;
  const read = async () => {
    reads += 1;
    return config ?? {};
  };
  const changes = new TenantChanges();
  const settings = new TenantSettings({ read } as unknown as Administration, changes);
  t.same(await settings.of('acme'), {
    notifications: { confirmations: true, reminders: true, reminderHours: 24 },
    analysisCacheSeconds: 3_600,
    competitorRefreshHours: 6,
  });
  config = { policies: { taxPercent: 7 }, notifications: { reminderHours: 48 }, competitorRefreshHours: 12 };
  t.match(await settings.of('acme'), { competitorRefreshHours: 6 }, 'for half a minute');
  t.equal(reads, 1);
  t.same(await settings.policies('acme'), { taxPercent: 7 }, 'policies are asked for as they are');
  changes.emit('configured', 'rival');
  t.match(await settings.of('acme'), { competitorRefreshHours: 6 });
  changes.emit('configured', 'acme');
  t.same(await settings.of('acme'), {
    notifications: { confirmations: true, reminders: true, reminderHours: 48 },
    analysisCacheSeconds: 3_600,
    competitorRefreshHours: 12,
  });
});
