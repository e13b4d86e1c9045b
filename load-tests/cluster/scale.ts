import { pause } from '../../test/blackbox/waiting.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { LoadReport } from '../client/pump.ts';
import { middle, figuresText } from '../first/figures.ts';
import { openBigProperties } from './big-properties.ts';
import { bookingBody } from './booker.ts';
import { ClusterWorld } from './cluster-world.ts';
import { difference, type Spent, spentBy } from './costs.ts';
import type { Goal } from './goals.ts';
import type { SmallProperty } from './properties.ts';

const PROPERTIES = 20;
/** Clients in all, over all nodes. */
const CONNECTIONS = 48;
const PUMPS = 3;
const WARM_SECONDS = 15;
const SECONDS = 15;
const SETTLE_MS = 5_000;
const IDLE_SECONDS = 10;
const ROUNDS = 2;
const AT_LEAST_PERCENT = 75;

/** Cost of a booking and of a node. CPU in milliseconds. */
export type Costs = {
  /** Service CPU of one booking, on one node and on three. */
  alone: number;
  spread: number;
  postgres: number;
  postgresSpread: number;
  /** CPU of an idle node, and of PostgreSQL and Redis for it, per second. */
  idleNode: number;
  idlePostgres: number;
  idleRedis: number;
  perSecond: number;
};

type Measured = { perSecond: number; cpu: Spent; bookings: number; idle: Spent };

/** The same load on one node and on three of this machine, alternating. */
export async function benchScale(runtime: 'deno' | 'node'): Promise<{ goals: Goal[]; costs: Costs }> {
  const one: Measured[] = [];
  const three: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    one.push(await measure(runtime, 1, round));
    three.push(await measure(runtime, 3, round));
  }
  const cost = (all: readonly Measured[], of: keyof Spent): number =>
    middle(all.map(({ cpu, bookings }) => cpu[of] / bookings));
  const idle = (all: readonly Measured[], of: keyof Spent): number =>
    middle(all.map((m) => m.idle[of])) / IDLE_SECONDS;
  // Background work of the databases, such as vacuum, happens once for all nodes.
  const forEach = (of: keyof Spent): number => Math.max(0, idle(three, of) - idle(one, of)) / 2;
  const rate = (all: readonly Measured[]): number => middle(all.map(({ perSecond }) => perSecond));
  const costs: Costs = {
    alone: cost(one, 'nodes'),
    spread: cost(three, 'nodes'),
    postgres: cost(one, 'postgres'),
    postgresSpread: cost(three, 'postgres'),
    idleNode: idle(three, 'nodes') / 3,
    idlePostgres: forEach('postgres'),
    idleRedis: forEach('redis'),
    perSecond: rate(one),
  };
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  figuresText([
    { what: `one node, ${CONNECTIONS} clients, ${PROPERTIES} properties`, value: `${rate(one)} bookings/s` },
    { what: 'three nodes, the same clients, each calls one of them', value: `${rate(three)} bookings/s` },
    { what: 'CPU of a booking, one node: service, PostgreSQL', value: `${ms(costs.alone)}, ${ms(costs.postgres)}` },
    { what: 'CPU of a booking, three nodes', value: `${ms(costs.spread)}, ${ms(costs.postgresSpread)}` },
    {
      what: 'CPU a second of a node without work: node, PostgreSQL, Redis',
      value: `${ms(costs.idleNode)}, ${ms(costs.idlePostgres)}, ${ms(costs.idleRedis)}`,
    },
  ]);
  const value = (100 * rate(three)) / rate(one);
  return { goals: [{ what: 'load of three nodes against one', value, unit: '%', atLeast: AT_LEAST_PERCENT }], costs };
}

async function measure(runtime: 'deno' | 'node', nodes: number, round: number): Promise<Measured> {
  await using world = await ClusterWorld.open({ runtime, nodes, proxies: false });
  const properties = await openBigProperties(world, PROPERTIES);
  const postgres = await world.postgresPid();
  const redis = world.redisPid;
  // Before the load: behind it mails go out for minutes.
  await pause(SETTLE_MS);
  const quiet = spentBy(world, postgres, redis);
  await pause(IDLE_SECONDS * 1_000);
  const idle = difference(quiet, spentBy(world, postgres, redis));
  await bookAtAllNodes(world, properties, { seconds: WARM_SECONDS, name: `warm-${nodes}-${round}` });
  const before = spentBy(world, postgres, redis);
  const reports = await bookAtAllNodes(world, properties, { seconds: SECONDS, name: `run-${nodes}-${round}` });
  const cpu = difference(before, spentBy(world, postgres, redis));
  const bookings = reports.reduce((sum, { statuses }) => sum + (statuses['201'] ?? 0), 0);
  const others = reports.flatMap(({ statuses }) => Object.keys(statuses).filter((status) => status !== '201'));
  if (others.length > 0)
    figuresText([{ what: `answers that are no booking, ${nodes} nodes`, value: others.join(', ') }]);
  return { perSecond: Math.round(bookings / SECONDS), cpu, bookings, idle };
}

/**
 * Paid bookings of three nights, evenly at all nodes: as many client processes for one node as for three, so that their
 * cost is the same. At full speed without `perSecond`; ends earlier after so many `requests`.
 */
export function bookAtAllNodes(
  world: ClusterWorld,
  properties: readonly SmallProperty[],
  { seconds, name, perSecond, requests }: { seconds: number; name: string; perSecond?: number; requests?: number },
): Promise<LoadReport[]> {
  const pumps = Array.from({ length: PUMPS }, (_, n) => {
    const node = world.nodes[n % world.nodes.length]!;
    return pumpApart({
      port: Number(new URL(node.url('RESERVATION')).port),
      method: 'POST',
      paths: ['/api/v1/reservations'],
      connections: CONNECTIONS / PUMPS,
      seconds,
      ...(perSecond !== undefined && { perSecond: perSecond / PUMPS }),
      ...(requests !== undefined && { requests: Math.ceil(requests / PUMPS) }),
      headers: {
        authorization: `Bearer ${world.token('STAFF')}`,
        'x-tenant-id': world.tenantId,
        'content-type': 'application/json',
        'idempotency-key': `${name}-${n}-{n}`,
      },
      body: properties.map((property) => bookingBody(property, `${name}-${n}-{n}`)),
    });
  });
  return Promise.all(pumps);
}
