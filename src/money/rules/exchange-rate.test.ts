import t from 'tap';

import { converted, type ExchangeRate, isPayable, isRate, rateFault } from './exchange-rate.ts';

const rate = (changed: Partial<ExchangeRate> = {}): ExchangeRate => {
  return { currency: 'USD', baseCurrency: 'EUR', rate: 0.92, date: 100, setBy: 'u', updatedAt: 1, ...changed };
};

void t.test('an amount is converted once, half to even, to what the currency has', async (t) => {
  t.equal(converted(10_000, 0.92, 'EUR'), 9_200);
  t.equal(converted(1, 0.5, 'EUR'), 0, 'half a cent to the even one');
  t.equal(converted(3, 0.5, 'EUR'), 2);
  t.equal(converted(12_345, 1.234567, 'EUR'), 15_241);
  t.equal(converted(10_000, 155.255, 'JPY'), 1_552_600, 'whole yen: 15525.5 is halfway, and the even one is above');
  t.equal(converted(1_000_000, 0.006125, 'EUR'), 6_125);
  t.equal(converted(9_999_999_999, 10_000_000, 'EUR'), 99_999_999_990_000_000, 'beyond 2^53 too');
  t.notOk(isPayable(converted(1, 0.000001, 'EUR')));
  t.notOk(isPayable(converted(9_999_999_999, 2, 'EUR')));
});

void t.test('a rate has six decimals at most', async (t) => {
  for (const good of [1, 0.92, 0.000001, 1_234_567.123456, 10_000_000]) t.ok(isRate(good), String(good));
  for (const bad of [0.0000001, 1.2345678, NaN, Infinity]) t.notOk(isRate(bad), String(bad));
});

void t.test('the desk counts by a rate of its day, and is told what to do without one', async (t) => {
  const on = (today: number, maxAgeDays = 1, base = 'EUR') => ({ currency: 'USD', base, today, maxAgeDays });
  t.equal(rateFault(rate(), on(100, 0)), undefined);
  t.equal(rateFault(rate(), on(101)), undefined);
  t.match(rateFault(rate(), on(102)), /of 1970-04-11, which is too old: an ADMIN sets it/);
  t.match(rateFault(rate(), on(101, 0)), /too old/);
  t.match(rateFault(undefined, on(100)), /no exchange rate for USD/);
  t.match(rateFault(rate(), on(100, 1, 'CHF')), /is in EUR/, 'the property sells in another currency by now');
});
