import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

const DAY_MS = 86_400_000;
const CROWD = 500;

/** Promised prices hold, promotions run out on time, and nights are nights of the property's own clock. */
export async function pricesHold(group: Test, service: Service): Promise<void> {
  await group.test(`of ${CROWD} who book a promotion at once, no more get it than it has`, async (t) => {
    const property = await BlackboxProperty.open(service, {
      rooms: { DLX: CROWD },
      policies: { paymentRequired: false },
    });
    const startDate = property.day(0);
    const endDate = property.day(60);
    const body = {
      propertyId: property.propertyId,
      promotionName: 'Crowd',
      discount: { type: 'PERCENTAGE', value: 50 },
      validity: { startDate, endDate },
      inventory: { totalRooms: 70, maxPerDay: 40 },
    };
    type Promotion = { promotionId: string; promoCode: string; status: string; inventory: { used: number } };
    const { promotionId, promoCode } = must(
      await service.rates<Promotion>('POST', '/promotional', { body }),
      201,
    ).json;
    const book = (n: number) =>
      property.bookUntilDecided({ from: 30 + (n % 2), nights: 1, card: null, stay: { promoCode } });
    const answers = await Promise.all(Array.from({ length: CROWD }, (_, n) => book(n)));
    const got = answers.filter(({ status }) => status === 201).map(({ json }) => json);
    t.equal(got.length, 70, 'its whole life');
    const onFirst = got.filter(({ stayDetails }) => stayDetails.checkIn === property.day(30)).length;
    t.ok(onFirst <= 40 && got.length - onFirst <= 40, `${onFirst} and ${got.length - onFirst} of 40 a night`);
    t.ok(got.every(({ financial }) => financial.baseAmount === 50));
    const refused = answers.find(({ status }) => status !== 201);
    isProblem(t, refused!, 422, { code: 'PROMO_EXHAUSTED' });
    t.match(must(await service.rates<Promotion>('GET', `/promotions/${promotionId}`), 200).json, {
      status: 'EXHAUSTED',
      inventory: { used: 70 },
    });
  });

  await group.test(
    'a quote token holds its price through 200 bookings that each made the next one dearer',
    async (t) => {
      const property = await BlackboxProperty.open(service, {
        rooms: { DLX: 210 },
        policies: { paymentRequired: false },
      });
      const rules = { strategyRules: { bidPercentPerRoom: 0.25, bidCeilingPercent: 60 } };
      const plan = { propertyId: property.propertyId, code: 'DYN', name: 'Dynamic', strategy: 'DYNAMIC', rules };
      must(await service.rates('POST', '/plans', { body: plan }), 201);
      const quote = async () => {
        const { json } = must(await property.quote(30, 2, '&rateCode=DYN&roomType=DLX&explain=true'), 200);
        return json.rates[0]!;
      };
      const promised = await quote();
      t.equal(promised.totalRate, 200);
      let before = promised.totalRate;
      for (let n = 1; n <= 200; n++) {
        must(await property.book({ card: null, stay: { rateCode: 'DYN' } }), 201);
        if (n % 50 > 0) continue;
        const { totalRate } = await quote();
        t.ok(totalRate > before, `${totalRate} after ${n} bookings, ${before} before`);
        before = totalRate;
      }
      const stay = { rateCode: 'DYN', quoteToken: promised.quoteToken };
      const { financial } = must(await property.book({ card: null, stay }), 201).json;
      t.equal(financial.baseAmount, promised.totalRate);
    },
  );

  await group.test('rooms that are taken from sale make the others dearer where prices are DYNAMIC', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 20 } });
    const plan = { propertyId: property.propertyId, code: 'DYN', name: 'Dynamic', strategy: 'DYNAMIC' };
    must(await service.rates('POST', '/plans', { body: plan }), 201);
    const price = async (rateCode: string) =>
      must(await property.quote(30, 1, `&rateCode=${rateCode}&roomType=DLX`), 200).json.rates[0]!.totalRate;
    const inventory = async (more: object) => {
      const body = { roomType: 'DLX', startDate: property.day(30), endDate: property.day(30), ...more };
      must(await service.tenants('PUT', `/properties/${property.propertyId}/inventory`, { body }), 200);
    };
    t.equal(await price('DYN'), 100);
    await inventory({ blockedRooms: 4 });
    t.equal(await price('DYN'), 102);
    await inventory({ blockedRooms: 0, totalRooms: 10 });
    t.equal(await price('DYN'), 105);
    await inventory({ totalRooms: 25 });
    t.equal(await price('DYN'), 100);
    t.equal(await price('BAR'), 100);
  });

  await group.test('a night is a night when the clocks change', async (t) => {
    for (const timezone of ['Europe/Lisbon', 'America/Denver']) {
      const property = await BlackboxProperty.open(service, { timezone, pricedNights: 0 });
      const changes = clockChanges(timezone, property.firstDay + 2);
      t.equal(changes.length, 2, `${timezone}: ${changes.map(date).join(', ')}`);
      for (const day of changes) {
        const n = day - property.firstDay;
        must(await property.price('DLX', n - 2, 5, 100), 200);
        const { json } = must(await property.quote(n - 1, 3, '&roomType=DLX'), 200);
        t.same(
          json.rates[0]!.dailyRates.map((night) => night.date),
          [day - 1, day, day + 1].map(date),
        );
        t.equal(json.rates[0]!.totalRate, 300);
        const booked = await property.booked({ from: n - 1, nights: 3 });
        t.match(booked, { stayDetails: { nights: 3 }, financial: { baseAmount: 300 } });
        t.same(await property.left(n - 2, 5), [3, 2, 2, 2, 3]);
      }
    }
  });

  await group.test('a search offers every plan that everybody can book, and none above the maximum', async (t) => {
    const property = await BlackboxProperty.open(service, { price: 100 });
    const { propertyId } = property;
    const company = { propertyId, code: 'CORP', name: 'Company', guarantee: 'COMPANY' };
    must(await service.rates('POST', '/plans', { body: company }), 201);
    type Found = { rateCode: string; totalRate: number; quoteToken?: string; bookable: boolean; reason?: object };
    const search = async (body: object): Promise<Found[]> => {
      const nights = { checkIn: property.day(30), checkOut: property.day(32), roomType: 'DLX', adults: 2 };
      const whole = { ...nights, propertyIds: [propertyId], ...body };
      return must(await service.tenants<{ items: Found[] }>('POST', '/availability/search', { body: whole }), 200)
        .json.items;
    };
    const all = await search({});
    t.same(
      all.map(({ rateCode, totalRate, bookable }) => [rateCode, totalRate, bookable]),
      [
        ['NRF', 180, true],
        ['BAR', 200, true],
        ['FLEX', 220, true],
      ],
    );
    const [first] = all;
    must(await property.book({ from: 30, nights: 2, stay: { rateCode: 'NRF', quoteToken: first!.quoteToken } }), 201);
    t.match(await search({ rateCodes: ['CORP'] }), [{ rateCode: 'CORP' }]);
    const { financial } = await property.booked({ from: 30, nights: 2 });
    const some = await search({ maxTotal: financial.totalAmount });
    t.match(some, [{ rateCode: 'NRF' }, { rateCode: 'BAR', bookable: true }, { rateCode: 'FLEX', bookable: false }]);
    t.match(some[2]!.reason, { code: 'PRICE_CHANGED' });
    t.equal(some[2]!.quoteToken, undefined);
  });

  await group.test('offers of several properties come in one answer, and their tokens book', async (t) => {
    const dear = await BlackboxProperty.open(service, { price: 300 });
    const cheap = await BlackboxProperty.open(service, { price: 80 });
    type Offers = {
      items: { propertyId: string; roomType: string; rateCode: string; totalRate: number; quoteToken: string }[];
    };
    const search = (body: object) =>
      service.tenants<Offers>('POST', '/availability/search', {
        body: { checkIn: cheap.day(30), checkOut: cheap.day(32), adults: 2, ...body },
      });
    const propertyIds = [dear.propertyId, cheap.propertyId];
    const { items } = must(await search({ propertyIds, rateCodes: ['BAR'] }), 200).json;
    t.match(items.slice(0, 2), [{ propertyId: cheap.propertyId, totalRate: 160 }, { totalRate: 160 }]);
    t.match(items.slice(2), [{ propertyId: dear.propertyId, totalRate: 600 }, { totalRate: 600 }]);
    const [first] = must(await search({ propertyIds, roomType: 'DLX', rateCodes: ['BAR'] }), 200).json.items;
    must(await cheap.price('DLX', 0, 120, 500), 200);
    const { financial } = await cheap.booked({ stay: { quoteToken: first!.quoteToken } });
    t.equal(financial.baseAmount, 160);
    isProblem(t, await search({ propertyIds: [...propertyIds, 'no-such-house'] }), 404, {
      code: 'PROPERTY_NOT_FOUND',
    });
    isProblem(t, await search({ checkOut: cheap.day(30) }), 400, { pointers: ['/checkOut'] });
    const plans = must(await search({ propertyIds: [cheap.propertyId], rateCodes: ['NRF', 'NONE'] }), 200).json.items;
    t.same(new Set(plans.map(({ rateCode }) => rateCode)), new Set(['NRF']));
    const short = await BlackboxProperty.open(service, { policies: { horizonNights: 20 }, pricedNights: 15 });
    const both = must(await search({ propertyIds: [short.propertyId, cheap.propertyId] }), 200).json;
    t.match(both, { items: [{ propertyId: cheap.propertyId }], unavailable: [{ propertyId: short.propertyId }] });
    isProblem(t, await search({ propertyIds: [short.propertyId] }), 400, { pointers: ['/checkOut'] });
  });
}

const date = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The next two days on which a zone changes its clocks. */
function clockChanges(timeZone: string, from: number): number[] {
  const offset = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offsetAt = (day: number): string => offset.formatToParts(day * DAY_MS + DAY_MS / 2).at(-1)!.value;
  const days = Array.from({ length: 400 }, (_, n) => from + n);
  return days.filter((day) => offsetAt(day) !== offsetAt(day - 1)).slice(0, 2);
}
