import t, { type Test } from 'tap';

import { launchBrowser, openPage, pageTestOptions, signInWithToken } from '../../src/testing/live/page-browser.ts';
import { isNightly } from '../loop/nightly.ts';
import type { Answer } from './http.ts';
import { must } from './property.ts';
import { type CallOptions, Service } from './service.ts';
import { until } from './waiting.ts';

t.setTimeout(300_000);

const HOTELS = ['harbor-hotel', 'mountain-resort'] as const;
const SOON_MS = 30_000;
/** The past is written behind the start, on a machine with other work. */
const PAST_MS = 200_000;
const DAY_MS = 86_400_000;

type Audit = {
  violations: unknown[];
  oversold: unknown[];
  money: { violations: unknown[]; reservationsChecked: number };
};
type Stay = { reservationId: string; createdAt: string; status: string; guestInfo: { email: string } };
type Page<T> = { items: T[] };
type Demo = { pace: string; properties: { propertyId: string; partsDone: number; parts: number }[] };

/** A first start on an empty folder: the template of the other tests has its hotels already. */
async function started(test: Pick<Test, 'teardown'>, env: Record<string, string>): Promise<Service> {
  const service = await Service.prepare(env);
  test.teardown(() => service.remove());
  return service.up();
}

const day = (n: number): string => new Date(Date.now() - 12 * 3_600_000 + n * DAY_MS).toISOString().slice(0, 10);

void t.test('a first start brings hotels that live', async (t) => {
  const began = Date.now();
  const service = await started(t, { DEMO: '1', DEMO_PACE: '60' });
  t.comment(`ready after ${service.readyMs} ms`);
  const read = async <T>(path: string, options: CallOptions = {}): Promise<T> => {
    const url = `${service.dev.reservationUrl}${path}`;
    const answer: Answer<T> = await service.call<T>('GET', url, { role: 'MANAGER', ...options });
    return must(answer, 200).json;
  };
  const isClean = async (hotel: string): Promise<Audit> => {
    const audit = await read<Audit>(`/api/v1/admin/audit/${hotel}`, { role: 'ADMIN' });
    const { violations, oversold, money } = audit;
    t.same({ violations, oversold, money: money.violations }, { violations: [], oversold: [], money: [] }, hotel);
    return audit;
  };
  // A start waits 30 s for them at most.
  await until('the hotels are there', PAST_MS, async () => {
    const url = `${service.dev.reservationUrl}/actuator/health/sampleData`;
    return (await service.call<{ status: string }>('GET', url)).json.status === 'UP' || undefined;
  });
  for (const hotel of HOTELS) await isClean(hotel);

  const arrivals = await read<Page<unknown>>(`/api/v1/reports/arrivals?propertyId=harbor-hotel&date=${day(0)}`);
  t.ok(arrivals.items.length > 0, 'guests arrive today');
  const extras = await read<Page<unknown>>('/api/v1/tenants/demo/properties/harbor-hotel/services');
  t.equal(extras.items.length, 4, 'the desk has something to post');
  const ahead = `/api/v1/reservations?propertyId=harbor-hotel&status=CONFIRMED&arrivalFrom=${day(30)}&limit=50`;
  t.equal((await read<Page<Stay>>(ahead)).items.length, 50, 'months ahead are on the books');
  const pickup = `/api/v1/tenants/demo/properties/harbor-hotel/pickup?days=7&start_date=${day(0)}&end_date=${day(60)}`;
  t.match(JSON.stringify(await read(pickup)), /"pickup":[1-9]/, 'rooms were sold in the last week');

  const isNew = ({ createdAt, guestInfo }: Stay): boolean =>
    Date.parse(createdAt) > began && /\.\d+@example\.com$/.test(guestInfo.email);
  const newest = '/api/v1/reservations?limit=20';
  await until('a guest books by himself', SOON_MS, async () => (await read<Page<Stay>>(newest)).items.find(isNew));

  await t.test('whose pace a manager sets, also across a restart', async (t) => {
    const url = `${service.dev.reservationUrl}/dev/demo`;
    t.match(await read<Demo>('/dev/demo'), { pace: 'FAST', properties: [{}, {}] });
    const put = (pace: string, role: 'MANAGER' | 'STAFF') => service.call('PUT', url, { role, body: { pace } });
    t.equal((await put('OFF', 'STAFF')).status, 403);
    t.equal((await put('120', 'MANAGER')).status, 400);
    t.match(must(await put('OFF', 'MANAGER'), 200).json, { pace: 'OFF' });
  });

  await t.test('which the header of the dashboard shows', pageTestOptions, async (t) => {
    const browser = await launchBrowser();
    t.teardown(() => browser.close());
    const { page, complaints } = await openPage(browser, service.dev.liveUrl);
    await signInWithToken(page, service.token('demo', 'MANAGER'));
    const pace = page.getByLabel('Demo pace');
    await pace.waitFor();
    t.equal(await pace.inputValue(), 'OFF');
    await pace.selectOption('Real pace');
    const isReal = async () => ((await read<Demo>('/dev/demo')).pace === 'REAL' ? true : undefined);
    await until('the pace is set', SOON_MS, isReal);
    await pace.selectOption('Off');
    await until('the pace is off', SOON_MS, async () =>
      (await read<Demo>('/dev/demo')).pace === 'OFF' ? true : undefined,
    );
    t.strictSame(complaints, []);
  });

  // In CI living-demo.test.ts holds it, also killed between two parts; as a whole it is half a minute of a processor.
  if (!isNightly()) return;
  await t.test('and last year comes behind the start, also when it is killed', async (t) => {
    const audits = `/api/v1/analytics/reports?propertyId=harbor-hotel&from=${day(-364)}&to=${day(-340)}&limit=50`;
    const isThere = async (): Promise<true | undefined> => {
      const { properties } = await read<Demo>('/dev/demo');
      return properties.some(({ partsDone }) => partsDone > 0) || undefined;
    };
    await until('a part of the past is written', PAST_MS, isThere);
    await service.killHard();
    await service.up();
    t.match(await read<Demo>('/dev/demo'), { pace: 'OFF' }, 'nobody comes after the restart either');
    const lastYear = async (): Promise<Page<{ content: { roomsSold: number } }> | undefined> => {
      const page = await read<Page<{ content: { roomsSold: number } }>>(audits);
      return page.items.length > 0 ? page : undefined;
    };
    const { items } = await until('pace against last year', PAST_MS, lastYear);
    t.ok(
      items.every(({ content }) => content.roomsSold > 20),
      'with rooms sold on each day',
    );
    for (const hotel of HOTELS) await isClean(hotel);
  });
});

