import tap, { type Test, test } from 'tap';

import type { Answer } from './http.ts';
import { isProblem } from './problems.ts';
import { BlackboxProperty, must } from './property.ts';
import { type CallOptions, Service } from './service.ts';
import type { Quote, QuotedRate } from './shapes.ts';
import { until } from './waiting.ts';

tap.setTimeout(240_000);

type Offer = {
  propertyId: string;
  roomType: string;
  rateCode: string;
  currency: string;
  nightlyRates: number[];
  totalRate: number;
  taxes: number;
  fees: number;
  quoteToken: string;
  seq: number;
};
type Found = { items: Offer[]; asOf: string; isComplete: boolean };
type Stay = { checkIn: string; checkOut: string; adults: number; children?: number; childAges?: number[] };

/** One service for all: a search is about all properties of a tenant. */
const service = await Service.start();
tap.teardown(() => service.remove());

const search = (body: object, options: CallOptions = {}): Promise<Answer<Found>> =>
  service.call('POST', `${service.dev.reservationUrl}/api/v1/availability/search`, {
    role: 'VIEWER',
    body,
    ...options,
  });
const found = async (body: object): Promise<Offer[]> => must(await search(body), 200).json.items;

/** Waits until a search shows what was committed before (docs/reference/chain-search.md#answer). */
async function allIsSeen(body: object): Promise<void> {
  const now = Date.now();
  await until('a search is as of now', 30_000, async () => {
    const { status, json } = await search(body);
    return (status === 200 && Date.parse(json.asOf) > now) || undefined;
  });
}

const stayOf = (property: BlackboxProperty, from: number, nights: number): Stay => ({
  checkIn: property.day(from),
  checkOut: property.day(from + nights),
  adults: 2,
});

/** What the property itself quotes under each plan that everybody can book, the cheapest of each room type. */
async function quotedThere(
  property: BlackboxProperty,
  stay: Stay,
  plans: readonly string[],
): Promise<Map<string, number>> {
  const cheapest = new Map<string, number>();
  for (const rateCode of plans) {
    const { checkIn, checkOut, adults, childAges } = stay;
    const ages = childAges ? `&childAges=${childAges.join(',')}` : '';
    const query = `propertyId=${property.propertyId}&checkIn=${checkIn}&checkOut=${checkOut}&adults=${adults}${ages}`;
    const { json } = must(await service.rates<Quote>('GET', `/current?${query}&rateCode=${rateCode}`), 200);
    for (const rate of json.rates as (QuotedRate & { bookable: boolean; roomType: string; totalRate: number })[])
      if (rate.bookable)
        cheapest.set(rate.roomType, Math.min(cheapest.get(rate.roomType) ?? Infinity, rate.totalRate));
  }
  return cheapest;
}

const shown = (offers: readonly Offer[]): Record<string, number> =>
  Object.fromEntries(offers.map(({ roomType, totalRate }) => [roomType, totalRate]));

async function isAsQuoted(t: Test, property: BlackboxProperty, stay: Stay, plans: readonly string[]): Promise<void> {
  const quoted = await quotedThere(property, stay, plans);
  const offers = await found({ ...stay, propertyIds: [property.propertyId] });
  t.same(shown(offers), Object.fromEntries(quoted), `${stay.checkIn} to ${stay.checkOut}`);
}

const USUAL = ['BAR', 'FLEX', 'NRF'];

void test('offers are the cheapest of all properties in order, cost what each says, and are booked at that', async (t) => {
  const properties: BlackboxProperty[] = [];
  for (let n = 0; n < 6; n++) properties.push(await BlackboxProperty.open(service, { price: 60 + 10 * n }));
  const [first] = properties;
  const stay = stayOf(first!, 40, 3);
  const propertyIds = properties.map(({ propertyId }) => propertyId);
  const { items, asOf, isComplete } = must(await search({ ...stay, propertyIds, limit: 8 }), 200).json;
  t.equal(items.length, 8);
  t.ok(isComplete);
  t.ok(Date.parse(asOf) <= Date.now());
  t.same(
    items.map(({ totalRate }) => totalRate),
    items.map(({ totalRate }) => totalRate).toSorted((a, b) => a - b),
  );
  t.same([...new Set(items.map(({ propertyId }) => propertyId))], propertyIds.slice(0, 4));
  for (const property of properties) await isAsQuoted(t, property, stay, USUAL);
  for (const { propertyId, roomType, rateCode, quoteToken, totalRate, taxes, fees } of items.slice(0, 3)) {
    const property = properties.find((one) => one.propertyId === propertyId)!;
    // Dearer by now; the token promises the price of the search.
    must(await property.price(roomType, 40, 3, 500), 200);
    const booked = await property.booked({ from: 40, nights: 3, roomType, stay: { rateCode, quoteToken } });
    t.equal(booked.financial.totalAmount, Math.round((totalRate + taxes + fees) * 100) / 100);
  }
});

