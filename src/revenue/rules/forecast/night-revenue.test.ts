import t from 'tap';

import type { RateNight } from '../../../rates/rules/queries.ts';
import { ratesToCome, revenueOfNight } from './night-revenue.ts';

const rooms = (expected: number, off = 5) => ({ expected, low: expected - off, high: expected + off });
const night = (day: number, more: Partial<RateNight> = {}): RateNight => ({
  roomType: 'STD',
  day,
  total: 40,
  capacity: 40,
  booked: 10,
  rate: 10_000,
  low: 6_000,
  high: 20_000,
  expected: 0,
  ...more,
});

void t.test('rooms on the books earn what they cost, those to come the rate of today', async (t) => {
  const sales = { booked: 10, revenue: 80_000, rateToCome: 12_000 };
  t.same(revenueOfNight(rooms(20), sales), { adr: 10_000, revenue: 200_000, low: 140_000, high: 260_000 });
});

void t.test('where cancellations are expected, the rooms that stay are as dear as all', async (t) => {
  const sales = { booked: 20, revenue: 200_000, rateToCome: 99_900 };
  t.same(revenueOfNight(rooms(10), sales), { adr: 10_000, revenue: 100_000, low: 50_000, high: 150_000 });
});

void t.test('without a sale and without a price there is no number', async (t) => {
  t.equal(revenueOfNight(rooms(10), { booked: 0, revenue: 0, rateToCome: undefined }), undefined);
  t.equal(revenueOfNight(rooms(20), { booked: 10, revenue: 80_000, rateToCome: undefined })?.adr, 8_000);
  t.equal(revenueOfNight(rooms(0, 0), { booked: 0, revenue: 0, rateToCome: 9_000 })?.revenue, 0);
});

void t.test('a rate of 0 is no price', async (t) => {
  const found = ratesToCome([night(1, { rate: 0 }), night(1, { roomType: 'DLX', rate: 0 }), night(2)], () => 0);
  t.same([...found], [[2, 10_000]]);
});

void t.test('rates to come are part of the price as rooms on the books are, by free rooms', async (t) => {
  const nights = [night(1), night(2), night(2, { roomType: 'DLX', rate: 40_000, booked: 40 })];
  const none = ratesToCome(nights, () => 0);
  t.same([...none.values()], [10_000, 10_000], 'the full room type counts for nothing');
  const found = ratesToCome(nights, (day) => (day === 1 ? 80_000 : 0.8 * 1_700_000));
  t.same([...found.values()], [8_000, 8_000], 'four fifths of the price');
  const absurd = ratesToCome(nights, () => 9_000_000);
  t.same([...absurd.values()], [15_000, 15_000], 'within bounds');
});

void t.test('a night that sells below the others goes on to, the more rooms it has the surer', async (t) => {
  const cheap = (booked: number): number => {
    const others = Array.from({ length: 40 }, (_, n) => night(n + 2, { booked: 30 }));
    const nights = [night(1, { booked }), ...others];
    return ratesToCome(nights, (day) => (day === 1 ? booked * 7_000 : 30 * 10_000)).get(1)!;
  };
  const [few, many] = [cheap(2), cheap(39)];
  t.ok(few > 9_500 && few < 10_000, `${few}`);
  t.ok(many > 8_000 && many < 9_300, `${many}`);
});
