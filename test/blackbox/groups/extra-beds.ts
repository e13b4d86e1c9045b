import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Json = Record<string, unknown>;
type Posting = Json & { postingId: string; description: string; quantity: number; amount: number };
type Stock = { code: string; items: { date: string; stock: number | null; taken: number; left: number | null }[] };
type Folio = { windows: { postings: Posting[]; expectedTotal: number }[] };

/** A property with rooms at 100.00 without taxes, and two extra beds at 20.00 on each night. */
async function open(service: Service) {
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 5 } });
  const path = `/properties/${property.propertyId}`;
  for (const roomNumber of ['101', '102'])
    must(await service.tenants('POST', `${path}/rooms`, { body: { roomNumber, roomType: 'DLX', floor: 1 } }), 201);
  const put = (stockPerNight: unknown, code = 'BED') =>
    service.tenants<Json>('PUT', `${path}/services/${code}`, {
      body: { name: 'Extra bed', price: 20, stockPerNight },
    });
  const stock = (query: string, code = 'BED', options: CallOptions = {}) =>
    service.tenants<Stock>('GET', `${path}/services/${code}/stock?${query}`, options);
  const left = async (from: number, nights: number) => {
    const range = `from=${property.day(from)}&to=${property.day(from + nights - 1)}`;
    return must(await stock(range), 200).json.items.map((night) => night.left);
  };
  const call = <T = Posting>(id: string, method: string, step: string, body?: Json, options: CallOptions = {}) =>
    service.reservations<T>(method, `/${id}${step}`, { ...(body && { body }), ...options });
  const bed = (id: string, quantity = 1, options: CallOptions = {}) =>
    call(id, 'POST', '/folio/postings', { extraCode: 'BED', quantity }, options);
  const drop = (id: string, posting: string) =>
    call(id, 'POST', `/folio/postings/${posting}/void`, { reason: 'Not needed' }, { role: 'MANAGER' });
  const move = (id: string, stayDetails: Json, query = '') => {
    const body = { modifications: { stayDetails }, modifiedBy: 'desk', reason: 'Asked for it' };
    return call<Json>(id, 'PUT', query, body);
  };
  const total = async (id: string) => {
    const { financial } = must(await property.read(id), 200).json;
    return financial.totalAmount;
  };
  must(await put(2), 200);
  return { property, path, put, stock, left, call, bed, drop, move, total };
}

