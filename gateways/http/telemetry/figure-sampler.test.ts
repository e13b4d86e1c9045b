import t from 'tap';

import {
  combined,
  FIGURE_SERIES,
  type FigurePoint,
} from '../../../src/platform/coordination/contracts/figure-series.ts';
import { Latency } from '../../../src/platform/telemetry/latency.ts';
import { ALERT_RULES } from './alert-rules.ts';
import { FigureSampler } from './figure-sampler.ts';
import { Metrics } from './metrics.ts';

/** Begins a step of the day, too. */
const MINUTE = 1_800_000_000_000 - (1_800_000_000_000 % 300_000);

t.test('a sampler keeps an hour, and gives each minute once it has ended', async (t) => {
  let now = MINUTE;
  const metrics = new Metrics();
  const edge = new Latency();
  const fanOut = new Latency();
  const status = {
    figures: {
      queuedCommands: 3,
      relay: { lag: 2, oldestAgeSeconds: 5, sent: 0, stopped: 0 },
      rounds: [{ name: 'daily-check', everyMs: 60_000, ageSeconds: 90 }],
    },
    live: { connections: 7, properties: 1 },
    eventLoopDelayMs: 12,
  };
  const services = new Map([['rate' as const, metrics]]);
  const sampler = new FigureSampler({
    services,
    status: status as never,
    edge,
    commits: new Latency(),
    fanOut,
    bookings: () => 0,
    now: () => now,
  });
  const minutes: FigurePoint[] = [];
  for (let step = 0; step < 400; step++, now += 10_000) {
    edge.record(step < 6 ? 100 : 1);
    fanOut.record(step < 6 ? 40 : 5);
    metrics.observe('/api/v1/quotes', 'GET', 200, 0.1);
    minutes.push(...[sampler.take() ?? []].flat());
  }
  t.equal(sampler.points().length, 360, 'bounded');
  t.same(
    minutes.slice(0, 2).map(({ at }) => at),
    [MINUTE, MINUTE + 60_000],
  );
  const [first, second] = minutes.map(({ figures }) => figures);
  t.match(first, { sockets: 7, 'rounds.late': 1.5, 'loop.delay': 12, 'actor.queued': 3, 'relay.age': 5 });
  t.ok(first!['edge.p99']! > 80 && second!['edge.p99']! < 2, 'the worst of its minute');
  t.ok(first!['live.p50']! > 30 && second!['live.p50']! < 10);
  t.ok(first!['requests.rate.2xx']! > 0);
  t.equal(first!['commit.p99'], undefined, 'what was not measured is not 0');
  for (const name of Object.keys(first!)) t.ok(name in FIGURE_SERIES, name);
});

t.test('totals are summed over nodes and averaged over time, and of the rest the worst counts', async (t) => {
  const point = (at: number, sockets: number, p99?: number): FigurePoint => ({
    at,
    figures: { sockets, ...(p99 !== undefined && { 'edge.p99': p99 }) },
  });
  const now = MINUTE + 240_000;
  const { from, values } = combined(
    [
      [point(MINUTE - 1, 1, 1), point(MINUTE, 10, 5), point(MINUTE + 60_000, 20)],
      [point(MINUTE, 4, 8), point(MINUTE + 120_000, 4, 2), { at: MINUTE, figures: { 'of another release': 1 } }],
    ],
    'day',
    now,
  );
  const index = (at: number): number => Math.floor((at - from) / 300_000);
  t.equal(values['sockets']!.length, 288);
  t.equal(values['sockets']![index(MINUTE)], 19);
  t.equal(values['edge.p99']![index(MINUTE)], 8);
  t.equal(values['sockets']![0], null, 'nothing was measured');
  t.notOk('of another release' in values);
});

t.test('a threshold beside a series is that of its alert', async (t) => {
  for (const [name, { alert, threshold }] of Object.entries(FIGURE_SERIES)) {
    if (alert === undefined) continue;
    const rule = ALERT_RULES.find((one) => one.name === alert);
    t.ok(rule?.thresholds.includes(threshold!), `${name}: ${alert}`);
  }
});
