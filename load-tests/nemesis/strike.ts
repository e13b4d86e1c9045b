import { pause } from '../../test/blackbox/waiting.ts';
import type { ClusterNode } from '../cluster/cluster-node.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import type { SmallProperty } from '../cluster/properties.ts';
import type { Fault } from './fault.ts';
import { FAULTS } from './faults.ts';
import type { History } from './history.ts';
import type { Struck } from './outages.ts';
import { seeded } from './seeded.ts';

/** Load alone, before the first fault. */
const CALM_MS = 10_000;
/** The first booking succeeds within 30 s of the end of any outage; some margin distinguishes late from never. */
const BACK_WITHIN_MS = 45_000;
const LOOK_EVERY_MS = 250;
const ANSWER_MS = 3_000;

export type Wanted = {
  /** Only faults whose name contains it. */
  only: string;
  poison: boolean;
  hasDisk: boolean;
};

export type Strike = {
  world: ClusterWorld;
  properties: readonly SmallProperty[];
  history: History;
  faults: readonly Fault[];
  /** How long faults come at random; without it each comes once, in the order of the list. */
  minutes?: number;
  seed: number;
  recoverySeconds: number;
};

/** The faults of a run: poison only on request, a full disk only where there is one to fill. */
export function faultsOf({ only, poison, hasDisk }: Wanted): Fault[] {
  return FAULTS.filter(({ name }) => name.includes(only)).filter(
    ({ needs }) => needs === undefined || (needs === 'poison' ? poison : hasDisk),
  );
}

/** Runs fault after fault: in a seeded order, each once before any is repeated, until the time is over; or as listed. */
export async function strike({
  world,
  properties,
  history,
  ...options
}: Strike): Promise<{ struck: Struck[]; failures: string[] }> {
  const random = seeded(options.seed + 1);
  const struck: Struck[] = [];
  const failures: string[] = [];
  const { minutes } = options;
  const until = minutes === undefined ? undefined : performance.now() + minutes * 60_000;
  let turn: Fault[] = until === undefined ? options.faults.toReversed() : [];
  await pause(CALM_MS);
  while (until === undefined ? turn.length > 0 : performance.now() < until) {
    if (turn.length === 0) turn = shuffled(options.faults, random);
    const fault = turn.pop()!;
    const [node, second] = shuffled(world.nodes, random);
    const other = second ?? node!;
    const hit = fault.hitsNode
      ? await ownedBy(world, node!, properties)
      : new Set(properties.map((one) => one.propertyId));
    const from = history.now();
    history.fault(fault.name, 'begins');
    console.log(
      `${(from / 60_000).toFixed(1)} min: ${fault.name}${fault.hitsNode ? ` (${node!.name}, ${hit.size} properties)` : ''}`,
    );
    await fault
      .run({ world, node: node!, other, random })
      .catch((error: unknown) => failures.push(`${fault.name}: ${String(error)}`));
    const endedAt = history.now();
    history.fault(fault.name, 'ends');
    await pause(options.recoverySeconds * 1_000);
    const away = await comeBack(properties, history, endedAt);
    struck.push({ name: fault.name, from, endedAt, to: history.now(), hit, stopsAll: fault.stopsAll === true });
    await restartFallen(world, failures);
    if (away.length > 0)
      await startAgain(world, failures, `${fault.name}: ${away.length} properties do not come back`);
  }
  return { struck, failures };
}

/** Waits until every property has answered a request made after the fault. @returns those that had none in time */
async function comeBack(properties: readonly SmallProperty[], history: History, since: number): Promise<string[]> {
  const away = new Set(properties.map(({ propertyId }) => propertyId));
  let seen = 0;
  for (;;) {
    const { operations } = history;
    for (; seen < operations.length; seen++) {
      const { property, outcome, tries } = operations[seen]!;
      if (outcome.kind !== 'unknown' && (tries.at(-1)?.at ?? 0) >= since) away.delete(property);
    }
    if (away.size === 0 || history.now() > since + BACK_WITHIN_MS) return [...away];
    await pause(LOOK_EVERY_MS);
  }
}

/** Restarts all nodes as a last resort: a finding, after which the run continues. */
async function startAgain(world: ClusterWorld, failures: string[], why: string): Promise<void> {
  console.log(`  ${why}; all nodes are started again`);
  failures.push(why);
  await Promise.all(world.nodes.map((node) => node.killHard()));
  for (const node of world.nodes) await node.start().catch((error: unknown) => failures.push(String(error)));
}

/** A node that ended by itself, or that does not become ready, is a finding, and is restarted. */
export async function restartFallen(world: ClusterWorld, failures: string[]): Promise<void> {
  const until = performance.now() + BACK_WITHIN_MS;
  for (const node of world.nodes) {
    while (node.isUp && !(await isReady(node)) && performance.now() < until) await pause(LOOK_EVERY_MS);
    if (node.isUp && (await isReady(node))) continue;
    const why = `${node.name} ${node.isUp ? 'is never ready again' : 'ended by itself'}: ${node.logFile}`;
    console.log(`  ${why}; it is started again`);
    failures.push(why);
    if (node.isUp) await node.killHard();
    await node.start().catch((error: unknown) => failures.push(String(error)));
  }
}

async function isReady(node: ClusterNode): Promise<boolean> {
  const url = `${node.url('RESERVATION')}/actuator/health/readiness`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status === 200;
}

async function ownedBy(
  world: ClusterWorld,
  node: ClusterNode,
  properties: readonly SmallProperty[],
): Promise<Set<string>> {
  const rows = await world.query<{ id: string }>(
    'select property_id as id from property_actor where tenant_id = $1 and owner_node = $2',
    [world.tenantId, node.nodeId],
  );
  const owned = new Set(rows.map(({ id }) => id));
  return new Set(properties.map(({ propertyId }) => propertyId).filter((id) => owned.has(id)));
}

/** In an order of the seed. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
