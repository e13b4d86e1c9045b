import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

type Taken = { channelId: string; status: string; total: number; changed: boolean; reservationId: string };

/** Amounts and ids of bookings of channels (docs/reference/channels.md#bookings). */
export async function channelBookingAmounts(group: Test, service: Service): Promise<void> {
  const call = (method: string, path: string, body: object) =>
    service.call<Taken>(method, `${service.dev.reservationUrl}/api/v1/channels${path}`, { body });
  const connected = async ({ propertyId }: BlackboxProperty, channelCode: string): Promise<string> => {
    const mappings = [{ roomType: 'STD', ratePlan: 'BAR', externalRoom: 'R1', externalRate: 'P1' }];
    const settings = {
      channelCode,
      name: channelCode,
      adapter: 'generic-json',
      url: 'http://127.0.0.1:9/',
      mappings,
    };
    return must(await call('POST', '', { propertyId, ...settings }), 201).json.channelId;
  };
  const bookingOf = (property: BlackboxProperty, more: object) => ({
    externalRoom: 'R1',
    checkIn: property.day(3),
    checkOut: property.day(5),
    guest: { firstName: 'Ada', lastName: 'Booker' },
    ...more,
  });

  await group.test('amounts are in the currency of the booking, also those of a change', async (t) => {
    const property = await BlackboxProperty.open(service, { currency: 'JPY', price: 10_000 });
    const id = await connected(property, 'BEDS');
    const put = (more: object) => call('PUT', `/${id}/bookings/b-1`, bookingOf(property, more));
    const refused = async (more: object, pointer: string): Promise<void> => {
      const answer = await put(more);
      isProblem(t, answer, 400, { code: 'VALIDATION_FAILED' });
      t.match(answer.json, { errors: [{ pointer }] });
    };
    for (let time = 1; time <= 2; time++) {
      await refused({ total: 5, currency: 'USD' }, '/currency');
      await refused({ total: 20_000.5 }, '/total');
      const nights = [3, 4].map((n) => ({ date: property.day(n), rate: n === 4 ? 9_000.5 : 9_000 }));
      await refused({ nights }, '/nights/1/rate');
      if (time === 1) must(await put({ total: 20_001, currency: 'JPY' }), 201);
    }
    t.match(must(await put({ total: 20_003 }), 200).json, { total: 20_003, changed: true });
  });

  await group.test(
    'a cancellation that comes again cancels nothing that was reinstated, and what was said before it is late',
    async (t) => {
      const property = await BlackboxProperty.open(service);
      const id = await connected(property, 'BEDS');
      const put = (body: object) => call('PUT', `/${id}/bookings/b-1`, body);
      const at = (minute: number) => `2026-01-01T10:0${minute}:00Z`;
      const { reservationId } = must(await put(bookingOf(property, { total: 240, updatedAt: at(1) })), 201).json;
      const cancelled = { status: 'CANCELLED', updatedAt: at(3) };
      t.match(must(await put(cancelled), 200).json, { status: 'CANCELLED', changed: true });
      t.match(must(await put(bookingOf(property, { total: 250, updatedAt: at(2) })), 200).json, { changed: false });
      const back = { role: 'MANAGER', body: { reason: 'The guest comes' } } as const;
      must(await service.reservations('POST', `/${reservationId}/reinstate`, back), 200);
      t.match(must(await put(cancelled), 200).json, { status: 'CONFIRMED', changed: false });
    },
  );

  await group.test('the code of a channel stays, since its bookings are known by it', async (t) => {
    const property = await BlackboxProperty.open(service);
    const id = await connected(property, 'BEDS');
    const mappings = [{ roomType: 'STD', ratePlan: 'BAR', externalRoom: 'R1', externalRate: 'P1' }];
    const settings = { name: 'B', adapter: 'generic-json', url: 'http://127.0.0.1:9/', mappings };
    const answer = await call('PUT', `/${id}`, { ...settings, channelCode: 'BEDS-2' });
    isProblem(t, answer, 400, { code: 'VALIDATION_FAILED' });
    t.match(answer.json, { errors: [{ pointer: '/channelCode', code: 'INVALID' }] });
    must(await call('PUT', `/${id}`, { ...settings, channelCode: 'BEDS' }), 200);
  });

  await group.test('a line of a rate plan that the property does not have is refused', async (t) => {
    const { propertyId } = await BlackboxProperty.open(service);
    const settings = { name: 'B', adapter: 'generic-json', url: 'http://127.0.0.1:9/' };
    const line = { roomType: 'STD', externalRoom: 'R1', externalRate: 'P1' };
    const sent = (ratePlan: string) => ({ ...settings, mappings: [{ ...line, ratePlan }] });
    const first = { propertyId, channelCode: 'NEW' };
    isProblem(t, await call('POST', '', { ...first, ...sent('BARR') }), 422, { code: 'UNKNOWN_RATE_CODE' });
    const { channelId } = must(await call('POST', '', { ...first, ...sent('BAR') }), 201).json;
    const changed = await call('PUT', `/${channelId}`, { channelCode: 'NEW', ...sent('BARR') });
    isProblem(t, changed, 422, { code: 'UNKNOWN_RATE_CODE' });
  });

  await group.test('two channels may have the same id, however long it is', async (t) => {
    const property = await BlackboxProperty.open(service);
    const channels = [await connected(property, 'ONE'), await connected(property, 'TWO')];
    for (const externalId of ['b-1', randomUUID().padEnd(100, 'x')]) {
      const booked = await Promise.all(
        channels.map((id) => call('PUT', `/${id}/bookings/${externalId}`, bookingOf(property, { total: 240 }))),
      );
      const ids = booked.map((answer) => must(answer, 201).json.reservationId);
      t.equal(new Set(ids).size, 2);
      const again = must(
        await call('PUT', `/${channels[1]}/bookings/${externalId}`, bookingOf(property, { total: 250 })),
        200,
      );
      t.match(again.json, { reservationId: ids[1], changed: true });
    }
  });
}