/** Extras with a stock per night (docs/reference/folio.md#extras-by-night). */
export async function extraBeds(group: Test, service: Service): Promise<void> {
  await group.test('the last bed of a night is given once, and comes back with its stay', async (t) => {
    const { property, left, bed, call, drop, total } = await open(service);
    const [one, two, three] = await Promise.all(
      [30, 31, 31].map((from) => property.booked({ from, nights: 2 }).then(({ reservationId }) => reservationId)),
    );
    const posted = must(await bed(one!), 201).json;
    t.match(posted, {
      description: 'Extra bed, 2 nights',
      quantity: 2,
      unitAmount: 20,
      amount: 40,
      perNight: { quantity: 1, from: property.day(30), to: property.day(31) },
    });
    t.equal(await total(one!), 240);
    const both = await Promise.all([bed(two!), bed(three!)]);
    t.same(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409],
      'one of two at once',
    );
    const lost = both.find(({ status }) => status === 409)!;
    isProblem(t, lost, 409, { code: 'EXTRA_NOT_AVAILABLE' });
    t.match(lost.json, { date: property.day(31), extra: { code: 'BED', left: 0 } });
    t.same(await left(29, 5), [2, 1, 0, 1, 2]);
    const [winner, loser] = both[0].status === 201 ? [two!, three!] : [three!, two!];
    t.equal(await total(loser), 200, 'nothing is stored');
    must(await drop(one!, posted.postingId), 201);
    t.same(await left(29, 5), [2, 2, 1, 1, 2]);
    must(await bed(loser), 201);
    must(await call(winner, 'DELETE', '', { reason: 'GUEST_REQUEST' }), 200);
    t.same(await left(29, 5), [2, 2, 1, 1, 2]);
    await addsUp(t, property, 29, 5);
  });

  await group.test('a bed follows the dates of its stay at its price, or refuses them', async (t) => {
    const { property, put, left, bed, drop, move, total } = await open(service);
    const [one, two] = [
      await property.booked({ from: 30, nights: 1 }),
      await property.booked({ from: 32, nights: 1 }),
    ];
    const { postingId } = must(await bed(one.reservationId, 2), 201).json;
    must(
      await service.tenants('PUT', `/properties/${property.propertyId}/services/BED`, {
        body: { name: 'Camp bed', price: 99, stockPerNight: 2 },
      }),
      200,
    );
    const longer = { checkOut: property.day(32) };
    must(await move(one.reservationId, longer, '?dryRun=true'), 200);
    t.same(await left(30, 3), [0, 2, 2], 'a dry run takes none');
    must(await move(one.reservationId, longer), 200);
    t.equal(await total(one.reservationId), 280, 'as it was booked');
    t.same(await left(30, 3), [0, 0, 2]);
    must(await bed(two.reservationId), 201);
    const refused = await move(one.reservationId, { checkOut: property.day(33) });
    isProblem(t, refused, 409, { code: 'EXTRA_NOT_AVAILABLE' });
    t.match(refused.json, { date: property.day(32), extra: { code: 'BED', left: 1 } });
    must(await put(1), 200);
    t.same(await left(30, 3), [0, 0, 0], 'what is taken stays taken');
    must(await drop(one.reservationId, postingId), 201);
    must(await move(one.reservationId, { checkOut: property.day(33) }), 200);
    t.same(await left(30, 3), [1, 1, 0]);
    await addsUp(t, property, 30, 4);
  });

  await group.test(
    'a guest in house gets the nights that are added, and the price of those given back',
    async (t) => {
      const { property, left, bed, call, move } = await open(service);
      const { reservationId: id } = await property.booked({ from: 0, nights: 3 });
      must(await call(id, 'POST', '/checkin', { identificationVerified: true }), 200);
      must(await bed(id), 201);
      must(await move(id, { checkOut: property.day(4) }), 200);
      must(await move(id, { checkOut: property.day(2) }), 200);
      t.same(await left(0, 4), [1, 1, 2, 2]);
      const { windows } = must(await call<Folio>(id, 'GET', '/folio'), 200).json;
      const beds = windows[0]!.postings.filter(({ extraCode }) => extraCode === 'BED');
      t.same(
        beds.map(({ description, amount }) => [description, amount]),
        [
          ['Extra bed, 3 nights', 60],
          ['Extra bed, 1 more night', 20],
          ['Extra bed, 2 nights less', -40],
        ],
      );
      must(await call(id, 'POST', '/checkout', {}), 200);
      t.same(await left(0, 4), [2, 2, 2, 2]);
      await addsUp(t, property, 0, 5);
    },
  );

  await group.test('bad input is named, and nothing is stored', async (t) => {
    const { property, path, put, stock, left, bed, call } = await open(service);
    for (const wrong of [0, 1_000, 1.5, '2']) isProblem(t, await put(wrong), 400, { pointers: ['/stockPerNight'] });
    const list = must(await service.tenants<{ items: Json[] }>('GET', `${path}/services`), 200).json.items;
    t.match(list, [{ code: 'BED', stockPerNight: 2 }]);
    const { reservationId: id } = await property.booked({ from: 30, nights: 1 });
    isProblem(t, await bed(id, 3), 409, { code: 'EXTRA_NOT_AVAILABLE' });
    isProblem(t, await call(id, 'POST', '/folio/postings', { extraCode: 'COT' }), 400, { pointers: ['/extraCode'] });
    t.same(await left(30, 1), [2]);
    const headers = { 'idempotency-key': randomUUID() };
    const first = must(await bed(id, 2, { headers }), 201);
    t.equal(must(await bed(id, 2, { headers }), 201).text, first.text, 'a repeat takes them once');
    t.same(await left(30, 1), [0]);
    const days = (from: number, to: number) => `from=${property.day(from)}&to=${property.day(to)}`;
    isProblem(t, await stock(days(0, 400)), 400, { parameters: ['to'] });
    t.equal(must(await stock(days(0, 399)), 200).json.items.length, 400);
    isProblem(t, await stock(days(2, 1)), 400);
    isProblem(t, await stock(days(-1, 1)), 400);
    isProblem(t, await stock(''), 400);
    isProblem(t, await stock(days(0, 1), 'COT'), 404, { code: 'SERVICE_NOT_FOUND' });
    must(await put(null), 200);
    t.match(must(await stock(days(30, 30)), 200).json.items, [{ stock: null, taken: 2, left: null }]);
    must(await bed(id), 201);
  });
}