async function empty(t: Test): Promise<void> {
  const service = await Service.start({ DEMO: 'empty' });
  t.teardown(() => service.remove());
  const properties = await service.tenants<Page<{ propertyId: string }>>('GET', '/properties');
  t.same(
    must(properties, 200)
      .json.items.map(({ propertyId }) => propertyId)
      .sort(),
    HOTELS,
  );
  const stays = await service.reservations<Page<Stay>>('GET', '?limit=5');
  t.same(must(stays, 200).json.items, []);
  const demo = await service.call('GET', `${service.dev.reservationUrl}/dev/demo`, { role: 'MANAGER' });
  t.equal(demo.status, 404, 'there is no pace to set');
}

async function none(t: Test): Promise<void> {
  const service = await started(t, { DEMO: '0' });
  const answer = await service.tenants('GET', '/properties');
  t.ok(answer.status === 403 || answer.status === 404, `not even a tenant: ${answer.status}`);
}

// All other files start with an empty one, and nodes of a cluster beyond the first with none.
if (isNightly()) {
  void t.test('DEMO=empty sets the hotels up, and nothing moves', empty);
  void t.test('DEMO=0 brings nothing', none);
}

void t.test('another value of DEMO is refused at the start', async (t) => {
  const refused = await Service.prepare({ DEMO: 'maybe' });
  t.teardown(() => refused.remove());
  const launched = refused.launch();
  t.equal(await launched.exited, 1);
  t.match(launched.output, /DEMO: expected 1, empty or 0/);
});