void test('what is sold out is gone, and what is free again is back', async (t) => {
  const property = await BlackboxProperty.open(service, { rooms: { ONE: 1 }, policies: { paymentRequired: false } });
  const stay = { ...stayOf(property, 20, 2), propertyIds: [property.propertyId] };
  await allIsSeen(stay);
  t.equal((await found(stay)).length, 1);
  for (let n = 0; n < 5; n++) {
    const { reservationId } = await property.booked({ from: 21, nights: 1, roomType: 'ONE', card: null });
    await allIsSeen(stay);
    t.same(await found(stay), [], 'sold');
    must(await service.reservations('DELETE', `/${reservationId}`), 200);
    await allIsSeen(stay);
    t.equal((await found(stay)).length, 1, 'free again');
  }
});

void test('restrictions, plans, lengths of stay, rooms out of order and changed prices count at once', async (t) => {
  const property = await BlackboxProperty.open(service, { rooms: { STD: 2, DLX: 1 } });
  const { propertyId } = property;
  const plans = [...USUAL, 'LONG', 'LATE', 'KIDS'];
  const add = async (code: string, rules: object, strategy = 'FIXED'): Promise<void> => {
    const body = { propertyId, code, name: code, strategy, rules };
    must(await service.rates('POST', '/plans', { body }), 201);
  };
  const stays = [1, 2, 3, 5].flatMap((nights) => [1, 30].map((from) => stayOf(property, from, nights)));
  const check = async (): Promise<void> => {
    await allIsSeen(stays[0]!);
    for (const stay of stays) await isAsQuoted(t, property, stay, plans);
    for (const ages of [[4], [4, 15]])
      await isAsQuoted(t, property, { ...stays[1]!, adults: 1, children: ages.length, childAges: ages }, plans);
  };
  await add('LONG', { lengthOfStayRules: [{ minNights: 3, percent: -20 }] });
  await add('LATE', { strategyRules: { lastMinuteDays: 5 } }, 'LASTMINUTE');
  await add('KIDS', { occupancyPricing: [{ included: 1, extraAdult: 30, single: -25, bands: {} }] });
  await check();
  const restrict = async (from: number, to: number, what: object): Promise<void> => {
    const body = { propertyId, startDate: property.day(from), endDate: property.day(to), ...what };
    must(await service.rates('PUT', '/restrictions', { body }), 200);
  };
  await restrict(31, 31, { stopSell: true, roomType: 'DLX' });
  await restrict(30, 30, { minStayArrival: 3, rateCode: 'LONG' });
  await restrict(1, 1, { closedToArrival: true, rateCode: 'LATE' });
  await restrict(33, 33, { closedToDeparture: true });
  await check();
  must(await property.price('STD', 30, 2, 45.55), 200);
  await check();
  const room = { roomNumber: '101', roomType: 'DLX', floor: 1 };
  must(await service.tenants('POST', `/properties/${propertyId}/rooms`, { body: room }), 201);
  const closed = {
    roomNumber: '101',
    from: property.day(34),
    to: property.day(34),
    kind: 'OUT_OF_ORDER',
    reason: 'Leak',
  };
  must(await service.tenants('POST', `/properties/${propertyId}/maintenances`, { body: closed, role: 'STAFF' }), 201);
  await check();
  t.same(Object.keys(shown(await found({ ...stayOf(property, 34, 1), propertyIds: [propertyId] }))), ['STD']);
});

void test('prices that move with each sale are those of the property', async (t) => {
  const property = await BlackboxProperty.open(service, { rooms: { STD: 8 }, policies: { paymentRequired: false } });
  const rules = { strategyRules: { bidPercentPerRoom: 5, bidCeilingPercent: 60 } };
  const { propertyId } = property;
  const own = { strategy: 'DYNAMIC', adjustmentPercent: -30, rules };
  const plan = { propertyId, code: 'DYN', name: 'Dynamic', ...own };
  must(await service.rates('POST', '/plans', { body: plan }), 201);
  const seen = new Set<number>();
  for (let n = 0; n < 4; n++) {
    await allIsSeen({ ...stayOf(property, 30, 2), propertyIds: [propertyId] });
    await isAsQuoted(t, property, stayOf(property, 30, 2), [...USUAL, 'DYN']);
    const [offer] = await found({ ...stayOf(property, 30, 2), propertyIds: [propertyId] });
    seen.add(offer!.totalRate);
    await property.booked({ from: 30, nights: 2, roomType: 'STD', card: null, stay: { rateCode: 'DYN' } });
  }
  t.equal(seen.size, 4, 'each sale made it dearer');
});

