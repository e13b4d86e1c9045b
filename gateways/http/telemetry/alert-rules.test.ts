import t from 'tap';

import { alertRules } from '../../../test/blackbox/alert-rules.ts';
import { AlertFigures } from './alert-figures.ts';
import { ALERT_RULES } from './alert-rules.ts';
import { AlertWatch } from './alert-watch.ts';
import { Metrics } from './metrics.ts';

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600 };

/** Numbers of an expression that are compared with, or multiply what is: no windows, labels or percentiles. */
function numbersOf(expr: string): number[] {
  const plain = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ');
  return [...plain.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g)].map(([number]) => Number(number));
}

t.test('rules in code have names, severities, durations, thresholds and summaries of the file', async (t) => {
  const rules = alertRules();
  t.same(
    ALERT_RULES.map(({ name }) => name),
    rules.map(({ alert }) => alert),
  );
  for (const [index, { alert, expr, labels, annotations, ...rest }] of rules.entries()) {
    const { severity, forSeconds, thresholds, summary } = ALERT_RULES[index]!;
    const [, amount = '0', unit = 's'] = /^(\d+)([smh])$/.exec(rest.for ?? '0s') ?? [];
    t.equal(severity, labels.severity, alert);
    t.equal(summary, annotations.summary, alert);
    t.equal(forSeconds, Number(amount) * SECONDS[unit]!, alert);
    t.same(thresholds, numbersOf(expr), alert);
  }
});

/** A node with metrics that a test sets, and its own time. */
function watched() {
  const metrics = new Metrics();
  const values = new Map<string, number>();
  const set = (name: string, value: number): void => {
    values.set(name, value);
    metrics.gauge(name, name, () => values.get(name) ?? 0);
  };
  let now = 0;
  const watch = new AlertWatch(new AlertFigures([metrics], () => now), () => now);
  const pass = (seconds: number): Record<string, { state: string }> => {
    for (const until = now + seconds * 1_000; now < until; now += 10_000) watch.take();
    watch.take();
    return watch.holding();
  };
  return { metrics, set, pass, watch };
}

t.test('an alert is pending until it has held for long enough, and quiet when it no longer does', async (t) => {
  const { set, pass } = watched();
  set('lease.held', 1);
  set('relay.oldest.age', 60);
  t.same(pass(60), {}, 'as much as the threshold is not above it');
  set('relay.oldest.age', 61);
  t.match(pass(60), { RelayBehind: { state: 'PENDING' } });
  t.match(pass(70), { RelayBehind: { state: 'FIRING' } });
  set('relay.oldest.age', 0);
  t.same(pass(0), {});
});

t.test('counts matter by what they have grown within their window', async (t) => {
  const { metrics, set, pass } = watched();
  set('lease.held', 1);
  set('log.lines.dropped', 3);
  t.same(pass(10), {}, 'nobody knows when these were lost');
  set('log.lines.dropped', 4);
  t.match(pass(10), { LogLinesDropped: { state: 'FIRING' } });
  t.same(pass(400), {}, 'but not for ever');
  for (let at = 0; at < 1_000; at++) metrics.observe('/api/v1/quotes', 'GET', 200, 0.01);
  metrics.observe('/api/v1/quotes', 'GET', 500, 0.01);
  t.notOk('ErrorBudgetBurnsFast' in pass(0), 'one in a thousand');
  metrics.observe('/api/v1/quotes', 'GET', 500, 0.01);
  t.match(pass(130), { ErrorBudgetBurnsFast: { state: 'FIRING' } });
  for (let at = 0; at < 10; at++) metrics.observe('/api/v1/reservations', 'POST', 201, 3);
  t.match(pass(0), { BookingsSlow: { state: 'PENDING' } });
  metrics.taggedGauge('jobs.round.period', 'p', 'round', () => new Map([['daily-check', 60]]));
  metrics.taggedGauge('jobs.round.age', 'a', 'round', () => new Map([['daily-check', 181]]));
  t.match(pass(130), { RoundLate: { state: 'FIRING' }, JobsStuck: { state: 'FIRING' } });
});

t.test('some alerts are of all nodes together', async (t) => {
  const { watch } = watched();
  const nodes = [
    { nodeId: 'a', viewVersion: 3, shards: 512 },
    { nodeId: 'b', viewVersion: 3, shards: 512 },
  ];
  t.same(watch.overAll(nodes, 0), {});
  t.match(watch.overAll([nodes[0]!, { ...nodes[1]!, viewVersion: 4, shards: 511 }], 1), {
    ClusterViewsDiffer: { state: 'PENDING' },
    ShardsWithoutNode: { state: 'PENDING' },
    InnkeeperDown: { state: 'PENDING' },
  });
  t.same(watch.overAll(nodes, 0), {});
});
