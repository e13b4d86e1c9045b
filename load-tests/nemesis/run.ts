import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { HttpClient } from '../client/http.ts';
import { ClusterWorld } from '../cluster/cluster-world.ts';
import { openProperties, reopenRooms } from '../cluster/properties.ts';
import { SmallDisk } from '../cluster/small-disk.ts';
import { startClients } from './clients.ts';
import { Dashboards } from './dashboards.ts';
import type { Fault } from './fault.ts';
import { History } from './history.ts';
import { type Findings, judge } from './judge.ts';
import { neutralHistory } from './neutral-history.ts';
import { seeded } from './seeded.ts';
import { faultsOf, strike } from './strike.ts';
import { removeFence } from './unfenced.ts';

export type NemesisOptions = {
  minutes: number;
  runtime: 'deno' | 'node';
  fence: boolean;
  seed: number;
  nodes: number;
  properties: number;
  recoverySeconds: number;
  /** Only faults whose name contains it. */
  only: string;
  /** Also unreadable rows. */
  poison: boolean;
  /** Folder for history and logs. */
  into: string;
};

/** The history for checkers of others (docs/reference/histories.md#lines), in the folder of the run. */
export const NEUTRAL_FILE = 'history.ndjson';

const ROOMS = { STD: 3, DLX: 2 };
const PRICED_NIGHTS = 120;

/** The whole run: a cluster, its clients and dashboards, a sequence of faults, and the result. */
export async function runNemesis(options: NemesisOptions): Promise<Findings> {
  const { runtime, fence, seed, properties: count, into } = options;
  mkdirSync(into, { recursive: true });
  const prepare = fence ? undefined : removeFence;
  const wantsDisk = faultsOf({ ...options, hasDisk: true }).some(({ needs }) => needs === 'small disk');
  using smallDisk = wantsDisk ? SmallDisk.mount() : undefined;
  const faults = faultsOf({ ...options, hasDisk: smallDisk !== undefined });
  planText(faults, options, wantsDisk && !smallDisk);
  await using world = await ClusterWorld.open({ runtime, nodes: options.nodes, proxies: true, prepare, smallDisk });
  try {
    const headers = { authorization: `Bearer ${world.token('ADMIN')}`, 'x-tenant-id': world.tenantId };
    using admin = new HttpClient({ sockets: 4, headers });
    const wish = { rooms: ROOMS, nights: PRICED_NIGHTS, hasRooms: true };
    const properties = await openProperties(world, admin, count, wish);
    using dashboards = new Dashboards(world, properties);
    await dashboards.live();
    await using history = new History(join(into, 'history.jsonl'));
    const clients = startClients(world, properties, history, seeded(seed));
    const { struck, failures } = await strike({ ...options, world, properties, history, faults });
    await clients.stop();
    writeFileSync(join(into, NEUTRAL_FILE), `${neutralHistory(properties, history.operations).join('\n')}\n`);
    await reopenRooms(world, admin, properties);
    return await judge({ world, properties, history, dashboards, struck, failures, admin });
  } finally {
    world.keepLogs(into);
  }
}

/** Longest duration of all faults once, and whether the run is long enough for it. */
function planText(
  faults: readonly Fault[],
  { minutes, recoverySeconds }: NemesisOptions,
  isDiskMissing: boolean,
): void {
  const seconds = faults.reduce((sum, fault) => sum + fault.seconds + recoverySeconds, 0);
  const whole = seconds > minutes * 60 ? 'MORE THAN THIS RUN HAS' : 'each comes once before any is repeated';
  console.log(`${faults.length} faults take ${(seconds / 60).toFixed(1)} minutes at most: ${whole}`);
  if (isDiskMissing) console.log('no disk can be mounted here (root, mkfs.ext4 and a loop device): none is filled');
}
