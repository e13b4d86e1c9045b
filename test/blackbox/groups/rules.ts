import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem, problemOf } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Promotion = { promotionId: string; promoCode: string; status: string; inventory: { used: number } };
type Group = { groupId: string; blocks: { date: string; remaining: number; pickedUp: number }[] };
type CheckedIn = { status: string; roomDetails: { roomNumber: string; keyCards: string[]; upgraded: boolean } };

/**
 * Restrictions, promotions and groups are decided with the rooms, in one place
 * (docs/concepts/actor.md#what-limits-a-sale).
 */
export async function rules(group: Test, service: Service): Promise<void> {
  await restrictions(group, service);
  await promotions(group, service);
  await groups(group, service);
  await checkIns(group, service);
}

async function restrictions(group: Test, service: Service): Promise<void> {
  const restrict = (property: BlackboxProperty, from: number, to: number, what: object) =>
    service.rates('PUT', '/restrictions', {
      body: { propertyId: property.propertyId, startDate: property.day(from), endDate: property.day(to), ...what },
    });

  await group.test('a restriction refuses with its code, its day and other stays that can be had', async (t) => {
    const property = await BlackboxProperty.open(service);
    must(await restrict(property, 31, 31, { stopSell: true, roomType: 'DLX', rateCode: 'BAR' }), 200);
    const refused = await property.book();
    isProblem(t, refused, 422, { code: 'STOP_SELL' });
    const { date, alternatives } = problemOf(refused) as { date?: string; alternatives?: Record<string, string>[] };
    t.equal(date, property.day(31));
    t.ok(alternatives && alternatives.length > 0 && alternatives.length <= 3);
    for (const stay of alternatives ?? []) must(await property.book({ stay }), 201);
    const { json } = must(await property.quote(30, 2), 200);
    t.match(json.unavailable, [{ roomType: 'DLX', code: 'STOP_SELL', date: property.day(31) }]);
    must(await property.book({ stay: { rateCode: 'FLEX' } }), 201);
    must(await restrict(property, 31, 31, { stopSell: true, roomType: 'DLX' }), 200);
    t.match(await property.cells(30, 3, 'DLX'), [{ status: 'OPEN' }, { status: 'CLOSED' }, { status: 'OPEN' }]);
    must(await restrict(property, 31, 31, { stopSell: null }), 200);
    must(await property.book(), 201);
    await addsUp(t, property, 20, 30);
  });
  await group.test('a stop of the property holds for what comes later, and gives back what was', async (t) => {
    const property = await BlackboxProperty.open(service);
    must(await restrict(property, 30, 30, { minStayArrival: 3, rateCode: 'NRF' }), 200);
    must(await restrict(property, 30, 30, { stopSell: true }), 200);
    const { propertyId } = property;
    must(await service.rates('POST', '/plans', { body: { propertyId, code: 'LATER', name: 'Later' } }), 201);
    for (const rateCode of ['LATER', 'NRF'])
      isProblem(t, await property.book({ stay: { rateCode }, nights: 3 }), 422, { code: 'STOP_SELL' });
    must(await restrict(property, 30, 30, { stopSell: false }), 200);
    must(await property.book({ stay: { rateCode: 'LATER' } }), 201);
    isProblem(t, await property.book({ stay: { rateCode: 'NRF' }, nights: 2 }), 422, { code: 'MIN_STAY' });
  });
  await group.test(
    'a quote shows the strictest limits, and a token does not open what was closed since',
    async (t) => {
      const property = await BlackboxProperty.open(service);
      const { quoteToken } = await property.quoted(30, 3);
      must(await restrict(property, 30, 30, { minStayArrival: 3, closedToDeparture: false }), 200);
      must(await restrict(property, 31, 31, { maxStayThrough: 5 }), 200);
      const { json } = must(await property.quote(30, 3), 200);
      t.match(json.restrictions, { minimumStay: 3, maximumStay: 5 });
      isProblem(t, await property.book({ nights: 2 }), 422, { code: 'MIN_STAY' });
      must(await restrict(property, 33, 33, { closedToDeparture: true }), 200);
      isProblem(t, await property.book({ nights: 3, stay: { quoteToken } }), 422, { code: 'CLOSED_TO_DEPARTURE' });
      const listed = must(
        await service.rates<{ items: object[] }>(
          'GET',
          `/restrictions?propertyId=${property.propertyId}&startDate=${property.day(30)}&endDate=${property.day(40)}&rateCode=BAR&roomType=DLX`,
        ),
        200,
      );
      t.match(listed.json.items, [
        { date: property.day(30), minStayArrival: 3, stopSell: false },
        { date: property.day(31), maxStayThrough: 5, minStayArrival: null },
        { date: property.day(33), closedToDeparture: true },
      ]);
    },
  );
  await group.test('a MANAGER may sell in spite of a restriction, and the timeline says why', async (t) => {
    const property = await BlackboxProperty.open(service);
    must(await restrict(property, 30, 31, { stopSell: true }), 200);
    const override = { override: { reason: 'a friend of the owner' } };
    isProblem(t, await property.book({ more: override }, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await property.book({ more: { override: {} } }), 400, { pointers: ['/override/reason'] });
    const { reservationId } = must(await property.book({ more: override }, { role: 'MANAGER' }), 201).json;
    const { timeline } = must(await property.read(reservationId), 200).json;
    t.match(timeline[0], { event: 'CREATED', notes: 'Restrictions overridden: a friend of the owner' });
  });

  await group.test('absurd restrictions are refused field by field', async (t) => {
    const property = await BlackboxProperty.open(service);
    isProblem(t, await restrict(property, 5, 3, { minStayArrival: 0 }), 400, {
      pointers: ['/endDate', '/minStayArrival'],
    });
    isProblem(t, await restrict(property, 5, 6, {}), 400, { pointers: ['/stopSell'] });
    isProblem(t, await restrict(property, 5, 6, { minStayArrival: 5, maxStayArrival: 2 }), 400, {
      pointers: ['/maxStayArrival'],
    });
    isProblem(t, await restrict(property, -1, 6, { stopSell: true }), 400, { pointers: ['/startDate'] });
    isProblem(t, await restrict(property, 5, 6, { stopSell: true, rateCode: 'NOPE' }), 422, {
      code: 'UNKNOWN_RATE_CODE',
    });
    isProblem(t, await restrict(property, 5, 6, { stopSell: true, roomType: 'NOPE' }), 422, {
      code: 'UNKNOWN_ROOM_TYPE',
    });
  });
}

async function promotions(group: Test, service: Service): Promise<void> {
  const create = (property: BlackboxProperty, more: object = {}, options: CallOptions = {}) => {
    const validity = { startDate: property.day(0), endDate: property.day(60) };
    const basics = {
      propertyId: property.propertyId,
      promotionName: 'Ten',
      discount: { type: 'PERCENTAGE', value: 10 },
    };
    return service.rates<Promotion>('POST', '/promotional', { body: { ...basics, validity, ...more }, ...options });
  };
  const read = (id: string) => service.rates<Promotion>('GET', `/promotions/${id}`);

  await group.test('units of a promotion are sold once, however many want one at once, and come back', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 30 } });
    const made = must(await create(property, { inventory: { totalRooms: 5 } }), 201).json;
    t.match(made, {
      status: 'ACTIVE',
      promoCode: /^[0-9A-Z]{8}$/,
      estimatedBookings: Number,
      estimatedRevenue: Number,
    });
    const stay = { promoCode: made.promoCode };
    const answers = await Promise.all(Array.from({ length: 20 }, () => property.book({ stay })));
    const sold = answers.filter(({ status }) => status === 201);
    t.equal(sold.length, 5);
    for (const answer of answers.filter(({ status }) => status !== 201))
      isProblem(t, answer, 422, { code: 'PROMO_EXHAUSTED' });
    t.equal(sold[0]!.json.financial.baseAmount, 180);
    t.match((await read(made.promotionId)).json, { status: 'EXHAUSTED', inventory: { used: 5 } });
    must(await service.reservations('DELETE', `/${sold[0]!.json.reservationId}`), 200);
    t.match((await read(made.promotionId)).json, { status: 'ACTIVE', inventory: { used: 4 } });
    must(await property.book({ stay }), 201);
    const declined = await property.book({ stay, card: 'tok_declined' });
    t.match(problemOf(declined).code, /PROMO_EXHAUSTED|PAYMENT_DECLINED/);
    await addsUp(t, property, 25, 20);
  });
  await group.test('the quote with a code names it, and its token books at that price', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { promoCode } = must(await create(property, { promoCode: `c${property.propertyId.slice(6)}` }), 201).json;
    t.equal(promoCode, `C${property.propertyId.slice(6)}`.toUpperCase());
    const { json } = must(await property.quote(30, 2, `&promoCode=${promoCode.toLowerCase()}&roomType=DLX`), 200);
    t.match(json.rates, [{ rateType: 'PROMOTIONAL', totalRate: 180 }]);
    const booked = must(await property.book({ stay: { quoteToken: json.rates[0]!.quoteToken } }), 201).json;
    t.equal(booked.financial.baseAmount, 180);
    t.match((await property.read(booked.reservationId)).json, { promoCode });
    isProblem(t, await property.book({ stay: { promoCode: 'NO-SUCH' } }), 422, { code: 'PROMO_NOT_APPLICABLE' });
    isProblem(t, await property.quote(30, 2, '&promoCode=NO-SUCH'), 422, { code: 'PROMO_NOT_APPLICABLE' });
    isProblem(t, await create(property, { promoCode }), 409, { code: 'PROMO_CODE_TAKEN' });
    const other = await BlackboxProperty.open(service);
    isProblem(t, await create(other, { promoCode }), 409, { code: 'PROMO_CODE_TAKEN' });
  });
  await group.test('a promotion pauses and resumes, and a repeat under a key answers the same', async (t) => {
    const property = await BlackboxProperty.open(service);
    const headers = { 'idempotency-key': `promo-${property.propertyId}` };
    const first = must(await create(property, {}, { headers }), 201);
    const again = must(await create(property, {}, { headers }), 201);
    t.equal(again.text, first.text);
    t.equal(again.headers['idempotency-replayed'], 'true');
    const { promotionId, promoCode } = first.json;
    t.match(must(await service.rates('POST', `/promotions/${promotionId}/pause`), 200).json, { status: 'PAUSED' });
    isProblem(t, await property.book({ stay: { promoCode } }), 422, { code: 'PROMO_NOT_APPLICABLE' });
    t.match(must(await service.rates('POST', `/promotions/${promotionId}/resume`), 200).json, { status: 'ACTIVE' });
    must(await property.book({ stay: { promoCode } }), 201);
    const list = await service.rates<{ items: Promotion[] }>('GET', `/promotions?propertyId=${property.propertyId}`);
    t.match(list.json.items, [{ promotionId, inventory: { used: 1 } }]);
    isProblem(t, await read('00000000-0000-4000-8000-000000000000'), 404, { code: 'PROMOTION_NOT_FOUND' });
  });
  await group.test('absurd promotions are refused field by field', async (t) => {
    const property = await BlackboxProperty.open(service);
    const validity = (from: number, to: number, more: object = {}) => ({
      validity: { startDate: property.day(from), endDate: property.day(to), ...more },
    });
    const stayPeriod = { startDate: property.day(90), endDate: property.day(95) };
    const discount = (type: string, value: unknown) => ({ discount: { type, value } });
    const blackout = (n: number) => ({ conditions: { blackoutDates: [property.day(n)] } });
    const wrong: [what: string, body: object, pointer: string][] = [
      ['more than everything off', discount('PERCENTAGE', 100.01), '/discount/value'],
      ['nothing off', discount('PERCENTAGE', 0), '/discount/value'],
      ['a percentage below 0', discount('PERCENTAGE', -5), '/discount/value'],
      ['an amount with three decimals', discount('FIXED_AMOUNT', 1.005), '/discount/value'],
      ['half a free night', discount('FREE_NIGHTS', 0.5), '/discount/value'],
      ['an unknown discount', discount('HAGGLE', 5), '/discount/type'],
      ['an end before the start', validity(9, 8), '/validity/endDate'],
      [
        'a stay period that ends first',
        validity(0, 9, { stayPeriod: { startDate: property.day(9), endDate: property.day(8) } }),
        '/validity/stayPeriod/endDate',
      ],
      ['a blackout outside of the validity', blackout(61), '/conditions/blackoutDates/0'],
      [
        'a blackout outside of the stay period too',
        { ...validity(0, 60, { stayPeriod }), ...blackout(96) },
        '/conditions/blackoutDates/0',
      ],
      ['no room', { inventory: { totalRooms: 0 } }, '/inventory/totalRooms'],
      [
        'a day that no calendar has',
        { conditions: { blackoutDates: ['2027-02-30'] } },
        '/conditions/blackoutDates/0',
      ],
    ];
    for (const [what, body, pointer] of wrong) {
      const refused = await create(property, body);
      t.equal(refused.status, 400, what);
      isProblem(t, refused, 400, { code: 'VALIDATION_FAILED', pointers: [pointer] });
    }
    must(await create(property, { ...validity(0, 60, { stayPeriod }), ...blackout(92) }), 201);
    isProblem(t, await create(property, { roomTypes: ['NOPE'] }), 422, { code: 'UNKNOWN_ROOM_TYPE' });
  });
}

