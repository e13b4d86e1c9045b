import {
  atFullSpeed,
  fanOut,
  growClients,
  growProperties,
  growReservations,
  type GrowthRunState,
  growSockets,
} from './axes.ts';
import { bookingNeeds } from './basis.ts';
import { checkedNodes, hopOf } from './check.ts';
import { measureNodes } from './cluster.ts';
import { type Curve, Curves } from './curve.ts';
import { dailyWork } from './daily.ts';
import { fitLine } from './fit.ts';
import type { Growth } from './growth-run.ts';
import { growMemory, type MemoryCurve } from './memory.ts';
import { carriedBy, type ModelInput, nodesWithoutPooler, ASSUMED } from './model.ts';
import { Budget, type GrowthPart, type GrowthPlan } from './plan.ts';
import { GrowthWorld } from './world.ts';

const NODES = [1, 3, 10, 30, 100];

/** Everything of a run: two services, one after the other, and then nodes of a cluster. */
export async function runGrowth(plan: GrowthPlan, say: (line: string) => void): Promise<Growth> {
  const state: GrowthRunState = { plan, budget: new Budget(plan.minutes), problems: [], say };
  const first = await overProperties(state);
  const second = await overReservations(state);
  const nodes = plan.parts.includes('nodes') ? await measureNodes(state) : [];
  const measured = { ...first, ...second, nodes, curves: [...first.curves, ...second.curves] };
  const { notHad } = state.budget;
  return { ...measured, calculation: calculationOf(measured), notHad, problems: [...new Set(state.problems)] };
}

type OverProperties = Pick<Growth, 'curves' | 'frames' | 'closed' | 'needs' | 'daily'>;

async function overProperties(state: GrowthRunState): Promise<OverProperties> {
  const wanted = state.plan.parts;
  const nothing: OverProperties = {
    curves: [],
    frames: { points: [], line: null },
    closed: [],
    needs: null,
    daily: null,
  };
  if (!(['properties', 'clients', 'needs', 'sockets'] as const).some((name) => wanted.includes(name))) return nothing;
  await using world = await GrowthWorld.open();
  const properties = new Curves('properties');
  const clients = new Curves('clients');
  const sockets = new Curves('sockets');
  await part('properties', state, () => growProperties(world, properties, state));
  await world.growTo(state.plan.among);
  await part('clients', state, () => growClients(world, clients, state));
  const needs = (await part('needs', state, () => bookingNeeds(world, state.plan))) ?? null;
  const points = (await part('sockets', state, () => fanOut(world, state))) ?? [];
  await part('sockets', state, () => growSockets(world, sockets, state));
  const closed = (await part('clients', state, () => atFullSpeed(world, state))) ?? [];
  // The last one: it moves the clock, by which frames are timed.
  const daily = (await part('needs', state, () => dailyWork(world, state.plan))) ?? null;
  return {
    curves: [properties, clients, sockets].flatMap((curves) => curves.fitted()),
    frames: { points, line: fitLine(points.map(({ n, us }) => [n, us] as const)) ?? null },
    closed,
    needs,
    daily,
  };
}

async function overReservations(state: GrowthRunState): Promise<Pick<Growth, 'curves' | 'memory'>> {
  if (!(['reservations', 'memory'] as const).some((name) => state.plan.parts.includes(name)))
    return { curves: [], memory: [] };
  await using world = await GrowthWorld.open();
  const reservations = new Curves('reservations');
  await part('reservations', state, () => growReservations(world, reservations, state));
  const memory = (await part('memory', state, () => growMemory(world, state))) ?? [];
  return { curves: reservations.fitted(), memory };
}

/** A part that fails costs the run its figures only: what the others have measured stays. */
async function part<T>(
  name: GrowthPart,
  { plan, budget, say }: GrowthRunState,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (!plan.parts.includes(name)) return undefined;
  try {
    return await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    say(`  ${name}: ${why}`);
    budget.notHad.push(`${name}, from some size on: ${why.slice(0, 200)}`);
    return undefined;
  }
}

type Costs = Pick<Growth, 'curves' | 'closed' | 'frames' | 'needs' | 'memory' | 'nodes'>;

function calculationOf(costs: Costs): Growth['calculation'] {
  const input = inputOf(costs);
  if (input === undefined) return null;
  const carried = NODES.flatMap((nodes) => ASSUMED.databaseCores.map((cores) => carriedBy(input, nodes, cores)));
  return { input, carried, poolerAbove: nodesWithoutPooler(input), checked: checkedNodes(costs.nodes) };
}

/**
 * Costs at the most properties that were measured, those of bookings and quotes at full speed: a node that is used up to
 * its share works like that. Without nodes a hop costs nothing, which the report says.
 */
function inputOf({ curves, closed, frames, needs, memory, nodes }: Costs): ModelInput | undefined {
  const cpu = (what: string): { service: number; postgres: number } => ({
    service: lastOf(curves, `${what}, CPU of the service`),
    postgres: lastOf(curves, `${what}, CPU of PostgreSQL`),
  });
  const full = (what: string): { service: number; postgres: number } => {
    const one = closed.find((cost) => cost.what === what);
    return one && one.service > 0 ? { service: one.service, postgres: one.postgres } : cpu(what);
  };
  const of = (what: MemoryCurve['what']): MemoryCurve | undefined => memory.find((one) => one.what === what);
  const [property, socket, hold] = [of('property')?.rss, of('socket')?.rss, of('hold')?.rss];
  if (needs === null || !property || !socket || !hold) return undefined;
  const hop = hopOf(nodes);
  const one = nodes.find((all) => all.nodes === 1);
  const most = nodes.toSorted((first, second) => second.nodes - first.nodes)[0];
  return {
    booking: full('paid booking'),
    quote: full('quote'),
    search: cpu('chain search'),
    list: cpu('page of a list'),
    change: cpu('live change'),
    frame: Math.max(0, frames.line?.slope ?? 0),
    hop: hop?.service ?? 0,
    hopOfQuote: hop?.quote ?? 0,
    postgresOfHop: hop?.postgres ?? 0,
    redis: most?.booking.redis ?? 0,
    redisMessages: most?.redisCommands.perBooking ?? 0,
    idle: {
      node: lastOf(curves, 'without calls, the service'),
      postgres:
        one && most && most !== one ? Math.max(0, most.idle.postgres - one.idle.postgres) / (most.nodes - 1) : 0,
      redis: most ? most.idle.redis / most.nodes : 0,
    },
    commits: needs.commits,
    diskCommits: needs.diskCommits,
    networkBytes: needs.networkBytes,
    sessions: most ? most.sessions / most.nodes : needs.sessions,
    memory: {
      base: property.intercept,
      property: Math.max(0, property.slope),
      socket: Math.max(0, socket.slope),
      hold: Math.max(0, hold.slope),
    },
  };
}

/** The cost at the largest number of properties; 0 where it was never above nothing. */
function lastOf(curves: readonly Curve[], what: string): number {
  const points = curves.find((curve) => curve.axis === 'properties' && curve.what === what)?.points ?? [];
  return points.at(-1)?.value ?? 0;
}
