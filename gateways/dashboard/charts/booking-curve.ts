import { addDays, dayRange, longDay, shortDay } from '../grid/days.ts';
import type { BookingCurve } from './api.ts';
import type { ChartModel, ChartSeries, ChartValue } from './chart-model.ts';
import { curveChart as words, charts, roomsText } from './messages.ts';

/** After so many days dates fall on the same weekdays again. */
export const YEAR_DAYS = 364;
const MOST_DAYS = 365;
const LEAST_DAYS = 30;
const DAY_MS = 86_400_000;

type ExpectedRooms = { expected: number; low: number; high: number };

type Facts = {
  property: string;
  from: string;
  to: string;
  now: BookingCurve;
  lastYear: BookingCurve;
  /** The forecast of all these nights together; absent where one of them has none. */
  expected: ExpectedRooms | undefined;
};

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/**
 * The books of nights by days before the first one: this year up to today, last year's same weekdays, and where the
 * forecast ends. Between today and the last night the forecast is drawn straight: only its end is a figure.
 */
export function curveModel({ property, from, to, now, lastYear, expected }: Facts): ChartModel {
  const after = daysBetween(from, to);
  const fromThen = addDays(from, -YEAR_DAYS);
  const first = Math.max(
    LEAST_DAYS,
    ...[
      [now, from],
      [lastYear, fromThen],
    ].map(([curve, night]) => firstDayOf(curve as BookingCurve, night as string)),
  );
  const before = Array.from({ length: first + after + 1 }, (_, index) => first - index);
  const today = daysBetween(now.businessDate, from);
  const nowSold = soldBy(now, from);
  const thenSold = soldBy(lastYear, fromThen);
  const isKnown = (days: number): boolean => days >= today;
  const thisYear = before.map((days): ChartValue => (isKnown(days) ? nowSold(days) : undefined));
  const hasLastYear = lastYear.dates.length > 0;
  const points = before.map((days) => {
    const date = addDays(from, -days);
    return { label: words.daysBefore(days, shortDay(date)), tick: String(days), inFile: days };
  });
  const soldNow = nowSold(Math.max(today, -after));
  const ahead = expected && today > -after ? forecastOf(before, { today, soldNow, expected }) : undefined;
  const nights = from === to ? longDay(from) : dayRange(from, to);
  const series: ChartSeries[] = [
    { id: 'now', label: words.thisYear, tone: 'now', kind: 'line', values: thisYear },
    ...(hasLastYear
      ? [
          {
            id: 'lastYear',
            label: words.lastYear,
            tone: 'lastYear' as const,
            kind: 'line' as const,
            values: before.map((days): ChartValue => thenSold(days)),
          },
        ]
      : []),
    ...(ahead ? [ahead] : []),
  ];
  const lastIndex = before.length - 1;
  const notes = [
    !hasLastYear && words.noLastYear,
    !ahead && today > -after && words.noForecast,
    ahead !== undefined && from !== to && words.sumOfRanges,
  ].filter((note) => note !== false);
  const forecastText =
    ahead &&
    expected &&
    `${roomsText(expected.expected)} (${roomsText(expected.low)} to ${roomsText(expected.high)})`;
  return {
    title: charts.names.curve,
    caption: from === to ? words.caption(nights) : words.captionOfMany(nights),
    axis: words.axis,
    points,
    series: series.map((one) => (one.id === 'expected' ? { ...one, isFigure: (at) => at === lastIndex } : one)),
    format: roomsText,
    anchor: first,
    startsAtZero: true,
    summary: words.summary(soldNow, today, hasLastYear ? thenSold(Math.max(today, -after)) : undefined, forecastText),
    notes,
    ...(now.dates.length === 0 && !hasLastYear && { missing: words.nothing }),
    file: `booking-curve-${property}-${from}${from === to ? '' : `-${to}`}`,
  };
}

/** Days before the night at which its first booking came. */
function firstDayOf({ dates }: BookingCurve, night: string): number {
  const [first] = dates;
  return first ? Math.min(MOST_DAYS, daysBetween(first.date, night)) : 0;
}

/** Room nights on the books at the end of a day before the night. */
function soldBy({ dates }: BookingCurve, night: string): (days: number) => number {
  return (days) => {
    const date = addDays(night, -days);
    return dates.findLast((one) => one.date <= date)?.roomsSold ?? 0;
  };
}

function forecastOf(
  before: readonly number[],
  { today, soldNow, expected }: { today: number; soldNow: number; expected: ExpectedRooms },
): ChartSeries {
  const end = before.at(-1)!;
  const towards = (rooms: number) =>
    before.map((days): ChartValue => {
      if (days > today) return undefined;
      return soldNow + ((rooms - soldNow) * (today - days)) / (today - end);
    });
  return {
    id: 'expected',
    label: words.expected,
    tone: 'expected',
    kind: 'line',
    values: towards(expected.expected),
    range: { low: towards(expected.low), high: towards(expected.high) },
  };
}

/** The forecast of several nights: sums, also of the bounds, which is never too narrow. */
export function expectedOf(
  dates: readonly string[],
  forecast: ReadonlyMap<string, ExpectedRooms>,
): ExpectedRooms | undefined {
  const sum = { expected: 0, low: 0, high: 0 };
  for (const date of dates) {
    const night = forecast.get(date);
    if (!night) return undefined;
    sum.expected += night.expected;
    sum.low += night.low;
    sum.high += night.high;
  }
  return dates.length === 0 ? undefined : sum;
}
