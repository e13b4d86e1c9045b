import t from 'tap';

import type { Tax } from '../../properties/rules/tax.ts';
import { checkOutBody } from '../../stay/contracts/reservations.ts';
import { DAY, PROPERTY_ID, property } from '../../testing/property-world.ts';
import type { FinalCharge } from '../contracts/payments.ts';
import type { Extra } from '../rules/extra.ts';
import { priceCharges } from './price-charges.ts';

const BREAKFAST: Extra = { code: 'BREAKFAST', name: 'Breakfast', price: 1_850, taxPercent: 7.5, active: true };
const CLOSED: Extra = { ...BREAKFAST, code: 'POOL', active: false };

let reads = 0;
const list = async (): Promise<Extra[]> => ((reads += 1), [BREAKFAST, CLOSED]);
let taxes: Tax[] = [];
const view = async () => ({ setup: { property: property({ policies: { taxes } }) }, businessDate: DAY });
const priced = (...charges: FinalCharge[]) =>
  priceCharges({ extras: { list }, properties: { view } } as never, PROPERTY_ID, charges);

t.test('a code brings its gross price and its text', async (t) => {
  t.strictSame(await priced({ code: 'BREAKFAST', date: 20_000 }), [
    // 7.5 % of 18.50 is a tax of 1.3875.
    {
      code: 'BREAKFAST',
      description: 'Breakfast',
      amount: 1_989,
      day: 20_000,
      taxLines: [{ code: 'TAX', amount: 139, included: true }],
    },
  ]);
});

t.test('members beside a code take precedence, also of a credit', async (t) => {
  t.match(await priced({ code: 'BREAKFAST', amount: -500 }, { code: 'BREAKFAST', description: 'Late breakfast' }), [
    { amount: -500, description: 'Breakfast' },
    { amount: 1_989, description: 'Late breakfast' },
  ]);
});

t.test('charges without a code need no price list', async (t) => {
  reads = 0;
  t.strictSame(await priced({ description: 'Minibar', amount: 1_250 }), [
    { description: 'Minibar', amount: 1_250, day: undefined },
  ]);
  t.equal(reads, 0);
});

t.test('what is typed has the taxes on extras, in the price or on top of it', async (t) => {
  const tax = { code: 'BAR', name: 'Bar', kind: 'PERCENT' as const, value: 13, on: 'EXTRA' as const };
  for (const included of [true, false]) {
    taxes = [
      { ...tax, included },
      { ...tax, code: 'ROOMS', included, on: 'ROOM' },
    ];
    const [minibar, credit] = await priced(
      { description: 'Minibar', amount: 1_130 },
      { description: 'Complaint', amount: -500 },
    );
    t.same(minibar!.taxLines, [{ code: 'BAR', amount: 130, included: true }]);
    t.equal(credit!.taxLines, undefined, 'what it is for is not said');
  }
  taxes = [];
});

t.test('every code that is not sold is named', async (t) => {
  await t.rejects(priced({ code: 'BREAKFAST' }, { code: 'POOL' }, { code: 'pool', description: 'x', amount: 1 }), {
    code: 'VALIDATION_FAILED',
    details: { errors: [{ pointer: '/finalCharges/1/code' }, { pointer: '/finalCharges/2/code' }] },
  });
});

t.test('a charge has a code, or both text and amount', async (t) => {
  const wrong = (charge: object) =>
    checkOutBody.safeParse({ finalCharges: [charge] }).error?.issues.map(({ path }) => path.join('/'));
  t.same(wrong({}), ['finalCharges/0/description', 'finalCharges/0/amount']);
  t.same(wrong({ description: 'Minibar' }), ['finalCharges/0/amount']);
  t.same(wrong({ amount: 1 }), ['finalCharges/0/description']);
  t.equal(wrong({ code: 'BREAKFAST' }), undefined);
  t.equal(wrong({ description: 'Minibar', amount: 1 }), undefined);
});

t.test('an empty text beside a code is none: the name of the price list stands on the bill', async (t) => {
  const { finalCharges } = checkOutBody.parse({ finalCharges: [{ code: 'BREAKFAST', description: ' ', amount: 5 }] });
  const [charge] = await priced(...finalCharges);
  t.match(charge, { description: 'Breakfast', amount: 500 });
});
