import { advanceClock, BlackboxProperty, must, serviceClock } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import { figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';

const ARRIVALS = 500;
const ROOMS = 520;
const PROMISED_MS = 2_000;

/**
 * Rooms for 500 arrivals of one property at 14:00 of the day before, from the moment that the clock passes it until all
 * are committed, including other work due in that minute.
 */
export async function benchAssignment(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  try {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: ROOMS } });
    const rooms = `/properties/${property.propertyId}/rooms`;
    for (let n = 1; n <= ROOMS; n += 1)
      must(await service.tenants('POST', rooms, { body: { roomNumber: `${n}`, roomType: 'DLX', floor: 1 } }), 201);
    const guest = { firstName: 'Load', lastName: 'Tester {n}', email: 'assigned-{n}@example.com' };
    const body = [1, 2, 3].map((nights) => JSON.stringify(property.wish({ from: 4, nights, guest })));
    await pumpApart({
      port: Number(new URL(service.dev.reservationUrl).port),
      method: 'POST',
      connections: 16,
      seconds: 60,
      headers: {
        authorization: `Bearer ${service.token('demo', 'STAFF')}`,
        'x-tenant-id': 'demo',
        'content-type': 'application/json',
        'idempotency-key': 'assigned-{n}',
      },
      paths: body.map(() => '/api/v1/reservations'),
      body,
      requests: ARRIVALS,
    });
    await goTo(service, Date.parse(`${property.day(3)}T13:59:00Z`));
    const began = performance.now();
    await goTo(service, Date.parse(`${property.day(3)}T14:00:30Z`));
    const ms = Math.round(performance.now() - began);
    const numbers = (await property.reservations()).map(({ stayDetails }) => stayDetails.roomNumber);
    const given = new Set(numbers.filter((number) => number !== 'TBA')).size;
    figuresText([
      { what: `rooms for ${ARRIVALS} arrivals (${PROMISED_MS} ms promised)`, value: `${ms} ms, ${given} have one` },
    ]);
  } finally {
    await service.remove();
  }
}

async function goTo(service: Service, instant: number): Promise<void> {
  const by = (instant - Date.parse((await serviceClock(service)).now)) / 1_000;
  must(await advanceClock(service, Math.ceil(by)), 200);
}
