import fc from 'fast-check';
import t from 'tap';

import { incrementOf, percentOf, roundTo } from '../../kernel/rules/money.ts';
import { policyTaxes, TAX_BASES, TAX_KINDS, type TaxRule } from '../../properties/rules/tax.ts';
import { bookedNight, quotedTaxes } from '../../rates/rules/night-charges.ts';
import { packNight, unpackNight } from '../../stay/storage/packed-night.ts';
import { DAY } from '../../testing/property-world.ts';
import { totals } from './night.ts';
import { penaltyParts } from './penalty.ts';
import {
  linesOfNight,
  priceOf,
  shareOfTaxes,
  taxedNight,
  taxesInAmount,
  taxesOfExtra,
  taxesOfNight,
  type TaxLine,
  taxLinesOf,
} from './taxes.ts';

const STAY = { checkIn: DAY, checkOut: DAY + 4, adults: 2, children: 1 };

const tax = (code: string, changed: Partial<TaxRule>): TaxRule => {
  return { code, kind: 'PERCENT', value: 0, included: false, on: 'ROOM', ...changed };
};
const VAT = tax('VAT', { value: 7, included: true, on: 'ALL' });
const CITY = tax('CITY', { kind: 'PER_PERSON_NIGHT', value: 250 });

const on = (day: number, rules: TaxRule[], price = 10_000, stay: object = {}) =>
  taxesOfNight({ ...STAY, ...stay }, DAY + day, price, rules, 'EUR');
const amounts = (lines: readonly TaxLine[]): number[] => lines.map(({ amount }) => amount);

t.test('a tax in the price leaves the price as it is', async (t) => {
  t.strictSame(on(0, [VAT]), { net: 9_346, lines: [{ code: 'VAT', amount: 654, included: true }] });
  const two = on(0, [VAT, tax('LEVY', { value: 3, included: true })], 11_000);
  t.strictSame([two.net, ...amounts(two.lines)], [10_000, 700, 300], 'several share what is in it');
  t.strictSame(
    amounts(on(0, [VAT, tax('TOP', { value: 10 })], 10_700).lines),
    [700, 1_070],
    'on top comes what the price as shown owes',
  );
});

t.test('a city tax is paid by adults, and by children of an age that is known to be enough', async (t) => {
  const from = (minAge: number) => [{ ...CITY, minAge }];
  t.same(amounts(on(0, [CITY]).lines), [750]);
  t.same(amounts(on(0, from(0)).lines), [750]);
  t.same(amounts(on(0, from(1)).lines), [500], 'nobody knows the age of a child');
  t.same(amounts(on(0, from(14), 0, { children: 3, childAges: [13, 14, 17] }).lines), [1_000]);
});

t.test('the first nights pay what has a limit of nights, the first of all what a stay owes once', async (t) => {
  const limited = [
    { ...CITY, maxNights: 2 },
    tax('STAY', { kind: 'PER_STAY', value: 900 }),
    tax('BERLIN', { value: 5, maxNights: 3 }),
  ];
  const codes = [0, 1, 2, 3].map((day) => on(day, limited).lines.map(({ code }) => code));
  t.same(codes, [['BERLIN', 'CITY', 'STAY'], ['BERLIN', 'CITY'], ['BERLIN'], []]);
});

t.test('a tax holds from its first business date to its last', async (t) => {
  const rules = [tax('OLD', { value: 5, to: DAY + 1 }), tax('NEW', { value: 8, from: DAY + 2, to: DAY + 2 })];
  t.same(
    [0, 1, 2, 3].map((day) => amounts(on(day, rules).lines)),
    [[500], [500], [800], []],
  );
});

