import { addDays, dayRange, mediumDay, shortDay } from '../grid/days.ts';
import { signed } from '../messages.ts';
import type { BookingCurve } from './api.ts';
import { YEAR_DAYS } from './booking-curve.ts';
import type { ChartModel, ChartSeries } from './chart-model.ts';
import { charts, pickupChart as words, roomsText } from './messages.ts';

/** Business dates shown. */
const DATES = 90;
const WEEK = 7;

type Facts = {
  property: string;
  from: string;
  to: string;
  now: BookingCurve;
  lastYear: BookingCurve;
  /** Pickup since the roll as the key figure has it, live. */
  today: number | undefined;
};

/** Room nights sold less cancelled, by business date, for the shown nights. */
export function pickupModel({ property, from, to, now, lastYear, today }: Facts): ChartModel {
  const { businessDate } = now;
  const dates = Array.from({ length: DATES }, (_, index) => addDays(businessDate, index - DATES + 1));
  const byDate = new Map(now.dates.map((one) => [one.date, one]));
  const then = new Map(lastYear.dates.map((one) => [addDays(one.date, YEAR_DAYS), one]));
  const booked = dates.map((date) => byDate.get(date)?.booked ?? 0);
  const cancelled = dates.map((date) => byDate.get(date)?.cancelled ?? 0);
  const net = booked.map((count, index) => count - cancelled[index]!);
  if (today !== undefined) net[DATES - 1] = today;
  const netThen = dates.map((date) => (then.get(date)?.booked ?? 0) - (then.get(date)?.cancelled ?? 0));
  const hasLastYear = netThen.some((value) => value !== 0);
  const series: ChartSeries[] = [
    { id: 'net', label: words.net, tone: 'now', kind: 'bars', values: net, format: signed },
    ...(hasLastYear
      ? [
          {
            id: 'lastYear',
            label: words.lastYear,
            tone: 'lastYear' as const,
            kind: 'line' as const,
            values: netThen,
            format: signed,
          },
        ]
      : []),
    { id: 'booked', label: words.booked, tone: 'capacity', kind: 'text', values: booked },
    { id: 'cancelled', label: words.cancelled, tone: 'capacity', kind: 'text', values: cancelled },
  ];
  const sum = (values: readonly number[]): string => signed(values.reduce((total, value) => total + value, 0));
  return {
    title: charts.names.pickup,
    caption: words.caption(dayRange(from, to)),
    axis: charts.date,
    points: dates.map((date) => ({ label: mediumDay(date), tick: shortDay(date), inFile: date })),
    series,
    format: roomsText,
    startsAtZero: true,
    summary: words.summary(signed(net.at(-1)!), sum(net.slice(-WEEK)), sum(net)),
    notes: hasLastYear ? [] : [words.noLastYear],
    ...(net.every((value) => value === 0) && !hasLastYear && { missing: words.nothing }),
    file: `pickup-${property}-${businessDate}`,
  };
}
