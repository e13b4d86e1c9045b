import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

/** Forecasts, quotes for groups, and what is learned about guests (docs/reference/rates.md#group-quote). */
export async function demandAhead(group: Test, service: Service): Promise<void> {
  await group.test('a forecast has the expected rooms of nights, and how far that may be off', async (t) => {
    const property = await BlackboxProperty.open(service);
    must(await property.book({ from: 5, nights: 2 }), 201);
    type Night = { date: string; capacity: number; booked: number; expected: number; low: number; high: number };
    const read = (more = '', options: object = {}) =>
      service.rates<{ nights: Night[] }>('GET', `/forecast?propertyId=${property.propertyId}${more}`, options);
    const { nights } = must(await read(), 200).json;
    t.equal(nights.length, 90, 'without dates the coming ninety');
    t.match(nights[0], { date: property.day(0), booked: 0 });
    t.match(
      nights[5],
      { date: property.day(5), booked: 1, method: 'curve' },
      'a property without history has the usual one',
    );
    for (const { booked, expected, low, high, capacity } of nights)
      t.ok(low <= expected && expected <= high && booked <= expected && high <= capacity);
    const some = must(await read(`&startDate=${property.day(4)}&endDate=${property.day(6)}`), 200).json;
    t.same(some.nights, nights.slice(4, 7));
    isProblem(t, await read('&startDate=2031-01-02&endDate=2031-01-01'), 400, {
      parameters: ['endDate'],
      code: 'VALIDATION_FAILED',
    });
    isProblem(t, await read('', { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await read('', { tenant: 'rival' }), 404, { code: 'PROPERTY_NOT_FOUND' });
  });

  await group.test('a group quote has the least rates at which a block pays', async (t) => {
    const property = await BlackboxProperty.open(service);
    const rooms = [{ roomType: 'STD', count: 2 }];
    const dates = { checkIn: property.day(5), checkOut: property.day(7) };
    const ask = (more: object = {}, options: object = {}) =>
      service.rates<{ minimumTotal: number; nights: { minimumRate: number }[] }>('POST', '/group-quote', {
        ...options,
        body: { propertyId: property.propertyId, ...dates, rooms, ...more },
      });
    const { json } = must(await ask({ costPerRoomNight: 20, commissionPercent: 10 }), 200);
    t.match(json, { propertyId: property.propertyId, model: 'curve', confidence: 'LOW' });
    t.equal(json.nights.length, 2);
    t.ok(
      json.nights.every(({ minimumRate }) => minimumRate >= 22.22),
      'the costs at least',
    );
    const all = json.nights.reduce((sum, { minimumRate }) => sum + 2 * minimumRate, 0);
    t.ok(Math.abs(json.minimumTotal - all) < 0.005);
    isProblem(t, await ask({ checkOut: dates.checkIn }), 400, { pointers: ['/checkOut'], code: 'VALIDATION_FAILED' });
    isProblem(t, await ask({ rooms: [{ roomType: 'STD', count: 1_999 }] }), 409, { code: 'ROOM_NOT_AVAILABLE' });
    isProblem(t, await ask({ rooms: [{ roomType: 'NOPE', count: 1 }] }), 422, { code: 'UNKNOWN_ROOM_TYPE' });
    isProblem(t, await ask({ rooms: [...rooms, ...rooms] }), 400, { code: 'VALIDATION_FAILED' });
    isProblem(t, await ask({}, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
  });

  await group.test('a forecast has what nights will earn, and the event that covers them', async (t) => {
    const property = await BlackboxProperty.open(service);
    must(await property.book({ from: 5, nights: 2 }), 201);
    type Amounts = 'expected' | 'adr' | 'revenue' | 'revenueLow' | 'revenueHigh' | 'confidence' | 'eventRooms';
    type Night = Record<Amounts, number> & { date: string; event: string | null; eventBasis: string | null };
    type Forecast = { currency: string; model: string; confidence: number; nights: Night[] };
    const read = async (): Promise<Forecast> =>
      must(await service.rates<Forecast>('GET', `/forecast?propertyId=${property.propertyId}`), 200).json;
    const { nights, ...whole } = await read();
    t.match(whole, { currency: 'EUR', model: 'curve' });
    t.ok(whole.confidence >= 0 && whole.confidence <= 1);
    for (const { expected, adr, revenue, revenueLow, revenueHigh, confidence, event } of nights) {
      t.ok(adr > 0 && Math.abs(revenue - expected * adr) < 0.06 * adr, 'rooms have one decimal');
      t.ok(0 <= revenueLow && revenueLow <= revenue && revenue <= revenueHigh);
      t.ok(confidence >= 0 && confidence <= 1);
      t.equal(event, null);
    }
    const fair = { name: 'Boat show', from: property.day(60), to: property.day(61), effect: 'HIGH' };
    must(await service.rates('POST', `/calendar-events/${property.propertyId}`, { body: fair }), 201);
    const found = await read();
    t.same(
      found.nights.flatMap(({ date, event }) => (event === null ? [] : [[date, event]])),
      [60, 61].map((n) => [property.day(n), 'Boat show']),
    );
    const [before, after] = [nights[60]!, found.nights[60]!];
    t.match(after, { eventBasis: 'stated' });
    t.ok(after.eventRooms > 0 && after.expected > before.expected && after.revenue > before.revenue);
  });

  await group.test('what is learned about guests begins with what is assumed, and says so', async (t) => {
    const property = await BlackboxProperty.open(service);
    must(await property.book({ from: 5, nights: 2 }), 201);
    type Row = { elasticity: number; low: number; high: number; prior: number; from: string };
    type Model = { elasticities: Row[]; lengthsOfStay: { shares: number[]; from: string }[] };
    const read = (options: object = {}, id = property.propertyId) =>
      service.rates<Model>('GET', `/demand-model?propertyId=${id}`, options);
    const { elasticities, lengthsOfStay } = must(await read(), 200).json;
    t.equal(elasticities.length, 8, 'four leads, weekdays and weekends');
    for (const { elasticity, low, high, prior, from } of elasticities) {
      t.equal(from, 'PRIOR');
      t.equal(elasticity, prior);
      t.ok(0 < low && low < elasticity && elasticity < high);
    }
    for (const { shares } of lengthsOfStay) {
      t.equal(shares.length, 7);
      t.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 0.001);
    }
    t.match(must(await read(), 200).json, { elasticities }, 'and is the same all day');
    isProblem(t, await read({}, ''), 400, { code: 'VALIDATION_FAILED' });
    isProblem(t, await read({ role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await read({ tenant: 'rival' }), 404, { code: 'PROPERTY_NOT_FOUND' });
  });
}
