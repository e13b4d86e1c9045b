import { test } from 'tap';

import { driftOf } from './drift.ts';
import type { PeerFigures, RunFigures } from './figures-of-run.ts';
import { metricOf } from './machine.ts';
import { outcomeOf } from './outcome.ts';
import { reportPage } from './page.ts';
import { PUBLISHED } from './published.ts';
import { Recorded } from './recorded.ts';
import { scenariosNamed, SCENARIOS } from './scenarios.ts';
import { failedChecks, type Summary, type Threshold, thresholdsOf } from './thresholds.ts';
import { tokenProblem } from './tokens.ts';

const GOALS = { create: ['p(99)<50'] };
const AT = Date.parse('2026-11-29T10:00:00.000Z');

/** A line as k6 writes it. */
function point(
  second: number,
  value: number,
  tags: Record<string, string> = {},
  metric = 'http_req_duration',
): string {
  // k6 writes nanoseconds.
  const time = new Date(AT + second * 1_000).toISOString().replace('Z', '456789Z');
  return JSON.stringify({
    metric,
    type: 'Point',
    data: { time, value, tags: { endpoint: 'create', status: '201', expected_response: 'true', ...tags } },
  });
}

function recorded(lines: readonly string[]): Recorded {
  const all = new Recorded();
  for (const line of lines) all.take(line);
  return all;
}

const summary: Summary = {
  metrics: {
    'http_req_duration{endpoint:create}': {
      'p(95)': 12.5,
      'p(99)': 61,
      thresholds: { 'p(95)<2000': false, 'p(99)<50': true },
    },
    checks: { value: 0.5, thresholds: { 'rate>0.999': true } },
    rooms_oversold: { count: 0, thresholds: { 'count<1': false } },
    live_frames: { count: 7, rate: 1 },
    'live_commit_to_frame{transport:ws}': { 'p(95)': 80, thresholds: { 'p(95)<250': false } },
  },
  root_group: {
    checks: { one: { name: 'a room', passes: 1, fails: 1 }, other: { name: 'fine', passes: 3, fails: 0 } },
  },
};

function peer(name: string, perSecond: number, micros: number): PeerFigures {
  const rounds = [perSecond - 10, perSecond, perSecond + 10];
  const cpu = { serverMicros: micros / 3, postgresMicros: (micros * 2) / 3 };
  return { group: 'Bookings', name, perSecond, p50: 2, p99: 9, rounds, ...cpu };
}

function run(more: Partial<RunFigures> = {}): RunFigures {
  const figures = recorded([point(0, 4), point(1, 8), point(3, 6, { status: '503', expected_response: 'false' })]);
  const thresholds = thresholdsOf(summary, GOALS);
  const beside = {
    cpu: { service: 0.5, postgres: 0.4, client: 0.1, others: 0.9, cores: 2 },
    memory: { serviceFrom: 400e6, serviceTo: 410e6, serviceMax: 420e6, postgres: 150e6 },
    loopMaxMs: 12.5,
    gcMs: null,
    waits: { 'IO: WalSync': 0.21 },
    samples: [0, 1].map((second) => ({
      second,
      service: 0.5,
      postgres: 0.4,
      client: 0.1,
      others: 0.9,
      rss: 400e6,
      loopMs: second === 0 ? null : 12.5,
    })),
  };
  const endpoints = figures.figures();
  const judged = { problem: undefined, thresholds, failedChecks: failedChecks(summary), endpoints, beside };
  return {
    format: 1,
    commit: 'abc1234',
    command: 'npm run load',
    startedAt: '2026-11-29T10:00:00.000Z',
    endedAt: '2026-11-29T10:10:00.000Z',
    runtime: 'Deno',
    k6: 'k6 v2.0.0',
    machine: { processor: 'one', cores: 2, memoryBytes: 8e9, system: 'Linux 6', load: [3, 2, 1] },
    data: 'hotels of its own',
    warnings: ['Busy machine: <b>others</b>'],
    scenarios: [
      {
        name: 'book-a-stay',
        what: 'A stay.',
        model: 'constant arrival rate, 10 a second',
        seconds: 4,
        ...outcomeOf(judged),
        thresholds,
        endpoints,
        dropped: 3,
        beside,
        drift: { endpoint: 'create', p99FirstThird: 5, p99LastThird: 7.5, memoryPerMinute: 1_500_000 },
      },
    ],
    peers: [peer('Innkeeper', 200, 1_500), peer('row locks', 50, 6_000)],
    ...more,
  };
}

