import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty } from '../property.ts';
import type { Service } from '../service.ts';

/** Quote tokens and base rates (docs/reference/rates.md#quote). */
export async function quotes(group: Test, service: Service): Promise<void> {
  await group.test('a quoted price holds although prices have gone up since', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { quoteToken, totalRate } = await property.quoted();
    t.equal((await property.price('DLX', 0, 120, 500)).status, 200);
    t.equal((await property.quoted()).totalRate, 1000);
    const { json } = await property.book({ stay: { quoteToken } });
    t.equal(json.financial.baseAmount, totalRate);
  });
  await group.test('a quote token books once', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { quoteToken } = await property.quoted();
    t.equal((await property.book({ stay: { quoteToken } })).status, 201);
    isProblem(t, await property.book({ stay: { quoteToken } }), 422, { code: 'QUOTE_EXPIRED' });
    t.same(await property.left(30, 2), [2, 2]);
  });
  await group.test('a token that was changed, or is for another stay, is worth nothing', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { quoteToken = '' } = await property.quoted();
    const middle = Math.floor(quoteToken.length / 2);
    const other = quoteToken[middle] === 'A' ? 'B' : 'A';
    const wrong = [
      property.wish({ stay: { quoteToken: quoteToken.slice(0, middle) + other + quoteToken.slice(middle + 1) } }),
      property.wish({ stay: { quoteToken: quoteToken.slice(0, -6) } }),
      property.wish({ stay: { quoteToken: 'nonsense' } }),
      property.wish({ stay: { quoteToken }, nights: 3 }),
      property.wish({ stay: { quoteToken }, from: 31 }),
      property.wish({ stay: { quoteToken }, roomType: 'STD' }),
      property.wish({ stay: { quoteToken, adults: 3 } }),
    ];
    for (const body of wrong) {
      isProblem(t, await service.reservations('POST', '', { body }), 422, { code: 'QUOTE_EXPIRED' });
    }
    const others = await BlackboxProperty.open(service);
    isProblem(t, await others.book({ stay: { quoteToken } }), 422, { code: 'QUOTE_EXPIRED' });
    t.same(await property.left(30, 2), [3, 3]);
  });
  await group.test('a price above maxTotal is refused', async (t) => {
    const property = await BlackboxProperty.open(service);
    isProblem(t, await property.book({ stay: { maxTotal: 199.99 } }), 409, { code: 'PRICE_CHANGED' });
    t.equal((await property.book({ stay: { maxTotal: 200 } })).status, 201);
  });
  await group.test(
    'weekdays and seasons set the price of a night, and the same body twice sets the same',
    async (t) => {
      const property = await BlackboxProperty.open(service);
      const body = {
        propertyId: property.propertyId,
        roomType: 'DLX',
        effectiveDate: property.day(30),
        endDate: property.day(43),
        rates: [
          { dayOfWeek: 'FRIDAY', rate: 180.55 },
          { dayOfWeek: 'SATURDAY', rate: 200 },
        ],
        seasonalAdjustments: [
          {
            name: 'fair',
            startDate: property.day(30),
            endDate: property.day(36),
            adjustment: 1.1,
            adjustmentType: 'MULTIPLIER',
          },
        ],
      };
      for (let time = 0; time < 2; time += 1) {
        const put = await service.rates('PUT', '/base', { body });
        t.match(put.json, {
          status: 'ACTIVE',
          rateId: /./,
          effectiveDate: property.day(30),
          previewUrl: /\/preview$/,
        });
        t.match(put.json, { affectedDates: 9 }, 'the season of seven nights and the second weekend');
        const { dailyRates } = await property.quoted(30, 14);
        const base: Record<number, number> = { 5: 180.55, 6: 200 };
        for (const [index, { date, rate }] of dailyRates.entries()) {
          const cents = Math.round((base[new Date(date).getUTCDay()] ?? 100) * 100);
          t.equal(Math.round(rate * 100), index < 7 ? halfEven(cents * 11, 10) : cents, date);
        }
      }
    },
  );
}

/** `amount / parts` in whole cents, half to even, as prices are rounded (docs/reference/api.md#money). */
function halfEven(amount: number, parts: number): number {
  const low = Math.floor(amount / parts);
  const rest = amount - low * parts;
  const up = rest * 2 > parts || (rest * 2 === parts && low % 2 === 1);
  return up ? low + 1 : low;
}