t.test('a tax on extras does not apply to a night, nor a tax on nights to an extra', async (t) => {
  const food = tax('FOOD', { value: 20, on: 'EXTRA' });
  t.same(on(0, [food]).lines, []);
  const sold = (taxPercent: number, rules: TaxRule[]) =>
    taxesOfExtra(1_070, { taxPercent }, { taxes: rules, day: DAY, currency: 'EUR' });
  t.same(sold(0, [CITY, tax('ROOMS', { value: 9 })]), { amount: 1_070, lines: [] });
  t.same(sold(0, [VAT, food]), {
    amount: 1_284,
    lines: [
      { code: 'VAT', amount: 70, included: true },
      { code: 'FOOD', amount: 214, included: true },
    ],
  });
  t.same(sold(5, [VAT, food]), { amount: 1_124, lines: [{ code: 'TAX', amount: 54, included: true }] }, 'its own');
  const inside = (amount: number) =>
    amounts(taxesInAmount(amount, { taxPercent: 0 }, { taxes: [VAT, food], day: DAY, currency: 'EUR' }));
  t.same(inside(1_284), [70, 214], 'in an agreed amount');
  t.same(inside(-1_284), [-70, -214], 'and in a credit');
});

t.test('a penalty has the taxes of its nights in their proportions, and no city tax', async (t) => {
  const rules = [VAT, tax('LEVY', { value: 3, included: true }), CITY];
  const nights = [0, 1].map((day) => taxedNight(STAY, DAY + day, 11_000, rules, 'EUR'));
  t.same(amounts(taxLinesOf(nights)), [1_400, 600, 1_500]);
  const { revenue, taxes } = penaltyParts(11_000, nights, 'EUR');
  t.same([revenue, taxes], [10_000, 1_000]);
  t.same(shareOfTaxes(taxes, nights, 'EUR'), [
    { code: 'VAT', amount: 700 },
    { code: 'LEVY', amount: 300 },
  ]);
  const old = [{ day: DAY, rate: 10_000, taxes: 1_000, fees: 200 }];
  t.same(shareOfTaxes(100, old, 'EUR'), [{ code: 'TAX', amount: 100 }]);
});

const percent = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
const limit = (max: number) => fc.option(fc.integer({ min: 0, max }), { nil: undefined });
const rule = fc
  .record({
    code: fc.constantFrom('A', 'B', 'C', 'D'),
    kind: fc.constantFrom(...TAX_KINDS),
    percent,
    amount: fc.nat(100_000),
    isIncluded: fc.boolean(),
    on: fc.constantFrom(...TAX_BASES),
    minAge: limit(18),
    maxNights: limit(5).map((nights) => (nights === 0 ? 1 : nights)),
    from: limit(5),
    to: limit(5),
  })
  .map(({ percent: value, amount, isIncluded, from, to, ...rest }): TaxRule => {
    const isPercent = rest.kind === 'PERCENT';
    const dates = { from: from === undefined ? from : DAY + from, to: to === undefined ? to : DAY + to };
    return { ...rest, ...dates, value: isPercent ? value : amount, included: isPercent && isIncluded };
  });
const taxed = fc.record({
  rules: fc.array(rule, { minLength: 1, maxLength: 20 }),
  prices: fc.array(fc.nat(9_999_999), { minLength: 1, maxLength: 9 }),
  adults: fc.integer({ min: 1, max: 20 }),
  children: fc.nat(20),
  policies: fc.record({ taxPercent: percent, feePerNight: fc.nat(9_999), feePerPersonNight: fc.nat(999) }),
  currency: fc.constantFrom('EUR', 'JPY'),
});
type Taxed = typeof taxed extends fc.Arbitrary<infer T> ? T : never;

const nightsOf = ({ rules, prices, adults, children, policies, currency }: Taxed) => {
  const stay = { checkIn: DAY, checkOut: DAY + prices.length, adults, children };
  return prices.map((price, index) => bookedNight(stay, DAY + index, price, { ...policies, currency, taxes: rules }));
};
const soldAt = (price: number, { currency }: Taxed): number => roundTo(price, incrementOf(currency));
const isWhole = (amount: number, { currency }: Taxed): boolean => amount % incrementOf(currency) === 0;
const sumOf = (lines: readonly TaxLine[]): number => lines.reduce((sum, { amount }) => sum + amount, 0);

