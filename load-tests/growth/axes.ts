import { readFileSync } from 'node:fs';

import type { Swarm } from '../live/swarm.ts';
import type { Curves, Wanted } from './curve.ts';
import type { Growth } from './growth-run.ts';
import { anonymousBytes, type IdleCost, idleCost, operationCost, type Work } from './measured.ts';
import { bookingWork, changeWork, listWork, PAGE, quoteWork, searchWork, socketsAt } from './operations.ts';
import type { Budget, GrowthPlan } from './plan.ts';
import type { GrowthWorld } from './world.ts';

/** A run in progress: its plan, its time, and what went wrong in it. */
export type GrowthRunState = { plan: GrowthPlan; budget: Budget; problems: string[]; say: (line: string) => void };

const WATCHED = 10;
/** Properties that have all the reservations: 50,000 each of a million, as hotels of 120 rooms have in three years. */
const HOLDING_RESERVATIONS = 20;
/** Seconds that a property or a row takes to be loaded and measured, on the safe side. */
const SECONDS_A_PROPERTY = 0.02;
const SECONDS_A_RESERVATION = 2e-4;
const SECONDS_A_SOCKET = 2e-3;
const SECONDS_A_POINT = 20;
/** A process of clients and the service need a few descriptors beside those of sockets. */
const OTHER_DESCRIPTORS = 500;
const SOCKETS_OF_A_PROCESS = 5_000;
const IDLE_AT = 1_000;
const CLOSED_LOOP = 64;

const BYTES_OF_MB = 1e6;

/** Costs over the number of properties, each point after a start of its own and the same warm-up. */
export async function growProperties(world: GrowthWorld, curves: Curves, state: GrowthRunState): Promise<void> {
  const { plan, budget, say } = state;
  await world.growTo(plan.properties[0] ?? 1);
  const pages = Array.from({ length: WATCHED }, (_, n) => `pages-${n}`);
  await world.load({ rows: WATCHED * PAGE, properties: pages, mark: 'P' });
  for (const n of plan.properties) {
    const more = Math.max(0, n - world.properties.length);
    if (!budget.allows(`${n} properties`, SECONDS_A_POINT + more * SECONDS_A_PROPERTY)) break;
    say(`properties ${n}`);
    await world.growTo(n);
    await (await world.admin()).query('analyze');
    const started = await world.restart();
    curves.add(n, 'start until ready', 'ms', started.ms, 'may grow');
    curves.add(n, 'start until ready, CPU of the service', 'ms of CPU', started.cpu, 'may grow');
    curves.add(n, 'first search after a start', 'ms', await world.firstSearch(), 'may grow');
    const { ms } = await world.activate(plan.warmUp.quotes);
    state.say(`  ${Math.max(plan.warmUp.quotes, n)} quotes in ${Math.round(ms / 100) / 10} s`);
    await warmUp(world, n, plan);
    const idle = await quiet(world, curves, n, state);
    await quotesSearchesLists(world, n, { curves, n, idle, state, search: 'may grow' });
    const watched = world.properties.slice(0, Math.min(n, WATCHED));
    using swarm = await socketsAt(world, watched, watched.length);
    await measure(world, changeWork(world, watched, swarm), { curves, n, idle, state });
    await measure(world, bookingWork(world, n), { curves, n, idle, state });
    await sizes(world, curves, n);
  }
}

/** Costs over the number of connections, at the same rate. */
export async function growClients(world: GrowthWorld, curves: Curves, state: GrowthRunState): Promise<void> {
  const { plan, budget, say } = state;
  const { among } = plan;
  await world.drained();
  const idle = await idleCost(world.measured, plan.idleSeconds);
  for (const n of plan.clients) {
    if (!budget.allows(`${n} clients`, SECONDS_A_POINT)) break;
    say(`clients ${n}`);
    const pace = { connections: n };
    await measure(world, quoteWork(world, among, pace), { curves, n, idle, state });
    await measure(world, bookingWork(world, among, pace), { curves, n, idle, state });
  }
}

