import type { Test } from 'tap';

import type { Answer } from '../http.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, serviceClock } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Cells, CellHistory, Page, PickupReport } from '../shapes.ts';
import { pause } from '../waiting.ts';

/** What was: availability as of an instant, history of a cell, pickup. */
export async function history(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 5, STD: 2 } });
  const ask = <T>(path: string, options: CallOptions = {}): Promise<Answer<T>> =>
    service.tenants<T>('GET', path, { role: 'VIEWER', ...options });
  const range = (from: number, nights: number) =>
    `start_date=${property.day(from)}&end_date=${property.day(from + nights - 1)}`;
  const asOf = (instant: string, path = `/availability?property_id=${property.propertyId}&${range(29, 4)}`) =>
    ask<Cells & { asOf?: string }>(`${path}&asOf=${encodeURIComponent(instant)}`);
  const cell = (path = '') =>
    ask<Page<CellHistory>>(`/properties/${property.propertyId}/history?roomType=DLX&date=${property.day(30)}${path}`);
  /** An instant with nothing decided around it. */
  const moment = async (): Promise<string> => {
    await pause(30);
    const { now } = await serviceClock(service);
    await pause(30);
    return now;
  };
  const empty = await moment();
  const first = await property.booked();
  const one = await moment();
  await property.booked();
  must(await service.reservations('DELETE', `/${first.reservationId}`), 200);
  const last = await moment();

  await group.test('availability as of an instant is what it was then', async (t) => {
    const booked = async (instant: string) => {
      const answer = must(await asOf(instant), 200);
      t.equal(answer.json.asOf, new Date(instant).toISOString());
      t.equal(answer.headers['x-property-seq'], String(answer.json.seq));
      return answer.json.items.filter(({ roomType }) => roomType === 'DLX').map(({ bookedRooms }) => bookedRooms);
    };
    t.same(
      [await booked(empty), await booked(one)],
      [
        [0, 0, 0, 0],
        [0, 1, 1, 0],
      ],
    );
    const now = must(await ask<Cells>(`/availability?property_id=${property.propertyId}&${range(29, 4)}`), 200).json;
    const { asOf: instant, ...was } = must(await asOf(last), 200).json;
    t.same(was, now);
    t.equal(instant, last);
    t.notOk('asOf' in now);
  });
  await group.test('an instant that is to come, or before the property, is refused', async (t) => {
    isProblem(t, await asOf('2999-01-01T00:00:00Z'), 400, { code: 'VALIDATION_FAILED', parameters: ['asOf'] });
    isProblem(t, await asOf('yesterday'), 400, { code: 'VALIDATION_FAILED', parameters: ['asOf'] });
    isProblem(t, await asOf('2001-01-01T00:00:00Z'), 422, { code: 'INSUFFICIENT_DATA' });
  });
  await group.test('the history of a cell has every change, newest first', async (t) => {
    const answer = must(await cell(), 200);
    const { items, nextCursor } = answer.json;
    t.equal(nextCursor, null);
    t.ok(Number(answer.headers['x-property-seq']) >= items[0]!.seq);
    t.match(items[0], {
      type: 'CANCEL',
      entity: first.reservationId,
      totalRooms: 5,
      bookedRooms: 1,
      heldRooms: 0,
      blockedRooms: 0,
      availableRooms: 4,
      rate: 100,
      changes: { bookedRooms: { from: 2, to: 1 }, availableRooms: { from: 3, to: 4 } },
    });
    t.same(
      items.map(({ type }) => type),
      [
        'CANCEL',
        ...Array.from({ length: 2 }, () => ['CONFIRM_BOOKING', 'START_BOOKING']).flat(),
        'SET_BASE_RATES',
        'PUT_ROOM_TYPE',
      ],
    );
    t.same(items.at(-2)?.changes, { rate: { from: null, to: 100 } });
    t.same(
      items.map(({ seq }) => seq),
      items.map(({ seq }) => seq).toSorted((a, b) => b - a),
    );
    t.ok(items.every(({ by, at }) => by !== '' && Date.parse(at) <= Date.parse(last)));
    const seen: CellHistory[] = [];
    for (let cursor = ''; ;) {
      const page = must(await cell(`&limit=2${cursor}`), 200);
      seen.push(...page.json.items);
      if (!page.json.nextCursor) break;
      t.match(page.headers.link, /rel="next"/);
      cursor = `&cursor=${encodeURIComponent(page.json.nextCursor)}`;
    }
    t.same(seen, items);
    isProblem(t, await cell('&limit=201'), 400, { parameters: ['limit'] });
    isProblem(t, await cell('&cursor=made-up'), 400, { parameters: ['cursor'] });
  });
  await group.test('pickup is what came on the books', async (t) => {
    const path = `/properties/${property.propertyId}/pickup?${range(29, 4)}`;
    const answer = must(await ask<PickupReport>(path), 200);
    t.match(answer.json, {
      propertyId: property.propertyId,
      days: 7,
      total: { roomsNow: 2, roomsThen: 0, pickup: 2 },
    });
    t.match(answer.json.dates[1], { date: property.day(30), roomsNow: 1, roomsThen: 0, pickup: 1 });
    t.equal(answer.json.items.length, 8);
    t.equal(answer.headers['x-property-seq'], String(answer.json.seq));
    const then = must(await ask<PickupReport>(`${path}&asOf=${encodeURIComponent(one)}&days=1`), 200).json;
    t.match(then, { asOf: one, days: 1, total: { roomsNow: 2, roomsThen: 0, pickup: 2 } });
    isProblem(t, await ask(`${path}&days=61`), 400, { parameters: ['days'] });
    isProblem(t, await ask(`${path}&asOf=2001-01-01T00:00:00Z`), 422, { code: 'INSUFFICIENT_DATA' });
  });
  await group.test('missing properties have no past', async (t) => {
    const other = { code: 'PROPERTY_NOT_FOUND' };
    isProblem(t, await ask(`/properties/nowhere/pickup?${range(1, 2)}`), 404, other);
    isProblem(t, await ask(`/properties/nowhere/history?roomType=DLX&date=${property.day(1)}`), 404, other);
    isProblem(t, await asOf(one, `/availability?property_id=nowhere&${range(1, 2)}`), 404, other);
    const rival = `/properties/${property.propertyId}/pickup?${range(1, 2)}`;
    isProblem(t, await ask(rival, { tenant: 'rival' }), 404, other);
  });
}
