import t from 'tap';

import { DAY } from '../../../../src/testing/property-world.ts';
import { quoteText } from './quote.ts';

/** The lines of a rate as clients read them. */
function linesOf(rate: object): unknown {
  const usual = {
    roomType: 'STD',
    rateCode: 'BAR',
    currency: 'EUR',
    dailyText: '',
    total: 0,
    average: 0,
    bookable: true,
  };
  const terms = { restrictions: {}, cancellation: { policyName: 'STANDARD', deadline: null } };
  const quote = { rates: [{ ...usual, ...terms, ...rate }], unavailable: [], restrictions: {} };
  const query = { propertyId: 'anchor', checkIn: DAY, checkOut: DAY + 1 };
  const text = quoteText(query as never, { seq: 1, quote, tokens: [undefined] } as never);
  return JSON.parse(text.replaceAll('undefined', 'null')).rates[0].taxLines;
}

t.test('what the policies come to is a line each; what is nothing is none', async (t) => {
  const tax = { code: 'TAX', name: 'Taxes', amount: 10.5, included: false };
  const fees = { code: 'FEES', name: 'Fees', amount: 4, included: false };
  t.same(linesOf({ taxes: 1_050, fees: 400 }), [tax, fees]);
  t.same(linesOf({ taxes: 1_050, fees: 0 }), [tax]);
  t.same(linesOf({ taxes: 0, fees: 400 }), [fees]);
  t.same(linesOf({ taxes: 0, fees: 0 }), []);
});

t.test('a tax of the property is named, where its name is known', async (t) => {
  const lines = [
    { code: 'A', name: 'A "tax"', amount: 100, included: true },
    { code: 'B', amount: 50, included: false },
  ];
  t.same(linesOf({ taxes: 1, fees: 0, taxLines: lines }), [
    { ...lines[0], amount: 1 },
    { ...lines[1], amount: 0.5 },
  ]);
});
