import type { Beside, Drift, PeerFigures, RunFigures, ScenarioFigures } from './figures-of-run.ts';
import { htmlRow, htmlTable, megabytesText, reportShell } from './page-parts.ts';
import { barPlot, escaped, linePlot, shortNumber } from './plot.ts';
import { PUBLISHED } from './published.ts';
import type { Threshold } from './thresholds.ts';

/** The report as one page: no script, no request to anywhere. */
export function reportPage(run: RunFigures): string {
  const body = [
    header(run),
    overview(run),
    ...run.scenarios.map(scenarioSection),
    peersSection(run.peers),
    published(),
  ];
  return reportShell('Innkeeper: load', body);
}

function header({ commit, command, startedAt, endedAt, runtime, k6, machine, data, warnings }: RunFigures): string {
  const { processor, cores, memoryBytes, system, load } = machine;
  const facts = [
    `${command}, commit ${commit}`,
    `${startedAt} to ${endedAt}`,
    `${runtime}; ${k6}; ${processor}, ${cores} cores, ${megabytesText(memoryBytes)}, ${system}; load before the run ${load.join(', ')}`,
    data,
  ];
  return (
    `<h1>Innkeeper under load</h1>${facts.map((fact) => `<p class="soft">${escaped(fact)}</p>`).join('')}` +
    `<p class="soft">Service, PostgreSQL and load client share the machine. Arrivals are open: they come on schedule, however late answers are. ` +
    `Latencies are those of each request, at nearest rank; arrivals that could not begin are counted as dropped.</p>` +
    warnings.map((warning) => `<p class="warn">${escaped(warning)}</p>`).join('')
  );
}

function overview({ scenarios }: RunFigures): string {
  const rows = scenarios.map(({ name, model, seconds, outcome, endpoints, dropped, beside, thresholds }) => {
    const missed = thresholds.filter(({ isMet }) => !isMet).length;
    return htmlRow([
      `<a href="#${name}">${escaped(name)}</a>`,
      escaped(`${model}, ${seconds} s`),
      shortNumber(endpoints.reduce((sum, { perSecond }) => sum + perSecond, 0)),
      shortNumber(Math.max(0, ...endpoints.map(({ p99 }) => p99))),
      String(dropped),
      beside ? [beside.cpu.service, beside.cpu.postgres, beside.cpu.client, beside.cpu.others].join(', ') : '',
      `${thresholds.length - missed} of ${thresholds.length}`,
      outcomeText(outcome),
    ]);
  });
  const heads = [
    'Scenario',
    'Arrivals',
    'Answers a second',
    'Highest p99 ms',
    'Dropped',
    'Cores of service, PostgreSQL, client, others',
    'Thresholds met',
    'Outcome',
  ];
  return `<h2>Overview</h2>${htmlTable(heads, rows)}`;
}

