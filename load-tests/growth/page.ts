import { htmlRow, htmlTable, megabytesText, reportShell } from '../load/page-parts.ts';
import { escaped, linePlot, logPlot, shortNumber } from '../load/plot.ts';
import { AXES, type Axis, type Curve } from './curve.ts';
import type { LineFit } from './fit.ts';
import type { GrowthRun } from './growth-run.ts';
import { ASSUMED, mixOf } from './model.ts';

/** The report of a run as one page. */
export function growthPage(run: GrowthRun): string {
  return reportShell('Innkeeper: growth', [
    headerOf(run),
    ...AXES.map((axis) => axisSection(axis, run.curves)),
    framesSection(run),
    closedSection(run),
    memorySection(run),
    nodesSection(run),
    calculationSection(run),
  ]);
}

function headerOf({ commit, command, startedAt, endedAt, runtime, machine, data, ...run }: GrowthRun): string {
  const { processor, cores, memoryBytes, system, load } = machine;
  const facts = [
    `${command}, commit ${commit}, ${startedAt} to ${endedAt}`,
    `${runtime}; ${processor}, ${cores} cores, ${megabytesText(memoryBytes)}, ${system}; load before the run ${load.join(', ')}`,
    data,
    'CPU is that of the processes for one operation, at a fixed moderate rate, without what they use when nobody calls. ' +
      'Exponents are the least squares of log(cost) on log(n) over the medians of each point, with their 95 % confidence interval: ' +
      '0 is constant, 1 is linear. Few points give wide intervals.',
  ];
  const growing = run.curves.filter((curve) => isSurprise(curve)).map(({ axis, what }) => `${what}, over ${axis}`);
  const lines = [
    ...run.warnings,
    ...run.notHad.map((what) => `Not measured: ${what}.`),
    ...run.problems.map((what) => `Problem: ${what}.`),
    ...(growing.length > 0 ? [`Should be constant, and grows: ${growing.join('; ')}.`] : []),
  ];
  return (
    `<h1>How Innkeeper grows</h1>${facts.map((fact) => `<p class="soft">${escaped(fact)}</p>`).join('')}` +
    lines.map((line) => `<p class="warn">${escaped(line)}</p>`).join('')
  );
}

function isSurprise({ wanted, verdict }: Curve): boolean {
  return wanted === 'constant' && verdict === 'grows';
}

function axisSection(axis: Axis, all: readonly Curve[]): string {
  const curves = all.filter((curve) => curve.axis === axis);
  if (curves.length === 0) return '';
  const sizes = [...new Set(curves.flatMap(({ points }) => points.map(({ n }) => n)))];
  const rows = curves.map((curve) => {
    const { what, unit, points, fit, wanted, verdict } = curve;
    const style = isSurprise(curve) ? 'missed' : verdict === 'constant' || wanted === 'may grow' ? 'met' : 'soft';
    return htmlRow([
      escaped(`${what}, ${unit}`),
      ...sizes.map((n) => {
        const point = points.find((one) => one.n === n);
        return point === undefined ? '' : shortNumber(point.value);
      }),
      fit === null ? '' : fit.exponent.toFixed(2),
      fit === null ? '' : `${fit.low.toFixed(2)} to ${fit.high.toFixed(2)}`,
      wanted,
      `<span class="${style}">${verdict}</span>`,
    ]);
  });
  const heads = ['', ...sizes.map((n) => shortNumber(n)), 'Exponent', '95 %', 'Wanted', ''];
  return `<h2 id="${axis}">Over ${axis}</h2>${htmlTable(heads, rows)}<div class="plots">${curves.map(plotOf).join('')}</div>`;
}

function plotOf({ axis, what, unit, points, fit }: Curve): string {
  return logPlot({
    title: what,
    unit,
    of: axis,
    points: points.map(({ n, value }) => [n, value] as const),
    fitted: (n) => (fit === null ? Number.NaN : fit.factor * n ** fit.exponent),
    note: fit === null ? '' : `${shortNumber(fit.factor)} n^${fit.exponent.toFixed(2)}`,
  });
}

