import t from 'tap';

import type { BookingCurve } from './api.ts';
import { curveModel, expectedOf } from './booking-curve.ts';
import { chartCsv, textAt, zoomedIn, zoomedOut } from './chart-model.ts';
import { competitorsModel } from './competitors.ts';
import { type NightFigures, nightsModel } from './nights.ts';
import { pickupModel } from './pickup.ts';

const curve = (businessDate: string, sold: Record<string, number>): BookingCurve => {
  let before = 0;
  const dates = Object.entries(sold).map(([date, roomsSold]) => {
    const booked = Math.max(0, roomsSold - before);
    const cancelled = Math.max(0, before - roomsSold);
    before = roomsSold;
    return { date, booked, cancelled, roomsSold };
  });
  return { propertyId: 'harbor', from: '', to: '', businessDate, dates };
};

t.test('a booking curve ends today, and its forecast is a figure at the end only', async (t) => {
  const now = curve('2026-03-01', { '2026-01-20': 4, '2026-02-25': 10, '2026-03-01': 12 });
  const lastYear = curve('2026-03-01', { '2025-02-20': 3, '2025-03-09': 20 });
  const expected = { expected: 30, low: 25.4, high: 34 };
  const facts = { property: 'harbor', from: '2026-03-11', to: '2026-03-11', now, lastYear };
  const model = curveModel({ ...facts, expected });
  const at = (days: number): number => model.points.length - 1 - days;
  const [thisYear, then, ahead] = model.series;
  t.equal(thisYear!.values[at(10)], 12);
  t.equal(thisYear!.values[at(14)], 10);
  t.equal(thisYear!.values[at(9)], undefined, 'nobody knows tomorrow');
  t.equal(then!.values[at(3)], 20, 'the same weekday last year, as long before');
  t.equal(then!.values[at(4)], 3);
  t.equal(textAt(model, ahead!, at(0)), '30 (25 to 34)');
  t.equal(textAt(model, ahead!, at(5)), undefined, 'the line only leads there');
  t.equal(ahead!.values[at(5)], 21);
  t.match(model.summary, /^12 sold 10 days before; 3 at the same time last year; forecast 30 \(25 to 34\)\.$/);
  const alone = curveModel({ ...facts, lastYear: curve('2026-03-01', {}), expected: undefined });
  t.equal(alone.series.length, 1, 'what is not there to compare is not drawn');
  t.equal(alone.notes.length, 2);
  t.ok(curveModel({ ...facts, now: curve('2026-03-01', {}), lastYear: curve('', {}), expected: undefined }).missing);
});

t.test('a forecast of several nights needs all of them', async (t) => {
  const night = { expected: 10, low: 8, high: 11 };
  const forecast = new Map([
    ['2026-03-01', night],
    ['2026-03-02', night],
  ]);
  t.strictSame(expectedOf(['2026-03-01', '2026-03-02'], forecast), { expected: 20, low: 16, high: 22 });
  t.equal(expectedOf(['2026-03-01', '2026-03-03'], forecast), undefined);
});

t.test('pickup of today is that of the key figure, earlier days are the books', async (t) => {
  const now = curve('2026-03-01', { '2026-02-27': 5, '2026-02-28': 3 });
  const model = pickupModel({
    property: 'harbor',
    from: '2026-03-01',
    to: '2026-05-29',
    now,
    lastYear: curve('2026-03-01', { '2025-03-01': 2 }),
    today: 7,
  });
  t.strictSame(model.series[0]!.values.slice(-3), [5, -2, 7]);
  t.strictSame(model.series[1]!.values.slice(-2), [2, 0]);
  t.equal(model.summary, 'Today +7; last 7 days +10; last 90 days +10.');
});

t.test('figures of all nights are sums over sums', async (t) => {
  const night = (date: string, sold: number, revPar: number): NightFigures => ({ date, sold, capacity: 10, revPar });
  const nights = [night('2026-03-01', 10, 100), night('2026-03-02', 0, 0)];
  const options = { currency: '', property: 'harbor', seesAmounts: true, isPast: false };
  const summaryOf = (measure: 'rooms' | 'occupancy' | 'adr' | 'revpar'): string =>
    nightsModel(nights, { ...options, measure }).summary;
  t.match(summaryOf('rooms'), /: 10\.$/);
  t.match(summaryOf('occupancy'), /: 50\.0.%\.$/);
  t.match(summaryOf('adr'), /: 100\.$/);
  t.match(summaryOf('revpar'), /: 50\.$/);
  const model = nightsModel(nights, { ...options, measure: 'rooms' });
  t.strictSame(
    model.series.map(({ id }) => id),
    ['now', 'capacity'],
    'nothing to compare, nothing shown',
  );
  t.equal(chartCsv(model), 'Night,This year,Capacity\r\n2026-03-01,10,10\r\n2026-03-02,0,10\r\n');
});

t.test('a competitor whose name is a formula is text in the file', async (t) => {
  const model = competitorsModel({
    property: 'harbor',
    roomTypeName: 'Standard',
    dates: ['2026-03-01'],
    own: new Map([['2026-03-01', 110]]),
    rates: {
      propertyId: 'harbor',
      from: '2026-03-01',
      to: '2026-03-01',
      roomType: 'STD',
      currency: 'EUR',
      competitors: [{ competitorId: '=1+1', nights: [{ date: '2026-03-01', rate: 100, observedAt: '' }] }],
    },
  });
  t.match(chartCsv(model), /^Night,Our price,'=1\+1,/);
  t.match(model.summary, /110 % of it/);
});

t.test('a file has days and numbers that a spreadsheet can sort and add up', async (t) => {
  const now = curve('2026-03-01', { '2026-02-27': 4, '2026-03-01': 12 });
  const facts = { property: 'harbor', from: '2026-03-11', to: '2026-03-12', now, lastYear: curve('2026-03-01', {}) };
  t.match(chartCsv(pickupModel({ ...facts, today: undefined })), /\r\n2026-02-27,4,4,0\r\n/);
  const model = curveModel({ ...facts, expected: undefined });
  t.match(chartCsv(model), /\r\n10,12\r\n/);
  const share = { ...model.series[0]!, values: model.points.map(() => 100 / 3) };
  t.match(chartCsv({ ...model, series: [share] }), /\r\n10,33\.33\r\n/);
});

t.test('zoom keeps some points, and its last step shows all', async (t) => {
  t.strictSame(zoomedIn({ from: 0, to: 89 }, 7), { from: 0, to: 44 });
  t.strictSame(zoomedIn({ from: 0, to: 89 }, 80), { from: 45, to: 89 });
  t.strictSame(zoomedIn({ from: 10, to: 13 }, 11), { from: 10, to: 13 }, 'five points at least');
  t.strictSame(zoomedOut({ from: 40, to: 49 }, 90), { from: 35, to: 54 });
  t.equal(zoomedOut({ from: 0, to: 60 }, 90), undefined);
});
