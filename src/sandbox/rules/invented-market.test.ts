import { test } from 'tap';

import type { DemoType } from '../../demo/rules/hotels.ts';
import { dayOf, formatDay } from '../../kernel/rules/dates.ts';
import { isSandbox, sandboxIdOf } from '../../kernel/rules/sandbox-id.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import { inventedMarket, plansOfWays } from './invented-market.ts';

const FIRST = dayOf('2026-11-27');

/** A type whose price is that of a night's date. */
function typeWith(price: (date: string) => number): DemoType {
  const nights = Array.from({ length: 365 }, (_, n) => ({
    base: price(formatDay(FIRST + n)),
    multiplier: 100,
    amount: 0,
  }));
  return {
    code: 'DBL',
    name: 'Double',
    rooms: 10,
    sleeps: 2,
    weekday: 9_000,
    weekend: 9_000,
    nightly: { first: FIRST, nights },
  };
}

const plan = (code: string, more: Partial<RatePlan> = {}): RatePlan =>
  ({ code, status: 'ACTIVE', cancellationPolicy: 'STANDARD', minLengthOfStay: 1, ...more }) as RatePlan;

void test('dear months are fuller; where all cost the same, summer is', (t) => {
  const plans = [plan('BAR')];
  const seasonal = inventedMarket([typeWith((date) => (/-0[12]-/.test(date) ? 18_000 : 9_000))], plans, 1);
  t.ok(seasonal.months[0]! > seasonal.months[6]! + 0.2, 'a winter resort');
  const flat = inventedMarket([typeWith(() => 9_000)], plans, 1);
  t.ok(flat.months[6]! > flat.months[0]!);
  for (const { months, weekdays } of [seasonal, flat]) {
    t.ok(months.every((one) => one >= 0.3 && one <= 0.92));
    t.equal(weekdays.length, 7);
  }
  t.equal(inventedMarket([typeWith(() => 900_000)], plans, 100).barUnit! % 100, 0, 'whole amounts without cents');
  t.end();
});

void test('guests book as the plans are sold, and nobody is invoiced to a company', (t) => {
  const plans = [
    plan('NRF', { cancellationPolicy: 'NON_REFUNDABLE' }),
    plan('BAR'),
    plan('FLEX', { guarantee: 'CARD' }),
    plan('CORP', { guarantee: 'COMPANY' }),
    plan('DESK', { guarantee: 'NONE', status: 'INACTIVE' }),
    plan('ONLY', { guarantee: 'NONE', roomTypes: ['STE'] }),
  ];
  t.same(plansOfWays(plans), { CHANNEL: 'BAR', PREPAID: 'BAR', NON_REFUNDABLE: 'NRF', CARD: 'FLEX' });
  const market = inventedMarket([typeWith(() => 9_000)], plans, 1);
  t.equal(market.ways.COMPANY + market.ways.AT_HOTEL, 0);
  t.same(plansOfWays([plan('CORP', { guarantee: 'COMPANY' })]), {}, 'no plan that guests could book');
  const long = inventedMarket([typeWith(() => 9_000)], [plan('BAR', { minLengthOfStay: 4 })], 1);
  t.same(long.nights.slice(0, 3), [0, 0, 0], 'stays are as long as the plan wants');
  t.ok(long.nights[3]! > 0);
  t.end();
});

void test('the id of a sandbox says what it is, and fits', (t) => {
  t.equal(sandboxIdOf('bay-inn', 2), 'bay-inn--sandbox-2');
  const long = sandboxIdOf('a'.repeat(50), 12);
  t.equal(long.length, 50);
  t.ok(isSandbox(long));
  const alike = (end: string): string => sandboxIdOf(`${'a'.repeat(45)}${end}`, 1);
  t.not(alike('-east'), alike('-west'), 'two properties whose ids begin alike have two sandboxes');
  for (const id of ['bay-inn', 'sandbox-1', 'bay-sandbox-1', 'bay--sandbox-', 'bay--sandbox-0', 'bay--sandbox-1-inn'])
    t.notOk(isSandbox(id), id);
  t.end();
});
