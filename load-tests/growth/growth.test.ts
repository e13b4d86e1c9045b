import { test } from 'tap';

import { checkedNodes, hopOf } from './check.ts';
import type { NodeCosts } from './cluster.ts';
import { Curves, verdictOf } from './curve.ts';
import { fitLine, fitPower } from './fit.ts';
import type { GrowthRun } from './growth-run.ts';
import { ASSUMED, carriedBy, mixOf, type ModelInput, nodesWithoutPooler } from './model.ts';
import { growthPage } from './page.ts';
import { Budget } from './plan.ts';

const SIZES = [1, 10, 100, 1_000, 10_000];

const input: ModelInput = {
  booking: { service: 1_000, postgres: 800 },
  quote: { service: 50, postgres: 0 },
  search: { service: 100, postgres: 0 },
  list: { service: 300, postgres: 400 },
  change: { service: 500, postgres: 300 },
  frame: 10,
  hop: 200,
  hopOfQuote: 30,
  postgresOfHop: 100,
  redis: 5,
  redisMessages: 2,
  idle: { node: 20, postgres: 1, redis: 0.5 },
  commits: 2,
  diskCommits: 4_000,
  networkBytes: 30_000,
  sessions: 15,
  memory: { base: 200e6, property: 100e3, socket: 10e3, hold: 2e3 },
};

function costsOf(nodes: number, service: number, postgres: number, perSecond: number): NodeCosts {
  const booking = { service, postgres, redis: 10 * (nodes - 1), client: 100 };
  return {
    nodes,
    booking,
    quote: { ...booking, service: service / 10, postgres: 0 },
    closed: { ...booking, perSecond, cores: 2 },
    idle: { service: 20 * nodes, postgres: 10, redis: nodes },
    redisCommands: { perBooking: 1, perSecondIdle: nodes },
    networkBytes: 20_000,
    sessions: 15 * nodes,
  };
}

const nodes = [costsOf(1, 1_000, 800, 1_000), costsOf(3, 1_400, 1_200, 700), costsOf(2, 1_330, 1_100, 750)];

void test('an exponent and its interval are found again', async (t) => {
  const exact = fitPower(SIZES.map((n) => [n, 5 * n ** 0.5] as const))!;
  t.ok(Math.abs(exact.exponent - 0.5) < 1e-9 && Math.abs(exact.factor - 5) < 1e-9);
  t.ok(exact.high - exact.low < 1e-6, 'points on the line leave no doubt');
  // By hand: residuals of +-0.1 around a constant; t of 3 degrees of freedom is 3.182.
  const wavy = fitPower(SIZES.map((n, at) => [n, Math.exp(at % 2 === 0 ? 0.1 : -0.1)] as const))!;
  t.ok(Math.abs(wavy.exponent) < 0.02);
  const squares = [0.08, -0.12, 0.08, -0.12, 0.08].reduce((sum, off) => sum + off * off, 0);
  const half = 3.182 * Math.sqrt(squares / 3 / (10 * Math.log(10) ** 2));
  t.ok(Math.abs((wavy.high - wavy.low) / 2 - half) < 1e-6, `${(wavy.high - wavy.low) / 2} instead of ${half}`);
  t.equal(
    fitPower([
      [1, 0],
      [10, 5],
      [100, 5],
    ]),
    undefined,
    'costs that were not measurable are no points',
  );
  t.equal(
    fitLine([
      [5, 1],
      [5, 2],
      [5, 3],
    ]),
    undefined,
    'one size is no axis',
  );
  t.equal(
    fitLine([
      [1, 1],
      [2, 2],
    ]),
    undefined,
    'two points leave nothing to judge by',
  );
});

void test('a verdict says growth only where the interval does', async (t) => {
  const of = (exponent: number, half: number) =>
    verdictOf({ exponent, low: exponent - half, high: exponent + half, factor: 1, points: 5 });
  t.equal(of(0.5, 0.1), 'grows');
  t.equal(of(0.03, 0.01), 'constant', 'certain, and too small to matter');
  t.equal(of(0.5, 0.7), 'not certain');
  t.equal(of(-0.5, 0.1), 'falls');
  t.equal(of(0.01, 0.1), 'constant');
  t.equal(of(0.01, 0.2), 'not certain', 'near 0 is not enough: the interval must be narrow');
  const curves = new Curves('clients');
  for (const n of SIZES) curves.add(n, 'quote, CPU of PostgreSQL', 'us', n < 100 ? 0 : n);
  t.match(curves.fitted(), [{ fit: null, verdict: 'not measurable' }], 'it was below the clock at some sizes');
  t.equal(verdictOf(null), 'not measurable');
});