t.test('whatever the taxes: the total is base, taxes and fees, and prices with the lines on top', async () => {
  fc.assert(
    fc.property(taxed, (of) => {
      const nights = nightsOf(of);
      const lines = taxLinesOf(nights);
      const { base, taxes, fees, total } = totals(nights);
      const shown = of.prices.reduce((sum, price) => sum + soldAt(price, of), 0);
      const inPrice = sumOf(lines.filter(({ included }) => included));
      const quoted = quotedTaxes(nights);
      return (
        total === base + sumOf(lines) &&
        taxes === sumOf(lines.filter(({ fee }) => !fee)) &&
        fees === sumOf(lines.filter(({ fee }) => fee)) &&
        shown === base + inPrice &&
        total === shown + quoted.taxes + quoted.fees &&
        lines.every(({ amount }) => amount > 0) &&
        nights.every((night, index) => priceOf(night) === soldAt(of.prices[index]!, of))
      );
    }),
    { numRuns: 2_000 },
  );
});

t.test('whatever the taxes: nothing has cents where the currency has none', async () => {
  fc.assert(
    fc.property(taxed, percent, (of, taxPercent) => {
      const { prices, rules, currency } = of;
      const nights = nightsOf(of);
      const penalty = soldAt(Math.round(totals(nights).total / 3), of);
      const parts = penaltyParts(penalty, nights, currency);
      const on = { taxes: rules, day: DAY, currency };
      const [price] = prices as [number];
      const sold = taxesOfExtra(price, { taxPercent }, on);
      const lines = [
        ...taxLinesOf(nights),
        ...shareOfTaxes(parts.taxes, nights, currency),
        ...sold.lines,
        ...taxesInAmount(-soldAt(price, of), { taxPercent }, on),
      ];
      const sums = nights.flatMap(({ rate, taxes, fees }) => [rate, taxes, fees]);
      const all = [...amounts(lines), ...sums, sold.amount, parts.revenue, parts.taxes];
      return all.every((amount) => isWhole(amount, of));
    }),
    { numRuns: 2_000 },
  );
});

t.test('a tax in the price never changes what a stay costs', async () => {
  fc.assert(
    fc.property(taxed, percent, (of, value) => {
      const inPrice = tax('IN', { value, included: true });
      return totals(nightsOf({ ...of, rules: [inPrice, ...of.rules] })).total === totals(nightsOf(of)).total;
    }),
    { numRuns: 1_000 },
  );
});

t.test('the three policies cost the same to the cent, read as taxes or not', async () => {
  fc.assert(
    fc.property(taxed, (of) => {
      const { policies, prices, adults, children, currency } = of;
      const price = soldAt(prices[0]!, of);
      const stay = { checkIn: DAY, checkOut: DAY + 1, adults, children };
      const plain = bookedNight(stay, DAY, price, { ...policies, currency });
      const { taxLines: _lines, ...same } = taxedNight(stay, DAY, price, policyTaxes(policies), currency);
      const { taxPercent, feePerNight, feePerPersonNight } = policies;
      return (
        JSON.stringify(plain) === JSON.stringify(same) &&
        plain.taxes === percentOf(price, taxPercent, incrementOf(currency)) &&
        plain.fees === soldAt(feePerNight + feePerPersonNight * (adults + children), of) &&
        sumOf(linesOfNight(plain)) === plain.taxes + plain.fees
      );
    }),
    { numRuns: 1_000 },
  );
});

t.test('stored nights come back as they were, and an earlier release reads their sums', async (t) => {
  fc.assert(
    fc.property(taxed, (of) => {
      for (const night of nightsOf(of)) {
        const stored = JSON.parse(JSON.stringify(packNight(night))) as ReturnType<typeof packNight>;
        if (JSON.stringify(unpackNight(stored)) !== JSON.stringify(night)) return false;
        const [, rate, taxes, fees] = stored;
        if (rate + taxes + fees !== totals([night]).total) return false;
      }
      return true;
    }),
  );
  const plain = { day: DAY, rate: 100, taxes: 10, fees: 1 };
  t.strictSame(packNight(plain), [DAY, 100, 10, 1], 'without taxes of the property nothing is stored');
  t.strictSame(unpackNight([DAY, 100, 10, 1]), plain);
});