void test('values of k6 become figures of each endpoint, second by second', async (t) => {
  const all = recorded([
    '{"type":"Metric","data":{"name":"http_req_duration"},"metric":"http_req_duration"}',
    point(0, 5),
    point(0.5, 15),
    point(2, 10, { status: '503', expected_response: 'false' }),
    point(0, 900, { endpoint: 'prepare' }),
    point(0, 1, {}, 'http_req_waiting'),
  ]);
  t.equal(all.firstSecond, AT / 1_000);
  t.equal(all.figures().length, 1, 'the set-up does not count');
  t.match(all.figures(), [
    { endpoint: 'create', count: 3, p50: 10, p95: 15, max: 15, perSecond: 1, unexpected: { 503: 1 } },
  ]);
  t.match(all.figures()[0]?.bySecond, [
    { second: 0, count: 2, max: 15 },
    { second: 2, count: 1 },
  ]);
  t.equal(recorded([]).firstSecond, undefined);
  t.same(recorded([]).figures(), []);
  t.throws(() => recorded([point(0, 1).slice(0, -5)]), SyntaxError);
});

void test('frames are distinguished by their transport', async (t) => {
  const frame = JSON.stringify({
    metric: 'live_commit_to_frame',
    type: 'Point',
    data: { time: new Date(AT).toISOString(), value: 30, tags: { transport: 'ws' } },
  });
  t.match(recorded([frame]).figures(), [{ endpoint: 'frame ws', p50: 30, unexpected: {} }]);
});

void test('thresholds say who wants them, what was measured, and whether they are met', async (t) => {
  const found = new Map(thresholdsOf(summary, GOALS).map((one) => [`${one.metric} ${one.expression}`, one]));
  t.match(found.get('http_req_duration{endpoint:create} p(95)<2000'), {
    origin: 'specification',
    value: 12.5,
    isMet: true,
  });
  t.match(found.get('http_req_duration{endpoint:create} p(99)<50'), { origin: 'goal', value: 61, isMet: false });
  t.match(found.get('checks rate>0.999'), { origin: 'correctness', value: 0.5, isMet: false });
  t.match(found.get('rooms_oversold count<1'), { origin: 'correctness', value: 0, isMet: true });
  t.match(found.get('live_commit_to_frame{transport:ws} p(95)<250'), { origin: 'goal', isMet: true });
  t.equal(found.size, 5);
  t.same(failedChecks(summary), ['a room: 1 of 2']);
});

void test('a threshold of which nothing was measured is not met, whatever k6 says', async (t) => {
  const nothing: Summary = {
    metrics: {
      'http_req_duration{endpoint:pay}': { max: 0, 'p(95)': 0, thresholds: { 'p(95)<500': false } },
      checks: { passes: 0, fails: 0, value: 0, thresholds: { 'rate>0.999': false } },
      rooms_oversold: { count: 0, rate: 0, thresholds: { 'count<1': false } },
    },
  };
  t.same(
    thresholdsOf(nothing, GOALS).map(({ metric, isMet, value }) => [metric, isMet, value]),
    [
      ['checks', false, null],
      ['http_req_duration{endpoint:pay}', false, null],
      ['rooms_oversold', true, 0],
    ],
  );
});

void test('a goal of our own fails nothing; a target, a wrong answer or a run without thresholds does', async (t) => {
  const threshold = (origin: Threshold['origin'], isMet: boolean): Threshold => ({
    metric: 'm',
    expression: 'e',
    value: null,
    origin,
    isMet,
  });
  const outcome = (thresholds: Threshold[], problem?: string): string =>
    outcomeOf({ problem, thresholds, failedChecks: [], endpoints: [], beside: undefined }).outcome;
  t.equal(outcome([threshold('goal', true), threshold('specification', true)]), 'met');
  t.equal(outcome([threshold('goal', false), threshold('specification', true)]), 'goals missed');
  t.equal(outcome([threshold('specification', false)]), 'failed');
  t.equal(outcome([threshold('correctness', false)]), 'failed');
  t.equal(outcome([threshold('specification', true)], 'k6 ended with 107: no such host'), 'failed');
  t.equal(outcome([]), 'failed');
});

