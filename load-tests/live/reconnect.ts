import { startDatabase, type TestDatabase } from '../../src/testing/database.ts';
import { BlackboxProperty } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { seconds, figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { change, PROTOCOLS, watchers } from './frames.ts';
import type { Goal } from './goals.ts';
import type { Swarm } from './swarm.ts';

const CLIENTS = 2_000;
const AT_MOST_MS = 60_000;

/** All connections cut at once; time until all show the present, and the database's work meanwhile. */
export async function benchReconnect(): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const protocol of PROTOCOLS) {
    await using database = await startDatabase();
    const service = await Service.start({ ...NO_LIMITS, DATABASE_URL: database.url });
    try {
      const property = await BlackboxProperty.open(service);
      using swarm = await watchers(service, property, protocol, CLIENTS, false);
      await pause(1_000);
      const before = await snapshotReads(database);
      await swarm.ask({ ask: 'report' });
      const began = performance.now();
      await swarm.ask({ ask: 'cut' });
      await change(property, 1);
      const { snapshots } = await allBack(swarm);
      const took = performance.now() - began;
      await pause(1_500);
      const value = (await snapshotReads(database)) - before;
      figuresText([
        { what: `${protocol}: ${CLIENTS} cut at once: all live, with 20 changes meanwhile`, value: seconds(took) },
        { what: `${protocol}: snapshots; all others got what they missed`, value: `${snapshots}` },
      ]);
      const what = `${protocol}: reads of the property while ${CLIENTS} come back at once`;
      goals.push({ what, value, unit: 'reads', atMost: 0 });
    } finally {
      await service.remove();
    }
  }
  return goals;
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

/**
 * Scans of tables that only loading a property reads (mails and sources read types and plans too), as PostgreSQL counts
 * them.
 */
async function snapshotReads({ admin }: TestDatabase): Promise<number> {
  const { rows } = await admin.query<{ scans: string }>(
    `select coalesce(sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)), 0) as scans
     from pg_stat_all_tables where schemaname in ('public', 'availability') and relname in ('rate_signals', 'room_assignments')`,
  );
  return Number(rows[0]?.scans);
}