async function groups(group: Test, service: Service): Promise<void> {
  const block = (property: BlackboxProperty, rooms: number, more: object = {}) =>
    service.reservations<Group>('POST', '/groups', {
      role: 'MANAGER',
      body: {
        propertyId: property.propertyId,
        name: 'Wedding',
        cutoffDate: property.day(20),
        blocks: [30, 31].map((n) => ({ roomType: 'DLX', date: property.day(n), rooms, rate: 80 })),
        ...more,
      },
    });

  await group.test(
    'a block leaves general sale, its bookings take it at its rate, a cancel gives it back',
    async (t) => {
      const property = await BlackboxProperty.open(service);
      const made = must(await block(property, 2), 201);
      const { groupId } = made.json;
      t.equal(made.headers['location'], `/api/v1/reservations/groups/${groupId}`);
      t.same(await property.left(30, 2), [1, 1]);
      const booked = must(await property.book({ more: { groupId } }), 201).json;
      t.equal(booked.financial.baseAmount, 160);
      t.same(await property.left(30, 2), [1, 1], 'the room came out of the block');
      const read = () => service.reservations<Group>('GET', `/groups/${groupId}`);
      t.match((await read()).json.blocks, [
        { pickedUp: 1, remaining: 1 },
        { pickedUp: 1, remaining: 1 },
      ]);
      isProblem(t, await property.book({ nights: 3, more: { groupId } }), 422, { code: 'OUTSIDE_GROUP_BLOCK' });
      isProblem(t, await block(property, 2), 409, { code: 'ROOM_NOT_AVAILABLE' });
      await addsUp(t, property, 28, 6);
      must(await service.reservations('DELETE', `/${booked.reservationId}`), 200);
      t.match((await read()).json.blocks, [{ remaining: 2 }, { remaining: 2 }]);
      t.same(await property.left(30, 2), [1, 1]);
      await addsUp(t, property, 28, 6);
    },
  );
  await group.test('bookings of a group have its terms and its guarantee', async (t) => {
    const property = await BlackboxProperty.open(service);
    const half = { kind: 'PERCENT', value: 50 };
    const terms = { cancellation: { freeUntilHours: 5_000, penalty: half }, change: 'NOT_ALLOWED' };
    const made = must(await block(property, 1, { terms, guarantee: 'NONE', releaseHour: '18:00' }), 201).json;
    const shown = { guarantee: 'NONE', releaseHour: '18:00', terms: { ...terms, noShow: half } };
    t.match(made, shown);
    t.match(must(await service.reservations<Group>('GET', `/groups/${made.groupId}`), 200).json, shown);
    const { reservationId } = must(await property.book({ more: { groupId: made.groupId } }), 201).json;
    const read = must(await service.reservations<object>('GET', `/${reservationId}`), 200).json;
    t.match(read, { status: 'CONFIRMED', guarantee: 'NONE', terms: { ...terms, policyName: 'GROUP' } });
    isProblem(
      t,
      await block(property, 1, { guarantee: 'NONE', depositSchedule: [{ percent: 5, due: { at: 'BOOKING' } }] }),
      400,
      {
        pointers: ['/depositSchedule'],
      },
    );
  });
  await group.test('absurd blocks are refused field by field', async (t) => {
    const property = await BlackboxProperty.open(service);
    const twice = [30, 30].map((n) => ({ roomType: 'DLX', date: property.day(n), rooms: 1, rate: 80 }));
    isProblem(t, await block(property, 0), 400, { pointers: ['/blocks/0/rooms', '/blocks/1/rooms'] });
    isProblem(t, await block(property, 1, { blocks: twice }), 400, { pointers: ['/blocks/1/date'] });
    isProblem(t, await block(property, 1, { cutoffDate: property.day(-1) }), 400, { pointers: ['/cutoffDate'] });
    isProblem(t, await property.book({ more: { groupId: '00000000-0000-4000-8000-000000000000' } }), 404, {
      code: 'GROUP_NOT_FOUND',
    });
  });
}