/** 64 clients that send the next request when the last one is answered. */
export async function atFullSpeed(
  world: GrowthWorld,
  { plan, budget, say }: GrowthRunState,
): Promise<Growth['closed']> {
  if (!budget.allows('full speed', SECONDS_A_POINT)) return [];
  const { among } = plan;
  await world.drained();
  const idle = await idleCost(world.measured, plan.idleSeconds);
  const closed: Growth['closed'] = [];
  const pace = { connections: CLOSED_LOOP, perSecond: undefined };
  for (const work of [quoteWork(world, among, pace), bookingWork(world, among, pace)]) {
    const cost = await operationCost(world.measured, work, idle, plan);
    say(`full speed: ${work.what}, ${cost.perSecond} a second`);
    closed.push({ what: work.what, ...cost });
  }
  return closed;
}

/** Cost of a change that reaches one socket, while ever more sockets are open at other properties. */
export async function growSockets(world: GrowthWorld, curves: Curves, state: GrowthRunState): Promise<void> {
  const { plan, budget, say } = state;
  const swarms: Swarm[] = [];
  const limit = descriptors() - OTHER_DESCRIPTORS;
  let idleSockets = 0;
  const apart = world.properties.slice(WATCHED, WATCHED + IDLE_AT);
  try {
    for (const wanted of plan.sockets) {
      const n = Math.min(wanted, limit);
      if (n < wanted)
        budget.notHad.push(
          `${wanted} sockets: the machine allows ${limit + OTHER_DESCRIPTORS} descriptors a process, so ${n} were opened`,
        );
      if (!budget.allows(`${n} sockets`, SECONDS_A_POINT / 2 + n * SECONDS_A_SOCKET)) break;
      say(`sockets ${n}`);
      const watched = world.properties.slice(0, Math.min(n, WATCHED));
      using near = await socketsAt(world, watched, watched.length);
      while (idleSockets < n - watched.length && apart.length > 0) {
        const more = Math.min(SOCKETS_OF_A_PROCESS, n - watched.length - idleSockets);
        swarms.push(await socketsAt(world, apart, more));
        idleSockets += more;
      }
      const reports = await Promise.all([near, ...swarms].map((swarm) => swarm.ask({ ask: 'report' })));
      const live = reports.reduce((sum, report) => sum + report.live, 0);
      if (live !== n) state.problems.push(`${live} of ${n} sockets are live`);
      const idle = await quiet(world, curves, n, state);
      await measure(world, changeWork(world, watched, near), { curves, n, idle, state });
      curves.add(n, 'memory of the service', 'MB', anonymousBytes(world.measured.service) / BYTES_OF_MB, 'may grow');
    }
  } finally {
    for (const swarm of swarms) swarm[Symbol.dispose]();
  }
}

/** CPU of the service for a change of one property with ever more sockets, in microseconds. */
export async function fanOut(world: GrowthWorld, state: GrowthRunState): Promise<{ n: number; us: number }[]> {
  const { plan, budget, say } = state;
  const points: { n: number; us: number }[] = [];
  const idle = await idleCost(world.measured, plan.idleSeconds);
  for (const n of plan.fanOut) {
    if (!budget.allows(`${n} sockets of one property`, SECONDS_A_POINT / 2)) break;
    say(`sockets of one property ${n}`);
    const [property] = world.properties as [string];
    using swarm = await socketsAt(world, [property], n);
    const cost = await operationCost(world.measured, changeWork(world, [property], swarm), idle, plan);
    points.push({ n, us: cost.service });
  }
  return points;
}

