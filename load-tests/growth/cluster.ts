import { cpus } from 'node:os';
import { createClient } from 'redis';

import { SCRIPT } from '../../test/blackbox/launched.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { LoadReport } from '../client/pump.ts';
import { openBigProperties } from '../cluster/big-properties.ts';
import { ClusterWorld } from '../cluster/cluster-world.ts';
import { difference, type Spent, spentBy } from '../cluster/costs.ts';
import { dayOf, type SmallProperty } from '../cluster/properties.ts';
import { bookAtAllNodes } from '../cluster/scale.ts';
import type { GrowthRunState } from './axes.ts';
import { dropMails } from './mails.ts';
import { loopbackBytes } from './measured.ts';

/** CPU of an operation, in microseconds: of all nodes, PostgreSQL, Redis and the clients. */
type CpuOfAll = { service: number; postgres: number; redis: number; client: number };

/** What a booking costs on so many nodes of one machine, and what nodes cost without calls. */
export type NodeCosts = {
  nodes: number;
  /** At a fixed rate. */
  booking: CpuOfAll;
  /** The same of a quote. */
  quote: CpuOfAll;
  /** At full speed, with bookings a second and the cores that all of it used. */
  closed: CpuOfAll & { perSecond: number; cores: number };
  /** Milliseconds of CPU a second, of all nodes together. */
  idle: { service: number; postgres: number; redis: number };
  redisCommands: { perBooking: number; perSecondIdle: number };
  /** Bytes over the loopback for a booking, each counted once: client, nodes, PostgreSQL, Redis. */
  networkBytes: number;
  /** Sessions of PostgreSQL of all nodes. */
  sessions: number;
};

const PROPERTIES = 20;
const RATE = 60;
const QUOTE_RATE = 400;
const WARM_QUOTES_PER_SECOND = 2_000;
const QUOTE_CONNECTIONS = 8;
const SETTLE_MS = 3_000;
/** Bookings that warm up a node, and how long they may take. */
const WARM_BOOKINGS = 600;
const WARM_SECONDS = 25;
const SECONDS = 5;
/** Seconds that the measurement of so many nodes takes, on the safe side. */
const SECONDS_FOR = (nodes: number): number => 55 + 10 * nodes;

/** The same bookings on one node, and on several of this machine. */
export async function measureNodes(state: GrowthRunState): Promise<NodeCosts[]> {
  const all: NodeCosts[] = [];
  for (const nodes of state.plan.nodes) {
    if (!state.budget.allows(`${nodes} nodes`, SECONDS_FOR(nodes))) break;
    state.say(`nodes ${nodes}`);
    try {
      all.push(await measureSome(nodes, state));
    } catch (error) {
      state.budget.notHad.push(
        `${nodes} nodes: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`,
      );
    }
  }
  return all;
}

type Counted = Spent & { commands: number; bytes: number };

