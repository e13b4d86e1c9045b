import { SingleBar, Presets } from 'cli-progress';

import { startDatabase } from '../../src/testing/database.ts';
import { BlackboxProperty } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { Swarm } from '../live/swarm.ts';
import { emptyTally, keepBooking, type Tally } from './clients.ts';

/** Bookers that run all the time, one request after the other each. */
const BOOKERS = 2;
/** Pause between two restarts, so that clients are hit in every state: settled, catching up, about to connect. */
const BETWEEN_MS = [500, 4_000] as const;
const DAYS = 60;
const MANY_ROOMS = 60_000;

/**
 * Clients over both transports, in a process of their own, while the service dies (kill -9) and drains (SIGTERM) in
 * turns among bookings. In the end every replica must equal a fresh snapshot, cell by cell, and no client may have
 * received a booking twice, or not at all.
 */
export async function proveLive(clients: number, restarts: number, pauseMs = 0): Promise<boolean> {
  await using database = await startDatabase();
  const service = await Service.start({ ...NO_LIMITS, DATABASE_URL: database.url });
  try {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: MANY_ROOMS, STD: 50 } });
    const plain = Math.ceil(clients / 2);
    using swarm = await Swarm.open({
      liveUrl: service.dev.liveUrl,
      token: service.token('demo', 'MANAGER'),
      tenantId: 'demo',
      plain,
      socketIo: clients - plain,
      wanted: {
        propertyId: property.propertyId,
        topics: ['grid', 'feed', 'kpi', 'rooms'],
        window: { start: property.day(0), days: DAYS },
      },
    });
    const tally = emptyTally();
    const stop = { now: false };
    const bookers = Array.from({ length: BOOKERS }, () =>
      keepBooking(service, () => property, tally, stop, undefined, pauseMs),
    );
    await restartInTurns(service, restarts);
    stop.now = true;
    await Promise.all(bookers);
    return await report(swarm, tally, restarts);
  } finally {
    await service.remove();
  }
}

async function restartInTurns(service: Service, restarts: number): Promise<void> {
  const bar = new SingleBar({ format: 'restarts {bar} {value}/{total}' }, Presets.shades_classic);
  if (process.stderr.isTTY) bar.start(restarts, 0);
  const [least, most] = BETWEEN_MS;
  for (let n = 0; n < restarts; n++) {
    await pause(least + Math.random() * (most - least));
    if (n % 2 === 0) await service.killHard();
    else await service.terminate();
    await service.up();
    if (process.stderr.isTTY) bar.increment();
  }
  await pause(least);
  if (process.stderr.isTTY) bar.stop();
}

async function report(swarm: Swarm, tally: Tally, restarts: number): Promise<boolean> {
  const booked = [...new Set(tally.acknowledged.map(({ reservationId }) => reservationId))];
  const { cells, differing, repeated, missing } = await swarm.ask({ ask: 'compare', booked });
  const { live, clients, lowest, highest, snapshots, reconnects, problems } = await swarm.ask({ ask: 'report' });
  console.log(`${clients} clients, ${restarts} restarts, ${reconnects} connections lost or refused`);
  console.log(`${booked.length} bookings acknowledged; live at the end: ${live}, at ${lowest} to ${highest}`);
  console.log(`compared with a fresh snapshot of ${cells} items: ${differing.length} clients differ`);
  console.log(`received twice: ${repeated}; not received: ${missing}; caught up by another snapshot: ${snapshots}`);
  for (const text of [...differing.slice(0, 5), ...problems.slice(0, 5), ...tally.strange.slice(0, 5)])
    console.log(`strange: ${text}`);
  const right = live === clients && lowest === highest && booked.length > 0 && cells > 0;
  return right && differing.length + repeated + missing + tally.strange.length === 0;
}