async function checkIns(group: Test, service: Service): Promise<void> {
  await group.test('check-in gives a ready room of the type, on the day and with identification', async (t) => {
    const property = await BlackboxProperty.open(service);
    const room = (roomNumber: string, status: string) =>
      service.tenants('POST', `/properties/${property.propertyId}/rooms`, {
        body: { roomNumber, roomType: 'DLX', floor: 2, status },
      });
    const { reservationId } = await property.booked({ from: 0, nights: 2 });
    const later = await property.booked({ from: 30 });
    const arrive = (id: string, more: object = {}) =>
      service.reservations<CheckedIn>('POST', `/${id}/checkin`, {
        body: { checkInTime: new Date().toISOString(), identificationVerified: true, keyCards: 2, ...more },
      });
    must(await room('201', 'DIRTY'), 201);
    isProblem(t, await arrive(later.reservationId), 422, { code: 'TOO_EARLY' });
    isProblem(t, await arrive(reservationId), 409, { code: 'NO_ROOM_READY' });
    must(await room('202', 'CLEAN'), 201);
    isProblem(t, await arrive(reservationId, { identificationVerified: false }), 422, {
      code: 'IDENTIFICATION_REQUIRED',
    });
    isProblem(t, await arrive(reservationId, { keyCards: 11 }), 400, { pointers: ['/keyCards'] });
    const { json } = must(await arrive(reservationId), 200);
    t.match(json, {
      status: 'CHECKED_IN',
      roomDetails: { roomNumber: '202', floor: 2, keyCards: ['202-1', '202-2'], upgraded: false },
      expectedCheckOut: `${property.day(2)}T11:00:00.000Z`,
    });
    isProblem(t, await arrive(reservationId), 409, { code: 'INVALID_STATE' });
    t.match((await property.read(reservationId)).json, { status: 'CHECKED_IN', stayDetails: { roomNumber: '202' } });
    await addsUp(t, property, 0, 5);
  });
}
