import t from 'tap';

import { DAY, plan, promotion, roomType } from '../../testing/property-world.ts';
import type { Discount, Promotion } from './promotion.ts';
import { findingsIn, type Rated } from './rate-findings.ts';

const night = (offset: number, changed: object = {}) => ({
  roomType: 'STD',
  day: DAY + offset,
  total: 10,
  capacity: 10,
  booked: 5,
  rate: 10_000,
  low: 6_000,
  high: 20_000,
  expected: 3,
  ...changed,
});
const property = (changed: Partial<Rated> = {}): Rated => ({
  start: DAY,
  end: DAY + 3,
  roomTypes: [roomType('STD', 10)],
  plans: [plan()],
  nights: [0, 1, 2, 3].map((offset) => night(offset)),
  zeroNights: [],
  promotions: [],
  restrictions: [],
  ...changed,
});
const found = (changed: Partial<Rated>) => findingsIn(property(changed)).map(({ code }) => code);

void t.test('a property in order has no findings', async (t) => t.same(findingsIn(property()), []));

void t.test('nights without a rate are reported as runs', async (t) => {
  t.match(findingsIn(property({ nights: [night(1)] })), [
    { code: 'NO_RATE', severity: 'ERROR', roomType: 'STD', start: DAY, end: DAY },
    { code: 'NO_RATE', start: DAY + 2, end: DAY + 3 },
  ]);
});

void t.test('plans that cannot be sold, rules that contradict, and odd prices are reported', async (t) => {
  t.same(found({ plans: [plan({ status: 'DRAFT' })] }), ['NO_PLAN']);
  const parent = plan({ code: 'P', status: 'INACTIVE' });
  t.same(found({ plans: [plan(), parent, plan({ code: 'C', parentCode: 'P' })] }), ['PARENT_NOT_SOLD']);
  t.same(found({ plans: [plan(), plan({ code: 'C', parentCode: 'GONE' })] }), ['PARENT_NOT_SOLD']);
  const at = { rateCode: 'BAR', roomType: 'STD', day: DAY };
  t.same(found({ restrictions: [{ ...at, restriction: { minStayThrough: 5, maxStayArrival: 4 } }] }), [
    'LIMITS_CONTRADICT',
  ]);
  t.same(found({ restrictions: [{ ...at, restriction: { minStayThrough: 4, maxStayArrival: 4 } }] }), []);
  t.same(found({ nights: [0, 1, 2, 3].map((n) => night(n, { market: n === 2 ? 4_000 : 9_000 })) }), [
    'FAR_FROM_MARKET',
  ]);
  t.same(found({ nights: [0, 1, 2, 3].map((n) => night(n, n ? {} : { booked: 10, rate: 6_000 })) }), [
    'SOLD_OUT_CHEAP',
  ]);
});

void t.test('nights of which nothing is left, and promotions that leave nothing, are reported', async (t) => {
  const zero = (rateCode: string, offset: number) => ({ rateCode, roomType: 'STD', day: DAY + offset });
  const nights = [2, 3].map((offset) => night(offset));
  t.match(findingsIn(property({ nights, zeroNights: [zero('BAR', 0), zero('BAR', 1), zero('WEB', 3)] })), [
    { code: 'PRICE_ZERO', severity: 'ERROR', rateCode: 'BAR', roomType: 'STD', start: DAY, end: DAY + 1 },
    { code: 'PRICE_ZERO', rateCode: 'WEB', start: DAY + 3, end: DAY + 3 },
  ]);
  const given = (discount: Discount, changed: Partial<Promotion> = {}) =>
    found({
      promotions: [
        { ...promotion().promotion, paused: false, used: 0, usedOn: {}, createdAt: 0, discount, ...changed },
      ],
    });
  t.same(given({ type: 'PERCENTAGE', value: 100 }), ['FREE_OF_CHARGE']);
  t.same(given({ type: 'PERCENTAGE', value: 99 }), []);
  t.same(given({ type: 'PERCENTAGE', value: 100 }, { paused: true }), []);
  t.same(given({ type: 'FIXED_AMOUNT', value: 10_000 }), ['FREE_OF_CHARGE']);
  t.same(given({ type: 'FIXED_AMOUNT', value: 10_000 }, { conditions: { minimumStay: 2 } }), []);
  t.same(given({ type: 'FREE_NIGHTS', value: 1 }), [], 'whoever sells free nights means it');
});
