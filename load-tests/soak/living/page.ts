import { STYLE } from '../../load/page-parts.ts';
import { escaped, linePlot, type Plot, shortNumber } from '../../load/plot.ts';
import { isClean } from './judgement.ts';
import type { SoakResult } from './run.ts';
import type { DatabaseSample, SoakSample } from './samples.ts';

/** The report of a soak as one page: no script, no request to anywhere. */
export function soakPage(result: SoakResult): string {
  const { command, startedAt, minutes, simulatedHours, wrong } = result;
  const body = [
    '<h1>Innkeeper, hours later</h1>',
    `<p class="soft">${escaped(command)}, from ${startedAt}</p>`,
    `<p>${minutes.toFixed(1)} minutes, ${simulatedHours.toFixed(1)} hours of the hotels, ${result.mishaps.length} mishaps.</p>`,
    wrong.length === 0
      ? '<p class="met">All was flat, and every day was clean.</p>'
      : `<p class="missed">${wrong.length} things are wrong.</p>` +
        `<ul>${wrong
          .slice(0, 50)
          .map((one) => `<li>${escaped(one)}</li>`)
          .join('')}</ul>`,
    '<h2>What grew</h2>',
    growthTable(result),
    `<div class="plots">${plotsOf(result.samples).map(linePlot).join('')}</div>`,
    '<p class="soft">Time is in seconds of the run. Memory falls where a mishap has ended a node.</p>',
    '<h2>Days</h2>',
    table(
      ['hotel, day', 'cents', 'cells', 'violations', 'amounts compared', 'cells compared', 'audits'],
      result.days.map((day) => [
        `<span class="${isClean(day) ? 'met' : 'missed'}">${escaped(`${day.propertyId}, ${day.day}`)}</span>`,
        ...[day.cents, day.cells, day.violations, day.comparedAmounts, day.comparedCells, day.tries].map(shortNumber),
      ]),
    ),
    '<h2>Tables that grew most in the second half</h2>',
    table(
      ['table', 'MB in the middle', 'MB in the end'],
      result.tables.map(({ table: name, from, to }) => [escaped(name), shortNumber(from), shortNumber(to)]),
    ),
    '<h2>Mishaps</h2>',
    table(
      ['mishap', 'minute', 'seconds', ''],
      result.mishaps.map(({ name, from, to, failure = '' }) => [
        escaped(name),
        from.toFixed(1),
        ((to - from) * 60).toFixed(0),
        escaped(failure),
      ]),
    ),
  ];
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>Innkeeper: soak</title><style>${STYLE}</style></head><body>${body.join('\n')}</body></html>\n`
  );
}

function growthTable({ growth }: SoakResult): string {
  return table(
    ['what', 'in the middle', 'grew by', 'allowed', ''],
    growth.map(({ what, unit, middle, growth: grown, allowed, isFlat }) => [
      escaped(what),
      `${shortNumber(middle)} ${unit}`,
      shortNumber(grown),
      shortNumber(allowed),
      `<span class="${isFlat ? 'met' : 'missed'}">${isFlat ? 'flat' : 'not flat'}</span>`,
    ]),
  );
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: 'td' | 'th'): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<div class="wide"><table>${row(heads, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table></div>`;
}

function plotsOf(samples: readonly SoakSample[]): Plot[] {
  const names = [...new Set(samples.flatMap(({ nodes }) => nodes.map(({ name }) => name)))].toSorted();
  const ofNodes = (value: 'residentMb' | 'descriptors'): Plot['lines'] =>
    names.map((name) => ({
      name,
      points: samples.flatMap(({ minute, nodes }) =>
        nodes.filter((node) => node.name === name).map((node): [number, number] => [minute * 60, node[value]]),
      ),
    }));
  const ofDatabase = (name: string, value: (one: DatabaseSample) => number): Plot['lines'][number] => ({
    name,
    points: samples.flatMap(({ minute, database }): [number, number][] =>
      database ? [[minute * 60, value(database)]] : [],
    ),
  });
  const answers = (isCalm: boolean, value: 'p50' | 'p99'): [number, number][] =>
    samples
      .filter(({ mishap, answers: count }) => (mishap === undefined) === isCalm && count > 0)
      .map((sample) => [sample.minute * 60, sample[value]]);
  return [
    { title: 'Memory', unit: 'MB', lines: ofNodes('residentMb') },
    { title: 'Descriptors', unit: '', lines: ofNodes('descriptors') },
    { title: 'WAL', unit: 'MB', lines: [ofDatabase('pg_wal', ({ walMb }) => walMb)] },
    { title: 'Tables and indexes', unit: 'MB', lines: [ofDatabase('all', ({ tablesMb }) => tablesMb)] },
    {
      title: 'Rows',
      unit: '',
      lines: [ofDatabase('live', ({ live }) => live), ofDatabase('dead', ({ dead }) => dead)],
    },
    {
      title: 'Answers outside of mishaps',
      unit: 'ms',
      lines: [
        { name: 'p50', points: answers(true, 'p50') },
        { name: 'p99', points: answers(true, 'p99') },
      ],
    },
    { title: 'Answers in mishaps', unit: 'ms', lines: [{ name: 'p99', points: answers(false, 'p99') }] },
  ];
}
