import t from 'tap';

import { SignedText } from '../../kernel/operations/signed-text.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import { DAY, NOW, plan, PROPERTY_ID, stayWish } from '../../testing/property-world.ts';
import { listPriceThen, type PriceBasis } from '../rules/price-basis.ts';
import type { QuotedRate } from '../rules/queries.ts';
import type { RatePlan } from '../rules/rate-plan.ts';
import type { Stay } from '../rules/stay.ts';
import { QuoteTokens, verifyQuote } from './quote-token.ts';

const signed = new SignedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]);
const CHARGES = { currency: 'EUR', taxPercent: 7.25, feePerNight: 150, feePerPersonNight: 0 };
const STAY = stayWish({ checkOut: DAY + 5 + MAX_NIGHTS, rateCode: 'OWN' });

/** A plan with a value in every member that prices read, and in others. */
const full = (rules: number): Partial<RatePlan> => ({
  strategy: 'DYNAMIC',
  strategyRules: { bidPercentPerRoom: 1.25, bidCeilingPercent: 40, marketSharePercent: 33, marketMostPercent: 12 },
  adjustmentPercent: 7.5,
  adjustmentAmount: 250,
  baseRate: 12_345,
  minRate: 5_000,
  maxRate: 99_999,
  occupancyPricing: [
    { roomType: 'DLX', included: 2, extraAdult: 9_999, bands: { CHILD: 1 } },
    { included: 2, extraAdult: 4_000, single: -3_000, bands: { CHILD: 1_500, TEEN: 2_500 } },
  ],
  dayOfWeekRates: { friday: 15_000, saturday: 16_000 },
  lengthOfStayRules: Array.from({ length: rules }, (_, index) => ({ minNights: index + 2, percent: -index / 7 })),
  advanceRules: Array.from({ length: rules }, (_, index) => ({
    minDays: index * 5,
    maxDays: index * 5 + 4,
    percent: index / 3,
  })),
});

function basisOf(rules: number, stay: Stay): PriceBasis {
  const lineage = [
    plan({ code: 'OWN', parentCode: 'ROOT', adjustmentPercent: -5 }),
    plan({ code: 'ROOT', ...full(rules) }),
  ];
  const ageBands = [
    { code: 'CHILD', toAge: 11 },
    { code: 'TEEN', toAge: 17 },
  ];
  const nights = Array.from({ length: stay.checkOut - stay.checkIn }, (_, index) => {
    const day = stay.checkIn + index;
    const of = {
      base: 10_000 + index * 137,
      multiplier: 100 + (index % 9),
      amount: index % 5,
      sold: (index * 7) % 60,
    };
    const cell = { roomType: 'STD', day, ...of, demand: ((index * 31) % 100) / 10, market: 11_000 + index * 71 };
    return {
      day,
      bookedOn: DAY,
      cell,
      list: listPriceThen({ lineage, ageBands, nights: [] }, { day, bookedOn: DAY, list: 0, cell }, stay),
    };
  });
  return { lineage, ageBands, nights };
}

function tokenOf(basis: PriceBasis, stay: Stay): string {
  const nightly = basis.nights.map(({ list }) => list);
  const rate = { roomType: stay.roomType, rateCode: stay.rateCode, nightly, basis } as QuotedRate;
  return new QuoteTokens(signed, PROPERTY_ID, stay, NOW, CHARGES).of(rate);
}

void t.test('a token says what its prices follow from, of the longest stay under a plan with many rules', (t) => {
  const basis = basisOf(12, STAY);
  const token = tokenOf(basis, STAY);
  t.ok(token.length < 8_000, `${token.length} characters`);
  const read = verifyQuote(signed, token, PROPERTY_ID, STAY);
  t.same(
    read.nightly,
    basis.nights.map(({ list }) => list),
  );
  t.same(read.basis!.nights, basis.nights);
  t.same(read.basis!.ageBands, basis.ageBands);
  t.notMatch(read.basis!.lineage![0], { name: /./ }, 'without what no price follows from');
  for (const other of [{ adults: 1 }, { adults: 4 }, { checkOut: STAY.checkIn + 3 }, { checkIn: STAY.checkIn + 9 }])
    for (const [index, night] of basis.nights.entries())
      if (
        listPriceThen(read.basis!, read.basis!.nights[index]!, { ...STAY, ...other }) !==
        listPriceThen(basis, night, { ...STAY, ...other })
      )
        t.fail(`${JSON.stringify(other)} on night ${index}`);
  t.end();
});

void t.test('one night needs few characters', (t) => {
  const stay = { ...STAY, checkOut: STAY.checkIn + 1 };
  const own = plan({ code: 'OWN', lengthOfStayRules: [{ minNights: 5, percent: -40 }] });
  const { nights } = basisOf(1, stay);
  const [night] = nights;
  const basis = {
    lineage: [own],
    nights: [{ ...night!, list: listPriceThen({ lineage: [own], nights: [] }, night!, stay) }],
  };
  const token = tokenOf(basis, stay);
  t.ok(token.length < 450, `${token.length} characters`);
  t.match(verifyQuote(signed, token, PROPERTY_ID, stay).basis, { nights: basis.nights });
  t.end();
});

void t.test('a basis that is too long is the prices before the promotion', (t) => {
  const basis = basisOf(900, STAY);
  const token = tokenOf(basis, STAY);
  t.ok(token.length < 8_000, `${token.length} characters`);
  const read = verifyQuote(signed, token, PROPERTY_ID, STAY);
  t.same(read.basis, { nights: basis.nights.map(({ day, bookedOn, list }) => ({ day, bookedOn, list })) });
  t.end();
});

void t.test('an earlier release reads the prices of the nights, and a later one may say more', (t) => {
  const stay = { ...STAY, checkOut: STAY.checkIn + 2 };
  const basis = basisOf(2, stay);
  const token = tokenOf(basis, stay);
  const [id, until, prices, promotion] = token.split('.')[1]!.split('~');
  // As 0.1.0 reads it: a price for each night of the stay.
  const nightly = prices!.split('_').map(Number);
  t.same(
    nightly.slice(0, 2),
    basis.nights.map(({ list }) => list),
  );
  t.equal(promotion, undefined);
  const bound = `${PROPERTY_ID.tenantId} ${PROPERTY_ID.propertyId} ${stay.checkIn} ${stay.checkOut} 2 0 3 OWN STD`;
  t.ok(signed.open('quote', token, bound), 'under the purpose that it knows');
  const later = signed.sign('quote', `${id}~${until}~100_200_q-whatever`, bound);
  const read = verifyQuote(signed, later, PROPERTY_ID, stay);
  t.same([read.nightly, read.basis], [[100, 200], undefined]);
  t.end();
});