function framesSection({ frames: { points, line } }: GrowthRun): string {
  if (points.length === 0) return '';
  const rows = points.map(({ n, us }) => htmlRow([shortNumber(n), shortNumber(us), shortNumber(us / n)]));
  const text = line === null ? '' : `<p>One more socket costs ${between(line, 'us')} for each change.</p>`;
  return `<h2 id="frames">A change, by the sockets of its property</h2>${text}${htmlTable(['Sockets', 'CPU of the service for a change, us', 'for a frame'], rows)}`;
}

function closedSection({ closed }: GrowthRun): string {
  const rows = closed.map(({ what, perSecond, p50, p99, service, postgres }) =>
    htmlRow([escaped(what), ...[perSecond, p50, p99, service, postgres].map(shortNumber)]),
  );
  if (rows.length === 0) return '';
  const heads = ['', 'A second', 'p50 ms', 'p99 ms', 'CPU of the service, us', 'CPU of PostgreSQL, us'];
  return `<h2 id="full-speed">At full speed, 64 clients</h2>${htmlTable(heads, rows)}`;
}

function memorySection({ memory }: GrowthRun): string {
  if (memory.length === 0) return '';
  const sections = memory.map(({ what, points, rss, heap }) => {
    const rows = points.map(({ n, ...of }) =>
      htmlRow([shortNumber(n), megabytesText(of.rss), megabytesText(of.heap)]),
    );
    const lines = (['rss', 'heap'] as const).map((name) => ({
      name: name === 'rss' ? 'resident memory' : 'heap and buffers',
      points: points.map((point): [number, number] => [point.n, point[name] / 1e6]),
    }));
    const fits = [rss, heap].map((line) => (line === null ? 'unknown' : between(line, 'bytes')));
    return (
      `<h3>${escaped(what)}</h3><p>One more: ${fits[0]} resident, ${fits[1]} of heap and buffers.</p>` +
      `<div class="plots">${linePlot({ title: `Memory over ${what}`, unit: 'MB', lines, along: '' })}</div>` +
      htmlTable(['Number', 'Resident', 'Heap and buffers'], rows)
    );
  });
  return `<h2 id="memory">Memory of the service, after a garbage collection</h2><p class="soft">On Node, which can be made to collect from outside. Line by least squares, with its 95 % confidence interval.</p>${sections.join('')}`;
}

function between({ slope, low, high }: LineFit, unit: string): string {
  return `${shortNumber(slope)} ${unit} (${shortNumber(low)} to ${shortNumber(high)})`;
}

function nodesSection({ nodes, needs, daily }: GrowthRun): string {
  const rows = nodes.map(({ nodes: n, booking, quote, closed, idle, redisCommands, networkBytes, sessions }) =>
    htmlRow([
      String(n),
      ...[booking.service, booking.postgres, booking.redis, quote.service].map(shortNumber),
      shortNumber(closed.perSecond),
      ...[idle.service, idle.postgres, idle.redis, redisCommands.perBooking, networkBytes, sessions].map(shortNumber),
    ]),
  );
  const heads = [
    'Nodes',
    'CPU of a booking, us: nodes',
    'PostgreSQL',
    'Redis',
    'CPU of a quote, us: nodes',
    'Bookings a second at full speed',
    'CPU without calls, ms a second: nodes',
    'PostgreSQL',
    'Redis',
    'Redis commands a booking',
    'Bytes a booking',
    'Sessions',
  ];
  const text =
    needs === null
      ? ''
      : `<p>A booking on one node: ${shortNumber(needs.commits)} transactions, ${shortNumber(needs.syncs)} waits for the disk, ${shortNumber(needs.walBytes)} bytes of log, ${shortNumber(needs.networkBytes)} bytes over the loopback. The disk takes ${shortNumber(needs.diskCommits)} transactions of one row a second on ten connections.</p>`;
  const day =
    daily === null
      ? ''
      : `<p>The daily jobs of a property where nothing happened: ${shortNumber(daily.service)} + ${shortNumber(daily.postgres)} ms of CPU, which is ${shortNumber((daily.service + daily.postgres) / 6)} minutes for 10,000 properties, at their hour.</p>`;
  const table = rows.length > 0 ? htmlTable(heads, rows) : '<p>No cluster in this run.</p>';
  return `<h2 id="nodes">Nodes of one machine, measured</h2>${text}${day}${table}`;
}