async function measureSome(nodes: number, { plan, say }: GrowthRunState): Promise<NodeCosts> {
  await using world = await ClusterWorld.open({
    runtime: SCRIPT === 'start' ? 'deno' : 'node',
    nodes,
    proxies: false,
  });
  const properties = await openBigProperties(world, PROPERTIES);
  const postgres = await world.postgresPid();
  const count = async (): Promise<Counted> => ({
    ...spentBy(world, postgres, world.redisPid),
    commands: await redisCommands(world.services.redis!.url),
    bytes: loopbackBytes(),
  });
  await pause(SETTLE_MS);
  const warm = { seconds: WARM_SECONDS, name: 'warm', requests: nodes * WARM_BOOKINGS };
  await bookAtAllNodes(world, properties, warm);
  await dropMails(async (sql) => (await world.query(sql)).length);
  await pause(SETTLE_MS);
  const idle = await over(count, () => pause(plan.idleSeconds * 1_000));
  const sessions = await world.query<{ n: number }>(
    "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  await quoteAtAllNodes(world, properties, WARM_QUOTES_PER_SECOND);
  const quoted = await costOf(count, idle, '200', () => quoteAtAllNodes(world, properties, QUOTE_RATE));
  const fixed = await costOf(count, idle, '201', () =>
    bookAtAllNodes(world, properties, { seconds: SECONDS, name: 'fixed', perSecond: RATE }),
  );
  const closed = await costOf(count, idle, '201', () =>
    bookAtAllNodes(world, properties, { seconds: SECONDS, name: 'full' }),
  );
  say(
    `  ${nodes} nodes: ${closed.perSecond} bookings/s, CPU at ${RATE}/s ${Math.round(fixed.cpu.service)} + ${Math.round(fixed.cpu.postgres)} us`,
  );
  return {
    nodes,
    booking: fixed.cpu,
    quote: quoted.cpu,
    closed: { ...closed.cpu, perSecond: closed.perSecond, cores: closed.cores },
    idle: { service: idle.nodes, postgres: idle.postgres, redis: idle.redis },
    redisCommands: { perBooking: fixed.commands, perSecondIdle: idle.commands },
    networkBytes: fixed.bytes,
    sessions: sessions[0]!.n,
  };
}

/** What each counter grows in a second while `work` runs. */
async function over(count: () => Promise<Counted>, work: () => Promise<unknown>): Promise<Counted & { ms: number }> {
  const [before, began] = [await count(), performance.now()];
  await work();
  const ms = performance.now() - began;
  const after = await count();
  const spent = difference(before, after);
  const aSecond = (value: number): number => (1_000 * value) / ms;
  return {
    ms,
    nodes: aSecond(spent.nodes),
    postgres: aSecond(spent.postgres),
    redis: aSecond(spent.redis),
    commands: aSecond(after.commands - before.commands),
    bytes: aSecond(after.bytes - before.bytes),
  };
}

/** Quotes of two nights, evenly at all nodes. */
function quoteAtAllNodes(
  world: ClusterWorld,
  properties: readonly SmallProperty[],
  perSecond: number,
): Promise<LoadReport[]> {
  return Promise.all(
    world.nodes.map((node) =>
      pumpApart({
        port: Number(new URL(node.url('RATE')).port),
        method: 'GET',
        paths: properties.map(
          (property) =>
            `/api/v1/rates/current?propertyId=${property.propertyId}&checkIn=${dayOf(property, 20)}&checkOut=${dayOf(property, 22)}&adults=2`,
        ),
        headers: { authorization: `Bearer ${world.token('VIEWER')}`, 'x-tenant-id': world.tenantId },
        connections: QUOTE_CONNECTIONS,
        seconds: SECONDS,
        perSecond: perSecond / world.nodes.length,
      }),
    ),
  );
}

/** What an operation costs beyond what is spent without calls. @param wanted status of its answers */
async function costOf(
  count: () => Promise<Counted>,
  idle: Counted,
  wanted: string,
  load: () => Promise<LoadReport[]>,
): Promise<{ perSecond: number; cores: number; cpu: CpuOfAll; commands: number; bytes: number }> {
  let reports: LoadReport[] = [];
  const spent = await over(count, async () => {
    reports = await load();
  });
  const done = reports.reduce((sum, { statuses }) => sum + (statuses[wanted] ?? 0), 0);
  const client = reports.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const each = (name: keyof Counted): number =>
    (Math.max(0, spent[name] - idle[name]) * spent.ms) / 1_000 / Math.max(1, done);
  const cores = ((spent.nodes + spent.postgres + spent.redis) * spent.ms) / 1_000 + client;
  return {
    perSecond: Math.round(reports.reduce((sum, one) => sum + one.perSecond, 0)),
    cores: Math.min(cpus().length, cores / spent.ms),
    cpu: {
      service: 1_000 * each('nodes'),
      postgres: 1_000 * each('postgres'),
      redis: 1_000 * each('redis'),
      client: (1_000 * client) / Math.max(1, done),
    },
    commands: each('commands'),
    bytes: each('bytes'),
  };
}

async function redisCommands(url: string): Promise<number> {
  const client = createClient({ url });
  await client.connect();
  try {
    return Number(/total_commands_processed:(\d+)/.exec(await client.info('stats'))?.[1] ?? 0);
  } finally {
    client.destroy();
  }
}
