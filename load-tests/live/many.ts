import { readFileSync } from 'node:fs';
import { startDatabase, type TestDatabase } from '../../src/testing/database.ts';
import { House } from '../../test/blackbox/house.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { seconds, tell } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { change, watchers } from './frames.ts';
import type { Swarm } from './swarm.ts';

const SOCKETS = 2_000;
const FEW = 20;
/** So long the memory of the process is looked at; the least of it counts, since garbage comes and goes. */
const LOOK_SECONDS = 12;
const AT_MOST_MS = 60_000;

/** What 2,000 plain sockets take of the memory of a service that has had but a few. */
export async function benchMemory(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  try {
    const house = await House.open(service);
    // Code that has run stays, and is nothing of a socket's; memory of sockets that came and went would be used again.
    const first = await watchers(service, house, 'ws', FEW);
    await change(house, 3);
    first[Symbol.dispose]();
    const without = await leastMemory(service);
    using swarm = await watchers(service, house, 'ws', SOCKETS);
    const between = await leastMemory(service);
    const { live } = await swarm.ask({ ask: 'report' });
    tell([
      {
        what: `${live} ws sockets more than none (60 MB)`,
        value: `${between - without} MB: ${between} MB, before ${without} MB`,
      },
    ]);
  } finally {
    await service.remove();
  }
}

/** All connections cut at once; how long until all show the present, and what the database did meanwhile. */
export async function benchReconnect(): Promise<void> {
  await using database = await startDatabase();
  const service = await Service.start({ ...NO_LIMITS, DATABASE_URL: database.url });
  try {
    const house = await House.open(service);
    using swarm = await watchers(service, house, 'ws', SOCKETS, false);
    await pause(1_000);
    const before = await snapshotReads(database);
    await swarm.ask({ ask: 'report' });
    const began = performance.now();
    await swarm.ask({ ask: 'cut' });
    await change(house, 1);
    const { snapshots } = await allBack(swarm);
    const took = performance.now() - began;
    await pause(1_500);
    const reads = (await snapshotReads(database)) - before;
    tell([
      { what: `${SOCKETS} cut at once: all live again, with 20 changes meanwhile`, value: seconds(took) },
      { what: 'reads of the property from the database (none promised)', value: `${reads}` },
      { what: 'snapshots from memory; all others got what they missed', value: `${snapshots}` },
    ]);
  } finally {
    await service.remove();
  }
}

async function allBack(swarm: Swarm): Promise<{ snapshots: number }> {
  const end = performance.now() + AT_MOST_MS;
  for (;;) {
    const { live, clients, reconnects, lowest, highest, snapshots } = await swarm.ask({ ask: 'report' });
    if (reconnects >= clients && live === clients && lowest === highest) return { snapshots };
    if (performance.now() > end) throw new Error(`${live} of ${clients} are live, at ${lowest} to ${highest}`);
    await pause(20);
  }
}

/** Scans of a table that only loading a property reads, as PostgreSQL counts them. */
async function snapshotReads({ admin }: TestDatabase): Promise<number> {
  const { rows } = await admin.query<{ scans: string }>(
    `select coalesce(sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)), 0) as scans
     from pg_stat_all_tables where schemaname in ('public', 'availability') and relname in ('room_types', 'rates')`,
  );
  return Number(rows[0]?.scans);
}

/** Resident memory in MB. */
async function leastMemory(service: Service): Promise<number> {
  const { pid } = service.dev;
  let least = Infinity;
  for (let n = 0; n < LOOK_SECONDS; n++) {
    await pause(1_000);
    const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    least = Math.min(least, Math.round(Number(kb) / 1024));
  }
  return least;
}