function scenarioSection(scenario: ScenarioFigures): string {
  const { name, what, notes, endpoints, thresholds, beside, outcome, drift } = scenario;
  const rows = endpoints.map(({ endpoint, count, perSecond, p50, p95, p99, max, unexpected }) =>
    htmlRow([
      escaped(endpoint),
      String(count),
      ...[perSecond, p50, p95, p99, max].map(shortNumber),
      statuses(unexpected),
    ]),
  );
  const lines = (read: (one: { count: number; p99: number }) => number) =>
    endpoints.map(({ endpoint, bySecond }) => ({
      name: endpoint,
      points: bySecond.map((one): [number, number] => [one.second, read(one)]),
    }));
  const plots = [
    linePlot({ title: 'Answers', unit: 'a second', lines: lines(({ count }) => count) }),
    linePlot({ title: 'p99 of each second', unit: 'ms', lines: lines(({ p99 }) => p99) }),
    ...(beside ? besidePlots(beside) : []),
  ];
  return (
    `<h2 id="${name}">${escaped(name)} ${outcomeText(outcome)}</h2><p>${escaped(what)}</p>` +
    notes.map((note) => `<p class="warn">${escaped(note)}</p>`).join('') +
    htmlTable(['Endpoint', 'Count', 'A second', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms', 'Unexpected answers'], rows) +
    `<div class="plots">${plots.join('')}</div>` +
    thresholdTable(thresholds) +
    (beside ? besideText(beside) : '') +
    (drift ? driftText(drift) : '')
  );
}

function besidePlots({ samples, waits }: Beside): string[] {
  const points = (read: (one: Beside['samples'][number]) => number | null): [number, number][] =>
    samples.flatMap((one): [number, number][] => {
      const value = read(one);
      return value === null ? [] : [[one.second, value]];
    });
  return [
    linePlot({
      title: 'CPU',
      unit: 'cores',
      lines: [
        { name: 'service', points: points(({ service }) => service) },
        { name: 'PostgreSQL', points: points(({ postgres }) => postgres) },
        { name: 'load client', points: points(({ client }) => client) },
        { name: 'other programs', points: points(({ others }) => others) },
      ],
    }),
    linePlot({
      title: 'Memory of the service',
      unit: 'MB',
      lines: [{ name: 'resident', points: points(({ rss }) => rss / 1e6) }],
    }),
    linePlot({
      title: 'Event loop, longest stop in ten seconds',
      unit: 'ms',
      lines: [{ name: 'delay', points: points(({ loopMs }) => loopMs) }],
    }),
    barPlot({
      title: 'What PostgreSQL waits for',
      unit: 'sessions, mean',
      bars: Object.entries(waits).map(([name, value]) => ({ name, value })),
    }),
  ];
}

function besideText({ memory, loopMaxMs, gcMs }: Beside): string {
  const parts = [
    `service ${megabytesText(memory.serviceFrom)} at the start, ${megabytesText(memory.serviceTo)} at the end, ${megabytesText(memory.serviceMax)} at most`,
    `PostgreSQL ${megabytesText(memory.postgres)}`,
    loopMaxMs === null ? 'event loop unknown' : `event loop stood still for ${shortNumber(loopMaxMs)} ms at most`,
    gcMs === null ? 'garbage collection: not reported by this runtime (Deno)' : `garbage collection ${gcMs} ms`,
  ];
  return `<p class="soft">${escaped(`${parts.join('; ')}.`)}</p>`;
}

function driftText({ endpoint, p99FirstThird, p99LastThird, memoryPerMinute }: Drift): string {
  const p99 = `${endpoint}, p99 in the first third ${shortNumber(p99FirstThird)} ms, in the last ${shortNumber(p99LastThird)} ms`;
  return `<p class="soft">${escaped(`${p99}; memory of the service ${shortNumber(memoryPerMinute / 1e6)} MB a minute.`)}</p>`;
}

function thresholdTable(thresholds: readonly Threshold[]): string {
  const rows = thresholds.map(({ metric, expression, origin, isMet, value }) =>
    htmlRow([
      `<code>${escaped(metric)}</code>`,
      `<code>${escaped(expression)}</code>`,
      escaped(origin),
      value === null ? 'nothing' : shortNumber(value),
      isMet ? '<span class="met">met</span>' : '<span class="missed">missed</span>',
    ]),
  );
  return htmlTable(['Threshold', 'Wanted', 'By', 'Measured', ''], rows);
}

function peersSection(peers: readonly PeerFigures[]): string {
  if (peers.length === 0) return '';
  const groups = [...new Set(peers.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const of = peers.filter((one) => one.group === group);
    const ours = of[0]!;
    const times = (part: number, whole: number): string => (whole > 0 ? `${(part / whole).toFixed(2)} times` : '');
    const rows = of.map((peer) => {
      const { name, perSecond, p50, p99, serverMicros, postgresMicros, rounds } = peer;
      return htmlRow([
        escaped(name),
        shortNumber(perSecond),
        peer === ours ? '' : times(ours.perSecond, perSecond),
        peer === ours ? '' : times(micros(peer), micros(ours)),
        shortNumber(p50),
        shortNumber(p99),
        shortNumber(serverMicros),
        postgresMicros === null ? '' : shortNumber(postgresMicros),
        rounds.map((round) => shortNumber(round)).join(', '),
      ]);
    });
    const heads = [
      'Contender',
      'A second',
      'Innkeeper to it, by rate',
      'by CPU',
      'p50 ms',
      'p99 ms',
      'Its CPU each, us',
      'CPU of PostgreSQL each, us',
      'Rounds',
    ];
    const bars = of.map(({ name, perSecond }) => ({ name, value: perSecond }));
    return `<h3>${escaped(group)}</h3><div class="plots">${barPlot({ title: group, unit: 'a second', bars })}</div>${htmlTable(heads, rows)}`;
  });
  return (
    `<h2 id="peers">Peers</h2><p>At full load, in interleaved rounds of the same run, after a warm-up: clients send the next request when the last one is answered. On a busy machine CPU says more than rates.</p>` +
    sections.join('')
  );
}

function micros({ serverMicros, postgresMicros }: PeerFigures): number {
  return serverMicros + (postgresMicros ?? 0);
}

function published(): string {
  const rows = PUBLISHED.map(({ what, figure, perSecond, source, url }) =>
    htmlRow([
      escaped(what),
      escaped(figure),
      shortNumber(perSecond),
      `<a href="${escaped(url)}">${escaped(source)}</a>`,
    ]),
  );
  return (
    `<h2>Published by others</h2><p>Other machines, other work, other years: these figures say orders of magnitude, and are no comparison.</p>` +
    htmlTable(['System', 'Figure', 'A second', 'Source'], rows)
  );
}

function outcomeText(outcome: ScenarioFigures['outcome']): string {
  const style = { met: 'met', 'goals missed': 'warn', failed: 'missed' }[outcome];
  return `<span class="${style}">${outcome}</span>`;
}

function statuses(unexpected: Readonly<Record<string, number>>): string {
  return escaped(
    Object.entries(unexpected)
      .map(([status, count]) => `${status === '0' ? 'none' : status}: ${count}`)
      .join(', '),
  );
}

/** Cells are HTML already. */
