import { dayRange, mediumDay, shortDay } from '../grid/days.ts';
import type { ChartModel, ChartPoint, ChartSeries, ChartValue } from './chart-model.ts';
import { nightsChart as words, charts, percentText, roomsText, wholeMoney, wholePercent } from './messages.ts';

export const MEASURES = ['rooms', 'occupancy', 'adr', 'revpar'] as const;
export type Measure = (typeof MEASURES)[number];
/** Measures without amounts. */
export const COUNTED_MEASURES = ['rooms', 'occupancy'] as const satisfies readonly Measure[];

/** What is known of a night; absent where it is not. */
export type NightFigures = {
  date: string;
  sold?: number;
  capacity?: number;
  adr?: number;
  revPar?: number;
  weekAgo?: number;
  lastYear?: { sold: number; occupancy: number; adr?: number; revPar: number };
  expected?: { expected: number; low: number; high: number };
};

/** Points of nights, which a click leads to. */
export const nightPoints = (dates: readonly string[]): ChartPoint[] =>
  dates.map((date) => ({ label: mediumDay(date), tick: shortDay(date), night: date }));

export const spanOf = (dates: readonly string[]): string =>
  dates.length === 0 ? '' : dayRange(dates[0]!, dates.at(-1)!);

type Options = { measure: Measure; currency: string; property: string; seesAmounts: boolean; isPast: boolean };

/** A figure of each shown night against a week ago, last year and the forecast. */
export function nightsModel(nights: readonly NightFigures[], options: Options): ChartModel {
  const { measure, property, seesAmounts, isPast } = options;
  const dates = nights.map(({ date }) => date);
  const line = (id: string, tone: ChartSeries['tone'], of: (night: NightFigures) => ChartValue): ChartSeries => ({
    id,
    label: words[id as 'now'],
    tone,
    kind: 'line',
    values: nights.map(of),
  });
  const share = (value: ChartValue, { capacity }: NightFigures): ChartValue =>
    value === undefined || !capacity ? undefined : (value / capacity) * 100;
  const counted = measure === 'rooms' || measure === 'occupancy';
  const scaled = (value: ChartValue, night: NightFigures): ChartValue =>
    measure === 'rooms' ? value : share(value, night);
  const now = line('now', 'now', (night) => nowOf(night, measure));
  const lastYear = line('lastYear', 'lastYear', ({ lastYear: then }) => then && lastYearOf(then, measure));
  const expected: ChartSeries = {
    ...line('expected', 'expected', (night) => scaled(night.expected?.expected, night)),
    range: {
      low: nights.map((night) => scaled(night.expected?.low, night)),
      high: nights.map((night) => scaled(night.expected?.high, night)),
    },
  };
  const weekAgo = line('weekAgo', 'weekAgo', (night) => scaled(night.weekAgo, night));
  const capacity = line('capacity', 'capacity', (night) => night.capacity);
  const compared = [
    ...(counted ? [weekAgo] : []),
    ...(seesAmounts ? [lastYear] : []),
    ...(counted && seesAmounts ? [expected] : []),
    ...(measure === 'rooms' ? [capacity] : []),
  ].filter(({ values }) => values.some((value) => value !== undefined));
  const notes = [
    seesAmounts && !compared.includes(lastYear) && words.noLastYear,
    seesAmounts && counted && !compared.includes(expected) && (isPast ? words.noPastForecast : words.noForecast),
  ].filter((note) => note !== false);
  const format = formatOf(options);
  const whole = wholeOf(nights, measure);
  return {
    title: `${charts.names.nights}: ${words.measures[measure]}`,
    caption: words.captions[measure](spanOf(dates)),
    axis: charts.night,
    points: nightPoints(dates),
    series: [now, ...compared],
    format,
    ...(measure === 'occupancy' && { formatTick: wholePercent }),
    startsAtZero: measure !== 'adr',
    summary: words.summary(
      whole.now === undefined ? charts.nothing : format(whole.now),
      whole.lastYear === undefined ? undefined : format(whole.lastYear),
    ),
    notes,
    file: `${measure}-${property}-${dates[0] ?? ''}`,
  };
}

function nowOf({ sold, capacity, adr, revPar }: NightFigures, measure: Measure): ChartValue {
  switch (measure) {
    case 'rooms':
      return sold;
    case 'occupancy':
      return sold === undefined || !capacity ? undefined : (sold / capacity) * 100;
    case 'adr':
      return adr;
    case 'revpar':
      return revPar;
  }
}

function lastYearOf(then: NonNullable<NightFigures['lastYear']>, measure: Measure): ChartValue {
  switch (measure) {
    case 'rooms':
      return then.sold;
    case 'occupancy':
      return then.occupancy;
    case 'adr':
      return then.adr;
    case 'revpar':
      return then.revPar;
  }
}

/** Figures of all nights: sums over sums, never averages of averages. Last year only where all its nights are known. */
function wholeOf(nights: readonly NightFigures[], measure: Measure): { now: ChartValue; lastYear: ChartValue } {
  const add = (of: (night: NightFigures) => number): number => nights.reduce((sum, night) => sum + of(night), 0);
  const sold = add((night) => night.sold ?? 0);
  const revenue = add((night) => (night.revPar ?? 0) * (night.capacity ?? 0));
  const capacity = add((night) => night.capacity ?? 0);
  const now = quotient(measure, { sold, revenue, capacity });
  if (nights.length === 0 || !nights.every(({ lastYear }) => lastYear)) return { now, lastYear: undefined };
  const soldThen = add(({ lastYear }) => lastYear!.sold);
  const roomsThen = add(({ lastYear }) => roomsOf(lastYear!));
  const revenueThen = add(({ lastYear }) => lastYear!.revPar * roomsOf(lastYear!));
  return { now, lastYear: quotient(measure, { sold: soldThen, revenue: revenueThen, capacity: roomsThen }) };
}

/** Rooms that there were: the audit has sold rooms and their share. */
const roomsOf = ({ sold, occupancy }: NonNullable<NightFigures['lastYear']>): number =>
  occupancy === 0 ? 0 : (sold / occupancy) * 100;

function quotient(
  measure: Measure,
  { sold, revenue, capacity }: { sold: number; revenue: number; capacity: number },
): ChartValue {
  switch (measure) {
    case 'rooms':
      return sold;
    case 'occupancy':
      return capacity === 0 ? undefined : (sold / capacity) * 100;
    case 'adr':
      return sold === 0 ? undefined : revenue / sold;
    case 'revpar':
      return capacity === 0 ? undefined : revenue / capacity;
  }
}

function formatOf({ measure, currency }: Options): (value: number) => string {
  if (measure === 'rooms') return roomsText;
  return measure === 'occupancy' ? percentText : wholeMoney(currency);
}
