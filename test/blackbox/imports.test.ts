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
/** Whatever its columns give, a line has an outcome. */
const text = (value: string) => ({ value });
const MAPPING_OF_TWO = {
  files: [
    {
      kind: 'reservations',
      fields: { externalId: 'no', status: 'state', checkIn: text('x'), roomType: text('STD') },
    },
  ],
};

void test('a report is gone after 90 days, also where nothing is imported any more', async (t) => {
  const { propertyId } = await BlackboxProperty.open(service);
  const desk = new ImportDesk(service, propertyId);
  const { importId } = await desk.run('no,state,from,to,type,name,mail,total,paid\nX,,,,,,,,');
  const status = async (path = importId): Promise<number> => (await desk.ask('GET', `/${path}`)).status;
  const tried = await desk.uploaded('no,state\nX,Y', 'tried.csv');
  await desk.ask('POST', `/${tried}/runs`, { dryRun: true, mapping: MAPPING_OF_TWO });
  await desk.ended(tried);
  const uploaded = await desk.uploaded('no,state\nX,Y', 'only.csv');
  await advanceClock(service, 6 * 86_400);
  t.equal(await status(`${uploaded}/sample`), 200);
  t.equal(await status(`${tried}/sample`), 200);
  await advanceClock(service, 2 * 86_400);
  await until(
    'a file that was never run is removed',
    20_000,
    async () => (await status(uploaded)) === 404 || undefined,
  );
  t.equal(await status(`${tried}/sample`), 409, 'and that of a dry run');
  t.equal(await status(tried), 200, 'whose report stays');
  await advanceClock(service, 81 * 86_400);
  t.equal(await status(), 200);
  await advanceClock(service, 2 * 86_400);
  await until('it is removed', 20_000, async () => (await status()) === 404 || undefined);
});