void test('a busy machine, a busy client and expired tokens are said', async (t) => {
  const { beside } = run().scenarios[0]!;
  const notes = (cpu: Partial<NonNullable<typeof beside>['cpu']>, statuses: Record<string, number> = {}): string =>
    outcomeOf({
      problem: undefined,
      thresholds: [],
      failedChecks: [],
      endpoints: recorded([point(0, 1)])
        .figures()
        .map((one) => ({ ...one, unexpected: statuses })),
      beside: { ...beside!, cpu: { ...beside!.cpu, others: 0, ...cpu } },
    }).notes.join(' ');
  t.equal(notes({}), '');
  t.match(notes({ others: 0.9 }), /Busy machine: other programs used 0.9 of 2 cores/);
  t.match(notes({ client: 1.2 }), /load client used 1.2 of 2 cores/);
  t.match(notes({}, { 401: 5, 503: 1 }), /^5 requests were answered 401: a token has expired/);
});

void test('a long run says what grows, a short one does not', async (t) => {
  const { beside } = run().scenarios[0]!;
  const [sample] = beside!.samples;
  const of = (seconds: number) =>
    driftOf(
      recorded([
        ...Array.from({ length: seconds }, (_, second) => point(second, second < (2 * seconds) / 3 - 1 ? 10 : 30)),
        point(1, 500, { endpoint: 'other' }),
      ]).figures(),
      {
        ...beside!,
        samples: Array.from({ length: seconds }, (_, second) => ({ ...sample!, second, rss: 4e8 + second * 1e5 })),
      },
    );
  t.same(of(90), { endpoint: 'create', p99FirstThird: 10, p99LastThird: 30, memoryPerMinute: 6_000_000 });
  t.equal(of(50), undefined);
});

void test('a token that does not last is said before the run', async (t) => {
  const token = (claims: object): string => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;
  const lasting = token({ exp: (AT + 100_000) / 1_000 });
  const short = token({ exp: (AT + 10_000) / 1_000 });
  t.equal(tokenProblem(`${lasting},opaque,${token({})}`, AT, AT + 50_000), undefined);
  t.match(
    tokenProblem(`${lasting},${short}`, AT, AT + 50_000),
    /expires in the run, at 2026-11-29T10:00:10.000Z: give/,
  );
  t.match(tokenProblem(short, AT + 20_000, AT + 50_000), /^a token expired at/);
});

void test('an unknown scenario names those that there are', async (t) => {
  t.throws(() => scenariosNamed(['soka']), /there is no scenario soka; there are all, read-rates, .*soak$/);
  t.same(scenariosNamed(['all']), SCENARIOS);
  t.same(
    scenariosNamed(['soak', 'read-rates']).map(({ name }) => name),
    ['read-rates', 'soak'],
  );
});

void test('metrics of the service are summed over their labels', async (t) => {
  const text =
    '# HELP event_loop_delay x\nevent_loop_delay{a="b"} 1.5\nevent_loop_delay{a="c"} 2\nevent_loop_delay_x 9\n';
  t.equal(metricOf(text, 'event_loop_delay'), 3.5);
  t.equal(metricOf(text, 'missing'), null);
});

void test('the page stands alone and has every part of the run', async (t) => {
  const figures = run();
  const page = reportPage(figures);
  t.notMatch(page, /<script|<link|<img|src=|@import|url\(/, 'nothing is loaded');
  t.notMatch(page, /NaN|undefined|Infinity/);
  t.match(page, 'Busy machine: &lt;b&gt;others&lt;/b&gt;', 'texts are escaped');
  t.match(page, 'Check failed: a room: 1 of 2.');
  t.match(page, 'IO: WalSync');
  t.match(page, '4.00 times', 'the rate of a peer');
  t.match(page, 'garbage collection: not reported');
  t.match(page, 'in the last 7.5 ms; memory of the service 1.5 MB a minute');
  for (const { metric } of figures.scenarios[0]!.thresholds) t.match(page, `<code>${metric}</code>`);
  for (const { source } of PUBLISHED) t.match(page, source);
  t.ok((page.match(/<svg/g) ?? []).length >= 6, 'plots');
  for (const points of page.matchAll(/points="([^"]*)"/g)) t.match(points[1], /^[\d., -]+$/);
  t.same(JSON.parse(JSON.stringify(figures)), figures, 'the JSON has all of it');
});

void test('a scenario that k6 did not finish still has its section', async (t) => {
  const [scenario] = run().scenarios;
  const broken = {
    ...scenario!,
    outcome: 'failed' as const,
    notes: ['k6 ended with 107: x'],
    endpoints: [],
    thresholds: [],
    beside: undefined,
    drift: undefined,
  };
  const page = reportPage(run({ scenarios: [broken], peers: [] }));
  t.match(page, 'k6 ended with 107: x');
  t.notMatch(page, /NaN|undefined|Infinity/);
  t.notMatch(page, 'id="peers"');
});