/** Costs over the number of reservations, each point after a start of its own and the same warm-up. */
export async function growReservations(world: GrowthWorld, curves: Curves, state: GrowthRunState): Promise<void> {
  const { plan, budget, say } = state;
  const among = HOLDING_RESERVATIONS;
  await world.growTo(among);
  let first = 0;
  for (const size of plan.reservations) {
    const rows = size - first;
    if (!budget.allows(`${size} reservations`, SECONDS_A_POINT + rows * SECONDS_A_RESERVATION)) break;
    say(`reservations ${size}`);
    await world.load({ rows, first, properties: world.properties, mark: 'G' });
    first = size;
    const { rows: counted } = await (
      await world.admin()
    ).query<{ n: number }>('select count(*)::int as n from reservations');
    const n = counted[0]!.n;
    const started = await world.restart();
    curves.add(n, 'start until ready', 'ms', started.ms, 'may grow');
    curves.add(n, 'start until ready, CPU of the service', 'ms of CPU', started.cpu, 'may grow');
    const { ms } = await world.activate(among, among);
    curves.add(n, 'activation of a property, first quote', 'ms', ms / among, 'may grow');
    await world.activate(plan.warmUp.quotes, among);
    await warmUp(world, among, plan);
    const idle = await quiet(world, curves, n, state);
    await quotesSearchesLists(world, among, { curves, n, idle, state, search: 'constant' });
    await measure(world, bookingWork(world, among), { curves, n, idle, state });
    await sizes(world, curves, n);
  }
}

type Place = { curves: Curves; n: number; idle: IdleCost; state: GrowthRunState };

async function quotesSearchesLists(
  world: GrowthWorld,
  among: number,
  place: Place & { search: Wanted },
): Promise<void> {
  await measure(world, quoteWork(world, among), place);
  await measure(world, searchWork(world), place, place.search);
  await measure(world, listWork(world), place);
}

async function measure(
  world: GrowthWorld,
  work: Work,
  { curves, n, idle, state }: Place,
  wanted: Wanted = 'constant',
): Promise<void> {
  const cost = await operationCost(world.measured, work, idle, state.plan);
  const { what } = work;
  curves.add(n, `${what}, CPU of the service`, 'us', cost.service, wanted);
  curves.add(n, `${what}, CPU of PostgreSQL`, 'us', cost.postgres, wanted);
  curves.add(n, `${what}, p50`, 'ms', cost.p50, wanted);
  curves.add(n, `${what}, p99`, 'ms', cost.p99, wanted);
  for (const problem of cost.problems) state.problems.push(`${n}: ${problem}`);
  const us = (value: number): string => `${Math.round(value)} us`;
  state.say(
    `  ${what}: service ${us(cost.service)}, PostgreSQL ${us(cost.postgres)}, p50 ${cost.p50}, p99 ${cost.p99} ms`,
  );
}

async function quiet(
  world: GrowthWorld,
  curves: Curves,
  n: number,
  { plan, say }: GrowthRunState,
): Promise<IdleCost> {
  const idle = await idleCost(world.measured, plan.idleSeconds);
  curves.add(n, 'without calls, the service', 'ms of CPU a second', idle.service);
  curves.add(n, 'without calls, PostgreSQL', 'ms of CPU a second', idle.postgres);
  say(
    `  without calls: service ${Math.round(idle.service)}, PostgreSQL ${Math.round(idle.postgres)} ms of CPU a second`,
  );
  return idle;
}

/** Compiles what is measured: a quote costs three times as much in its first ten thousand requests. */
async function warmUp(world: GrowthWorld, among: number, { warmUp }: GrowthPlan): Promise<void> {
  const pace = { perSecond: undefined, requests: warmUp.requests };
  for (const work of [bookingWork(world, among, pace), listWork(world, pace), searchWork(world, pace)])
    await work.run(warmUp.seconds);
  await world.dropMails();
}

/** Memory of the service, and what the tables take. */
async function sizes(world: GrowthWorld, curves: Curves, n: number): Promise<void> {
  const { rows } = await (
    await world.admin()
  ).query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
  curves.add(n, 'memory of the service', 'MB', anonymousBytes(world.measured.service) / BYTES_OF_MB, 'may grow');
  curves.add(n, 'database', 'MB', Number(rows[0]!.bytes) / BYTES_OF_MB, 'may grow');
}

/** How many files and sockets a process may have open. */
function descriptors(): number {
  try {
    return Number(/^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1_024);
  } catch {
    return 1_024;
  }
}
