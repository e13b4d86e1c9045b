import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { pause } from '../../test/blackbox/waiting.ts';
import { HttpClient } from '../client/http.ts';
import type { ClusterNode } from '../cluster/cluster-node.ts';
import { ClusterWorld } from '../cluster/cluster-world.ts';
import { startClients } from './clients.ts';
import { Dashboards } from './dashboards.ts';
import { FAULTS, type Fault } from './faults.ts';
import { History } from './history.ts';
import { openHouses, type SmallHouse } from '../cluster/houses.ts';
import type { Struck } from './outages.ts';
import { seeded } from './seeded.ts';
import { removeFence } from './unfenced.ts';
import { type Findings, judge } from './judge.ts';

export type NemesisOptions = {
  minutes: number;
  runtime: 'deno' | 'node';
  fence: boolean;
  seed: number;
  nodes: number;
  houses: number;
  recoverySeconds: number;
  /** Only faults whose name contains it. */
  only: string;
  /** Where history and logs are left. */
  into: string;
};

const ROOMS = { STD: 3, DLX: 2 };
const PRICED_NIGHTS = 120;
/** Load alone, before the first fault. */
const CALM_MS = 10_000;

/** The whole run: a cluster, its clients and dashboards, faults in turns, and what came of it. */
export async function runNemesis(options: NemesisOptions): Promise<Findings> {
  const { runtime, fence, seed, houses: count, into } = options;
  mkdirSync(into, { recursive: true });
  const prepare = fence ? undefined : removeFence;
  await using world = await ClusterWorld.open({ runtime, nodes: options.nodes, proxies: true, prepare });
  try {
    const headers = { authorization: `Bearer ${world.token('ADMIN')}`, 'x-tenant-id': world.tenantId };
    using admin = new HttpClient({ sockets: 4, headers });
    const houses = await openHouses(world, admin, count, { rooms: ROOMS, nights: PRICED_NIGHTS });
    using dashboards = new Dashboards(world, houses);
    await dashboards.live();
    await using history = new History(join(into, 'history.jsonl'));
    const clients = startClients(world, houses, history, seeded(seed));
    const { struck, failures } = await strike(world, houses, history, options);
    await clients.stop();
    return await judge({ world, houses, history, dashboards, struck, failures, admin });
  } finally {
    world.keepLogs(into);
  }
}

/** Fault after fault in an order of the seed, until the time is over. */
async function strike(
  world: ClusterWorld,
  houses: readonly SmallHouse[],
  history: History,
  options: NemesisOptions,
): Promise<{ struck: Struck[]; failures: string[] }> {
  const random = seeded(options.seed + 1);
  const faults = FAULTS.filter(({ name }) => name.includes(options.only));
  const struck: Struck[] = [];
  const failures: string[] = [];
  const until = performance.now() + options.minutes * 60_000;
  let turn: Fault[] = [];
  await pause(CALM_MS);
  while (performance.now() < until) {
    if (turn.length === 0) turn = shuffled(faults, random);
    const fault = turn.pop()!;
    const [node, second] = shuffled(world.nodes, random);
    const other = second ?? node!;
    const hit = fault.hitsNode ? await ownedBy(world, node!, houses) : new Set(houses.map((one) => one.propertyId));
    const from = history.now();
    history.fault(fault.name, 'begins');
    console.log(
      `${(from / 60_000).toFixed(1)} min: ${fault.name}${fault.hitsNode ? ` (${node!.name}, ${hit.size} houses)` : ''}`,
    );
    await fault.run(world, node!, other).catch((error: unknown) => failures.push(`${fault.name}: ${String(error)}`));
    history.fault(fault.name, 'ends');
    await pause(options.recoverySeconds * 1_000);
    struck.push({ name: fault.name, from, to: history.now(), hit });
    await bringBack(world, failures);
  }
  return { struck, failures };
}

/** A node that ended by itself is a finding, and the run goes on with it. */
async function bringBack(world: ClusterWorld, failures: string[]): Promise<void> {
  for (const node of world.nodes) {
    if (node.isUp) continue;
    failures.push(`${node.name} ended by itself: ${node.logFile}`);
    await node.start().catch((error: unknown) => failures.push(String(error)));
  }
}

async function ownedBy(world: ClusterWorld, node: ClusterNode, houses: readonly SmallHouse[]): Promise<Set<string>> {
  const { rows } = await world.database.admin.query<{ id: string }>(
    'select property_id as id from property_actor where tenant_id = $1 and owner_node = $2',
    [world.tenantId, node.nodeId],
  );
  const owned = new Set(rows.map(({ id }) => id));
  return new Set(houses.map(({ propertyId }) => propertyId).filter((id) => owned.has(id)));
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
