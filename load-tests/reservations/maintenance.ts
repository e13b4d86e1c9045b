import { arrival, openWs } from '../../test/blackbox/live-client.ts';
import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { figuresText, middle } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';

const NIGHTS = 365;
const ROOMS = 20;
const ROUNDS = 20;
const PROMISED_MS = 250;
const LOOK_EVERY_MS = 1;

/** A room that is out of order for a year: from the request until a dashboard that shows all its nights has them. */
export async function benchMaintenance(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  try {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: ROOMS } });
    const times = await rounds(service, property);
    const value = `p50 ${middle(times).toFixed(0)} ms, at most ${Math.max(...times).toFixed(0)} ms`;
    figuresText([{ what: `maintenance over ${NIGHTS} nights on a dashboard (${PROMISED_MS} ms promised)`, value }]);
  } finally {
    await service.remove();
  }
}

async function rounds(service: Service, property: BlackboxProperty): Promise<number[]> {
  const { propertyId } = property;
  const client = await openWs(service.dev.liveUrl);
  const window = { start: property.day(0), days: NIGHTS + 1 };
  client.send({ t: 'auth', token: service.token('demo', 'STAFF'), tenantId: 'demo' });
  client.send({ t: 'subscribe', propertyId, topics: ['grid'], window });
  await arrival(client, 'snapshot', ({ t }) => t === 'snapshot');
  const times: number[] = [];
  for (let n = 1; n <= ROUNDS; n += 1) {
    const roomNumber = String(n);
    const path = `/properties/${propertyId}`;
    const room = { roomNumber, roomType: 'DLX', floor: 1 };
    must(await service.tenants('POST', `${path}/rooms`, { body: room }), 201);
    const body = {
      roomNumber,
      from: property.day(1),
      to: property.day(NIGHTS),
      kind: 'OUT_OF_ORDER',
      reason: 'Works',
    };
    const seen = new Set<string>();
    let at = client.frames.length;
    const began = performance.now();
    const opened = service.tenants('POST', `${path}/maintenances`, { body });
    while (seen.size < NIGHTS) {
      for (const { patches = [] } of client.frames.slice(at))
        for (const { topic, date, availableRooms } of patches)
          if (topic === 'grid' && availableRooms === ROOMS - 1) seen.add(date);
      at = client.frames.length;
      if (seen.size < NIGHTS) await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
    }
    times.push(performance.now() - began);
    const { json } = must(await opened, 201) as { json: { maintenanceId?: string } };
    must(await service.tenants('DELETE', `${path}/maintenances/${json.maintenanceId}`), 200);
  }
  client.close();
  return times;
}
