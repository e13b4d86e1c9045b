import type { Test } from 'tap';

import { auditIsClean } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, propertyBody } from '../property.ts';
import type { Service } from '../service.ts';
import type { Reservation } from '../shapes.ts';

type Rate = { roomType: string; totalRate: number; fees: number; quoteToken: string };
type Quote = { checkIn: string; checkOut: string; rates: Rate[]; unavailable: { roomType: string; code: string }[] };

/** Stays without a night, and ages of children (docs/reference/day-use.md#day-use, docs/reference/api.md#persons). */
export async function dayUse(group: Test, service: Service): Promise<void> {
  const quoteOf = (property: BlackboxProperty, query: string) =>
    service.rates<Quote>('GET', `/current?propertyId=${property.propertyId}&adults=2&${query}`);
  const fee = { feePerPersonNight: 2, taxPercent: 0, feePerNight: 0 };

  await group.test('a plan with day use sells the day at its price; others refuse equal dates', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 1, STD: 1 }, policies: fee });
    const day = property.day(30);
    const equal = `checkIn=${day}&checkOut=${day}`;
    const wrong = { code: 'VALIDATION_FAILED', parameters: ['checkOut'] };
    isProblem(t, await quoteOf(property, equal), 400, wrong);
    isProblem(t, await property.book({ nights: 0 }), 400, { pointers: ['/stayDetails/checkOut'] });
    const plan = { propertyId: property.propertyId, code: 'DAY', name: 'Day use' };
    const rules = { dayUse: [{ roomType: 'DLX', rate: 45 }], minLengthOfStay: 2 };
    const twice = { ...rules, dayUse: [{ rate: 45 }, { rate: 50 }] };
    isProblem(t, await service.rates('POST', '/plans', { body: { ...plan, rules: twice } }), 400, {
      pointers: ['/rules/dayUse/1/roomType'],
    });
    must(await service.rates('POST', '/plans', { body: { ...plan, rules } }), 201);
    isProblem(t, await quoteOf(property, equal), 400, wrong);
    const { json: quote } = must(await quoteOf(property, `${equal}&rateCode=DAY`), 200);
    t.match(quote, { checkIn: day, checkOut: day, unavailable: [{ roomType: 'STD', code: 'NO_RATE' }] });
    t.match(quote.rates, [{ roomType: 'DLX', totalRate: 45, fees: 4 }]);
    const search = { checkIn: day, checkOut: day, adults: 2, propertyIds: [property.propertyId] };
    const found = must(
      await service.tenants<{ items: Rate[] }>('POST', '/availability/search', { body: search }),
      200,
    );
    t.match(found.json.items, [{ rateCode: 'DAY', totalRate: 45, fees: 4, bookable: true }]);
    const { quoteToken } = quote.rates[0]!;
    const booked = await property.booked({ nights: 0, stay: { rateCode: 'DAY', quoteToken } });
    const shown = { checkIn: day, checkOut: day, nights: 0, dayUse: true };
    t.match(booked, { stayDetails: shown, financial: { totalAmount: 49, baseAmount: 45 } });
    t.match((await property.read(booked.reservationId)).json, { stayDetails: shown });
    isProblem(t, await property.book({ nights: 1 }), 409, { code: 'ROOM_NOT_AVAILABLE' });
    const list = (query: string) =>
      service.reservations<{ items: Reservation[] }>('GET', `?propertyId=${property.propertyId}&${query}`);
    for (const [query, count] of [
      [`departureFrom=${day}&departureTo=${day}`, 1],
      [`departureFrom=${property.day(31)}&departureTo=${property.day(31)}`, 0],
      [`departureTo=${day}`, 1],
      [`arrivalFrom=${day}&arrivalTo=${day}`, 1],
    ] as const)
      t.equal(must(await list(query), 200).json.items.length, count, query);
    await auditIsClean(t, property);
  });

  await group.test('day use moves with its day, and becomes a night at the price of the night', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 1 }, policies: fee });
    const plan = { propertyId: property.propertyId, code: 'DAY', name: 'Day use', rules: { dayUse: [{ rate: 45 }] } };
    must(await service.rates('POST', '/plans', { body: plan }), 201);
    const { reservationId } = await property.booked({ nights: 0, stay: { rateCode: 'DAY' } });
    const change = (stayDetails: object) =>
      service.reservations<Reservation>('PUT', `/${reservationId}`, { body: { modifications: { stayDetails } } });
    must(await change({ checkIn: property.day(31) }), 200);
    const read = async () => (await property.read(reservationId)).json;
    const moved = { checkIn: property.day(31), checkOut: property.day(31), nights: 0 };
    t.match(await read(), { stayDetails: moved, financial: { totalAmount: 49 } });
    must(await property.book({ nights: 1 }), 201);
    must(await change({ checkOut: property.day(32) }), 200);
    const night = { checkIn: property.day(31), checkOut: property.day(32), nights: 1 };
    t.match(await read(), { stayDetails: night, financial: { totalAmount: 104 } });
    t.notOk('dayUse' in (await read()).stayDetails);
    await auditIsClean(t, property);
  });

  await group.test('a day-use guest arrives, leaves the same day, and pays the day', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 1 }, policies: fee });
    const plan = { propertyId: property.propertyId, code: 'DAY', name: 'Day use', rules: { dayUse: [{ rate: 45 }] } };
    must(await service.rates('POST', '/plans', { body: plan }), 201);
    const room = { body: { roomNumber: '101', roomType: 'DLX', floor: 1 } };
    must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, room), 201);
    // A day that ends with the calendar day of UTC, and is not over before, whenever the test runs.
    const body = propertyBody(property.propertyId, { ...fee, nightAuditHour: 0 });
    const metadata = { ...(body['metadata'] as object), dayUseUntil: '23:59' };
    must(await service.tenants('PUT', `/properties/${property.propertyId}`, { body: { ...body, metadata } }), 200);
    const from = property.day(0) === new Date().toISOString().slice(0, 10) ? 0 : 1;
    const { reservationId } = await property.booked({ from, nights: 0, stay: { rateCode: 'DAY' } });
    const checkIn = { body: { identificationVerified: true } };
    const { json: arrived } = must(
      await service.reservations<{ expectedCheckOut: string }>('POST', `/${reservationId}/checkin`, checkIn),
      200,
    );
    t.match(arrived.expectedCheckOut, /T23:59/);
    const { json } = must(await service.reservations('POST', `/${reservationId}/checkout`, { body: {} }), 200);
    t.match(json, { finalBill: { totalAmount: 49 } });
    await auditIsClean(t, property);
  });

  await group.test('ages of children decide who pays the city tax, in quote and booking alike', async (t) => {
    const city = { code: 'CITY', name: 'City tax', kind: 'PER_PERSON_NIGHT', value: 2.5, minAge: 14 };
    const none = { taxPercent: 0, feePerNight: 0, feePerPersonNight: 0 };
    const policies = { ...none, taxes: [{ ...city, included: false, on: 'ROOM' }] };
    const property = await BlackboxProperty.open(service, { policies });
    const nights = `checkIn=${property.day(30)}&checkOut=${property.day(31)}&roomType=DLX`;
    const feesOf = async (more: string) =>
      must(await quoteOf(property, `${nights}&${more}`), 200).json.rates.map(({ fees }) => fees);
    t.same(await feesOf('childAges=3,14'), [7.5]);
    t.same(await feesOf('children=2'), [5]);
    isProblem(t, await quoteOf(property, `${nights}&children=1&childAges=3,14`), 400, { parameters: ['childAges'] });
    isProblem(t, await quoteOf(property, `${nights}&childAges=18`), 400, { code: 'VALIDATION_FAILED' });
    const one = await property.booked({ nights: 1, stay: { childAges: [3, 14], adults: 1 } });
    t.match(one, { stayDetails: { children: 2, childAges: [3, 14] }, financial: { fees: 5 } });
    const { json: quote } = must(await quoteOf(property, `${nights}&childAges=3,14`), 200);
    const token = quote.rates[0]!.quoteToken;
    const other = await property.book({ nights: 1, stay: { quoteToken: token, childAges: [3, 4] } });
    isProblem(t, other, 422, { code: 'QUOTE_EXPIRED' });
    const change = (stayDetails: object) =>
      service.reservations('PUT', `/${one.reservationId}`, { body: { modifications: { stayDetails } } });
    must(await change({ childAges: [3, 4] }), 200);
    t.match((await property.read(one.reservationId)).json, {
      stayDetails: { childAges: [3, 4] },
      financial: { fees: 2.5 },
    });
    must(await change({ children: 1 }), 200);
    t.notOk('childAges' in (await property.read(one.reservationId)).json.stayDetails);
    await auditIsClean(t, property);
  });
}
