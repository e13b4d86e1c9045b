import { BlackboxProperty } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { LoadReport } from '../client/pump.ts';
import { figuresText } from '../first/figures.ts';
import { bookingRequests, CLIENTS, NO_LIMITS, roomRequests } from '../first/hot-property.ts';

const TURNS = 5;
/** Bookings of each kind at a time. */
const BOOKINGS = 100;
const ROOMS = 5;
/** A flash sale: so many rooms, wanted three at a time. */
const LAST = 10;
const AT_ONCE = 3;
const SALES = 20;

/** Several rooms in one booking beside one room, alternately; and the last rooms wanted by many at once. */
export async function benchSeveralRooms(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  const port = Number(new URL(service.dev.reservationUrl).port);
  try {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 20_000 }, policies: { taxPercent: 6 } });
    const one: LoadReport[] = [];
    const several: LoadReport[] = [];
    for (let turn = 0; turn <= TURNS; turn += 1) {
      const to = { port, connections: 1, seconds: 120, requests: BOOKINGS };
      const single = await pumpApart({ ...bookingRequests(property, service, `one-${turn}`), ...to });
      const five = await pumpApart({ ...roomRequests(property, service, `five-${turn}`, [ROOMS]), ...to });
      // The first ones warm up.
      if (turn > 0) one.push(single);
      if (turn > 0) several.push(five);
    }
    const sales = await flashSales(service, port);
    const median = (reports: readonly LoadReport[]): number =>
      reports.map(({ ms }) => ms.p50).toSorted((a, b) => a - b)[reports.length >> 1]!;
    figuresText([
      { what: `one room, ${TURNS} turns of ${BOOKINGS}, p50`, value: `${one.map(({ ms }) => ms.p50).join(', ')} ms` },
      { what: `${ROOMS} rooms, in turns with it, p50`, value: `${several.map(({ ms }) => ms.p50).join(', ')} ms` },
      {
        what: `${ROOMS} rooms to one (1.5 times promised)`,
        value: `${(median(several) / median(one)).toFixed(2)} times`,
      },
      {
        what: `the last ${LAST} rooms, ${AT_ONCE} each, ${CLIENTS} callers, ${SALES} times (p95 200 ms promised)`,
        value: `p95 ${sales.map(({ ms }) => ms.p95).toSorted((a, b) => a - b)[SALES >> 1]} ms in the median, worst ${Math.max(...sales.map(({ ms }) => ms.p95))} ms`,
      },
      { what: '  bookings of each', value: sales.map(({ statuses }) => statuses[201] ?? 0).join(', ') },
    ]);
  } finally {
    await service.remove();
  }
}

async function flashSales(service: Service, port: number): Promise<LoadReport[]> {
  const sales: LoadReport[] = [];
  for (let sale = 0; sale < SALES; sale += 1) {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: LAST } });
    const load = roomRequests(property, service, `flash-${sale}`, [AT_ONCE]);
    sales.push(await pumpApart({ ...load, port, connections: CLIENTS, seconds: 30, requests: CLIENTS }));
  }
  return sales;
}
