import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { placed, readHold } from '../hold.ts';
import { isProblem } from '../problems.ts';
import { advanceClock, BlackboxProperty, must, serviceClock } from '../property.ts';
import type { Service } from '../service.ts';
import type { Cells, Hold } from '../shapes.ts';
import { pause, until } from '../waiting.ts';
import { coolingDown } from './hold-bounds.ts';

const DAY_SECONDS = 86_400;

/**
 * What only time changes; the development clock moves it, forward only, for the whole process
 * (docs/reference/set-up.md#development-only).
 */
export async function clock(group: Test, service: Service): Promise<void> {
  const url = `${service.dev.reservationUrl}/dev/clock`;
  const operator = { authorization: `Bearer ${service.dev.operatorToken}`, tenantHeader: null };
  const goTo = (now: string) => service.call('POST', url, { body: { now }, ...operator });
  const advance = (advanceSeconds: number) => advanceClock(service, advanceSeconds);

  await group.test('the clock is the operator’s, never goes back and never further than five years', async (t) => {
    isProblem(t, await service.call('GET', url, { authorization: null }), 401);
    for (const role of ['MANAGER', 'ADMIN', 'OWNER'] as const)
      isProblem(t, await service.call('POST', url, { body: { advanceSeconds: 1 }, role }), 403, {
        code: 'ROLE_TOO_LOW',
      });
    isProblem(t, await advance(-1), 400);
    isProblem(t, await goTo('2001-01-01T00:00:00Z'), 400, { pointers: ['/now'] });
    isProblem(t, await goTo('9999-12-31T00:00:00Z'), 400, { pointers: ['/now'] });
    isProblem(t, await advance(6 * 366 * DAY_SECONDS), 400, { pointers: ['/advanceSeconds'] });
    const before = Date.parse((await serviceClock(service)).now);
    t.ok(before < Date.now() + 365 * DAY_SECONDS * 1_000, 'what was refused did nothing');
    t.equal((await advance(60)).status, 200);
    t.ok(Date.parse((await serviceClock(service)).now) >= before + 60_000);
    t.equal((await service.call('GET', url, operator)).status, 200, 'who moves it reads it');
  });
  await group.test('under a key the clock is put forward once', async (t) => {
    const headers = { 'idempotency-key': randomUUID() };
    const ask = (advanceSeconds: number) => advanceClock(service, advanceSeconds, headers);
    const before = Date.parse((await serviceClock(service)).now);
    const first = must(await ask(DAY_SECONDS), 200);
    t.match(await ask(DAY_SECONDS), {
      status: 200,
      text: first.text,
      headers: { 'idempotency-replayed': 'true' },
    });
    isProblem(t, await ask(60), 422, { code: 'IDEMPOTENCY_MISMATCH' });
    const now = Date.parse((await serviceClock(service)).now);
    t.ok(now >= before + DAY_SECONDS * 1_000 && now < before + 1.5 * DAY_SECONDS * 1_000);
    // Of two concurrent ones one has to wait.
    const key = randomUUID();
    const both = await Promise.all([1, 2].map(() => advanceClock(service, 1, { 'idempotency-key': key })));
    t.same(new Set(both.map(({ status }) => status)), new Set([200, 409]));
  });
  await group.test(
    'a hold that ran out is cancelled, its rooms are free, and a quote token is worth nothing',
    async (t) => {
      const property = await BlackboxProperty.open(service, { rooms: { DLX: 1, STD: 2 } });
      const pending = (await property.book({ card: null })).json;
      const { quoteToken } = await property.quoted(30, 2, 'STD');
      isProblem(t, await property.book(), 409, { code: 'ROOM_NOT_AVAILABLE' });
      t.equal((await advance(901)).status, 200);
      const read = (await property.read(pending.reservationId)).json;
      t.match(read, { status: 'CANCELLED' });
      t.match(JSON.stringify(read), /HOLD_EXPIRED/);
      t.notOk(read.holdExpiresAt);
      t.same(await property.left(30, 2), [1, 1]);
      isProblem(t, await property.book({ roomType: 'STD', stay: { quoteToken } }), 422, { code: 'QUOTE_EXPIRED' });
      t.equal((await property.book()).status, 201);
      await addsUp(t, property, 28, 6);
    },
  );
  await group.test('an explicit hold runs out, is remembered for a while, and can be extended in time', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 2 } });
    const first = await placed(property);
    const second = await placed(property);
    must(await advance(600), 200);
    const extended = must(await service.reservations<Hold>('POST', `/holds/${second.holdId}/extend`), 200).json;
    const now = Date.parse((await serviceClock(service)).now);
    t.ok(Date.parse(extended.expiresAt) > now + 800_000, 'counted from the moment of the request');
    must(await advance(301), 200);
    t.same(await property.left(30, 2), [1, 1]);
    t.match((await readHold(service, first.holdId)).json, { status: 'EXPIRED', remainingRooms: 0 });
    isProblem(t, await property.book({ more: { holdId: first.holdId } }), 409, { code: 'HOLD_EXPIRED' });
    const again = await service.reservations('POST', `/holds/${first.holdId}/extend`);
    isProblem(t, again, 409, { code: 'HOLD_EXPIRED' });
    isProblem(t, await service.reservations('DELETE', `/holds/${first.holdId}`), 404, { code: 'HOLD_NOT_FOUND' });
    must(await property.book({ more: { holdId: second.holdId } }), 201);
    await addsUp(t, property, 28, 6);
    must(await advance(DAY_SECONDS), 200);
    isProblem(t, await readHold(service, first.holdId), 404, { code: 'HOLD_NOT_FOUND' });
  });
  await coolingDown(group, service, advance);
  await group.test('at the roll of the business date the window moves one night', async (t) => {
    const property = await BlackboxProperty.open(service, { pricedNights: 60, policies: { horizonNights: 60 } });
    await property.booked({ from: 0, nights: 2 });
    isProblem(t, await property.quote(61, 1), 400);
    must(await advance(DAY_SECONDS), 200);
    isProblem(t, await property.quote(0, 1), 400, { code: 'VALIDATION_FAILED', parameters: ['checkIn'] });
    isProblem(t, await property.book({ from: 0 }), 400, {
      code: 'VALIDATION_FAILED',
      pointers: ['/stayDetails/checkIn'],
    });
    t.equal((await property.quote(1, 1)).status, 200, 'the new day is today');
    t.match(await property.cells(61, 1, 'DLX'), [{ totalRooms: 3, availableRooms: 3 }], 'a night came at the end');
    isProblem(t, await property.book({ from: 61, nights: 1 }), 422, { code: 'NO_RATE' });
  });
  await group.test('once a business day the horizon of a DYNAMIC property is optimized by itself', async (t) => {
    const dynamic = await BlackboxProperty.open(service);
    const fixed = await BlackboxProperty.open(service);
    const plan = { propertyId: dynamic.propertyId, code: 'DYN', name: 'Dynamic', strategy: 'DYNAMIC' };
    must(await service.rates('POST', '/plans', { body: plan }), 201);
    type Found = { items: { status: string; results: Record<string, number> }[] };
    const list = async ({ propertyId }: BlackboxProperty) =>
      must(await service.rates<Found>('GET', `/optimizations?propertyId=${propertyId}`), 200).json.items;
    const completed = (count: number) =>
      until(`${count} optimizations`, 60_000, async () => {
        const items = await list(dynamic);
        return items.length === count && items.every(({ status }) => status === 'COMPLETED') ? items : undefined;
      });
    must(await advance(1), 200);
    t.ok((await completed(1))[0]!.results.projectedRevenue! > 0);
    must(await advance(60), 200);
    t.equal((await list(dynamic)).length, 1, 'once a day');
    must(await advance(DAY_SECONDS), 200);
    await completed(2);
    t.same(await list(fixed), [], 'its rates move by hand alone');
  });
  await group.test('a link to a survey ends after 30 days, one to a receipt after 400', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 1 } });
    const body = { roomNumber: '101', roomType: 'DLX', floor: 1 };
    must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body }), 201);
    const { reservationId } = await property.booked({ from: 0, nights: 1 });
    const here = (step: string, sent: object) =>
      service.reservations('POST', `/${reservationId}/${step}`, { body: sent });
    must(await here('checkin', { identificationVerified: true }), 200);
    const left = must(await here('checkout', {}), 200).json as { feedback: { surveyUrl: string } };
    const { surveyUrl } = left.feedback;
    const invoice = async () =>
      must(await service.reservations<{ receiptUrl: string }>('GET', `/${reservationId}/invoice`), 200).json
        .receiptUrl;
    const receiptUrl = await invoice();
    const open = (path: string, accept = 'text/html') =>
      fetch(`${service.dev.reservationUrl}${path}`, { headers: { accept } });
    for (const [days, survey, receipt] of [
      [29, 200, 200],
      [2, 404, 200],
      [369, 404, 200],
      [2, 404, 404],
    ] as const) {
      must(await advance(days * DAY_SECONDS), 200);
      t.equal((await open(surveyUrl)).status, survey, `survey after ${days} more days`);
      t.equal((await open(receiptUrl)).status, receipt, `receipt after ${days} more days`);
    }
    t.match(await (await open(surveyUrl)).text(), /This link has expired/);
    t.match(await (await open(receiptUrl, 'application/json')).json(), { code: 'LINK_EXPIRED', retryable: false });
    t.equal((await open(await invoice())).status, 200, 'a new link can be requested');
  });
  await group.test('the clock is still ahead after a restart', async (t) => {
    const before = Date.parse((await serviceClock(service)).now);
    t.ok(before > Date.now() + DAY_SECONDS * 1000);
    await service.terminate();
    await service.up();
    t.ok(Date.parse((await serviceClock(service)).now) >= before);
  });
  await group.test('years later the beginning of the journal is deleted, and the property goes on', async (t) => {
    const property = await BlackboxProperty.open(service);
    const moment = async () => (await pause(20), (await serviceClock(service)).now);
    const early = await moment();
    await pause(20);
    await property.booked({ from: 100 });
    const late = await moment();
    const asOf = (instant: string, from = 99) => {
      const range = `start_date=${property.day(from)}&end_date=${property.day(from + 3)}`;
      const path = `/availability?property_id=${property.propertyId}&${range}&asOf=${instant}`;
      return service.tenants<Cells>('GET', path);
    };
    const before = must(await asOf(late), 200).json;
    must(await asOf(early), 200);
    must(await advance(800 * DAY_SECONDS), 200);
    isProblem(t, await asOf(early), 422, { code: 'INSUFFICIENT_DATA' });
    t.same(must(await asOf(late), 200).json, before, 'the last row that went has left a checkpoint');
    must(await property.price('DLX', 800, 20, 120), 200);
    must(await property.book({ from: 805 }), 201);
    const now = must(await asOf(await moment(), 805), 200).json;
    t.ok(now.seq > before.seq);
    t.match(now.items[0], { date: property.day(805), roomType: 'STD', bookedRooms: 0 });
    t.ok(now.items.some(({ bookedRooms }) => bookedRooms === 1));
  });
}