function calculationSection({ calculation }: GrowthRun): string {
  const title = '<h2 id="carried">What nodes carry: a calculation</h2>';
  if (calculation === null) return `${title}<p>A cost is missing: not calculated.</p>`;
  const { input, carried, poolerAbove, checked } = calculation;
  const mix = mixOf(input);
  const { quotes, searches, lists, changes, sockets, holds, usedShare, nodeCores, nodeMemoryBytes } = ASSUMED;
  const assumptions = [
    `For each paid booking ${quotes} quotes, ${searches} chain searches, ${lists} pages of lists, ${changes} live changes; ${sockets} sockets and ${holds} holds a property; ${ASSUMED.bookingsInBusiestHour} bookings of a property in its busiest hour.`,
    `Nodes of ${nodeCores} cores and ${megabytesText(nodeMemoryBytes)}, of which ${100 * usedShare} % are used, as of the cores of PostgreSQL, of Redis, of its disk and of a line of 10 Gbit/s. Cores are those of this machine.`,
    `With n nodes, (n - 1) / n of bookings, changes and quotes are forwarded: a booking costs ${shortNumber(input.hop)} us more at both nodes together, a quote ${shortNumber(input.hopOfQuote)} us. Searches and lists are answered everywhere.`,
    `Costs are those at the most properties that were measured: of bookings and quotes at full speed, of the others at a moderate rate, where they are higher.`,
    ...(input.hop === 0 ? ['No cluster was measured: a forwarded request is taken to cost nothing more.'] : []),
    `A booking with all of that: ${shortNumber(mix.service)} us of nodes, ${shortNumber(mix.postgres)} us of PostgreSQL.`,
  ];
  const rows = carried.map((one) =>
    htmlRow([
      String(one.nodes),
      String(one.databaseCores),
      shortNumber(one.perSecond),
      ...one.parts.slice(0, 2).map(({ part, perSecond }) => escaped(`${part}: ${shortNumber(perSecond)}`)),
      shortNumber(one.propertiesByLoad),
      shortNumber(one.propertiesByMemory),
      shortNumber(one.sessions),
      shortNumber(one.redisMessages),
    ]),
  );
  const heads = [
    'Nodes',
    'Cores of PostgreSQL',
    'Bookings a second',
    'Ends first',
    'Ends next',
    'Properties by load',
    'Properties by memory',
    'Sessions',
    'Redis messages a second',
  ];
  return (
    `${title}<p>Nobody has run this: it is computed from the costs above.</p>` +
    `<ul>${assumptions.map((text) => `<li>${escaped(text)}</li>`).join('')}</ul>${htmlTable(heads, rows)}` +
    `<p>Above ${poolerAbove} nodes their sessions are more than ${ASSUMED.sessions}: PostgreSQL needs a pooler.</p>` +
    checkedText(checked)
  );
}

function checkedText(checked: NonNullable<GrowthRun['calculation']>['checked']): string {
  if (checked.length === 0) return '<p class="warn">Not checked against two nodes in this run.</p>';
  const rows = checked.map(({ what, unit, calculated, measured }) =>
    htmlRow([
      escaped(`${what}, ${unit}`),
      shortNumber(calculated),
      shortNumber(measured),
      measured > 0 ? `${Math.round((100 * (calculated - measured)) / measured)} %` : '',
    ]),
  );
  return `<h3>Checked: two nodes, calculated from one and three</h3>${htmlTable(['', 'Calculated', 'Measured', 'Difference'], rows)}`;
}
