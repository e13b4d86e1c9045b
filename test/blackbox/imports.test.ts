import tap, { test } from 'tap';

import { ImportDesk, imports } from './groups/imports.ts';
import { importKills } from './import-kills.ts';
import { advanceClock, BlackboxProperty } from './property.ts';
import { Service } from './service.ts';
import { until } from './waiting.ts';

tap.setTimeout(240_000);

const service = await Service.start();
tap.teardown(() => service.remove());

void test('imports', (t) => imports(t, service));
void test('the service is killed while it imports', (t) => importKills(t, service));
void test('a report is gone after 90 days, also where nothing is imported any more', async (t) => {
  const { propertyId } = await BlackboxProperty.open(service);
  const desk = new ImportDesk(service, propertyId);
  const { importId } = await desk.run('no,state,from,to,type,name,mail,total,paid\nX,,,,,,,,');
  const url = `${service.dev.reservationUrl}/api/v1/imports/${importId}`;
  const status = async (): Promise<number> => (await service.call('GET', url, { role: 'ADMIN' })).status;
  await advanceClock(service, 89 * 86_400);
  t.equal(await status(), 200);
  await advanceClock(service, 2 * 86_400);
  await until('it is removed', 20_000, async () => (await status()) === 404 || undefined);
});