void test('a calculation names the part that ends first', async (t) => {
  const small = carriedBy(input, 1, 64);
  t.match(small.parts[0]?.part, /nodes/);
  const each = mixOf(input).service;
  const booked = (ASSUMED.nodeCores * ASSUMED.usedShare - 0.02) * 1e6;
  t.ok(Math.abs(small.perSecond - booked / each) < 1e-6, 'one node forwards nothing');
  const large = carriedBy(input, 100, 16);
  t.match(large.parts[0]?.part, /PostgreSQL|disk/);
  t.ok(large.perSecond < 100 * small.perSecond, 'more nodes carry less each');
  t.same(
    large.parts.map(({ perSecond }) => perSecond),
    large.parts.map(({ perSecond }) => perSecond).toSorted((one, other) => one - other),
  );
  t.equal(large.sessions, 1_500);
  t.equal(nodesWithoutPooler(input), 33);
  t.ok(large.propertiesByMemory > 99 * small.propertiesByMemory);
  t.equal(small.redisMessages, 0, 'a node alone has no Redis');
  const slowDisk = carriedBy({ ...input, diskCommits: 10 }, 10, 64);
  t.equal(slowDisk.parts[0]?.part, 'commits of the disk');
});

void test('two nodes are calculated from one and three', async (t) => {
  t.same(hopOf(nodes), { service: 600, postgres: 600, quote: 60 });
  const [service, quote, , , , rate] = checkedNodes(nodes);
  t.match(service, { calculated: 1_300, measured: 1_330 });
  t.match(quote, { calculated: 130, measured: 133 });
  t.equal(rate?.measured, 750);
  t.same(checkedNodes(nodes.slice(0, 2)), []);
  t.equal(hopOf(nodes.slice(0, 1)), undefined);
});

void test('a run out of time says what it leaves out', async (t) => {
  const budget = new Budget(1);
  t.ok(budget.allows('a little', 30));
  t.notOk(budget.allows('10,000 properties', 90));
  t.same(budget.notHad, ['10,000 properties: the time of the run did not suffice']);
});

function run(more: Partial<GrowthRun> = {}): GrowthRun {
  const curves = new Curves('reservations');
  for (const n of SIZES) {
    curves.add(n, 'quote, CPU of the service', 'us', 60);
    curves.add(n, 'paid booking, CPU of PostgreSQL', 'us', 400 * n ** 0.4);
    curves.add(n, 'database', 'MB', 10 * n, 'may grow');
  }
  const points = [1, 2, 3].map((n) => ({ n, rss: 200e6 + n * 1e6, heap: 90e6 + n * 1e6 }));
  const line = fitLine(points.map(({ n, rss }) => [n, rss] as const))!;
  return {
    format: 1,
    commit: 'abc1234',
    command: 'npm run growth',
    startedAt: '2026-11-30T04:00:00.000Z',
    endedAt: '2026-11-30T04:15:00.000Z',
    runtime: 'Deno',
    machine: { processor: 'one', cores: 2, memoryBytes: 8e9, system: 'Linux 6', load: [1, 1, 1] },
    data: 'properties',
    warnings: [],
    curves: curves.fitted(),
    frames: { points: [{ n: 1, us: 500 }], line: null },
    closed: [{ what: 'quote', service: 60, postgres: 0, p50: 1, p99: 2, perSecond: 9_000, problems: [] }],
    memory: [{ what: 'property', points, rss: line, heap: line }],
    needs: { commits: 2, walBytes: 5_000, syncs: 1, networkBytes: 20_000, sessions: 15, diskCommits: 4_000 },
    daily: { properties: 100, service: 4, postgres: 8 },
    nodes,
    calculation: {
      input,
      carried: [10, 100].map((count) => carriedBy(input, count, 64)),
      poolerAbove: 33,
      checked: checkedNodes(nodes),
    },
    notHad: ['20000 sockets: <too few> descriptors'],
    problems: [],
    ...more,
  };
}

void test('the page shows curves, their exponents, what surprises, and the calculation as one', async (t) => {
  const page = growthPage(run());
  t.match(page, /Should be constant, and grows: paid booking, CPU of PostgreSQL, over reservations/);
  t.notMatch(page, /grows: quote|grows: database/);
  t.match(page, /0\.40<\/td><td>0\.40 to 0\.40/);
  t.match(page, /&lt;too few&gt; descriptors/);
  t.match(page, /1,000,000 bytes \(1,000,000 to 1,000,000\) resident/);
  t.match(page, /Nobody has run this/);
  t.match(page, /4 \+ 8 ms of CPU, which is 2 minutes for 10,000 properties/);
  t.match(page, /<svg/);
  t.notMatch(page, /<script|NaN|Infinity|undefined/);
  t.match(growthPage(run({ nodes: [], calculation: null })), /not calculated/);
});