void test('maxTotal counts taxes and fees, and dearer rooms are left out', async (t) => {
  const policies = { taxPercent: 10, feePerNight: 5 };
  const property = await BlackboxProperty.open(service, { rooms: { STD: 2, DLX: 2 }, policies });
  must(await property.price('DLX', 10, 10, 200), 200);
  const stay = { ...stayOf(property, 12, 2), propertyIds: [property.propertyId] };
  await allIsSeen(stay);
  const [std, dlx] = await found(stay);
  const whole = std!.totalRate + std!.taxes + std!.fees;
  t.ok(dlx!.totalRate > whole);
  t.match(await found({ ...stay, maxTotal: whole }), [{ roomType: 'STD' }]);
  t.same(await found({ ...stay, maxTotal: Math.round(whole * 100 - 1) / 100 }), []);
});

void test('a tenant sees its own properties, in their currencies, and a removed one is gone', async (t) => {
  const [euro, yen] = [
    await BlackboxProperty.open(service),
    await BlackboxProperty.open(service, { currency: 'JPY' }),
  ];
  const propertyIds = [euro.propertyId, yen.propertyId];
  const stay = { ...stayOf(euro, 30, 2), propertyIds };
  await allIsSeen(stay);
  t.match(
    await found({ ...stay, limit: 2 }),
    [{ currency: 'EUR' }, { currency: 'JPY' }],
    'each currency has its share',
  );
  t.equal((await found(stay)).length, 4);
  isProblem(t, await search(stay, { tenant: 'rival' }), 404, { code: 'PROPERTY_NOT_FOUND' });
  const theirs = must(await search(stayOf(euro, 30, 2), { tenant: 'rival' }), 200).json.items;
  t.notOk(theirs.some(({ propertyId }) => propertyIds.includes(propertyId)));
  must(await service.tenants('DELETE', `/properties/${yen.propertyId}`), 200);
  const gone = await until('it is gone', 30_000, async () => {
    const answer = await search(stay);
    return answer.status === 404 ? answer : undefined;
  });
  isProblem(t, gone, 404, { code: 'PROPERTY_NOT_FOUND' });
  t.notOk((await found({ ...stayOf(euro, 30, 2), limit: 100 })).some(({ currency }) => currency === 'JPY'));
});

void test('a search that makes no sense is a problem that says why', async (t) => {
  const property = await BlackboxProperty.open(service);
  const stay = stayOf(property, 30, 2);
  const wrong = async (change: object, ...pointers: string[]): Promise<void> =>
    isProblem(t, await search({ ...stay, ...change }), 400, { code: 'VALIDATION_FAILED', pointers });
  await wrong({ propertyIds: [] }, '/propertyIds');
  await wrong({ propertyIds: Array.from({ length: 10_000 }, (_, n) => `hotel-${n}`) }, '/propertyIds');
  await wrong({ checkOut: property.day(30 + 366) }, '/checkOut');
  await wrong({ checkOut: stay.checkIn }, '/checkOut');
  await wrong({ checkOut: property.day(29) }, '/checkOut');
  await wrong({ adults: 40 }, '/adults');
  await wrong({ adults: 0 }, '/adults');
  await wrong({ childAges: [18] }, '/childAges/0');
  for (const limit of [0, 1_000, 1.5, '25', null]) await wrong({ limit }, '/limit');
  await wrong({ maxTotal: -1 }, '/maxTotal');
  await wrong({ checkIn: '2020-01-01', checkOut: '2020-01-03' }, '/checkIn');
  // Yesterday may be today at a property far west.
  await wrong({ checkIn: property.day(-2), checkOut: property.day(1) }, '/checkIn');
  await wrong({ checkIn: property.day(1_600), checkOut: property.day(1_602) }, '/checkOut');
  await wrong({ checkIn: undefined }, '/checkIn');
  await wrong({ rateCodes: ['BAR'] }, '/rateCodes');
  isProblem(t, await search({ ...stay, propertyIds: ['no-such-hotel'] }), 404, { code: 'PROPERTY_NOT_FOUND' });
  isProblem(t, await search(stay, { authorization: null }), 401);
  t.same(await found({ ...stay, adults: 20 }), [], 'nobody sleeps as many');
});
