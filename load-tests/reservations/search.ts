import { BlackboxProperty } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { LoadReport } from '../client/pump.ts';
import { figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';

const PROPERTIES = 50;
const TYPES = ['STD', 'DLX', 'STE'];
const PER_SECOND = 20;
const WARM_UP_SECONDS = 3;
const SECONDS = 8;
const CONNECTIONS = 8;
/** Alternating stays, with different dates and lengths. */
const STAYS = 90;
const PROMISED_MS = 50;

/** Offers of 50 properties with three types each, with another stay in each search. */
export async function benchSearch(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  try {
    const rooms = Object.fromEntries(TYPES.map((type) => [type, 40]));
    const properties: BlackboxProperty[] = [];
    for (let n = 0; n < PROPERTIES; n += 1) properties.push(await BlackboxProperty.open(service, { rooms }));
    const propertyIds = properties.map(({ propertyId }) => propertyId);
    const stays = Array.from({ length: STAYS }, (_, n) => ({
      checkIn: properties[0]!.day(1 + n),
      checkOut: properties[0]!.day(2 + n + (n % 7)),
    }));
    const path = '/availability/search';
    const [first] = stays;
    const answer = await service.tenants<{ items: unknown[] }>('POST', path, { body: { ...first, propertyIds } });
    const search = (seconds: number): Promise<LoadReport> =>
      pumpApart({
        port: Number(new URL(service.dev.reservationUrl).port),
        method: 'POST',
        paths: [`/api/v1/tenants/demo${path}`],
        headers: {
          authorization: `Bearer ${service.token('demo', 'VIEWER')}`,
          'x-tenant-id': 'demo',
          'content-type': 'application/json',
        },
        body: stays.map((stay) => JSON.stringify({ ...stay, adults: 2, propertyIds })),
        connections: CONNECTIONS,
        seconds,
        perSecond: PER_SECOND,
      });
    await search(WARM_UP_SECONDS);
    const { ms, statuses } = await search(SECONDS);
    figuresText([
      { what: 'offers of a search, and bytes', value: `${answer.json.items.length}, ${answer.text.length}` },
      {
        what: `search over ${PROPERTIES} properties, ${PER_SECOND} due a second (p95 ${PROMISED_MS} ms promised)`,
        value: `p50 ${ms.p50}, p95 ${ms.p95}, p99 ${ms.p99} ms, answers ${JSON.stringify(statuses)}`,
      },
    ]);
  } finally {
    await service.remove();
  }
}
